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
mod init;
mod report;
mod run;

pub(crate) use baseline::schema as baseline_schema;
pub(crate) use cases::options::suite_schema;
pub(crate) use report::merge::{ReportArgs, run as report};
pub(crate) use report::schema as report_schema;
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

/// Entries for fuzzing: suites, records of baselines and reports.
#[cfg(fuzzing)]
pub(crate) mod fuzz {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::baseline;
    use super::cases::file::Suite;
    use crate::run::Disk;

    pub use super::report::merge::fuzz as reports;

    /// Reads a suite, and the options of its cases.
    pub fn suite(text: &str) {
        let suite = Suite::parse(&Disk::default(), Path::new("suite.toml"), text);
        for entry in &suite.entries {
            let options = suite.defaults.options.under(&entry.common.options);
            let _ = options.parse();
            let _ = entry.common.limits.or(suite.defaults.limits);
        }
    }

    /// Reads a record of baselines, and writes it again.
    pub fn baseline(text: &[u8]) {
        let Ok(mut record) = baseline::parse_record(text) else { return };
        let written = baseline::record_text(&record).unwrap_or_default();
        let back = baseline::parse_record(written.as_bytes());
        assert_eq!(back.ok().as_ref(), Some(&record));
        let frames: Vec<String> = record.frames.keys().cloned().collect();
        let kept: BTreeSet<&str> = frames.iter().step_by(2).map(String::as_str).collect();
        let makers: Vec<_> = (kept.iter()).map(|frame| record.maker(frame).cloned()).collect();
        record.keep(&kept);
        for (frame, maker) in kept.iter().zip(&makers) {
            assert!(maker.is_none() || record.maker(frame) == maker.as_ref());
        }
    }
}
