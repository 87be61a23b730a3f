//! The older layout with the same magic and version: a 16-byte header, JSON, and one PNG.
//!
//! It is recognised by its two lengths, because a v1 file may have `{` at byte 16, in an image's name. If both are there and the
//! file is a valid v1 file, it counts as v1 unless valid JSON follows.

#[cfg(feature = "json")]
use super::legacy_json;
use super::{LEGACY_HEADER, legacy_lengths};
use crate::bytes::Budget;
use crate::document::{Document, PchrRule};
#[cfg(feature = "json")]
use crate::document::{FileFormat, ImageFormat};
use crate::finding::{Findings, Invalid, counted};

/// Returns true if valid JSON follows the header. A v1 file may have the signs of this layout by chance, but is very unlikely
/// to have such JSON as well.
#[cfg(feature = "json")]
pub(super) fn holds_json(bytes: &[u8]) -> bool {
    legacy_json(bytes).is_some_and(super::json::is_sound)
}

/// Returns false, because the content is unknown without the feature.
#[cfg(not(feature = "json"))]
pub(super) fn holds_json(_bytes: &[u8]) -> bool {
    false
}

pub(super) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, Invalid> {
    let (json, image) = legacy_lengths(bytes).unwrap_or_default();
    let left = (bytes.len() as u64).saturating_sub(LEGACY_HEADER as u64);
    let follow = |bytes: u64| counted(bytes, "byte follows", "bytes follow");
    let (path, at, message) = if json > left {
        let follow = follow(left);
        ("legacy.jsonLength", 8, format!("{json} bytes of JSON, but {follow} the header"))
    } else if json.saturating_add(image) != left {
        let follow = follow(left.saturating_sub(json));
        ("legacy.imageLength", 12, format!("{image} bytes of image, but {follow} the JSON"))
    } else {
        return contents(bytes, budget);
    };
    let mut findings = Findings::default();
    findings.add(PchrRule::LegacyLength, at, path, || message);
    Err(Invalid(findings))
}

#[cfg(not(feature = "json"))]
fn contents(_bytes: &[u8], _budget: &Budget) -> Result<Document, Invalid> {
    let mut findings = Findings::default();
    let message = "a legacy packed file (JSON and PNG in one), but this program was built without the feature json";
    findings.add(PchrRule::LegacyPacked, LEGACY_HEADER as u64, "legacy.json", message);
    Err(Invalid(findings))
}

/// Reads the JSON, and the image as the one file that it may name.
#[cfg(feature = "json")]
fn contents(bytes: &[u8], budget: &Budget) -> Result<Document, Invalid> {
    let text = legacy_json(bytes).unwrap_or_default();
    let image_at = LEGACY_HEADER.saturating_add(text.len());
    let image = bytes.get(image_at..).unwrap_or_default();
    let mut embedded = Embedded { image, asked: 0 };
    let document = super::json::pachario(text, LEGACY_HEADER as u64, &mut embedded, budget)?;
    let mut warnings = document.warnings().clone();
    if embedded.asked == 0 && !image.is_empty() {
        let message = || format!("{} bytes of image, but the JSON names no image", image.len());
        warnings.add(PchrRule::LegacyImageUnused, image_at as u64, "legacy.image", message);
    }
    Ok(document.read_from(FileFormat::LegacyPacked, warnings))
}

/// The image after the JSON. It counts as the first image, with any path.
#[cfg(feature = "json")]
struct Embedded<'a> {
    image: &'a [u8],
    asked: u32,
}

#[cfg(feature = "json")]
impl super::Sidecars for Embedded<'_> {
    fn read(&mut self, _path: &str) -> Result<Vec<u8>, super::SidecarError> {
        self.asked = self.asked.saturating_add(1);
        if self.asked > 1 {
            return Err(super::SidecarError::NotOne);
        }
        Ok(self.image.to_vec())
    }
}

/// Reason why a document cannot be written as a legacy packed file.
#[cfg(feature = "json")]
#[derive(Debug, thiserror::Error)]
pub enum LegacyUnwritable {
    /// There is room for one image.
    #[error("a legacy packed file holds one image, but the character has {0}")]
    Images(usize),
    /// An image without pixels is not a PNG.
    #[error("a legacy packed file needs a PNG, but image {0:?} has no pixels")]
    NoPixels(String),
    /// The lengths of JSON and image have 32 bits.
    #[error(
        "{0} bytes do not fit, expected at most 4 GiB each of JSON and of image in a legacy packed file"
    )]
    Length(usize),
    /// The text could not be written.
    #[error(transparent)]
    Text(#[from] std::io::Error),
    /// The image's pixels could not be encoded.
    #[error("the image cannot be encoded: {0}")]
    Image(#[from] crate::image::EncodeError),
}

/// Writes a document as a legacy packed file, and returns the content that it cannot hold.
///
/// # Errors
/// [`LegacyUnwritable`] if it is not possible at all.
#[cfg(feature = "json")]
pub fn write(document: &Document) -> Result<(Vec<u8>, super::Losses), LegacyUnwritable> {
    use super::json::{Dialect, image_file};
    use crate::bytes::Writer;

    if document.images().len() > 1 {
        return Err(LegacyUnwritable::Images(document.images().len()));
    }
    // The image's path in the text is its name: its bytes are not elsewhere.
    let names: Vec<String> = document.images().map(|image| image.name().to_owned()).collect();
    let first = document.images().next();
    if let Some(image) = first
        && image.format() == ImageFormat::Rgba8888
        && image.data().is_empty()
    {
        return Err(LegacyUnwritable::NoPixels(image.name().to_owned()));
    }
    let image = first.map(|image| image_file(&image)).transpose()?.unwrap_or_default();
    let mut text = Vec::new();
    let losses = super::json::write(document, Dialect::Pachario, &names, &mut text)?;
    let mut writer = Writer::new();
    writer.bytes(&super::pchr::MAGIC);
    writer.u32(super::pchr::VERSION);
    for len in [text.len(), image.len()] {
        writer.u32(u32::try_from(len).map_err(|_| LegacyUnwritable::Length(len))?);
    }
    writer.bytes(&text);
    writer.bytes(&image);
    Ok((writer.finish(), losses))
}
