//! Output of a run on stdout, and its end: the exit code and the last message.

use std::fmt::Write as _;

use pchr::finding::counted;

use super::{CaseReport, FrameResult, Status, SuiteReport, Summary};
use crate::run::Failure;
use crate::text::visible;

/// Maximum number of frames listed of one case without `-v`.
const LISTED: usize = 8;

/// Returns true if nothing in a case needs attention.
pub(crate) fn is_fine(case: &CaseReport) -> bool {
    let fine = |frame: &FrameResult| frame.status == Status::Passed;
    case.error.is_none() && case.notes.is_empty() && case.frames.iter().all(fine)
}

/// Returns a line for a case, and one for each frame that needs attention.
pub(crate) fn case(case: &CaseReport, verbose: bool) -> String {
    let mut text = String::new();
    let name = visible(&case.name);
    let one = Summary::of(std::slice::from_ref(case));
    if let Some(error) = &case.error {
        for (i, error) in error.lines().enumerate() {
            let lead = if i == 0 { format!("error    {name}: ") } else { " ".repeat(9) };
            let _ = writeln!(text, "{lead}{}", visible(error));
        }
    } else if case.file.is_empty() {
        let (word, count, what) = match one.unused {
            0 => ("removed", one.removed, "removed"),
            unused => ("UNUSED", unused, "unused"),
        };
        let _ = writeln!(text, "{word:<8} {name} (no case): {count} {what}");
    } else if one.passed == one.frames && one.unused == 0 && one.removed == 0 {
        let _ = writeln!(text, "ok       {name} ({})", counted(one.frames, "frame", "frames"));
    } else {
        let counts = [
            (["differs", "differ"], one.failed),
            (["has no baseline", "have no baseline"], one.missing),
            (["cannot be compared"; 2], one.errors),
            (["updated"; 2], one.updated),
            (["skipped"; 2], one.skipped),
            (["unused baseline", "unused baselines"], one.unused),
            (["baseline removed", "baselines removed"], one.removed),
        ];
        let word = match one {
            Summary { errors: 1.., .. } => "error",
            Summary { failed: 1.., .. } => "DIFFERS",
            Summary { missing: 1.., .. } => "MISSING",
            Summary { unused: 1.., .. } => "UNUSED",
            Summary { skipped: 1.., .. } => "skipped",
            Summary { updated: 1.., .. } => "updated",
            _ => "removed",
        };
        let said = counts.iter().filter(|(_, count)| *count > 0);
        let said: Vec<_> = said.map(|([one, more], count)| counted(count, one, more)).collect();
        let _ = writeln!(
            text,
            "{word:<8} {name} ({}): {}",
            counted(one.frames, "frame", "frames"),
            said.join(", ")
        );
    }
    for note in &case.notes {
        let _ = writeln!(text, "         note: {}", visible(note));
    }
    let most = if verbose { usize::MAX } else { LISTED };
    let of = |wanted: &[Status]| {
        let wanted = wanted.to_vec();
        case.frames.iter().filter(move |frame| wanted.contains(&frame.status))
    };
    let wrong = of(&[Status::Failed, Status::Error]);
    for frame in wrong.clone().take(most) {
        let _ = writeln!(text, "         {}: {}", visible(&frame.name), visible(&frame.message));
    }
    let more = wrong.count().saturating_sub(most);
    if more > 0 {
        let _ = writeln!(text, "         ... and {more} more (list them with -v)");
    }
    for (word, status) in [("without", Status::Missing), ("unused", Status::Unused)] {
        let found = of(&[status]);
        let names = found.clone().take(most).map(|frame| visible(&frame.name));
        let names: Vec<_> = names.collect();
        if names.is_empty() {
            continue;
        }
        let more = match found.count().saturating_sub(most) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let _ = writeln!(text, "         {word}: {}{more}", names.join(", "));
    }
    // Written and removed files are listed in full.
    for frame in of(&[Status::Updated, Status::Removed]) {
        let _ = writeln!(text, "         {}", visible(&frame.message));
    }
    text
}

/// Returns the last line, and before it everything about the whole run.
pub(crate) fn summary(report: &SuiteReport) -> String {
    let sum = report.summary;
    let mut counts = vec![format!("{} passed", sum.passed)];
    let others = [
        (sum.failed, "failed"),
        (sum.missing, "missing"),
        (sum.updated, "updated"),
        (sum.skipped, "skipped"),
        (sum.errors, "could not be drawn or compared"),
        (sum.unused, "unused"),
        (sum.removed, "removed"),
    ];
    let met = others.into_iter().filter(|(count, _)| *count > 0);
    counts.extend(met.map(|(count, what)| format!("{count} {what}")));
    let cases = counted(sum.cases, "case", "cases");
    let note = report.versions_note();
    let note = note.map_or_else(String::new, |note| format!("note: {note}\n"));
    format!("{note}{cases}, {}: {}\n", counted(sum.frames, "frame", "frames"), counts.join(", "))
}

/// Ends the run with the result of the report.
///
/// # Errors
/// The most serious failure of the report.
pub(crate) fn finish(report: &SuiteReport) -> Result<(), Failure> {
    let Summary { frames, failed, missing, errors, unused, .. } = report.summary;
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
fn refusal(report: &SuiteReport) -> Failure {
    let text = report.errors.join("\n");
    match report.exit_code {
        2 => Failure::Suite(report.errors.clone()),
        4 => Failure::Rejected(text),
        5 => Failure::NoAdapter(text),
        _ => Failure::Running(anyhow::Error::msg(text)),
    }
}
