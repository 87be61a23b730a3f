//! `pchr-view test`: a suite of captures, compared with baselines.

use std::path::PathBuf;

use clap::Args;

use crate::run::messages::Messages;
use crate::run::{Disk, Failure};
use crate::suite::{self, Init, Outputs, Selection, Shard, SuiteRenderer, TestJob, Update};
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
pub(super) struct TestArgs {
    /// The suite; with --init, a folder of files to capture
    #[arg(value_name = "SUITE.toml")]
    suite: PathBuf,
    /// Write a suite for the files in the folder and below, with up to 10 pictures of each; with =all, every frame
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "few",
        conflicts_with_all = ["update", "prune", "filter", "case", "last_failed", "report", "junit", "shard", "shard_total",
            "renderer", "allow_skip", "jobs", "json"])]
    init: Option<Init>,
    /// Save pictures that differ, or have no baseline, as baselines; with =all, every picture, with a newly fitted view
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "failing", group = "changes")]
    update: Option<Update>,
    /// Remove baselines that no case uses, and list them; --update=all does the same
    #[arg(long, group = "changes")]
    prune: bool,
    /// Update or remove baselines even in CI (CI=true in the environment)
    #[arg(long, requires = "changes")]
    force: bool,
    /// Run only cases with this text in their name
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Run only the case with this name (repeatable)
    #[arg(long, value_name = "NAME", conflicts_with = "filter")]
    case: Vec<String>,
    /// Run only cases that failed in the last run, according to the report in --report
    #[arg(long, requires = "report", conflicts_with_all = ["shard", "shard_total"])]
    last_failed: bool,
    /// Write index.html, report.json and the pictures that differ into this folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Write a JUnit report, with a test case for each frame; - writes it to standard output
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Run only this part (shard) of the suite, like 2/4; parts have about the same number of frames. Also read from the
    /// environment of Bazel, GitLab, CircleCI, Kubernetes and Slurm
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Number of parts, if the environment only says which part this is (Kubernetes)
    #[arg(long, value_name = "N", conflicts_with = "shard", value_parser = clap::value_parser!(u32).range(1..))]
    shard_total: Option<u32>,
    /// Renderer, instead of the suite's [default: the suite's, else cpu]
    #[arg(long, value_enum)]
    renderer: Option<SuiteRenderer>,
    #[command(flatten)]
    adapter: AdapterArgs,
    /// Without a graphics adapter, report the cases that need one as skipped
    #[arg(long)]
    allow_skip: bool,
    /// Threads that draw and compare [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Print a JSON report of the results
    #[arg(long)]
    json: bool,
}

/// Runs a suite, or writes the first one.
pub(super) fn run(args: TestArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    if let Some(which) = args.init {
        return suite::init(&args.suite, which, messages, disk);
    }
    let job = TestJob {
        suite: args.suite,
        update: args.update,
        prune: args.prune,
        force: args.force,
        selection: Selection {
            filter: args.filter,
            cases: args.case,
            last_failed: args.last_failed,
            shard: args.shard,
            shard_total: args.shard_total,
        },
        outputs: Outputs {
            report: args.report,
            junit: args.junit,
            json: args.json,
        },
        renderer: args.renderer,
        adapter: args.adapter,
        allow_skip: args.allow_skip,
        jobs: args.jobs,
    };
    job.run(messages, disk)
}
