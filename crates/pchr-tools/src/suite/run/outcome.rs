//! Outcomes of cases, printed in order as soon as possible, and a picture with the file of its baseline.

use std::path::Path;

use indicatif::ProgressBar;
use parking_lot::{Mutex, MutexGuard};

use pchr::bytes::Budget;
use pchr::compare::{Difference, DifferenceReport, Ignored, Pair, SizesDiffer, Tolerance};
use pchr::image::{DEFAULT_BUDGET, Pixels, decode_straight, png_size};

use crate::files::Reading;
use crate::run::device::DrawnBy;
use crate::run::disk::Role;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};
use crate::suite::cases::Case;
use crate::suite::report::{CaseReport, FrameResult, Status, frame_name, text_and_junit};
use crate::text::words::count;

/// Report of a case, and its exit code.
#[derive(Default)]
pub(crate) struct CaseOutcome {
    pub(crate) report: CaseReport,
    /// Exit code of the error, if the case has one.
    pub(crate) code: u8,
    /// True if its limits were not applied, because all pictures were compared exactly.
    pub(crate) is_exact: bool,
}

impl CaseOutcome {
    /// Returns the outcome of a case if only its renderer is known.
    pub(crate) fn of(case: &Case, drawn_by: Option<DrawnBy>) -> Self {
        let (name, file) = (case.name.clone(), case.file.clone());
        let report = CaseReport { name, file, drawn_by, ..CaseReport::default() };
        Self { report, ..Self::default() }
    }

    /// Returns the outcome of baselines that belong to no case.
    pub(crate) fn of_no_case(folder: &str) -> Self {
        let report = CaseReport { name: folder.to_owned(), ..CaseReport::default() };
        Self { report, ..Self::default() }
    }

    /// Returns the outcome of a case that could not be drawn.
    pub(crate) fn failed(case: &Case, drawn_by: Option<DrawnBy>, failure: &Failure) -> Self {
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
    pub(crate) fn skipped(case: &Case, names: &[String]) -> Self {
        let skipped = |path: &String| {
            let (name, message) = (frame_name(Path::new(path)), "no graphics adapter".to_owned());
            FrameResult::new(name, Status::Skipped, message)
        };
        let mut outcome = Self::of(case, None);
        outcome.report.frames = names.iter().map(skipped).collect();
        outcome
    }

    /// Returns the exit codes of its frames and of its error.
    pub(crate) fn codes(&self) -> impl Iterator<Item = u8> {
        self.report.frames.iter().map(|frame| frame.status.code()).chain([self.code])
    }
}

/// Prints the report of a case. If quiet, only failures are printed. On a terminal the bar shows progress, and only cases that need
/// attention are printed.
pub(crate) fn print(report: &CaseReport, bar: &ProgressBar, messages: &Messages) {
    let is_printed = match messages {
        Messages { quiet: true, .. } => report.is_wrong(),
        Messages { verbose: true, .. } => true,
        _ => bar.is_hidden() || !text_and_junit::is_fine(report),
    };
    if is_printed {
        let text = text_and_junit::case(report, messages.verbose);
        // A closed pipe is not a failure of the suite.
        bar.suspend(|| drop(output::write_text(text.as_bytes())));
    }
}

/// Outcome of a comparison.
pub(crate) enum ComparedBaseline {
    Same,
    Within(Difference),
    Beyond(Difference, Pixels),
    /// Another size. Only one of these is in memory at a time, since it may be large.
    OtherSize(Pixels, MutexGuard<'static, ()>),
    Missing,
    Unreadable(String),
}

pub(crate) fn pair<'a>(
    expected: &'a Pixels,
    actual: &'a Pixels,
    ignored: Option<&'a Ignored>,
) -> Result<Pair<'a>, SizesDiffer> {
    match ignored {
        Some(ignored) => Pair::ignoring(expected, actual, ignored),
        None => Pair::new(expected, actual),
    }
}

pub(crate) fn compare(
    disk: &Disk,
    baseline: Reading<'_>,
    actual: &Pixels,
    ignored: Option<&Ignored>,
    tolerance: Tolerance,
) -> ComparedBaseline {
    static ONE: Mutex<()> = Mutex::new(());
    let png = match disk.read(baseline, Role::Baseline) {
        Err(error) if error.is_missing() => return ComparedBaseline::Missing,
        Err(error) => return ComparedBaseline::Unreadable(error.to_string()),
        Ok(png) => png,
    };
    let has_size = |size| size == [actual.width, actual.height];
    let other = (!png_size(&png).is_ok_and(has_size)).then(|| ONE.lock());
    // The picture's own size, which the same program wrote, or the default for other sizes.
    let budget = Budget::new(DEFAULT_BUDGET.max(actual.rgba.len() as u64));
    let expected = match decode_straight(&png, &budget) {
        Ok(expected) => expected,
        Err(error) => return ComparedBaseline::Unreadable(error.to_string()),
    };
    if let Some(one) = other {
        return ComparedBaseline::OtherSize(expected, one);
    }
    if expected == *actual {
        return ComparedBaseline::Same;
    }
    let difference = pair(&expected, actual, ignored).map(|pair| pair.difference());
    match difference {
        Err(error) => ComparedBaseline::Unreadable(error.to_string()), // its header had the size
        Ok(difference) if difference.differing() == 0 => ComparedBaseline::Same,
        Ok(difference) if difference.is_within(&tolerance) => ComparedBaseline::Within(difference),
        Ok(difference) => ComparedBaseline::Beyond(difference, expected),
    }
}

/// Formats the figures in one line.
pub(crate) fn in_words(figures: &DifferenceReport) -> String {
    let DifferenceReport { pixels, ignored, tolerance, outliers, .. } = figures;
    let percent = *outliers as f64 * 100.0 / (*pixels).max(1) as f64;
    let share = if percent < 0.01 { "<0.01".to_owned() } else { format!("{percent:.2}") };
    let by = match tolerance {
        0 => "differ".to_owned(),
        tolerance => format!("differ by more than {tolerance}"),
    };
    let allowed = match figures.allowed_outliers {
        0 => String::new(),
        most => format!(" (at most {most} allowed)"),
    };
    let largest = figures.largest.map(|largest| {
        let [x, y] = largest.at;
        match largest.is_hidden() {
            true => format!("; only colours hidden by alpha, first at {x},{y}"),
            false => format!("; largest difference {} at {x},{y}", largest.difference),
        }
    });
    let alpha = if figures.alpha_only { "; only alpha differs" } else { "" };
    let flip = figures.mean_flip;
    let flip = flip.map(|flip| format!("; mean FLIP {flip:.4}"));
    let ignored = match ignored {
        0 => String::new(),
        some => format!("; {} ignored", count(*some, "pixel", "pixels")),
    };
    let [largest, flip] = [largest, flip].map(Option::unwrap_or_default);
    format!(
        "{outliers} of {pixels} pixels ({share} %) {by}{allowed}{largest}{alpha}{flip}{ignored}"
    )
}
