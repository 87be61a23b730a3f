//! Draws the cases and holds them against their baselines: by the CPU renderer on all threads at once, whatever frames
//! the cases have; by an adapter one case after the other, while the next is made ready and the last is compared.

mod cpu;
#[cfg(feature = "render")]
mod gpu;
mod open;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cases::Case;
use super::file::Suite;
use super::job::Update;
use super::outcome::Outcome;
use super::source::Source;
use super::times::Times;

pub(super) use cpu::run as on_cpu;
#[cfg(feature = "render")]
pub(super) use gpu::run as on_gpu;

/// What holds for the whole run.
pub(super) struct Run<'a> {
    pub(super) suite: &'a Suite,
    pub(super) report: Option<&'a Path>,
    pub(super) update: Option<Update>,
    /// Threads that draw and compare; at least 1.
    pub(super) jobs: usize,
    /// Time of each frame, and of each case beside its frames.
    pub(super) times: &'a Times,
    /// Called when a frame was judged, from any thread.
    pub(super) on_frame: &'a (dyn Fn() + Sync),
    /// Called when a case was, with its index; from any thread, in any order.
    pub(super) on_case: &'a (dyn Fn(usize, Outcome) + Sync),
}

/// A case with its file.
pub(super) struct Work<'a> {
    /// Its index among all cases of the run.
    pub(super) index: usize,
    pub(super) case: &'a Case,
    pub(super) source: Arc<Source>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
