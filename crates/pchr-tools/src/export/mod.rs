//! Animations as files, which are written while their pictures are taken, and a first look at those pictures.
//!
//! ```text
//! pictures ─in order─► with those before ─any thread─► parts that change, compressed ─in order─► file
//!                      └─ Pairing                      └─ NextFrame::part                         └─ one writer a format
//! of GIF files: … ─any thread─► indices ─in order─► parts that change ─any thread─► compressed …
//!                               └─ dither           └─ GifCutter                     └─ compress_indices
//! ```
//!
//! Pictures come from any thread, in any order. Memory holds only those that wait for another, whatever the length of the animation.

mod palette;
mod writers;

use std::io;
use std::sync::Arc;

use clap::ValueEnum;
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;

use pchr::image::{Effort, PixelRect, Pixels, encode_png_with_text};
use pchr::scene::Subject;

use self::palette::{GifPalette, Histogram, dither};
use self::writers::{
    ApngWriter, GifCutter, GifWriter, VideoWriter, WebpWriter, compress_indices, lay_over_white,
};
use crate::capture::{AnimationFile, AnimationFormat};
use crate::run::Disk;
use crate::run::output::{Whole, explain};
use crate::text::slashed;
use crate::threads::InOrder;

pub(crate) use writers::find_ffmpeg;

/// Receiver of pictures as a file shows them: their number, and straight alpha. Called from any thread.
pub(crate) type Shows<'a> = &'a (dyn Fn(usize, Pixels) + Sync);

/// A part of a frame that replaces what was there.
#[derive(Debug)]
pub(crate) struct FramePart {
    rect: PixelRect,
    /// Its pixels as they stand in a file.
    bytes: Vec<u8>,
    /// True if the part is transparent again before the next frame.
    clears: bool,
}

/// Returns the time of a frame at a rate, in units of which there are `per_second`. Times of frames add up without drift.
#[expect(clippy::cast_possible_truncation, reason = "at least 0; saturates")]
fn ticks(frame: u32, rate: f64, per_second: f64) -> u32 {
    let end = |frame: f64| (frame * per_second / rate).round();
    (end(f64::from(frame) + 1.0) - end(f64::from(frame))) as u32
}

/// Animations of one format, which follow each other.
pub(crate) struct Animations<'a> {
    format: AnimationFormat,
    files: &'a [AnimationFile],
    /// Size of each file.
    sizes: Vec<[u32; 2]>,
    /// Palette of each GIF file.
    palettes: Vec<GifPalette>,
    plays: u16,
    disk: &'a Disk,
    shows: Option<Shows<'a>>,
    pairing: InOrder<Picture, Pairing>,
    /// Frames of GIF files with their indices, in order.
    cutting: InOrder<(NextFrame, Vec<Option<u8>>), Option<GifCutter>>,
    writing: InOrder<FramePart, Writing>,
}

/// A picture, perhaps with a text: its keyword, and the text itself.
type Picture = (Pixels, Option<(&'static str, String)>);

impl<'a> Animations<'a> {
    /// Starts animations with these sizes. Each plays some times; 0 is for ever. A GIF file has a palette.
    pub(crate) fn new(
        format: AnimationFormat,
        files: &'a [AnimationFile],
        sizes: Vec<[u32; 2]>,
        palettes: Vec<GifPalette>,
        plays: u16,
        disk: &'a Disk,
        shows: Option<Shows<'a>>,
    ) -> Self {
        Self {
            format,
            files,
            sizes,
            palettes,
            plays,
            disk,
            shows,
            pairing: InOrder::new(Pairing::default()),
            cutting: InOrder::new(None),
            writing: InOrder::new(Writing::default()),
        }
    }

    /// Takes a picture with straight alpha, by its number; what it becomes waits for those before it. The text goes to the first frame
    /// of an APNG file.
    pub(crate) fn take(
        &self,
        number: usize,
        mut pixels: Pixels,
        text: Option<(&'static str, String)>,
    ) -> io::Result<()> {
        if let AnimationFormat::Video(format) = self.format
            && !format.has_alpha()
        {
            lay_over_white(&mut pixels);
        }
        let mut frames = Vec::new();
        self.pairing.put(number, (pixels, text), |pairing, picture| {
            frames.push(pairing.frame(self.files, picture));
            Ok::<_, io::Error>(())
        })?;
        for frame in frames {
            match self.format {
                AnimationFormat::Gif => self.take_gif_frame(frame)?,
                _ => {
                    if let Some(shows) = self.shows {
                        shows(frame.number, Pixels::clone(&frame.pixels));
                    }
                    self.write(frame.number, frame.part(self.format)?)?;
                }
            }
        }
        Ok(())
    }

    /// Dithers a frame, and writes the part before it; after the last frame of a file its own, too.
    fn take_gif_frame(&self, frame: NextFrame) -> io::Result<()> {
        let palette = |file: usize| {
            let missing = || io::Error::other("the GIF file has no palette");
            self.palettes.get(file).ok_or_else(missing)
        };
        let number = frame.number;
        let indices = dither(palette(frame.file)?, &frame.pixels, frame.before.as_deref());
        let mut parts = Vec::new();
        self.cutting.put(number, (frame, indices), |cutter, (frame, indices)| {
            let palette = palette(frame.file)?;
            let start = || GifCutter::new(frame.pixels.width, palette.transparent());
            let at_work = cutter.get_or_insert_with(start);
            let before = at_work.cut(Some(indices));
            parts.extend(before.map(|part| (frame.number.saturating_sub(1), part)));
            if let Some(shows) = self.shows {
                shows(frame.number, at_work.seen(palette));
            }
            if frame.is_last {
                parts.extend(at_work.cut(None).map(|part| (frame.number, part)));
                *cutter = None;
            }
            Ok::<_, io::Error>(())
        })?;
        let mut parts = parts.into_iter();
        parts.try_for_each(|(number, part)| self.write(number, compress_indices(part)))
    }

    fn write(&self, number: usize, part: FramePart) -> io::Result<()> {
        self.writing.put(number, part, |writing, part| writing.write(self, part))
    }

    /// Returns the report about the files, which are complete.
    pub(crate) fn report(
        &self,
        subject: &'a dyn Subject,
    ) -> impl Iterator<Item = AnimationReport<'a>> {
        self.files.iter().map(move |file| AnimationReport {
            path: slashed(&file.path),
            animation: file.animation.map(|id| subject.animation_name(id)),
            animation_index: file.animation.map(|id| id.0),
            frames: file.frames,
            fps: file.rate,
            seconds: file.frames as f64 / file.rate,
            loops: match self.format {
                AnimationFormat::Video(_) => 1,
                _ => self.plays,
            },
            bytes: std::fs::metadata(&file.path).map_or(0, |file| file.len()),
        })
    }
}

/// The first step, in order: each picture with the one before it.
#[derive(Default)]
struct Pairing {
    /// Index of the file of the next picture.
    file: usize,
    /// Number of frames of this file so far.
    frames: usize,
    /// Number of pictures of all files so far.
    number: usize,
    before: Option<Arc<Pixels>>,
}

/// A frame, and what it follows.
struct NextFrame {
    /// Its number in all files.
    number: usize,
    /// Index of its file.
    file: usize,
    pixels: Arc<Pixels>,
    /// Text for the first frame of a file.
    text: Option<(&'static str, String)>,
    /// The frame before it in its file.
    before: Option<Arc<Pixels>>,
    is_last: bool,
}

impl Pairing {
    fn frame(&mut self, files: &[AnimationFile], (pixels, text): Picture) -> NextFrame {
        let pixels = Arc::new(pixels);
        let before = self.before.replace(Arc::clone(&pixels));
        let (number, file) = (self.number, self.file);
        self.number = self.number.saturating_add(1);
        self.frames = self.frames.saturating_add(1);
        let is_last = files.get(file).is_none_or(|file| self.frames >= file.frames);
        if is_last {
            self.file = file.saturating_add(1);
            self.frames = 0;
            self.before = None;
        }
        NextFrame { number, file, pixels, text: text.filter(|_| before.is_none()), before, is_last }
    }
}

impl NextFrame {
    /// Returns the part that changes in a format other than GIF.
    fn part(&self, format: AnimationFormat) -> io::Result<FramePart> {
        let pixels = &self.pixels;
        let changes = || match &self.before {
            None => pixels.rect(),
            Some(before) => {
                let pixel = PixelRect { offset: [0, 0], size: [1, 1] };
                pixels.changed(before).unwrap_or(pixel)
            }
        };
        let (rect, bytes) = match format {
            AnimationFormat::Webp => {
                let rect = even(changes());
                (rect, writers::encode_webp(&pixels.cut(rect))?)
            }
            AnimationFormat::Video(_) => (pixels.rect(), pixels.rgba.clone()),
            AnimationFormat::Apng | AnimationFormat::Gif => {
                let rect = changes();
                let text = self.text.as_ref().map(|(keyword, text)| (*keyword, text.as_str()));
                let mut png = Vec::new();
                encode_png_with_text(&pixels.cut(rect), Effort::Least, text, &mut png)
                    .map_err(io::Error::other)?;
                (rect, png)
            }
        };
        Ok(FramePart { rect, bytes, clears: false })
    }
}

/// The smallest rectangle around one whose offset is even.
fn even(rect: PixelRect) -> PixelRect {
    let ([x, y], [width, height]) = (rect.offset, rect.size);
    PixelRect { offset: [x & !1, y & !1], size: [width + (x & 1), height + (y & 1)] }
}

/// The last step: files, in order.
#[derive(Default)]
struct Writing {
    writer: Option<FileWriter>,
    /// Index of the open file.
    file: usize,
    /// Frames that it still lacks.
    left: usize,
}

enum FileWriter {
    Apng(ApngWriter<Whole>),
    Gif(GifWriter<Whole>),
    Webp(WebpWriter<Whole>),
    Video(VideoWriter, Whole),
}

impl Writing {
    fn write(&mut self, all: &Animations<'_>, part: FramePart) -> io::Result<()> {
        let Some(file) = all.files.get(self.file) else { return Ok(()) };
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => {
                self.left = file.frames;
                let writer = self.start(all, file)?;
                self.writer.insert(writer)
            }
        };
        match writer {
            FileWriter::Apng(writer) => writer.frame(&part)?,
            FileWriter::Gif(writer) => writer.frame(part)?,
            FileWriter::Webp(writer) => writer.frame(&part)?,
            FileWriter::Video(writer, _) => {
                writer.frame(&part.bytes).map_err(|error| explain(&file.path, &error))?;
            }
        }
        self.left = self.left.saturating_sub(1);
        if self.left > 0 {
            return Ok(());
        }
        self.file = self.file.saturating_add(1);
        let complete = match self.writer.take() {
            None => return Ok(()),
            Some(FileWriter::Apng(writer)) => writer.finish()?,
            Some(FileWriter::Gif(writer)) => writer.finish()?,
            Some(FileWriter::Webp(writer)) => writer.finish()?,
            Some(FileWriter::Video(mut writer, out)) => {
                writer.finish().map_err(|error| explain(&file.path, &error))?;
                out
            }
        };
        complete.complete()?.take_place()
    }

    fn start(&self, all: &Animations<'_>, file: &AnimationFile) -> io::Result<FileWriter> {
        let out = all.disk.create(&file.path)?;
        let size = all.sizes.get(self.file).copied().unwrap_or_default();
        let (plays, rate) = (all.plays, file.rate);
        Ok(match all.format {
            AnimationFormat::Apng => {
                let frames = u32::try_from(file.frames).unwrap_or(u32::MAX);
                FileWriter::Apng(ApngWriter::new(out, frames, plays.into(), rate))
            }
            AnimationFormat::Gif => {
                let colours = all.palettes.get(self.file).map(GifPalette::bytes);
                let colours = colours.unwrap_or_default();
                FileWriter::Gif(GifWriter::new(out, size, &colours, plays, rate)?)
            }
            AnimationFormat::Webp => FileWriter::Webp(WebpWriter::new(out, size, plays, rate)?),
            AnimationFormat::Video(format) => {
                let why = || io::Error::other("a video needs a file, not a pipe or device");
                let path = out.temporary().ok_or_else(why);
                let writer = path
                    .and_then(|path| VideoWriter::new(path, format, size, rate))
                    .map_err(|error| explain(&file.path, &error))?;
                FileWriter::Video(writer, out)
            }
        })
    }
}

/// An animation that was written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Animation file")]
pub(crate) struct AnimationReport<'a> {
    /// Path of the file.
    path: String,
    /// The animation; null if vertices were drawn as stored.
    animation: Option<&'a str>,
    /// The animation's index in the file, from 0.
    animation_index: Option<u16>,
    /// Number of frames.
    frames: usize,
    /// Frames per second.
    fps: f64,
    /// Length in seconds: of one loop, or of all loops that a video holds.
    seconds: f64,
    /// Number of times that players show it; 0 is for ever.
    loops: u16,
    /// Size of the file.
    bytes: u64,
}

/// Pictures that are cut to what is visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Trimming {
    /// All pictures of a run, or all frames of an animation, alike.
    All,
    /// Each picture on its own.
    Each,
}

/// What was seen in groups of pictures.
#[derive(Debug)]
pub(crate) struct Survey(Vec<Mutex<GroupSeen>>);

#[derive(Debug, Default)]
struct GroupSeen {
    visible: Option<PixelRect>,
    colours: Histogram,
}

impl Survey {
    /// Starts with this many groups.
    pub(crate) fn new(groups: usize) -> Self {
        Self((0..groups).map(|_| Mutex::default()).collect())
    }

    /// Looks at a picture of a group, and counts its colours if they matter.
    pub(crate) fn look(&self, group: usize, pixels: &Pixels, counts: bool) {
        let visible = pixels.visible();
        let mut colours = Histogram::default();
        if counts {
            colours.count(pixels);
        }
        let Some(seen) = self.0.get(group) else { return };
        let mut seen = seen.lock();
        seen.visible = match (seen.visible, visible) {
            (Some(a), Some(b)) => Some(a.union(b)),
            (a, b) => a.or(b),
        };
        seen.colours.add(colours);
    }

    /// Returns the smallest rectangle with all that is visible in a group; `None` if nothing is.
    pub(crate) fn visible(&self, group: usize) -> Option<PixelRect> {
        self.0.get(group).and_then(|seen| seen.lock().visible)
    }

    /// Returns a palette for a group whose colours were counted.
    pub(crate) fn palette(&self, group: usize) -> GifPalette {
        let seen = self.0.get(group).map(|seen| std::mem::take(&mut seen.lock().colours));
        GifPalette::new(seen.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_add_up_without_drift() {
        let all: Vec<u32> = (0..24).map(|frame| ticks(frame, 24.0, 100.0)).collect();
        assert_eq!(all.iter().sum::<u32>(), 100);
        assert!(all.iter().all(|time| [4, 5].contains(time)), "{all:?}");
        assert_eq!(ticks(7, 0.1, 1000.0), 10_000);
    }
}
