//! Frames of an animation of both versions: places of vertices and bones, draw order, and pictures of frames that may look different.

use super::elements::{ElementPairs, pixel_change};
use super::{
    Change, ChangeKind, ClipDiff, DiffJob, DiffSide, Element, ElementKind, Movement, PictureChange,
    ranges,
};
use crate::document::{AnimationId, BoneId, MeshId};
use crate::image::{PixelRect, Pixels, run_all};
use crate::playback::FrameAt;
use crate::raster::Raster;
use crate::scene::{Bounds, Camera2d, Frame, Picture, Subject, ViewOptions, WorkJob};

/// Maximum number of meshes and bones that are compared in an animation, over all of its frames. Of longer ones frames are left out,
/// evenly.
const MOST_PARTS: usize = 1 << 24;

#[derive(Clone, Copy, Debug)]
pub(super) struct ClipJob<'a> {
    pub(super) diff: &'a DiffJob<'a>,
    pub(super) pairs: &'a ElementPairs,
    /// The animation before and after; `None` for content at rest.
    pub(super) ids: Option<(u16, u16)>,
}

impl ClipJob<'_> {
    /// Returns false if frames are equal because everything that they are made of is.
    pub(super) fn can_differ(&self, changes: &[Change]) -> bool {
        let has_bones = self.diff.old.subject.bone_count() > 0;
        let clip = self.ids.map(|(_, new)| new);
        let of_clip = |change: &Change| {
            change.element.kind == ElementKind::Clip
                && change.element.new == clip
                && matches!(change.kind, ChangeKind::Keys { .. })
        };
        // Only a character is wholly made of what changes list: a stage also places its members.
        let is_listed = has_bones && self.diff.old.subject.skinned().is_some();
        !self.pairs.is_same_at_rest || !is_listed || changes.iter().any(of_clip)
    }

    /// Compares all frames that both have. At most `budget` pictures are drawn, which are taken from it. `None` if nothing differs.
    pub(super) fn run(&self, budget: &mut usize) -> Option<ClipDiff> {
        let [old, new] = [self.diff.old.subject, self.diff.new.subject];
        let view = ViewOptions::default();
        let [mut before, mut after] = [Frame::default(), Frame::default()];
        let mut tracker = Tracker::default();
        let mut candidates = Vec::new();
        let mut order = Vec::new();
        let mut points = [Vec::new(), Vec::new()];
        let moments = self.moments();
        let parts = old.mesh_count().max(old.bone_count()).max(1);
        let step = moments.len().saturating_mul(parts).div_ceil(MOST_PARTS).max(1);
        for [from, to] in moments.iter().copied().step_by(step) {
            before.fill(old, from, &view);
            after.fill(new, to, &view);
            let frame = to.map_or(0, |at| at.frame);
            let order_before = before.draws().iter().map(|it| self.pairs.meshes.new_of(it.mesh.0));
            let has_order = order_before.eq(after.draws().iter().map(|it| Some(it.mesh.0)));
            let has_places =
                self.compare_meshes([&before, &after], frame, &mut points, &mut tracker);
            self.compare_bones([&before, &after], frame, &mut tracker);
            if !has_order {
                order.push(frame);
            }
            if !has_order || !has_places {
                candidates.push(Candidate { frame, moments: [from, to] });
            }
        }
        let left_out = moments.len().saturating_sub(moments.len().div_ceil(step));
        let (picture, not_drawn) = self.diff.draw_all(&candidates, budget);
        let found = ClipDiff {
            clip: self.ids.map(|(old, new)| self.pairs.clips.element(Some(old), Some(new))),
            movement: tracker.finish(),
            order: ranges(order),
            picture,
            not_drawn: not_drawn.saturating_add(left_out),
        };
        let differs = found.movement.is_some() || !candidates.is_empty();
        differs.then_some(found)
    }

    /// Moments that are compared: each frame that both have, or each sprite, if the animations show all of these one by one.
    fn moments(&self) -> Vec<[Option<FrameAt>; 2]> {
        let [old, new] = [self.diff.old.subject, self.diff.new.subject];
        let Some((before, after)) = self.ids.map(|(a, b)| (AnimationId(a), AnimationId(b))) else {
            return vec![[None, None]];
        };
        let shows_one = |of: &dyn Subject, all| of.moment_of(MeshId(0), Some(all)).is_some();
        let is_all = (old.all(), new.all()) == (Some(before), Some(after));
        if is_all && shows_one(old, before) && shows_one(new, after) {
            let meshes = self.pairs.meshes.both();
            let moments = meshes.map(|(a, b)| {
                [old.moment_of(MeshId(a), Some(before)), new.moment_of(MeshId(b), Some(after))]
            });
            return moments.filter(|moments| moments.iter().all(Option::is_some)).collect();
        }
        let frames = old.distinct_frames(before).min(new.distinct_frames(after));
        let exact = |frame| [before, after].map(|id| Some(FrameAt::exact(id, frame)));
        (0..frames).map(exact).collect()
    }

    /// Returns true if the meshes that both draw have the same places and the same look.
    fn compare_meshes(
        &self,
        [before, after]: [&Frame; 2],
        frame: u16,
        [from, to]: &mut [Vec<[f32; 2]>; 2],
        tracker: &mut Tracker,
    ) -> bool {
        let [old, new] = [self.diff.old.subject, self.diff.new.subject];
        let mut is_same = true;
        for draw in before.draws() {
            let Some(paired) = self.pairs.meshes.new_of(draw.mesh.0).map(MeshId) else {
                is_same = false;
                continue;
            };
            let is_drawn = after.shown(paired).is_some_and(|shown| shown.visible);
            let (Some(a), Some(b), true) = (old.mesh(draw.mesh), new.mesh(paired), is_drawn) else {
                is_same = false;
                continue;
            };
            is_same &= self.pairs.looks_same.get(draw.mesh.index()) == Some(&true);
            from.clear();
            to.clear();
            before.pose().place(&a, from);
            after.pose().place(&b, to);
            if from.len() != to.len() || from == to {
                continue;
            }
            is_same = false;
            let element = || self.pairs.meshes.element(Some(draw.mesh.0), Some(paired.0));
            for (from, to) in from.iter().zip(&*to).filter(|(from, to)| from != to) {
                let ([a, b], [x, y]) = (from.map(f64::from), to.map(f64::from));
                tracker.add(frame, (x - a).hypot(y - b), [x, y, 0.0], element);
            }
        }
        is_same
    }

    /// Notes bones in space that are in another place or turned.
    fn compare_bones(&self, [before, after]: [&Frame; 2], frame: u16, tracker: &mut Tracker) {
        let [Some(old), Some(new)] = [self.diff.old, self.diff.new].map(|it| it.subject.spatial())
        else {
            return;
        };
        let [from, to] = [before, after].map(|frame| &frame.spatial().worlds);
        for (a, b) in self.pairs.bones.both() {
            let places = (from.get(usize::from(a)), to.get(usize::from(b)));
            let (Some(from), Some(to)) = places else { continue };
            if from != to && old.has_place(BoneId(a)) && new.has_place(BoneId(b)) {
                let distance = to.translation.distance(from.translation);
                let element = || self.pairs.bones.element(Some(a), Some(b));
                tracker.add(frame, distance, to.translation.to_array(), element);
            }
        }
    }
}

/// Finds the largest movement.
#[derive(Debug, Default)]
struct Tracker {
    frames: Vec<u16>,
    largest: Option<(f64, u16, [f64; 3], Element)>,
}

impl Tracker {
    /// Notes that something lies `distance` from its former place. A distance that is not finite counts as 0.
    fn add(
        &mut self,
        frame: u16,
        distance: f64,
        place: [f64; 3],
        element: impl FnOnce() -> Element,
    ) {
        let distance = if distance.is_finite() { distance } else { 0.0 };
        if self.frames.last() != Some(&frame) {
            self.frames.push(frame);
        }
        if self.largest.as_ref().is_none_or(|(most, ..)| distance > *most) {
            self.largest = Some((distance, frame, place, element()));
        }
    }

    fn finish(self) -> Option<Movement> {
        let (distance, frame, place, part) = self.largest?;
        Some(Movement { frames: ranges(self.frames), distance, frame, part, place })
    }
}

/// Maximum number of frames that are drawn in a comparison.
pub(super) const MOST_FRAMES: usize = 4096;
/// Longest side of a picture, in pixels. What is smaller is drawn at a pixel a unit of the world.
const MOST_SIDE: f64 = 512.0;
/// Largest difference of a channel that is not visible: rounding of texture coordinates.
const INVISIBLE: u8 = 2;

/// A frame that may look different.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// Its number in the version after.
    frame: u16,
    /// Its moment in both versions.
    moments: [Option<FrameAt>; 2],
}

/// Memory that is reused from frame to frame.
#[derive(Default)]
struct Scratch {
    raster: Raster,
    frame: Frame,
    pixels: [Pixels; 2],
    points: Vec<[f32; 2]>,
}

impl DiffJob<'_> {
    /// Draws as many candidates as `budget` allows, evenly, and takes them from it. Returns the number of those that were not drawn,
    /// too.
    fn draw_all(
        &self,
        candidates: &[Candidate],
        budget: &mut usize,
    ) -> (Option<PictureChange>, usize) {
        let step = candidates.len().div_ceil((*budget).max(1)).max(1);
        let chosen: Vec<Candidate> = candidates.iter().copied().step_by(step).collect();
        let Some(picture) = self.picture(&chosen).filter(|_| *budget > 0) else {
            return (None, if *budget > 0 { 0 } else { candidates.len() });
        };
        *budget = budget.saturating_sub(chosen.len());
        let draw = |scratch: &mut Scratch, candidate| self.draw(scratch, candidate, &picture);
        let found = run_all(chosen.iter().collect(), true, Scratch::default, draw);
        let refused = found.iter().filter(|found| found.is_none()).count();
        let left_out = candidates.len().saturating_sub(chosen.len()).saturating_add(refused);
        let found = { chosen.iter().zip(found) }
            .filter_map(|(candidate, found)| Some((candidate.frame, found??)));
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
        (change, left_out)
    }

    /// Returns the picture that holds every candidate in both versions; `None` if nothing is drawn.
    fn picture(&self, candidates: &[Candidate]) -> Option<Picture> {
        let view = ViewOptions::default();
        let [old, new] = [self.old.subject, self.new.subject];
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

    /// Draws a candidate in both versions, and compares the pictures; `None` if that would take too long.
    fn draw(
        &self,
        scratch: &mut Scratch,
        candidate: &Candidate,
        picture: &Picture,
    ) -> Option<Option<(u64, u8, PixelRect)>> {
        let Scratch { raster, frame, pixels, points } = scratch;
        let sides = [self.old, self.new];
        for ((side, at), pixels) in sides.into_iter().zip(candidate.moments).zip(&mut *pixels) {
            let DiffSide { subject, model } = side;
            frame.fill(subject, at, &ViewOptions::default());
            let (camera, size) = (&picture.camera, picture.size);
            let work = WorkJob { subject, frame, camera, size, frames: 1 };
            work.run(points).ok()?;
            raster.draw(model, frame.list(), frame.pose(), picture, pixels).ok()?;
        }
        let [old, new] = pixels;
        Some(pixel_change(old, new, INVISIBLE))
    }
}

/// Returns the rectangle of pixels in the world.
#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
fn world_area(area: PixelRect, picture: &Picture) -> Bounds {
    let [left, top] = area.offset.map(f64::from);
    let [width, height] = area.size.map(f64::from);
    let at = |x, y| picture.camera.world_at([x, y], picture.size);
    let ([x0, y1], [x1, y0]) = (at(left, top), at(left + width, top + height));
    Bounds { min: [x0 as f32, y0 as f32], max: [x1 as f32, y1 as f32] }
}
