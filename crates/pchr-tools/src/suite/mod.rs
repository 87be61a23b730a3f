//! Suites of captures, compared with baselines: the job of `pchr-view test`.
//!
//! ```text
//! suite.toml ─cases─► cases ─planned─► pictures of each ─selection─► items of this run
//!                                        └──► baselines that are left over ─┘
//!
//! items of this run ─draw─► pictures ─judge─► results ─outcome─► text
//!                   │                 │               └──report─► report.json, index.html, JUnit
//!                   └─ source: files  └─► baselines, with --update
//! ```
//!
//! A case that cannot be drawn is an error of its own, and all others run. Only an invalid suite ends the run at once, with a
//! report that says so.

mod baseline;
mod cases;
#[cfg(fuzzing)]
pub(crate) mod fuzz;
mod init;
mod report;
mod run;

pub(crate) use baseline::schema as baseline_schema;
pub(crate) use cases::options::suite_schema;
pub(crate) use report::merge::{ReportArgs, run as report};
pub(crate) use report::results::schema as report_schema;
pub(crate) use run::TestArgs;

use crate::run::messages::Messages;
use crate::run::{Disk, Failure};

/// Runs a suite, or writes the first one.
///
/// # Errors
/// [`Failure`] for an invalid suite, and for every result except pictures that match their baselines.
pub(crate) fn test(args: &TestArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    match args.init {
        Some(which) => init::run(&args.suite, which, messages, disk),
        None => run::job::run(args, messages, disk),
    }
}
