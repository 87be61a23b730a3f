//! Videos, which an installed FFmpeg encodes.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use pchr::image::{Pixels, over};

use crate::capture::VideoFormat;

/// Returns FFmpeg's options for a file: codec, quality, colours and container.
fn options(format: VideoFormat) -> &'static [&'static str] {
    match format {
        // H.264 halves colours, so sides are even; a line is repeated if they are not.
        VideoFormat::Mp4 => &[
            "-vf",
            "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white,scale=out_color_matrix=bt709:out_range=tv",
            "-c:v",
            "libx264",
            "-preset",
            "medium",
            "-crf",
            "16",
            "-pix_fmt",
            "yuv420p",
            "-colorspace",
            "bt709",
            "-color_primaries",
            "bt709",
            "-color_trc",
            "iec61966-2-1",
            "-movflags",
            "+faststart",
            "-f",
            "mp4",
        ],
        VideoFormat::Webm => &[
            "-vf",
            "scale=out_color_matrix=bt709:out_range=tv",
            "-c:v",
            "libvpx-vp9",
            "-b:v",
            "0",
            "-crf",
            "18",
            "-row-mt",
            "1",
            "-auto-alt-ref",
            "0",
            "-pix_fmt",
            "yuva420p",
            "-colorspace",
            "bt709",
            "-f",
            "webm",
        ],
        VideoFormat::Mov => &[
            "-c:v",
            "prores_ks",
            "-profile:v",
            "4444",
            "-pix_fmt",
            "yuva444p10le",
            "-vendor",
            "apl0",
            "-f",
            "mov",
        ],
    }
}

/// Checks that FFmpeg is installed.
///
/// # Errors
/// The error of starting it.
pub(crate) fn find_ffmpeg() -> io::Result<()> {
    let mut probe = Command::new("ffmpeg");
    probe.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().map(drop)
}

/// FFmpeg at work on a file. It is stopped on drop.
#[derive(Debug)]
pub(super) struct VideoWriter {
    ffmpeg: Child,
}

impl VideoWriter {
    /// Starts a video of pictures of a size at `path`, whose ending does not matter.
    ///
    /// # Errors
    /// Those of starting FFmpeg.
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
        command.args(options(format));
        // Its own rules for names do not apply to what follows "file:".
        let mut file = std::ffi::OsString::from("file:");
        file.push(path);
        command.arg(file);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        Ok(Self { ffmpeg: command.spawn()? })
    }

    /// Adds a picture with straight alpha.
    ///
    /// # Errors
    /// What FFmpeg says if it has ended.
    pub(super) fn frame(&mut self, rgba: &[u8]) -> io::Result<()> {
        let input = self.ffmpeg.stdin.as_mut();
        let written = input.map_or(Ok(()), |input| input.write_all(rgba));
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.end(),
            written => written,
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// What FFmpeg says if it fails.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.end()
    }

    fn end(&mut self) -> io::Result<()> {
        drop(self.ffmpeg.stdin.take());
        let mut said = String::new();
        if let Some(mut messages) = self.ffmpeg.stderr.take() {
            messages.read_to_string(&mut said)?;
        }
        let status = self.ffmpeg.wait()?;
        let said = said.lines().next_back().unwrap_or_default();
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
