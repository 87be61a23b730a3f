//! What a run says on stdout.

use std::fmt::Write as _;

use super::report::{CaseReport, FrameReport, Report, Status, Summary};
use crate::cli::line::line;

/// Frames that are listed of one case without `-v`.
const LISTED: usize = 8;

/// Whether there is nothing in a case to look at.
pub(super) fn is_fine(case: &CaseReport) -> bool {
    let fine = |frame: &FrameReport| frame.status == Status::Passed;
    case.error.is_none() && case.notes.is_empty() && case.frames.iter().all(fine)
}

/// Whether something in a case went wrong.
pub(super) fn is_wrong(case: &CaseReport) -> bool {
    case.error.is_some() || case.frames.iter().any(|frame| frame.status.code() != 0)
}

/// A line for a case, and one for each frame that is to be looked at.
pub(super) fn case(case: &CaseReport, verbose: bool) -> String {
    let mut text = String::new();
    let name = line(&case.name);
    let one = Summary::of(std::slice::from_ref(case));
    if let Some(error) = &case.error {
        let _ = writeln!(text, "error    {name}: {}", line(error));
    } else if one.passed == one.frames {
        let _ = writeln!(text, "ok       {name} ({})", frames(one.frames));
    } else {
        let counts = [
            (["differs", "differ"], one.failed),
            (["has no baseline", "have no baseline"], one.missing),
            (["cannot be compared"; 2], one.errors),
            (["updated"; 2], one.updated),
            (["skipped"; 2], one.skipped),
        ];
        let word = match one {
            Summary { errors: 1.., .. } => "error",
            Summary { failed: 1.., .. } => "DIFFERS",
            Summary { missing: 1.., .. } => "MISSING",
            Summary { skipped: 1.., .. } => "skipped",
            _ => "updated",
        };
        let said = counts.iter().filter(|(_, count)| *count > 0);
        let said: Vec<_> = said
            .map(|([what_one, what_more], count)| match count {
                1 => format!("1 {what_one}"),
                count => format!("{count} {what_more}"),
            })
            .collect();
        let _ = writeln!(
            text,
            "{word:<8} {name} ({}): {}",
            frames(one.frames),
            said.join(", ")
        );
    }
    for note in &case.notes {
        let _ = writeln!(text, "         note: {}", line(note));
    }
    let most = if verbose { usize::MAX } else { LISTED };
    let of = |wanted: &[Status]| {
        let wanted = wanted.to_vec();
        case.frames
            .iter()
            .filter(move |frame| wanted.contains(&frame.status))
    };
    let wrong = of(&[Status::Failed, Status::Error]);
    for frame in wrong.clone().take(most) {
        let _ = writeln!(
            text,
            "         {}: {}",
            line(&frame.name),
            line(&frame.message)
        );
    }
    let more = wrong.count().saturating_sub(most);
    if more > 0 {
        let _ = writeln!(text, "         ... and {more} more (-v lists them)");
    }
    let missing = of(&[Status::Missing]);
    let names: Vec<_> = missing
        .clone()
        .take(most)
        .map(|frame| line(&frame.name))
        .collect();
    if !names.is_empty() {
        let more = missing.count().saturating_sub(most);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let _ = writeln!(text, "         without: {}{more}", names.join(", "));
    }
    // What an update did is told in full.
    for frame in of(&[Status::Updated]) {
        let _ = writeln!(text, "         {}", line(&frame.message));
    }
    text
}

/// The last line.
pub(super) fn summary(report: &Report) -> String {
    let Summary {
        cases,
        frames: all,
        passed,
        failed,
        missing,
        updated,
        skipped,
        errors,
    } = report.summary;
    let mut counts = vec![format!("{passed} passed")];
    let others = [
        (failed, "failed"),
        (missing, "missing"),
        (updated, "updated"),
        (skipped, "skipped"),
        (errors, "could not be compared"),
    ];
    let met = others.into_iter().filter(|(count, _)| *count > 0);
    counts.extend(met.map(|(count, what)| format!("{count} {what}")));
    let cases = if cases == 1 {
        "1 case".to_owned()
    } else {
        format!("{cases} cases")
    };
    format!("{cases}, {}: {}\n", frames(all), counts.join(", "))
}

fn frames(count: u64) -> String {
    match count {
        1 => "1 frame".to_owned(),
        count => format!("{count} frames"),
    }
}
