//! Selected part of a suite: `--filter`, `--case`, `--last-failed`, `--shard`.

use std::collections::BTreeSet;

use super::cases::Case;
use super::item::Item;
use super::planned::Planned;
use super::results::Shard;
use super::shard;
use super::unused::Unused;
use crate::run::Failure;
use crate::run::messages::Messages;
use crate::text::there_are;

/// Selected part of a suite.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    /// Text in the names of cases.
    pub(crate) filter: Option<String>,
    /// Names of cases; all if empty.
    pub(crate) cases: Vec<String>,
    /// True to select cases that failed in the last run.
    pub(crate) last_failed: bool,
    /// The part of the suite.
    pub(crate) shard: Option<Shard>,
    /// Number of parts, if the environment gives the index.
    pub(crate) shard_total: Option<u32>,
}

impl Selection {
    /// Keeps the selected items, and folders that could not be read, which may hold selected cases. `failed` are the names for `--last-failed`.
    ///
    /// # Errors
    /// [`Failure::Usage`] for names that no item has.
    pub(super) fn keep(
        &self,
        items: &mut Vec<Item<'_>>,
        failed: Option<&BTreeSet<String>>,
        messages: &Messages,
    ) -> Result<(), Failure> {
        if let Some(text) = &self.filter {
            filter(items, text)?;
        }
        if !self.cases.is_empty() {
            keep_named(items, &self.cases)?;
        }
        if let Some(failed) = failed {
            keep_failed(items, failed, messages);
        }
        Ok(())
    }
}

/// Returns all items of a suite, sorted by name.
pub(super) fn items<'a>(
    cases: &'a [Case],
    planned: &'a [Planned],
    unused: &'a Unused,
) -> Vec<Item<'a>> {
    let of_cases = cases.iter().zip(planned).map(|(case, planned)| Item {
        name: &case.name,
        case: Some(case),
        names: &planned.names,
        unused: unused.of(&case.name),
        image_bytes: planned.image_bytes,
        failure: planned.failure.as_deref(),
    });
    let mut items: Vec<_> = of_cases.collect();
    items.extend(unused.folders().map(|(name, unused)| Item {
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
fn filter(items: &mut Vec<Item<'_>>, text: &str) -> Result<(), Failure> {
    let wanted = |item: &Item<'_>| item.name.contains(text) || is_folder(item);
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
fn keep_named(items: &mut Vec<Item<'_>>, names: &[String]) -> Result<(), Failure> {
    let absent =
        |name: &&String| (items.iter()).all(|item| item.name != **name && !is_folder(item));
    if let Some(name) = names.iter().find(absent) {
        return Err(no_case(items, &format!("no case is named {name:?}"), name));
    }
    items.retain(|item| is_folder(item) || names.iter().any(|name| item.name == name));
    Ok(())
}

/// Returns true for a folder that could not be read.
fn is_folder(item: &Item<'_>) -> bool {
    item.case.is_some_and(|case| case.is_folder)
}

fn no_case(items: &[Item<'_>], wrong: &str, typed: &str) -> Failure {
    let names = items.iter().filter(|item| item.case.is_some());
    let names: Vec<&str> = names.map(|item| item.name).collect();
    let there_are = there_are("cases", typed, names.into_iter());
    Failure::Usage(format!("{wrong}; {there_are}"))
}

/// Keeps the items that failed in the last run; all if none of them did.
fn keep_failed(items: &mut Vec<Item<'_>>, failed: &BTreeSet<String>, messages: &Messages) {
    let wanted = |item: &Item<'_>| failed.contains(item.name) || is_folder(item);
    if items.iter().any(wanted) {
        items.retain(wanted);
    } else {
        messages.note("nothing failed in the last run, so all cases run");
    }
}

/// Keeps the items of one part of the suite.
pub(super) fn keep_part(items: &mut Vec<Item<'_>>, Shard { index, total }: Shard) {
    let frames: Vec<u64> = items.iter().map(|item| item.frames() as u64).collect();
    let names: Vec<&str> = items.iter().map(|item| item.name).collect();
    let mut parts = shard::split(&frames, &names, total).into_iter();
    items.retain(|_| parts.next() == Some(index - 1));
}
