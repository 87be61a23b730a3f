//! Header of the older layout, and the signs that identify it: magic, version, and two lengths.

use super::other::start;
use crate::bytes::Reader;

/// Bytes before the JSON.
pub(super) const HEADER: usize = 16;

/// Returns the two lengths of the header, if it has the magic and the version.
pub(super) fn lengths(bytes: &[u8]) -> Option<(u64, u64)> {
    let mut reader = Reader::new(bytes);
    let magic = reader.bytes(4).ok()? == super::pchr::MAGIC;
    let version = reader.u32().ok()? == super::pchr::VERSION;
    let (json, image) = (reader.u32().ok()?, reader.u32().ok()?);
    (magic && version).then_some((json.into(), image.into()))
}

/// Returns true if JSON seems to start behind the header.
fn has_brace(bytes: &[u8]) -> bool {
    start(bytes.get(HEADER..).unwrap_or_default()).starts_with(b"{")
}

/// Returns true if the lengths add up to the file's size.
fn adds_up(bytes: &[u8]) -> bool {
    let size = lengths(bytes)
        .map(|(json, image)| (HEADER as u64).saturating_add(json).saturating_add(image));
    size == Some(bytes.len() as u64)
}

/// Returns true if the file appears to have this layout: JSON seems to start, and the lengths add up to the file's size.
pub(super) fn is_legacy(bytes: &[u8]) -> bool {
    adds_up(bytes) && has_brace(bytes)
}

/// Returns the JSON, with the length that the header states.
#[cfg(feature = "json")]
pub(super) fn json_part(bytes: &[u8]) -> Option<&[u8]> {
    let (json, _) = lengths(bytes)?;
    let text = bytes.get(HEADER..)?;
    text.get(..usize::try_from(json).ok()?)
}

/// Returns true if a file that is not v1 seems to be a damaged legacy packed file: one of the two signs is enough.
pub(super) fn looks_legacy(bytes: &[u8]) -> bool {
    adds_up(bytes) || (lengths(bytes).is_some() && has_brace(bytes))
}
