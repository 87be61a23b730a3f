//! Bones that move in space, and the drawings around them.
//!
//! ```text
//! Spatial + SpatialPose + OrbitCamera ──► ground, path, ghosts ──► bones, far ones first ──► trail, axes, chosen bone, names
//! ```
//!
//! Solids are sorted by the depth of their centres and shaded by a light at the camera's upper left. There is no depth buffer, so
//! that both renderers draw plain triangles.

mod axes;
mod bones;
mod chosen;
mod ghosts;
mod ground;
mod joints;
mod names;
mod octahedron;
mod origin;
mod outline;
mod path;
mod stage;

use self::stage::Stage;
use super::OverlayOptions;
use super::job::{OverlayJob, OverlayScratch};
use super::pen::Pen;
use super::trail::Trail;
use crate::scene::Overlay;

impl OverlayJob<'_> {
    /// Replaces the contents of `out` by the bones of a subject whose bones move in space, and the drawings over them.
    pub(super) fn run_spatial(&self, scratch: &mut OverlayScratch, out: &mut Overlay) {
        out.clear();
        let (Some(spatial), Some(camera)) = (self.subject.spatial(), self.camera.orbit()) else {
            return;
        };
        let OverlayOptions {
            names,
            origin,
            axes,
            grid,
            path,
            trail,
            onion,
            bone,
            scale,
            ..
        } = *self.options;
        let OverlayScratch { space, places, .. } = scratch;
        let [width, height] = self.size;
        let unit = scale.clamp(1, 8) as f32;
        let mut stage = Stage {
            job: self,
            spatial,
            camera,
            view: camera.view(self.size),
            unit: unit.into(),
            pen: Pen {
                out,
                size: [width as f32, height as f32],
                unit,
                letters: self.letters,
            },
        };
        places.clear(stage.pen.size, unit);
        joints::place(&mut stage, space);
        if grid {
            ground::draw(&mut stage, places);
        }
        if path {
            path::draw(&mut stage, None, space);
        }
        if onion.is_on() {
            ghosts::draw(&mut stage, onion, space);
        }
        if grid && !spatial.has_skeleton() {
            ground::drops(&mut stage, space);
        }
        bones::draw(&mut stage, space);
        if let Some(Trail::Bone(bone)) = trail {
            path::draw(&mut stage, Some(bone), space);
        }
        if axes {
            axes::draw(&mut stage, space);
        }
        if origin {
            origin::draw(&mut stage);
        }
        if let Some(bone) = bone {
            chosen::draw(&mut stage, bone, space);
        }
        if names {
            names::draw(&mut stage, bone, space, places);
        }
    }
}
