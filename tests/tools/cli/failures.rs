//! Tests of failures: the exit code of their kind, one line with the reason, and nothing on stdout.

use std::process::{Command, Output};

use crate::desk::{Desk, said, succeeded};

/// Checks a failure and returns its first line without `error: `.
pub(crate) fn failed(output: &Output, code: i32) -> &str {
    let text = said(output);
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert_eq!(output.stdout, b"", "stdout stays clean");
    assert!(!text.contains("panicked"), "{text}");
    text.lines().next().unwrap().strip_prefix("error: ").unwrap_or_else(|| panic!("{text}"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_stdout_is_a_failure() {
    let desk = Desk::new();
    for args in [
        &["capture", "puppet.pchr", "-o", "-"][..],
        &["capture", "puppet.pchr", "-o", "a.png", "--json"],
        &["--help"],
        &["--version"],
    ] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let output = desk.program().args(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {}", said(&output));
    }
}

fn without_drivers(desk: &Desk) -> Command {
    let mut program = desk.program();
    for name in ["VK_ICD_FILENAMES", "VK_DRIVER_FILES", "__EGL_VENDOR_LIBRARY_FILENAMES"] {
        program.env(name, "/nonexistent");
    }
    program.env_remove("VK_ADD_DRIVER_FILES");
    program
}

#[test]
fn an_adapter_that_is_asked_for_and_not_there_has_its_own_code() {
    let desk = Desk::new();
    let args = ["capture", "puppet.pchr", "-o", "a.png"];
    for more in [
        &["--adapter", "no adapter is called like this"][..],
        &["--renderer", "gpu", "--adapter", "no adapter is called like this"],
    ] {
        let output = desk.run(&[&args[..], more].concat());
        assert_ne!(failed(&output, 5), "");
        assert_eq!(desk.made(), [""; 0]);
    }
    if cfg!(target_os = "linux") {
        let mut program = without_drivers(&desk);
        program.args(args).args(["--renderer", "gpu"]);
        failed(&program.output().unwrap(), 5);
        assert_eq!(desk.made(), [""; 0]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn auto_falls_back_to_the_cpu_and_says_so() {
    let desk = Desk::new();
    let mut program = without_drivers(&desk);
    let output = program.args(["capture", "puppet.pchr", "-o", "a.png"]).output().unwrap();
    succeeded(&output);
    let text = said(&output);
    assert!(text.starts_with("note: "), "{text}");
    assert!(text.contains("no usable graphics adapter; vulkan: no driver"), "{text}");
    assert!(text.contains("; drawing with the built-in CPU renderer"), "{text}");
    desk.capture("puppet.pchr", &["-o", "b.png"]);
    assert_eq!(desk.bytes("a.png"), desk.bytes("b.png"));
}

/// The device is opened while the file is read; a failure of one must not be lost while the other goes on.
#[test]
fn a_failure_while_the_device_opens_keeps_its_code() {
    let desk = Desk::new();
    for _ in 0..20 {
        failed(&desk.run(&["capture", "absent.pchr", "-o", "a.png"]), 1);
        failed(&desk.run(&["capture", "puppet.pchr", "-a", "run", "-o", "a.png"]), 2);
    }
}
