//! Draws cases with the CPU renderer. Threads take frames of any open case, and prepare the next case if there are none.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

use super::{Open, Run, Work, lock, open};
use crate::capture::{CpuWorker, StageTimes, Taken};
use crate::run::device::DrawnBy;

/// Runs cases with the CPU renderer.
pub(in crate::suite) fn run(run: &Run<'_>, works: &[Work<'_>]) {
    let by = DrawnBy::cpu();
    let queue = Queue::new(works);
    let work = || {
        while let Some(open) = queue.next(run, &by) {
            let Some(model) = &open.model else { return };
            let job = open.job(1);
            let mut worker = CpuWorker::new(&job, 1);
            let times = StageTimes::default();
            let sink = |taken: &mut Taken<'_>| {
                open.take(run, taken);
                Ok(())
            };
            loop {
                let index = open.next.fetch_add(1, Ordering::Relaxed);
                let Some(shot) = open.prepared.plan.shots.get(index) else {
                    break;
                };
                let start = Instant::now();
                let result = worker.take(model, index, shot, &times, &sink);
                open.note_time(run, index, start.elapsed());
                open.over(run, &by, result);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..run.jobs {
            // With fewer threads than wanted it takes longer, and is done all the same.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}

/// Cases in progress, and waiting ones.
struct Queue<'a> {
    works: &'a [Work<'a>],
    state: Mutex<State<'a>>,
    opened: Condvar,
}

#[derive(Default)]
struct State<'a> {
    /// Number of cases already taken.
    begun: usize,
    /// Number of cases being prepared.
    opening: usize,
    /// Cases with frames to draw.
    open: Vec<Arc<Open<'a>>>,
}

impl<'a> Queue<'a> {
    fn new(works: &'a [Work<'a>]) -> Self {
        Self {
            works,
            state: Mutex::default(),
            opened: Condvar::new(),
        }
    }

    /// Returns a case with frames to draw: an open one, else the next, which is prepared here. Returns `None` if there is nothing more to draw and
    /// never will be.
    fn next(&self, run: &Run<'a>, by: &DrawnBy) -> Option<Arc<Open<'a>>> {
        let mut state = lock(&self.state);
        loop {
            state
                .open
                .retain(|open| open.next.load(Ordering::Relaxed) < open.prepared.plan.shots.len());
            if let Some(open) = state.open.first() {
                return Some(open.clone());
            }
            if let Some(work) = self.works.get(state.begun) {
                state.begun += 1;
                state.opening += 1;
                drop(state);
                let opening = Opening(self);
                let opened = open(run, work, by).map(Arc::new);
                lock(&self.state).open.extend(opened);
                drop(opening);
                state = lock(&self.state);
            } else if state.opening > 0 {
                state = self
                    .opened
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            } else {
                return None;
            }
        }
    }
}

/// Marks a case as being prepared until it is dropped, so that a panic does not leave other threads waiting.
struct Opening<'q, 'a>(&'q Queue<'a>);

impl Drop for Opening<'_, '_> {
    fn drop(&mut self) {
        lock(&self.0.state).opening -= 1;
        self.0.opened.notify_all();
    }
}
