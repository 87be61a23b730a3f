//! Reads a text to a motion. The motion is written as SEAnim and read again, so that one check finds the faults of both.

use serde_json::error::Category;

use pchr::bytes::WriteError;
use pchr::finding::{Finding, Findings, Invalid, offset_of};
use pchr::format::Losses;
use pchr::format::json::at_damage;
use pchr::format::other::without_mark;
use pchr::format::raw_json::{inside, steps, words};

use super::pack::{Fault, motion};
use super::record::Record;
use crate::format::raw_places::Places;
use crate::format::seanim::{self, Outline, Unwritable};
use crate::motion::{Motion, SeanimRule};

/// Maximum number of bytes of a text: 256 MiB.
const MOST_BYTES: usize = 256 << 20;

/// A mirror that was read.
#[derive(Clone, Debug)]
pub struct Mirror {
    /// The motion; its offsets are those of the SEAnim file that it says.
    pub motion: Motion,
    /// Warnings about the text.
    pub warnings: Findings,
    /// Values that the text counts and does not have.
    pub losses: Losses,
    /// Blocks of the SEAnim file.
    pub outline: Outline,
}

/// Reads a mirror, with its findings.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read(file: &[u8]) -> Result<Mirror, Invalid> {
    let bytes = without_mark(file);
    let before = file.len().saturating_sub(bytes.len());
    let refuse = |rule: SeanimRule, at: usize, path: &str, message: String| {
        let mut found = Findings::default();
        let offset = at.saturating_add(before) as u64;
        found.add(rule, offset, || path.to_owned(), || message);
        Invalid(found.in_text(file))
    };
    if bytes.len() > MOST_BYTES {
        let message = format!("{} bytes, expected at most {MOST_BYTES}", bytes.len());
        return Err(refuse(SeanimRule::Limit, 0, "document", message));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = error.valid_up_to();
        let byte = bytes.get(good).copied().unwrap_or_default();
        let message = format!("byte {byte:#04x} is not UTF-8, which JSON requires");
        refuse(SeanimRule::JsonSyntax, good, "document", message)
    })?;
    let record: Record = serde_json::from_str(text).map_err(|error| {
        let (rule, at, path) = place_of(text, &error);
        refuse(rule, at, &path, at_damage(text, at, words(&error)))
    })?;
    let mut places = Places::new(text);
    let mut fault = |Fault { path, message }| {
        let at = places.offset(&path);
        refuse(SeanimRule::JsonValue, at, &path, message)
    };
    let said = motion(&record).map_err(&mut fault)?;
    let seanim = seanim::write(&said).map_err(|error| {
        fault(match error {
            Unwritable::Limit(WriteError { path, found, limit }) => Fault {
                path: said_as(&path).to_owned(),
                message: format!("{found}, expected {limit}"),
            },
            Unwritable::Nul { path } => Fault {
                path,
                message: "a NUL, which would end the name".into(),
            },
            Unwritable::Unnamed { .. } | Unwritable::Sampled => {
                unreachable!("a mirror has names and keys")
            }
        })
    })?;
    let outline = seanim::outline(&seanim).unwrap_or_default();
    let mut in_words = |found: Findings| {
        let kept = found.iter().map(|finding| {
            let path = said_as(&finding.path);
            let offset = places.offset(path).saturating_add(before) as u64;
            Finding::new(finding.rule, offset, path, &finding.message)
        });
        let kept = kept.collect();
        found.with_kept(kept).in_text(file)
    };
    let (motion, mut warnings) = match seanim::read(seanim) {
        Ok(read) => read,
        Err(Invalid(found)) => return Err(Invalid(in_words(found))),
    };
    if record.presence.custom && record.custom_hex.is_none() {
        let message = || "null, but presence.custom is true; read without a custom block".into();
        let path = || "customHex".to_owned();
        warnings.add(SeanimRule::CustomMissing, 0, path, message);
    }
    let mut losses = Losses::default();
    let extra = record.header_size.unwrap_or(0).saturating_sub(28);
    let uncarried = [
        (
            "header bytes after the known fields",
            extra.into(),
            "headerSize",
        ),
        (
            "bytes after the last block",
            record.trailing_bytes.unwrap_or(0),
            "trailingBytes",
        ),
    ];
    for (what, count, path) in uncarried.into_iter().filter(|(_, count, _)| *count > 0) {
        losses.add_many(what, count, || path.to_owned());
    }
    Ok(Mirror {
        motion,
        warnings: in_words(warnings),
        losses,
        outline,
    })
}

/// Converts a path of a SEAnim file to the terms of its mirror.
fn said_as(path: &str) -> &str {
    match path {
        "custom" => "customHex",
        "dataPresenceFlags" => "presence",
        "boneCount" => "bones",
        "noteCount" => "notes",
        "boneAnimModifierCount" => "modifiers",
        other => other,
    }
}

/// Returns the rule that an error breaks, the place in the text, and its path. The text is read again to find it.
#[cold]
fn place_of(text: &str, error: &serde_json::Error) -> (SeanimRule, usize, String) {
    let at = offset_of(text.as_bytes(), error.line(), error.column());
    if error.classify() != Category::Data {
        return (SeanimRule::JsonSyntax, at, "document".to_owned());
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let path = match serde_path_to_error::deserialize::<_, Record>(&mut json) {
        Err(error) if error.path().iter().next().is_some() => error.path().clone(),
        _ => return (SeanimRule::JsonValue, at, "document".to_owned()),
    };
    let part = inside(text, steps(&path));
    let start = text.as_ptr().addr();
    let at = part.as_ptr().addr().saturating_sub(start);
    (SeanimRule::JsonValue, at, path.to_string())
}
