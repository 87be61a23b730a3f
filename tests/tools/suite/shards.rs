//! Tests of suites in parts: every case is in exactly one part, however the part is named.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Output;

use crate::desk::said;
use crate::suite::stage::{SMALL, desk, test};

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
    let names = cases.iter().map(|case| case["name"].as_str().unwrap().to_owned()).collect();
    (names, report["summary"]["frames"].as_u64().unwrap() as usize)
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
                assert!(matches!(output.status.code(), Some(0 | 6)), "{}", said(&output));
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
