//! Output of a run on stdout, and its end: the exit code and the last message. And `--junit`: a test suite for each case, a test case for
//! each frame, with its time. Times are separate from the report, which is the same for every run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Component, Path};
use std::time::Duration;
use std::{fs, io};

use parking_lot::Mutex;
use quick_junit::{NonSuccessKind, TestCaseStatus};

use pchr::compare::Bucket;
use pchr::finding::counted;

use super::{CaseReport, FrameResult, Status, SuiteReport, Summary};
use crate::files::{Kind, Reading};
use crate::run::junit_xml::{self, JunitSuite, JunitTest};
use crate::run::output::{self, Inside};
use crate::run::{Disk, Failure, input};
use crate::text::words::few;
use crate::text::{slashed, visible};

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
        let names = of(&[status]).map(|frame| visible(&frame.name));
        let total = names.clone().count();
        if total > 0 {
            let _ = writeln!(text, "         {word}: {}", few(names, most, total));
        }
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
        let text = report.errors.join("\n");
        return Err(match report.exit_code {
            2 => Failure::Suite(report.errors.clone()),
            4 => Failure::Rejected(text),
            5 => Failure::NoAdapter(text),
            _ => Failure::Running(anyhow::Error::msg(text)),
        });
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

/// Writes the report as XML, also into the `folder` of the report itself; to stdout for `-`. Merged reports have no times: their
/// parts were measured elsewhere.
pub(crate) fn write_junit(
    disk: &Disk,
    report: &SuiteReport,
    times: &FrameTimes,
    path: &Path,
    folder: Option<&Path>,
) -> Result<(), Failure> {
    let cases = report.cases.iter().map(|case| suite(case, times));
    let suites = refused(report).into_iter().chain(cases).collect();
    let text = junit_xml::text("pchr-view test", suites)?;
    if input::is_stdin(path) {
        return Ok(output::write_text(text.as_bytes())?);
    }
    if let Some((folder, inside)) = inside(path, folder) {
        return Ok(Inside(folder).create(disk, &slashed(inside))?.finish(text.as_bytes())?);
    }
    output::make_folders([path])?;
    Ok(disk.write(path, text.as_bytes())?)
}

/// Returns the folder of the report and the path in it, if that is where a JUnit report is. No link is followed there.
fn inside<'a>(path: &'a Path, folder: Option<&'a Path>) -> Option<(&'a Path, &'a Path)> {
    let folder = folder?;
    let inside = path.strip_prefix(folder).ok()?;
    let is_plain = inside.components().all(|part| matches!(part, Component::Normal(_)));
    is_plain.then_some((folder, inside))
}

/// Removes a JUnit report that an earlier run wrote to `path`, or empties it if a link leads to it. Any other file is kept.
pub(crate) fn clear_junit(disk: &Disk, path: &Path, folder: Option<&Path>) -> io::Result<()> {
    let there = Reading::of(path, Kind::Text).run();
    if !there.is_ok_and(|text| is_ours(&text)) {
        return Ok(());
    }
    if path.is_symlink() && inside(path, folder).is_none() {
        return disk.write(path, b""); // the link stays, and so does the file for which it stands
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(io::Error::new(error.kind(), format!("cannot remove {}: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

/// Returns true for a JUnit report of suites as [`junit_xml::text`] writes it: each suite is of our package.
fn is_ours(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let start = text.trim_start();
    let root = start.find("<testsuites");
    let suite = text.find("<testsuite ").and_then(|at| text.get(at..));
    let head = suite.and_then(|suite| suite.split('>').next());
    root.is_some_and(|at| start.starts_with("<?xml") && at < 200)
        && head.is_some_and(|head| head.contains(" package=\"pchr\""))
}

/// Returns the suite itself as a test, if it could not be run.
fn refused(report: &SuiteReport) -> Option<JunitSuite> {
    let first = report.errors.first()?;
    let test = JunitTest {
        name: "suite".to_owned(),
        class: report.suite.clone(),
        time: Duration::ZERO,
        status: junit_xml::failed(NonSuccessKind::Error, "error", first, &report.errors.join("\n")),
    };
    Some(JunitSuite {
        name: report.suite.clone(),
        properties: vec![("file", report.suite.clone())],
        tests: vec![test],
        ..JunitSuite::default()
    })
}

fn suite(case: &CaseReport, times: &FrameTimes) -> JunitSuite {
    let mut properties = vec![("file", case.file.clone())];
    if let Some(by) = &case.drawn_by {
        properties.push(("renderer", by.renderer.clone()));
        let said = [("adapter", &by.adapter), ("backend", &by.backend), ("driver", &by.driver)];
        let said = said.into_iter().filter_map(|(name, value)| Some((name, value.clone()?)));
        properties.extend(said);
    }
    properties.extend(case.notes.iter().map(|note| ("note", note.clone())));
    let versions = case.baseline_versions.iter();
    properties.extend(versions.map(|version| ("baselines made by version", version.clone())));
    let test = |name: &str, status: TestCaseStatus| JunitTest {
        name: name.to_owned(),
        class: case.name.replace('/', "."),
        time: times.of(&case.name, name),
        status,
    };
    let error = case.error.iter().map(|error| {
        let line = error.lines().next().unwrap_or_default();
        let details = if error.contains('\n') { error.as_str() } else { "" };
        test("capture", junit_xml::failed(NonSuccessKind::Error, "error", line, details))
    });
    let frames = case.frames.iter().map(|frame| test(&frame.name, status(frame)));
    JunitSuite {
        name: case.name.clone(),
        properties,
        tests: error.chain(frames).collect(),
        extra_time: times.of(&case.name, ""),
        output: String::new(),
    }
}

fn status(frame: &FrameResult) -> TestCaseStatus {
    let failed =
        |status, kind: &str| junit_xml::failed(status, kind, &frame.message, &details(frame));
    match frame.status {
        Status::Passed | Status::Updated | Status::Removed => TestCaseStatus::success(),
        Status::Skipped => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message(visible(&frame.message));
            skipped
        }
        Status::Failed => failed(NonSuccessKind::Failure, "differs"),
        Status::Missing => failed(NonSuccessKind::Failure, "missing"),
        Status::Unused => failed(NonSuccessKind::Failure, "unused"),
        Status::Error => failed(NonSuccessKind::Error, "error"),
    }
}

/// Returns the figures, and the command that takes the picture.
fn details(frame: &FrameResult) -> String {
    let mut lines = vec![frame.message.clone()];
    if let Some(difference) = &frame.difference {
        let counts = difference.histogram.iter().filter(|bucket| bucket.pixels > 0);
        let counts = counts.map(|Bucket { from, to, pixels }| match from == to {
            true => format!("{from}: {pixels}"),
            false => format!("{from}-{to}: {pixels}"),
        });
        lines.push(format!(
            "pixels by size of difference: {}",
            counts.collect::<Vec<_>>().join(", ")
        ));
    }
    if let Some(pictures) = &frame.pictures {
        lines.extend(pictures.paths().map(str::to_owned));
    }
    lines.extend(frame.command.clone());
    lines.join("\n")
}

/// Durations by case and frame.
#[derive(Debug, Default)]
pub(crate) struct FrameTimes(Mutex<BTreeMap<(String, String), Duration>>);

impl FrameTimes {
    /// Adds the duration of a frame. An empty name is the case itself: reading its file, for example.
    pub(crate) fn add(&self, case: &str, frame: &str, time: Duration) {
        let mut times = self.0.lock();
        let sum = times.entry((case.to_owned(), frame.to_owned())).or_default();
        *sum = sum.saturating_add(time);
    }

    /// Returns the duration of a frame; zero if it was not measured.
    pub(crate) fn of(&self, case: &str, frame: &str) -> Duration {
        let times = self.0.lock();
        let time = times.get(&(case.to_owned(), frame.to_owned()));
        time.copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_junit_report_of_ours_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let report =
            SuiteReport::of_failure("a > b.toml".to_owned(), &Failure::Suite(vec!["no".into()]));
        let ours = at("ours.xml");
        write_junit(&Disk::default(), &report, &FrameTimes::default(), &ours, None).unwrap();
        let text = fs::read(&ours).unwrap();
        let clear = |path: &Path, folder| clear_junit(&Disk::default(), path, folder);
        clear(&ours, None).unwrap();
        assert!(!ours.exists());
        clear(&ours, None).unwrap();
        let start = String::from_utf8(text[..text.len() / 2].to_vec()).unwrap();
        let foreign = start.replace("package=\"pchr\"", "package=\"other\"");
        for other in ["", "notes about <testsuites> and <testsuite package=\"pchr\">", &foreign] {
            fs::write(&ours, other).unwrap();
            clear(&ours, None).unwrap();
            assert_eq!(fs::read_to_string(&ours).unwrap(), other);
        }
        #[cfg(unix)]
        {
            let (target, link) = (at("target.xml"), at("link.xml"));
            std::os::unix::fs::symlink("target.xml", &link).unwrap();
            for kept in ["", &foreign] {
                fs::write(&target, kept).unwrap();
                clear(&link, None).unwrap();
                assert_eq!(fs::read_to_string(&target).unwrap(), kept);
            }
            fs::write(&target, &text).unwrap();
            clear(&link, None).unwrap();
            assert_eq!(fs::read(&target).unwrap(), b"");
            assert!(link.is_symlink());
            fs::write(&target, &text).unwrap();
            clear(&link, Some(folder.path())).unwrap();
            assert!(!link.is_symlink(), "in the folder of the report");
            assert_eq!(fs::read(&target).unwrap(), text);
        }
    }
}
