//! Tests of stability with a whole suite, run by the program.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::corpus;

const SUITE: &str = include_str!("suite.toml");

/// Number of times that each renderer draws everything.
fn times() -> usize {
    let wanted = std::env::var("PCHR_STABILITY_RUNS").ok();
    wanted.map_or(2, |wanted| wanted.parse().expect("PCHR_STABILITY_RUNS is a number"))
}

fn run(folder: &Path, args: &[&str]) -> Value {
    let mut program = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
    program.args(["test", "suite.toml", "--json"]).args(args).current_dir(folder);
    program.env("XDG_RUNTIME_DIR", std::env::temp_dir()).env_remove("WGPU_BACKEND");
    let output = program.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
}

fn count(report: &Value, what: &str) -> u64 {
    report["summary"][what].as_u64().unwrap()
}

fn suite() -> tempfile::TempDir {
    corpus::root();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("suite.toml"), SUITE).unwrap();
    folder
}

/// Checks that repeated runs draw the same: `--update=all` writes a baseline only if its bytes differ.
fn draws_the_same_every_time(renderer: &[&str]) {
    let folder = suite();
    let update = [&["--update=all", "--force"], renderer].concat();
    let frames = count(&run(folder.path(), &update), "updated");
    assert!(frames >= 300, "only {frames} frames");
    for time in 1..times() {
        let report = run(folder.path(), &update);
        let (passed, updated) = (count(&report, "passed"), count(&report, "updated"));
        assert_eq!((passed, updated), (frames, 0), "run {time} by {renderer:?}");
    }
    println!("{renderer:?}: {frames} frames, {} times: 0 differing bytes", times());
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn the_cpu_renderer_draws_the_same_bytes_every_time() {
    draws_the_same_every_time(&["--renderer", "cpu"]);
}

#[test]
#[cfg_attr(any(skip_gpu_tests, not(pchr_corpus)), ignore = "needs PCHR_TEST_GPU=1 and PCHR_CORPUS")]
fn an_adapter_draws_the_same_bytes_every_time_by_vulkan_and_by_gl() {
    for backend in ["vulkan", "gl"] {
        draws_the_same_every_time(&["--renderer", "gpu", "--backend", backend]);
    }
}

/// Lower bounds of a report's buckets: a pixel differs by more than this.
const MORE_THAN: [u64; 9] = [0, 1, 2, 4, 8, 16, 32, 64, 128];

#[test]
#[cfg_attr(any(skip_gpu_tests, not(pchr_corpus)), ignore = "needs PCHR_TEST_GPU=1 and PCHR_CORPUS")]
fn renderers_agree_within_the_defaults() {
    let folder = suite();
    run(folder.path(), &["--update", "--force"]);
    for backend in ["vulkan", "gl"] {
        let report = run(folder.path(), &["--renderer", "gpu", "--backend", backend]);
        let (frames, passed) = (count(&report, "frames"), count(&report, "passed"));
        let mut table = [[0; 3]; 9];
        let cases = report["cases"].as_array().unwrap();
        let of_cases = cases.iter().flat_map(|case| case["frames"].as_array().unwrap());
        for histogram in of_cases.filter_map(|it| it["difference"]["histogram"].as_array()) {
            let mut outliers = 0;
            for (bucket, [with_any, worst, all]) in histogram.iter().zip(&mut table).rev() {
                outliers += bucket["pixels"].as_u64().unwrap();
                *with_any += u64::from(outliers > 0);
                *worst = outliers.max(*worst);
                *all += outliers;
            }
        }
        println!("CPU renderer against {}, {frames} frames", cases[0]["drawnBy"]["adapter"]);
        println!(
            "| by {backend}: differ by more than | frames with any | most in a frame | in all |"
        );
        println!("| --: | --: | --: | --: |");
        for (more_than, [with_any, worst, all]) in MORE_THAN.iter().zip(table) {
            println!("| {more_than} | {with_any} | {worst} | {all} |");
        }
        assert_eq!(passed, frames, "by {backend}");
    }
}
