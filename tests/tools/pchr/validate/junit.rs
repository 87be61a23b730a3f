//! Tests of `--junit`: a test case for each file.

use quick_junit::{NonSuccessKind, TestCaseStatus};

use super::{desk, text, validate};
use crate::junit::parse;

#[test]
fn each_file_is_a_test_case() {
    let desk = desk();
    let files = ["puppet.pchr", "odd.pchr", "broken.pchr", "absent.pchr"];
    let output = validate(&desk, &[&["--junit", "report.xml"][..], &files].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).ends_with("4 files: 1 valid, 1 with warnings, 1 invalid, 1 not read\n"),
        "text, too"
    );
    let report = parse(&desk.bytes("report.xml"));
    assert_eq!((report.tests, report.failures, report.errors), (4, 1, 1));
    let [suite] = report.test_suites.as_slice() else {
        panic!("{report:?}")
    };
    assert_eq!((suite.tests, suite.failures, suite.errors), (4, 1, 1));
    let names: Vec<&str> = suite
        .test_cases
        .iter()
        .map(|case| case.name.as_str())
        .collect();
    assert_eq!(names, files);
    let [valid, odd, broken, absent] = suite.test_cases.as_slice() else {
        panic!("{suite:?}")
    };
    assert!(matches!(valid.status, TestCaseStatus::Success { .. }) && valid.system_out.is_none());
    assert!(matches!(odd.status, TestCaseStatus::Success { .. }));
    let out = suite.system_out.as_ref().unwrap().as_str();
    assert!(
        out.starts_with("odd.pchr: 13 warnings\n")
            && out.contains("PCHR-W123 weight-sum, 12 times"),
        "{out}"
    );
    let TestCaseStatus::NonSuccess {
        kind,
        message,
        ty,
        description,
        ..
    } = &broken.status
    else {
        panic!("{broken:?}")
    };
    assert_eq!(*kind, NonSuccessKind::Failure);
    assert_eq!(message.as_ref().unwrap().as_str(), "2 errors, 1 warning");
    assert_eq!(ty.as_ref().unwrap().as_str(), "PCHR-E012");
    let description = description.as_ref().unwrap().as_str();
    for part in [
        "PCHR-E012",
        "PCHR-E022",
        "PCHR-W101",
        "meshes[0].indices[5]",
    ] {
        assert!(description.contains(part), "{description}");
    }
    let TestCaseStatus::NonSuccess { kind, message, .. } = &absent.status else {
        panic!("{absent:?}")
    };
    assert_eq!(*kind, NonSuccessKind::Error);
    assert!(
        message
            .as_ref()
            .unwrap()
            .as_str()
            .starts_with("cannot read absent.pchr: ")
    );
}

#[test]
fn it_is_printed_on_request_and_lists_the_filters() {
    let desk = desk();
    let args = [
        "--strict",
        "--ignore",
        "fps-zero,uv-range",
        "--junit",
        "-",
        "odd.pchr",
    ];
    let output = validate(&desk, &args);
    assert_eq!(output.status.code(), Some(4));
    let report = parse(&output.stdout);
    assert_eq!((report.tests, report.failures), (1, 1));
    let suite = &report.test_suites[0];
    let properties: Vec<(&str, &str)> = suite
        .properties
        .iter()
        .map(|entry| (entry.name.as_str(), entry.value.as_str()))
        .collect();
    assert_eq!(
        properties,
        [
            ("version", env!("PCHR_VERSION")),
            ("ignore", "PCHR-W102,PCHR-W124"),
            ("strict", "true")
        ]
    );
    assert_eq!(desk.made(), ["broken.pchr", "odd.pchr"]);
}

#[test]
fn its_folder_is_made() {
    let desk = desk();
    let output = validate(&desk, &["--junit", "ci/deep/report.xml", "puppet.pchr"]);
    crate::desk::succeeded(&output);
    assert_eq!(parse(&desk.bytes("ci/deep/report.xml")).tests, 1);
}

#[test]
fn a_report_that_cannot_be_written_is_a_failure() {
    let desk = desk();
    let output = validate(&desk, &["--junit", "puppet.pchr/report.xml", "puppet.pchr"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        crate::desk::said(&output).starts_with("error: cannot create the folder puppet.pchr: ")
    );
    let output = validate(&desk, &["--junit", ".", "puppet.pchr"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(crate::desk::said(&output).starts_with("error: cannot write .: "));
}

#[test]
fn whatever_is_in_a_name_and_however_it_ends_the_schemas_are_kept() {
    let desk = desk();
    let files = [
        "puppet.pchr",
        "odd.pchr",
        "broken.pchr",
        "absent \u{1}\u{fffe}.pchr",
    ];
    for args in [
        &[][..],
        &["--strict"],
        &["--max-findings", "0"],
        &["--only", "W102"],
    ] {
        let output = validate(&desk, &[&["--junit", "-"], args, &files].concat());
        let report = parse(&output.stdout);
        let tests = &report.test_suites[0].test_cases;
        assert_eq!(tests[3].name.as_str(), "absent \\u{1}\\u{fffe}.pchr");
        let times = tests.iter().map(|test| test.time.unwrap());
        assert!(times.sum::<std::time::Duration>() <= report.test_suites[0].time.unwrap());
    }
}
