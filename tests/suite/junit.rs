//! Tests of `--junit`: a test suite for each case, a test case for each frame.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus};

use crate::desk::Desk;
use crate::fixture::puppet;
use crate::stage::{THREE, blessed, nudge, test};

fn read(desk: &Desk, name: &str) -> Report {
    crate::junit::parse(&desk.bytes(name))
}

/// Kind, type, message and details of a frame that did not pass.
fn wrong(case: &TestCase) -> (NonSuccessKind, &str, &str, &str) {
    let TestCaseStatus::NonSuccess {
        kind,
        ty,
        message,
        description,
        ..
    } = &case.status
    else {
        panic!("{case:?}")
    };
    let [ty, message, description] =
        [ty, message, description].map(|text| text.as_ref().map_or("", |text| text.as_str()));
    (*kind, ty, message, description)
}

#[test]
fn each_frame_is_a_test_case_with_its_figures() {
    let suite = format!("{THREE}[[case]]\nname = \"deep/hero\"\nfile = \"hero.pchr\"\n");
    let desk = crate::stage::desk(&suite);
    desk.put("hero.pchr", &puppet());
    crate::stage::ended(&test(&desk, &["--update"]), 0, "");
    nudge(&desk, "baselines/walk/0001.png");
    std::fs::remove_file(desk.path("baselines/jump/0000.png")).unwrap();
    desk.put_bytes("baselines/blink/0002.png", b"?");
    desk.put_bytes("hero.pchr", b"PCHR");
    let output = test(&desk, &["--junit", "out/junit.xml", "--report", "report"]);
    assert_eq!(output.status.code(), Some(1));

    let report = read(&desk, "out/junit.xml");
    assert_eq!((report.tests, report.failures, report.errors), (11, 3, 2));
    let names: Vec<&str> = report
        .test_suites
        .iter()
        .map(|suite| suite.name.as_str())
        .collect();
    assert_eq!(names, ["blink", "deep/hero", "jump", "walk"]);
    let [blink, hero, jump, walk] = report.test_suites.as_slice() else {
        unreachable!()
    };
    assert_eq!((walk.tests, walk.failures, walk.errors), (4, 1, 0));
    let frames: Vec<&str> = walk
        .test_cases
        .iter()
        .map(|case| case.name.as_str())
        .collect();
    assert_eq!(frames, ["0000", "0001", "0002", "0003"]);
    let property = |name: &str| {
        let mut properties = walk.properties.iter();
        properties
            .find(|property| property.name.as_str() == name)
            .map(|property| property.value.as_str().to_owned())
    };
    assert_eq!(property("file").as_deref(), Some("puppet.pchr"));
    assert_eq!(property("renderer").as_deref(), Some("cpu"));
    assert!(matches!(
        walk.test_cases[0].status,
        TestCaseStatus::Success { .. }
    ));

    let (kind, ty, message, details) = wrong(&walk.test_cases[1]);
    assert_eq!((kind, ty), (NonSuccessKind::Failure, "differs"));
    assert!(
        message.starts_with(
            "1 of 1536 pixels (0.07 %) differ; largest difference 1 at 0,0; only alpha differs; mean FLIP"
        ),
        "{message}"
    );
    for part in [
        "pixels by size of difference: 1: 1\n",
        "pictures/walk/0001.expected.png\n",
        "pictures/walk/0001.actual.png\n",
        "pchr-view capture puppet.pchr --renderer cpu -a walk -f 1 ",
    ] {
        assert!(details.contains(part), "{part}: {details}");
    }
    let (kind, ty, message, _) = wrong(&jump.test_cases[0]);
    assert_eq!(
        (kind, ty, message),
        (NonSuccessKind::Failure, "missing", "no baseline")
    );
    let (kind, ty, message, _) = wrong(&blink.test_cases[2]);
    assert_eq!((kind, ty), (NonSuccessKind::Error, "error"));
    assert!(
        message.starts_with("cannot read baselines/blink/0002.png: "),
        "{message}"
    );
    let (kind, _, message, _) = wrong(&hero.test_cases[0]);
    assert_eq!(kind, NonSuccessKind::Error);
    assert!(message.starts_with("hero.pchr: "), "{message}");
    assert_eq!(
        hero.test_cases[0].classname.as_ref().unwrap().as_str(),
        "deep.hero"
    );
}

#[test]
fn what_was_updated_passes() {
    let desk = blessed(THREE);
    nudge(&desk, "baselines/walk/0001.png");
    crate::stage::ended(&test(&desk, &["--update", "--junit", "junit.xml"]), 0, "");
    let report = read(&desk, "junit.xml");
    assert_eq!((report.tests, report.failures, report.errors), (9, 0, 0));
    let xml = String::from_utf8(desk.bytes("junit.xml")).unwrap();
    // The time comes from the environment.
    assert_eq!(
        xml.matches(" timestamp=\"1970-01-01T00:00:00\"").count(),
        3,
        "{xml}"
    );
}

#[test]
fn names_with_marks_of_xml_come_through() {
    let suite = THREE.replace("name = \"walk\"", "name = \"a & b 'c' ü]]\"");
    let desk = crate::stage::desk(&suite);
    test(&desk, &["--junit", "junit.xml"]);
    let report = read(&desk, "junit.xml");
    assert_eq!(report.test_suites[0].name.as_str(), "a & b 'c' ü]]");
}

#[test]
fn names_that_xml_has_no_place_for_come_through_escaped() {
    let mut odd = puppet();
    odd.parts.animations[1].name = "walk \u{fffe}\u{ffff}\u{1}\t\u{1b}[31m<&]]>".to_owned();
    let suite = "[[case]]\nname = \"a\u{ffff}b\"\nfile = \"odd.pchr\"\nanimation = \"1\"\n";
    let desk = crate::stage::desk(&format!("{}{suite}", crate::stage::SMALL));
    desk.put("odd.pchr", &odd);
    test(&desk, &["--junit", "junit.xml"]);
    let report = read(&desk, "junit.xml");
    assert_eq!(report.test_suites[0].name.as_str(), "a\\u{ffff}b");
}

#[test]
fn durations_are_measured() {
    let large = "[[case]]\nname = \"a\"\nfile = \"puppet.pchr\"\nresolution = \"3000x3000\"\n";
    let desk = crate::stage::desk(large); // a small picture takes less than a millisecond, the unit of the report
    let args = ["test", "suite.toml", "--junit", "junit.xml"];
    let mut program = crate::stage::program(&desk, &args);
    program.env_remove("SOURCE_DATE_EPOCH").output().unwrap();
    let report = read(&desk, "junit.xml");
    let suites = || report.test_suites.iter();
    assert!(
        suites().all(|suite| !suite.time.unwrap().is_zero()),
        "{report:?}"
    );
    let cases = suites().flat_map(|suite| &suite.test_cases);
    assert!(
        cases.clone().any(|case| !case.time.unwrap().is_zero()),
        "{report:?}"
    );
}

#[test]
fn a_run_that_was_killed_leaves_no_junit_report_of_an_earlier_one() {
    let desk = blessed(THREE);
    let args = ["--junit", "junit.xml"];
    crate::stage::ended(&test(&desk, &args), 0, "");
    let passed = desk.bytes("junit.xml");
    let large = THREE.replace("48x32", "4000x4000");
    desk.put_bytes("suite.toml", large.as_bytes());
    let args = ["test", "suite.toml", "--junit", "junit.xml", "--jobs", "1"];
    let mut run = crate::stage::program(&desk, &args).spawn().unwrap();
    let path = desk.path("junit.xml");
    let start = std::time::Instant::now();
    while path.exists() && run.try_wait().unwrap().is_none() && start.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let left = std::fs::read(&path).unwrap_or_default();
    assert!(left != passed, "the old report is still there");
}
