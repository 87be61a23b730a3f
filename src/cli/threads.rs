//! Threads to work with. The system may refuse them (a limit of processes, a container): fewer then do the same work.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use rayon::ThreadPoolBuilder;

/// Whether the system refused a thread.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Starts the pool that parallel work runs on; the caller's thread is the pool where there are no others.
///
/// Without this the pool would start with its first work, and panic if a thread is refused.
pub(super) fn start() {
    let wanted = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = probe(wanted);
    REFUSED.store(threads < wanted, Ordering::Relaxed);
    let pool = ThreadPoolBuilder::new().num_threads(threads.max(1));
    let pool = if threads == 0 {
        pool.use_current_thread()
    } else {
        pool
    };
    drop(pool.build_global()); // fails only where there is a pool already
}

/// Starts threads until there are `wanted` at the same time or one is refused, and ends them: how many there were. A pool
/// needs all of its threads, and can be tried only once.
fn probe(wanted: usize) -> usize {
    std::thread::scope(|scope| {
        let mut ends = Vec::new();
        while ends.len() < wanted {
            let (end, ended) = mpsc::channel::<()>();
            let wait = move || {
                let _ = ended.recv(); // it comes when the other end is dropped
            };
            if std::thread::Builder::new()
                .spawn_scoped(scope, wait)
                .is_err()
            {
                break;
            }
            ends.push(end);
        }
        ends.len()
    })
}

/// Threads that work can be split over: as many as are wanted, else as there are cores; one where threads are refused.
#[cfg(feature = "raster")]
pub(super) fn count(wanted: Option<u16>) -> usize {
    if REFUSED.load(Ordering::Relaxed) {
        return 1;
    }
    wanted.map_or_else(
        || std::thread::available_parallelism().map_or(1, NonZero::get),
        usize::from,
    )
}
