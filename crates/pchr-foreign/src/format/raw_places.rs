//! Finds the places of values in a text by the paths of findings.

use std::collections::HashMap;

use pchr::format::raw_json::{Entries, List, Step};

/// A text whose objects and lists are cut once, however many places are looked for.
pub(super) struct Places<'t> {
    text: &'t str,
    cut: HashMap<usize, Cut<'t>>,
}

/// An object or a list, cut into its values.
enum Cut<'t> {
    Entries(HashMap<String, &'t str>),
    List(Vec<&'t str>),
}

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            cut: HashMap::new(),
        }
    }

    /// Returns the byte offset of the innermost existing value on a path like `bones[2].loc[7]`.
    pub(super) fn offset(&mut self, path: &str) -> usize {
        let mut found = self.text;
        for step in steps(path) {
            let cut = self.cut.entry(found.as_ptr().addr());
            let cut = cut.or_insert_with(|| Cut::new(found, step));
            match cut.get(step) {
                Some(next) => found = next,
                None => break,
            }
        }
        if found.len() == self.text.len() {
            return 0; // white space before the document does not count
        }
        found
            .as_ptr()
            .addr()
            .saturating_sub(self.text.as_ptr().addr())
    }
}

impl<'t> Cut<'t> {
    /// Cuts a value of the kind that a step leads into.
    fn new(raw: &'t str, step: Step<'_>) -> Self {
        match step {
            Step::Key(_) => {
                let Entries(entries) = serde_json::from_str(raw).unwrap_or_default();
                let entries = entries.into_iter().map(|(key, raw)| (key, raw.get()));
                Self::Entries(entries.collect())
            }
            Step::Index(_) => {
                let List(list) = serde_json::from_str(raw).unwrap_or_default();
                Self::List(list.into_iter().map(|raw| raw.get()).collect())
            }
        }
    }

    fn get(&self, step: Step<'_>) -> Option<&'t str> {
        match (self, step) {
            (Self::Entries(entries), Step::Key(key)) => entries.get(key).copied(),
            (Self::List(list), Step::Index(index)) => list.get(index).copied(),
            _ => None,
        }
    }
}

/// Returns the steps of a path.
fn steps(path: &str) -> impl Iterator<Item = Step<'_>> {
    path.split(['.', '[']).map(|part| {
        let index = part.strip_suffix(']').and_then(|index| index.parse().ok());
        index.map_or(Step::Key(part), Step::Index)
    })
}
