//! Fuzz targets as plain functions of bytes; one that finds something wrong panics.
//!
//! `fuzz/` hands them to libFuzzer. The test `fuzz` gives them their seeds, the inputs in `tests/bugfixes` that once broke
//! them, and what fuzzing has gathered, with the compiler that builds everything else.

pub mod document;
pub mod files;
mod look;
pub mod seeds;
pub mod targets;
