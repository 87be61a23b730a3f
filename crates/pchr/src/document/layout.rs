//! Layout of a file: its format, its sections and packed records, and the directory of its parts, which the reader builds.
//!
//! Parts follow each other without gaps. Offsets fit 32 bits because larger files are refused ([`super::PchrRule::Limit`]). A document
//! takes no memory beyond its file and the directory.

use std::ops::Range;

use super::{Animation, BoneId, Document, ImageId, MeshId};

/// Format of a file, recognised by its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// PCHR v1: the flat binary format.
    #[default]
    Pchr,
    /// Legacy packed: a header, Pachario JSON and one PNG.
    LegacyPacked,
    /// PCHR JSON: the mirror of the binary.
    PchrJson,
    /// Pachario JSON: the output of the Pachario exporter.
    PacharioJson,
}

impl FileFormat {
    /// Returns its name, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pchr => "PCHR v1",
            Self::LegacyPacked => "legacy packed PCHR",
            Self::PchrJson => "PCHR JSON",
            Self::PacharioJson => "Pachario JSON",
        }
    }

    /// Returns the dialect in which findings about such a file are worded.
    #[cfg(feature = "json")]
    pub(crate) const fn dialect(self) -> Self {
        match self {
            Self::LegacyPacked => Self::PacharioJson,
            other => other,
        }
    }

    /// Returns its name, for programs.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Pchr => "pchr",
            Self::LegacyPacked => "legacy-packed",
            Self::PchrJson => "pchr-json",
            Self::PacharioJson => "pachario-json",
        }
    }
}

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

/// Bytes of a section's count, and of a name's length.
pub(super) const COUNT_SIZE: u64 = 2;

/// Bytes of a bone's parent.
pub(super) const PARENT_SIZE: u64 = 2;

impl NameEntry {
    /// Returns the offset of the name's length, which is the first field of every element.
    pub(super) fn start(self) -> u64 {
        u64::from(self.at).saturating_sub(COUNT_SIZE)
    }

    pub(super) fn end(self) -> u64 {
        u64::from(self.at).saturating_add(self.len.into())
    }
}

impl ImageEntry {
    pub(super) fn end(&self) -> u64 {
        u64::from(self.data_at).saturating_add(self.data_len.into())
    }
}

impl BoneEntry {
    pub(super) fn end(&self) -> u64 {
        self.name.end().saturating_add(PARENT_SIZE)
    }
}

impl MeshEntry {
    pub(super) fn vertices_end(&self) -> u64 {
        let size = u64::from(self.vertex_count).saturating_mul(VERTEX_SIZE as u64);
        u64::from(self.vertices_at).saturating_add(size)
    }

    pub(super) fn end(&self) -> u64 {
        let size = u64::from(self.index_count).saturating_mul(INDEX_SIZE as u64);
        self.vertices_end().saturating_add(size)
    }

    /// Returns its vertices in the bytes of a file.
    pub(super) fn vertices<'a>(&self, file: &'a [u8]) -> &'a [[u8; VERTEX_SIZE]] {
        let size = usize::from(self.vertex_count).saturating_mul(VERTEX_SIZE);
        slice(file, self.vertices_at.into(), size).as_chunks().0
    }

    /// Returns its indices in the bytes of a file.
    pub(super) fn indices<'a>(&self, file: &'a [u8]) -> &'a [[u8; INDEX_SIZE]] {
        let size = (self.index_count as usize).saturating_mul(INDEX_SIZE);
        slice(file, self.vertices_end(), size).as_chunks().0
    }
}

impl AnimationEntry {
    pub(super) fn end(&self, bones: usize) -> u64 {
        let frame = (bones as u64).saturating_mul(TRANSFORM_SIZE as u64);
        let size = frame.saturating_mul(self.frame_count.into());
        u64::from(self.frames_at).saturating_add(size)
    }

    /// Returns its transforms in the bytes of a file, frame by frame.
    pub(super) fn records<'a>(&self, file: &'a [u8], bones: usize) -> &'a [[u8; TRANSFORM_SIZE]] {
        let count = usize::from(self.frame_count).saturating_mul(bones);
        let size = count.saturating_mul(TRANSFORM_SIZE);
        slice(file, self.frames_at.into(), size).as_chunks().0
    }
}

/// Returns a part of a file; nothing if that lies beyond its end.
#[inline]
pub(super) fn slice(file: &[u8], at: u64, len: usize) -> &[u8] {
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    file.get(at..at.saturating_add(len)).unwrap_or_default()
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

/// Bytes of one vertex: `x y u v` as float32, `boneIds` as uint16x4, `boneWeights` as float32x4.
pub const VERTEX_SIZE: usize = 40;
/// Bytes of one vertex index: uint16.
pub const INDEX_SIZE: usize = 2;
/// Bytes of one bone transform: `x y rotation scaleX scaleY` as float32, `flags` uint8, `zOrder` int16.
pub const TRANSFORM_SIZE: usize = 23;

/// One vertex: its bind-pose position, its texture coordinate, and the bones that move it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Bind-pose position in world pixels, Y up.
    pub position: [f32; 2],
    /// Texture coordinate, 0..1, `v = 0` is the top row.
    pub uv: [f32; 2],
    /// Influencing bones. A slot whose weight is not positive is ignored.
    pub bone_ids: [u16; 4],
    /// Weight of each bone; never renormalised.
    pub bone_weights: [f32; 4],
}

/// Transform of one bone in one frame, relative to its parent (a root: to the world).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneTransform {
    /// Offset from the parent in pixels.
    pub x: f32,
    /// Offset from the parent in pixels, up.
    pub y: f32,
    /// Rotation in degrees, counter-clockwise.
    pub rotation: f32,
    /// Scale across the bone.
    pub scale_x: f32,
    /// Scale along the bone.
    pub scale_y: f32,
    /// Bit 0: visible.
    pub flags: u8,
    /// Draw order of the meshes that this bone owns; higher draws on top.
    pub z_order: i16,
}

impl Default for BoneTransform {
    fn default() -> Self {
        Self { x: 0.0, y: 0.0, rotation: 0.0, scale_x: 1.0, scale_y: 1.0, flags: 1, z_order: 0 }
    }
}

macro_rules! field {
    ($record:expr, $at:literal, $type:ty) => {{
        const SIZE: usize = size_of::<$type>();
        let bytes: [u8; SIZE] = std::array::from_fn(|i| $record[$at + i]);
        <$type>::from_le_bytes(bytes)
    }};
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "constant offsets into a record of constant size"
)]
impl Vertex {
    /// Decodes a vertex record.
    #[must_use]
    #[inline(always)]
    pub fn from_record(r: &[u8; VERTEX_SIZE]) -> Self {
        Self {
            position: [field!(r, 0, f32), field!(r, 4, f32)],
            uv: [field!(r, 8, f32), field!(r, 12, f32)],
            bone_ids: [
                field!(r, 16, u16),
                field!(r, 18, u16),
                field!(r, 20, u16),
                field!(r, 22, u16),
            ],
            bone_weights: [
                field!(r, 24, f32),
                field!(r, 28, f32),
                field!(r, 32, f32),
                field!(r, 36, f32),
            ],
        }
    }

    /// Encodes a vertex record.
    #[must_use]
    #[inline(always)]
    pub fn to_record(&self) -> [u8; VERTEX_SIZE] {
        let mut r = [0; VERTEX_SIZE];
        let ([x, y], [u, v]) = (self.position, self.uv);
        for (i, value) in [x, y, u, v].iter().enumerate() {
            r[i * 4..i * 4 + 4].copy_from_slice(&value.to_le_bytes());
        }
        for (i, (id, weight)) in self.bone_ids.iter().zip(self.bone_weights).enumerate() {
            r[16 + i * 2..18 + i * 2].copy_from_slice(&id.to_le_bytes());
            r[24 + i * 4..28 + i * 4].copy_from_slice(&weight.to_le_bytes());
        }
        r
    }
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "constant offsets into a record of constant size"
)]
impl BoneTransform {
    /// Decodes a transform record. Its numbers are unchanged and may not be finite.
    #[must_use]
    #[inline(always)]
    pub fn from_record(r: &[u8; TRANSFORM_SIZE]) -> Self {
        Self {
            x: field!(r, 0, f32),
            y: field!(r, 4, f32),
            rotation: field!(r, 8, f32),
            scale_x: field!(r, 12, f32),
            scale_y: field!(r, 16, f32),
            flags: field!(r, 20, u8),
            z_order: field!(r, 21, i16),
        }
    }

    /// Encodes a transform record.
    #[must_use]
    #[inline(always)]
    pub fn to_record(&self) -> [u8; TRANSFORM_SIZE] {
        let mut r = [0; TRANSFORM_SIZE];
        for (i, value) in self.numbers().iter().enumerate() {
            r[i * 4..i * 4 + 4].copy_from_slice(&value.to_le_bytes());
        }
        r[20] = self.flags;
        r[21..].copy_from_slice(&self.z_order.to_le_bytes());
        r
    }

    /// Creates a transform from [`Self::numbers`] and the rest.
    #[cfg(feature = "json")]
    #[inline]
    pub(crate) fn new(numbers: [f32; 5], flags: u8, z_order: i16) -> Self {
        let [x, y, rotation, scale_x, scale_y] = numbers;
        Self { x, y, rotation, scale_x, scale_y, flags, z_order }
    }

    /// Returns the numbers in the order of a record: offset, rotation and scale.
    #[inline]
    pub(crate) fn numbers(&self) -> [f32; 5] {
        [self.x, self.y, self.rotation, self.scale_x, self.scale_y]
    }

    /// Returns it with neutral values in place of numbers that are not finite.
    #[inline]
    pub(crate) fn neutralised(self) -> Self {
        let or = |value: f32, neutral: f32| if value.is_finite() { value } else { neutral };
        Self {
            x: or(self.x, 0.0),
            y: or(self.y, 0.0),
            rotation: or(self.rotation, 0.0),
            scale_x: or(self.scale_x, 1.0),
            scale_y: or(self.scale_y, 1.0),
            ..self
        }
    }

    /// Returns true if the meshes that this bone owns are drawn (bit 0).
    #[must_use]
    pub fn visible(&self) -> bool {
        self.flags & 1 != 0
    }
}
