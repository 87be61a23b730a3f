//! Things that can be switched on, gone to or opened: switches, tabs, targets, kinds of content.

use pchr::overlay::Layer;

/// Something that can be turned on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Switch {
    /// The bones, over the picture.
    Bones,
    /// Their names.
    Names,
    /// The edges of the triangles.
    Wireframe,
    /// Boxes around the meshes and the character.
    Bounds,
    /// The axes of the world.
    Origin,
    /// The place of each mesh in the draw order.
    Order,
    /// The axes of bones that move in space.
    Axes,
    /// Lines at round-number intervals: of the plane, or of the ground.
    Grid,
    /// The path of the whole model.
    Path,
    /// The selected bone's path.
    Trail,
    /// Ghosts of the frames before and after.
    Onion,
    /// The whole model stays where it is.
    InPlace,
    /// Near things larger than far ones.
    Perspective,
    /// Z pointing up instead of Y.
    ZUp,
    /// A drag over the picture measures.
    Ruler,
    /// The camera goes along with the selected bone.
    Follow,
    /// Curves of the selected bone, or keys of all.
    Curves,
    /// The selected bone's weights as colours.
    Weights,
    /// The image that the selected mesh is drawn from.
    Atlas,
    /// Texels as squares instead of blended.
    Nearest,
    /// Costs of a frame.
    Hud,
    /// Frames blended into each other.
    Smooth,
    /// Y pointing down, for files that were authored so.
    YDown,
    /// The panels around the picture.
    Panels,
    /// The whole screen.
    FullScreen,
    /// The list of the file's warnings.
    Findings,
    /// Rows of meshes that move with the draw order, even while it plays.
    LiveOrder,
    /// Hints for beginners in the status line.
    Hints,
    /// The sheet of all keys.
    Keys,
    /// The palette of all actions.
    Palette,
}

impl Switch {
    /// The switch of an overlay.
    pub(crate) fn of(layer: Layer) -> Self {
        match layer {
            Layer::Bones => Self::Bones,
            Layer::Names => Self::Names,
            Layer::Wireframe => Self::Wireframe,
            Layer::Bounds => Self::Bounds,
            Layer::Origin => Self::Origin,
            Layer::Order => Self::Order,
            Layer::Axes => Self::Axes,
            Layer::Grid => Self::Grid,
            Layer::Path => Self::Path,
        }
    }
}

/// A list in the side panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Tab {
    /// The meshes in draw order.
    #[default]
    Meshes,
    /// The bones as a tree.
    Bones,
    /// The files of 3D motions.
    Motions,
}

impl Tab {
    /// Returns the label.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Meshes => "Meshes",
            Self::Bones => "Bones",
            Self::Motions => "Motions",
        }
    }
}

/// A part of the window that can be gone to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A list of the side panel, which comes to the front.
    List(Tab),
    /// The list of animations, or their menu in a low window.
    Animations,
    TimeLine,
    /// The field of the frame.
    Frame,
    /// The list of warnings, which opens.
    Warnings,
    /// The menu of backgrounds, which opens.
    Background,
    /// The settings of onion skin, which open.
    Onion,
    /// The menu of the row that has the keyboard focus; else that of the picture, at what is chosen.
    Menu,
}

/// Kind of content that is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Meshes on bones in a plane; also nothing.
    #[default]
    Character,
    /// Sprites of an atlas.
    Atlas,
    /// Bones that move in space.
    Motion,
}
