//! Items of a run: the selected cases, and the part (shard) of them: `--shard I/N`, or variables of a scheduler.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::str::FromStr;

use super::source::Planned;
use super::unused_baselines::Unused;
use super::{SuiteItem, TestArgs};
use crate::run::Failure;
use crate::run::messages::Messages;
use crate::suite::cases::Case;
use crate::suite::report::{Shard, SuitePlan};
use crate::text::there_are;

/// Keeps the selected items, and folders that could not be read, which may hold selected cases. `failed` are the names for
/// `--last-failed`; if none of them is there, all are kept.
///
/// # Errors
/// [`Failure::Usage`] for names that no item has.
pub(crate) fn keep(
    items: &mut Vec<SuiteItem<'_>>,
    args: &TestArgs,
    failed: Option<&BTreeSet<String>>,
    messages: &Messages,
) -> Result<(), Failure> {
    let is_folder = |item: &SuiteItem<'_>| item.case.is_some_and(|case| case.is_folder);
    if let Some(text) = &args.filter {
        let wanted = |item: &SuiteItem<'_>| item.name.contains(text) || is_folder(item);
        if !items.iter().any(wanted) {
            return Err(no_case(items, &format!("no case has {text:?} in its name"), text));
        }
        items.retain(wanted);
    }
    if !args.case.is_empty() {
        let is_named = |item: &SuiteItem<'_>, name: &str| item.name == name || is_folder(item);
        let absent = |name: &&String| !items.iter().any(|item| is_named(item, name));
        if let Some(name) = args.case.iter().find(absent) {
            return Err(no_case(items, &format!("no case is named {name:?}"), name));
        }
        items.retain(|item| args.case.iter().any(|name| is_named(item, name)));
    }
    if let Some(failed) = failed {
        let wanted = |item: &SuiteItem<'_>| failed.contains(item.name) || is_folder(item);
        if items.iter().any(wanted) {
            items.retain(wanted);
        } else {
            messages.note("nothing failed in the last run, so all cases run");
        }
    }
    Ok(())
}

/// Returns all items of a suite, sorted by name.
pub(crate) fn items<'a>(
    cases: &'a [Case],
    planned: &'a [Planned],
    unused: &'a Unused,
) -> Vec<SuiteItem<'a>> {
    let of_cases = cases.iter().zip(planned).map(|(case, planned)| SuiteItem {
        name: &case.name,
        case: Some(case),
        names: &planned.names,
        unused: unused.of_cases.get(&case.name).map_or(&[][..], Vec::as_slice),
        image_bytes: planned.image_bytes,
        failure: planned.failure.as_deref(),
    });
    let mut items: Vec<_> = of_cases.collect();
    items.extend(unused.folders.iter().map(|(name, unused)| SuiteItem {
        name,
        case: None,
        names: &[],
        unused,
        image_bytes: 0,
        failure: None,
    }));
    items.sort_by_key(|item| item.name);
    items
}

fn no_case(items: &[SuiteItem<'_>], wrong: &str, typed: &str) -> Failure {
    let names = items.iter().filter(|item| item.case.is_some());
    let names: Vec<&str> = names.map(|item| item.name).collect();
    let there_are = there_are("cases", typed, names.into_iter());
    Failure::Usage(format!("{wrong}; {there_are}"))
}

impl SuitePlan {
    /// Returns the plan of the items of all parts together.
    pub(crate) fn of(items: &[SuiteItem<'_>], filter: Option<&str>) -> Self {
        let mut frames = 0;
        // FNV-1a of all texts and their ends: the same on every machine.
        let mut digest = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |text: &str| {
            for byte in text.bytes().chain([0]) {
                digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        for item in items {
            frames += item.frames() as u64;
            add(item.name);
            if let Some(case) = item.case {
                add(&case.file);
                case.options.settings.assignments().for_each(|option| add(&option));
            }
            item.names.iter().for_each(|name| add(name));
        }
        Self {
            filter: filter.map(str::to_owned),
            cases: items.len() as u64,
            frames,
            digest: format!("{digest:016x}"),
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

/// Keeps the cases of a part.
pub(crate) fn keep_part(items: &mut Vec<SuiteItem<'_>>, Shard { index, total }: Shard) {
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
pub(crate) fn chosen_shard(
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
