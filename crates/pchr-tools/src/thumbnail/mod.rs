//! Small pictures of files, drawn by the CPU renderer: for file managers, for overviews of folders, and for the window.
//!
//! A [`Figure`] is an opened file that is drawn small, at its default moment or while it plays. [`ThumbnailCache`] keeps the
//! pictures where file managers keep theirs.

mod cache;

use std::path::Path;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use pchr::finding::Severity;
use pchr::image::Pixels;
use pchr::raster::RasterModel;

use crate::capture::{CaptureError, CpuWorker, Output, Shot, StageTimes};
use crate::open::Openers;
use crate::run::input::{self, InputArgs};
use crate::run::prepare::{self, Prepared};
use crate::run::{Disk, Failure};
use crate::session::is_session;
use crate::text::visible;
use crate::view::plan::PlanJob;
use crate::view::{Background, Playing, SamplesArg, Shown, Size};

pub use self::cache::{FileVersion, ThumbnailCache};

/// Facts about a file by which it is listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Kind of content: the name of its opener.
    pub kind: String,
    /// Number of bones.
    pub bones: usize,
    /// Number of warnings.
    pub warnings: u64,
}

/// A small picture of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Thumbnail {
    /// The picture, with straight alpha.
    pub pixels: Pixels,
    /// Facts about the file.
    pub facts: Facts,
}

/// A file that is drawn small: transparent, and as large as its whole animation allows.
#[expect(missing_debug_implementations, reason = "pixels")]
pub struct Figure {
    prepared: Prepared,
    model: RasterModel,
    facts: Facts,
    /// Width and height of the block of drawn pixels that becomes one.
    block: u32,
}

/// Sides up to which pictures are drawn larger, and then made smaller: smaller copies of all images would take longer.
const FINE: u32 = 512;

impl Figure {
    /// Opens a file for square pictures with this side.
    ///
    /// # Errors
    /// [`Failure`], with exit code 4 if the file was read and is invalid.
    pub fn open(openers: Openers, path: &Path, side: u32) -> Result<Self, Failure> {
        Self::read(&Disk::new(openers), path, side)
    }

    /// Opens a file by the disk of a run. A session is drawn at its moment and with its parts, but whole and alone.
    pub(crate) fn read(disk: &Disk, path: &Path, side: u32) -> Result<Self, Failure> {
        let mut args = InputArgs::default();
        let (shown, file) = match is_session(path) {
            false => (Shown::default(), path.to_owned()),
            true => {
                let session = input::session(disk, path, &Shown::default(), &Playing::default())?;
                args.allow_outside = session.reads_outside();
                (session.shown, session.file)
            }
        };
        let block = (FINE / side.max(1)).max(1);
        let shown = Shown {
            resolution: Some(Size([side.saturating_mul(block); 2])),
            center: None,
            zoom: None,
            background: Some(Background::Transparent),
            overlay: Vec::new(),
            msaa: SamplesArg::default(),
            mipmaps: None,
            overlay_scale: Some(block.min(8)),
            ..shown
        };
        let name = input::name(&file);
        let opened = input::open(disk, &file, &name, args, &shown.companions())?;
        let (mut images, findings) = prepare::decode(&opened, &name)?;
        prepare::replace_images(disk, &shown, opened.images(), args, &mut images)?;
        let outputs = [Output::Stdout];
        let plan = PlanJob::new(&shown, &outputs);
        let prepared = Prepared::new(disk, &plan, args, &opened.subject, &|_| None)?;
        let of_bind = opened.bind_warnings(&*prepared.subject).total(Severity::Warning);
        let facts = Facts {
            kind: opened.kind().to_owned(),
            bones: prepared.subject.bone_count(),
            warnings: findings.total(Severity::Warning).saturating_add(of_bind),
        };
        let model = prepare::cpu_model(&*prepared.subject, images, prepared.picture.mipmaps);
        Ok(Self { prepared, model, facts, block })
    }

    /// Draws the default moment.
    ///
    /// # Errors
    /// [`CaptureError`] if the picture would take too much work or memory.
    pub fn thumbnail(&self) -> Result<Thumbnail, CaptureError> {
        Ok(Thumbnail { pixels: self.at(0.0)?, facts: self.facts.clone() })
    }

    /// Draws the moment that many seconds after the default one, over and over; with straight alpha.
    ///
    /// # Errors
    /// Those of [`Self::thumbnail`].
    pub fn at(&self, secs: f64) -> Result<Pixels, CaptureError> {
        let Some(first) = self.prepared.plan.shots.first() else {
            return Ok(Pixels::transparent());
        };
        let later = first.at.and_then(|at| {
            let mut timeline = self.prepared.subject.animation(at.animation)?.timeline;
            timeline.looping = true;
            let start = at.position() / timeline.fps;
            (secs > 0.0).then(|| timeline.at(at.animation, start + secs))
        });
        let shot = Shot { at: later.or(first.at), ..*first };
        let pixels = Mutex::new(Pixels::empty());
        let job = self.prepared.job(1);
        CpuWorker::new(&job, 1).take(&self.model, 0, &shot, &StageTimes::default(), &|taken| {
            *pixels.lock() = taken.pixels.clone();
            Ok(())
        })?;
        Ok(smaller(pixels.into_inner(), self.block))
    }

    /// Returns the pictures per second while it plays; `None` if nothing moves.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        let at = self.prepared.plan.shots.first()?.at?;
        let timeline = self.prepared.subject.animation(at.animation)?.timeline;
        (timeline.frame_count > 1).then_some(timeline.fps)
    }
}

/// Returns the reason why a file is not shown, for a place that names the file already.
#[must_use]
pub fn reason(failure: &Failure, path: &Path) -> String {
    let text = failure.to_string();
    let file = format!("{}: ", input::name(path));
    let text = text.strip_prefix("cannot read ").unwrap_or(&text);
    visible(text.strip_prefix(&file).unwrap_or(text)).into_owned()
}

/// Returns a picture with straight alpha of which each pixel is the mean of a block.
fn smaller(pixels: Pixels, block: u32) -> Pixels {
    let (width, height) = (pixels.width / block, pixels.height / block);
    let (side, columns) = (block as usize, width as usize);
    if side <= 1 || columns == 0 {
        return pixels;
    }
    let mut rgba = Vec::with_capacity(pixels.rgba.len() / (side * side));
    let texels = pixels.rgba.as_chunks::<4>().0;
    let mut sums = vec![[0_u32; 4]; columns];
    for rows in texels.chunks_exact(pixels.width as usize * side) {
        sums.fill([0; 4]);
        for row in rows.chunks_exact(pixels.width as usize) {
            for ([red, green, blue, alpha], block) in sums.iter_mut().zip(row.chunks_exact(side)) {
                for [r, g, b, a] in block {
                    if *a > 0 {
                        let a = u32::from(*a);
                        *red += u32::from(*r) * a;
                        *green += u32::from(*g) * a;
                        *blue += u32::from(*b) * a;
                        *alpha += a;
                    }
                }
            }
        }
        for [r, g, b, alpha] in &sums {
            if *alpha == 0 {
                rgba.extend_from_slice(&[0; 4]);
                continue;
            }
            let mean =
                |sum: &u32, count: u32| u8::try_from((sum + count / 2) / count).unwrap_or(255);
            let all = block * block;
            rgba.extend_from_slice(&[
                mean(r, *alpha),
                mean(g, *alpha),
                mean(b, *alpha),
                mean(alpha, all),
            ]);
        }
    }
    Pixels { width, height, rgba }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Builder, WHITE, at};

    #[test]
    fn colours_count_by_their_alpha() {
        let rgba = [[200, 0, 100, 255], [0, 250, 0, 0], [100, 0, 200, 255], [9, 9, 9, 0]].concat();
        let pixels = Pixels { width: 2, height: 2, rgba };
        assert_eq!(smaller(pixels.clone(), 1), pixels);
        assert_eq!(smaller(pixels, 2).rgba, [150, 0, 150, 128]);
    }

    #[test]
    fn a_file_is_drawn_whole_and_plays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("hat.pchr");
        let frames: Vec<_> = (0..4_u8).map(|frame| [at(f32::from(frame) * 40.0, 0.0)]).collect();
        let hat = Builder::new().image(1, &[WHITE]).bones(1);
        let hat = hat.quad("hat", 0, 0, [0.0, 0.0], [40.0, 40.0]).animation("walk", false, &frames);
        std::fs::write(&file, hat.bytes()).unwrap();
        let figure = Figure::open(Openers::ALL, &file, 64).unwrap();
        assert_eq!(figure.facts.bones, 1);
        // The square goes from the left to the right.
        let filled = |pixels: &Pixels| {
            assert_eq!([pixels.width, pixels.height], [64; 2]);
            let middle = pixels.rgba.as_chunks::<4>().0.chunks(64).nth(32).unwrap();
            [8, 56].map(|x| middle[x][3])
        };
        assert_eq!(filled(&figure.thumbnail().unwrap().pixels), [255, 0]);
        let end = 3.0 / figure.rate().unwrap();
        assert_eq!(filled(&figure.at(end).unwrap()), [0, 255]);
        assert_eq!(filled(&figure.at(end * 4.0 / 3.0).unwrap()), [255, 0], "over and over");
        // Of a session, the file is drawn with its parts, but without its camera.
        let session = folder.path().join("view.pchr-view.toml");
        let text = "file = \"hat.pchr\"\nframe = 3\ncenter = \"900,900\"\nzoom = 9\n";
        std::fs::write(&session, text).unwrap();
        let figure = Figure::open(Openers::ALL, &session, 64).unwrap();
        assert_eq!(filled(&figure.thumbnail().unwrap().pixels), [0, 255]);
    }
}
