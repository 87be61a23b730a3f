//! The container of a file, text or GLB: its JSON, its binary data, and findings about them; the version that it must have, and the
//! extensions that it may require.

use pchr::bytes::Reader;
use pchr::finding::{Findings, Words, counted, quoted, there_are};
use pchr::format::Losses;
use pchr::format::other::without_mark;

use super::record::{GltfRoot, MAGIC, TOO_MANY};
use super::{Container, GltfRule};
use crate::format::json_text::{self, TextFault, Unreadable, ValuePlaces};

/// Size of the header of a binary file, and of the header of a chunk.
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

#[derive(Clone, Copy, Debug)]
pub(super) struct FileParts<'f> {
    pub(super) container: Container,
    json: &'f [u8],
    /// Byte offset of the JSON.
    before: usize,
    /// Data of a binary file.
    pub(super) binary: Option<&'f [u8]>,
}

impl<'f> FileParts<'f> {
    /// Splits a file. `None` comes with a finding.
    pub(super) fn new(file: &'f [u8], found: &mut Findings) -> Option<Self> {
        if file.starts_with(&MAGIC) {
            return Self::chunks(file, found);
        }
        let json = without_mark(file);
        if !json.trim_ascii_start().starts_with(b"{") {
            let message = || {
                if let Some(name) = pchr::format::other::name(file) {
                    return format!("{name}, expected \"glTF\" or JSON");
                }
                let start: Vec<u8> = file.iter().copied().take(4).collect();
                let start = String::from_utf8_lossy(&start);
                format!("{}, expected \"glTF\" or JSON", quoted(&start))
            };
            found.add(GltfRule::Magic, 0, "magic", message);
            return None;
        }
        Some(Self {
            container: Container::Text,
            json,
            before: file.len().saturating_sub(json.len()),
            binary: None,
        })
    }

    fn chunks(file: &'f [u8], found: &mut Findings) -> Option<Self> {
        let mut r = Reader::new(file);
        let header = (r.u32(), r.u32(), r.u32());
        let (Ok(_), Ok(version), Ok(length)) = header else {
            let message = || format!("{} bytes, expected {HEADER} or more", file.len());
            found.add(GltfRule::UnexpectedEnd, 0, "header", message);
            return None;
        };
        if version != 2 {
            let message = || format!("{version}, but this program reads 2");
            found.add(GltfRule::Version, 4, "version", message);
            return None;
        }
        if length as usize != file.len() {
            let message = || format!("{length}, but the file has {} bytes", file.len());
            found.add(GltfRule::Container, 8, "length", message);
        }
        let (kind, before, json) = chunk(&mut r, 0, found)?;
        if kind != *b"JSON" {
            let message = || {
                let kind = String::from_utf8_lossy(&kind);
                format!("{}, expected \"JSON\"", quoted(&kind))
            };
            found.add(GltfRule::Chunk, 16, "chunks[0]", message);
            return None;
        }
        let json = without_padding(json, before, found);
        let mut binary = None;
        let mut index: usize = 1;
        while r.left() > 0 {
            let at = r.position();
            let path = || format!("chunks[{index}]");
            if r.left() < CHUNK_HEADER {
                let message =
                    || format!("{} after the last chunk", counted(r.left(), "byte", "bytes"));
                found.add(GltfRule::Container, at as u64, path, message);
                break;
            }
            let (kind, _, data) = chunk(&mut r, index, found)?;
            if kind == *b"BIN\0" && index == 1 {
                binary = Some(data);
            } else {
                let message = || {
                    let kind = String::from_utf8_lossy(&kind);
                    format!("unknown chunk {}; left out", quoted(&kind))
                };
                found.add(GltfRule::Container, at as u64, path, message);
            }
            index = index.saturating_add(1);
        }
        Some(Self { container: Container::Binary, json, before, binary })
    }

    pub(super) fn text(&self, found: &mut Findings) -> Option<&'f str> {
        json_text::text(self.json, "bytes of JSON")
            .map_err(|error| unreadable(error, self.before, found))
            .ok()
    }
}

/// Returns the JSON of a chunk without zeros at its end. Spaces may stay.
fn without_padding<'f>(json: &'f [u8], before: usize, found: &mut Findings) -> &'f [u8] {
    let last = json.iter().rposition(|byte| *byte != 0);
    let end = last.map_or(0, |last| last.saturating_add(1));
    if let zeros @ 1.. = json.len().saturating_sub(end) {
        let at = before.saturating_add(end) as u64;
        let message = || {
            let zeros = counted(zeros, "zero byte", "zero bytes");
            format!("{zeros} after the JSON, expected spaces; ignored")
        };
        found.add(GltfRule::Container, at, "chunks[0]", message);
    }
    json.get(..end).unwrap_or_default()
}

/// Returns the next chunk: its type, offset and data.
fn chunk<'f>(
    r: &mut Reader<'f>,
    index: usize,
    found: &mut Findings,
) -> Option<([u8; 4], usize, &'f [u8])> {
    let at = r.position();
    let mut add = |message: String| {
        let path = || format!("chunks[{index}]");
        found.add(GltfRule::UnexpectedEnd, at as u64, path, || message);
    };
    let (Ok(length), Ok(kind)) = (r.u32(), r.u32()) else {
        add("the file ends within its header".into());
        return None;
    };
    let start = r.position();
    match usize::try_from(length).map(|length| r.bytes(length)) {
        Ok(Ok(data)) => Some((kind.to_le_bytes(), start, data)),
        _ => {
            add(format!("{} declared, but {} left", counted(length, "byte", "bytes"), r.left()));
            None
        }
    }
}

/// Findings and losses of a file whose JSON is a text.
pub(super) struct Notes<'t> {
    text: &'t str,
    before: usize,
    places: ValuePlaces<'t>,
    pub(super) found: Findings,
    pub(super) losses: Losses,
}

impl<'t> Notes<'t> {
    pub(super) fn new(parts: &FileParts<'_>, text: &'t str, found: Findings) -> Self {
        Self {
            text,
            before: parts.before,
            places: ValuePlaces::new(text),
            found,
            losses: Losses::default(),
        }
    }

    pub(super) fn root(&mut self) -> Option<GltfRoot> {
        json_text::record(self.text)
            .map_err(|error| unreadable(error, self.before, &mut self.found))
            .ok()
    }

    /// Returns the byte offset in the file of a value of the text.
    pub(super) fn offset(&mut self, path: &str) -> u64 {
        let at = self.places.offset(path);
        at.saturating_add(self.before) as u64
    }

    /// Adds a finding about an index that is no element's.
    #[cold]
    pub(super) fn add_index(
        &mut self,
        index: u32,
        count: usize,
        [one, many]: [&str; 2],
        path: impl Words,
    ) {
        let message = || format!("{index}, but {}", there_are(count, one, many));
        self.add(GltfRule::Index, path, message);
    }

    /// Adds a finding about a value of the text, at the innermost existing part of the path.
    #[cold]
    pub(super) fn add(&mut self, rule: GltfRule, path: impl Words, message: impl Words) {
        if self.found.count(rule) >= Findings::PER_RULE {
            self.found.add(rule, 0, "", ""); // counts
            return;
        }
        let path = path.words();
        let at = self.offset(&path);
        self.found.add(rule, at, path.as_str(), message);
    }
}

/// Adds a finding about a text that begins at a byte of its file.
#[cold]
fn unreadable(error: Unreadable, before: usize, found: &mut Findings) {
    let rule = match error.fault {
        TextFault::Value if !error.message.starts_with(TOO_MANY) => GltfRule::JsonValue,
        TextFault::Limit | TextFault::Value => GltfRule::Limit,
        TextFault::Syntax => GltfRule::JsonSyntax,
    };
    let at = error.at.saturating_add(before) as u64;
    found.add(rule, at, || error.path, || error.message);
}

/// Extensions that affect neither bones nor their motions. A name that ends in `_` is the beginning of several.
const HARMLESS: [&str; 8] = [
    "KHR_draco_mesh_compression",
    "KHR_mesh_quantization",
    "KHR_lights_punctual",
    "KHR_animation_pointer",
    "EXT_mesh_gpu_instancing",
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
];

/// Returns true for an extension that compresses keys with everything else.
pub(super) fn is_compression(extension: &str) -> bool {
    ["EXT_meshopt_compression", "KHR_meshopt_compression"].contains(&extension)
}

/// Checks the version, and the extensions that the file requires. `None` comes with a finding.
pub(super) fn check_asset(root: &GltfRoot, notes: &mut Notes<'_>) -> Option<()> {
    let asset = &root.asset;
    let is_known = |version: &str| version == "2" || version.starts_with("2.");
    let least = asset.min_version.as_deref();
    let wrong = match least {
        Some(least) if least != "2.0" => Some(("asset.minVersion", least)),
        _ => (!is_known(&asset.version)).then_some(("asset.version", asset.version.as_str())),
    };
    if let Some((path, version)) = wrong {
        let message = || format!("{}, but this program reads 2.0", quoted(version));
        notes.add(GltfRule::Version, path, message);
        return None;
    }
    for (index, name) in root.extensions_required.iter().enumerate() {
        let is_known =
            |known: &&str| name == known || (known.ends_with('_') && name.starts_with(known));
        if !HARMLESS.iter().any(is_known) {
            let message = || match is_compression(name) {
                true => format!("{}: compressed data is not read", quoted(name)),
                false => format!("unknown extension {}; the file is read without it", quoted(name)),
            };
            let path = || format!("extensionsRequired[{index}]");
            notes.add(GltfRule::Extension, path, message);
        }
    }
    Some(())
}
