//! Choice of overlays.

use super::onion::{Onion, Pin};
use crate::document::{BoneId, MeshId};
use crate::playback::FrameAt;
use crate::scene::{Ghost, Subject};

/// Selected drawings. None by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlayOptions {
    /// Drawings that are on.
    pub layers: Layers,
    /// A point whose path over the animation is shown, with a dot for each frame. In space there are only bones.
    pub trail: Option<Trail>,
    /// Frames that are shown as ghosts. [`super::OverlayJob`] draws those of bones that move in space; those of meshes are layers
    /// under the picture ([`Self::ghosts`]).
    pub onion: Onion,
    /// Another frame that is shown as a ghost, below those.
    pub pin: Option<Pin>,
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
        layers: Layers::NONE,
        trail: None,
        onion: Onion::NONE,
        pin: None,
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
            onion: Onion { before: 0, after: 0, ..self.onion },
            ..Self::NOTHING
        };
        *self == nothing
    }

    /// Returns true if there are ghosts.
    #[must_use]
    pub const fn has_ghosts(&self) -> bool {
        self.onion.is_on() || self.pin.is_some()
    }

    /// Replaces `ghosts` by those of a moment, the lowest first. There are none under [`Layer::Overdraw`], and none of bones that move
    /// in space: [`super::OverlayJob`] draws those.
    pub fn ghosts(&self, subject: &dyn Subject, at: Option<FrameAt>, ghosts: &mut Vec<Ghost>) {
        ghosts.clear();
        if subject.spatial().is_some() || self.has(Layer::Overdraw) {
            return;
        }
        ghosts.extend(self.pin.map(Pin::ghost));
        let at = at.filter(|_| self.onion.is_on());
        let clip = at.and_then(|at| Some((at, subject.animation(at.animation)?)));
        if let Some((at, clip)) = clip {
            ghosts.extend(self.onion.ghosts(at, &clip.timeline));
        }
    }

    /// Returns RGB of ghosts before, after and pinned, sRGB-encoded.
    #[must_use]
    pub fn tints(&self) -> [[u8; 3]; 3] {
        let [before, after] = self.onion.tints;
        [before, after, self.pin.map_or(Pin::TINT, |pin| pin.tint)]
    }

    /// Returns true if a layer is on that draws on this, other than [`Layer::Overdraw`], which finds the meshes itself.
    pub(super) fn draws_on(&self, needs: LayerNeeds) -> bool {
        let mut layers = self.layers.iter().filter(|layer| *layer != Layer::Overdraw);
        layers.any(|layer| layer.needs() == needs)
    }

    /// Returns true if a layer is on.
    #[must_use]
    pub const fn has(&self, layer: Layer) -> bool {
        self.layers.contains(layer)
    }
}

/// A debug drawing that is on or off, without a choice of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Bones as kites from joint to joint.
    Bones,
    /// Names of the bones, or of the drawn meshes if there are no bones. Names that would cover others are left out.
    Names,
    /// Sides of all drawn triangles.
    Wireframe,
    /// A box around each drawn mesh, and one around all of them.
    Bounds,
    /// The axes of the world: x red, y green.
    Origin,
    /// The number of each mesh in draw order, 0 for the backmost.
    Order,
    /// The axes of each bone that moves in space: x red, y green, z blue.
    Axes,
    /// Lines at round-number intervals, which are stated: of a flat world, behind the meshes, or on the ground of one in which bones move in
    /// space.
    Grid,
    /// The path of the whole model, for a motion that moves it.
    Path,
    /// The number of layers of each pixel as a colour, in place of the meshes, their weights and ghosts, and a legend of the colours.
    Overdraw,
}

/// What a layer draws on. Without it there is nothing to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LayerNeeds {
    /// Content of any kind.
    Any,
    /// Meshes, which do not exist in space.
    Meshes,
    /// Bones in a plane.
    FlatBones,
    /// Bones that move in space.
    SpatialBones,
}

/// A layer, its name on command lines and in suites, that for people, and what it draws on.
type LayerRow = (Layer, &'static str, &'static str, LayerNeeds);

/// The layers in the order of [`Layer`], which is that of lists.
const TABLE: [LayerRow; 10] = [
    (Layer::Bones, "bones", "Bones", LayerNeeds::FlatBones),
    (Layer::Names, "names", "Bone names", LayerNeeds::Any),
    (Layer::Wireframe, "wireframe", "Wireframe", LayerNeeds::Meshes),
    (Layer::Bounds, "bounds", "Bounds", LayerNeeds::Meshes),
    (Layer::Origin, "origin", "Origin", LayerNeeds::Any),
    (Layer::Order, "order", "Draw order numbers", LayerNeeds::Meshes),
    (Layer::Axes, "axes", "Bone axes", LayerNeeds::SpatialBones),
    (Layer::Grid, "grid", "Grid", LayerNeeds::Any),
    (Layer::Path, "path", "Motion path of the model", LayerNeeds::SpatialBones),
    (Layer::Overdraw, "overdraw", "Overdraw", LayerNeeds::Meshes),
];

impl Layer {
    /// All layers, in the order of lists.
    #[expect(clippy::indexing_slicing, reason = "within the table, or it does not compile")]
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Bones; TABLE.len()];
        let mut place = 0;
        while place < all.len() {
            all[place] = TABLE[place].0;
            assert!(all[place] as usize == place, "the table has the order of the enum");
            place += 1;
        }
        all
    };

    #[expect(clippy::indexing_slicing, reason = "each layer has a row, see `ALL`")]
    const fn row(self) -> &'static LayerRow {
        &TABLE[self as usize]
    }

    /// Returns its name on command lines and in suites. Ids of actions and icons contain it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        self.row().1
    }

    /// Returns its name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().2
    }

    /// Returns what it draws on.
    #[must_use]
    pub const fn needs(self) -> LayerNeeds {
        self.row().3
    }

    /// Returns true for a drawing of bones that move in space.
    #[must_use]
    pub const fn is_spatial(self) -> bool {
        matches!(self.needs(), LayerNeeds::SpatialBones)
    }
}

/// A set of layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layers(u16);

impl Layers {
    /// No layer.
    pub const NONE: Self = Self(0);

    /// Returns the set of these layers.
    #[must_use]
    pub const fn of(layers: &[Layer]) -> Self {
        let (mut set, mut left) = (Self::NONE, layers);
        while let [layer, rest @ ..] = left {
            set.set(*layer, true);
            left = rest;
        }
        set
    }

    /// Returns true if the layer is in the set.
    #[must_use]
    pub const fn contains(self, layer: Layer) -> bool {
        self.0 & 1 << layer as u16 != 0
    }

    /// Adds the layer, or removes it.
    pub const fn set(&mut self, layer: Layer, on: bool) {
        let bit = 1 << layer as u16;
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }

    /// Returns the layers in the order of lists.
    pub fn iter(self) -> impl Iterator<Item = Layer> {
        Layer::ALL.into_iter().filter(move |layer| self.contains(*layer))
    }
}

impl FromIterator<Layer> for Layers {
    fn from_iter<T: IntoIterator<Item = Layer>>(layers: T) -> Self {
        let mut set = Self::NONE;
        for layer in layers {
            set.set(layer, true);
        }
        set
    }
}
