//! Tests of output files: they are complete or absent, and an old file stays until the new one is complete.

use std::time::{Duration, Instant};

use crate::desk::{Desk, said, succeeded};

const OLD: &[u8] = b"what was there before";

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
    let mut running = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 10];
    running.stdout.take().unwrap().read_exact(&mut first).unwrap();
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
        let capture = format!("capture puppet.pchr --renderer cpu -o {name}");
        let script = format!("umask {umask}; exec \"$0\" {capture}");
        succeeded(&desk.script(env!("CARGO_BIN_EXE_pchr-view"), &script).output().unwrap());
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
        assert!(expected || name.starts_with(".pchr-") && name.ends_with(".tmp"), "{name}");
    }
    assert!(whole_run < Duration::from_secs(60));
}

#[cfg(unix)]
#[test]
fn a_file_behind_stdin_is_an_input() {
    let desk = Desk::new();
    desk.capture("puppet.pchr", &["-s", "9x9", "-o", "a.png"]);
    desk.capture("puppet.pchr", &["-s", "9x9", "-f", "1", "-o", "b.png"]);
    for (mut program, line, input) in [
        (desk.pchr(), "convert - -o puppet.pchr", "puppet.pchr"),
        (desk.program(), "compare - b.png --tolerance 255 --diff a.png", "a.png"),
    ] {
        let file = std::fs::File::open(desk.path(input)).unwrap();
        let output = program.args(line.split(' ')).stdin(file).output().unwrap();
        let said = said(&output);
        assert!(said.contains("would overwrite the input stdin"), "{said}");
        assert_eq!(output.status.code(), Some(2));
    }
}
