//! Tests of repeated runs: `--last-failed`, and runs while another one changes the baselines.

use std::io::Read as _;
use std::process::Stdio;

use crate::desk::said;
use crate::stage::{THREE, blessed, desk, ended, json, nudge, program, run, statuses, test, told};

#[test]
fn only_what_failed_the_last_time_runs_again() {
    let desk = blessed(THREE);
    let again = ["--report", "report", "--last-failed"];
    let ran = || {
        let report = json(&desk, "report/report.json");
        let names = report["cases"].as_array().unwrap().iter();
        let names: Vec<String> = names
            .map(|case| case["name"].as_str().unwrap().to_owned())
            .collect();
        names.join(" ")
    };
    let first = "note: no report of suite.toml at report/report.json: all cases run";
    ended(&test(&desk, &again), 0, first);
    assert_eq!(ran(), "blink jump walk");
    let none = "note: nothing failed in the last run, so all cases run";
    ended(&test(&desk, &again), 0, none);

    nudge(&desk, "baselines/walk/0001.png");
    nudge(&desk, "baselines/jump/0000.png");
    assert_eq!(test(&desk, &["--report", "report"]).status.code(), Some(3));
    ended(
        &test(&desk, &again),
        3,
        "error: 2 of 6 frames differ from their baselines",
    );
    assert_eq!(ran(), "jump walk");
    ended(&test(&desk, &["--update", "--filter", "jump"]), 0, "");
    assert_eq!(test(&desk, &again).status.code(), Some(3));
    let only = "error: 1 of 4 frames differs from its baseline";
    ended(&test(&desk, &again), 3, only);
    assert_eq!(ran(), "walk");
    ended(&test(&desk, &["--update"]), 0, "");
    ended(&test(&desk, &again), 0, "");
    assert_eq!(ran(), "walk");
    ended(&test(&desk, &again), 0, none);
    assert_eq!(ran(), "blink jump walk");
    // The report of another suite is not used.
    desk.put_bytes("other.toml", THREE.as_bytes());
    let output = run(&desk, &[&["test", "other.toml"], &again[..]].concat());
    let words = "note: no report of other.toml at report/report.json: all cases run";
    ended(&output, 0, words);
    // The option needs a report and works only for whole suites.
    for args in [
        &["--last-failed"][..],
        &["--report", "r", "--last-failed", "--shard", "1/2"],
    ] {
        assert_eq!(test(&desk, args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn updates_of_one_suite_wait_for_each_other() {
    let desk = desk(THREE);
    let places = desk.path("tmp");
    std::fs::create_dir(&places).unwrap();
    let update = |args: &[&str]| {
        let mut program = program(&desk, &[&["test", "./suite.toml"], args].concat());
        program.env("TMPDIR", &places).env("TMP", &places);
        program.stdout(Stdio::piped()).stderr(Stdio::piped());
        program
    };
    ended(&update(&["--update"]).output().unwrap(), 0, "");
    let left: Vec<_> = std::fs::read_dir(&places).unwrap().collect();
    let path = match left.as_slice() {
        [] => desk.path("suite.toml"),
        [file] if cfg!(windows) => file.as_ref().unwrap().path(),
        left => panic!("{left:?}"),
    };
    let lock = std::fs::File::open(path).unwrap();
    lock.lock().unwrap();
    for change in ["--update", "--prune"] {
        nudge(&desk, "baselines/walk/0001.png");
        let before = desk.files("baselines");
        let mut waiting = update(&[change]).spawn().unwrap();
        let mut note = vec![
                0;
                "note: waiting for another run that changes the baselines of ./suite.toml".len()
            ];
        waiting
            .stderr
            .as_mut()
            .unwrap()
            .read_exact(&mut note)
            .unwrap();
        assert_eq!(
            note,
            b"note: waiting for another run that changes the baselines of ./suite.toml"
        );
        assert!(before == desk.files("baselines"));
        // A run that changes nothing does not wait.
        assert_eq!(update(&[]).output().unwrap().status.code(), Some(3));
        assert!(waiting.try_wait().unwrap().is_none(), "it waits");
        lock.unlock().unwrap();
        let output = waiting.wait_with_output().unwrap();
        let code = if change == "--update" { 0 } else { 3 };
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        lock.lock().unwrap();
    }
    lock.unlock().unwrap();
    // Several runs at once leave the same files as one.
    let running: Vec<_> = (0..4)
        .map(|_| update(&["--update=all"]).spawn().unwrap())
        .collect();
    for running in running {
        let output = running.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    }
    ended(&test(&desk, &[]), 0, "");
    assert_eq!(statuses(&crate::stage::report(&desk, &[])).len(), 9);
}
