//! Programs of the examples.

use std::path::PathBuf;

pub(crate) fn example(name: &str) -> PathBuf {
    let programs = PathBuf::from(env!("CARGO_BIN_EXE_pchr-view"));
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = programs.parent().unwrap().join("examples").join(file);
    let hint = "cargo build --example builds it; so does cargo test without a filter";
    assert!(path.is_file(), "{} is missing: {hint}", path.display());
    path
}
