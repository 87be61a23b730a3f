//! Choice of debug drawings.

use crate::document::{BoneId, MeshId};

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
