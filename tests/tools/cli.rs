//! Tests of the command line: the programs are run and their output, exit codes and files are checked.
#![allow(
    clippy::print_stderr,
    reason = "what is not as it should be is a failed test; the numbers are small"
)]

mod camera_of;
pub(crate) mod compare;
mod determinism;
mod doctor;
mod environment;
mod failures;
mod fonts;
mod formats;
mod inputs;
mod json;
mod limits;
#[cfg(unix)]
mod memory;
mod mix;
mod motions;
mod options;
mod outputs;
mod overlays;
mod overwrites;
mod parts;
mod selection;
mod sheets;
mod suite_places;
mod view;
