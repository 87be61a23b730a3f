//! Tests that the same file and options give the same bytes: repeated, with any number of jobs, alone and in a sequence.

use std::collections::BTreeMap;

use crate::desk::{Desk, succeeded};
use crate::fixture::CLIPS;

const VIEW: [&str; 4] = ["-s", "123x77", "--background", "#20406080"];

/// Every frame of every clip, by its file name.
fn sequence(desk: &Desk, renderer: &str, more: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let args = ["capture", "puppet.pchr", "--renderer", renderer, "-a", "all", "-f", "all"];
    let out = ["-o", "out/{animation}-{frame}.png"];
    succeeded(&desk.run(&[&args[..], &VIEW, &out, more].concat()));
    let files = desk.files("out");
    desk.remove("out");
    assert_eq!(files.len(), CLIPS.iter().map(|(_, count)| count).sum::<usize>());
    files
}

/// Checks that frames depend neither on the run nor on the number of jobs.
fn repeats(renderer: &str) {
    let desk = Desk::new();
    let first = sequence(&desk, renderer, &["--jobs", "1"]);
    assert!(first == sequence(&desk, renderer, &[]), "default jobs");
    for jobs in 1..=8 {
        assert!(first == sequence(&desk, renderer, &["--jobs", &jobs.to_string()]), "{jobs} jobs");
    }
}

/// Checks that a frame alone equals the one in the sequence.
fn alone(renderer: &str, more: &[&str]) {
    let desk = Desk::new();
    let together = sequence(&desk, renderer, more);
    for (clip, count) in CLIPS {
        for frame in 0..count {
            let which = ["-a", clip, "-f", &frame.to_string(), "-o", "a.png"];
            let args = ["capture", "puppet.pchr", "--renderer", renderer];
            succeeded(&desk.run(&[&args[..], &VIEW, &which, more].concat()));
            let name = format!("{clip}-{frame}.png");
            assert!(together[&name] == desk.bytes("a.png"), "{name} {more:?}");
        }
    }
}

#[test]
fn the_cpu_renderer_repeats_itself_with_any_number_of_jobs() {
    repeats("cpu");
}

#[test]
fn a_frame_alone_is_the_same_as_in_a_sequence() {
    for fit in ["animation", "frame", "character", "none"] {
        alone("cpu", &["--fit", fit]);
    }
    alone("cpu", &["--msaa", "1"]);
}

#[cfg(feature = "render")]
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn an_adapter_repeats_itself_with_any_number_of_jobs_and_for_a_frame_alone() {
    repeats("gpu");
    alone("gpu", &[]);
    alone("gpu", &["--fit", "frame"]);
}
