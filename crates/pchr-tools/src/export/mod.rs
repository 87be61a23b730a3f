//! Animations as files, and a first look at their pictures.
//!
//! ```text
//! pictures ─in order─► with those before ─any thread─► parts that change, compressed ─in order─► file
//!                      └─ Pairing                      └─ NextFrame::part, compress               └─ one writer a format
//! of GIF files: … ─any thread─► indices ─in order─► parts that change ─any thread─► compressed …
//!                               └─ dither           └─ GifCutter
//! ```
//!
//! Pictures come from any thread, in any order. Memory holds only those that wait for another, whatever the length of the animation.

mod animations;
mod gif;
mod lossless;
mod palette;
mod video;

use std::io;

use clap::ValueEnum;
use parking_lot::Mutex;

use pchr::image::{Effort, PixelRect, Pixels, encode_png, encode_png_with_text};

pub(crate) use animations::{AnimationReport, Animations};
pub(crate) use video::find_ffmpeg;

use self::palette::{GifPalette, Histogram};

/// Receiver of pictures as a file shows them: their number, and straight alpha. Called from any thread.
pub(crate) type Shows<'a> = &'a (dyn Fn(usize, Pixels) + Sync);

/// A part of a frame that replaces what was there.
#[derive(Debug)]
pub(crate) struct FramePart {
    rect: PixelRect,
    content: PartContent,
    /// True if the part is transparent again before the next frame.
    clears: bool,
}

/// Pixels of a part.
#[derive(Debug)]
enum PartContent {
    /// A PNG file with a text: its keyword, and the text itself.
    Png(Pixels, Option<(&'static str, String)>),
    /// A WebP file.
    Webp(Pixels),
    /// Indices of a palette; that of transparent pixels leaves what was there.
    Indices(Vec<u8>),
    /// Pixels as they are.
    Raw(Pixels),
}

/// A part as it stands in a file.
#[derive(Debug)]
pub(crate) struct CompressedPart {
    rect: PixelRect,
    bytes: Vec<u8>,
    clears: bool,
}

impl FramePart {
    fn compress(self) -> io::Result<CompressedPart> {
        let Self { rect, content, clears } = self;
        let bytes = match content {
            PartContent::Png(pixels, text) => {
                let mut png = Vec::new();
                match &text {
                    None => encode_png(&pixels, Effort::Least, &mut png),
                    Some((keyword, text)) => {
                        encode_png_with_text(&pixels, Effort::Least, (keyword, text), &mut png)
                    }
                }
                .map_err(io::Error::other)?;
                png
            }
            PartContent::Webp(pixels) => lossless::encode_webp(&pixels)?,
            PartContent::Indices(indices) => gif::compress(rect, indices),
            PartContent::Raw(pixels) => pixels.rgba,
        };
        Ok(CompressedPart { rect, bytes, clears })
    }
}

/// Returns the time of a frame at a rate, in units of which there are `per_second`. Times of frames add up without drift.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at least 0; saturates"
)]
fn ticks(frame: u32, rate: f64, per_second: f64) -> u32 {
    let end = |frame: f64| (frame * per_second / rate).round();
    (end(f64::from(frame) + 1.0) - end(f64::from(frame))) as u32
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
        let Some(seen) = self.0.get(group) else {
            return;
        };
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
