//! The older layout with the same magic and version: a 16-byte header, JSON, and one PNG.
//!
//! It is told apart by its two lengths, because a v1 file may well have `{` at byte 16, in an image's name.

use crate::bytes::Reader;
use crate::document::{Findings, Rule};

const HEADER: u64 = 16;

/// The two lengths of the header, if it has the magic and the version.
fn lengths(bytes: &[u8]) -> Option<(u64, u64)> {
    let mut reader = Reader::new(bytes);
    let magic = reader.bytes(4).ok()? == super::pchr::MAGIC;
    let version = reader.u32().ok()? == super::pchr::VERSION;
    let (json, image) = (reader.u32().ok()?, reader.u32().ok()?);
    (magic && version).then_some((json.into(), image.into()))
}

/// Whether JSON seems to start behind the header.
pub(super) fn looks_legacy(bytes: &[u8]) -> bool {
    let text = bytes.get(16..).unwrap_or_default();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
    first == Some(&b'{') && lengths(bytes).is_some()
}

/// Whether the file is of this layout: JSON seems to start, and the lengths add up to the file's size.
pub(super) fn is_legacy(bytes: &[u8]) -> bool {
    let size =
        lengths(bytes).map(|(json, image)| HEADER.saturating_add(json).saturating_add(image));
    size == Some(bytes.len() as u64) && looks_legacy(bytes)
}

/// Says why the file is not loaded.
pub(super) fn refuse(bytes: &[u8], findings: &mut Findings) {
    let Some((json, image)) = lengths(bytes) else {
        return;
    };
    let left = (bytes.len() as u64).saturating_sub(HEADER);
    if json > left {
        let message = || format!("{json} bytes of JSON, but {left} bytes follow the header");
        findings.add(
            Rule::LegacyLength,
            8,
            || "legacy.jsonLength".into(),
            message,
        );
    } else if json.saturating_add(image) != left {
        let message = || {
            format!(
                "{image} bytes of image, but {} bytes follow the JSON",
                left.saturating_sub(json)
            )
        };
        findings.add(
            Rule::LegacyLength,
            12,
            || "legacy.imageLength".into(),
            message,
        );
    } else {
        let message =
            || "a legacy packed file (JSON and PNG in one); this program reads PCHR v1".into();
        findings.add(Rule::LegacyPacked, HEADER, || "legacy.json".into(), message);
    }
}
