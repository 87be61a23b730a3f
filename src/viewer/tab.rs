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
}
