//! Tests of interrupted runs: an output is always the old or the new file.
#![cfg(unix)]

use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::desk::{Desk, said, succeeded};
use crate::fixture::puppet;

const ROUNDS: u32 = 200;

/// Exit status of a program that is sent a signal. The kills are spread evenly over a time and never repeat a point.
pub(crate) fn killed(
    mut program: Command,
    round: usize,
    longest: Duration,
    signal: Signal,
) -> ExitStatus {
    let mut running = program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(longest.mul_f64(round as f64 * 0.618_033_988_749_895 % 1.0));
    let _ = kill_process(Pid::from_child(&running), signal);
    running.wait().unwrap()
}

/// Writes a character that takes a moment to convert; `shift` makes its versions differ in every output file.
fn big(desk: &Desk, name: &str, shift: u16) {
    let mut big = puppet();
    for (i, image) in (0_u16..).zip(&mut big.parts.images) {
        (image.width, image.height) = (160, 160);
        let texel =
            |at: u32| at.wrapping_mul(2_654_435_761).to_le_bytes()[3] ^ shift.to_le_bytes()[0];
        image.data = (0..160 * 160 * 4).map(|at| texel(at + u32::from(i))).collect();
    }
    for animation in &mut big.parts.animations {
        let frames = animation.transforms.clone();
        animation.transforms = frames.iter().cycle().take(600 * 3).copied().collect();
        animation.frame_count = 600;
        animation.transforms.iter_mut().for_each(|t| t.x += f32::from(shift));
    }
    desk.put(name, &big);
}

#[test]
fn an_output_is_whole_whenever_the_program_is_killed() {
    let desk = Desk::new();
    let commands =
        [["unpack", "hero.pchr", "-o", "out"], ["pack", "in/hero.json", "-o", "out/hero.pchr"]];
    // The outputs for both versions without interruption.
    let mut versions = Vec::new();
    let mut longest = Duration::ZERO;
    for shift in [1, 2] {
        big(&desk, "hero.pchr", shift);
        succeeded(&desk.run_pchr(&["unpack", "hero.pchr", "-o", "in"]));
        for command in commands {
            let start = Instant::now();
            succeeded(&desk.run_pchr(&command));
            longest = longest.max(start.elapsed());
        }
        versions.push((desk.bytes("hero.pchr"), desk.files("in"), desk.files("out")));
    }
    let [(_, _, first), (_, _, second)] = versions.as_slice() else { unreachable!() };
    assert!(first.len() == 5 && first.iter().all(|(name, bytes)| second[name] != *bytes));

    let signals = [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP];
    let (mut cut, mut whole) = (0, 0);
    for round in 0..ROUNDS {
        let (file, json, _) = &versions[round as usize / 8 % 2];
        desk.put_bytes("hero.pchr", file);
        for (name, bytes) in json {
            desk.put_bytes(&format!("in/{name}"), bytes);
        }
        let mut running = desk.pchr();
        running.args(commands[round as usize % 2]);
        let signal = signals[round as usize / 2 % 4];
        if killed(running, round as usize, longest.mul_f64(1.1), signal).success() {
            whole += 1;
            longest = longest.mul_f64(0.98); // another run may have been slow
        } else {
            cut += 1;
        }
        let mut left = desk.files("out");
        left.retain(|name, _| !name.starts_with(".pchr-"));
        assert_eq!(left.keys().collect::<Vec<_>>(), first.keys().collect::<Vec<_>>());
        for (name, bytes) in &left {
            assert!([&first[name], &second[name]].contains(&bytes), "round {round}: {name}");
        }
    }
    println!("killed {cut} times, done before that {whole} times");
    assert!(cut >= ROUNDS / 4, "killed only {cut} times");
}

#[test]
fn a_full_disk_leaves_what_was_there() {
    let desk = Desk::new();
    big(&desk, "hero.pchr", 1);
    succeeded(&desk.run_pchr(&["unpack", "hero.pchr", "-o", "in"]));
    desk.put("small.pchr", &puppet());
    succeeded(&desk.run_pchr(&["-q", "pack", "small.pchr", "-o", "out/hero.pchr"]));
    succeeded(&desk.run_pchr(&["unpack", "small.pchr", "-o", "out"]));
    std::fs::rename(desk.path("out/small.json"), desk.path("out/hero.json")).unwrap();
    let before = desk.files("out");
    for command in [
        "unpack hero.pchr -o out",
        "pack in/hero.json -o out/hero.pchr",
        "convert hero.pchr -o out/hero.json",
    ] {
        // No file may grow beyond 40 blocks of 512 bytes, so the write fails as on a full disk.
        let script = format!("ulimit -f 40; exec \"$0\" {command}");
        let output = desk.script(env!("CARGO_BIN_EXE_pchr"), &script).output().unwrap();
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{command}: {said}");
        assert!(said.starts_with("error: cannot write out/") && !said.contains(".tmp"), "{said}");
        assert!(desk.files("out") == before, "{command}");
    }
}

#[test]
fn devices_are_written_to() {
    let desk = Desk::new();
    std::os::unix::fs::symlink("/dev/null", desk.path("null.pchr")).unwrap();
    succeeded(&desk.run_pchr(&["convert", "puppet.pchr", "-o", "null.pchr"]));
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    let output = desk.run_pchr(&["convert", "puppet.pchr", "-o", "/dev/stdout", "--to", "pchr"]);
    succeeded(&output);
    assert!(output.stdout == desk.bytes("puppet.pchr"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::new();
    big(&desk, "hero.pchr", 1);
    for command in [
        "unpack hero.pchr -o -",
        "convert hero.pchr -o - --to pachario",
        "inspect hero.pchr",
        "validate hero.pchr",
    ] {
        let script = format!("(\"$0\" {command}; echo \"code $?\" >&2) | head -c 1 >/dev/null");
        let output = desk.script(env!("CARGO_BIN_EXE_pchr"), &script).output().unwrap();
        let said = said(&output);
        let is_error = said.contains("error") || said.contains("panicked");
        assert!(said.ends_with("code 0\n") && !is_error, "{command}: {said}");
    }
}
