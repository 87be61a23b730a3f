//! Choice of debug drawings.

use crate::document::{BoneId, MeshId};

/// Selected drawings. None by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlayOptions {
    /// Bones as kites from joint to joint.
    pub bones: bool,
    /// The bones' names or, where there are no bones, those of the meshes that are drawn. Those that would cover others are left
    /// out.
    pub names: bool,
    /// The sides of all triangles that are drawn.
    pub wireframe: bool,
    /// A box around each mesh that is drawn, and one around all of them.
    pub bounds: bool,
    /// The axes of the world: x red, y green.
    pub origin: bool,
    /// The number of each mesh in draw order, 0 for the backmost.
    pub order: bool,
    /// Weights of a bone at each vertex, as colours of [`super::ramp`]; marks on vertices that have no weight at all,
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

    /// Returns true if nothing is selected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let nothing = Self {
            scale: self.scale,
            ..Self::NOTHING
        };
        *self == nothing
    }

    /// Returns whether a layer is wanted.
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
        }
    }
}

/// A debug drawing that is on or off, and needs no choice of a part.
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
}

impl Layer {
    /// All layers, in the order of lists.
    pub const ALL: [Self; 6] = [
        Self::Bones,
        Self::Names,
        Self::Wireframe,
        Self::Bounds,
        Self::Origin,
        Self::Order,
    ];

    /// Its word on command lines and in suites; ids of actions and icons are made of it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Bones => "bones",
            Self::Names => "names",
            Self::Wireframe => "wireframe",
            Self::Bounds => "bounds",
            Self::Origin => "origin",
            Self::Order => "order",
        }
    }

    /// Its name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bones => "Bones",
            Self::Names => "Bone names",
            Self::Wireframe => "Wireframe",
            Self::Bounds => "Bounds",
            Self::Origin => "Origin",
            Self::Order => "Draw order numbers",
        }
    }
}
