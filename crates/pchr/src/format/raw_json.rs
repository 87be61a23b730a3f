//! Objects and lists cut into raw values, so that each has its place in the text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A step into a value.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// To the value of a key.
    Key(&'a str),
    /// To an element.
    Index(usize),
}

/// Returns the innermost value on a path that begins in a value.
pub fn inside<'t, 'p>(raw: &'t str, path: impl IntoIterator<Item = Step<'p>>) -> &'t str {
    let mut found = raw;
    for step in path {
        match step_into(found, step) {
            Some(next) => found = next,
            None => break,
        }
    }
    found
}

fn step_into<'t>(raw: &'t str, step: Step<'_>) -> Option<&'t str> {
    let next = match step {
        Step::Key(key) => {
            let Entries(entries) = serde_json::from_str(raw).ok()?;
            let mut entries = entries.into_iter().rev();
            entries.find(|(name, _)| name == key).map(|(_, raw)| raw)
        }
        Step::Index(index) => {
            let List(list) = serde_json::from_str(raw).ok()?;
            list.into_iter().nth(index)
        }
    };
    next.map(RawValue::get)
}

/// Returns the steps of a path that serde tracked.
pub fn steps(path: &serde_path_to_error::Path) -> impl Iterator<Item = Step<'_>> {
    use serde_path_to_error::Segment;
    path.iter().map_while(|segment| match segment {
        Segment::Map { key } => Some(Step::Key(key)),
        Segment::Seq { index } => Some(Step::Index(*index)),
        Segment::Enum { .. } | Segment::Unknown => None,
    })
}

/// Returns the message of an error without the parser's line and column, because the finding has its own.
pub fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text.get(..end).unwrap_or_default().to_owned()
}

/// The keys of an object with their values, in order.
#[derive(Debug, Default)]
pub struct Entries<'t>(pub Vec<(String, &'t RawValue)>);

impl<'t> Deserialize<'t> for Entries<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;

        impl<'t> Visitor<'t> for EntriesVisitor {
            type Value = Entries<'t>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Entries<'t>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(EntriesVisitor)
    }
}

/// The elements of a list.
#[derive(Debug, Default, serde::Deserialize)]
pub struct List<'t>(#[serde(borrow)] pub Vec<&'t RawValue>);
