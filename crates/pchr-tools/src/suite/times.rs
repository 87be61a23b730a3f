//! Durations of frames, for JUnit. They are separate from the report, which is the same for every run.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Durations by case and frame.
#[derive(Debug, Default)]
pub(super) struct Times(Mutex<BTreeMap<(String, String), Duration>>);

impl Times {
    /// Adds the duration of a frame. An empty name is the case itself: reading its file, for example.
    pub(super) fn add(&self, case: &str, frame: &str, time: Duration) {
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sum = times
            .entry((case.to_owned(), frame.to_owned()))
            .or_default();
        *sum = sum.saturating_add(time);
    }

    /// Returns the duration of a frame; zero if it was not measured.
    pub(super) fn of(&self, case: &str, frame: &str) -> Duration {
        let times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let time = times.get(&(case.to_owned(), frame.to_owned()));
        time.copied().unwrap_or_default()
    }
}
