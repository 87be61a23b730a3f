//! Places of values in a text, by the paths that findings have.

use std::collections::HashMap;

use crate::format::raw_json::{Entries, List, Step, inside};

/// A text that is cut once, however many places are looked for.
pub(super) struct Places<'t> {
    text: &'t str,
    values: HashMap<String, &'t str>,
    lists: HashMap<&'t str, Vec<&'t str>>,
}

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let Entries(entries) = serde_json::from_str(text).unwrap_or_default();
        let entries = entries.into_iter();
        Self {
            text,
            values: entries.map(|(key, raw)| (key, raw.get())).collect(),
            lists: HashMap::new(),
        }
    }

    /// Byte offset of the innermost value on a path like `bones[2].loc[7]` that the text has.
    pub(super) fn offset(&mut self, path: &str) -> usize {
        let mut steps = steps(path);
        let found = match steps.next() {
            Some(Step::Key(key)) => match self.values.get(key) {
                Some(value) => *value,
                None => return 0,
            },
            _ => return 0,
        };
        let found = match steps.next() {
            Some(Step::Index(index)) => {
                let list = self.lists.entry(found).or_insert_with(|| {
                    let List(list) = serde_json::from_str(found).unwrap_or_default();
                    list.into_iter().map(|raw| raw.get()).collect()
                });
                list.get(index)
                    .map_or(found, |element| inside(element, steps))
            }
            Some(step) => inside(found, std::iter::once(step).chain(steps)),
            None => found,
        };
        found
            .as_ptr()
            .addr()
            .saturating_sub(self.text.as_ptr().addr())
    }
}

/// Steps of a path in words.
fn steps(path: &str) -> impl Iterator<Item = Step<'_>> {
    path.split(['.', '[']).map(|part| {
        let index = part.strip_suffix(']').and_then(|index| index.parse().ok());
        index.map_or(Step::Key(part), Step::Index)
    })
}
