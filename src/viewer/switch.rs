//! Things that can be switched on, gone to or opened: switches and which of them are options of looks, tabs, targets, kinds of content.

use pchr::overlay::Layer;
use pchr_tools::view::{FilterArg, Shown};

/// Something that can be turned on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Switch {
    /// A drawing over the picture.
    Overlay(Layer),
    /// The selected bone's path.
    Trail,
    /// Ghosts of the frames before and after.
    Onion,
    /// The ghost of the pinned frame.
    Pin,
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
    /// Loops and frames that jump are marked.
    LoopCheck,
    /// Frames blended into each other.
    Smooth,
    /// Y pointing down, for files that were authored so.
    YDown,
    /// The panels around the picture.
    Panels,
    /// The whole screen.
    FullScreen,
    /// A small window in front of others, with the picture alone.
    Preview,
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
    /// The files of the list as thumbnails.
    Gallery,
}

/// A switch that is an option of looks: the option's name, whether a view has it on, and a way to put that into a view.
type OptionRow = (Switch, &'static str, fn(&Shown) -> bool, fn(&mut Shown, bool));

/// All switches that are options of looks and nothing else. Toggling, sessions, looks and copied commands follow the rows.
pub(crate) static OPTIONS: &[OptionRow] = &[(
    Switch::Nearest,
    "filter",
    |shown| shown.filter == FilterArg::Nearest,
    |shown, on| shown.filter = if on { FilterArg::Nearest } else { FilterArg::Linear },
)];

impl Switch {
    /// Returns true for a drawing over the picture.
    pub(crate) fn is_overlay(self) -> bool {
        matches!(self, Self::Overlay(_) | Self::Trail | Self::Onion | Self::Pin | Self::Weights)
    }

    /// Returns true for a switch that sessions hold.
    pub(crate) fn is_shown(self) -> bool {
        self.is_overlay() || OPTIONS.iter().any(|(option, ..)| *option == self)
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
    /// The characters of a stage.
    Stage,
}

impl Tab {
    /// Returns the label.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Meshes => "Meshes",
            Self::Bones => "Bones",
            Self::Motions => "Motions",
            Self::Stage => "Stage",
        }
    }
}

/// A part of the window that can be gone to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// A list of the side panel, which comes to the front.
    List(Tab),
    /// The list of animations, or their menu in a low window.
    Animations,
    TimeLine,
    /// The menu of animations to blend with, which opens.
    Blend,
    /// The field of the frame.
    Frame,
    /// The list of warnings, which opens.
    Warnings,
    /// The menu of backgrounds, which opens.
    Background,
    /// The settings of onion skin, which open.
    Onion,
    /// The settings of screenshots, which open.
    Screenshot,
    /// The menu of the row that has the keyboard focus; else that of the picture, at what is chosen.
    Menu,
}

/// Kind of content that is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ContentKind {
    /// Meshes on bones in a plane; also nothing.
    #[default]
    Character,
    /// Sprites of an atlas.
    Atlas,
    /// Bones that move in space.
    Motion,
}

/// Words of an atlas, which has sprites, for words of other content, which has meshes.
const OF_AN_ATLAS: [(&str, &str); 20] = [
    ("Atlas page of the selected mesh", "Page view"),
    (Layer::Names.name(), "Sprite names"),
    ("Measure the selected bone or mesh", "Measure the selected bone or sprite"),
    ("Hide or show the selected mesh", "Hide or show the selected sprite"),
    ("Isolate the selected mesh", "Isolate the selected sprite"),
    ("Show all meshes", "Show all sprites"),
    ("Hide all meshes", "Hide all sprites"),
    ("Reset all meshes", "Reset all sprites"),
    ("List of meshes", "List of sprites"),
    ("Filter meshes", "Filter sprites"),
    ("Mesh", "Sprite"),
    ("Select a mesh to see its image", "Select a sprite to see its image"),
    ("Hide this mesh", "Hide this sprite"),
    ("Show this mesh", "Show this sprite"),
    ("Show the other meshes again", "Show the other sprites again"),
    ("Isolate this mesh", "Isolate this sprite"),
    ("Reset this mesh", "Reset this sprite"),
    (
        "Select the topmost mesh; click again for the one below",
        "Select the topmost sprite; click again for the one below",
    ),
    ("Of each mesh and of the whole frame", "Of each sprite and of the whole frame"),
    (
        "Select a mesh in the picture or in the list",
        "Select a sprite in the picture or in the list",
    ),
];

impl ContentKind {
    /// Returns a text about meshes in the words for this content.
    pub(crate) fn words(self, text: &str) -> &str {
        let own = OF_AN_ATLAS.iter().find(|(other, _)| *other == text);
        match own.filter(|_| self == Self::Atlas) {
            Some((_, own)) => own,
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pchr_tools::session::WindowLook;
    use pchr_tools::view::Playing;

    #[test]
    fn options_of_looks_are_read_as_they_are_written() {
        for (switch, name, is_on, put) in OPTIONS {
            let mut shown = Shown::default();
            put(&mut shown, true);
            let look = WindowLook::of_view(&shown, &Playing::default());
            assert!(is_on(&shown) && look.has(name), "{switch:?}");
            put(&mut shown, false);
            assert_eq!((is_on(&shown), shown), (false, Shown::default()), "{switch:?}");
        }
    }
}
