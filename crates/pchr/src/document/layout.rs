//! The directory of a document: byte ranges of its parts in the file. The parts follow each other without gaps.

use std::ops::Range;

use super::{
    Animation, BoneId, Document, INDEX_SIZE, ImageId, MeshId, TRANSFORM_SIZE, VERTEX_SIZE,
};

/// Bytes of the header: `magic`, `version`, `fps`, `flags`.
const HEADER_SIZE: u64 = 4 + 4 + 2 + 2;
/// Bytes of a section's count, and of a name's length.
const COUNT_SIZE: u64 = 2;
/// Bytes of an image's width and height.
const SIZE_SIZE: u64 = 2 + 2;
/// Bytes from an image's size to its data: width, height, format and length.
const SIZE_BEFORE_DATA: u64 = SIZE_SIZE + 1 + 4;
/// Bytes of a bone's parent.
const PARENT_SIZE: u64 = 2;

/// A section of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileSection {
    /// From the magic bytes to the flags.
    Header,
    /// The images and their number.
    Images,
    /// The bones and their number.
    Bones,
    /// The meshes and their number.
    Meshes,
    /// The animations and their number.
    Animations,
    /// Bytes after the last animation: none, in a valid file.
    Trailing,
}

impl FileSection {
    /// All sections, in file order.
    pub const ALL: [Self; 6] = [
        Self::Header,
        Self::Images,
        Self::Bones,
        Self::Meshes,
        Self::Animations,
        Self::Trailing,
    ];

    /// Returns its name in terms of the format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Images => "images",
            Self::Bones => "bones",
            Self::Meshes => "meshes",
            Self::Animations => "animations",
            Self::Trailing => "trailing",
        }
    }
}

impl Document {
    /// Returns the bytes of a section in [`Self::bytes`].
    #[must_use]
    pub fn section_range(&self, section: FileSection) -> Range<u64> {
        let directory = &self.directory;
        let after = |start: u64, last: Option<u64>| {
            last.unwrap_or_else(|| start.saturating_add(COUNT_SIZE))
        };
        let images = after(HEADER_SIZE, directory.images.last().map(ImageEntry::end));
        let bones = after(images, directory.bones.last().map(BoneEntry::end));
        let meshes = after(bones, directory.meshes.last().map(MeshEntry::end));
        let animations = directory.end.into();
        match section {
            FileSection::Header => 0..HEADER_SIZE,
            FileSection::Images => HEADER_SIZE..images,
            FileSection::Bones => images..bones,
            FileSection::Meshes => bones..meshes,
            FileSection::Animations => meshes..animations,
            FileSection::Trailing => animations..self.bytes().len() as u64,
        }
    }

    /// Returns the bytes of an image; `None` if there is no such image.
    #[must_use]
    pub fn image_ranges(&self, id: ImageId) -> Option<ImageRanges> {
        let entry = self.directory.images.get(id.index())?;
        let data = u64::from(entry.data_at);
        let size = data.saturating_sub(SIZE_BEFORE_DATA);
        Some(ImageRanges {
            all: entry.name.start()..entry.end(),
            size: size..size.saturating_add(SIZE_SIZE),
            data: data..entry.end(),
        })
    }

    /// Returns the bytes of a bone; `None` if there is no such bone.
    #[must_use]
    pub fn bone_range(&self, id: BoneId) -> Option<Range<u64>> {
        let entry = self.directory.bones.get(id.index())?;
        Some(entry.name.start()..entry.end())
    }

    /// Returns the bytes of a mesh; `None` if there is no such mesh.
    #[must_use]
    pub fn mesh_ranges(&self, id: MeshId) -> Option<MeshRanges> {
        let entry = self.directory.meshes.get(id.index())?;
        Some(MeshRanges {
            all: entry.name.start()..entry.end(),
            vertices: entry.vertices_at.into()..entry.vertices_end(),
            indices: entry.vertices_end()..entry.end(),
        })
    }
}

/// Byte ranges of an image in [`Document::bytes`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageRanges {
    /// The whole image: name, size, format and data.
    pub all: Range<u64>,
    /// Its width and height.
    pub size: Range<u64>,
    /// Its data.
    pub data: Range<u64>,
}

/// Byte ranges of a mesh in [`Document::bytes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshRanges {
    /// The whole mesh: name, counts, vertices and indices.
    pub all: Range<u64>,
    /// Its vertices.
    pub vertices: Range<u64>,
    /// Its indices.
    pub indices: Range<u64>,
}

impl Animation<'_> {
    /// Returns its bytes, frames included.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.entry.name.start()..self.frames_range().end
    }

    /// Returns the bytes of its frames.
    #[must_use]
    pub fn frames_range(&self) -> Range<u64> {
        let bones = self.document.directory.bones.len();
        self.entry.frames_at.into()..self.entry.end(bones)
    }
}

impl NameEntry {
    /// Returns the offset of the name's length, which is the first field of every element.
    fn start(self) -> u64 {
        u64::from(self.at).saturating_sub(COUNT_SIZE)
    }
}

impl ImageEntry {
    fn end(&self) -> u64 {
        u64::from(self.data_at).saturating_add(self.data_len.into())
    }
}

impl BoneEntry {
    fn end(&self) -> u64 {
        let name = u64::from(self.name.at).saturating_add(self.name.len.into());
        name.saturating_add(PARENT_SIZE)
    }
}

impl MeshEntry {
    fn vertices_end(&self) -> u64 {
        let size = u64::from(self.vertex_count).saturating_mul(VERTEX_SIZE as u64);
        u64::from(self.vertices_at).saturating_add(size)
    }

    fn end(&self) -> u64 {
        let size = u64::from(self.index_count).saturating_mul(INDEX_SIZE as u64);
        self.vertices_end().saturating_add(size)
    }
}

impl AnimationEntry {
    fn end(&self, bones: usize) -> u64 {
        let frame = (bones as u64).saturating_mul(TRANSFORM_SIZE as u64);
        let size = frame.saturating_mul(self.frame_count.into());
        u64::from(self.frames_at).saturating_add(size)
    }
}

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
