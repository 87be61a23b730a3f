//! PCT 1.0, Phaser's Compact Texture atlas: text with one record per line.
//!
//! Read as Phaser 4.2.1 reads it (`src/textures/parsers/PCTDecode.js`): input that Phaser cannot load is an error, input that it
//! silently ignores or repairs a warning; see [`PctRule`]. Written in few bytes.

mod fields;
mod lines;
mod names;
mod records;
mod write;

use pchr::finding::{Findings, Invalid, quoted};
use pchr::format::other::without_mark;

use self::lines::{PctLine, lines, parse_int};
use self::names::NameList;
use self::records::PctRecords;
use crate::atlas::{Atlas, PctRule, check};

pub use write::{UnwritableName, UnwritableNames, safe_names, unwritable_name, write};

/// Longest text that is read.
const LONGEST: usize = 64 << 20;

/// Bytes searched for a record, in a text with an unexpected start.
const LOOK: usize = 4 << 10;

/// Returns true if a file begins as PCT.
#[must_use]
pub fn is_pct(bytes: &[u8]) -> bool {
    without_mark(bytes).starts_with(b"PCT:")
}

/// Returns true if a file appears to be meant as PCT: its header is on a later line, or missing before a page.
#[must_use]
pub fn looks_like_pct(bytes: &[u8]) -> bool {
    let start = bytes.get(..LOOK).unwrap_or(bytes);
    let page =
        |line: &[u8]| line.starts_with(b"P:") && line.windows(10).any(|part| part == b",RGBA8888,");
    is_pct(bytes)
        || start.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"PCT:") || page(line))
}

/// Reads an atlas, with its findings. Page images are not read.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read(bytes: &[u8]) -> Result<(Atlas, Findings), Invalid> {
    read_and(bytes, |atlas, found| {
        check(atlas, found);
        check_names(atlas, found);
    })
}

/// Reads an atlas as [`read`] does, without checking the sprites on their pages: for programs that trust their files.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn decode(bytes: &[u8]) -> Result<(Atlas, Findings), Invalid> {
    read_and(bytes, |_, _| ())
}

fn read_and(
    bytes: &[u8],
    check: impl FnOnce(&Atlas, &mut Findings),
) -> Result<(Atlas, Findings), Invalid> {
    let mut found = Findings::default();
    let atlas = read_text(bytes, &mut found);
    if let Some(atlas) = &atlas {
        check(atlas, &mut found);
    }
    let found = found.in_text(bytes);
    match (atlas, found.first_error()) {
        (Some(atlas), None) => Ok((atlas, found)),
        _ => Err(Invalid(found)),
    }
}

fn check_names(atlas: &Atlas, found: &mut Findings) {
    for (name, sprite) in atlas.sprites.iter() {
        // Few names contain such bytes. The loop does not stop at the first one, so that it can be vectorised.
        let odd = |byte| matches!(byte, b',' | b'#' | b'~' | b'|' | b'\r');
        if !name.bytes().fold(false, |found, byte| found | odd(byte)) {
            continue;
        }
        if let Some(reason) = unwritable_name(name) {
            let path = || format!("sprite {}", quoted(name));
            let message = || format!("{reason}, which no record can hold");
            found.add(PctRule::NameUnwritable, sprite.offset, path, message);
        }
    }
}

fn read_text(bytes: &[u8], found: &mut Findings) -> Option<Atlas> {
    if bytes.len() > LONGEST {
        let message = || format!("the text has {} bytes, expected at most {LONGEST}", bytes.len());
        found.add(PctRule::Limit, 0, "file", message);
        return None;
    }
    let text = without_mark(bytes);
    let mark = bytes.len().saturating_sub(text.len()) as u64;
    if mark > 0 {
        let message = "a byte order mark; browsers remove it, but Phaser's decoder refuses it";
        found.add(PctRule::ByteOrderMark, 0, "header", message);
    }
    let mut lines = lines(text, mark);
    if !lines.next().is_some_and(|line| header(&line, found)) {
        return None;
    }
    let mut records = PctRecords::new(found, names_in(text));
    for line in lines {
        if line.text.is_empty() {
            continue;
        }
        if let Some((byte, offset)) = line.fault {
            records.not_utf8(byte, offset);
        }
        if records.line(&line).is_err() {
            return None;
        }
    }
    Some(records.finish())
}

/// Returns the approximate number of names that a text requests, without making or checking any.
fn names_in(text: &[u8]) -> u64 {
    let mut is_after_block = false;
    let names = lines(text, 0).map(|line| {
        let list = match line.text.as_bytes() {
            _ if is_after_block => Some(line.part()),
            [b'A', b':', ..] => Some(line.part()),
            [b'B', b':', ..] => None,
            _ => return 1,
        };
        is_after_block = list.is_none();
        list.map_or(0, |list| NameList::new(list).count().unwrap_or(0))
    });
    names.fold(0, u64::saturating_add)
}

/// Checks the first line; returns whether what follows can be read.
fn header(line: &PctLine<'_>, found: &mut Findings) -> bool {
    let path = "header";
    let Some(version) = line.text.strip_prefix("PCT:") else {
        let message = || match &*line.text {
            text if text.starts_with(['\u{fffd}', '\0']) => {
                "the text is not UTF-8; save it as UTF-8, with \"PCT:1.0\" on the first line".into()
            }
            "" => "the first line is empty, expected \"PCT:1.0\"".into(),
            first => format!("the first line is {}, expected \"PCT:1.0\"", quoted(first)),
        };
        found.add(PctRule::Header, line.offset, path, message);
        return false;
    };
    let offset = line.offset.saturating_add(4);
    let major = version.split('.').next().and_then(parse_int);
    match major {
        Some(number) if number.value <= 1 => {
            if version != "1.0" {
                let message = || match number.value {
                    1 => format!(
                        "version {}, expected \"1.0\"; anything newer than 1.0 is ignored",
                        quoted(version)
                    ),
                    _ => format!(
                        "version {} was never published; it is read as \"1.0\"",
                        quoted(version)
                    ),
                };
                found.add(PctRule::Minor, offset, path, message);
            }
            true
        }
        _ => {
            let message = || format!("version {}, but this program reads 1", quoted(version));
            found.add(PctRule::Version, offset, path, message);
            false
        }
    }
}
