//! Passes things on in the order of their numbers, though threads finish them in any order.

use std::collections::BTreeMap;

use parking_lot::Mutex;

/// A state that takes things one after the other, and things that wait for those before them: few, since each thread works on one after
/// the other.
#[derive(Debug)]
pub(crate) struct InOrder<T, S>(Mutex<Waiting<T, S>>);

#[derive(Debug)]
struct Waiting<T, S> {
    /// Number of the thing that is passed on next.
    next: usize,
    ahead: BTreeMap<usize, T>,
    state: S,
}

impl<T, S> InOrder<T, S> {
    /// Starts with number 0.
    pub(crate) fn new(state: S) -> Self {
        Self(Mutex::new(Waiting { next: 0, ahead: BTreeMap::new(), state }))
    }

    /// Gives `thing` to `pass` once those before it were passed on, and those that waited for it after it: one at a time.
    ///
    /// # Errors
    /// The first error of `pass`, after which nothing is passed on.
    pub(crate) fn put<E>(
        &self,
        number: usize,
        thing: T,
        mut pass: impl FnMut(&mut S, T) -> Result<(), E>,
    ) -> Result<(), E> {
        let Waiting { next, ahead, state } = &mut *self.0.lock();
        ahead.insert(number, thing);
        while let Some(thing) = ahead.remove(next) {
            pass(state, thing)?;
            *next = next.saturating_add(1);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_passed_on_in_order_until_one_fails() {
        let (order, mut passed) = (InOrder::new(0), Vec::new());
        for number in [2, 0, 1, 4, 3, 6] {
            let put = order.put(number, number * 2, |count, thing| {
                passed.push((*count, thing));
                *count += 1;
                if thing == 6 { Err("full") } else { Ok(()) }
            });
            assert_eq!(put, if number == 3 { Err("full") } else { Ok(()) });
        }
        assert_eq!(passed, [(0, 0), (1, 2), (2, 4), (3, 6)]);
    }
}
