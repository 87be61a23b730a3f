//! Captures, suites and commands: everything that `pchr-view` and `pchr` do without a window.
#![forbid(unsafe_code)]

mod bench;
pub mod capture;
pub mod changes;
pub mod cli;
pub mod crowd;
mod export;
pub mod file_name;
pub mod files;
pub mod git;
pub mod open;
mod run;
pub mod session;
pub mod stage;
mod suite;
pub mod text;
mod threads;
pub mod thumbnail;
pub mod typeface;
pub mod view;

use std::sync::OnceLock;

/// The version that a program said it has.
static VERSION: OnceLock<&str> = OnceLock::new();

/// The version of the program, for reports and messages: that of this library, if the program said none.
#[must_use]
pub fn version() -> &'static str {
    VERSION.get().unwrap_or(&env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
#[path = "../../../tests/support/fixture.rs"]
mod fixture;
