//! Debug drawings over the character: bones, names, wireframe, weights, overdraw and more.
//!
//! Needs the feature `overlay`.
//!
//! ```text
//! Subject + Frame + Camera2d ──OverlayJob──► Overlay (triangles in screen pixels) ─┐
//!                                            atlas() (one texture for all of them) ────────┴─► raster / render
//! ```
//!
//! Names that the built-in font cannot write are pictures on the atlas of [`Letters`].
//!
//! All drawings are triangles with one small atlas, so that both renderers draw them with their existing rules. Positions use
//! `+ - * /` and square roots only: the same triangles on every machine.

mod atlas;
mod bones;
mod font;
mod grid;
mod ink;
mod job;
mod labels;
mod letters;
mod meshes;
mod onion;
mod options;
mod overdraw;
mod pen;
mod spatial;
#[cfg(test)]
mod tests;
mod trail;

use self::pen::Pen;
use crate::scene::Overlay;

pub use atlas::{atlas, ramp, tint_ghosts};
pub use font::plain_line;
pub use job::{OverlayJob, OverlayScratch};
pub use letters::{Letters, WrittenName, needs_fonts};
pub use meshes::{Flagged, SUM_TOLERANCE, VertexFlag, flagged, vertex_flag};
pub use onion::{MOST_GHOSTS, Onion, Pin};
pub use options::{Layer, Layers, OverlayOptions, Trail};

impl OverlayJob<'_> {
    /// Replaces the contents of `out`. Allocates only while `scratch` and `out` are smaller than the drawings.
    pub fn run(&self, scratch: &mut OverlayScratch, out: &mut Overlay) {
        out.clear();
        let OverlayOptions { weights, mesh, bone, trail, scale, .. } = *self.options;
        let has = |layer| self.options.has(layer);
        if self.subject.spatial().is_some() {
            return self.run_spatial(scratch, out);
        }
        if self.options.is_empty() {
            return;
        }
        let [width, height] = self.size;
        let mut pen = Pen {
            out,
            size: [width as f32, height as f32],
            unit: scale.clamp(1, 8) as f32,
            letters: self.letters,
        };
        let spacing = if has(Layer::Grid) { grid::draw(self, &mut pen) } else { None };
        pen.out.put_behind();
        let weights = weights.filter(|_| !has(Layer::Overdraw));
        let mesh_names = has(Layer::Names) && self.subject.bone_count() == 0;
        let of_meshes = [Layer::Wireframe, Layer::Bounds, Layer::Order];
        if of_meshes.into_iter().any(has) || mesh_names || weights.is_some() || mesh.is_some() {
            meshes::place(self, scratch);
        }
        if has(Layer::Overdraw) {
            pen.out.hide_meshes();
            overdraw::draw(self, &mut scratch.overdraw, &mut pen);
        }
        if let Some(bone) = weights {
            meshes::draw(self, bone, scratch, &mut pen);
        }
        if has(Layer::Wireframe) {
            meshes::wireframe(self, scratch, &mut pen);
        }
        if let Some(mesh) = mesh {
            meshes::highlight(self, mesh, scratch, &mut pen);
        }
        if has(Layer::Bounds) {
            meshes::bounds(scratch, &mut pen);
        }
        if has(Layer::Origin) {
            bones::origin(self, &mut pen);
        }
        // Without a frame no bone is anywhere.
        let posed = self.frame.pose().is_skinned();
        if posed && (has(Layer::Bones) || has(Layer::Names) || bone.is_some()) {
            bones::place(self, scratch);
            if has(Layer::Bones) {
                bones::draw(self, scratch, &mut pen);
            }
            if let Some(bone) = bone {
                bones::highlight(self, bone, scratch, &mut pen);
            }
        }
        if let Some(trail) = trail {
            trail::draw(self, trail, &mut scratch.trail, &mut pen);
        }
        scratch.places.clear(pen.size, pen.unit);
        if let Some(spacing) = spacing {
            grid::label(self, spacing, &mut scratch.places, &mut pen);
        }
        if has(Layer::Overdraw) {
            overdraw::legend(self, &mut scratch.places, &mut pen);
        }
        if has(Layer::Order) {
            labels::order(mesh, scratch, &mut pen);
        }
        if posed && has(Layer::Names) {
            labels::bone_names(self, bone, scratch, &mut pen);
        }
        if mesh_names {
            labels::mesh_names(self, scratch, &mut pen);
        }
    }
}
