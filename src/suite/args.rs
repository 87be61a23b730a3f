//! What `test` and `report merge` are asked for.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::shard::ShardArg;
use crate::view::AdapterArgs;

/// What a run of a suite is asked for.
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

Exit codes: 0 all pictures match their baselines, 1 failed while running, 2 usage, a mistake in the suite or an unused \
baseline, 3 pictures differ, 4 an input file is invalid, 5 no usable graphics adapter, 6 a baseline is missing. The first \
of 1, 4, 3, 6 and 2 counts")]
#[command(group = clap::ArgGroup::new("changes").multiple(true))]
pub(crate) struct TestArgs {
    /// The suite; with --init, a folder of characters
    #[arg(value_name = "SUITE.toml")]
    pub(super) suite: PathBuf,
    /// Write a suite for the characters in the folder and below: up to 10 pictures of each; with =all, every frame
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "few",
        conflicts_with_all = ["update", "prune", "filter", "case", "last_failed", "report", "junit", "shard", "shard_total",
            "renderer", "allow_skip", "jobs", "json"])]
    pub(super) init: Option<Init>,
    /// Take the pictures as baselines where they differ or there are none; with =all, everywhere and from a view that is
    /// fitted anew
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "failing", group = "changes")]
    pub(super) update: Option<Update>,
    /// Remove baselines that no case uses, and name each; --update=all does it, too
    #[arg(long, group = "changes")]
    pub(super) prune: bool,
    /// Update or remove baselines although this is CI (the environment says CI=true)
    #[arg(long, requires = "changes")]
    pub(super) force: bool,
    /// Only cases with this in their name
    #[arg(long, value_name = "TEXT")]
    pub(super) filter: Option<String>,
    /// Only the case of this name; may be given more than once
    #[arg(long, value_name = "NAME", conflicts_with = "filter")]
    pub(super) case: Vec<String>,
    /// Only cases that were not right in the report of the last run, which --report names
    #[arg(long, requires = "report", conflicts_with_all = ["shard", "shard_total"])]
    pub(super) last_failed: bool,
    /// Write index.html, report.json and the pictures that differ into this folder
    #[arg(long, value_name = "DIR")]
    pub(super) report: Option<PathBuf>,
    /// Write a JUnit report, a test case for each frame; - writes it to stdout
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Only this part of the suite, like 2/4; the parts hold about as many frames each. Also from the environment of
    /// Bazel, GitLab, CircleCI, Kubernetes and Slurm
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<ShardArg>,
    /// Number of parts, where the environment only says which one this is (Kubernetes)
    #[arg(long, value_name = "N", conflicts_with = "shard", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) shard_total: Option<u32>,
    /// What draws, whatever the suite says [default: the suite's, else cpu]
    #[arg(long, value_enum)]
    pub(super) renderer: Option<SuiteRenderer>,
    #[command(flatten)]
    pub(super) adapter: AdapterArgs,
    /// Without a graphics adapter, report the cases that need one as skipped
    #[arg(long)]
    pub(super) allow_skip: bool,
    /// Threads that draw and compare [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) jobs: Option<u16>,
    /// Say on stdout, as JSON, what was found
    #[arg(long)]
    pub(super) json: bool,
}

/// Pictures that a first suite has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Init {
    /// At most ten of each file.
    Few,
    /// Every frame of every animation.
    All,
}

/// Which baselines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Update {
    /// Those that the picture is not like, and those that are not there.
    Failing,
    /// Every one.
    All,
}

/// What draws the pictures of a suite: never whatever is there, as baselines have to mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SuiteRenderer {
    /// The built-in renderer, whose pixels are the same on every machine.
    Cpu,
    /// A graphics adapter.
    Gpu,
}

impl SuiteRenderer {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

/// What is done with reports.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view report merge part-1 part-2 -o report")]
pub(crate) struct ReportArgs {
    #[command(subcommand)]
    pub(super) command: ReportCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum ReportCommand {
    /// Makes one report of those of a suite's parts; ends as the whole suite would have
    Merge(MergeArgs),
}

/// What a merge is asked for.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view report merge part-1 part-2 -o report
  pchr-view report merge part-1 part-2 -o report --junit report/junit.xml")]
pub(super) struct MergeArgs {
    /// The folders that `test --shard I/N --report DIR` wrote: all parts of one suite
    #[arg(value_name = "DIR", required = true)]
    pub(super) parts: Vec<PathBuf>,
    /// Folder of the report
    #[arg(short, long, value_name = "DIR")]
    pub(super) output: PathBuf,
    /// Write a JUnit report, too; - writes it to stdout
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Say on stdout, as JSON, what was found
    #[arg(long)]
    pub(super) json: bool,
}
