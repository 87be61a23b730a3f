//! Kinds of content that are viewed in different ways.

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
