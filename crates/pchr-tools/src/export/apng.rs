//! APNG files: exact pixels, and times as fractions of a second.
//!
//! Layout: PNG, third edition, 11.3.6 (`acTL`, `fcTL`, `fdAT`).

use std::io::{self, Write};

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
    ///
    /// # Errors
    /// Those of the output.
    pub(super) fn frame(&mut self, part: &CompressedPart) -> io::Result<()> {
        let header = self.header.take();
        if let Some(counts) = header {
            self.out.write_all(SIGNATURE)?;
            let kept = chunks(&part.bytes).filter(|(kind, _)| !matches!(*kind, b"IDAT" | b"IEND"));
            for (kind, data) in kept {
                self.chunk(kind, &[data])?;
                if kind == b"IHDR" {
                    self.chunk(
                        b"acTL",
                        &counts
                            .each_ref()
                            .map(|count| count.to_be_bytes())
                            .each_ref()
                            .map(|bytes| &bytes[..]),
                    )?;
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
    ///
    /// # Errors
    /// Those of the output.
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
