//! The items of a suite, and the selected ones: `--filter`, `--case`, `--last-failed`, `--shard`.

use std::collections::BTreeSet;

use super::args::TestArgs;
use super::planned::{Planned, SuiteItem};
use super::shard;
use super::unused::Unused;
use crate::run::Failure;
use crate::run::messages::Messages;
use crate::suite::cases::case::Case;
use crate::suite::report::results::{Shard, SuitePlan};
use crate::text::there_are;

/// Keeps the selected items, and folders that could not be read, which may hold selected cases. `failed` are the names for
/// `--last-failed`.
///
/// # Errors
/// [`Failure::Usage`] for names that no item has.
pub(crate) fn keep(
    items: &mut Vec<SuiteItem<'_>>,
    args: &TestArgs,
    failed: Option<&BTreeSet<String>>,
    messages: &Messages,
) -> Result<(), Failure> {
    if let Some(text) = &args.filter {
        filter(items, text)?;
    }
    if !args.case.is_empty() {
        keep_named(items, &args.case)?;
    }
    if let Some(failed) = failed {
        keep_failed(items, failed, messages);
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
        unused: unused.of(&case.name),
        image_bytes: planned.image_bytes,
        failure: planned.failure.as_deref(),
    });
    let mut items: Vec<_> = of_cases.collect();
    items.extend(unused.folders().map(|(name, unused)| SuiteItem {
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

/// Keeps the items with a text in their names.
///
/// # Errors
/// [`Failure::Usage`] if there are none.
fn filter(items: &mut Vec<SuiteItem<'_>>, text: &str) -> Result<(), Failure> {
    let wanted = |item: &SuiteItem<'_>| item.name.contains(text) || is_folder(item);
    if !items.iter().any(wanted) {
        let wrong = format!("no case has {text:?} in its name");
        return Err(no_case(items, &wrong, text));
    }
    items.retain(wanted);
    Ok(())
}

/// Keeps the items of these names.
///
/// # Errors
/// [`Failure::Usage`] if a name has none.
fn keep_named(items: &mut Vec<SuiteItem<'_>>, names: &[String]) -> Result<(), Failure> {
    let absent =
        |name: &&String| (items.iter()).all(|item| item.name != **name && !is_folder(item));
    if let Some(name) = names.iter().find(absent) {
        return Err(no_case(items, &format!("no case is named {name:?}"), name));
    }
    items.retain(|item| is_folder(item) || names.iter().any(|name| item.name == name));
    Ok(())
}

/// Returns true for a folder that could not be read.
fn is_folder(item: &SuiteItem<'_>) -> bool {
    item.case.is_some_and(|case| case.is_folder)
}

fn no_case(items: &[SuiteItem<'_>], wrong: &str, typed: &str) -> Failure {
    let names = items.iter().filter(|item| item.case.is_some());
    let names: Vec<&str> = names.map(|item| item.name).collect();
    let there_are = there_are("cases", typed, names.into_iter());
    Failure::Usage(format!("{wrong}; {there_are}"))
}

/// Keeps the items that failed in the last run; all if none of them did.
fn keep_failed(items: &mut Vec<SuiteItem<'_>>, failed: &BTreeSet<String>, messages: &Messages) {
    let wanted = |item: &SuiteItem<'_>| failed.contains(item.name) || is_folder(item);
    if items.iter().any(wanted) {
        items.retain(wanted);
    } else {
        messages.note("nothing failed in the last run, so all cases run");
    }
}

/// Keeps the items of one part of the suite.
pub(crate) fn keep_part(items: &mut Vec<SuiteItem<'_>>, Shard { index, total }: Shard) {
    let frames: Vec<u64> = items.iter().map(|item| item.frames() as u64).collect();
    let names: Vec<&str> = items.iter().map(|item| item.name).collect();
    let mut parts = shard::split(&frames, &names, total).into_iter();
    items.retain(|_| parts.next() == Some(index - 1));
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
                let options = case.options.settings().assignments();
                options.for_each(|option| add(&option));
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
