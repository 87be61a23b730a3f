//! Animated WebP files: exact pixels, and times in milliseconds.
//!
//! Layout: WebP container specification (`VP8X`, `ANIM`, `ANMF`).

use std::io::{self, Seek, SeekFrom, Write};

use image_webp::{ColorType, WebPEncoder};

use pchr::image::Pixels;

use super::CompressedPart;

/// Encodes pixels without loss, as a WebP file of one picture.
///
/// # Errors
/// Those of the encoder: a side of more than 16384 pixels.
pub(super) fn encode(pixels: &Pixels) -> io::Result<Vec<u8>> {
    let mut webp = Vec::new();
    let encoder = WebPEncoder::new(&mut webp);
    let encoded = encoder.encode(&pixels.rgba, pixels.width, pixels.height, ColorType::Rgba8);
    encoded.map_err(io::Error::other)?;
    Ok(webp)
}

/// Bytes before the first chunk of a WebP file: `RIFF`, a size, `WEBP`.
const HEADER: usize = 12;

/// Writes frames one after the other.
#[derive(Debug)]
pub(super) struct WebpWriter<W> {
    out: W,
    rate: f64,
    /// Number of frames that were written.
    frames: u32,
}

impl<W: Write + Seek> WebpWriter<W> {
    /// Starts a file of frames of a size, which plays some times; 0 is for ever.
    ///
    /// # Errors
    /// Those of the output.
    pub(super) fn new(mut out: W, size: [u32; 2], plays: u16, rate: f64) -> io::Result<Self> {
        const ALPHA_AND_ANIMATION: u8 = 0x12;
        out.write_all(b"RIFF\0\0\0\0WEBPVP8X")?; // the size follows at the end
        out.write_all(&10_u32.to_le_bytes())?;
        out.write_all(&[ALPHA_AND_ANIMATION, 0, 0, 0])?;
        for side in size {
            out.write_all(&three(side.saturating_sub(1)))?;
        }
        out.write_all(b"ANIM")?;
        out.write_all(&6_u32.to_le_bytes())?;
        out.write_all(&[0; 4])?; // the background, which no player uses
        out.write_all(&plays.to_le_bytes())?;
        Ok(Self { out, rate, frames: 0 })
    }

    /// Adds a frame whose bytes are a WebP file. Its offset is even.
    ///
    /// # Errors
    /// Those of the output.
    pub(super) fn frame(&mut self, part: &CompressedPart) -> io::Result<()> {
        const NOT_BLENDED: u8 = 0x02;
        let picture = part.bytes.get(HEADER..).unwrap_or_default();
        let length = u32::try_from(picture.len() + 16).map_err(io::Error::other)?;
        self.out.write_all(b"ANMF")?;
        self.out.write_all(&length.to_le_bytes())?;
        for offset in part.rect.offset {
            self.out.write_all(&three(offset / 2))?;
        }
        for side in part.rect.size {
            self.out.write_all(&three(side.saturating_sub(1)))?;
        }
        self.out.write_all(&three(super::ticks(self.frames, self.rate, 1000.0)))?;
        self.out.write_all(&[NOT_BLENDED])?;
        self.frames = self.frames.saturating_add(1);
        self.out.write_all(picture)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// Those of the output.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let end = self.out.stream_position()?;
        let size = u32::try_from(end.saturating_sub(8)).map_err(io::Error::other)?;
        self.out.seek(SeekFrom::Start(4))?;
        self.out.write_all(&size.to_le_bytes())?;
        self.out.seek(SeekFrom::Start(end))?;
        Ok(self.out)
    }
}

/// Three bytes of a number, the lowest first.
fn three(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
}
