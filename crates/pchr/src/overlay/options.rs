//! Choice of overlays.

use super::onion::Onion;
use crate::document::{BoneId, MeshId};

/// Selected drawings. None by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlayOptions {
    /// Bones as kites from joint to joint.
    pub bones: bool,
    /// Names of the bones, or of the drawn meshes if there are no bones. Names that would cover others are left out.
    pub names: bool,
    /// Sides of all drawn triangles.
    pub wireframe: bool,
    /// A box around each drawn mesh, and one around all of them.
    pub bounds: bool,
    /// The axes of the world: x red, y green.
    pub origin: bool,
    /// The number of each mesh in draw order, 0 for the backmost.
    pub order: bool,
    /// The axes of each bone that moves in space: x red, y green, z blue.
    pub axes: bool,
    /// Lines at round-number intervals, which are stated: of a flat world, behind the meshes, or on the ground of one in which bones move in
    /// space.
    pub grid: bool,
    /// The path of the whole model, for a motion that moves it.
    pub path: bool,
    /// A point whose path over the animation is shown, with a dot for each frame. In space there are only bones.
    pub trail: Option<Trail>,
    /// Frames that are shown as ghosts. [`super::OverlayJob`] draws those of bones that move in space; those of meshes are layers
    /// under the picture ([`Onion::ghosts`]).
    pub onion: Onion,
    /// Weights of a bone at each vertex, as colours of [`super::ramp`], and marks on vertices without weights and on those whose
    /// weights do not sum to 1.
    pub weights: Option<BoneId>,
    /// Highlighted mesh, drawn or not.
    pub mesh: Option<MeshId>,
    /// Highlighted bone.
    pub bone: Option<BoneId>,
    /// True for names on a light background.
    pub light: bool,
    /// Screen pixels per design pixel, 1 to 8: the scale factor of a display.
    pub scale: u32,
}

/// A point whose path is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trail {
    /// The joint of a bone.
    Bone(BoneId),
    /// A vertex of a mesh, by its index.
    Vertex(MeshId, u16),
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
        axes: false,
        grid: false,
        path: false,
        trail: None,
        onion: Onion::NONE,
        weights: None,
        mesh: None,
        bone: None,
        light: false,
        scale: 1,
    };

    /// Returns true if nothing is selected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let nothing = Self {
            light: self.light,
            scale: self.scale,
            onion: Onion {
                before: 0,
                after: 0,
                ..self.onion
            },
            ..Self::NOTHING
        };
        *self == nothing
    }

    /// Returns true if a layer is on.
    #[must_use]
    pub fn has(&self, layer: Layer) -> bool {
        let mut options = *self;
        *options.switch(layer)
    }

    /// Turns a layer on or off.
    pub fn set(&mut self, layer: Layer, on: bool) {
        *self.switch(layer) = on;
    }

    fn switch(&mut self, layer: Layer) -> &mut bool {
        match layer {
            Layer::Bones => &mut self.bones,
            Layer::Names => &mut self.names,
            Layer::Wireframe => &mut self.wireframe,
            Layer::Bounds => &mut self.bounds,
            Layer::Origin => &mut self.origin,
            Layer::Order => &mut self.order,
            Layer::Axes => &mut self.axes,
            Layer::Grid => &mut self.grid,
            Layer::Path => &mut self.path,
        }
    }
}

impl Layer {
    /// Returns true for a drawing of bones that move in space.
    #[must_use]
    pub const fn is_spatial(self) -> bool {
        matches!(self, Self::Axes | Self::Path)
    }

    /// Returns true for a drawing of meshes, which do not exist in space.
    #[must_use]
    pub const fn is_flat(self) -> bool {
        matches!(self, Self::Wireframe | Self::Bounds | Self::Order)
    }
}

/// A debug drawing that is on or off, without a choice of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// [`OverlayOptions::bones`].
    Bones,
    /// [`OverlayOptions::names`].
    Names,
    /// [`OverlayOptions::wireframe`].
    Wireframe,
    /// [`OverlayOptions::bounds`].
    Bounds,
    /// [`OverlayOptions::origin`].
    Origin,
    /// [`OverlayOptions::order`].
    Order,
    /// [`OverlayOptions::axes`].
    Axes,
    /// [`OverlayOptions::grid`].
    Grid,
    /// [`OverlayOptions::path`].
    Path,
}

impl Layer {
    /// All layers, in the order of lists.
    pub const ALL: [Self; 9] = [
        Self::Bones,
        Self::Names,
        Self::Wireframe,
        Self::Bounds,
        Self::Origin,
        Self::Order,
        Self::Axes,
        Self::Grid,
        Self::Path,
    ];

    /// Returns its name on command lines and in suites. Ids of actions and icons contain it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Bones => "bones",
            Self::Names => "names",
            Self::Wireframe => "wireframe",
            Self::Bounds => "bounds",
            Self::Origin => "origin",
            Self::Order => "order",
            Self::Axes => "axes",
            Self::Grid => "grid",
            Self::Path => "path",
        }
    }

    /// Returns its name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bones => "Bones",
            Self::Names => "Bone names",
            Self::Wireframe => "Wireframe",
            Self::Bounds => "Bounds",
            Self::Origin => "Origin",
            Self::Order => "Draw order numbers",
            Self::Axes => "Bone axes",
            Self::Grid => "Grid",
            Self::Path => "Motion path of the model",
        }
    }
}
