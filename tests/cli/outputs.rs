//! Tests of output files: they are complete or absent, and an old file stays until the new one is complete.

use std::time::{Duration, Instant};

use crate::desk::{Desk, Picture, said, succeeded};

const OLD: &[u8] = b"what was there before";

#[test]
fn an_output_is_replaced_when_all_is_well() {
    let desk = Desk::new();
    desk.put_bytes("a.png", OLD);
    desk.capture("puppet.pchr", &["-o", "a.png"]);
    desk.capture("puppet.pchr", &["-o", "b.png"]);
    assert_eq!(desk.bytes("a.png"), desk.bytes("b.png"));
    assert_eq!(desk.made(), ["a.png", "b.png"], "no temporary file is left");
}

#[test]
fn an_output_stays_as_it_was_when_something_fails() {
    let desk = Desk::new();
    desk.put_bytes("a.png", OLD);
    desk.put_bytes("broken.pchr", b"PCHR");
    for args in [
        &["broken.pchr", "-o", "a.png"][..],
        &["absent.pchr", "-o", "a.png"],
        &["puppet.pchr", "-o", "a.png", "-f", "99"],
        &["puppet.pchr", "-o", "a.png", "-f", "all"],
        &["puppet.pchr", "-o", "a.png/b.png"],
    ] {
        let output = desk.run(&[&["capture", "--renderer", "cpu"], args].concat());
        assert_ne!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(desk.bytes("a.png"), OLD, "{args:?}");
    }
    assert_eq!(desk.made(), ["a.png", "broken.pchr"]);
}

#[test]
fn the_first_failure_of_a_sequence_fails_the_run_and_leaves_no_half_file() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("out/2.png")).unwrap();
    let args = ["capture", "puppet.pchr", "--renderer", "cpu"];
    for jobs in ["1", "4"] {
        let more = ["-f", "all", "-o", "out/{frame}.png", "--jobs", jobs];
        let output = desk.run(&[&args[..], &more].concat());
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).starts_with("error: cannot write out/2.png: "));
        for (name, bytes) in desk.files("out") {
            assert!(name.ends_with(".png"), "{name}");
            Picture::decode(&bytes);
        }
    }
}

#[test]
fn folders_are_made() {
    let desk = Desk::new();
    desk.capture(
        "puppet.pchr",
        &["-f", "0..2", "-o", "deep/er/{animation}/{frame:05}.png"],
    );
    let files: Vec<_> = desk.files("deep").into_keys().collect();
    assert_eq!(files, ["er/walk/00000.png", "er/walk/00001.png"]);
}

#[test]
fn a_picture_goes_to_stdout_and_a_file_comes_from_stdin() {
    let desk = Desk::new();
    desk.capture("puppet.pchr", &["-o", "a.png"]);
    let file = desk.bytes("puppet.pchr");
    let args = ["capture", "-", "--renderer", "cpu", "-o", "-"];
    let output = desk.run_with(&args, &file);
    succeeded(&output);
    assert_eq!(output.stdout, desk.bytes("a.png"));
    assert_eq!(said(&output), "");
    let args = ["capture", "-", "--renderer", "cpu", "-o", "{file}.png"];
    succeeded(&desk.run_with(&args, &file));
    assert_eq!(desk.bytes("stdin.png"), desk.bytes("a.png"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    use std::io::Read as _;
    use std::process::Stdio;

    let desk = Desk::new();
    let mut program = desk.program();
    program.args(["capture", "puppet.pchr", "--renderer", "cpu"]);
    program.args(["-s", "4000x3000", "--background", "checker", "-o", "-"]);
    let whole = program.output().unwrap().stdout;
    assert!(whole.len() > 100_000, "more than a pipe holds");
    let mut running = program
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    running
        .stdout
        .take()
        .unwrap()
        .read_exact(&mut first)
        .unwrap();
    assert_eq!(first, whole[..10]);
    let output = running.wait_with_output().unwrap();
    succeeded(&output);
    assert_eq!(said(&output), "");
}

#[cfg(unix)]
#[test]
fn a_new_file_has_the_mode_that_the_umask_leaves() {
    use std::os::unix::fs::PermissionsExt as _;

    let desk = Desk::new();
    for (umask, mode) in [("022", 0o644), ("077", 0o600), ("002", 0o664)] {
        let name = format!("{umask}.png");
        let mut shell = crate::environment::shell(&desk, &format!("umask {umask}; exec \"$@\""));
        shell.args(["capture", "puppet.pchr", "--renderer", "cpu", "-o", &name]);
        succeeded(&shell.output().unwrap());
        let metadata = std::fs::metadata(desk.path(&name)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, mode, "{umask}");
    }
}

/// A killed program cannot clean up, but the file that it leaves cannot be mistaken for a picture.
#[test]
fn a_run_that_is_killed_leaves_the_old_file_or_the_new_one() {
    let desk = Desk::new();
    let args = ["-s", "1500x1000", "--background", "checker", "-o"];
    let start = Instant::now();
    desk.capture("puppet.pchr", &[&args[..], &["new.png"]].concat());
    let whole_run = start.elapsed();
    let new = desk.bytes("new.png");
    let mut killed = 0;
    for i in 0..30 {
        desk.put_bytes("a.png", OLD);
        let mut program = desk.program();
        program.args(["capture", "puppet.pchr", "--renderer", "cpu"]);
        let mut running = program.args(args).arg("a.png").spawn().unwrap();
        // Spread over the run and a little beyond, in an irregular order.
        std::thread::sleep(whole_run * (i * 7 % 30) / 25);
        let _ = running.kill();
        killed += u32::from(!running.wait().unwrap().success());
        let left = desk.bytes("a.png");
        assert!(left == OLD || left == new, "{} bytes", left.len());
    }
    assert!(killed > 0, "no run was killed in time");
    for name in desk.made() {
        let expected = ["a.png", "new.png"].contains(&name.as_str());
        assert!(
            expected || name.starts_with(".pchr-") && name.ends_with(".tmp"),
            "{name}"
        );
    }
    assert!(whole_run < Duration::from_secs(60));
}
