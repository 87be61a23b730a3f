//! Measures how long files take, stage by stage, and compares that with an earlier report.
//!
//! ```text
//! files ─► BenchJob (the functions of captures, with a clock) ─► BenchReport ─► text, JSON
//!                 └─ Baseline::check ◄── earlier report ──► Baseline::slower ─┘
//! ```
//!
//! Each picture is drawn alone, after the one before is finished, so that a stage's time is its own. Nothing is encoded or written.

mod baseline;
mod job;
mod report;

pub(crate) use self::baseline::{Baseline, MaxSlower};
pub(crate) use self::job::BenchJob;
pub(crate) use self::report::{BenchReport, render};

/// The schema of the report.
pub(crate) fn schema() -> schemars::Schema {
    crate::run::output::schema::<BenchReport>()
}
