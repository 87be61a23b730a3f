//! Durations of frames, for JUnit, kept apart from the report, in which nothing changes from run to run.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Durations by case and frame.
#[derive(Debug, Default)]
pub(super) struct Times(Mutex<BTreeMap<(String, String), Duration>>);

impl Times {
    /// Notes what a frame took. An empty name is the case itself: reading its file, for example.
    pub(super) fn add(&self, case: &str, frame: &str, time: Duration) {
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sum = times
            .entry((case.to_owned(), frame.to_owned()))
            .or_default();
        *sum = sum.saturating_add(time);
    }

    /// Duration of a frame; zero if it was not measured.
    pub(super) fn of(&self, case: &str, frame: &str) -> Duration {
        let times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let time = times.get(&(case.to_owned(), frame.to_owned()));
        time.copied().unwrap_or_default()
    }
}
