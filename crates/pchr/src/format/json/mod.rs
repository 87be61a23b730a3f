//! The two JSON dialects, read into the parts of a document and written as a stream.
//!
//! Needs the feature `json`.
//!
//! ```text
//! text ──recognise──► dialect ──serde──► parts ──write, check──► Document, findings ──locate──► line, column, path
//! Document ──write──► text, and what it could not carry over
//! ```
//!
//! The elements of a dialect are structs with serde's names, for reading and writing alike.

mod findings;
mod number;
mod pachario;
mod path;
mod pchr;
mod recognise;
mod sections;
mod write;

use std::borrow::Cow;

use serde::Deserialize;

use self::findings::{FoundAt, Noted, does_not_fit};
use self::number::{Exact, Finite, Uint16};
use self::pachario::PacharioDocument;
use self::path::{PathStep, TextPath};
use self::pchr::PchrDocument;
use self::sections::{DialectDocument, DialectParts, Dropped, ImageFiles, fault};
use super::other::without_mark;
use super::{LEGACY_HEADER, Sidecars, legacy_json};
use crate::bytes::Budget;
use crate::document::{Document, FileFormat, Image, ImageFormat, PchrRule};
use crate::finding::{Findings, Invalid, counted, there_are};
use crate::format::pchr::VERSION;
use crate::image::{Effort, EncodeError, Pixels, encode_png};

pub(super) use findings::ImagePlaces;
#[doc(hidden)]
pub use findings::at_damage;
#[doc(hidden)]
pub use number::Int32;
#[doc(hidden)]
pub use path::{Entries, List, Step, inside, steps, words};
pub use recognise::begins_a_document;
pub(super) use recognise::{is_sound, looks_like_json};
pub use write::write;

/// The two JSON dialects of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The mirror of the binary. It can express every file.
    #[default]
    Pchr,
    /// The output of the Pachario exporter.
    Pachario,
}

/// Returns the file of an image, next to the text that names it: a PNG, as stored or encoded from raw pixels, or no bytes for an
/// image without pixels.
///
/// # Errors
/// The encoder's error, if memory runs out.
pub fn image_file<'a>(image: &Image<'a>) -> Result<Cow<'a, [u8]>, EncodeError> {
    if image.format() == ImageFormat::Png || image.data().is_empty() {
        return Ok(image.data().into());
    }
    let pixels = Pixels {
        width: image.width().into(),
        height: image.height().into(),
        rgba: image.data().to_vec(),
    };
    let mut png = Vec::new();
    encode_png(&pixels, Effort::Some, &mut png)?;
    Ok(png.into())
}

/// A text, and the part of its file before it: a byte order mark, the header of a legacy packed file.
#[derive(Clone, Copy, Debug)]
struct JsonText<'t> {
    text: &'t str,
    before: u64,
}

impl<'t> JsonText<'t> {
    /// Creates a text from a part of a file that starts at byte `before`.
    fn new(part: &'t [u8], before: u64) -> Result<Self, Invalid> {
        let bytes = without_mark(part);
        let mark = part.len().saturating_sub(bytes.len()) as u64;
        let before = before.saturating_add(mark);
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { text, before }),
            Err(error) => {
                let good = error.valid_up_to();
                let byte = bytes.get(good).copied().unwrap_or_default();
                // What comes before is text.
                let text = bytes.get(..good).and_then(|good| str::from_utf8(good).ok());
                let text = text.unwrap_or_default();
                let message = || format!("byte {byte:#04x} is not UTF-8, which JSON requires");
                let mut noted = Noted::default();
                let at = || FoundAt::Byte(good);
                noted.add(PchrRule::JsonSyntax, TextPath::default, message, at);
                Err(Invalid(noted.place(Self { text, before })))
            }
        }
    }
}

/// Reads a document from a JSON file of either dialect.
pub(super) fn read(
    file: &[u8],
    sidecars: &mut dyn Sidecars,
    budget: &Budget,
) -> Result<Document, Invalid> {
    let text = JsonText::new(file, 0)?;
    if recognise::dialect(text.text) == FileFormat::PacharioJson {
        return read_as::<PacharioDocument<'_>>(text, sidecars, budget)
            .unwrap_or_else(|error| Err(refused::<PacharioDocument<'_>>(text, &error)));
    }
    // Strings for special numbers are rare, and reading them takes longer: only texts that they may have stopped are read
    // again.
    read_as::<PchrDocument<'_, Finite>>(text, sidecars, budget)
        .or_else(|_| read_as::<PchrDocument<'_, Exact>>(text, sidecars, budget))
        .unwrap_or_else(|error| Err(refused::<PchrDocument<'_, Exact>>(text, &error)))
}

/// Reads Pachario JSON that starts after `before` bytes of its file.
pub(super) fn pachario(
    text: &[u8],
    before: u64,
    sidecars: &mut dyn Sidecars,
    budget: &Budget,
) -> Result<Document, Invalid> {
    let text = JsonText::new(text, before)?;
    read_as::<PacharioDocument<'_>>(text, sidecars, budget)
        .unwrap_or_else(|error| Err(refused::<PacharioDocument<'_>>(text, &error)))
}

/// Reads a text in a dialect, up to the first value that the dialect does not have.
fn read_as<'t, W: DialectDocument<'t>>(
    text: JsonText<'t>,
    sidecars: &mut dyn Sidecars,
    budget: &Budget,
) -> serde_json::Result<Result<Document, Invalid>> {
    let mut ignored = Noted::default();
    let DialectParts { version, mut parts, paths, frames, dropped } =
        parse::<W>(text.text, &mut ignored)?.load();
    if u32::from(version) != VERSION {
        return Ok(Err(other_version(text, version)));
    }
    let mut noted = Noted::default();
    let files = budget.sibling();
    let mut beside = ImageFiles::new(sidecars, &files, budget);
    for (i, (image, path)) in parts.images.iter_mut().zip(&paths).enumerate() {
        if let Err((rule, message)) = beside.fill(image, path) {
            let path = || TextPath::of_packed(W::FORMAT, &format!("images[{i}]"));
            noted.add(rule, path, || message, || FoundAt::Path);
        }
    }
    for (mesh, dropped) in dropped.iter().enumerate() {
        for Dropped { vertex, count, weight } in dropped {
            let path = || {
                let path = format!("meshes[{mesh}].vertices[{vertex}].bones");
                TextPath::of_packed(W::FORMAT, &path)
            };
            let message = || {
                let all = count.saturating_add(4);
                format!(
                    "{count} of {all} influences dropped, with a weight of {weight}; the four largest are kept and not renormalised"
                )
            };
            noted.add(PchrRule::InfluencesDropped, path, message, || FoundAt::Path);
        }
    }
    let bones = parts.bones.len();
    for (i, (animation, lengths)) in parts.animations.iter_mut().zip(&frames).enumerate() {
        for (f, length) in lengths.iter().enumerate().filter(|(_, len)| **len != bones) {
            let path = || TextPath::of_packed(W::FORMAT, &format!("animations[{i}].frames[{f}]"));
            let message = || {
                let transforms = counted(*length, "transform", "transforms");
                format!("{transforms}, but {}", there_are(bones, "bone", "bones"))
            };
            noted.add(PchrRule::FrameLength, path, message, || FoundAt::Path);
        }
        match u16::try_from(lengths.len()) {
            Ok(count) => animation.frame_count = count,
            Err(_) => {
                let message = || does_not_fit(lengths.len() as u64, "frames");
                let path = || TextPath::of_packed(W::FORMAT, &format!("animations[{i}].frames"));
                noted.add(PchrRule::JsonValue, path, message, || FoundAt::Path);
            }
        }
    }
    let torn = noted.any_of(&[PchrRule::FrameLength, PchrRule::JsonValue]);
    noted.append(ignored);
    if torn {
        return Ok(Err(Invalid(noted.place(text))));
    }
    let bytes = match super::pchr::write(&parts) {
        Ok(bytes) => bytes,
        Err(error) => {
            noted.add_unwritable(&error, W::FORMAT);
            return Ok(Err(Invalid(noted.place(text))));
        }
    };
    drop(parts);
    let read = super::pchr::read(bytes.into());
    match &read {
        Ok(document) => noted.add_packed(document.warnings(), W::FORMAT),
        Err((invalid, _)) => noted.add_packed(&invalid.0, W::FORMAT),
    }
    let valid = !noted.any_error();
    let findings = noted.place(text);
    Ok(match read {
        Ok(document) if valid => {
            beside.keep();
            Ok(document.read_from(W::FORMAT, findings))
        }
        _ => Err(Invalid(findings)),
    })
}

fn other_version(text: JsonText<'_>, version: u16) -> Invalid {
    let mut noted = Noted::default();
    let path = || [PathStep::Key("version".into())].into_iter().collect();
    let message = || format!("version {version}, but this program reads version {VERSION}");
    noted.add(PchrRule::Version, path, message, || FoundAt::Path);
    Invalid(noted.place(text))
}

/// Returns the text of a file, and its dialect; `None` if it has none.
fn text_of(file: &[u8], source: FileFormat) -> Option<(JsonText<'_>, FileFormat)> {
    let (part, before) = match source {
        FileFormat::Pchr => return None,
        FileFormat::LegacyPacked => (legacy_json(file)?, LEGACY_HEADER),
        FileFormat::PchrJson | FileFormat::PacharioJson => (file, 0),
    };
    let text = JsonText::new(part, before as u64).ok()?;
    Some((text, source.dialect()))
}

/// Converts findings about a document to findings about the `file` that it was read from, with its terms and lines.
#[must_use]
pub fn in_file(file: &[u8], source: FileFormat, found: Findings) -> Findings {
    let Some((text, dialect)) = text_of(file, source) else { return found };
    let mut noted = Noted::default();
    noted.add_packed(&found, dialect);
    noted.place(text)
}

/// Parses a document, and notes the keys that are ignored.
fn parse<'t, W: DialectDocument<'t>>(text: &'t str, ignored: &mut Noted) -> serde_json::Result<W> {
    let mut json = serde_json::Deserializer::from_str(text);
    let document = if W::STRICT {
        W::deserialize(&mut json)?
    } else {
        let mut note = |path: serde_ignored::Path<'_>| {
            let message = || "unknown key; its value is ignored".into();
            let path = || TextPath::of_ignored(&path);
            ignored.add(PchrRule::JsonKeyIgnored, path, message, || FoundAt::Path);
        };
        W::deserialize(serde_ignored::Deserializer::new(&mut json, &mut note))?
    };
    json.end()?;
    Ok(document)
}

/// Returns the faults of a text that was refused with an error. It is read again with its path tracked. Then each element of the
/// lists is read by itself, unless the text is damaged: nothing can be found after damage.
#[cold]
fn refused<'t, W: DialectDocument<'t>>(text: JsonText<'t>, error: &serde_json::Error) -> Invalid {
    #[derive(Deserialize)]
    struct Head {
        version: Uint16,
    }

    let mut noted = Noted::default();
    let damage = recognise::damage(text.text);
    if damage.is_none() {
        if recognise::is_something_else(text.text) {
            let message = || {
                "unknown kind of JSON: expected the keys version, fps, images, bones, meshes and animations (a character), frames or textures (an atlas), or animType and framerate (a 3D motion)".into()
            };
            noted.add(PchrRule::JsonValue, TextPath::default, message, || FoundAt::Path);
            return Invalid(noted.place(text));
        }
        if let Ok(Head { version }) = serde_json::from_str(text.text)
            && u32::from(version.0) != VERSION
        {
            return other_version(text, version.0);
        }
    }
    let path = fault::<W>(text.text).map_or_else(TextPath::default, |(_, path)| path);
    noted.refused(text.text, 0, error, path.clone());
    match damage {
        Some(damage) if !noted.any_of(&[PchrRule::JsonSyntax]) => {
            noted.refused(text.text, 0, &damage, TextPath::default());
        }
        Some(_) => {}
        None => note_elements::<W>(text.text, &path, &mut noted),
    }
    Invalid(noted.place(text))
}

/// Notes the first fault of each element of the lists, except that at `known`.
fn note_elements<'t, W: DialectDocument<'t>>(text: &'t str, known: &TextPath, noted: &mut Noted) {
    let Entries(entries) = serde_json::from_str(text).unwrap_or_default();
    for (key, value) in entries {
        if !matches!(key.as_str(), "images" | "bones" | "meshes" | "animations") {
            continue;
        }
        let List(list) = serde_json::from_str(value.get()).unwrap_or_default();
        for (i, element) in list.into_iter().map(|element| element.get()).enumerate() {
            let Some((error, inner)) = W::fault(&key, element) else { continue };
            let steps = [PathStep::Key(key.clone().into()), PathStep::Index(i)].into_iter();
            let path: TextPath = steps.chain(inner.steps().iter().cloned()).collect();
            if path != *known {
                let start = element.as_ptr().addr().saturating_sub(text.as_ptr().addr());
                noted.refused(element, start, &error, path);
            }
        }
    }
}
