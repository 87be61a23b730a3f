//! Runs of a suite: which cases, who draws them, and what becomes of their pictures; its arguments, and the part (shard) of the suite
//! for a run: `--shard I/N`, or variables of a scheduler.

pub(crate) mod draw;
pub(crate) mod job;
pub(crate) mod judge;
pub(crate) mod outcome;
pub(crate) mod selection;
pub(crate) mod source;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

use self::selection::SuiteItem;
use crate::run::Failure;
use crate::run::messages::Messages;
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

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || format!("invalid shard {text:?}: expected I/N, like 2/4");
        let (index, total) = text.split_once('/').ok_or_else(form)?;
        let index: u32 = index.parse().map_err(|_| form())?;
        let total: u32 = total.parse().map_err(|_| form())?;
        shard(index, total)
            .ok_or_else(|| format!("invalid shard {text:?}: expected 1/{total} to {total}/{total}"))
    }
}

fn shard(index: u32, total: u32) -> Option<Shard> {
    (1..=total).contains(&index).then_some(Shard { index, total })
}

fn keep_part(items: &mut Vec<SuiteItem<'_>>, Shard { index, total }: Shard) {
    let frames: Vec<u64> = items.iter().map(|item| item.frames() as u64).collect();
    let names: Vec<&str> = items.iter().map(|item| item.name).collect();
    let mut parts = split(&frames, &names, total).into_iter();
    items.retain(|_| parts.next() == Some(index - 1));
}

/// Environment variables of a scheduler.
struct Scheduler {
    index: &'static str,
    /// Index of the first part.
    first: First,
    total: Option<&'static str>,
}

enum First {
    Is(u32),
    /// Value of a variable, 0 if it is unset. Another variable may give the step between parts.
    Said {
        first: &'static str,
        step: &'static str,
    },
}

/// Known schedulers, in order of precedence.
const SCHEDULERS: [Scheduler; 5] = [
    // Bazel
    Scheduler { index: "TEST_SHARD_INDEX", first: First::Is(0), total: Some("TEST_TOTAL_SHARDS") },
    // GitLab
    Scheduler { index: "CI_NODE_INDEX", first: First::Is(1), total: Some("CI_NODE_TOTAL") },
    // CircleCI
    Scheduler { index: "CIRCLE_NODE_INDEX", first: First::Is(0), total: Some("CIRCLE_NODE_TOTAL") },
    // Kubernetes' indexed jobs, which do not say how many they are
    Scheduler { index: "JOB_COMPLETION_INDEX", first: First::Is(0), total: None },
    // Slurm's arrays
    Scheduler {
        index: "SLURM_ARRAY_TASK_ID",
        first: First::Said { first: "SLURM_ARRAY_TASK_MIN", step: "SLURM_ARRAY_TASK_STEP" },
        total: Some("SLURM_ARRAY_TASK_COUNT"),
    },
];

/// Returns the selected part: from the command line, else from the environment; `None` is the whole suite.
fn chosen_shard(
    typed: Option<Shard>,
    total: Option<u32>,
    messages: &Messages,
) -> Result<Option<Shard>, Failure> {
    if typed.is_some() {
        return Ok(typed);
    }
    let found = from_environment(total, &|name| std::env::var(name).ok())?;
    let Some((shard, from)) = found else {
        if let Some(total) = total.filter(|total| *total > 1) {
            return Err(Failure::Usage(format!(
                "--shard-total {total}, but the environment does not say which part this is; choose it with --shard I/{total}"
            )));
        }
        if total.is_none() && std::env::var_os("JOB_COMPLETION_INDEX").is_some() {
            messages.note("JOB_COMPLETION_INDEX is set, but not the number of jobs, so the whole suite runs (set the number with --shard-total)");
        }
        return Ok(None);
    };
    messages.note(&format!("part {} of {}, set by {from}", shard.index, shard.total));
    // Bazel assumes that a test which does not touch this file cannot be split.
    if let Some(path) =
        std::env::var_os("TEST_SHARD_STATUS_FILE").filter(|_| from == "TEST_SHARD_INDEX")
    {
        // Touched, not emptied: the file that the variable names keeps its content.
        std::fs::File::options().create(true).append(true).open(path)?;
    }
    Ok(Some(shard))
}

fn from_environment(
    total: Option<u32>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<(Shard, &'static str)>, Failure> {
    let number = |name: &str| -> Result<Option<u32>, Failure> {
        let Some(text) = variable(name).filter(|text| !text.is_empty()) else { return Ok(None) };
        let number = text.parse().map(Some);
        number.map_err(|_| {
            Failure::Usage(format!("{name}={text} in the environment is not a number"))
        })
    };
    for Scheduler { index: name, first, total: of } in SCHEDULERS {
        let Some(index) = number(name)? else { continue };
        let said = of.map_or(Ok(None), number)?;
        let Some(total) = total.or(said) else { continue };
        let (first, step) = match first {
            First::Is(first) => (first, 1),
            First::Said { first, step } => {
                (number(first)?.unwrap_or(0), number(step)?.unwrap_or(1).max(1))
            }
        };
        let from_first = index.checked_sub(first).map(|index| index / step);
        let part = from_first.and_then(|index| shard(index.checked_add(1)?, total));
        let part = part.ok_or_else(|| {
            let last = first.saturating_add(step.saturating_mul(total.saturating_sub(1)));
            Failure::Usage(match total {
                0 => format!(
                    "{}=0 in the environment, expected 1 or more",
                    of.unwrap_or_default()
                ),
                _ => format!(
                    "{name}={index} in the environment: expected {first} to {last} for {total} parts"
                ),
            })
        })?;
        return Ok(Some((part, name)));
    }
    Ok(None)
}

/// Returns the part of each case, from 0. `frames` are the frame counts of the cases, `names` their distinct names. The result does
/// not depend on the order of the cases.
///
/// The largest come first, each to the part with the least so far. No part exceeds the best split's largest by more than a third
/// (Graham's bound).
fn split(frames: &[u64], names: &[&str], parts: u32) -> Vec<u32> {
    let mut order: Vec<usize> = (0..frames.len().min(names.len())).collect();
    order.sort_by_key(|case| {
        let frames = frames.get(*case).copied().unwrap_or_default();
        (Reverse(frames), names.get(*case).copied())
    });
    // Parts beyond the number of cases stay empty, however many there are.
    let parts = (0..parts).take(frames.len());
    let mut loads: BinaryHeap<_> = parts.map(|part| Reverse((0_u64, part))).collect();
    let mut part_of = vec![0; frames.len()];
    for case in order {
        let frames = frames.get(case).copied().unwrap_or_default();
        if let (Some(mut least), Some(of)) = (loads.peek_mut(), part_of.get_mut(case)) {
            let Reverse((load, part)) = &mut *least;
            // A case without frames is work, too.
            *load = load.saturating_add(frames.max(1));
            *of = *part;
        }
    }
    part_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_total_that_is_given_counts_more_than_that_of_the_scheduler() {
        let read = |pairs: &[(&str, &str)], total| {
            let value = |name: &str| pairs.iter().find(|(it, _)| *it == name);
            let found =
                from_environment(total, &|name| value(name).map(|(_, it)| (*it).to_owned()));
            found.unwrap().map(|(shard, _)| (shard.index, shard.total))
        };
        let slurm = [("SLURM_ARRAY_TASK_ID", "16"), ("SLURM_ARRAY_TASK_COUNT", "4")];
        assert_eq!(read(&slurm, Some(20)), Some((17, 20)));
        assert_eq!(read(&[("JOB_COMPLETION_INDEX", "0")], None), None, "of how many?");
    }

    #[test]
    fn there_may_be_more_parts_than_cases_and_cases_without_frames() {
        assert_eq!(split(&[3, 9], &["a", "b"], u32::MAX), [1, 0]);
        assert_eq!(split(&[], &[], u32::MAX), [0; 0]);
        assert_eq!(split(&[0; 4], &["a", "b", "c", "d"], 2), [0, 1, 0, 1]);
    }

    proptest! {
        #[test]
        fn every_case_is_in_one_part_whatever_the_order_and_parts_are_even(
            frames in prop::collection::vec(0_u64..200, 1..60),
            parts in 1_u32..9,
            turn in 0_usize..60,
        ) {
            let names: Vec<String> = (0..frames.len()).map(|i| format!("case {i}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let split_up = split(&frames, &names, parts);
            prop_assert_eq!(split_up.len(), frames.len());
            prop_assert!(split_up.iter().all(|part| *part < parts));

            let turn = turn % frames.len();
            let (mut turned_frames, mut turned_names) = (frames.clone(), names.clone());
            turned_frames.rotate_left(turn);
            turned_names.rotate_left(turn);
            let mut turned = split(&turned_frames, &turned_names, parts);
            turned.rotate_right(turn);
            prop_assert_eq!(&turned, &split_up);

            let mut loads = vec![0; parts as usize];
            for (part, frames) in split_up.iter().zip(&frames) {
                loads[*part as usize] += (*frames).max(1);
            }
            let all: u64 = loads.iter().sum();
            let bound = all.div_ceil(parts.into()) + frames.iter().max().unwrap().max(&1);
            prop_assert!(loads.iter().all(|load| *load <= bound), "{:?}", loads);
        }
    }
}
