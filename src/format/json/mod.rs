//! The two JSON dialects, read and written as streams.
//!
//! ```text
//! text ──recognise──► dialect ──read──► v1 bytes ──check──► Document, findings ──locate──► line, column, path
//! Document ──write──► text, and what it could not carry over
//! ```
//!
//! Images, bones, vertices and transforms of a dialect are structs with serde's names, for reading and writing alike; what
//! holds them is walked by `read` and laid out by `write`. No tree of the text is held: each element is packed at once.

mod begin;
mod findings;
mod locate;
mod number;
mod pachario;
mod packer;
mod pchr;
mod read;
mod recognise;
mod walk;
mod words;
mod write;

use std::borrow::Cow;

use serde_json::error::Category;

use self::findings::{At, Pending, of_packed, offset_of, place};
use self::locate::WHOLE;
use self::number::{Exact, Finite};
use self::pachario::Pachario;
use self::packer::Packer;
use self::pchr::Pchr;
use self::read::read as read_in;
use self::words::Words;
use super::Sidecars;
use crate::document::{Document, FileFormat, Finding, Findings, Image, ImageFormat, Invalid, Rule};
use crate::image::{Effort, Pixels, encode_png};

pub use begin::begins_a_document;
pub(super) use recognise::looks_like_json;
pub use write::write;

/// The two ways to say a document in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The mirror of the binary: it can say everything that a file can.
    #[default]
    Pchr,
    /// What the Pachario exporter writes.
    Pachario,
}

/// The file of an image, beside a text that names it: a PNG, as it is or made from raw pixels, or nothing at all for an
/// image without pixels.
///
/// # Errors
/// The encoder's, if it runs out of room.
pub fn image_file<'a>(image: &Image<'a>) -> Result<Cow<'a, [u8]>, png::EncodingError> {
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

/// Reads a document from a JSON file of either dialect.
pub(super) fn read(file: &[u8], sidecars: &mut dyn Sidecars) -> Result<Document, Invalid> {
    let text = recognise::without_mark(file);
    let before = file.len().saturating_sub(text.len()) as u64;
    match recognise::dialect(text) {
        FileFormat::PacharioJson => pachario(text, before, sidecars),
        // Strings for numbers that are none are rare, and dear to look for: only what they may have stopped is read again.
        _ => match read_as::<Pchr<Finite>>(text, before, sidecars) {
            Err(Invalid(findings)) if findings.count(Rule::JsonValue) > 0 => {
                read_as::<Pchr<Exact>>(text, before, sidecars)
            }
            read => read,
        },
    }
}

/// Reads Pachario JSON that lies behind `before` bytes of its file.
pub(super) fn pachario(
    text: &[u8],
    before: u64,
    sidecars: &mut dyn Sidecars,
) -> Result<Document, Invalid> {
    let mark = text
        .len()
        .saturating_sub(recognise::without_mark(text).len());
    read_as::<Pachario>(
        recognise::without_mark(text),
        before.saturating_add(mark as u64),
        sidecars,
    )
}

fn read_as<W: Words>(
    text: &[u8],
    before: u64,
    sidecars: &mut dyn Sidecars,
) -> Result<Document, Invalid> {
    let mut packer = Packer::new(Some(sidecars));
    let mut ignored = Findings::default();
    if let Err(error) = parse::<W>(text, &mut packer, &mut ignored) {
        return Err(invalid(text, before, why::<W>(text, &error, &packer)));
    }
    if let Some((path, message)) = packer.odd_frames() {
        let (rule, at) = (Rule::FrameLength, At::Path);
        return Err(invalid(
            text,
            before,
            Pending {
                rule,
                path,
                message,
                at,
            },
        ));
    }
    let mut noted = std::mem::take(&mut packer.noted);
    noted.extend(ignored);
    let read = super::pchr::read(packer.finish().into());
    let packed = match &read {
        Ok(document) => document.warnings(),
        Err((invalid, _)) => &invalid.0,
    };
    let in_text = |finding: &Finding| Pending {
        rule: finding.rule,
        path: finding.path.clone(),
        message: finding.message.clone(),
        at: At::Path,
    };
    let mut pending: Vec<Pending> = noted.iter().map(in_text).collect();
    pending.extend(of_packed(packed, W::FORMAT));
    let mut findings = noted;
    findings.extend(packed.clone());
    let findings = findings.with_kept(place(text, before, pending));
    match read {
        Ok(document) => Ok(document.read_from(W::FORMAT, findings)),
        Err(_) => Err(Invalid(findings)),
    }
}

/// What was found in a document after it was read, as findings about the `file` that it was read from: in its words, with
/// its lines.
#[must_use]
pub fn in_file(file: &[u8], source: FileFormat, found: Findings) -> Findings {
    let (header, dialect) = match source {
        FileFormat::Pchr => return found,
        FileFormat::LegacyPacked => (super::legacy::HEADER, FileFormat::PacharioJson),
        dialect => (0, dialect),
    };
    let text = recognise::without_mark(file.get(header..).unwrap_or_default());
    let before = file.len().saturating_sub(text.len()) as u64;
    let placed = place(text, before, of_packed(&found, dialect));
    found.with_kept(placed)
}

fn invalid(text: &[u8], before: u64, pending: Pending) -> Invalid {
    let mut findings = Findings::default();
    findings.add(pending.rule, 0, String::new, String::new);
    Invalid(findings.with_kept(place(text, before, vec![pending])))
}

fn parse<W: Words>(
    text: &[u8],
    packer: &mut Packer<'_>,
    ignored: &mut Findings,
) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_slice(text);
    if W::STRICT {
        read_in::<W, _>(packer, &mut json)?;
    } else {
        let mut note = |path: serde_ignored::Path<'_>| {
            let message = || "the key is not known, its value is ignored".into();
            ignored.add(
                Rule::JsonKeyIgnored,
                0,
                || findings::ignored_path(&path),
                message,
            );
        };
        read_in::<W, _>(
            packer,
            serde_ignored::Deserializer::new(&mut json, &mut note),
        )?;
    }
    json.end()
}

/// Why a text was not read. It is parsed again, now with an eye on where one is in it.
#[cold]
fn why<W: Words>(text: &[u8], error: &serde_json::Error, stopped: &Packer<'_>) -> Pending {
    let message = error.to_string();
    let message = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(message, _)| message);
    let mut again = Packer::again(stopped);
    let mut track = serde_path_to_error::Track::new();
    let mut json = serde_json::Deserializer::from_slice(text);
    let _ = read_in::<W, _>(
        &mut again,
        serde_path_to_error::Deserializer::new(&mut json, &mut track),
    );
    let path = track.path().to_string();
    // A key that cannot be read is written as a question mark.
    let mut path = match path.trim_end_matches(['.', '?']) {
        "" => WHOLE.to_owned(),
        path => path.to_owned(),
    };
    let parsed_to = offset_of(text, error.line(), error.column());
    // To the parser a number that is too large is no number.
    let is_value = error.classify() == Category::Data || message == "number out of range";
    let (rule, at) = match stopped.broken {
        Some(rule) => (rule, At::PathOr(parsed_to)),
        None if message.starts_with("unknown field") => {
            path = unknown_key(&path, message);
            (Rule::JsonKey, At::PathOr(parsed_to))
        }
        None if message.starts_with("duplicate field") => (Rule::JsonValue, At::Byte(parsed_to)),
        None if is_value => (Rule::JsonValue, At::PathOr(parsed_to)),
        None => (Rule::JsonSyntax, At::Byte(parsed_to)),
    };
    let message = message.to_owned();
    Pending {
        rule,
        path,
        message,
        at,
    }
}

/// The path of the key that `message` calls unknown, in the object at `path`.
fn unknown_key(path: &str, message: &str) -> String {
    // The key may hold the sign that it is quoted in.
    let quoted = message.strip_prefix("unknown field `").unwrap_or_default();
    let key = quoted
        .rsplit_once("`, expected ")
        .map_or(quoted, |(key, _)| key);
    let parent = path.strip_suffix(key).unwrap_or(path);
    let parent = parent.strip_suffix('.').unwrap_or(parent);
    match parent {
        "" | WHOLE => key.to_owned(),
        parent => format!("{parent}.{key}"),
    }
}
