//! Onion skin in the window: its settings in words.

use pchr::overlay::Onion;

/// Returns the settings in words.
pub(crate) fn in_words(onion: Onion) -> String {
    let Onion {
        before,
        after,
        step,
        ..
    } = onion;
    match step {
        0 | 1 => format!("{before} before, {after} after"),
        step => format!("{before} before, {after} after, {step} frames apart"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_of_one_is_not_mentioned() {
        let mut onion = Onion::of(2, 3);
        assert_eq!(in_words(onion), "2 before, 3 after");
        onion.step = 4;
        assert_eq!(in_words(onion), "2 before, 3 after, 4 frames apart");
    }
}
