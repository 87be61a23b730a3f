//! Helpers for several test files.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "each test file uses its part, and may fail"
)]

use std::path::PathBuf;

/// Corpus folder that `PCHR_CORPUS` names. Panics if it is unset or does not exist.
pub(crate) fn corpus_dir() -> PathBuf {
    let folder = PathBuf::from(std::env::var_os("PCHR_CORPUS").expect("PCHR_CORPUS is set"));
    assert!(folder.is_dir(), "PCHR_CORPUS names {}, which is not there", folder.display());
    folder
}
