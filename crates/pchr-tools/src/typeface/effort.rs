//! Bounds of the work that a font may cause: small files can ask for drawings that never end.

use std::cell::Cell;

/// Steps for one glyph of a character, when a font is chosen for it.
pub(super) const OF_GLYPH: usize = 1 << 19;
/// Steps for one line of text.
pub(super) const OF_LINE: usize = 1 << 22;

/// Steps that are left: points, bytes of instructions, and pixels along edges.
#[derive(Debug)]
pub(super) struct Effort {
    /// None once more was needed.
    left: Cell<Option<usize>>,
}

/// A glyph, or a text if there is none, that takes more work than is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Excess {
    pub(super) glyph: Option<u32>,
}

impl Effort {
    pub(super) fn new(steps: usize) -> Self {
        Self {
            left: Cell::new(Some(steps)),
        }
    }

    /// Takes some of the steps; returns false if more are needed than are left, and from then on.
    pub(super) fn spend(&self, steps: usize) -> bool {
        let left = self.left.get().and_then(|left| left.checked_sub(steps));
        self.left.set(left);
        left.is_some()
    }

    /// Refuses a glyph, or a text, for which the steps did not suffice.
    pub(super) fn check(&self, glyph: Option<u32>) -> Result<(), Excess> {
        self.left.get().map(|_| ()).ok_or(Excess { glyph })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_stays_spent() {
        let effort = Effort::new(10);
        assert!(effort.spend(10));
        assert_eq!(effort.check(None), Ok(()));
        assert!(!effort.spend(1));
        assert!(!effort.spend(0));
        assert_eq!(effort.check(Some(7)), Err(Excess { glyph: Some(7) }));
    }
}
