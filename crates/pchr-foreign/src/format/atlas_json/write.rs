//! Writes an atlas as a text, by the records that are read, too.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::json;

use pchr::format::Losses;
use pchr::format::json::Int32;

use super::AtlasDialect;
use crate::atlas::{Atlas, Page, Rect, Sprite};

/// The white space of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// One sprite per line.
    #[default]
    Lines,
    /// No white space.
    Compact,
}

/// An animation whose frames are sprites that follow each other.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetClip {
    /// Its name.
    pub name: String,
    /// Number of its sprites; those of the next clip follow them.
    pub frames: usize,
    /// Frames per second.
    pub fps: f64,
    /// Pivot of each sprite in its source: 0,0 is the top left, 1,1 the bottom right.
    pub pivots: Vec<[f32; 2]>,
}

/// Writes an atlas with the clips that its sprites are, and returns what the dialect cannot hold: pivots as TexturePacker writes them,
/// durations and tags of frames as Aseprite does, and lists of frames as PixiJS reads them. Of an atlas with several pages, hash and array
/// name the first only: [`AtlasDialect::most_pages`] says who can do more.
///
/// # Errors
/// Errors of `out`.
pub fn write(
    atlas: &Atlas,
    clips: &[SheetClip],
    dialect: AtlasDialect,
    layout: Layout,
    out: &mut dyn Write,
) -> io::Result<Losses> {
    let line = if layout == Layout::Lines { "\n" } else { "" };
    let mut text = AtlasJsonWriter { out, line, clips };
    if dialect == AtlasDialect::MultiAtlas {
        text.pages(atlas)?;
    } else {
        let is_hash = dialect == AtlasDialect::Hash;
        text.put("{\"frames\":")?;
        text.frames(atlas.sprites.iter().enumerate(), is_hash)?;
        text.put(",")?;
        text.break_line()?;
        text.animations(atlas)?;
        let fallback = Page::default();
        let page = atlas.pages.first().unwrap_or(&fallback);
        let mut meta = page_keys(page);
        meta.insert("app".into(), APP.into());
        meta.insert("version".into(), VERSION.into());
        if !clips.is_empty() {
            meta.insert("frameTags".into(), frame_tags(clips).into());
        }
        text.put("\"meta\":")?;
        text.value(&meta)?;
        text.put("}")?;
    }
    text.break_line()?;
    Ok(losses(atlas))
}

/// Name of the program that writes the text.
const APP: &str = "pchr";
/// Version of TexturePacker's form.
const VERSION: &str = "1.0";

/// Returns the values that JSON cannot express.
fn losses(atlas: &Atlas) -> Losses {
    let mut losses = Losses::default();
    for (index, page) in atlas.pages.iter().enumerate() {
        if page.padding.is_some_and(|padding| padding != 0) {
            losses.add("paddings of pages", || format!("pages[{index}].padding"));
        }
    }
    let mut names: Vec<&str> = match atlas.folders.as_slice() {
        [] => Vec::new(),
        _ => atlas.sprites.names().collect(),
    };
    names.sort_unstable();
    for (index, folder) in atlas.folders.iter().enumerate() {
        let start = format!("{folder}/");
        let at = names.partition_point(|name| *name < start.as_str());
        if !names.get(at).is_some_and(|name| name.starts_with(&start)) {
            losses.add("folders without sprites", || format!("folders[{index}]"));
        }
    }
    losses
}

struct AtlasJsonWriter<'a> {
    out: &'a mut dyn Write,
    /// The end of a line.
    line: &'static str,
    clips: &'a [SheetClip],
}

/// Tags of the frames of clips, by the numbers of the first and last one.
fn frame_tags(clips: &[SheetClip]) -> Vec<serde_json::Value> {
    let mut from = 0_usize;
    let tag = |clip: &SheetClip| {
        let first = from;
        from = from.saturating_add(clip.frames);
        let last = from.saturating_sub(1);
        json!({"name": clip.name, "from": first, "to": last, "direction": "forward"})
    };
    clips.iter().map(tag).collect()
}

impl AtlasJsonWriter<'_> {
    fn put(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }

    fn break_line(&mut self) -> io::Result<()> {
        self.put(self.line)
    }

    /// Begins the line of an element of a list or an object.
    fn begin_element(&mut self, index: usize) -> io::Result<()> {
        self.put(if index > 0 { "," } else { "" })?;
        self.break_line()
    }

    fn value(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        Ok(serde_json::to_writer(&mut *self.out, value)?)
    }

    fn pages(&mut self, atlas: &Atlas) -> io::Result<()> {
        let mut of_page: Vec<Vec<(usize, (&str, &Sprite))>> = vec![Vec::new(); atlas.pages.len()];
        for (number, (name, sprite)) in atlas.sprites.iter().enumerate() {
            if let Some(sprites) = of_page.get_mut(sprite.page as usize) {
                sprites.push((number, (name, sprite)));
            }
        }
        self.put("{\"textures\":[")?;
        for (index, (page, sprites)) in atlas.pages.iter().zip(of_page).enumerate() {
            self.begin_element(index)?;
            self.put("{")?;
            for (key, value) in &page_keys(page) {
                self.value(key)?;
                self.put(":")?;
                self.value(value)?;
                self.put(",")?;
            }
            self.put("\"frames\":")?;
            self.frames(sprites.into_iter(), false)?;
            self.put("}")?;
        }
        self.break_line()?;
        self.put("],")?;
        self.break_line()?;
        self.animations(atlas)?;
        self.put("\"meta\":")?;
        self.value(&json!({"app": APP, "version": VERSION}))?;
        self.put("}")
    }

    /// Writes the names of the frames of each clip.
    fn animations(&mut self, atlas: &Atlas) -> io::Result<()> {
        if self.clips.is_empty() {
            return Ok(());
        }
        let mut names = atlas.sprites.names();
        self.put("\"animations\":{")?;
        for (index, clip) in self.clips.iter().enumerate() {
            self.begin_element(index)?;
            self.value(&clip.name)?;
            self.put(":")?;
            let frames: Vec<&str> = names.by_ref().take(clip.frames).collect();
            self.value(&frames)?;
        }
        self.break_line()?;
        self.put("},")?;
        self.break_line()
    }

    /// Writes an object by names, or a list.
    fn frames<'s>(
        &mut self,
        sprites: impl Iterator<Item = (usize, (&'s str, &'s Sprite))>,
        by_name: bool,
    ) -> io::Result<()> {
        self.put(if by_name { "{" } else { "[" })?;
        for (index, (number, (name, sprite))) in sprites.enumerate() {
            self.begin_element(index)?;
            if by_name {
                self.value(&name)?;
                self.put(":")?;
            }
            let mut record = FrameRecord::of(sprite, (!by_name).then_some(name));
            record.play(self.clips, number);
            self.value(&record)?;
        }
        self.break_line()?;
        self.put(if by_name { "}" } else { "]" })
    }
}

fn page_keys(page: &Page) -> serde_json::Map<String, serde_json::Value> {
    let mut keys = serde_json::Map::new();
    keys.insert("image".into(), page.file.as_str().into());
    keys.insert("format".into(), page.format().into());
    let [w, h] = page.size;
    if page.size != [0, 0] {
        keys.insert("size".into(), json!({"w": w, "h": h}));
    }
    keys.insert("scale".into(), "1".into());
    keys
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameRecord<'a> {
    /// Its name, in a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) filename: Option<std::borrow::Cow<'a, str>>,
    /// Its place on the page, and its upright size.
    pub(super) frame: RectRecord,
    #[serde(default)]
    pub(super) rotated: bool,
    #[serde(default)]
    pub(super) trimmed: bool,
    /// Its place in its source, and the same size again.
    pub(super) sprite_source_size: Option<RectRecord>,
    pub(super) source_size: Option<SizeRecord>,
    /// Pivot in its source, from 0 to 1.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pivot: Option<PivotRecord>,
    /// Milliseconds for which it is seen.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    duration: Option<f64>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct PivotRecord {
    x: f32,
    y: f32,
}

impl<'a> FrameRecord<'a> {
    /// Returns the record of a sprite, with its name if it is in a list.
    pub(super) fn of(sprite: &Sprite, filename: Option<&'a str>) -> Self {
        let Rect { width, height, .. } = sprite.rect;
        let [x, y] = sprite.source_offset();
        Self {
            filename: filename.map(Into::into),
            frame: sprite.rect.into(),
            rotated: sprite.rotated,
            trimmed: sprite.trim.is_some(),
            sprite_source_size: Some(Rect { x, y, width, height }.into()),
            source_size: Some(sprite.source_size().into()),
            pivot: None,
            duration: None,
        }
    }

    /// Adds the pivot and duration of the frame with a number, in clips that follow each other.
    fn play(&mut self, clips: &[SheetClip], number: usize) {
        let mut before = 0_usize;
        for clip in clips {
            if let Some(pivot) = number.checked_sub(before).filter(|at| *at < clip.frames) {
                self.pivot = clip.pivots.get(pivot).map(|[x, y]| PivotRecord { x: *x, y: *y });
                self.duration = Some((1e6 / clip.fps).round() / 1e3);
                return;
            }
            before = before.saturating_add(clip.frames);
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct RectRecord {
    x: Int32,
    y: Int32,
    w: Int32,
    h: Int32,
}

impl From<Rect> for RectRecord {
    fn from(rect: Rect) -> Self {
        Self { x: Int32(rect.x), y: Int32(rect.y), w: Int32(rect.width), h: Int32(rect.height) }
    }
}

impl From<RectRecord> for Rect {
    fn from(record: RectRecord) -> Self {
        Self { x: record.x.0, y: record.y.0, width: record.w.0, height: record.h.0 }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct SizeRecord {
    pub(super) w: Int32,
    pub(super) h: Int32,
}

impl From<[i32; 2]> for SizeRecord {
    fn from([w, h]: [i32; 2]) -> Self {
        Self { w: Int32(w), h: Int32(h) }
    }
}

impl From<SizeRecord> for [i32; 2] {
    fn from(record: SizeRecord) -> Self {
        [record.w.0, record.h.0]
    }
}
