//! `--junit`: a test suite for each case, a test case for each frame.

use std::path::{Component, Path};
use std::time::Duration;
use std::{fs, io};

use crate::compare::Bucket;
use crate::files::{Kind, Reading};
use crate::run::inside::Inside;
use crate::run::junit::{self, Outcome, Suite, Test, Wrong};
use crate::run::{Disk, Failure, input, output};
use crate::suite::results::{CaseReport, FrameReport, Report, Status};
use crate::suite::times::Times;
use crate::text::slashed;

/// Writes the report as XML, also into the `folder` of the report itself; to stdout for `-`. Merged reports have no times: their
/// parts were measured elsewhere.
///
/// # Errors
/// [`Failure::Running`] if it cannot be written.
pub(in crate::suite) fn write(
    disk: &Disk,
    report: &Report,
    times: &Times,
    path: &Path,
    folder: Option<&Path>,
) -> Result<(), Failure> {
    let cases = report.cases.iter().map(|case| suite(case, times));
    let suites = refused(report).into_iter().chain(cases).collect();
    let text = junit::text("pchr-view test", suites)?;
    if input::is_stdin(path) {
        return Ok(output::write_text(text.as_bytes())?);
    }
    // In the folder of the report no link is followed.
    let is_plain = |path: &&Path| {
        path.components()
            .all(|part| matches!(part, Component::Normal(_)))
    };
    let inside = folder.and_then(|folder| {
        let inside = path.strip_prefix(folder).ok().filter(is_plain)?;
        Some((folder, inside))
    });
    if let Some((folder, inside)) = inside {
        return Ok(Inside(folder)
            .create(disk, &slashed(inside))?
            .finish(text.as_bytes())?);
    }
    output::make_folders([path])?;
    Ok(disk.write(path, text.as_bytes())?)
}

/// Removes a JUnit report that an earlier run wrote to `path`. Any other file, and a link, is kept.
///
/// # Errors
/// Errors of removing.
pub(in crate::suite) fn clear(path: &Path) -> io::Result<()> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|there| there.is_file());
    if !is_file
        || !Reading::of(path, Kind::Text)
            .run()
            .is_ok_and(|text| is_ours(&text))
    {
        return Ok(());
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io::Error::new(
            error.kind(),
            format!("cannot remove {}: {error}", path.display()),
        )),
        _ => Ok(()),
    }
}

/// Returns true for a JUnit report of suites as [`junit::text`] writes it: each suite is of our package.
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
fn refused(report: &Report) -> Option<Suite> {
    let first = report.errors.first()?;
    let test = Test {
        name: "suite".to_owned(),
        class: report.suite.clone(),
        time: Duration::ZERO,
        outcome: Outcome::Error(Wrong {
            kind: "error".to_owned(),
            message: first.clone(),
            details: report.errors.join("\n"),
        }),
    };
    Some(Suite {
        name: report.suite.clone(),
        properties: vec![("file", report.suite.clone())],
        tests: vec![test],
        ..Suite::default()
    })
}

fn suite(case: &CaseReport, times: &Times) -> Suite {
    let mut properties = vec![("file", case.file.clone())];
    if let Some(by) = &case.drawn_by {
        properties.push(("renderer", by.renderer.clone()));
        let said = [
            ("adapter", &by.adapter),
            ("backend", &by.backend),
            ("driver", &by.driver),
        ];
        let said = said
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.clone()?)));
        properties.extend(said);
    }
    properties.extend(case.notes.iter().map(|note| ("note", note.clone())));
    let versions = case.baseline_versions.iter();
    properties.extend(versions.map(|version| ("baselines made by version", version.clone())));
    let test = |name: &str, outcome: Outcome| Test {
        name: name.to_owned(),
        class: case.name.replace('/', "."),
        time: times.of(&case.name, name),
        outcome,
    };
    let error = case.error.iter().map(|error| {
        let wrong = Wrong {
            kind: "error".to_owned(),
            message: error.lines().next().unwrap_or_default().to_owned(),
            details: if error.contains('\n') {
                error.clone()
            } else {
                String::new()
            },
        };
        test("capture", Outcome::Error(wrong))
    });
    let frames = case
        .frames
        .iter()
        .map(|frame| test(&frame.name, outcome(frame)));
    Suite {
        name: case.name.clone(),
        properties,
        tests: error.chain(frames).collect(),
        extra_time: times.of(&case.name, ""),
        output: String::new(),
    }
}

fn outcome(frame: &FrameReport) -> Outcome {
    let wrong = |kind: &str| Wrong {
        kind: kind.to_owned(),
        message: frame.message.clone(),
        details: details(frame),
    };
    match frame.status {
        Status::Passed | Status::Updated | Status::Removed => Outcome::Passed,
        Status::Skipped => Outcome::Skipped(frame.message.clone()),
        Status::Failed => Outcome::Failed(wrong("differs")),
        Status::Missing => Outcome::Failed(wrong("missing")),
        Status::Unused => Outcome::Failed(wrong("unused")),
        Status::Error => Outcome::Error(wrong("error")),
    }
}

/// Returns the figures, and the command that takes the picture.
fn details(frame: &FrameReport) -> String {
    let mut lines = vec![frame.message.clone()];
    if let Some(difference) = &frame.difference {
        let buckets = difference.histogram.iter();
        let counts = buckets.filter(|bucket| bucket.pixels > 0);
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
        let paths = [
            pictures.expected.as_ref(),
            Some(&pictures.actual),
            pictures.difference.as_ref(),
        ];
        lines.extend(paths.into_iter().flatten().cloned());
    }
    lines.extend(frame.command.clone());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_junit_report_of_ours_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let report =
            Report::of_failure("a > b.toml".to_owned(), &Failure::Suite(vec!["no".into()]));
        let ours = at("ours.xml");
        write(&Disk::default(), &report, &Times::default(), &ours, None).unwrap();
        let text = fs::read(&ours).unwrap();
        clear(&ours).unwrap();
        assert!(!ours.exists());
        clear(&ours).unwrap();
        let start = String::from_utf8(text[..text.len() / 2].to_vec()).unwrap();
        let foreign = start.replace("package=\"pchr\"", "package=\"other\"");
        for other in [
            "",
            "notes about <testsuites> and <testsuite package=\"pchr\">",
            &foreign,
        ] {
            fs::write(&ours, other).unwrap();
            clear(&ours).unwrap();
            assert_eq!(fs::read_to_string(&ours).unwrap(), other);
        }
        #[cfg(unix)]
        {
            fs::write(at("target.xml"), text).unwrap();
            std::os::unix::fs::symlink("target.xml", at("link.xml")).unwrap();
            clear(&at("link.xml")).unwrap();
            assert!(at("target.xml").is_file() && at("link.xml").is_symlink());
        }
    }
}
