//! Suites of captures, compared with baselines: the job of `pchr-view test`.
//!
//! ```text
//! suite.toml ─suite─► entries ─cases─► cases ─planned─► pictures of each ─selection─► items of this run
//!                                                         └─unused─► baselines that are left over ─┘
//!
//! items of this run ─run─► pictures ─judge─► results ─printer─► text
//!                   │                │               └──report─► report.json, index.html, JUnit
//!                   └─ source: files └─► baselines, with --update
//! ```
//!
//! A case that cannot be drawn is an error of its own, and all others run. Only an invalid suite ends the run at once, with a
//! report that says so.

mod adapter;
mod baseline;
mod cases;
mod command;
mod comparison;
mod ending;
mod file;
mod files;
mod first_frames;
mod fnv;
#[cfg(fuzzing)]
pub(crate) mod fuzz;
mod ignore;
mod init;
mod item;
mod job;
mod judge;
mod lock;
mod merge;
mod notes;
mod options;
mod outcome;
mod outputs;
mod pictures;
mod planned;
mod printer;
mod problems;
mod record;
mod record_file;
mod report;
mod results;
mod run;
mod schema;
mod selection;
mod shard;
mod source;
mod text;
mod times;
mod unused;
mod written;

pub(crate) use baseline::{Update, schema as baseline_schema};
pub(crate) use init::{Init, run as init};
pub(crate) use job::{SuiteRenderer, TestJob};
pub(crate) use merge::{MergeJob, run as merge};
pub(crate) use outputs::Outputs;
pub(crate) use results::{Shard, schema as report_schema};
pub(crate) use schema::suite as suite_schema;
pub(crate) use selection::Selection;
