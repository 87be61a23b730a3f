//! Outcome of a case.

use std::path::Path;

use super::cases::Case;
use super::results::frame_name;
use super::results::{CaseReport, FrameReport, Status};
use crate::run::Failure;
use crate::run::device::DrawnBy;

/// Report of a case, and its exit code.
pub(super) struct Outcome {
    pub(super) report: CaseReport,
    /// Exit code of the error, if the case has one.
    pub(super) code: u8,
    /// True if its limits were not applied, because all pictures were compared exactly.
    pub(super) is_exact: bool,
}

impl Outcome {
    /// Returns the outcome of a case if only its renderer is known.
    pub(super) fn of(case: &Case, drawn_by: Option<DrawnBy>) -> Self {
        let report = CaseReport {
            name: case.name.clone(),
            file: case.file.clone(),
            drawn_by,
            ..CaseReport::default()
        };
        Self {
            report,
            code: 0,
            is_exact: false,
        }
    }

    /// Returns the outcome of baselines that belong to no case.
    pub(super) fn of_no_case(folder: &str) -> Self {
        let report = CaseReport {
            name: folder.to_owned(),
            ..CaseReport::default()
        };
        Self {
            report,
            code: 0,
            is_exact: false,
        }
    }

    /// Returns the outcome of a case that could not be drawn.
    pub(super) fn failed(case: &Case, drawn_by: Option<DrawnBy>, failure: &Failure) -> Self {
        let mut outcome = Self::of(case, drawn_by);
        let in_a_line = |text: &String| text.replace('\n', "\\n"); // a name may have lines
        outcome.report.error = Some(match failure {
            Failure::Suite(mistakes) => {
                let lines: Vec<_> = mistakes.iter().map(in_a_line).collect();
                lines.join("\n")
            }
            other => in_a_line(&other.to_string()),
        });
        outcome.code = match failure.code() {
            code @ (2 | 4) => code,
            _ => 1, // any other failure occurred while running
        };
        outcome
    }

    /// Returns the outcome of a case that needs a missing adapter, with the names of its baselines.
    pub(super) fn skipped(case: &Case, names: &[String]) -> Self {
        let skipped = |path: &String| FrameReport {
            name: frame_name(Path::new(path)),
            animation: None,
            frame: None,
            status: Status::Skipped,
            message: "no graphics adapter".to_owned(),
            command: None,
            difference: None,
            pictures: None,
        };
        let mut outcome = Self::of(case, None);
        outcome.report.frames = names.iter().map(skipped).collect();
        outcome
    }
}
