//! The two JSON dialects, read and written as streams.
//!
//! Needs the feature `json`.
//!
//! ```text
//! text ──recognise──► dialect ──read──► v1 bytes ──check──► Document, findings ──locate──► line, column, path
//! Document ──write──► text, and what it could not carry over
//! ```
//!
//! Images, bones, vertices and transforms of a dialect are structs with serde's names, for reading and writing alike; what
//! holds them is walked by `read` and laid out by `write`. No tree of the text is held: each element is packed at once.

mod audit;
mod begin;
mod findings;
mod image_places;
mod locate;
mod number;
mod pachario;
mod packer;
mod path;
mod pchr;
mod read;
mod recognise;
mod walk;
mod words;
mod write;

use std::borrow::Cow;

use self::audit::{Audit, Refusal, Whence};
use self::findings::{At, Noted};
use self::number::{Exact, Finite};
use self::pachario::Pachario;
use self::packer::{Beside, Packer};
use self::path::Path;
use self::pchr::Pchr;
use self::read::read as read_in;
use self::words::Words;
use super::Sidecars;
use super::text::without_mark;
use crate::bytes::Budget;
use crate::document::{Document, FileFormat, Image, ImageFormat, PchrRule};
use crate::finding::{Findings, Invalid, offset_of};
use crate::format::legacy_header;
use crate::image::{Effort, EncodeError, Pixels, encode_png};

pub use begin::begins_a_document;
pub(super) use image_places::ImagePlaces;
pub use number::Int32;
pub use number::at_damage;
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
struct Text<'t> {
    text: &'t str,
    before: u64,
}

impl<'t> Text<'t> {
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
                let at = || At::Byte(good);
                noted.add(PchrRule::JsonSyntax, Path::default, message, at);
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
    let text = Text::new(file, 0)?;
    let files = budget.sibling();
    let beside = Beside::new(sidecars, &files, budget);
    if recognise::dialect(text.text) == FileFormat::PacharioJson {
        return read_as::<Pachario>(text, Packer::new(beside))
            .unwrap_or_else(Refused::why::<Pachario>);
    }
    // Strings for special numbers are rare, and reading them takes longer: only texts that they may have stopped are read
    // again.
    read_as::<Pchr<Finite>>(text, Packer::new(beside))
        .or_else(|refused| {
            read_as::<Pchr<Exact>>(text, Packer::new(refused.packer.beside.afresh()))
        })
        .unwrap_or_else(Refused::why::<Pchr<Exact>>)
}

/// Reads Pachario JSON that starts after `before` bytes of its file.
pub(super) fn pachario(
    text: &[u8],
    before: u64,
    sidecars: &mut dyn Sidecars,
    budget: &Budget,
) -> Result<Document, Invalid> {
    let text = Text::new(text, before)?;
    let files = budget.sibling();
    let beside = Beside::new(sidecars, &files, budget);
    read_as::<Pachario>(text, Packer::new(beside)).unwrap_or_else(Refused::why::<Pachario>)
}

/// Reads a text in a dialect, up to the first value that the dialect does not have.
fn read_as<'t, 'p, W: Words>(
    text: Text<'t>,
    mut packer: Packer<'p>,
) -> Result<Result<Document, Invalid>, Box<Refused<'t, 'p>>> {
    let mut ignored = Noted::default();
    if let Err(error) = parse::<W>(text.text, &mut packer, &mut ignored) {
        return Err(Box::new(Refused {
            text,
            error,
            packer,
        }));
    }
    packer.note_odd_frames();
    let mut noted = std::mem::take(&mut packer.noted);
    noted.append(ignored);
    if noted.counted(PchrRule::FrameLength) > 0 {
        // The bytes would mean something else.
        return Ok(Err(Invalid(noted.place(text))));
    }
    let (bytes, beside) = packer.finish();
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

/// Returns the text of a file, and its dialect; `None` if it has none.
fn text_of(file: &[u8], source: FileFormat) -> Option<(Text<'_>, FileFormat)> {
    let (part, before) = match source {
        FileFormat::Pchr => return None,
        FileFormat::LegacyPacked => (legacy_header::json_part(file)?, legacy_header::HEADER),
        FileFormat::PchrJson | FileFormat::PacharioJson => (file, 0),
    };
    let text = Text::new(part, before as u64).ok()?;
    Some((text, source.dialect()))
}

/// Converts findings about a document to findings about the `file` that it was read from, with its terms and lines.
#[must_use]
pub fn in_file(file: &[u8], source: FileFormat, found: Findings) -> Findings {
    let Some((text, dialect)) = text_of(file, source) else {
        return found;
    };
    let mut noted = Noted::default();
    noted.add_packed(&found, dialect);
    noted.place(text)
}

fn parse<W: Words>(
    text: &str,
    packer: &mut Packer<'_>,
    ignored: &mut Noted,
) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_str(text);
    if W::STRICT {
        read_in::<W, _>(packer, &mut json)?;
    } else {
        let mut note = |path: serde_ignored::Path<'_>| {
            let message = || "unknown key; its value is ignored".into();
            let path = || Path::of_ignored(&path);
            ignored.add(PchrRule::JsonKeyIgnored, path, message, || At::Path);
        };
        read_in::<W, _>(
            packer,
            serde_ignored::Deserializer::new(&mut json, &mut note),
        )?;
    }
    json.end()
}

/// A text that was not read to its end.
struct Refused<'t, 'p> {
    text: Text<'t>,
    error: serde_json::Error,
    packer: Packer<'p>,
}

impl Refused<'_, '_> {
    /// Reads the text again to find all of its errors. After damage nothing can be found; then only the error that stopped the
    /// reading and the damage are reported.
    #[cold]
    fn why<W: Words>(self: Box<Self>) -> Result<Document, Invalid> {
        let Self {
            text,
            error,
            packer,
        } = *self;
        let mut noted = match recognise::damage(text.text) {
            None if recognise::is_something_else(text.text) => {
                let mut noted = Noted::default();
                let message = || {
                    "unknown kind of JSON: expected the keys version, fps, images, bones, meshes and animations (a character), frames or textures (an atlas), or animType and framerate (a 3D motion)".into()
                };
                noted.add(PchrRule::JsonValue, Path::default, message, || At::Path);
                noted
            }
            None => audit::<W>(text.text, packer),
            Some(damage) => stopped::<W>(text.text, &error, &damage, packer),
        };
        if !noted.any_error() {
            // It cannot be: the same text was refused a moment ago.
            noted.add(
                PchrRule::JsonValue,
                Path::default,
                || error.to_string(),
                || At::Path,
            );
        }
        Err(Invalid(noted.place(text)))
    }
}

/// Returns all errors of a text that is valid JSON.
fn audit<W: Words>(text: &str, stopped: Packer<'_>) -> Noted {
    let mut packer = stopped.again(Audit::new(text));
    let mut json = serde_json::Deserializer::from_str(text);
    let read = read_in::<W, _>(&mut packer, &mut json);
    packer.note_odd_frames();
    let mut noted = packer.noted;
    if let Some(mut audit) = packer.audit {
        if let Err(error) = read {
            audit.whole(&error);
        }
        noted.append(audit.noted);
    }
    noted
}

/// Returns the error that stopped the reading of a damaged text, at its path, and the damage. The text is parsed again with its
/// path tracked.
fn stopped<W: Words>(
    text: &str,
    error: &serde_json::Error,
    damage: &serde_json::Error,
    stopped: Packer<'_>,
) -> Noted {
    let broken = stopped.broken;
    let mut again = Packer::new(stopped.beside.without_files());
    let mut track = serde_path_to_error::Track::new();
    let mut json = serde_json::Deserializer::from_str(text);
    let _ = read_in::<W, _>(
        &mut again,
        serde_path_to_error::Deserializer::new(&mut json, &mut track),
    );
    let path = Path::from(&track.path());
    let at = |error: &serde_json::Error| offset_of(text.as_bytes(), error.line(), error.column());
    let mut noted = stopped.noted;
    let refusal = Refusal::of(error, broken, path);
    let is_damage = refusal.rule == PchrRule::JsonSyntax;
    let whence = || match refusal.at {
        Whence::Parser => At::Byte(at(error)),
        Whence::Path => At::PathOr(at(error)),
    };
    let message = || match is_damage {
        true => at_damage(text, at(error), refusal.message),
        false => refusal.message,
    };
    noted.add(refusal.rule, || refusal.inner, message, whence);
    if !is_damage {
        let Refusal { rule, message, .. } = Refusal::of(damage, None, Path::default());
        let message = || at_damage(text, at(damage), message);
        noted.add(rule, Path::default, message, || At::Byte(at(damage)));
    }
    noted
}
