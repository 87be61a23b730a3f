//! The tabs of the side panel.

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

    /// Returns the name of the action that brings it to the front.
    pub(crate) fn action_name(self) -> &'static str {
        match self {
            Self::Meshes => "List of meshes",
            Self::Bones => "Tree of bones",
            Self::Motions => "List of motions",
        }
    }
}
