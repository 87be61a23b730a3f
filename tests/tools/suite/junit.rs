//! Tests of `--junit`: a test suite for each case, a test case for each frame.

use quick_junit::Report;

use crate::desk::Desk;
use crate::suite::stage::{THREE, blessed, test};

fn read(desk: &Desk, name: &str) -> Report {
    crate::junit::parse(&desk.bytes(name))
}

#[test]
fn durations_are_measured() {
    let large = "[[case]]\nname = \"a\"\nfile = \"puppet.pchr\"\nresolution = \"3000x3000\"\n";
    let desk = crate::suite::stage::desk(large); // a small picture takes less than a millisecond, the unit of the report
    let args = ["test", "suite.toml", "--junit", "junit.xml"];
    let mut program = crate::suite::stage::program(&desk, &args);
    program.env_remove("SOURCE_DATE_EPOCH").output().unwrap();
    let report = read(&desk, "junit.xml");
    let suites = || report.test_suites.iter();
    assert!(suites().all(|suite| !suite.time.unwrap().is_zero()), "{report:?}");
    let cases = suites().flat_map(|suite| &suite.test_cases);
    assert!(cases.clone().any(|case| !case.time.unwrap().is_zero()), "{report:?}");
}

#[test]
fn a_run_that_was_killed_leaves_no_junit_report_of_an_earlier_one() {
    let desk = blessed(THREE);
    crate::suite::stage::ended(&test(&desk, &["--junit", "junit.xml"]), 0, "");
    let passed = desk.bytes("junit.xml");
    desk.put_bytes("suite.toml", THREE.replace("48x32", "4000x4000").as_bytes());
    let args = ["test", "suite.toml", "--junit", "junit.xml", "--jobs", "1"];
    let mut run = crate::suite::stage::program(&desk, &args).spawn().unwrap();
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
