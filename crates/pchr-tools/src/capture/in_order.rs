//! Passes things on in the order of their numbers, though threads finish them in any order.

use std::collections::BTreeMap;

use parking_lot::Mutex;

/// Things that wait for those before them: few, since each thread works on one after the other.
#[derive(Debug)]
pub(crate) struct InOrder<T>(Mutex<Waiting<T>>);

#[derive(Debug)]
struct Waiting<T> {
    /// Number of the thing that is passed on next.
    next: usize,
    ahead: BTreeMap<usize, T>,
}

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        Self(Mutex::new(Waiting { next: 0, ahead: BTreeMap::new() }))
    }
}

impl<T> InOrder<T> {
    /// Gives `thing` to `pass` once those before it were passed on, and those that waited for it after it: one at a time, from
    /// number 0.
    ///
    /// # Errors
    /// The first error of `pass`, after which nothing is passed on.
    pub(crate) fn put<E>(
        &self,
        number: usize,
        thing: T,
        mut pass: impl FnMut(usize, T) -> Result<(), E>,
    ) -> Result<(), E> {
        let Waiting { next, ahead } = &mut *self.0.lock();
        ahead.insert(number, thing);
        while let Some(thing) = ahead.remove(next) {
            pass(*next, thing)?;
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
        let (order, mut passed) = (InOrder::default(), Vec::new());
        for number in [2, 0, 1, 4, 3, 6] {
            let put = order.put(number, number * 2, |at, thing| {
                passed.push((at, thing));
                if at == 3 { Err("full") } else { Ok(()) }
            });
            assert_eq!(put, if number == 3 { Err("full") } else { Ok(()) });
        }
        assert_eq!(passed, [(0, 0), (1, 2), (2, 4), (3, 6)]);
    }
}
