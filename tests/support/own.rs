//! The example `own_content`: `pchr-view` with one more kind of file.

use std::path::PathBuf;

/// Path of the program.
pub(crate) fn own_content() -> PathBuf {
    let programs = PathBuf::from(env!("CARGO_BIN_EXE_pchr-view"));
    let name = format!("own_content{}", std::env::consts::EXE_SUFFIX);
    let path = programs.parent().unwrap().join("examples").join(name);
    let hint = "cargo test --example own_content builds it; so does cargo test without a filter";
    assert!(path.is_file(), "{} is missing: {hint}", path.display());
    path
}
