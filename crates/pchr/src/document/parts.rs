//! A document as plain, owned data, for importers and programs to build and the writer to write; its two packed records.

use super::{Animation, Bone, Document, Image, ImageFormat, Mesh};

/// Parts of a whole document. They may be changed freely, and may be invalid.
///
/// [`crate::format::pchr::build`] checks them and makes a [`super::Document`] by way of a file, which
/// [`crate::format::pchr::write`] writes. There is no other way from parts to a document, so that nothing is checked twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocumentParts {
    /// Playback rate in frames per second.
    pub fps: u16,
    /// Reserved header flags, 0 in version 1.
    pub flags: u16,
    /// Atlas images.
    pub images: Vec<ImageParts>,
    /// Bones, parents before children.
    pub bones: Vec<BoneParts>,
    /// Skinned meshes.
    pub meshes: Vec<MeshParts>,
    /// Sampled animations.
    pub animations: Vec<AnimationParts>,
    /// Bytes after the last animation. There should be none; those of a file that was read are kept.
    pub trailing: Vec<u8>,
}

impl From<&Document> for DocumentParts {
    /// Splits a document into parts. Writing them produces the same bytes.
    fn from(document: &Document) -> Self {
        let image = |image: Image<'_>| ImageParts {
            name: image.name().to_owned(),
            width: image.width(),
            height: image.height(),
            format: image.format(),
            data: image.data().to_vec(),
        };
        let bone = |bone: Bone<'_>| BoneParts {
            name: bone.name().to_owned(),
            parent: bone.parent().map(|parent| parent.0),
        };
        let mesh = |mesh: Mesh<'_>| MeshParts {
            name: mesh.name().to_owned(),
            image: mesh.image().0,
            vertices: mesh.vertices().collect(),
            indices: mesh.indices().collect(),
        };
        let animation = |animation: Animation<'_>| AnimationParts {
            name: animation.name().to_owned(),
            flags: animation.flags(),
            frame_count: animation.frame_count(),
            transforms: animation.transforms().collect(),
        };
        Self {
            fps: document.fps(),
            flags: document.flags(),
            images: document.images().map(image).collect(),
            bones: document.bones().map(bone).collect(),
            meshes: document.meshes().map(mesh).collect(),
            animations: document.animations().map(animation).collect(),
            trailing: document.trailing().to_vec(),
        }
    }
}

/// One atlas image with its encoded bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageParts {
    /// Image name, at most 65,535 bytes.
    pub name: String,
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// Encoding of `data`.
    pub format: ImageFormat,
    /// A PNG file, or `width * height * 4` bytes of straight-alpha RGBA, top row first.
    pub data: Vec<u8>,
}

/// One bone of the hierarchy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoneParts {
    /// Bone name, at most 65,535 bytes.
    pub name: String,
    /// Index of the parent, below the bone's own index; `None` for a root. The format holds indices up to 32,767.
    pub parent: Option<u16>,
}

/// One skinned mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshParts {
    /// Mesh name, at most 65,535 bytes.
    pub name: String,
    /// Index into the document's images.
    pub image: u16,
    /// At most 65,535 vertices.
    pub vertices: Vec<Vertex>,
    /// Triangle list, three vertex indices per triangle.
    pub indices: Vec<u16>,
}

/// One sampled animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimationParts {
    /// Animation name, at most 65,535 bytes.
    pub name: String,
    /// Bit 0: looping.
    pub flags: u8,
    /// Number of frames.
    pub frame_count: u16,
    /// `frame_count * bones` transforms, frame by frame.
    pub transforms: Vec<BoneTransform>,
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
        Self {
            x: 0.0,
            y: 0.0,
            rotation: 0.0,
            scale_x: 1.0,
            scale_y: 1.0,
            flags: 1,
            z_order: 0,
        }
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
        for (at, value) in [
            (0, self.x),
            (4, self.y),
            (8, self.rotation),
            (12, self.scale_x),
            (16, self.scale_y),
        ] {
            r[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        r[20] = self.flags;
        r[21..].copy_from_slice(&self.z_order.to_le_bytes());
        r
    }

    /// Returns true if the meshes that this bone owns are drawn (bit 0).
    #[must_use]
    pub fn visible(&self) -> bool {
        self.flags & 1 != 0
    }
}
