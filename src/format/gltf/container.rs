//! Containers: binary files and texts.

/// Magic of a binary file.
pub(super) const MAGIC: [u8; 4] = *b"glTF";

/// A container of glTF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Container {
    /// One binary file, `.glb`.
    #[default]
    Binary,
    /// A text, `.gltf`; when it is written, its buffer lies in it.
    Text,
}
