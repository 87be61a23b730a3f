//! `pchr-view report`: works on the reports of tests.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::run::messages::Messages;
use crate::run::{Disk, Failure};
use crate::suite::{self, MergeJob};

/// Commands for reports.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view report merge part-1 part-2 -o report")]
pub(super) struct ReportArgs {
    #[command(subcommand)]
    command: ReportCommand,
}

#[derive(Debug, Subcommand)]
enum ReportCommand {
    /// Merges the reports of a suite's parts; the exit code is that of the whole suite
    Merge(MergeArgs),
}

/// Arguments of `report merge`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view report merge part-1 part-2 -o report
  pchr-view report merge part-1 part-2 -o report --junit report/junit.xml")]
struct MergeArgs {
    /// The folders that `test --shard I/N --report DIR` wrote: all parts of one suite
    #[arg(value_name = "DIR", required = true)]
    parts: Vec<PathBuf>,
    /// Folder of the report
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Also write a JUnit report; - writes it to standard output
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print a JSON report of the results
    #[arg(long)]
    json: bool,
}

/// Works on reports.
pub(super) fn run(args: ReportArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let ReportCommand::Merge(merge) = args.command;
    let job = MergeJob {
        parts: merge.parts,
        output: merge.output,
        junit: merge.junit,
        json: merge.json,
    };
    suite::merge(job, messages, disk)
}
