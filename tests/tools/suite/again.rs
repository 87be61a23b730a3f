//! Tests of repeated runs: runs while another one changes the baselines, and after one that was killed.

use std::io::Read as _;
use std::process::Stdio;

use crate::desk::said;
use crate::suite::stage::{THREE, blessed, desk, ended, program, statuses, test, told};

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
        desk.nudge("baselines/walk/0001.png");
        let before = desk.files("baselines");
        let mut waiting = update(&[change]).spawn().unwrap();
        let waits = "note: waiting for another run that changes the baselines of ./suite.toml";
        let mut note = vec![0; waits.len()];
        waiting.stderr.as_mut().unwrap().read_exact(&mut note).unwrap();
        assert_eq!(note, waits.as_bytes());
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
    let running: Vec<_> = (0..4).map(|_| update(&["--update=all"]).spawn().unwrap()).collect();
    for running in running {
        let output = running.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    }
    ended(&test(&desk, &[]), 0, "");
    assert_eq!(statuses(&crate::suite::stage::report(&desk, &[])).len(), 9);
}

#[test]
fn what_killed_runs_left_goes_with_the_next_update() {
    let desk = blessed(THREE);
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let names = [
        "baselines/walk/.pchr-AbCdEf.tmp",
        "baselines/walk/.pchr-new.tmp",
        "baselines/walk/mine.tmp",
    ];
    for name in names {
        desk.put_bytes(name, b"half");
    }
    for name in [names[0], names[2]] {
        let file = std::fs::File::options().write(true).open(desk.path(name));
        file.unwrap().set_modified(old).unwrap();
    }
    ended(&test(&desk, &[]), 0, "");
    // A run without --update removes nothing.
    assert!(names.iter().all(|name| desk.path(name).exists()));
    ended(&test(&desk, &["--update"]), 0, "note: removed 1 temporary file left by killed runs");
    assert_eq!(names.map(|name| desk.path(name).exists()), [false, true, true]);
}
