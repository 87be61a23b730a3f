//! Tests of the environment: the program needs nothing from it without a reason.

#![cfg(unix)]

use crate::desk::{Desk, said, succeeded};

const CPU: [&str; 4] = ["capture", "puppet.pchr", "--renderer", "cpu"];

#[test]
fn no_display_server_and_no_home_are_needed_by_any_renderer() {
    let desk = Desk::new();
    let mut program = desk.program();
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XDG_RUNTIME_DIR", "HOME"] {
        program.env_remove(name);
    }
    let output = program.args(["capture", "puppet.pchr", "-o", "a.png"]).output().unwrap();
    succeeded(&output);
    assert!(desk.picture("a.png").drawn().is_some());
}

/// Nobody can create files in `/proc`, not even root.
#[cfg(target_os = "linux")]
#[test]
fn a_working_directory_that_cannot_be_written_is_enough() {
    let desk = Desk::new();
    assert!(std::fs::File::create("/proc/a.png").is_err());
    let file = desk.path("puppet.pchr");
    let there = |out: &std::path::Path| {
        let mut program = desk.program();
        program.current_dir("/proc").arg("capture").arg(&file);
        program.args(["--renderer", "cpu", "-o"]).arg(out);
        program.output().unwrap()
    };
    succeeded(&there(&desk.path("a.png")));
    assert!(desk.picture("a.png").drawn().is_some());
    let output = there("a.png".as_ref());
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).starts_with("error: cannot write a.png: "), "{}", said(&output));
}

/// The loader logs every library that is looked for, found or not.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn the_cpu_renderer_looks_for_no_driver_and_no_window_library() {
    let desk = Desk::new();
    let mut program = desk.program();
    program.env("LD_DEBUG", "files").env("LD_DEBUG_OUTPUT", desk.path("loader"));
    let output = program.args(CPU).args(["-o", "a.png"]).output().unwrap();
    succeeded(&output);
    let logs = desk.files("").into_iter();
    let log: Vec<u8> =
        logs.filter(|(name, _)| name.starts_with("loader.")).flat_map(|(_, log)| log).collect();
    let log = String::from_utf8_lossy(&log).to_lowercase();
    assert!(log.contains("libc.so"), "the loader says what it does");
    for library in ["libvulkan", "libegl", "libgl", "libx11", "libxcb", "libwayland", "libdrm"] {
        assert!(!log.contains(library), "{library}");
    }
}
