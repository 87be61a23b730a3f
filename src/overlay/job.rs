//! What is drawn, and the job that draws it.

use super::bones;
use super::labels::{self, Numbered, Places};
use super::meshes::{self, Edge, Placed};
use super::pen::{Pen, Point};
use super::{weights, world};
use crate::document::{BoneId, MeshId};
use crate::scene::{Camera2d, Frame, Overlay, Subject};

/// Which drawings are wanted. None by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlayOptions {
    /// Bones as kites from joint to joint.
    pub bones: bool,
    /// The bones' names. Those that would cover others are left out.
    pub names: bool,
    /// The sides of all triangles that are drawn.
    pub wireframe: bool,
    /// A box around each mesh that is drawn, and one around all of them.
    pub bounds: bool,
    /// The axes of the world: x red, y green.
    pub origin: bool,
    /// The number of each mesh in draw order, 0 for the backmost.
    pub order: bool,
    /// How much a bone moves each vertex, as colours of [`super::ramp`]; marks on vertices that have no weight at all,
    /// and on those whose weights do not sum to 1.
    pub weights: Option<BoneId>,
    /// A mesh that stands out, drawn or not.
    pub mesh: Option<MeshId>,
    /// A bone that stands out.
    pub bone: Option<BoneId>,
    /// Screen pixels per design pixel, 1 to 8: the scale factor of a display.
    pub scale: u32,
}

impl Default for OverlayOptions {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl OverlayOptions {
    /// Nothing, at one screen pixel per design pixel.
    pub const NOTHING: Self = Self {
        bones: false,
        names: false,
        wireframe: false,
        bounds: false,
        origin: false,
        order: false,
        weights: None,
        mesh: None,
        bone: None,
        scale: 1,
    };

    /// Whether nothing is wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let nothing = Self {
            scale: self.scale,
            ..Self::NOTHING
        };
        *self == nothing
    }
}

/// Memory that [`OverlayJob`] keeps from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct OverlayScratch {
    /// Vertices of the meshes in `placed`, on the screen.
    pub(super) points: Vec<Point>,
    /// The meshes that are drawn, back to front.
    pub(super) placed: Vec<Placed>,
    pub(super) edges: Vec<Edge>,
    /// The bones' joints on the screen.
    pub(super) joints: Vec<Point>,
    /// Whether anything hangs on each bone.
    pub(super) parents: Vec<bool>,
    pub(super) places: Places,
    pub(super) numbers: Vec<Numbered>,
}

/// Makes the drawings of one frame.
#[derive(Clone, Copy, Debug)]
pub struct OverlayJob<'a> {
    /// The subject.
    pub subject: &'a dyn Subject,
    /// Frame on show.
    pub frame: &'a Frame,
    /// Where the world lies in the picture.
    pub camera: Camera2d,
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
    /// What is wanted.
    pub options: &'a OverlayOptions,
}

impl OverlayJob<'_> {
    /// Replaces what is in `out`. Allocates only while `scratch` and `out` are smaller than what is drawn.
    pub fn run(&self, scratch: &mut OverlayScratch, out: &mut Overlay) {
        out.clear();
        let OverlayOptions {
            bones,
            names,
            wireframe,
            bounds,
            origin,
            order,
            weights,
            mesh,
            bone,
            scale,
        } = *self.options;
        if self.options.is_empty() {
            return;
        }
        let [width, height] = self.size;
        let mut pen = Pen {
            out,
            size: [width as f32, height as f32],
            unit: scale.clamp(1, 8) as f32,
        };
        if wireframe || bounds || order || weights.is_some() || mesh.is_some() {
            meshes::place(self, scratch);
        }
        if let Some(bone) = weights {
            weights::draw(self, bone, scratch, &mut pen);
        }
        if wireframe {
            meshes::wireframe(self, scratch, &mut pen);
        }
        if let Some(mesh) = mesh {
            meshes::highlight(self, mesh, scratch, &mut pen);
        }
        if bounds {
            meshes::bounds(scratch, &mut pen);
        }
        if origin {
            world::origin(self, &mut pen);
        }
        // Without a frame no bone is anywhere.
        let posed = self.frame.pose().is_skinned();
        if posed && (bones || names || bone.is_some()) {
            bones::place(self, scratch);
            if bones {
                bones::draw(self, scratch, &mut pen);
            }
            if let Some(bone) = bone {
                bones::highlight(self, bone, scratch, &mut pen);
            }
        }
        scratch.places.clear(pen.size, pen.unit);
        if order {
            labels::order(scratch, &mut pen);
        }
        if posed && names {
            labels::names(self, bone, scratch, &mut pen);
        }
    }
}
