//! Threads to work with. The system may refuse them (a limit of processes, a container): fewer then do the same work.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// Whether the system refused a thread.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Starts the pool that parallel work runs on; the caller's thread is the pool where there are no others.
///
/// Without this the pool would start with its first work, and panic if a thread is refused.
pub(super) fn start() {
    let pool = match std::thread::Builder::new().spawn(|| {}) {
        Ok(probe) => {
            let _ = probe.join();
            ThreadPoolBuilder::new().spawn_handler(spawn).build_global()
        }
        Err(_) => {
            REFUSED.store(true, Ordering::Relaxed);
            let alone = ThreadPoolBuilder::new().num_threads(1);
            alone.use_current_thread().build_global()
        }
    };
    drop(pool); // it fails only if there is a pool already
}

/// Starts a worker of the pool. It needs the first; the work of others that are refused is taken by those that are there.
fn spawn(worker: ThreadBuilder) -> std::io::Result<()> {
    let first = worker.index() == 0;
    match std::thread::Builder::new().spawn(|| worker.run()) {
        Err(error) if first => Err(error),
        Err(_) => {
            REFUSED.store(true, Ordering::Relaxed);
            Ok(())
        }
        Ok(_) => Ok(()),
    }
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
