//! Animations of pictures, each in one file.

use std::io;
use std::path::PathBuf;

use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;

use pchr::scene::Subject;

use crate::capture::apng::{ApngFrame, ApngTiming, ApngWriter};
use crate::capture::in_order::InOrder;
use crate::capture::{CaptureError, Taken};
use crate::run::Disk;
use crate::run::output::Whole;
use crate::text::slashed;
use crate::view::plan::AnimationFile;

/// Writes animations while their pictures are taken, in any order.
pub(super) struct Animations<'a> {
    files: &'a [AnimationFile],
    disk: &'a Disk,
    size: [u32; 2],
    /// Number of times that each plays; 0 is for ever.
    plays: u32,
    frames: InOrder<ApngFrame>,
    current: Mutex<Current>,
}

/// The file that is being written.
#[derive(Default)]
struct Current {
    writer: Option<ApngWriter<Counted>>,
    /// Frames that it still lacks.
    left: usize,
    /// Bytes of the files that are complete.
    bytes: Vec<u64>,
}

impl<'a> Animations<'a> {
    /// Starts animations of pictures of a size.
    pub(super) fn new(
        files: &'a [AnimationFile],
        size: [u32; 2],
        plays: u32,
        disk: &'a Disk,
    ) -> Self {
        Self { files, disk, size, plays, frames: InOrder::default(), current: Mutex::default() }
    }

    /// Takes a picture; its compressed form waits for those before it.
    ///
    /// # Errors
    /// Those of encoding and writing.
    pub(super) fn take(
        &self,
        taken: &mut Taken<'_>,
        text: (&str, &str),
    ) -> Result<(), CaptureError> {
        let corner = taken.pixels.rgba.first_chunk().copied();
        // The text says the moment of the picture that viewers without animations show.
        let mut first = 0;
        let is_first = self.files.iter().any(|file| {
            let is_first = first == taken.shot;
            first += file.frames;
            is_first
        });
        let png = match is_first {
            true => taken.png_with_text(text)?,
            false => taken.png()?,
        };
        let frame = ApngFrame { png: png.to_vec(), corner: corner.unwrap_or_default() };
        let mut current = None;
        self.frames.put(taken.shot, frame, |_, frame| {
            let current = current.get_or_insert_with(|| self.current.lock());
            self.write(current, frame)
        })?;
        Ok(())
    }

    fn write(&self, current: &mut Current, frame: ApngFrame) -> io::Result<()> {
        let mut writer = match current.writer.take() {
            Some(writer) => writer,
            None => {
                let Some(file) = self.files.get(current.bytes.len()) else {
                    return Ok(());
                };
                current.left = file.frames;
                let timing = ApngTiming {
                    frames: u32::try_from(file.frames).unwrap_or(u32::MAX),
                    plays: self.plays,
                    rate: file.rate,
                };
                let out = Counted { out: self.disk.create(&file.path)?, bytes: 0 };
                ApngWriter::new(out, self.size, timing)
            }
        };
        writer.frame(frame)?;
        current.left = current.left.saturating_sub(1);
        if current.left > 0 {
            current.writer = Some(writer);
            return Ok(());
        }
        let Counted { out, bytes } = writer.finish()?;
        out.complete()?.take_place()?;
        current.bytes.push(bytes);
        Ok(())
    }

    /// Returns the report about the files.
    pub(super) fn report(self, subject: &'a dyn Subject) -> Vec<AnimationReport<'a>> {
        let bytes = self.current.into_inner().bytes.into_iter();
        let report = |(file, bytes): (&'a AnimationFile, u64)| AnimationReport {
            path: slashed(&file.path),
            animation: file.animation.map(|id| subject.animation_name(id)),
            animation_index: file.animation.map(|id| id.0),
            frames: file.frames,
            fps: file.rate,
            seconds: file.frames as f64 / file.rate,
            loops: self.plays,
            bytes,
        };
        self.files.iter().zip(bytes).map(report).collect()
    }

    /// Returns the paths of the files.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }
}

/// A file and the number of its bytes.
struct Counted {
    out: Whole,
    bytes: u64,
}

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes = self.bytes.saturating_add(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// An animation that was written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Animation file")]
pub(super) struct AnimationReport<'a> {
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
    /// Length of one loop in seconds.
    seconds: f64,
    /// Number of times that it plays; 0 is for ever.
    loops: u32,
    /// Size of the file.
    bytes: u64,
}
