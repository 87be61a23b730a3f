//! JSON that is read to records: its text, its faults with their places, and places of values by the paths of findings; and bytes as
//! hexadecimal digits in it.

use std::collections::HashMap;
use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor,
};
use serde_json::error::Category;

use pchr::finding::offset_of;
use pchr::format::json::{Entries, List, Step, at_damage, inside, steps, words};
use pchr::format::other::{start, without_mark};

/// Largest text in bytes: 256 MiB.
const MOST_BYTES: usize = 256 << 20;

/// A kind of faults that keep a text from being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextFault {
    /// It is too long.
    Limit,
    /// It is not JSON in UTF-8.
    Syntax,
    /// A value has another type than its record.
    Value,
}

/// Reason why a text cannot be read.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub(super) fault: TextFault,
    /// Byte of the text.
    pub(super) at: usize,
    pub(super) path: String,
    pub(super) message: String,
}

impl Unreadable {
    fn document(fault: TextFault, at: usize, message: String) -> Self {
        let path = "document".to_owned();
        Self { fault, at, path, message }
    }
}

/// Returns the text in bytes, which messages about their number call `what`.
pub(super) fn text<'f>(bytes: &'f [u8], what: &str) -> Result<&'f str, Unreadable> {
    if bytes.len() > MOST_BYTES {
        let message = format!("{} {what}, expected at most {MOST_BYTES}", bytes.len());
        return Err(Unreadable::document(TextFault::Limit, 0, message));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let good = error.valid_up_to();
        let byte = bytes.get(good).copied().unwrap_or_default();
        let message = format!("byte {byte:#04x} is not UTF-8, which JSON requires");
        Unreadable::document(TextFault::Syntax, good, message)
    })
}

/// Returns the record of a text. To find the place of a wrong value, the text is read again.
pub(super) fn record<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, Unreadable> {
    serde_json::from_str(text).map_err(|error| {
        let mut found = place_of::<T>(text, &error);
        found.message = at_damage(text, found.at, words(&error));
        found
    })
}

#[cold]
fn place_of<'t, T: Deserialize<'t>>(text: &'t str, error: &serde_json::Error) -> Unreadable {
    let at = offset_of(text.as_bytes(), error.line(), error.column());
    if error.classify() != Category::Data {
        return Unreadable::document(TextFault::Syntax, at, String::new());
    }
    let mut found = Unreadable::document(TextFault::Value, at, String::new());
    let mut json = serde_json::Deserializer::from_str(text);
    if let Err(error) = serde_path_to_error::deserialize::<_, T>(&mut json)
        && error.path().iter().next().is_some()
    {
        let part = inside(text, steps(error.path()));
        found.at = offset_in(text, part);
        found.path = error.path().to_string();
    }
    found
}

fn offset_in(text: &str, part: &str) -> usize {
    part.as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

/// What follows a key.
pub(super) enum AfterKey {
    /// The next key, after the key's value.
    Next,
    /// The keys of the key's value, which is an object.
    Inner,
    Stop,
}

/// Calls `each` with the keys of an object, and with their depth in it, up to one at which it stops, or to damage: text before that is
/// enough to recognise a format.
pub(super) fn each_key(bytes: &[u8], mut each: impl FnMut(usize, &str) -> AfterKey) {
    if start(bytes).starts_with(b"{") {
        let mut json = serde_json::Deserializer::from_slice(without_mark(bytes));
        let _ = EachKey { depth: 0, each: &mut each }.deserialize(&mut json);
    }
}

struct EachKey<'f, F> {
    depth: usize,
    each: &'f mut F,
}

impl<'de, F: FnMut(usize, &str) -> AfterKey> DeserializeSeed<'de> for EachKey<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, F: FnMut(usize, &str) -> AfterKey> Visitor<'de> for EachKey<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { depth, each } = self;
        while let Some(key) = map.next_key::<String>()? {
            match each(depth, &key) {
                AfterKey::Next => _ = map.next_value::<IgnoredAny>()?,
                AfterKey::Inner => {
                    let depth = depth.saturating_add(1);
                    map.next_value_seed(EachKey { depth, each: &mut *each })?;
                }
                AfterKey::Stop => return Err(A::Error::custom("found")),
            }
        }
        Ok(())
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(digit).collect()
}

/// Returns the bytes of pairs of hexadecimal digits.
pub(super) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(hex_byte).collect()
}

/// Returns the byte of two hexadecimal digits.
pub(super) fn hex_byte([high, low]: &[u8; 2]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from((digit(*high)? << 4) | digit(*low)?).ok()
}

/// A text whose objects and lists are cut once, however many places are looked for.
pub(super) struct ValuePlaces<'t> {
    text: &'t str,
    cut: HashMap<usize, Cut<'t>>,
}

/// An object or a list, cut into its values.
enum Cut<'t> {
    Entries(HashMap<String, &'t str>),
    List(Vec<&'t str>),
}

impl<'t> ValuePlaces<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, cut: HashMap::new() }
    }

    /// Returns the byte offset of the innermost existing value on a path like `bones[2].loc[7]`.
    pub(super) fn offset(&mut self, path: &str) -> usize {
        let mut found = self.text;
        for step in steps_of(path) {
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
        offset_in(self.text, found)
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

fn steps_of(path: &str) -> impl Iterator<Item = Step<'_>> {
    path.split(['.', '[']).map(|part| {
        let index = part.strip_suffix(']').and_then(|index| index.parse().ok());
        index.map_or(Step::Key(part), Step::Index)
    })
}
