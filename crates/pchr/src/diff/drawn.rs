//! Pictures of frames that may look different, drawn in both versions and compared.

use super::elements::pixel_change;
use super::{DiffJob, DiffSide, PictureChange, ranges};
use crate::image::{PixelRect, Pixels};
use crate::playback::FrameAt;
use crate::raster::Raster;
use crate::scene::{Bounds, Camera2d, Frame, Picture, ViewOptions, WorkJob};

/// Maximum number of frames that are drawn in a comparison.
pub(super) const MOST_FRAMES: usize = 4096;
/// Longest side of a picture, in pixels. What is smaller is drawn at a pixel a unit of the world.
const MOST_SIDE: f64 = 512.0;
/// Largest difference of a channel that is not visible: rounding of texture coordinates.
const INVISIBLE: u8 = 2;

/// A frame that may look different.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Its number in the version after.
    pub(super) frame: u16,
    /// Its moment in both versions.
    pub(super) moments: [Option<FrameAt>; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DrawJob<'a> {
    pub(super) diff: &'a DiffJob<'a>,
    pub(super) candidates: &'a [Candidate],
}

#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) picture: Option<PictureChange>,
    /// Number of candidates that were not drawn.
    pub(super) left_out: usize,
}

/// Memory that is reused from frame to frame.
struct Scratch {
    raster: Raster,
    frame: Frame,
    pixels: [Pixels; 2],
    points: Vec<[f32; 2]>,
}

impl Scratch {
    fn new() -> Self {
        let pixels = [(); 2].map(|()| Pixels::transparent());
        Self { raster: Raster::default(), frame: Frame::default(), pixels, points: Vec::new() }
    }
}

impl DrawJob<'_> {
    /// Draws as many candidates as `budget` allows, evenly, and takes them from it.
    pub(super) fn run(&self, budget: &mut usize) -> Drawn {
        let step = self.candidates.len().div_ceil((*budget).max(1)).max(1);
        let chosen: Vec<Candidate> = self.candidates.iter().copied().step_by(step).collect();
        let Some(picture) = self.picture(&chosen).filter(|_| *budget > 0) else {
            let left_out = if *budget > 0 { 0 } else { self.candidates.len() };
            return Drawn { picture: None, left_out };
        };
        *budget = budget.saturating_sub(chosen.len());
        let found = draw_all(&chosen, |scratch, candidate| self.draw(scratch, candidate, &picture));
        let refused = found.iter().filter(|found| found.is_err()).count();
        let left_out = self.candidates.len().saturating_sub(chosen.len()).saturating_add(refused);
        let found = { chosen.iter().zip(found) }
            .filter_map(|(candidate, found)| Some((candidate.frame, found.ok()??)));
        let found: Vec<(u16, (u64, u8, PixelRect))> = found.collect();
        // Of equal frames the first counts.
        let most = found.iter().rev().max_by_key(|(_, (pixels, ..))| *pixels);
        let change = most.map(|(frame, (pixels, largest, area))| PictureChange {
            frames: ranges(found.iter().map(|(frame, _)| *frame)),
            frame: *frame,
            pixels: *pixels,
            largest: *largest,
            area: world_area(*area, &picture),
            scale: picture.camera.zoom,
        });
        Drawn { picture: change, left_out }
    }

    /// Returns the picture that holds every candidate in both versions; `None` if nothing is drawn.
    fn picture(&self, candidates: &[Candidate]) -> Option<Picture> {
        let view = ViewOptions::default();
        let [old, new] = [self.diff.old.subject, self.diff.new.subject];
        let over = |side: &dyn crate::scene::Subject, of: fn(&Candidate) -> Option<FrameAt>| {
            side.sweep(&view).over(&mut candidates.iter().map(of))
        };
        let sides = [over(old, |it| it.moments[0]), over(new, |it| it.moments[1])];
        let bounds = sides.into_iter().flatten().reduce(Bounds::union)?;
        let [[x0, y0], [x1, y1]] = [bounds.min.map(f64::from), bounds.max.map(f64::from)];
        let sides = [x1 - x0, y1 - y0];
        let longest = sides.into_iter().fold(1.0, f64::max);
        let zoom = (MOST_SIDE / longest).min(1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a side is at most MOST_SIDE and a margin"
        )]
        let size = sides.map(|side| (side * zoom).ceil().max(0.0) as u32);
        let size = size.map(|side| side.saturating_add(2));
        let center = [f64::midpoint(x0, x1), f64::midpoint(y0, y1)];
        Some(Picture::new(size, Camera2d { center, zoom, ..Camera2d::default() }))
    }

    /// Draws a candidate in both versions, and compares the pictures. An error if that would take too long.
    fn draw(
        &self,
        scratch: &mut Scratch,
        candidate: &Candidate,
        picture: &Picture,
    ) -> Result<Option<(u64, u8, PixelRect)>, NotDrawn> {
        let Scratch { raster, frame, pixels, points } = scratch;
        let sides = [self.diff.old, self.diff.new];
        for ((side, at), pixels) in sides.into_iter().zip(candidate.moments).zip(&mut *pixels) {
            let DiffSide { subject, model } = side;
            frame.fill(subject, at, &ViewOptions::default());
            let (camera, size) = (&picture.camera, picture.size);
            let work = WorkJob { subject, frame, camera, size, frames: 1 };
            work.run(points).map_err(|_| NotDrawn)?;
            let drawn = raster.draw(model, frame.list(), frame.pose(), picture, pixels);
            drawn.map_err(|_| NotDrawn)?;
        }
        let [old, new] = pixels;
        Ok(pixel_change(old, new, INVISIBLE))
    }
}

/// A frame that cannot be drawn in good time.
#[derive(Debug)]
struct NotDrawn;

/// Returns the rectangle of pixels in the world.
#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
fn world_area(area: PixelRect, picture: &Picture) -> Bounds {
    let [left, top] = area.offset.map(f64::from);
    let [width, height] = area.size.map(f64::from);
    let at = |x, y| picture.camera.world_at([x, y], picture.size);
    let ([x0, y1], [x1, y0]) = (at(left, top), at(left + width, top + height));
    Bounds { min: [x0 as f32, y0 as f32], max: [x1 as f32, y1 as f32] }
}

/// Draws each item, in order or on all threads.
fn draw_all<I: Sync, T: Send>(
    items: &[I],
    draw: impl Fn(&mut Scratch, &I) -> T + Sync + Send,
) -> Vec<T> {
    #[cfg(feature = "threads")]
    {
        use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
        items.par_iter().map_init(Scratch::new, draw).collect()
    }
    #[cfg(not(feature = "threads"))]
    {
        let mut scratch = Scratch::new();
        items.iter().map(|item| draw(&mut scratch, item)).collect()
    }
}
