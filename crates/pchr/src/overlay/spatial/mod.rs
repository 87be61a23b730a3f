//! Bones that move in space, and the drawings around them; the stage that all of them draw on.
//!
//! ```text
//! Spatial + SpatialPose + OrbitCamera ──► ground, path, ghosts ──► bones, far ones first ──► trail, axes, chosen bone, names
//! ```
//!
//! Solids are sorted by the depth of their centres and shaded by a light at the camera's upper left. There is no depth buffer, so
//! that both renderers draw plain triangles.

mod bones;
mod ground;
mod octahedron;

use glam::{DAffine3, DVec3};

use super::atlas::Paint;
use super::options::{Layer, Trail};
use super::pen::{Pen, Point};
use super::{OverlayJob, OverlayOptions, OverlayScratch};
use crate::document::BoneId;
use crate::scene::{OrbitCamera, OrbitView, Overlay, Seen, Spatial, UpAxis};

impl OverlayJob<'_> {
    /// Replaces the contents of `out` by the bones of a subject whose bones move in space, and the drawings over them.
    pub(super) fn run_spatial(&self, scratch: &mut OverlayScratch, out: &mut Overlay) {
        out.clear();
        let (Some(spatial), Some(camera)) = (self.subject.spatial(), self.camera.orbit()) else {
            return;
        };
        let OverlayOptions { trail, bone, scale, .. } = *self.options;
        let has = |layer| self.options.has(layer);
        let OverlayScratch { space, places, .. } = scratch;
        let [width, height] = self.size;
        let unit = scale.clamp(1, 8) as f32;
        let mut stage = SpaceStage {
            job: self,
            spatial,
            camera,
            view: camera.view(self.size),
            unit: unit.into(),
            pen: Pen { out, size: [width as f32, height as f32], unit, letters: self.letters },
        };
        places.clear(stage.pen.size, unit);
        bones::place_joints(&mut stage, space);
        if has(Layer::Grid) {
            ground::draw(&mut stage, places);
        }
        if has(Layer::Path) {
            bones::draw_path(&mut stage, None, space);
        }
        if self.options.has_ghosts() {
            bones::draw_ghosts(&mut stage, self.options, space);
        }
        if has(Layer::Grid) && !spatial.has_skeleton() {
            ground::drops(&mut stage, space);
        }
        bones::draw(&mut stage, space);
        if let Some(Trail::Bone(bone)) = trail {
            bones::draw_path(&mut stage, Some(bone), space);
        }
        if has(Layer::Axes) {
            bones::draw_axes(&mut stage, space);
        }
        if has(Layer::Origin) {
            ground::draw_origin(&mut stage);
        }
        if let Some(bone) = bone {
            bones::draw_chosen(&mut stage, bone, space);
        }
        if has(Layer::Names) {
            bones::draw_names(&mut stage, space, places);
        }
    }
}

/// Largest distance in pixels from the picture's corner at which solids are drawn. Positions have 24 bits.
const FARTHEST: f64 = 1_048_576.0;

/// Pixels by which lines extend beyond the picture.
const BESIDE: f64 = 64.0;

/// Draws shapes in the world.
struct SpaceStage<'a> {
    job: &'a OverlayJob<'a>,
    spatial: &'a dyn Spatial,
    camera: OrbitCamera,
    view: OrbitView,
    /// Screen pixels per design pixel.
    unit: f64,
    pen: Pen<'a>,
}

impl SpaceStage<'_> {
    /// Returns the up direction, and the directions of the ground's axes.
    fn ground(&self) -> [DVec3; 3] {
        match self.camera.up {
            UpAxis::Z => [DVec3::Z, DVec3::X, DVec3::Y],
            UpAxis::Y | UpAxis::Unknown => [DVec3::Y, DVec3::X, DVec3::Z],
        }
    }

    /// Returns the map of a bone to the world, as shown.
    fn world(&self, bone: BoneId) -> Option<&DAffine3> {
        let worlds = &self.job.frame.spatial().worlds;
        worlds.get(bone.index())
    }

    /// Returns the screen position of a point in front of the camera and not far outside the picture.
    fn place(&self, seen: Seen) -> Option<Point> {
        place_seen(&self.view, seen)
    }

    /// Returns the screen pixels per unit at a point; `None` if it is behind the camera.
    fn scale_at(&self, seen: Seen) -> Option<f64> {
        let scale = self.view.scale_at(seen)?;
        scale.is_finite().then_some(scale)
    }

    /// Returns the part of a line that lies in the picture or slightly outside.
    fn part(&self, from: Seen, to: Seen) -> Option<[Point; 2]> {
        if !(from.is_finite() && to.is_finite()) {
            return None;
        }
        let [from, to] = self.view.clip(from, to)?;
        let [x0, y0] = self.view.screen(from)?;
        let [x1, y1] = self.view.screen(to)?;
        let (dx, dy) = (x1 - x0, y1 - y0);
        let [width, height] = self.pen.size.map(f64::from);
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (at, by, size) in [(x0, dx, width), (y0, dy, height)] {
            let [low, high] = [-BESIDE - at, size + BESIDE - at];
            if by == 0.0 {
                if !(low..=high).contains(&0.0) {
                    return None;
                }
                continue;
            }
            let (enters, leaves) = if by > 0.0 { (low, high) } else { (high, low) };
            first = first.max(enters / by);
            last = last.min(leaves / by);
        }
        let at = |way: f64| single([x0 + dx * way, y0 + dy * way]);
        (first <= last).then(|| {
            let end = if last < 1.0 { at(last) } else { single([x1, y1]) };
            [at(first), end]
        })
    }

    /// Draws a line in the world, `width` pixels wide.
    fn line(&mut self, from: Seen, to: Seen, width: f32, ink: impl Paint) {
        if let Some([from, to]) = self.part(from, to) {
            self.pen.line(from, to, width, 0.0, ink);
        }
    }
}

/// Returns the screen position of a point as [`SpaceStage::place`] does.
fn place_seen(view: &OrbitView, seen: Seen) -> Option<Point> {
    let place = view.screen(seen)?;
    let near = place.iter().all(|c| c.abs() < FARTHEST);
    near.then(|| single(place))
}

/// Converts a screen position to single precision.
#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
fn single(place: [f64; 2]) -> Point {
    place.map(|c| c as f32)
}

/// Converts a number of pixels to single precision.
#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
fn pixels(number: f64) -> f32 {
    number as f32
}
