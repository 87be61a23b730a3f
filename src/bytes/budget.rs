//! An allowance of memory that is drawn down before allocating.

use std::sync::atomic::{AtomicU64, Ordering};

/// More memory was asked for than the budget has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{wanted} bytes of memory wanted, the limit leaves {left}")]
pub struct BudgetError {
    /// Bytes asked for.
    pub wanted: u64,
    /// Bytes left.
    pub left: u64,
}

/// What a file may still make us allocate, in bytes. Threads may draw on one together.
#[derive(Debug)]
pub struct Budget {
    left: AtomicU64,
}

impl Budget {
    /// A budget of `bytes`.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self {
            left: AtomicU64::new(bytes),
        }
    }

    /// Takes room for `count` items of `size` bytes.
    ///
    /// # Errors
    /// [`BudgetError`] if it is not there; nothing is taken then.
    pub fn take(&self, count: u64, size: u64) -> Result<(), BudgetError> {
        let wanted = count.saturating_mul(size);
        let take = |left: u64| left.checked_sub(wanted);
        let taken = self
            .left
            .try_update(Ordering::Relaxed, Ordering::Relaxed, take);
        taken
            .map(|_| ())
            .map_err(|left| BudgetError { wanted, left })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_runs_out_and_keeps_what_it_could_not_give() {
        let budget = Budget::new(100);
        assert_eq!(budget.take(10, 8), Ok(()));
        assert_eq!(
            budget.take(u64::MAX, 2),
            Err(BudgetError {
                wanted: u64::MAX,
                left: 20
            })
        );
        assert_eq!(budget.take(5, 4), Ok(()));
    }
}
