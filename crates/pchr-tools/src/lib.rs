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
mod threads;
pub mod thumbnail;
pub mod typeface;
pub mod view;

/// Text that leaves the program: names without hidden characters, what there is instead of a mistyped name, paths that are
/// the same on every system, times that are typed, and command lines quoted for a shell.
pub mod text {
    pub mod shell;
    pub mod smoothness;
    pub(crate) mod words;

    pub(crate) use words::seconds;
    pub use words::{Natural, count, is_hidden, nearest, slashed, there_are, visible};
}

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
