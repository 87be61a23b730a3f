//! Threads for parallel work, and order in what they finish. The system may refuse them (a process limit, a container). Then fewer threads
//! do the same work.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};

use parking_lot::Mutex;
use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// True if the system refused a thread.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Starts the thread pool. If there are no other threads, the caller's thread is the pool.
///
/// Without this the pool would start with its first work, and panic if a thread is refused. A pool needs all of its threads and can
/// be created only once, so the threads are started first.
pub(crate) fn start() {
    let wanted = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads: Vec<_> = (0..wanted).map_while(|_| thread().ok()).collect();
    REFUSED.store(threads.len() < wanted, Ordering::Relaxed);
    let pool = ThreadPoolBuilder::new().num_threads(threads.len().max(1));
    let started = if threads.is_empty() {
        pool.use_current_thread().build_global()
    } else {
        let mut threads = threads.into_iter();
        let hand_over = move |worker| match threads.next().map(|thread| thread.send(worker)) {
            Some(Ok(())) => Ok(()),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        };
        pool.spawn_handler(hand_over).build_global()
    };
    drop(started); // fails only where there is a pool already
}

/// Starts a thread that waits until the pool hands it a worker to run.
fn thread() -> io::Result<Sender<ThreadBuilder>> {
    let (sender, receiver) = mpsc::channel::<ThreadBuilder>();
    let work = move || {
        if let Ok(worker) = receiver.recv() {
            worker.run();
        }
    };
    std::thread::Builder::new().spawn(work)?;
    Ok(sender)
}

/// Returns the number of threads for work: the requested number, else the number of cores; one if threads are refused.
pub(crate) fn count(wanted: Option<u16>) -> usize {
    if REFUSED.load(Ordering::Relaxed) {
        return 1;
    }
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get), usize::from)
}

/// Runs `work` on up to this many threads, of which the caller's is one, and waits for all. If the system refuses threads, fewer do
/// the same work.
pub(crate) fn together(threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            if std::thread::Builder::new().spawn_scoped(scope, &work).is_err() {
                break;
            }
        }
        work();
    });
}

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

    pub(crate) fn into_state(self) -> S {
        self.0.into_inner().state
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
