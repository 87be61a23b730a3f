//! Tests of repeated runs: `--last-failed`, and runs while another one changes the baselines.

use std::io::Read as _;
use std::process::Stdio;

use crate::desk::said;
use crate::suite::stage::{THREE, desk, ended, program, statuses, test, told};

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
        let mut note = vec![
                0;
                "note: waiting for another run that changes the baselines of ./suite.toml".len()
            ];
        waiting.stderr.as_mut().unwrap().read_exact(&mut note).unwrap();
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
    let running: Vec<_> = (0..4).map(|_| update(&["--update=all"]).spawn().unwrap()).collect();
    for running in running {
        let output = running.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    }
    ended(&test(&desk, &[]), 0, "");
    assert_eq!(statuses(&crate::suite::stage::report(&desk, &[])).len(), 9);
}
