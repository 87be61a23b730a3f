//! APNG files of frames that were compressed one by one as PNG files, so that threads can share that work.
//!
//! Layout: PNG, third edition, 11.3.6 (`acTL`, `fcTL`, `fdAT`).

use std::io::{self, Write};

use pchr::image::{Effort, Pixels, encode_png};

/// How an animation plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ApngTiming {
    /// Number of frames; at least 1.
    pub(crate) frames: u32,
    /// Number of times that it plays; 0 is for ever.
    pub(crate) plays: u32,
    /// Frames per second, 0.1 to 1000.
    pub(crate) rate: f64,
}

/// A frame of an animation.
#[derive(Debug)]
pub(crate) struct ApngFrame {
    /// PNG file of the whole picture, RGBA of 8 bits.
    pub(crate) png: Vec<u8>,
    /// Upper left pixel, with straight alpha.
    pub(crate) corner: [u8; 4],
}

/// Writes frames one after the other.
#[derive(Debug)]
pub(crate) struct ApngWriter<W> {
    out: W,
    size: [u32; 2],
    timing: ApngTiming,
    /// Number of the next `fcTL` or `fdAT` chunk.
    sequence: u32,
    /// Compressed pixels of the frame before.
    before: Vec<u8>,
}

const SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";

impl<W: Write> ApngWriter<W> {
    /// Starts a file of pictures of a size.
    pub(crate) fn new(out: W, size: [u32; 2], timing: ApngTiming) -> Self {
        Self { out, size, timing, sequence: 0, before: Vec::new() }
    }

    /// Adds a frame. One that equals the frame before is stored as one pixel.
    ///
    /// # Errors
    /// Those of the output.
    pub(crate) fn frame(&mut self, frame: ApngFrame) -> io::Result<()> {
        let ApngFrame { png, corner } = frame;
        let pixels = data(&png);
        if pixels == self.before {
            let pixel = Pixels { width: 1, height: 1, rgba: corner.to_vec() };
            let mut same = Vec::new();
            encode_png(&pixel, Effort::Least, &mut same).map_err(io::Error::other)?;
            return self.part(&data(&same), [1, 1]);
        }
        if self.before.is_empty() {
            self.out.write_all(SIGNATURE)?;
            let kept = chunks(&png).filter(|(kind, _)| *kind != b"IDAT" && *kind != b"IEND");
            for (kind, data) in kept {
                self.chunk(kind, &[data])?;
                if kind == b"IHDR" {
                    let ApngTiming { frames, plays, .. } = self.timing;
                    self.chunk(b"acTL", &[&frames.to_be_bytes(), &plays.to_be_bytes()])?;
                }
            }
        }
        self.part(&pixels, self.size)?;
        self.before = pixels;
        Ok(())
    }

    /// Writes a frame with compressed pixels, at the upper left.
    fn part(&mut self, pixels: &[u8], [width, height]: [u32; 2]) -> io::Result<()> {
        let is_first = self.before.is_empty();
        let mut control = Vec::with_capacity(26);
        for number in [self.next(), width, height, 0, 0] {
            control.extend(number.to_be_bytes());
        }
        for number in delay(self.timing.rate) {
            control.extend(number.to_be_bytes());
        }
        control.extend([0, 0]); // neither disposed of nor blended: it replaces what was there
        self.chunk(b"fcTL", &[&control])?;
        if is_first {
            return self.chunk(b"IDAT", &[pixels]);
        }
        let number = self.next().to_be_bytes();
        self.chunk(b"fdAT", &[&number, pixels])
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
    ///
    /// # Errors
    /// Those of the output.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.chunk(b"IEND", &[])?;
        Ok(self.out)
    }
}

/// Compressed pixels of a PNG file.
fn data(png: &[u8]) -> Vec<u8> {
    let pixels = chunks(png).filter(|(kind, _)| *kind == b"IDAT");
    pixels.flat_map(|(_, data)| data).copied().collect()
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

    #[test]
    fn frames_are_read_again_with_their_times() {
        let picture =
            |shade: u8| Pixels { width: 3, height: 2, rgba: [shade, 7, 9, 255].repeat(6) };
        let pictures = [picture(1), picture(200), picture(200), picture(3)];
        let timing = ApngTiming { frames: 4, plays: 2, rate: 24.0 };
        let mut writer = ApngWriter::new(Vec::new(), [3, 2], timing);
        for picture in &pictures {
            let mut png = Vec::new();
            encode_png(picture, Effort::Least, &mut png).unwrap();
            writer.frame(ApngFrame { png, corner: *picture.rgba.first_chunk().unwrap() }).unwrap();
        }
        let file = writer.finish().unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
        let control = reader.info().animation_control.unwrap();
        assert_eq!((control.num_frames, control.num_plays), (4, 2));
        let mut canvas = vec![0; 24];
        for wanted in &pictures {
            let mut part = vec![0; 24];
            reader.next_frame(&mut part).unwrap();
            let frame = *reader.info().frame_control().unwrap();
            assert_eq!((frame.delay_num, frame.delay_den), (1, 24));
            let (width, height) = (frame.width as usize, frame.height as usize);
            for row in 0..height {
                canvas[row * 12..][..width * 4]
                    .copy_from_slice(&part[row * width * 4..][..width * 4]);
            }
            assert_eq!(canvas, wanted.rgba);
        }
    }
}
