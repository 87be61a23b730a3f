//! A document as plain, owned data, for importers and programs to build and the writer to write.

use super::layout::{BoneTransform, Vertex};
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
