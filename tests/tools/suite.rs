//! Tests of suites of captures as a program: output, exit codes and files.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "what is not as it should be is a failed test; the desk is shared"
)]

mod again;
mod camera;
mod codes;
mod commands;
mod first_day;
mod gpu;
mod ignored;
mod interrupted;
#[path = "suite/junit.rs"]
mod junit_reports;
mod merge;
mod mistakes;
mod options;
mod patterns;
mod reports;
mod shards;
pub(crate) mod stage;
mod streams;
mod unhappy;
mod update;
