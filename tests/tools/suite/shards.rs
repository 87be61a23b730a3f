//! Tests of suites in parts: every case is in exactly one part, however the part is named.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Output;

use crate::desk::{Desk, said};
use crate::suite::stage::{SMALL, desk, ended, program, test};

/// Number of frames of all cases of [`suite`].
const FRAMES: usize = 26;

/// Suite of cases with 1 and 4 frames in turn, in an order that `turn` decides.
fn suite(turn: usize) -> String {
    let mut cases: Vec<String> = (0..11)
        .map(|i| {
            let clip = ["bind", "walk"][i % 2];
            format!("[[case]]\nname = \"case {i:02}\"\nfile = \"puppet.pchr\"\nanimation = \"{clip}\"\nframe = \"all\"\n")
        })
        .collect();
    cases.rotate_left(turn % 11);
    if turn % 2 == 1 {
        cases.reverse();
    }
    SMALL.to_owned() + &cases.concat()
}

/// Names of the cases and number of frames of a run.
fn ran(output: &Output) -> (BTreeSet<String>, usize) {
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let cases = report["cases"].as_array().unwrap();
    let names = cases
        .iter()
        .map(|case| case["name"].as_str().unwrap().to_owned())
        .collect();
    (
        names,
        report["summary"]["frames"].as_u64().unwrap() as usize,
    )
}

#[test]
fn every_case_is_in_one_part_whatever_the_order_in_the_file() {
    let desk = desk(&suite(0));
    let (all, frames) = ran(&test(&desk, &["--json"]));
    assert_eq!((all.len(), frames), (11, FRAMES));
    let mut split: BTreeMap<(usize, usize), BTreeSet<String>> = BTreeMap::new();
    for turn in 0..5 {
        desk.put_bytes("suite.toml", suite(turn * 3).as_bytes());
        for total in [1, 2, 3, 5, 13] {
            let mut seen = BTreeSet::new();
            for index in 1..=total {
                let output = test(&desk, &["--json", "--shard", &format!("{index}/{total}")]);
                assert!(
                    matches!(output.status.code(), Some(0 | 6)),
                    "{}",
                    said(&output)
                );
                let (cases, frames) = ran(&output);
                assert!(
                    frames <= FRAMES.div_ceil(total) + 3,
                    "part {index} of {total} has {frames}"
                );
                assert!(cases.is_disjoint(&seen));
                seen.extend(cases.iter().cloned());
                let first = split.entry((index, total)).or_insert_with(|| cases.clone());
                assert_eq!(*first, cases, "part {index} of {total}, turned by {turn}");
            }
            assert_eq!(seen, all);
        }
    }
}

/// Runs a part named by variables of a scheduler.
fn by(desk: &Desk, variables: &[(&str, &str)], args: &[&str]) -> Output {
    let mut program = program(desk, &[&["test", "suite.toml", "--json"], args].concat());
    program.envs(variables.iter().copied()).output().unwrap()
}

#[test]
fn each_schedulers_variables_name_the_part() {
    let desk = desk(&suite(0));
    let third = test(&desk, &["--json", "--shard", "3/4"]).stdout;
    let status = desk.path("bazel-status");
    let status = status.to_str().unwrap();
    let bazel = [
        ("TEST_SHARD_INDEX", "2"),
        ("TEST_TOTAL_SHARDS", "4"),
        ("TEST_SHARD_STATUS_FILE", status),
    ];
    let gitlab = [
        ("CI", "true"),
        ("CI_NODE_INDEX", "3"),
        ("CI_NODE_TOTAL", "4"),
    ];
    let circle = [
        ("CI", "true"),
        ("CIRCLE_NODE_INDEX", "2"),
        ("CIRCLE_NODE_TOTAL", "4"),
    ];
    let kubernetes = [("JOB_COMPLETION_INDEX", "2")];
    let slurm = [
        ("SLURM_ARRAY_TASK_ID", "2"),
        ("SLURM_ARRAY_TASK_COUNT", "4"),
    ];
    let slurm_steps = [
        ("SLURM_ARRAY_TASK_ID", "14"),
        ("SLURM_ARRAY_TASK_COUNT", "4"),
        ("SLURM_ARRAY_TASK_MIN", "10"),
        ("SLURM_ARRAY_TASK_STEP", "2"),
    ];
    for (variables, args) in [
        (&bazel[..], &[][..]),
        (&gitlab, &[]),
        (&circle, &[]),
        (&kubernetes, &["--shard-total", "4"]),
        (&slurm, &[]),
        (&slurm_steps, &[]),
    ] {
        let output = by(&desk, variables, args);
        let note = format!(
            "note: part 3 of 4, set by {}\n",
            variables
                .iter()
                .find(|(name, _)| name.contains("IN") || name.ends_with("ID"))
                .unwrap()
                .0
        );
        assert!(said(&output).starts_with(&note), "{}", said(&output));
        assert!(output.stdout == third, "{variables:?}");
        assert_eq!(output.status.code(), Some(6));
    }
    assert!(
        desk.path("bazel-status").is_file(),
        "Bazel is told that the test splits itself"
    );
    // The option takes precedence over the variables.
    let typed = by(&desk, &gitlab, &["--shard", "1/2"]);
    assert_eq!(
        ran(&typed),
        ran(&test(&desk, &["--json", "--shard", "1/2"]))
    );
    assert!(!said(&typed).contains("note"));
    // GitLab names one part of one if `parallel` is not set.
    assert_eq!(ran(&by(&desk, &[("CI_NODE_TOTAL", "1")], &[])).0.len(), 11);
}

#[test]
fn a_part_that_there_cannot_be_is_refused() {
    let desk = desk(&suite(0));
    let none = [
        (
            &[("CI_NODE_INDEX", "5"), ("CI_NODE_TOTAL", "4")][..],
            &[][..],
            "error: CI_NODE_INDEX=5 in the environment: expected 1 to 4 for 4 parts",
        ),
        (
            &[("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "4")],
            &[],
            "error: CI_NODE_INDEX=0 in the environment: expected 1 to 4 for 4 parts",
        ),
        (
            &[("TEST_SHARD_INDEX", "two"), ("TEST_TOTAL_SHARDS", "4")],
            &[],
            "error: TEST_SHARD_INDEX=two in the environment is not a number",
        ),
        (
            &[],
            &["--shard-total", "4"],
            "error: --shard-total 4, but the environment does not say which part this is; choose it with --shard I/4",
        ),
    ];
    for (variables, args, words) in none {
        let output = by(&desk, variables, args);
        ended(&output, 2, words);
        assert_eq!(output.stdout, b"");
    }
    for part in ["0/4", "5/4", "4", "a/b", "1/0"] {
        let output = test(&desk, &["--shard", part]);
        assert_eq!(output.status.code(), Some(2), "{part}");
        assert!(
            said(&output).contains("invalid shard "),
            "{}",
            said(&output)
        );
    }
}
