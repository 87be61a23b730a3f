//! The directory of a document: byte ranges of its parts in the file. The parts follow each other without gaps.

use std::ops::Range;

use super::records::{BoneEntry, COUNT_SIZE, ImageEntry, MeshEntry};
use super::{Animation, BoneId, Document, ImageId, MeshId};

/// Bytes of the header: `magic`, `version`, `fps`, `flags`.
const HEADER_SIZE: u64 = 4 + 4 + 2 + 2;
/// Bytes of an image's width and height.
const SIZE_SIZE: u64 = 2 + 2;
/// Bytes from an image's size to its data: width, height, format and length.
const SIZE_BEFORE_DATA: u64 = SIZE_SIZE + 1 + 4;

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
    pub const ALL: [Self; 6] =
        [Self::Header, Self::Images, Self::Bones, Self::Meshes, Self::Animations, Self::Trailing];

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
