//! Objects and lists cut into raw values, so that each has its place in the text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The innermost value on a path that begins in a value.
pub(super) fn inside<'t>(raw: &'t str, path: &serde_path_to_error::Path) -> Option<&'t str> {
    use serde_path_to_error::Segment;
    let mut found = raw;
    for segment in path {
        let next = match segment {
            Segment::Map { key } => {
                let Entries(entries) = serde_json::from_str(found).ok()?;
                let mut entries = entries.into_iter().rev();
                entries.find(|(name, _)| name == key).map(|(_, raw)| raw)
            }
            Segment::Seq { index } => {
                let List(list) = serde_json::from_str(found).ok()?;
                list.into_iter().nth(*index)
            }
            Segment::Enum { .. } | Segment::Unknown => None,
        };
        match next {
            Some(next) => found = next.get(),
            None => break,
        }
    }
    Some(found)
}

/// Message of an error, without the line and column of the parser: the finding has its own.
pub(super) fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text.get(..end).unwrap_or_default().to_owned()
}

/// The keys of an object with their values, in order.
#[derive(Default)]
pub(super) struct Entries<'t>(pub(super) Vec<(String, &'t RawValue)>);

impl<'t> Deserialize<'t> for Entries<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;

        impl<'t> Visitor<'t> for Each {
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

        deserializer.deserialize_map(Each)
    }
}

/// The elements of a list.
#[derive(Default, serde::Deserialize)]
pub(super) struct List<'t>(#[serde(borrow)] pub(super) Vec<&'t RawValue>);
