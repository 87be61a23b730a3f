//! Problems of a suite.

use std::path::Path;

use crate::run::{Failure, input};

/// Maximum number of problems listed. Parsing stops at the last of them.
const MOST_PROBLEMS: usize = 100;

/// Errors in a suite, each with its place.
#[derive(Clone, Debug)]
pub(super) struct Problems {
    suite: String,
    list: Vec<(usize, String)>,
}

impl Problems {
    pub(super) fn new(suite: &Path) -> Self {
        Self {
            suite: input::name(suite),
            list: Vec::new(),
        }
    }

    /// Adds an error in a line, counted from 1; 0 is the suite as a whole.
    pub(super) fn add(&mut self, line: usize, text: impl Into<String>) {
        let problem = (line, text.into());
        // A pattern has the same one for every file.
        if !self.is_full() && self.list.last() != Some(&problem) {
            self.list.push(problem);
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.list.len() >= MOST_PROBLEMS
    }

    /// Returns the number of errors.
    pub(super) fn count(&self) -> usize {
        self.list.len()
    }

    /// # Errors
    /// [`Failure::Suite`] if there is anything.
    pub(super) fn into_result(mut self) -> Result<(), Failure> {
        self.list.sort_by_key(|(line, _)| *line);
        let place = |line: usize| match line {
            0 => self.suite.clone(),
            line => format!("{}:{line}", self.suite),
        };
        let list = self.list.iter();
        let mut list: Vec<_> = list
            .map(|(line, text)| format!("{}: {text}", place(*line)))
            .collect();
        if list.is_empty() {
            return Ok(());
        }
        if self.is_full() {
            list.push(format!(
                "{}: only the first {MOST_PROBLEMS} problems are listed",
                self.suite
            ));
        }
        Err(Failure::Suite(list))
    }
}
