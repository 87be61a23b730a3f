//! Animations that are written while their pictures are taken.

use std::io;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use pchr::image::{PixelRect, Pixels};
use pchr::scene::Subject;

use super::gif::{GifCutter, GifWriter};
use super::lossless::{ApngWriter, WebpWriter};
use super::palette::Palette;
use super::video::{VideoWriter, lay_over_white};
use super::{CompressedPart, Part, PartContent, Shows};
use crate::capture::{AnimationFile, AnimationFormat};
use crate::run::Disk;
use crate::run::output::Whole;
use crate::text::slashed;
use crate::threads::InOrder;

/// Animations of one format, which follow each other.
pub(crate) struct Animations<'a> {
    files: &'a [AnimationFile],
    plays: u16,
    is_video: bool,
    cutting: InOrder<Picture, Cutting<'a>>,
    writing: InOrder<CompressedPart, Writing<'a>>,
}

/// A picture, perhaps with a text: its keyword, and the text itself.
type Picture = (Pixels, Option<(&'static str, String)>);

impl<'a> Animations<'a> {
    /// Starts animations with these sizes. Each plays some times; 0 is for ever. A GIF file has a palette.
    pub(crate) fn new(
        format: AnimationFormat,
        files: &'a [AnimationFile],
        sizes: Vec<[u32; 2]>,
        palettes: Vec<Palette>,
        plays: u16,
        disk: &'a Disk,
        shows: Option<Shows<'a>>,
    ) -> Self {
        let colours = palettes.iter().map(Palette::bytes).collect();
        let cutting = Cutting {
            format,
            files: files.iter(),
            left: 0,
            palettes: palettes.into_iter(),
            cutter: Cutter::Whole,
            parts: 0,
            shows,
            pictures: 0,
        };
        let writing =
            Writing { format, files, sizes, colours, plays, disk, writer: None, file: 0, left: 0 };
        let is_video = matches!(format, AnimationFormat::Video(_));
        Self {
            files,
            plays,
            is_video,
            cutting: InOrder::new(cutting),
            writing: InOrder::new(writing),
        }
    }

    /// Takes a picture with straight alpha, by its number; what it becomes waits for those before it. The text goes to the first frame
    /// of an APNG file.
    ///
    /// # Errors
    /// Those of encoding and writing.
    pub(crate) fn take(
        &self,
        number: usize,
        pixels: Pixels,
        text: Option<(&'static str, String)>,
    ) -> io::Result<()> {
        let mut parts = Vec::new();
        self.cutting.put(number, (pixels, text), |cutting, picture| {
            cutting.cut(picture, &mut parts);
            Ok::<_, io::Error>(())
        })?;
        for (number, part) in parts {
            self.writing.put(number, part.compress()?, |writing, part| writing.write(part))?;
        }
        Ok(())
    }

    /// Returns the paths of the files.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.path.as_path())
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
            loops: if self.is_video { 1 } else { self.plays },
            bytes: std::fs::metadata(&file.path).map_or(0, |file| file.len()),
        })
    }
}

/// The first step: parts of frames, in order.
struct Cutting<'a> {
    format: AnimationFormat,
    files: std::slice::Iter<'a, AnimationFile>,
    /// Frames that the open file still lacks.
    left: usize,
    palettes: std::vec::IntoIter<Palette>,
    cutter: Cutter,
    /// Number of parts of all files.
    parts: usize,
    /// Called with each frame as the file shows it.
    shows: Option<Shows<'a>>,
    /// Number of pictures so far.
    pictures: usize,
}

/// Finds the parts of one file.
enum Cutter {
    /// Rectangles that change, at even places if the format asks for it.
    Changes {
        before: Option<Pixels>,
        is_even: bool,
    },
    Gif(Box<GifCutter>),
    /// Whole pictures.
    Whole,
}

impl Cutting<'_> {
    fn cut(&mut self, (mut pixels, text): Picture, parts: &mut Vec<(usize, Part)>) {
        if self.left == 0 {
            self.left = self.files.next().map_or(0, |file| file.frames);
            self.cutter = match self.format {
                AnimationFormat::Apng => Cutter::Changes { before: None, is_even: false },
                AnimationFormat::Webp => Cutter::Changes { before: None, is_even: true },
                AnimationFormat::Gif => match self.palettes.next() {
                    Some(palette) => Cutter::Gif(Box::new(GifCutter::new(palette))),
                    None => Cutter::Whole,
                },
                AnimationFormat::Video(_) => Cutter::Whole,
            };
        }
        self.left = self.left.saturating_sub(1);
        let is_last = self.left == 0;
        let (shows, number) = (self.shows, self.pictures);
        self.pictures = self.pictures.saturating_add(1);
        let show = |pixels: Pixels| {
            if let Some(shows) = shows {
                shows(number, pixels);
            }
        };
        let mut add = |part: Part| {
            parts.push((self.parts, part));
            self.parts = self.parts.saturating_add(1);
        };
        match &mut self.cutter {
            Cutter::Gif(cutter) => {
                cutter.cut(Some(pixels)).into_iter().for_each(&mut add);
                if shows.is_some() {
                    show(cutter.seen());
                }
                if is_last {
                    cutter.cut(None).into_iter().for_each(add);
                }
            }
            Cutter::Changes { before, is_even } => {
                let rect = match before {
                    None => pixels.rect(),
                    Some(before) => {
                        let pixel = PixelRect { offset: [0, 0], size: [1, 1] };
                        pixels.changed(before).unwrap_or(pixel)
                    }
                };
                let rect = if *is_even { even(rect) } else { rect };
                let part = pixels.cut(rect);
                let text = text.filter(|_| before.is_none());
                let content = match self.format {
                    AnimationFormat::Webp => PartContent::Webp(part),
                    _ => PartContent::Png(part, text),
                };
                if shows.is_some() {
                    show(pixels.clone());
                }
                *before = Some(pixels);
                add(Part { rect, content, clears: false });
            }
            Cutter::Whole => {
                if let AnimationFormat::Video(format) = self.format
                    && !format.has_alpha()
                {
                    lay_over_white(&mut pixels);
                }
                if shows.is_some() {
                    show(pixels.clone());
                }
                let rect = pixels.rect();
                add(Part { rect, content: PartContent::Raw(pixels), clears: false });
            }
        }
    }
}

/// The smallest rectangle around one whose offset is even.
fn even(rect: PixelRect) -> PixelRect {
    let ([x, y], [width, height]) = (rect.offset, rect.size);
    PixelRect { offset: [x & !1, y & !1], size: [width + (x & 1), height + (y & 1)] }
}

/// The last step: files, in order.
struct Writing<'a> {
    format: AnimationFormat,
    files: &'a [AnimationFile],
    sizes: Vec<[u32; 2]>,
    /// Colours of each GIF file.
    colours: Vec<Vec<u8>>,
    plays: u16,
    disk: &'a Disk,
    writer: Option<FileWriter>,
    /// Index of the open file.
    file: usize,
    /// Frames that it still lacks.
    left: usize,
}

/// Writes one file.
enum FileWriter {
    Apng(ApngWriter<Whole>),
    Gif(GifWriter<Whole>),
    Webp(WebpWriter<Whole>),
    Video(VideoWriter, Whole),
}

impl Writing<'_> {
    fn write(&mut self, part: CompressedPart) -> io::Result<()> {
        let Some(file) = self.files.get(self.file) else {
            return Ok(());
        };
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => {
                self.left = file.frames;
                let writer = self.start(file)?;
                self.writer.insert(writer)
            }
        };
        match writer {
            FileWriter::Apng(writer) => writer.frame(&part)?,
            FileWriter::Gif(writer) => writer.frame(part)?,
            FileWriter::Webp(writer) => writer.frame(&part)?,
            FileWriter::Video(writer, _) => {
                writer.frame(&part.bytes).map_err(|error| about(&file.path, &error))?;
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
            Some(FileWriter::Video(writer, out)) => {
                writer.finish().map_err(|error| about(&file.path, &error))?;
                out
            }
        };
        complete.complete()?.take_place()
    }

    fn start(&self, file: &AnimationFile) -> io::Result<FileWriter> {
        let out = self.disk.create(&file.path)?;
        let size = self.sizes.get(self.file).copied().unwrap_or_default();
        let (plays, rate) = (self.plays, file.rate);
        Ok(match self.format {
            AnimationFormat::Apng => {
                let frames = u32::try_from(file.frames).unwrap_or(u32::MAX);
                FileWriter::Apng(ApngWriter::new(out, frames, plays.into(), rate))
            }
            AnimationFormat::Gif => {
                let colours = self.colours.get(self.file).map_or(&[][..], Vec::as_slice);
                FileWriter::Gif(GifWriter::new(out, size, colours, plays, rate)?)
            }
            AnimationFormat::Webp => FileWriter::Webp(WebpWriter::new(out, size, plays, rate)?),
            AnimationFormat::Video(format) => {
                let why = || io::Error::other("a video needs a file, not a pipe or device");
                let path = out.temporary().ok_or_else(why);
                let writer = path
                    .and_then(|path| VideoWriter::new(path, format, size, rate))
                    .map_err(|error| about(&file.path, &error))?;
                FileWriter::Video(writer, out)
            }
        })
    }
}

fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
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
