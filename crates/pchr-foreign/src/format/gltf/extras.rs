//! Our own values in `extras`, which glTF cannot express otherwise.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::record::{Extras, Path};
use crate::motion::{Name, Note};

/// Name of the node above all bones if it carries root motion.
pub(super) const ROOT_MOTION: &str = "root motion";

/// Extras of a node.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NodeExtras {
    /// True if the node is above all bones and is not a bone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) above: bool,
    /// Bytes of a name that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name_hex: Option<String>,
}

/// Extras of an animation.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClipExtras {
    pub(super) rate: f32,
    pub(super) frame_count: u32,
    #[serde(default, rename = "loop")]
    pub(super) looped: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<NoteExtras>,
    /// Channels of root motion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) root: Option<Vec<Path>>,
}

/// A note.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoteExtras {
    pub(super) frame: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name_hex: Option<String>,
}

impl NoteExtras {
    pub(super) fn new(note: &Note) -> Self {
        let (name, name_hex) = said(&note.name);
        Self {
            frame: note.frame,
            name,
            name_hex,
        }
    }

    pub(super) fn note(&self) -> Note {
        Note {
            frame: self.frame,
            name: named(self.name.as_deref(), self.name_hex.as_deref()),
            offset: 0,
        }
    }
}

/// Returns a name as text, or else as hexadecimal digits.
pub(super) fn said(name: &Name) -> (Option<String>, Option<String>) {
    match std::str::from_utf8(name.as_bytes()) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(hex(name.as_bytes()))),
    }
}

/// Returns the name from its digits, if they are valid, or else from its text.
pub(super) fn named(text: Option<&str>, digits: Option<&str>) -> Name {
    match digits.and_then(bytes_of) {
        Some(bytes) => Name::from(bytes.as_slice()),
        None => Name::from(text.unwrap_or_default()),
    }
}

/// The value under our key.
#[derive(Deserialize, Serialize)]
struct Ours<T> {
    pchr: T,
}

#[derive(Deserialize)]
struct Key<'t> {
    #[serde(borrow)]
    pchr: Option<&'t RawValue>,
}

/// Returns our part of extras: `None` if there is none, an error in words if it is not in our form.
pub(super) fn ours<'t, T: Deserialize<'t>>(extras: &'t Extras) -> Option<Result<T, String>> {
    let key: Key<'t> = serde_json::from_str(extras.as_ref()?.get()).ok()?;
    let value = serde_json::from_str(key.pchr?.get());
    Some(value.map_err(|error| pchr::format::raw_json::words(&error)))
}

/// Returns extras with our part only.
pub(super) fn extras<T: Serialize>(value: T) -> Extras {
    serde_json::value::to_raw_value(&Ours { pchr: value }).ok()
}

fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(digit).collect()
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| match std::str::from_utf8(pair) {
        Ok(text) if pair.len() == 2 => u8::from_str_radix(text, 16).ok(),
        _ => None,
    };
    pairs.map(byte).collect()
}
