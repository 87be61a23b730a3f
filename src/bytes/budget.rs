//! An allowance of memory that is drawn down before allocating.

/// More memory was asked for than the budget has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{wanted} bytes of memory wanted, the limit leaves {left}")]
pub struct BudgetError {
    /// Bytes asked for.
    pub wanted: u64,
    /// Bytes left.
    pub left: u64,
}

/// What a file may still make us allocate, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    left: u64,
}

impl Budget {
    /// A budget of `bytes`.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self { left: bytes }
    }

    /// Takes room for `count` items of `size` bytes.
    ///
    /// # Errors
    /// [`BudgetError`] if it is not there; nothing is taken then.
    pub fn take(&mut self, count: u64, size: u64) -> Result<(), BudgetError> {
        let wanted = count.saturating_mul(size);
        match self.left.checked_sub(wanted) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(BudgetError {
                wanted,
                left: self.left,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_runs_out_and_keeps_what_it_could_not_give() {
        let mut budget = Budget::new(100);
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
