//! End of a suite's run: its exit code and last message.

use super::results::{Report, Summary};
use crate::run::Failure;

/// Ends the run with the result of the report.
///
/// # Errors
/// The most serious failure of the report.
pub(super) fn finish(report: &Report) -> Result<(), Failure> {
    let Summary {
        frames,
        failed,
        missing,
        errors,
        unused,
        ..
    } = report.summary;
    let is_refused = errors + unused == 0 && !matches!(report.exit_code, 3 | 6);
    if !report.errors.is_empty() && (is_refused || !report.has_run()) {
        return Err(refusal(report));
    }
    let of = |count: u64, one: &str, more: &str| match (count, frames) {
        (_, 1) => format!("the frame {one}"),
        (1, _) => format!("1 of {frames} frames {one}"),
        _ => format!("{count} of {frames} frames {more}"),
    };
    match report.exit_code {
        0 => Ok(()),
        2 if errors > 0 => {
            let words = "could not be drawn: the suite names something that does not exist";
            Err(Failure::Usage(of(errors, words, words)))
        }
        2 => Err(Failure::Usage(match unused {
            1 => "1 baseline is unused; remove it with --prune".to_owned(),
            unused => format!("{unused} baselines are unused; remove them with --prune"),
        })),
        3 => Err(Failure::Differ(of(
            failed,
            "differs from its baseline",
            "differ from their baselines",
        ))),
        4 => {
            let words = "could not be drawn: a file is invalid";
            Err(Failure::Rejected(of(errors, words, words)))
        }
        6 => Err(Failure::BaselineMissing(of(
            missing,
            "has no baseline; create it with --update",
            "have no baseline; create them with --update",
        ))),
        _ => {
            let words = "could not be drawn or compared";
            let text = of(errors, words, words);
            Err(Failure::Running(anyhow::Error::msg(text)))
        }
    }
}

/// Returns the reason why nothing was run.
fn refusal(report: &Report) -> Failure {
    let text = report.errors.join("\n");
    match report.exit_code {
        2 => Failure::Suite(report.errors.clone()),
        4 => Failure::Rejected(text),
        5 => Failure::NoAdapter(text),
        _ => Failure::Running(anyhow::Error::msg(text)),
    }
}
