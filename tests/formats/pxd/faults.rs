//! Tests of single faults in PXD files: each is found where it is, and a file that can be read is written without it.

use std::fmt::Debug;

use pchr::finding::Findings;
use pchr_foreign::format::pxd::{self, PxdRule};

use super::made::{small_motion, small_skeleton};
use super::{animation, said, skeleton, with};
use crate::golden;

/// Findings of a file, which comes back without them if it can be read.
fn judged<T: PartialEq + Debug>(
    bytes: &[u8],
    read: fn(&[u8]) -> (Option<T>, Findings),
    write: impl Fn(&T) -> Vec<u8>,
) -> Vec<String> {
    let (value, found) = read(bytes);
    if let Some(value) = value {
        let (again, found) = read(&write(&value));
        assert_eq!(again.unwrap(), value);
        assert_eq!(found.count(PxdRule::Layout), 0);
    }
    said(&found)
}

/// Sets bytes as `animation 0x48 07` says, and lists the findings.
fn outcome(case: &str) -> Vec<String> {
    let [kind, at, hex] = case.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(digit).collect();
    let changed = |file: Vec<u8>| {
        let at = match at.strip_prefix("0x") {
            Some(at) => usize::from_str_radix(at, 16).unwrap(),
            None => file.len().strict_add_signed(at.parse().unwrap()),
        };
        with(&file, at, &bytes)
    };
    let write_motion = |motion: &_| pxd::write_animation(motion).unwrap();
    let write_skeleton = |skeleton: &_| pxd::write_skeleton(skeleton).unwrap();
    match kind {
        "animation" => judged(&changed(write_motion(&small_motion())), animation, write_motion),
        _ => judged(&changed(write_skeleton(&small_skeleton())), skeleton, write_skeleton),
    }
}

#[test]
fn faults_are_found_where_they_are() {
    golden::cases("pxd_faults", outcome);
}
