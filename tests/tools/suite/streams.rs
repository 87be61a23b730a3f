//! Tests of output: its order, and results that do not depend on threads or closed streams.

use crate::desk::{Desk, said, without_surroundings};
use crate::fixture::puppet;
use crate::suite::stage::{SMALL, THREE, blessed, case_of, desk, ended, run, test, told};

/// Many cases with all kinds of results.
fn mixed() -> Desk {
    let mut suite = SMALL.to_owned();
    for i in (0..12).rev() {
        let clip = ["walk", "blink", "jump", "swap"][i % 4];
        suite += &case_of(&format!("case {i:02}"), &format!("hero {}.pchr", i % 5), clip);
    }
    let desk = desk(&suite);
    for i in 0..5 {
        desk.put(&format!("hero {i}.pchr"), &puppet());
    }
    ended(&test(&desk, &["--update"]), 0, "");
    for i in [0, 4, 8] {
        desk.nudge(&format!("baselines/case {i:02}/0001.png"));
    }
    std::fs::remove_file(desk.path("baselines/case 02/0001.png")).unwrap();
    desk.put_bytes("hero 3.pchr", b"PCHR");
    desk
}

#[test]
fn any_number_of_threads_finds_the_same_and_tells_it_in_the_same_order() {
    let desk = mixed();
    let mut first = None;
    for jobs in ["1", "2", "7", "64"] {
        let output =
            test(&desk, &["--jobs", jobs, "--report", "report", "--junit", "report/junit.xml"]);
        let said = said(&output).to_owned();
        let names = told(&output).lines().filter_map(|line| line.split_once("case "));
        let all = (0..12).map(|i| format!("{i:02}"));
        assert!(names.map(|(_, rest)| rest[..2].to_owned()).eq(all), "{}", told(&output));
        let found = (output.status.code(), output.stdout, said, desk.files("report"));
        assert!(*first.get_or_insert_with(|| found.clone()) == found, "{jobs}");
    }
    let mut updates = Vec::new();
    for jobs in ["1", "7"] {
        let desk = mixed();
        desk.put("hero 3.pchr", &puppet());
        let output = test(&desk, &["--jobs", jobs, "--update"]);
        ended(&output, 0, "");
        updates.push((output.stdout, desk.files("baselines")));
    }
    assert!(updates[0] == updates[1]);
}

#[test]
fn a_report_is_the_same_wherever_the_suite_lies() {
    let [near, far] = [false, true].map(|is_far| {
        let desk = mixed();
        desk.put_bytes("baselines/case 01/0000.png", b"no picture");
        let suite = if is_far { desk.path("suite.toml") } else { "suite.toml".into() };
        let output = run(&desk, &["test", suite.to_str().unwrap(), "--report", "report"]);
        (output.status.code(), desk.files("report"))
    });
    assert!(near.1.len() > 2, "{:?}", near.1.keys());
    assert!(near == far, "{:?}", far.1.keys());
}

#[cfg(unix)]
#[test]
fn a_closed_stdout_changes_nothing_of_the_code_and_the_report() {
    let desk = blessed(THREE);
    desk.nudge("baselines/walk/0001.png");
    test(&desk, &["--report", "whole"]);
    let ended = |script: &str| {
        let mut shell = std::process::Command::new("bash");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_pchr-view")]).current_dir(desk.folder());
        without_surroundings(&mut shell).output().unwrap()
    };
    for args in ["", "--json", "-v"] {
        let output = ended(&format!("\"$0\" test suite.toml {args} --report closed >&-"));
        assert_eq!(output.status.code(), Some(3), "{args}: {}", said(&output));
        assert!(desk.files("closed") == desk.files("whole"));
        let output = ended(&format!(
            "\"$0\" test suite.toml {args} --report gone | true; exit ${{PIPESTATUS[0]}}"
        ));
        assert_eq!(output.status.code(), Some(3), "{args}: {}", said(&output));
        assert_eq!(said(&output), "error: 1 of 9 frames differs from its baseline\n");
        assert!(desk.files("gone") == desk.files("whole"));
    }
}
