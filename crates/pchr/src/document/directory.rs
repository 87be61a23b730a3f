//! Directory of a file's bytes: the compact index that the reader builds.
//!
//! Offsets fit 32 bits because larger files are refused ([`super::PchrRule::Limit`]). A document takes no memory beyond its file
//! and this directory.

/// Offset and byte length of a name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NameEntry {
    pub(crate) at: u32,
    pub(crate) len: u16,
}

/// An image: the fields before its data, and the offset of the data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImageEntry {
    pub(crate) name: NameEntry,
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) format: u8,
    pub(crate) data_at: u32,
    pub(crate) data_len: u32,
}

/// A bone; its parent field follows the name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoneEntry {
    pub(crate) name: NameEntry,
    pub(crate) parent: i16,
}

/// A mesh: vertex records start at `vertices_at`, indices follow them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeshEntry {
    pub(crate) name: NameEntry,
    pub(crate) image: u16,
    pub(crate) vertex_count: u16,
    pub(crate) index_count: u32,
    pub(crate) vertices_at: u32,
}

/// An animation: transform records start at `frames_at`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnimationEntry {
    pub(crate) name: NameEntry,
    pub(crate) flags: u8,
    pub(crate) frame_count: u16,
    pub(crate) frames_at: u32,
}

/// Structure of a file, as read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directory {
    pub(crate) fps: u16,
    pub(crate) flags: u16,
    pub(crate) images: Vec<ImageEntry>,
    pub(crate) bones: Vec<BoneEntry>,
    pub(crate) meshes: Vec<MeshEntry>,
    pub(crate) animations: Vec<AnimationEntry>,
    /// Offset of the end of the last animation.
    pub(crate) end: u32,
}
