//! File formats, recognised by content; the companion files that a file names, and what a conversion loses.
//!
//! PCHR v1 is always read. The feature `json` adds both JSON dialects and legacy packed files.
#![deny(clippy::arithmetic_side_effects)]

#[cfg(feature = "json")]
pub mod json;
pub mod legacy;
#[doc(hidden)]
pub mod other;
pub mod pchr;

use std::borrow::Cow;
use std::fmt;

use crate::bytes::{Budget, Reader};
use crate::document::{Document, PchrRule};
#[cfg(feature = "json")]
use crate::finding::Finding;
use crate::finding::{Findings, Invalid};

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
    let [adds_up, has_brace] = legacy_signs(&bytes);
    let is_legacy = adds_up && has_brace;
    match pchr::read(bytes) {
        Ok(document) if !is_legacy || !legacy::holds_json(document.bytes()) => {
            Ok((document, Origin::default()))
        }
        Ok(document) => as_legacy(document.bytes().to_vec().into()),
        // Of a file that is damaged one of the two signs is enough.
        Err((_, bytes)) if adds_up || has_brace => as_legacy(bytes),
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
    findings.add(PchrRule::Magic, 0, "magic", || message);
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

    /// Converts findings about the document to findings about the file, with its terms and lines. PCHR v1 has no other wording.
    #[must_use]
    pub fn in_words(&self, document: &Document, found: Findings) -> Findings {
        #[cfg(feature = "json")]
        if !self.text.is_empty() && !found.is_empty() {
            let (source, count) = (document.source(), document.images().len());
            let find = || json::ImagePlaces::find(&self.text, source, count);
            let of_images = |finding: &Finding| finding.path.starts_with("images[");
            let placed = if found.iter().all(of_images) {
                self.images.get_or_init(find).place(&found, source)
            } else {
                None
            };
            return placed.unwrap_or_else(|| json::in_file(&self.text, source, found));
        }
        let _ = document;
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

/// Returns the two signs of a legacy packed file: if the lengths in its header add up to the file's size, and if JSON seems to start
/// behind the header.
fn legacy_signs(bytes: &[u8]) -> [bool; 2] {
    let Some((json, image)) = legacy_lengths(bytes) else {
        return [false; 2];
    };
    let size = (LEGACY_HEADER as u64).saturating_add(json).saturating_add(image);
    let text = other::start(bytes.get(LEGACY_HEADER..).unwrap_or_default());
    [size == bytes.len() as u64, text.starts_with(b"{")]
}

/// Returns the JSON of a legacy packed file, with the length that the header states.
#[cfg(feature = "json")]
fn legacy_json(bytes: &[u8]) -> Option<&[u8]> {
    let (json, _) = legacy_lengths(bytes)?;
    let text = bytes.get(LEGACY_HEADER..)?;
    text.get(..usize::try_from(json).ok()?)
}

/// Reason why an image file is missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SidecarError {
    /// Its path leaves the folder of the JSON file.
    #[error("the path leads outside the folder of the JSON file; allow this with --allow-outside")]
    Outside,
    /// It is not the one image that a legacy packed file holds.
    #[error("a legacy packed file holds one image")]
    NotOne,
    /// In words.
    #[error("{0}")]
    Unreadable(String),
    /// It may be there, but the system cannot read it; in words.
    #[error("{0}")]
    Failed(String),
}

/// A file that is shown with another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Companion {
    /// Its name, without folder.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Source of companion files.
///
/// A function from a path to bytes is one, so files may come from an archive, a cache or the network:
///
/// ```
/// # use std::collections::HashMap;
/// # use pchr::{document::Document, finding::Invalid, format};
/// # fn load(json: Vec<u8>, archive: &HashMap<String, Vec<u8>>) -> Result<Document, Invalid> {
/// format::read_with(json, &mut |path: &str| archive.get(path).cloned().ok_or("not in the archive"))
/// # }
/// # assert!(load(b"{}".to_vec(), &HashMap::new()).is_err());
/// ```
pub trait Sidecars {
    /// Returns the bytes of the file at `path`, as written in the JSON file: by an untrusted author, so it may lead out of its folder.
    ///
    /// # Errors
    /// [`SidecarError`] if there are none.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError>;

    /// Returns the name of the file itself, without folder; empty if it has none.
    fn name(&self) -> String {
        String::new()
    }

    /// Returns the skeleton selected for a motion.
    ///
    /// # Errors
    /// [`SidecarError`] if it cannot be read.
    fn chosen_skeleton(&mut self) -> Result<Option<Companion>, SidecarError> {
        Ok(None)
    }

    /// Returns the skeleton beside a motion that numbers its bones, if it is unambiguous.
    ///
    /// # Errors
    /// [`SidecarError`] if it cannot be read.
    fn skeleton_beside(&mut self) -> Result<Option<Companion>, SidecarError> {
        Ok(None)
    }

    /// Returns the skeleton of a motion for which none was selected and which has none beside it. `tracks` is the number of tracks of
    /// a motion that numbers its bones.
    ///
    /// # Errors
    /// [`SidecarError`] if it cannot be read.
    fn offered_skeleton(
        &mut self,
        tracks: Option<usize>,
    ) -> Result<Option<Companion>, SidecarError> {
        let _ = tracks;
        Ok(None)
    }

    /// Returns the motions that were selected to be shown too.
    ///
    /// # Errors
    /// [`SidecarError`] if one of them cannot be read.
    fn chosen_motions(&mut self) -> Result<Vec<Companion>, SidecarError> {
        Ok(Vec::new())
    }

    /// Returns the skeleton beside a selected motion that numbers its bones, if it is unambiguous. `motion` is its index in
    /// [`chosen_motions`](Self::chosen_motions).
    ///
    /// # Errors
    /// [`SidecarError`] if it cannot be read.
    fn skeleton_of_motion(&mut self, motion: usize) -> Result<Option<Companion>, SidecarError> {
        let _ = motion;
        Ok(None)
    }
}

impl<F, E> Sidecars for F
where
    F: FnMut(&str) -> Result<Vec<u8>, E>,
    E: fmt::Display,
{
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        let unreadable = |error| SidecarError::Unreadable(format!("{path:?}: {error}"));
        self(path).map_err(unreadable)
    }
}

/// Source without image files: only documents that contain their images can be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSidecars;

impl Sidecars for NoSidecars {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        Err(SidecarError::Unreadable(format!(
            "{path:?} cannot be read: other files are not available here"
        )))
    }
}

/// Contents that were lost in the conversion to another format, by kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Losses(Vec<Loss>);

/// One kind of lost content.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "schema",
    derive(serde::Serialize, schemars::JsonSchema),
    schemars(rename = "LossReport")
)]
pub struct Loss {
    /// Kind of the values, in the plural.
    pub what: &'static str,
    /// Number of lost values.
    pub count: u64,
    /// Section and element of the first, like `meshes[2].vertices[17]`.
    pub first: String,
    /// Largest errors of movements that are approximated, at all keys of both files and half-way between them; absent for other
    /// kinds.
    #[cfg_attr(
        feature = "schema",
        serde(rename = "largestError", skip_serializing_if = "Option::is_none")
    )]
    pub error: Option<MovementError>,
}

/// Largest errors of movements, each regardless of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "schema",
    derive(serde::Serialize, schemars::JsonSchema),
    schemars(rename = "MovementErrorReport")
)]
pub struct MovementError {
    /// Of rotations, in degrees.
    pub degrees: f64,
    /// Of translations, in units of the skeleton.
    pub units: f64,
    /// Of scales.
    pub scale: f64,
}

impl MovementError {
    fn max(self, other: Self) -> Self {
        Self {
            degrees: self.degrees.max(other.degrees),
            units: self.units.max(other.units),
            scale: self.scale.max(other.scale),
        }
    }
}

impl Losses {
    /// Returns all losses, in the order in which they occurred.
    pub fn iter(&self) -> std::slice::Iter<'_, Loss> {
        self.0.iter()
    }

    /// Returns true if nothing was lost.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds later losses, or those of another part.
    pub fn extend(&mut self, more: Self) {
        for loss in more.0 {
            let error = loss.error;
            self.add_many(loss.what, loss.count, || loss.first);
            self.widen(loss.what, error);
        }
    }

    /// Takes out all losses but those to keep.
    pub fn retain(&mut self, keep: impl FnMut(&Loss) -> bool) {
        self.0.retain(keep);
    }

    /// Adds a loss.
    pub fn add(&mut self, what: &'static str, path: impl FnOnce() -> String) {
        self.add_many(what, 1, path);
    }

    /// Adds a loss that occurs several times, or not at all; `path` is where it does first.
    pub fn add_many(&mut self, what: &'static str, count: u64, path: impl FnOnce() -> String) {
        match self.0.iter_mut().find(|loss| loss.what == what) {
            _ if count == 0 => {}
            Some(loss) => loss.count = loss.count.saturating_add(count),
            None => self.0.push(Loss { what, count, first: path(), error: None }),
        }
    }

    /// Adds an approximated movement, with its error.
    pub fn add_movement(
        &mut self,
        what: &'static str,
        error: MovementError,
        path: impl FnOnce() -> String,
    ) {
        self.add(what, path);
        self.widen(what, Some(error));
    }

    fn widen(&mut self, what: &'static str, error: Option<MovementError>) {
        let loss = self.0.iter_mut().find(|loss| loss.what == what);
        if let Some((loss, error)) = loss.zip(error) {
            loss.error = Some(loss.error.unwrap_or_default().max(error));
        }
    }
}

impl<'a> IntoIterator for &'a Losses {
    type Item = &'a Loss;
    type IntoIter = std::slice::Iter<'a, Loss>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
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
