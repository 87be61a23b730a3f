//! `--junit`: a test suite for each case, a test case for each frame.

use std::path::Path;

use quick_junit::{NonSuccessKind, Property, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::model::{CaseReport, FrameReport, Report, Status};
use crate::cli::{Disk, Failure, input, junit, output};

/// Writes the report as XML; to stdout for `-`.
///
/// # Errors
/// [`Failure::Running`] if it cannot be written.
pub(in crate::cli::view::test) fn write(
    disk: &Disk,
    report: &Report,
    path: &Path,
) -> Result<(), Failure> {
    let mut junit = Junit::new("pchr-view test");
    junit.add_test_suites(refused(report));
    junit.add_test_suites(report.cases.iter().map(suite));
    let text = junit::text(junit)?;
    if input::is_stdin(path) {
        return Ok(output::write_stdout(text.as_bytes())?);
    }
    output::make_folders([path])?;
    Ok(disk.write(path, text.as_bytes())?)
}

/// The suite itself, if it could not be run.
fn refused(report: &Report) -> Option<TestSuite> {
    let first = report.errors.first()?;
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(first.clone()).set_type("error");
    status.set_description(report.errors.join("\n"));
    let mut test = TestCase::new("suite", status);
    test.set_classname(report.suite.clone());
    let mut suite = TestSuite::new(report.suite.clone());
    suite.add_test_case(test);
    Some(suite)
}

fn suite(case: &CaseReport) -> TestSuite {
    let mut suite = TestSuite::new(case.name.clone());
    if !case.file.is_empty() {
        suite.add_property(Property::new("file", case.file.clone()));
    }
    if let Some(by) = &case.drawn_by {
        suite.add_property(Property::new("renderer", by.renderer.clone()));
        let said = [
            ("adapter", &by.adapter),
            ("backend", &by.backend),
            ("driver", &by.driver),
        ];
        for (name, value) in said {
            suite.add_properties(value.iter().map(|value| Property::new(name, value.clone())));
        }
    }
    suite.add_properties(
        case.notes
            .iter()
            .map(|note| Property::new("note", note.clone())),
    );
    let versions = case.baseline_versions.iter();
    suite.add_properties(
        versions.map(|version| Property::new("baselines made by version", version.clone())),
    );
    if let Some(error) = &case.error {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(error.clone()).set_type("error");
        suite.add_test_case(named("capture", case, status));
    }
    suite.add_test_cases(case.frames.iter().map(|frame| test(case, frame)));
    suite
}

fn test(case: &CaseReport, frame: &FrameReport) -> TestCase {
    let kind = match frame.status {
        Status::Passed | Status::Updated | Status::Removed => {
            return named(&frame.name, case, TestCaseStatus::success());
        }
        Status::Skipped => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(frame.message.clone());
            return named(&frame.name, case, status);
        }
        Status::Failed => "differs",
        Status::Missing => "missing",
        Status::Unused => "unused",
        Status::Error => "error",
    };
    let is_error = frame.status == Status::Error;
    let mut status = TestCaseStatus::non_success(if is_error {
        NonSuccessKind::Error
    } else {
        NonSuccessKind::Failure
    });
    status.set_message(frame.message.clone()).set_type(kind);
    status.set_description(details(frame));
    named(&frame.name, case, status)
}

fn named(name: &str, case: &CaseReport, status: TestCaseStatus) -> TestCase {
    let mut test = TestCase::new(name, status);
    test.set_classname(case.name.replace('/', "."));
    test
}

/// The figures, and how to look at the picture.
fn details(frame: &FrameReport) -> String {
    let mut lines = vec![frame.message.clone()];
    if let Some(difference) = &frame.difference {
        let sizes = [
            "1", "2", "3-4", "5-8", "9-16", "17-32", "33-64", "65-128", "129-255",
        ];
        let counts = sizes
            .iter()
            .zip(difference.histogram)
            .filter(|(_, count)| *count > 0);
        let counts = counts.map(|(size, count)| format!("{size}: {count}"));
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
