//! Files with exact pixels: APNG, with times as fractions of a second, and WebP, with times in milliseconds.
//!
//! Layouts: PNG, third edition, 11.3.6 (`acTL`, `fcTL`, `fdAT`); WebP container specification (`VP8X`, `ANIM`, `ANMF`).

use std::io::{self, Seek, SeekFrom, Write};

use image_webp::{ColorType, WebPEncoder};

use pchr::image::Pixels;

use super::CompressedPart;

/// Writes frames one after the other.
#[derive(Debug)]
pub(super) struct ApngWriter<W> {
    out: W,
    delay: [u16; 2],
    /// Number of the next `fcTL` or `fdAT` chunk.
    sequence: u32,
    /// Number of frames, and of times that they play, until the header is written.
    header: Option<[u32; 2]>,
}

const SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";

impl<W: Write> ApngWriter<W> {
    /// Starts a file of frames at a rate of 0.1 to 1000 per second, which plays some times; 0 is for ever.
    pub(super) fn new(out: W, frames: u32, plays: u32, rate: f64) -> Self {
        Self { out, delay: delay(rate), sequence: 0, header: Some([frames, plays]) }
    }

    /// Adds a frame whose bytes are a PNG file. The first is as large as the animation, and its text is kept.
    pub(super) fn frame(&mut self, part: &CompressedPart) -> io::Result<()> {
        let header = self.header.take();
        if let Some(counts) = header {
            self.out.write_all(SIGNATURE)?;
            let kept = chunks(&part.bytes).filter(|(kind, _)| !matches!(*kind, b"IDAT" | b"IEND"));
            for (kind, data) in kept {
                self.chunk(kind, &[data])?;
                if kind == b"IHDR" {
                    self.chunk(b"acTL", &[counts.map(u32::to_be_bytes).as_flattened()])?;
                }
            }
        }
        let mut control = Vec::with_capacity(26);
        let ([width, height], [x, y]) = (part.rect.size, part.rect.offset);
        for number in [self.next(), width, height, x, y] {
            control.extend(number.to_be_bytes());
        }
        control.extend(self.delay.iter().flat_map(|number| number.to_be_bytes()));
        control.extend([0, 0]); // neither disposed of nor blended: it replaces what was there
        self.chunk(b"fcTL", &[&control])?;
        let pixels = chunks(&part.bytes).filter(|(kind, _)| *kind == b"IDAT");
        for (_, data) in pixels {
            match header {
                Some(_) => self.chunk(b"IDAT", &[data])?,
                None => {
                    let number = self.next().to_be_bytes();
                    self.chunk(b"fdAT", &[&number, data])?;
                }
            }
        }
        Ok(())
    }

    fn next(&mut self) -> u32 {
        let number = self.sequence;
        self.sequence = number.saturating_add(1);
        number
    }

    fn chunk(&mut self, kind: &[u8; 4], parts: &[&[u8]]) -> io::Result<()> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let length = u32::try_from(length).map_err(io::Error::other)?;
        self.out.write_all(&length.to_be_bytes())?;
        let mut sum = crc32fast::Hasher::new();
        for part in [&[&kind[..]], parts].concat() {
            sum.update(part);
            self.out.write_all(part)?;
        }
        self.out.write_all(&sum.finalize().to_be_bytes())
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.chunk(b"IEND", &[])?;
        Ok(self.out)
    }
}

/// Chunks of a PNG file that this program wrote.
fn chunks(png: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut rest = png.get(SIGNATURE.len()..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (kind, after) = after.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (data, after) = after.split_at_checked(length)?;
        rest = after.get(4..)?; // the checksum
        Some((kind, data))
    })
}

/// Time of a frame as a fraction of a second: 1/24 for 24 frames per second, 1000/23976 for 23.976.
fn delay(rate: f64) -> [u16; 2] {
    let scaled = [1_u16, 10, 100, 1000].map(|scale| (scale, rate * f64::from(scale)));
    let mut fits = scaled.into_iter().filter(|(_, per)| (1.0..=65535.0).contains(per));
    let exact = fits.clone().find(|(_, per)| (per - per.round()).abs() < 1e-6);
    let (scale, per) = exact.or(fits.next_back()).unwrap_or((1, 1.0));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 65535")]
    let per = per.round() as u16;
    [scale, per]
}

/// Encodes pixels without loss, as a WebP file of one picture.
///
/// # Errors
/// Those of the encoder: a side of more than 16384 pixels.
pub(super) fn encode_webp(pixels: &Pixels) -> io::Result<Vec<u8>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_exact_fractions() {
        for (rate, wanted) in [
            (24.0, [1, 24]),
            (1000.0, [1, 1000]),
            (23.976, [1000, 23976]),
            (29.97, [100, 2997]),
            (0.1, [10, 1]),
            (12.5, [10, 125]),
        ] {
            assert_eq!(delay(rate), wanted, "{rate}");
        }
    }
}
