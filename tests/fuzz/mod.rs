//! Fuzz targets as plain functions of bytes, which panic when they find a fault.
//!
//! `fuzz/` hands them to libFuzzer. The test `fuzz` runs them with the usual compiler on their seeds, on the inputs in
//! `tests/bugfixes` that once failed, and on collected corpora.

pub mod document;
pub mod files;
mod look;
pub mod seeds;
pub mod targets;
