//! Writers of animations, one for each format: GIF, with one palette for all frames and times in hundredths of a second; APNG and WebP,
//! with exact pixels; and videos, which an installed FFmpeg encodes. [`AnimationFormat`](crate::capture::AnimationFormat) has the formats'
//! endings and limits.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use image_webp::{ColorType, WebPEncoder};

use pchr::image::{PixelRect, Pixels, over};

use super::FramePart;
use super::palette::GifPalette;
use crate::capture::VideoFormat;

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

    /// Takes the indices of a frame, where `None` is that of the frame before, or the end. Returns the part of the frame before: its
    /// bytes are indices, of which that of transparent pixels leaves what was there.
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
        FramePart { rect, bytes: part, clears }
    }
}

/// Compresses the indices of a part.
pub(super) fn compress_indices(part: FramePart) -> FramePart {
    let mut frame = Frame { buffer: part.bytes.into(), ..placed(part.rect) };
    frame.make_lzw_pre_encoded();
    FramePart { bytes: frame.buffer.into_owned(), ..part }
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
        let mut encoder = Encoder::new(out, width, height, colours).map_err(io_error)?;
        // The file counts how often it starts over.
        match plays.checked_sub(1) {
            None => encoder.set_repeat(Repeat::Infinite).map_err(io_error)?,
            Some(0) => {}
            Some(more) => encoder.set_repeat(Repeat::Finite(more)).map_err(io_error)?,
        }
        let last = (colours.len() / 3).saturating_sub(1);
        Ok(Self { encoder, transparent: u8::try_from(last).unwrap_or(u8::MAX), rate, frames: 0 })
    }

    pub(super) fn frame(&mut self, part: FramePart) -> io::Result<()> {
        let delay = super::ticks(self.frames, self.rate, 100.0);
        self.frames = self.frames.saturating_add(1);
        let frame = Frame {
            delay: u16::try_from(delay).unwrap_or(u16::MAX),
            dispose: if part.clears { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent: Some(self.transparent),
            buffer: part.bytes.into(),
            ..placed(part.rect)
        };
        self.encoder.write_lzw_pre_encoded_frame(&frame).map_err(io_error)
    }

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
    pub(super) fn frame(&mut self, part: &FramePart) -> io::Result<()> {
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
    #[expect(clippy::cast_possible_truncation, reason = "1 to 65535")]
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
    pub(super) fn frame(&mut self, part: &FramePart) -> io::Result<()> {
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

/// Returns FFmpeg's options for a file, with spaces between them: codec, quality, colours and container.
fn ffmpeg_options(format: VideoFormat) -> &'static str {
    match format {
        VideoFormat::Mp4 => {
            "-c:v libx264 -preset medium -crf 16 -pix_fmt yuv420p -colorspace bt709 -color_primaries bt709 \
             -color_trc iec61966-2-1 -movflags +faststart -f mp4"
        }
        VideoFormat::Webm => {
            "-vf scale=out_color_matrix=bt709:out_range=tv -c:v libvpx-vp9 -b:v 0 -crf 18 -row-mt 1 -auto-alt-ref 0 \
             -pix_fmt yuva420p -colorspace bt709 -f webm"
        }
        VideoFormat::Mov => {
            "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le -vendor apl0 -f mov"
        }
    }
}

/// Checks that FFmpeg is installed.
pub(crate) fn find_ffmpeg() -> io::Result<()> {
    let mut probe = Command::new("ffmpeg");
    probe.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().map(drop)
}

/// FFmpeg at work on a file. It is stopped on drop.
#[derive(Debug)]
pub(super) struct VideoWriter {
    ffmpeg: Child,
    /// Its messages.
    said: File,
}

impl VideoWriter {
    /// Starts a video of pictures of a size at `path`, whose ending does not matter.
    pub(super) fn new(
        path: &Path,
        format: VideoFormat,
        [width, height]: [u32; 2],
        rate: f64,
    ) -> io::Result<Self> {
        let mut command = Command::new("ffmpeg");
        command.args(["-v", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "rgba"]);
        command.args(["-video_size", &format!("{width}x{height}")]);
        command.args(["-framerate", &rate.to_string(), "-i", "pipe:0", "-an"]);
        if format == VideoFormat::Mp4 {
            // Colours are stored at half the size, so sides are even: the last line is repeated if they are not.
            let (right, bottom) = (width % 2, height % 2);
            let size = format!("{}:{}", width + right, height + bottom);
            let filter = format!(
                "pad={size},fillborders=right={right}:bottom={bottom}:mode=smear,scale=out_color_matrix=bt709:out_range=tv"
            );
            command.args(["-vf", &filter]);
        }
        command.args(ffmpeg_options(format).split(' '));
        command.args(["-fflags", "+bitexact"]); // no random numbers in WebM files
        // Its own rules for names do not apply to what follows "file:".
        let mut file = std::ffi::OsString::from("file:");
        file.push(path);
        command.arg(file);
        let said = tempfile::tempfile()?;
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(said.try_clone()?);
        Ok(Self { ffmpeg: command.spawn()?, said })
    }

    /// Adds a picture with straight alpha.
    ///
    /// # Errors
    /// What FFmpeg says if it has ended.
    pub(super) fn frame(&mut self, rgba: &[u8]) -> io::Result<()> {
        let ended = || io::Error::from(io::ErrorKind::BrokenPipe);
        let input = self.ffmpeg.stdin.as_mut().ok_or_else(ended);
        match input.and_then(|input| input.write_all(rgba)) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.finish()?;
                Err(io::Error::other("ffmpeg ended too early"))
            }
            written => written,
        }
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        drop(self.ffmpeg.stdin.take());
        let status = self.ffmpeg.wait()?;
        let mut said = Vec::new();
        self.said.rewind()?;
        self.said.read_to_end(&mut said)?;
        let said = String::from_utf8_lossy(&said);
        let said = said.lines().next().unwrap_or_default();
        match status.success() {
            true => Ok(()),
            false => Err(io::Error::other(format!("ffmpeg failed ({status}): {said}"))),
        }
    }
}

impl Drop for VideoWriter {
    fn drop(&mut self) {
        // Both fail if it has ended.
        let _ = self.ffmpeg.kill();
        let _ = self.ffmpeg.wait();
    }
}

/// Puts white under pixels with straight alpha.
pub(super) fn lay_over_white(pixels: &mut Pixels) {
    pchr::image::premultiply(&mut pixels.rgba);
    for pixel in pixels.rgba.as_chunks_mut::<4>().0 {
        *pixel = over(*pixel, [255; 4]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_exact_fractions() {
        let rates = [24.0, 1000.0, 23.976, 29.97, 0.1, 12.5];
        let wanted = [[1, 24], [1, 1000], [1000, 23976], [100, 2997], [10, 1], [10, 125]];
        assert_eq!(rates.map(delay), wanted);
    }
}
