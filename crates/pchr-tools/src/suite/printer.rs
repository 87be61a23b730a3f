//! Collects the outcomes of the cases, and prints them in order as soon as possible.

use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;

use super::item::Item;
use super::outcome::Outcome;
use super::results::{self, CaseReport, Status};
use super::text;
use crate::run::messages::Messages;
use crate::run::{Failure, output};

pub(super) struct Printer<'a> {
    state: Mutex<State>,
    /// True if stdout is for people.
    prints: bool,
    bar: &'a ProgressBar,
    messages: &'a Messages,
}

struct State {
    done: Vec<Option<Outcome>>,
    /// Number of cases already printed.
    printed: usize,
}

impl<'a> Printer<'a> {
    /// Creates a printer for a number of cases.
    pub(super) fn new(
        cases: usize,
        prints: bool,
        bar: &'a ProgressBar,
        messages: &'a Messages,
    ) -> Self {
        let done = (0..cases).map(|_| None).collect();
        Self {
            state: Mutex::new(State { done, printed: 0 }),
            prints,
            bar,
            messages,
        }
    }

    /// Adds the outcome of the case at an index.
    pub(super) fn put(&self, slot: usize, outcome: Outcome) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(done) = state.done.get_mut(slot) {
            *done = Some(outcome);
        }
        while let Some(Some(Outcome { report, .. })) = state.done.get(state.printed) {
            if self.prints && self.is_printed(report) {
                let text = text::case(report, self.messages.is_verbose());
                // A closed pipe is not a failure of the suite.
                self.bar
                    .suspend(|| drop(output::write_text(text.as_bytes())));
            }
            state.printed += 1;
        }
    }

    /// Returns true if a case is printed. If quiet, only failures are. On a terminal the bar shows progress, and only cases that
    /// need attention are printed.
    fn is_printed(&self, case: &CaseReport) -> bool {
        if self.messages.is_quiet() {
            return text::is_wrong(case);
        }
        self.bar.is_hidden() || self.messages.is_verbose() || !text::is_fine(case)
    }

    /// Returns the results of all items, and their exit codes. A case without an outcome has failed.
    pub(super) fn into_cases(self, items: &[Item<'_>]) -> (Vec<CaseReport>, Vec<u8>) {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let lost = |item: &Item<'_>| match item.case {
            Some(case) => {
                let failure = anyhow::anyhow!("the case did not finish");
                Outcome::failed(case, None, &Failure::Running(failure))
            }
            None => Outcome::of_no_case(item.name),
        };
        let outcomes = state.done.into_iter().zip(items);
        let outcomes = outcomes.map(|(outcome, item)| outcome.unwrap_or_else(|| lost(item)));
        outcomes
            .map(|Outcome { report, code, .. }| {
                let of_frames = report.frames.iter().map(|frame| frame.status.code());
                let code = results::worst(of_frames.chain([code]));
                (report, code)
            })
            .unzip()
    }
}

impl Status {
    /// Returns the exit code of a frame.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Passed | Self::Updated | Self::Skipped | Self::Removed => 0,
            Self::Unused => 2,
            Self::Failed => 3,
            Self::Missing => 6,
            Self::Error => 1,
        }
    }
}
