//! Videos, which an installed FFmpeg encodes.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use pchr::image::{Pixels, over};

use crate::capture::VideoFormat;

/// Returns FFmpeg's options for a file, with spaces between them: codec, quality, colours and container.
fn options(format: VideoFormat) -> &'static str {
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
        command.args(options(format).split(' '));
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
                self.end()?;
                Err(io::Error::other("ffmpeg ended too early"))
            }
            written => written,
        }
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.end()
    }

    fn end(&mut self) -> io::Result<()> {
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
