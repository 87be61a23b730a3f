//! Tests of suites of captures as a program: output, exit codes and files.

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
