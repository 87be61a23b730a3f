//! Threads for parallel work. The system may refuse them (a process limit, a container). Then fewer threads do the same work.

use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};

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
