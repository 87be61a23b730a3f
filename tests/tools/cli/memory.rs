//! Tests of the memory that pictures take.

use std::process::{Command, Stdio};

use wait4::Wait4 as _;

use crate::desk::Desk;
use crate::fixture::Builder;

/// Largest resident memory of a capture of so many pictures with an adapter, in bytes.
fn largest(desk: &Desk, frames: u16) -> u64 {
    let child = Command::new(env!("CARGO_BIN_EXE_pchr-view"))
        .args(["capture", "still.pchr", "--renderer", "gpu", "-s", "16x16"])
        .args(["-f", &format!("0..{frames}"), "-o", "out/{frame}.png"])
        .current_dir(desk.path(""))
        .stderr(Stdio::null())
        .spawn();
    let used = child.unwrap().wait4().unwrap();
    assert!(used.status.success());
    used.rusage.maxrss
}

/// Shaders that branch on a uniform alone made lavapipe keep a copy of them for every draw: 500 pictures took 120 MB more.
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn more_pictures_take_no_more_memory_of_an_adapter() {
    let desk = Desk::new();
    let character =
        Builder::rect(1, &[[255; 4]], [-4.0, -4.0], [4.0, 4.0]).still("still", true, 800);
    desk.put_bytes("still.pchr", &character.bytes());
    let [few, many] = [200, 800].map(|frames| largest(&desk, frames));
    assert!(many < few + (24 << 20), "{few} bytes for 200, {many} for 800");
}
