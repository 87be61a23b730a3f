//! Tests of the command line: the programs are run and their output, exit codes and files are checked.
#![allow(
    clippy::print_stderr,
    reason = "what is not as it should be is a failed test; the numbers are small"
)]

mod animation;
mod bench;
pub(crate) mod compare;
mod determinism;
mod doctor;
mod environment;
mod failures;
mod limits;
mod motions;
mod outputs;
mod overview;
mod sheets;
