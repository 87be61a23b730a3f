//! Runs of a suite: which cases, who draws them, and what becomes of their pictures; and the arguments of `test`.

pub(crate) mod draw;
pub(crate) mod job;
pub(crate) mod judge;
pub(crate) mod outcome;
pub(crate) mod selection;
pub(crate) mod source;
pub(crate) mod unused_baselines;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::run::Failure;
use crate::suite::cases::Case;
use crate::suite::report::Shard;
use crate::suite::report::folder::ReportOutputs;
use crate::view::AdapterArgs;

/// Arguments of `test`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view test --init .
  pchr-view test suite.toml --update
  pchr-view test suite.toml --prune
  pchr-view test suite.toml
  pchr-view test suite.toml --report report --junit report/junit.xml
  pchr-view test suite.toml --filter walk --json
  pchr-view test suite.toml --report report --last-failed
  pchr-view test suite.toml --shard 2/4 --report part-2

Exit codes: 0 all pictures match their baselines, 1 failed while running, 2 usage, a mistake in the suite or an unused baseline, 3 pictures differ, 4 an input file is invalid, 5 no usable graphics adapter, 6 a baseline is missing. If several apply, the first of 1, 4, 3, 6, 2 is used")]
#[command(group = clap::ArgGroup::new("changes").multiple(true))]
pub(crate) struct TestArgs {
    /// The suite; with --init, a folder of files to capture
    #[arg(value_name = "SUITE.toml")]
    pub(crate) suite: PathBuf,
    /// Write a suite for the files in the folder and below, with up to 10 pictures of each; with =all, every frame
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "few",
        conflicts_with_all = ["update", "prune", "filter", "case", "last_failed", "report", "junit", "shard", "shard_total",
            "renderer", "allow_skip", "jobs", "json"])]
    pub(crate) init: Option<Init>,
    /// Save pictures that differ, or have no baseline, as baselines; with =all, every picture, with a newly fitted view
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "failing", group = "changes")]
    pub(crate) update: Option<Update>,
    /// Remove baselines that no case uses, and list them; --update=all does the same
    #[arg(long, group = "changes")]
    pub(crate) prune: bool,
    /// Update or remove baselines even in CI (CI=true in the environment)
    #[arg(long, requires = "changes")]
    pub(crate) force: bool,
    /// Run only cases with this text in their name
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// Run only the case with this name (repeatable)
    #[arg(long, value_name = "NAME", conflicts_with = "filter")]
    pub(crate) case: Vec<String>,
    /// Run only cases that failed in the last run, according to the report in --report
    #[arg(long, requires = "report", conflicts_with_all = ["shard", "shard_total"])]
    pub(crate) last_failed: bool,
    /// Write index.html, report.json and the pictures that differ into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// Write a JUnit report, with a test case for each frame; - writes it to standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Run only this part (shard) of the suite, like 2/4; parts have about the same number of frames. Also read from the
    /// environment of Bazel, GitLab, CircleCI, Kubernetes and Slurm
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Number of parts, if the environment only says which part this is (Kubernetes)
    #[arg(long, value_name = "N", conflicts_with = "shard", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) shard_total: Option<u32>,
    /// Renderer, instead of the suite's [default: the suite's, else cpu]
    #[arg(long, value_enum)]
    pub(crate) renderer: Option<SuiteRenderer>,
    #[command(flatten)]
    pub(crate) adapter: AdapterArgs,
    /// Without a graphics adapter, report the cases that need one as skipped
    #[arg(long)]
    pub(crate) allow_skip: bool,
    /// Threads that draw and compare [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Print a JSON report of the results
    #[arg(long)]
    pub(crate) json: bool,
}

impl TestArgs {
    /// Returns true if baselines may be written or removed.
    pub(crate) fn changes_baselines(&self) -> bool {
        self.update.is_some() || self.prune
    }

    pub(crate) fn outputs(&self) -> ReportOutputs {
        ReportOutputs { report: self.report.clone(), junit: self.junit.clone(), json: self.json }
    }
}

/// Pictures that a first suite has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Init {
    /// At most ten pictures of each file.
    Few,
    /// Every frame of every animation.
    All,
}

/// Baselines that an update writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Update {
    /// Only baselines that are missing or differ from the new picture.
    Failing,
    /// All baselines.
    All,
}

/// Renderer of a suite. There is no automatic choice: a baseline belongs to one renderer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SuiteRenderer {
    /// The built-in renderer, whose pixels are the same on every machine.
    Cpu,
    /// A graphics adapter.
    Gpu,
}

impl SuiteRenderer {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

/// A case, or a folder of baselines that belongs to no case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SuiteItem<'a> {
    /// Folder below that of all baselines.
    pub(crate) name: &'a str,
    pub(crate) case: Option<&'a Case>,
    /// Its baselines, by their paths relative to its folder, with `/`.
    pub(crate) names: &'a [String],
    /// Unused baselines in its folder, by their relative paths.
    pub(crate) unused: &'a [String],
    /// Bytes of the decoded images of its file.
    pub(crate) image_bytes: u64,
    /// Reason why it cannot be drawn, as far as it is known before drawing.
    pub(crate) failure: Option<&'a Failure>,
}

impl<'a> SuiteItem<'a> {
    pub(crate) fn drawn(&self) -> Option<&'a Case> {
        self.case.filter(|_| self.failure.is_none())
    }

    /// Returns the number of pictures that will be drawn.
    pub(crate) fn frames(&self) -> usize {
        if self.failure.is_some() { 0 } else { self.names.len() }
    }
}
