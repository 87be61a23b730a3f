//! Output of a run on stdout.

use std::fmt::Write as _;

use super::results::{CaseReport, FrameReport, Report, Status, Summary};
use crate::text::visible;

/// Maximum number of frames listed of one case without `-v`.
const LISTED: usize = 8;

/// Returns true if nothing in a case needs attention.
pub(super) fn is_fine(case: &CaseReport) -> bool {
    let fine = |frame: &FrameReport| frame.status == Status::Passed;
    case.error.is_none() && case.notes.is_empty() && case.frames.iter().all(fine)
}

/// Returns true if something in a case failed.
pub(super) fn is_wrong(case: &CaseReport) -> bool {
    case.error.is_some() || case.frames.iter().any(|frame| frame.status.code() != 0)
}

/// Returns a line for a case, and one for each frame that needs attention.
pub(super) fn case(case: &CaseReport, verbose: bool) -> String {
    let mut text = String::new();
    let name = visible(&case.name);
    let one = Summary::of(std::slice::from_ref(case));
    if let Some(error) = &case.error {
        for (i, error) in error.lines().enumerate() {
            let lead = if i == 0 {
                format!("error    {name}: ")
            } else {
                " ".repeat(9)
            };
            let _ = writeln!(text, "{lead}{}", visible(error));
        }
    } else if case.file.is_empty() {
        let (word, count, what) = match one.unused {
            0 => ("removed", one.removed, "removed"),
            unused => ("UNUSED", unused, "unused"),
        };
        let _ = writeln!(text, "{word:<8} {name} (no case): {count} {what}");
    } else if one.passed == one.frames && one.unused == 0 && one.removed == 0 {
        let _ = writeln!(text, "ok       {name} ({})", frames(one.frames));
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
        let _ = writeln!(text, "         note: {}", visible(note));
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
            visible(&frame.name),
            visible(&frame.message)
        );
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
        unused,
        removed,
    } = report.summary;
    let mut counts = vec![format!("{passed} passed")];
    let others = [
        (failed, "failed"),
        (missing, "missing"),
        (updated, "updated"),
        (skipped, "skipped"),
        (errors, "could not be drawn or compared"),
        (unused, "unused"),
        (removed, "removed"),
    ];
    let met = others.into_iter().filter(|(count, _)| *count > 0);
    counts.extend(met.map(|(count, what)| format!("{count} {what}")));
    let cases = if cases == 1 {
        "1 case".to_owned()
    } else {
        format!("{cases} cases")
    };
    let note = report.versions_note();
    let note = note.map_or_else(String::new, |note| format!("note: {note}\n"));
    format!("{note}{cases}, {}: {}\n", frames(all), counts.join(", "))
}

fn frames(count: u64) -> String {
    match count {
        1 => "1 frame".to_owned(),
        count => format!("{count} frames"),
    }
}
