//! File formats, recognised by content.
//!
//! PCHR v1 is always read. The feature `json` adds both JSON dialects and legacy packed files.
#![deny(clippy::arithmetic_side_effects)]

#[cfg(feature = "json")]
pub mod json;
pub mod legacy;
mod losses;
#[doc(hidden)]
pub mod other;
pub mod pchr;
#[cfg(feature = "json")]
#[doc(hidden)]
pub mod raw_json;
mod sidecar;

use std::borrow::Cow;

use crate::bytes::{Budget, Reader};
use crate::document::{Document, PchrRule};
#[cfg(feature = "json")]
use crate::finding::Finding;
use crate::finding::{Findings, Invalid};

pub use losses::{Loss, Losses, MovementError};
pub use sidecar::{Companion, NoSidecars, SidecarError, Sidecars};

/// Reads a file that needs no others, of any format that is known: PCHR v1, and with the feature `json` also JSON and legacy packed
/// files; see [`read_with`].
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Document, Invalid> {
    read_with(bytes, &mut NoSidecars)
}

/// Reads a file of any format that is known, recognised by its content: PCHR v1, and with the feature `json` also JSON and legacy packed
/// files. `sidecars` gives the images that a JSON file names.
///
/// The bytes are kept in the document: pass a `Vec<u8>` that was read, or a `&'static [u8]` that is embedded.
/// Images are not decoded, except those that become raw pixels, within [`Budget::DEFAULT`].
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read_with(
    bytes: impl Into<Cow<'static, [u8]>>,
    sidecars: &mut dyn Sidecars,
) -> Result<Document, Invalid> {
    match read_source(bytes.into(), sidecars, &Budget::default()) {
        Ok((document, _)) => Ok(document),
        Err((invalid, _)) => Err(invalid),
    }
}

/// A document with the origin of its findings, or its faults and the bytes that were read.
pub type Sourced = Result<(Document, Origin), (Invalid, Cow<'static, [u8]>)>;

/// Reads a file within a budget. Also returns the origin for rewording later findings: those of decoded images, or of a bind pose.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error, and the bytes back.
pub fn read_source(
    bytes: Cow<'static, [u8]>,
    #[cfg_attr(not(feature = "json"), expect(unused_variables, reason = "only JSON names files"))]
    sidecars: &mut dyn Sidecars,
    budget: &Budget,
) -> Sourced {
    #[cfg(feature = "json")]
    if json::looks_like_json(&bytes) {
        return from_text(bytes, |bytes| json::read(bytes, sidecars, budget));
    }
    let as_legacy = |bytes| from_text(bytes, |bytes| legacy::read(bytes, budget));
    let is_legacy = is_legacy(&bytes);
    match pchr::read(bytes) {
        Ok(document) if !is_legacy || !legacy::holds_json(document.bytes()) => {
            Ok((document, Origin::default()))
        }
        Ok(document) => as_legacy(document.bytes().to_vec().into()),
        Err((_, bytes)) if is_legacy || looks_legacy(&bytes) => as_legacy(bytes),
        Err((invalid, bytes)) => Err((named(invalid, &bytes), bytes)),
    }
}

/// Reads a document from bytes that are kept for their text.
fn from_text(
    bytes: Cow<'static, [u8]>,
    read: impl FnOnce(&[u8]) -> Result<Document, Invalid>,
) -> Sourced {
    match read(&bytes) {
        Ok(document) => Ok((document, Origin::text(bytes))),
        Err(invalid) => Err((invalid, bytes)),
    }
}

/// Names the kind of a file, if it is a known other kind.
fn named(invalid: Invalid, bytes: &[u8]) -> Invalid {
    const PCHR: &str = "PCHR v1 (starts with \"PCHR\")";
    const JSON: &str = ", PCHR JSON or Pachario JSON";
    let json = if cfg!(feature = "json") { JSON } else { "" };
    if bytes.starts_with(&pchr::MAGIC) {
        return invalid;
    }
    let message = if cfg!(not(feature = "json")) && other::start(bytes).starts_with(b"{") {
        "JSON, but this program was built without the feature json".to_owned()
    } else if let Some(name) = other::name(bytes) {
        format!("{name}; expected {PCHR}{json}")
    } else {
        return invalid;
    };
    let mut findings = Findings::default();
    findings.add(PchrRule::Magic, 0, || "magic".into(), || message);
    Invalid(findings)
}

/// Source of a document, kept for findings that come later. A text is kept whole: drop this when nothing more is
/// looked for in it. Of PCHR v1 nothing is kept, since the document has the bytes.
#[derive(Debug, Default)]
pub struct Origin {
    #[cfg(feature = "json")]
    text: Cow<'static, [u8]>,
    /// Places of the images in the text, located when the first finding about an image needs them.
    #[cfg(feature = "json")]
    images: std::sync::OnceLock<self::json::ImagePlaces>,
}

impl Origin {
    /// Creates the origin from the file with the text of a document.
    #[cfg(feature = "json")]
    fn text(text: Cow<'static, [u8]>) -> Self {
        Self { text, ..Self::default() }
    }

    /// Creates an empty origin: without the feature there is no other wording.
    #[cfg(not(feature = "json"))]
    fn text(_text: Cow<'static, [u8]>) -> Self {
        Self::default()
    }

    /// Converts findings about the document to findings about the file, with its terms and lines.
    #[must_use]
    #[cfg(feature = "json")]
    pub fn in_words(&self, document: &Document, found: Findings) -> Findings {
        use self::json::{ImagePlaces, in_file};
        if self.text.is_empty() || found.is_empty() {
            return found;
        }
        let (source, count) = (document.source(), document.images().len());
        let find = || ImagePlaces::find(&self.text, source, count);
        let of_images = |finding: &Finding| finding.path.starts_with("images[");
        let placed = if found.iter().all(of_images) {
            self.images.get_or_init(find).place(&found, source)
        } else {
            None
        };
        placed.unwrap_or_else(|| in_file(&self.text, source, found))
    }

    /// Returns the findings unchanged: PCHR v1 has no other wording.
    #[must_use]
    #[cfg(not(feature = "json"))]
    pub fn in_words(&self, _document: &Document, found: Findings) -> Findings {
        found
    }
}

/// Bytes before the JSON of a legacy packed file: magic, version, and two lengths.
const LEGACY_HEADER: usize = 16;

/// Returns the two lengths in the header of a legacy packed file, if it has the magic and the version.
fn legacy_lengths(bytes: &[u8]) -> Option<(u64, u64)> {
    let mut reader = Reader::new(bytes);
    let magic = reader.bytes(4).ok()? == pchr::MAGIC;
    let version = reader.u32().ok()? == pchr::VERSION;
    let (json, image) = (reader.u32().ok()?, reader.u32().ok()?);
    (magic && version).then_some((json.into(), image.into()))
}

/// Returns true if JSON seems to start behind the header of a legacy packed file.
fn has_brace(bytes: &[u8]) -> bool {
    other::start(bytes.get(LEGACY_HEADER..).unwrap_or_default()).starts_with(b"{")
}

/// Returns true if the lengths in the header of a legacy packed file add up to the file's size.
fn adds_up(bytes: &[u8]) -> bool {
    let size = legacy_lengths(bytes)
        .map(|(json, image)| (LEGACY_HEADER as u64).saturating_add(json).saturating_add(image));
    size == Some(bytes.len() as u64)
}

/// Returns true if the file appears to be legacy packed: JSON seems to start, and the lengths add up to the file's size.
fn is_legacy(bytes: &[u8]) -> bool {
    adds_up(bytes) && has_brace(bytes)
}

/// Returns the JSON of a legacy packed file, with the length that the header states.
#[cfg(feature = "json")]
fn legacy_json(bytes: &[u8]) -> Option<&[u8]> {
    let (json, _) = legacy_lengths(bytes)?;
    let text = bytes.get(LEGACY_HEADER..)?;
    text.get(..usize::try_from(json).ok()?)
}

/// Returns true if a file that is not v1 seems to be a damaged legacy packed file: one of the two signs is enough.
fn looks_legacy(bytes: &[u8]) -> bool {
    adds_up(bytes) || (legacy_lengths(bytes).is_some() && has_brace(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs are often built without some of the features: the error says which one is missing.
    #[test]
    fn json_without_its_feature_names_the_feature() {
        for text in ["{\"version\": 1}", "\u{feff}\n {"] {
            let said = read(text.as_bytes().to_vec()).unwrap_err().to_string();
            let named = said.contains("JSON, but this program was built without the feature json");
            assert_eq!(named, cfg!(not(feature = "json")), "{said}");
            let is_magic = said.contains("PCHR-E001");
            assert_eq!(is_magic, cfg!(not(feature = "json")), "{said}");
        }
        let said = read(b"\x89PNG\r\n".to_vec()).unwrap_err().to_string();
        assert_eq!(said.contains("PCHR JSON"), cfg!(feature = "json"), "{said}");
    }
}
