//! Tests of PXD skeletons and animations: verdicts, contents, and writing back byte for byte.

mod faults;
mod files;
mod made;

use pchr::finding::{Findings, Invalid, Severity};
use pchr_foreign::format::pxd::{self, PxdRule};
use pchr_foreign::motion::{Motion, Skeleton};

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
