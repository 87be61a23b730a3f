//! Reads a text to an atlas. Objects and lists are cut into raw values first, so that each finding has its place.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use pchr::finding::{Findings, Invalid, Severity, Words, offset_of, quoted};
use pchr::format::Losses;
use pchr::format::json::{Entries, List, at_damage, inside, steps, words};
use pchr::format::other::without_mark;

use super::write::{FrameRecord, SizeRecord};
use super::{AtlasDialect, AtlasJsonRule};
use crate::atlas::{Atlas, Page, Rect, Sprite, Trim, check};
use crate::format::json_text::{self, TextFault, Unreadable};
use crate::format::{AtlasFormat, AtlasText};

/// Reads an atlas in any dialect, with its findings. Page images are not read.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read(file: &[u8]) -> Result<AtlasText, Invalid> {
    let bytes = without_mark(file);
    let before = file.len().saturating_sub(bytes.len());
    let mut reader = AtlasJsonReader {
        before,
        start: bytes.as_ptr().addr(),
        atlas: Atlas::default(),
        dialect: AtlasDialect::Hash,
        places: HashMap::new(),
        found: Findings::default(),
        losses: Losses::default(),
    };
    match json_text::text(bytes, "bytes") {
        Ok(text) => reader.document(text),
        Err(Unreadable { fault, at, message, .. }) => {
            let rule = match fault {
                TextFault::Limit => AtlasJsonRule::Limit,
                TextFault::Syntax | TextFault::Value => AtlasJsonRule::Syntax,
            };
            reader.add(rule, at, "document", || message);
        }
    }
    let AtlasJsonReader { mut atlas, dialect, mut found, losses, .. } = reader;
    atlas.settle_aliases();
    if found.total(Severity::Error) == 0 {
        check(&atlas, &mut found);
    }
    let findings = found.in_text(file);
    if findings.total(Severity::Error) > 0 {
        return Err(Invalid(findings));
    }
    let format = AtlasFormat::Json(dialect);
    Ok(AtlasText { atlas, format, warnings: findings, losses })
}

struct AtlasJsonReader {
    /// Bytes before the text: a byte order mark.
    before: usize,
    /// Address of the text.
    start: usize,
    atlas: Atlas,
    dialect: AtlasDialect,
    /// The first sprite at each position.
    places: HashMap<(u32, Rect, Option<Trim>, bool), u32>,
    found: Findings,
    losses: Losses,
}

impl AtlasJsonReader {
    /// Adds a finding; `at` is a byte of the text.
    fn add(&mut self, rule: AtlasJsonRule, at: usize, path: impl Words, message: impl Words) {
        let at = at.saturating_add(self.before) as u64;
        self.found.add(rule, at, path, message);
    }

    /// Returns the byte offset of a part of the text.
    fn at(&self, part: &str) -> usize {
        part.as_ptr().addr().saturating_sub(self.start)
    }

    /// Returns the value of a part of the text, or adds a finding at the invalid value within it.
    fn value<'t, T: Deserialize<'t>>(
        &mut self,
        raw: &'t str,
        path: &dyn Fn() -> String,
    ) -> Option<T> {
        let mut ignored = Vec::new();
        let mut track = serde_path_to_error::Track::new();
        let mut json = serde_json::Deserializer::from_str(raw);
        let mut note = |path: serde_ignored::Path<'_>| ignored.push(path.to_string());
        let tracked = serde_path_to_error::Deserializer::new(&mut json, &mut track);
        let value = T::deserialize(serde_ignored::Deserializer::new(tracked, &mut note));
        match value {
            Ok(value) => {
                let at = self.at(raw);
                for key in ignored {
                    self.left_out(&key, None, at, path);
                }
                Some(value)
            }
            Err(error) => {
                let inner = track.path();
                let at = self.at(inside(raw, steps(&inner)));
                let whole = || match inner.iter().next() {
                    Some(_) => format!("{}.{inner}", path()),
                    None => path(),
                };
                self.add(AtlasJsonRule::Value, at, whole, || words(&error));
                None
            }
        }
    }

    /// Records a key that an atlas cannot hold, unless its value is an empty list or object.
    /// `at` is the byte of its value, or of the object.
    fn left_out(
        &mut self,
        key: &str,
        value: Option<&RawValue>,
        at: usize,
        path: &dyn Fn() -> String,
    ) {
        let value = value.map_or("", RawValue::get);
        let is_empty = |inner: &str| inner.trim().is_empty();
        let list = value.strip_prefix('[').and_then(|v| v.strip_suffix(']'));
        let object = value.strip_prefix('{').and_then(|v| v.strip_suffix('}'));
        let is_one = key == "scale" && matches!(value.trim_matches('"'), "1" | "1.0");
        if is_one || value == "null" || list.or(object).is_some_and(is_empty) {
            return;
        }
        let what = match key {
            "app" | "version" | "smartupdate" => return, // about the program that wrote it
            "pivot" | "anchor" => "pivots",
            "borders" | "scale9Borders" => "nine-slice borders",
            "vertices" | "verticesUV" | "triangles" => "parts of polygon outlines",
            "duration" => "frame durations",
            "scale" => "scales",
            "frameTags" => "frame tags",
            "slices" => "slice data",
            "layers" => "layers",
            "animations" => "animations",
            "normalMap" => "normal maps",
            "related_multi_packs" => "other files of a multi-pack",
            _ => "other keys",
        };
        let path = || format!("{}.{key}", path());
        if key == "related_multi_packs" {
            self.add(AtlasJsonRule::MultiPack, at, path, || other_files(value));
        }
        let is_played = matches!(key, "duration" | "frameTags" | "animations");
        if is_played && self.losses.iter().all(|loss| loss.what != what) {
            let message = || {
                format!(
                    "{what} are ignored; numbered sprites are played in order, all equally long"
                )
            };
            self.add(AtlasJsonRule::Playback, at, path, message);
        }
        self.losses.add(what, path);
    }

    /// Cuts an object or a list into raw values. Anything else is empty, with a finding.
    fn cut<'t, T: Deserialize<'t> + Default>(&mut self, raw: &'t RawValue, path: &str) -> T {
        match serde_json::from_str(raw.get()) {
            Ok(cut) => cut,
            Err(error) => {
                let at = self.at(raw.get());
                self.add(AtlasJsonRule::Value, at, path, || words(&error));
                T::default()
            }
        }
    }

    /// Returns the keys of an object with their values.
    fn entries<'t>(
        &mut self,
        raw: Option<&'t RawValue>,
        path: &str,
    ) -> Vec<(String, &'t RawValue)> {
        let entries = raw.map(|raw| self.cut(raw, path));
        entries.map_or_else(Vec::new, |Entries(entries)| entries)
    }

    fn document(&mut self, text: &str) {
        let entries = match serde_json::from_str::<Entries<'_>>(text) {
            Ok(Entries(entries)) => entries,
            Err(error) => {
                let at = offset_of(text.as_bytes(), error.line(), error.column());
                let message = || at_damage(text, at, words(&error));
                return self.add(AtlasJsonRule::Syntax, at, "document", message);
            }
        };
        let [mut frames, mut textures, mut meta] = [None; 3];
        for (key, raw) in entries {
            match key.as_str() {
                "frames" => frames = Some(raw),
                "textures" => textures = Some(raw),
                "meta" => meta = Some(raw),
                other => {
                    let at = self.at(raw.get());
                    self.left_out(other, Some(raw), at, &|| "document".to_owned());
                }
            }
        }
        match (textures, frames) {
            (Some(textures), _) => {
                self.dialect = AtlasDialect::MultiAtlas;
                for (key, raw) in self.entries(meta, "meta") {
                    let at = self.at(raw.get());
                    self.left_out(&key, Some(raw), at, &|| "meta".to_owned());
                }
                let List(pages) = self.cut(textures, "textures");
                for (index, page) in pages.into_iter().enumerate() {
                    self.page(Some(page), &format!("textures[{index}]"));
                }
            }
            (None, Some(frames)) => {
                if self.page(meta, "meta").is_some() {
                    self.left_out("frames", None, 0, &|| "meta".to_owned());
                }
                self.frames(frames, "frames");
            }
            (None, None) => {
                let message = "neither frames nor textures";
                self.add(AtlasJsonRule::Value, 0, "document", message);
            }
        }
    }

    /// Reads `meta` of a file with one page, or an element of `textures` with its sprites.
    fn page(&mut self, raw: Option<&RawValue>, path: &str) -> Option<()> {
        let at = raw.map_or(0, |raw| self.at(raw.get()));
        let mut page = Page { offset: at.saturating_add(self.before) as u64, ..Page::default() };
        let mut frames = None;
        for (key, raw) in self.entries(raw, path) {
            let inner = || format!("{path}.{key}");
            let text = raw.get();
            match key.as_str() {
                "image" => page.file = self.value(text, &inner).unwrap_or_default(),
                "format" => page.format = self.value(text, &inner).unwrap_or_default(),
                "size" => {
                    let size = self.value::<SizeRecord>(text, &inner);
                    let size = size.map(<[i32; 2]>::from);
                    page.size = size.unwrap_or_default().map(|side| side.max(0).unsigned_abs());
                }
                "frames" => frames = Some((raw, inner())),
                key => {
                    let at = self.at(text);
                    self.left_out(key, Some(raw), at, &|| path.to_owned());
                }
            }
        }
        if page.file.is_empty() {
            let message = "missing; the page is named \"\"";
            self.add(AtlasJsonRule::Image, at, || format!("{path}.image"), message);
        }
        page.format = page.format().to_owned();
        self.atlas.pages.push(page);
        let (frames, path) = frames?;
        if self.dialect == AtlasDialect::MultiAtlas {
            self.frames(frames, &path);
            return None;
        }
        Some(())
    }

    /// Reads the sprites of the last page: an object or a list.
    fn frames(&mut self, raw: &RawValue, path: &str) {
        if raw.get().starts_with('[') {
            if self.dialect == AtlasDialect::Hash {
                self.dialect = AtlasDialect::Array;
            }
            let List(list) = self.cut(raw, path);
            for (index, raw) in list.into_iter().enumerate() {
                self.frame(None, raw.get(), || format!("{path}[{index}]"));
            }
            return;
        }
        for (name, raw) in self.entries(Some(raw), path) {
            self.frame(Some(&name), raw.get(), || format!("{path}.{name}"));
        }
    }

    fn frame(&mut self, name: Option<&str>, raw: &str, path: impl Fn() -> String) {
        let at = self.at(raw);
        let Some(record) = self.value::<FrameRecord<'_>>(raw, &path) else { return };
        let Some(name) = name.or(record.filename.as_deref()) else {
            let message = "a sprite in the list has no filename";
            return self.add(AtlasJsonRule::Value, at, path, message);
        };
        let Some(mut sprite) = self.sprite(&record, at, &path) else { return };
        let place = (sprite.page, sprite.rect, sprite.trim, sprite.rotated);
        let sprites = &mut self.atlas.sprites;
        let index = sprites.index_of(name).unwrap_or(sprites.len());
        if index >= Atlas::MOST_SPRITES {
            if self.found.count(AtlasJsonRule::Limit) == 0 {
                let message = || format!("more than {} sprites", Atlas::MOST_SPRITES);
                self.add(AtlasJsonRule::Limit, at, "frames", message);
            }
            return;
        }
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let first = *self.places.entry(place).or_insert(index);
        sprite.alias_of = (first < index).then_some(first);
        if sprites.insert(name, sprite).1.is_some() {
            let message = || {
                format!(
                    "{} is also the name of an earlier sprite; the later one is used",
                    quoted(name)
                )
            };
            self.add(AtlasJsonRule::NameDuplicate, at, path, message);
        }
    }

    fn sprite(
        &mut self,
        record: &FrameRecord<'_>,
        at: usize,
        path: &impl Fn() -> String,
    ) -> Option<Sprite> {
        let rect = Rect::from(record.frame);
        let size = [rect.width, rect.height];
        let by = |[width, height]: [i32; 2]| format!("{width} x {height}");
        let source = record.source_size.map(<[i32; 2]>::from);
        let place = record.sprite_source_size.map(Rect::from);
        let trim = match (record.trimmed, source, place) {
            (true, Some(source), Some(place)) => {
                let inner = [place.width, place.height];
                if inner != size {
                    let path = || path() + ".spriteSourceSize";
                    let message = || {
                        let (inner, size) = (by(inner), by(size));
                        format!("{inner}, but the frame is {size}; the frame's size is used")
                    };
                    self.add(AtlasJsonRule::SourceSize, at, path, message);
                }
                let offset = [place.x, place.y];
                Some(Trim { source, offset })
            }
            (true, ..) => {
                let message = || {
                    let missing = [
                        source.is_none().then_some("sourceSize"),
                        place.is_none().then_some("spriteSourceSize"),
                    ];
                    let missing: Vec<_> = missing.into_iter().flatten().collect();
                    format!("trimmed, but without {}", missing.join(" and "))
                };
                self.add(AtlasJsonRule::Source, at, path, message);
                return None;
            }
            (false, Some(source), _) if source != size => {
                let message = || {
                    let (size, source) = (by(size), by(source));
                    format!(
                        "not marked as trimmed, but {size} of a source of {source}; drawn untrimmed, as in Phaser"
                    )
                };
                self.add(AtlasJsonRule::TrimFlag, at, path, message);
                None
            }
            (false, ..) => None,
        };
        let page = self.atlas.pages.len().saturating_sub(1);
        Some(Sprite {
            page: u32::try_from(page).unwrap_or(u32::MAX),
            rect,
            trim,
            rotated: record.rotated,
            alias_of: None,
            block: None,
            offset: at.saturating_add(self.before) as u64,
        })
    }
}

/// Describes the other files of a multi-pack, given as a list of names.
fn other_files(list: &str) -> String {
    const MOST: usize = 3;
    let names = serde_json::from_str(list);
    let names: Vec<String> = names.unwrap_or_else(|_| vec![list.to_owned()]);
    let mut listed: Vec<String> =
        names.iter().take(MOST).map(|name| quoted(name).to_string()).collect();
    if let more @ 1.. = names.len().saturating_sub(MOST) {
        listed.push(format!("{more} more"));
    }
    let listed = listed.join(", ");
    format!("only this file of a multi-pack is read, not the others: {listed}")
}
