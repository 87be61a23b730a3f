//! GIF files: one palette for all frames, and times in hundredths of a second.
//!
//! Where a pixel does not change, its index does not change either, so nothing shimmers, and only rectangles that change are stored. A
//! pixel cannot become transparent on top of others, so a frame clears the rectangle in which the next one has fewer visible pixels.

use std::io::{self, Write};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use pchr::image::{PixelRect, Pixels};

use super::palette::GifPalette;
use super::{CompressedPart, FramePart, PartContent};

/// Finds the parts of frames that change. It is one frame behind, because what follows a frame decides if it is cleared.
#[derive(Debug)]
pub(super) struct GifCutter {
    width: u32,
    /// Index of transparent pixels.
    none: u8,
    /// Indices of the last frame.
    indices: Option<Vec<u8>>,
    /// Indices of what was there before it.
    shown: Vec<u8>,
}

impl GifCutter {
    /// Starts with frames of a width, and the index of transparent pixels.
    pub(super) fn new(width: u32, none: u8) -> Self {
        Self { width, none, indices: None, shown: Vec::new() }
    }

    /// Takes the indices of a frame, where `None` is that of the frame before, or the end. Returns the part of the frame before.
    pub(super) fn cut(&mut self, indices: Option<Vec<Option<u8>>>) -> Option<FramePart> {
        let indices = indices.map(|indices| {
            let before = self.indices.as_deref().unwrap_or_default();
            let before = before.iter().copied().chain(std::iter::repeat(self.none));
            indices.iter().zip(before).map(|(index, before)| index.unwrap_or(before)).collect()
        });
        let before = std::mem::replace(&mut self.indices, indices);
        before.map(|before| self.part(&before))
    }

    /// Returns the last frame in the colours of a palette.
    pub(super) fn seen(&self, palette: &GifPalette) -> Pixels {
        let indices = self.indices.as_deref().unwrap_or_default();
        let rgba: Vec<u8> = indices.iter().flat_map(|index| palette.rgba(*index)).collect();
        let height = u32::try_from(indices.len() / self.width.max(1) as usize);
        Pixels { width: self.width, height: height.unwrap_or_default(), rgba }
    }

    /// Returns the part of a frame that differs from what is there.
    fn part(&mut self, indices: &[u8]) -> FramePart {
        let (width, none) = (self.width, self.none);
        self.shown.resize(indices.len(), none);
        let after = self.indices.as_ref().unwrap_or(&self.shown);
        let is_last = self.indices.is_none();
        let vanishes = |(index, after): (&u8, &u8)| *index != none && *after == none && !is_last;
        let vanishing: Vec<bool> = indices.iter().zip(after).map(vanishes).collect();
        let clears = vanishing.contains(&true);
        let pairs = indices.iter().zip(&self.shown).zip(&vanishing);
        let counts = pairs.map(|((index, shown), vanishes)| index != shown || *vanishes);
        let pixel = PixelRect { offset: [0, 0], size: [1, 1] };
        let rect = PixelRect::around(width, counts).unwrap_or(pixel);
        let [left, top] = rect.offset.map(|offset| offset as usize);
        let [across, down] = rect.size.map(|side| side as usize);
        let rows = |of: &[u8]| -> Vec<u8> {
            let rows = of.chunks_exact(width.max(1) as usize).skip(top).take(down);
            rows.flat_map(|row| row.iter().skip(left).take(across)).copied().collect()
        };
        let mut part = rows(indices);
        for (index, shown) in part.iter_mut().zip(rows(&self.shown)) {
            if *index == shown {
                *index = none;
            }
        }
        self.shown.copy_from_slice(indices);
        if clears {
            let rows = self.shown.chunks_exact_mut(width.max(1) as usize).skip(top).take(down);
            rows.for_each(|row| {
                row.iter_mut().skip(left).take(across).for_each(|shown| *shown = none)
            });
        }
        FramePart { rect, content: PartContent::Indices(part), clears }
    }
}

/// Compresses the indices of a part.
pub(super) fn compress(rect: PixelRect, indices: Vec<u8>) -> Vec<u8> {
    let mut frame = Frame { buffer: indices.into(), ..placed(rect) };
    frame.make_lzw_pre_encoded();
    frame.buffer.into_owned()
}

/// An empty frame at a place. No side is longer than 65535 pixels.
fn placed(rect: PixelRect) -> Frame<'static> {
    let short = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
    let ([left, top], [width, height]) = (rect.offset.map(short), rect.size.map(short));
    Frame { left, top, width, height, ..Frame::default() }
}

/// Writes frames one after the other.
pub(super) struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    transparent: u8,
    rate: f64,
    /// Number of frames that were written.
    frames: u32,
}

impl<W: Write> GifWriter<W> {
    /// Starts a file of frames of a size, which plays some times; 0 is for ever. `colours` are those of a palette.
    ///
    /// # Errors
    /// Those of the output, and for a side of more than 65535 pixels.
    pub(super) fn new(
        out: W,
        size: [u32; 2],
        colours: &[u8],
        plays: u16,
        rate: f64,
    ) -> io::Result<Self> {
        let [width, height] = size.map(u16::try_from);
        let (width, height) = (width.map_err(io::Error::other)?, height.map_err(io::Error::other)?);
        let encoder = Encoder::new(out, width, height, colours);
        let mut encoder = encoder.map_err(io_error)?;
        // The file counts how often it starts over.
        match plays.checked_sub(1) {
            None => encoder.set_repeat(Repeat::Infinite).map_err(io_error)?,
            Some(0) => {}
            Some(more) => encoder.set_repeat(Repeat::Finite(more)).map_err(io_error)?,
        }
        let last = (colours.len() / 3).saturating_sub(1);
        Ok(Self { encoder, transparent: u8::try_from(last).unwrap_or(u8::MAX), rate, frames: 0 })
    }

    pub(super) fn frame(&mut self, part: CompressedPart) -> io::Result<()> {
        let delay = super::ticks(self.frames, self.rate, 100.0);
        self.frames = self.frames.saturating_add(1);
        let frame = Frame {
            delay: u16::try_from(delay).unwrap_or(u16::MAX),
            dispose: match part.clears {
                true => DisposalMethod::Background,
                false => DisposalMethod::Keep,
            },
            transparent: Some(self.transparent),
            buffer: part.bytes.into(),
            ..placed(part.rect)
        };
        self.encoder.write_lzw_pre_encoded_frame(&frame).map_err(io_error)
    }

    /// Ends the file.
    pub(super) fn finish(self) -> io::Result<W> {
        self.encoder.into_inner().map_err(io_error)
    }
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        error => io::Error::other(error),
    }
}
