//! The model: the contents of a file, in terms of the format.
//!
//! A [`Document`] is a checked v1 file: the file's bytes, unchanged, and a small directory of its parts. Sampled frames and
//! vertices stay packed until they are used. Only the reader makes documents, and only from bytes in which [`check`](self) found no
//! error. So every index in a document is valid, and later code relies on it. To build a document from code, fill [`DocumentParts`]
//! and write them.
#![deny(clippy::arithmetic_side_effects)]

mod check;
mod image;
mod layout;
mod names;
mod parts;
mod rule;

use std::borrow::Cow;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::OnceLock;

use crate::finding::{Finding, Findings, quoted};

pub use image::{Image, ImageFault, ImageFormat, Images};
pub use layout::{
    BoneTransform, FileFormat, FileSection, INDEX_SIZE, ImageRanges, MeshRanges, TRANSFORM_SIZE,
    VERTEX_SIZE, Vertex,
};
pub use names::{AnimationId, BoneId, ImageId, MeshId};
pub use parts::{AnimationParts, BoneParts, DocumentParts, ImageParts, MeshParts};
pub use rule::PchrRule;

use layout::slice;

pub(crate) use check::check;
pub(crate) use layout::{AnimationEntry, BoneEntry, Directory, ImageEntry, MeshEntry, NameEntry};

/// Playback rate of a file whose frame rate is 0, in frames per second.
pub const FPS_WHEN_ZERO: u16 = 24;

/// A checked file. Immutable; every index in it is valid.
#[derive(Clone)]
pub struct Document {
    bytes: Cow<'static, [u8]>,
    directory: Directory,
    warnings: Findings,
    source: FileFormat,
    fingerprint: Fingerprint,
}

/// Shows counts instead of the bytes.
impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("source", &self.source)
            .field("bytes", &self.bytes.len())
            .field("bones", &self.directory.bones.len())
            .field("meshes", &self.directory.meshes.len())
            .field("images", &self.directory.images.len())
            .field("animations", &self.directory.animations.len())
            .finish_non_exhaustive()
    }
}

impl Document {
    /// Creates a document. `directory` is that of `bytes`, and the check found no error in them.
    pub(crate) fn new(bytes: Cow<'static, [u8]>, directory: Directory, warnings: Findings) -> Self {
        Self {
            bytes,
            directory,
            warnings,
            source: FileFormat::Pchr,
            fingerprint: Fingerprint::default(),
        }
    }

    /// Marks the document as read from a file of another format, with the findings about that file.
    #[must_use]
    pub fn read_from(self, source: FileFormat, warnings: Findings) -> Self {
        Self { source, warnings, ..self }
    }

    /// Returns the format of the file that was read.
    #[must_use]
    pub fn source(&self) -> FileFormat {
        self.source
    }

    /// Returns the v1 file: the file as read, or as packed from another format.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the warnings about the file.
    #[must_use]
    pub fn warnings(&self) -> &Findings {
        &self.warnings
    }

    /// Returns a number for all meshes: equal for equal names, vertices, indices and image ids.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint.of(self.meshes())
    }

    /// Returns the bytes after the last animation. A valid file has none.
    #[must_use]
    pub fn trailing(&self) -> &[u8] {
        self.bytes.get(self.directory.end as usize..).unwrap_or_default()
    }

    /// Returns the frame rate as stored; 0 plays at [`FPS_WHEN_ZERO`].
    #[must_use]
    pub fn fps(&self) -> u16 {
        self.directory.fps
    }

    /// Returns the header's reserved flags.
    #[must_use]
    pub fn flags(&self) -> u16 {
        self.directory.flags
    }

    /// Returns all images in file order.
    pub fn images(&self) -> impl ExactSizeIterator<Item = Image<'_>> + Clone {
        self.directory.images.iter().map(|entry| self.image_of(entry))
    }

    /// Returns one image; `None` if there is no such image.
    #[must_use]
    pub fn image(&self, id: ImageId) -> Option<Image<'_>> {
        self.directory.images.get(id.index()).map(|entry| self.image_of(entry))
    }

    fn image_of(&self, entry: &ImageEntry) -> Image<'_> {
        let is_raw = entry.format == ImageFormat::Rgba8888.number();
        Image {
            name: self.name_bytes(entry.name),
            size: [entry.width, entry.height],
            format: if is_raw { ImageFormat::Rgba8888 } else { ImageFormat::Png },
            data: slice(&self.bytes, entry.data_at.into(), entry.data_len as usize),
        }
    }

    /// Returns all bones in file order, parents before children.
    pub fn bones(&self) -> impl ExactSizeIterator<Item = Bone<'_>> + Clone {
        self.directory.bones.iter().map(|entry| self.bone_of(entry))
    }

    /// Returns one bone; `None` if there is no such bone.
    #[must_use]
    pub fn bone(&self, id: BoneId) -> Option<Bone<'_>> {
        self.directory.bones.get(id.index()).map(|entry| self.bone_of(entry))
    }

    fn bone_of(&self, entry: &BoneEntry) -> Bone<'_> {
        Bone { name: self.name_bytes(entry.name), parent: entry.parent }
    }

    /// Returns all meshes in file order.
    pub fn meshes(&self) -> impl ExactSizeIterator<Item = Mesh<'_>> + Clone {
        self.directory.meshes.iter().map(|entry| self.mesh_of(entry))
    }

    /// Returns one mesh; `None` if there is no such mesh.
    #[must_use]
    pub fn mesh(&self, id: MeshId) -> Option<Mesh<'_>> {
        self.directory.meshes.get(id.index()).map(|entry| self.mesh_of(entry))
    }

    fn mesh_of(&self, entry: &MeshEntry) -> Mesh<'_> {
        Mesh {
            name: self.name_bytes(entry.name),
            image: ImageId(entry.image),
            vertices: entry.vertices(&self.bytes),
            indices: entry.indices(&self.bytes),
        }
    }

    /// Returns all animations in file order.
    pub fn animations(&self) -> impl ExactSizeIterator<Item = Animation<'_>> + Clone {
        self.directory.animations.iter().map(|entry| Animation { document: self, entry })
    }

    /// Returns one animation; `None` if there is no such animation.
    #[must_use]
    pub fn animation(&self, id: AnimationId) -> Option<Animation<'_>> {
        let entry = self.directory.animations.get(id.index())?;
        Some(Animation { document: self, entry })
    }

    /// Returns the ids of all animations.
    pub fn animation_ids(&self) -> impl ExactSizeIterator<Item = AnimationId> + use<> {
        AnimationId::first(self.directory.animations.len())
    }

    /// Returns the ids of all meshes.
    pub fn mesh_ids(&self) -> impl ExactSizeIterator<Item = MeshId> + use<> {
        MeshId::first(self.directory.meshes.len())
    }

    /// Returns the ids of all images.
    pub fn image_ids(&self) -> impl ExactSizeIterator<Item = ImageId> + use<> {
        ImageId::first(self.directory.images.len())
    }

    /// Returns the first bone with a name.
    #[must_use]
    pub fn bone_named(&self, name: &str) -> Option<BoneId> {
        named(self.bones().map(|bone| bone.name()), name).map(BoneId)
    }

    /// Returns the first mesh with a name.
    #[must_use]
    pub fn mesh_named(&self, name: &str) -> Option<MeshId> {
        named(self.meshes().map(|mesh| mesh.name()), name).map(MeshId)
    }

    /// Returns the first animation with a name.
    #[must_use]
    pub fn animation_named(&self, name: &str) -> Option<AnimationId> {
        named(self.animations().map(|animation| animation.name()), name).map(AnimationId)
    }

    fn name_bytes(&self, name: NameEntry) -> &[u8] {
        slice(&self.bytes, name.at.into(), name.len.into())
    }
}

/// Returns the index of the first name that equals `wanted`.
pub(crate) fn named<'a>(mut names: impl Iterator<Item = &'a str>, wanted: &str) -> Option<u16> {
    names.position(|name| name == wanted)?.try_into().ok()
}

/// Returns a name as text. The check made sure that it is UTF-8.
fn text(name: &[u8]) -> &str {
    std::str::from_utf8(name).unwrap_or_default()
}

impl Images for Document {
    fn image_count(&self) -> usize {
        self.images().len()
    }

    fn image(&self, id: ImageId) -> Option<Image<'_>> {
        self.image(id)
    }

    fn image_finding(&self, id: ImageId, fault: ImageFault, message: String) -> Finding {
        let ranges = self.image_ranges(id).unwrap_or_default();
        let (rule, field, offset) = match fault {
            ImageFault::Memory => (PchrRule::Limit, "data", ranges.data.start),
            ImageFault::Data => (PchrRule::ImageDecode, "data", ranges.data.start),
            ImageFault::Size => (PchrRule::ImageSize, "width", ranges.size.start),
        };
        let message = match (fault, self.image(id)) {
            (ImageFault::Memory | ImageFault::Data, Some(image)) => {
                format!("{}: {message}", quoted(image.name()))
            }
            _ => message,
        };
        Finding::new(rule, offset, &format!("images[{}].{field}", id.0), &message)
    }
}

/// A bone.
#[derive(Clone, Copy, Debug)]
pub struct Bone<'a> {
    name: &'a [u8],
    parent: i16,
}

impl<'a> Bone<'a> {
    /// Creates a bone. `parent` is the index of an earlier bone, or -1 for a root.
    #[must_use]
    pub fn new(name: &'a str, parent: i16) -> Self {
        Self { name: name.as_bytes(), parent }
    }

    /// Returns its name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        text(self.name)
    }

    /// Returns its parent as stored: an index, or -1 for a root.
    #[must_use]
    pub fn parent_field(&self) -> i16 {
        self.parent
    }

    /// Returns its parent, always an earlier bone; `None` for a root.
    #[must_use]
    #[inline]
    pub fn parent(&self) -> Option<BoneId> {
        u16::try_from(self.parent).ok().map(BoneId)
    }
}

/// Triangles of one image. Their vertices may be skinned.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Mesh<'a> {
    name: &'a [u8],
    image: ImageId,
    vertices: &'a [[u8; VERTEX_SIZE]],
    indices: &'a [[u8; INDEX_SIZE]],
}

impl<'a> Mesh<'a> {
    /// Creates a mesh from packed records: vertices of [`VERTEX_SIZE`] bytes, and indices of [`INDEX_SIZE`] bytes (little-endian),
    /// three per triangle. Triangles with an index beyond the vertices are not drawn.
    #[must_use]
    pub fn new(
        name: &'a str,
        image: ImageId,
        vertices: &'a [[u8; VERTEX_SIZE]],
        indices: &'a [[u8; INDEX_SIZE]],
    ) -> Self {
        Self { name: name.as_bytes(), image, vertices, indices }
    }

    /// Returns its name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        text(self.name)
    }

    /// Returns the image of its texture.
    #[must_use]
    pub fn image(&self) -> ImageId {
        self.image
    }

    /// Returns the number of vertices.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    /// Returns the number of indices, a multiple of 3.
    #[must_use]
    pub fn index_count(&self) -> usize {
        self.indices.len()
    }

    /// Returns the vertex records as stored in the file.
    #[must_use]
    pub fn vertex_records(&self) -> &'a [[u8; VERTEX_SIZE]] {
        self.vertices
    }

    /// Returns the index records as stored in the file.
    #[must_use]
    pub fn index_records(&self) -> &'a [[u8; INDEX_SIZE]] {
        self.indices
    }

    /// Returns the vertices, decoded one by one.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = Vertex> + use<'a> {
        self.vertices.iter().map(Vertex::from_record)
    }

    /// Returns the triangles, as indices into this mesh's vertices.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [u16; 3]> + use<'a> {
        self.indices.as_chunks::<3>().0.iter().map(|corners| corners.map(u16::from_le_bytes))
    }

    /// Returns the triangle list: indices into this mesh's vertices.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = u16> + use<'a> {
        self.indices.iter().map(|bytes| u16::from_le_bytes(*bytes))
    }
}

/// A sampled animation of a document.
#[derive(Clone, Copy, Debug)]
pub struct Animation<'a> {
    document: &'a Document,
    entry: &'a AnimationEntry,
}

impl<'a> Animation<'a> {
    /// Returns its document.
    #[must_use]
    pub fn document(&self) -> &'a Document {
        self.document
    }

    /// Returns its name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        text(self.document.name_bytes(self.entry.name))
    }

    /// Returns its flags as stored.
    #[must_use]
    pub fn flags(&self) -> u8 {
        self.entry.flags
    }

    /// Returns true if it loops (bit 0).
    #[must_use]
    pub fn looping(&self) -> bool {
        self.entry.flags & 1 != 0
    }

    /// Returns the number of frames, which may be 0.
    #[must_use]
    pub fn frame_count(&self) -> u16 {
        self.entry.frame_count
    }

    /// Returns the byte offset of a bone's transform record in the file.
    #[must_use]
    pub fn record_offset(&self, frame: u16, bone: BoneId) -> u64 {
        let bones = self.document.directory.bones.len();
        let records = usize::from(frame).saturating_mul(bones).saturating_add(bone.index());
        u64::from(self.entry.frames_at)
            .saturating_add(records.saturating_mul(TRANSFORM_SIZE) as u64)
    }

    /// Returns all transforms, decoded one by one: frame by frame, in bone order.
    pub fn transforms(&self) -> impl ExactSizeIterator<Item = BoneTransform> + use<'a> {
        let bones = self.document.directory.bones.len();
        let records = self.entry.records(&self.document.bytes, bones);
        records.iter().map(BoneTransform::from_record)
    }

    /// Returns one frame; `None` at and after [`Self::frame_count`].
    #[must_use]
    #[inline]
    pub fn frame(&self, frame: u16) -> Option<SampledFrame<'a>> {
        if frame >= self.entry.frame_count {
            return None;
        }
        let size = self.document.directory.bones.len().saturating_mul(TRANSFORM_SIZE);
        let at = (self.entry.frames_at as usize).saturating_add(size.saturating_mul(frame.into()));
        let records = self.document.bytes.get(at..at.saturating_add(size))?.as_chunks().0;
        Some(SampledFrame { records })
    }
}

/// One frame of an animation: a packed transform for each bone.
#[derive(Clone, Copy, Debug)]
pub struct SampledFrame<'a> {
    records: &'a [[u8; TRANSFORM_SIZE]],
}

impl<'a> SampledFrame<'a> {
    /// Returns the records as stored in the file, in bone order.
    #[must_use]
    pub fn records(&self) -> &'a [[u8; TRANSFORM_SIZE]] {
        self.records
    }

    /// Returns the transform of one bone; `None` if there is no such bone.
    #[must_use]
    pub fn transform(&self, bone: BoneId) -> Option<BoneTransform> {
        self.records.get(bone.index()).map(BoneTransform::from_record)
    }
}

/// A number for all meshes of a subject, computed once.
#[derive(Clone, Debug, Default)]
pub struct Fingerprint(OnceLock<u64>);

impl Fingerprint {
    /// Returns a hash of all `meshes`, each a [`Mesh`], valid while the program runs. Later calls return the first result.
    pub fn of(&self, meshes: impl Iterator<Item = impl Hash>) -> u64 {
        *self.0.get_or_init(|| {
            let mut hasher = DefaultHasher::new();
            meshes.for_each(|mesh| mesh.hash(&mut hasher));
            hasher.finish()
        })
    }
}
