//! Tests of suites of captures as a program: output, exit codes and files.

mod again;
mod changed;
mod codes;
mod commands;
mod first_day;
mod gpu;
mod interrupted;
#[path = "suite/junit.rs"]
mod junit_reports;
mod merge;
mod options;
mod patterns;
pub(crate) mod stage;
mod streams;
