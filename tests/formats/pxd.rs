//! Tests of PXD skeletons and animations: verdicts, contents, and writing back byte for byte.

mod files;
mod made;

use std::fmt::Debug;

use pchr::finding::{Findings, Invalid, Severity};
use pchr_foreign::format::pxd::{self, PxdRule};
use pchr_foreign::motion::{Motion, Skeleton};

use crate::golden;
use made::{small_motion, small_skeleton};

type Read<T> = Result<(T, Findings), Invalid>;

/// Rules about files that are not written back byte for byte.
const REWRITTEN: [PxdRule; 5] =
    [PxdRule::Layout, PxdRule::Sizes, PxdRule::OffsetTable, PxdRule::RootOffset, PxdRule::Additive];

fn split<T>(read: Read<T>) -> (Option<T>, Findings) {
    match read {
        Ok((value, found)) => {
            assert_eq!(found.total(Severity::Error), 0);
            (Some(value), found)
        }
        Err(Invalid(found)) => {
            assert!(found.first_error().is_some());
            (None, found)
        }
    }
}

fn animation(bytes: &[u8]) -> (Option<Motion>, Findings) {
    split(pxd::read_animation(bytes))
}

fn skeleton(bytes: &[u8]) -> (Option<Skeleton>, Findings) {
    split(pxd::read_skeleton(bytes))
}

fn said(found: &Findings) -> Vec<String> {
    found.iter().map(ToString::to_string).collect()
}

/// Bytes of a file with some replaced at an offset.
fn with(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

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
