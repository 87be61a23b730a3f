//! The two dialects: the same document in different terms.

use serde::Deserialize;

use crate::bytes::Writer;
use crate::document::{FileFormat, ImageFormat};

/// Fields of an element of `images`.
#[derive(Clone, Debug)]
pub(super) struct ImageRecord {
    pub(super) name: String,
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) format: ImageFormat,
    pub(super) path: String,
}

/// A dialect, for the reader.
pub(super) trait Words {
    const FORMAT: FileFormat;
    /// True if an unknown key is an error; else it is a warning.
    const STRICT: bool;
    /// Keys of the document.
    const DOCUMENT: &'static [&'static str];
    /// Keys of a mesh: its name, image, vertices and indices.
    const MESH: &'static [&'static str; 4];
    /// Keys of an animation: its name, flags and frames.
    const ANIMATION: &'static [&'static str; 3];

    /// An element of `images`.
    type Image<'de>: Deserialize<'de> + Into<ImageRecord>;
    /// An element of `bones`.
    type Bone<'de>: Deserialize<'de> + BoneWords;
    /// An element of a mesh's vertices.
    type Vertex: for<'de> Deserialize<'de> + Record;
    /// An animation's flags.
    type Flags: for<'de> Deserialize<'de> + Into<u8>;
    /// An element of a frame.
    type Transform: for<'de> Deserialize<'de> + Record;
}

/// A bone's name and the index of its parent.
pub(super) trait BoneWords {
    fn name(&self) -> &str;
    fn parent(&self) -> i16;
}

/// An element that becomes a packed record of the binary format.
pub(super) trait Record {
    fn pack(&self, out: &mut Writer);

    /// Returns the number of weights without room in the record, and their sum.
    fn dropped(&self) -> Option<(u32, f32)> {
        None
    }
}
