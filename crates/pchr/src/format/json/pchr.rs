//! PCHR JSON: the mirror of the binary. It can say everything that a file can.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::number::{Exact, Finite, Float, Four, Int16, Parent, Uint8, Uint16};
use super::sections::{DialectDocument, DialectParts, Fault, Frames, fault, hex, list};
use crate::document::{
    Bone, BoneParts, BoneTransform, DocumentParts, FileFormat, Image, ImageFormat, ImageParts,
    MeshParts, Vertex,
};

/// The document. Transforms may have numbers that are none, which are strings then: `N` is [`Exact`] if they are read, and
/// [`Finite`], which is read in two thirds of the time, if there are not any.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a document", bound = "N: Float")]
pub(super) struct PchrDocument<'a, N> {
    version: Uint16,
    fps: Uint16,
    #[serde(default)]
    flags: Uint16,
    #[serde(borrow, deserialize_with = "list::<_, PchrImage<'_>, _>")]
    images: Vec<PchrImage<'a>>,
    #[serde(deserialize_with = "list::<_, PchrBone<'_>, _>")]
    bones: Vec<BoneParts>,
    #[serde(deserialize_with = "list::<_, PchrMesh, _>")]
    meshes: Vec<MeshParts>,
    #[serde(deserialize_with = "list::<_, PchrAnimation<N>, _>")]
    animations: Vec<PchrAnimation<N>>,
    #[serde(default, deserialize_with = "hex")]
    trailing: Vec<u8>,
}

impl<'de, N: Float> DialectDocument<'de> for PchrDocument<'de, N> {
    const FORMAT: FileFormat = FileFormat::PchrJson;
    const STRICT: bool = true;

    fn fault(list: &str, element: &'de str) -> Option<Fault> {
        match list {
            "images" => fault::<PchrImage<'_>>(element),
            "bones" => fault::<PchrBone<'_>>(element),
            "meshes" => fault::<PchrMesh>(element),
            _ => fault::<PchrAnimation<N>>(element),
        }
    }

    fn load(self) -> DialectParts {
        let mut loaded = DialectParts {
            version: self.version.0,
            parts: DocumentParts {
                fps: self.fps.0,
                flags: self.flags.0,
                bones: self.bones,
                meshes: self.meshes,
                trailing: self.trailing,
                ..DocumentParts::default()
            },
            ..DialectParts::default()
        };
        for PchrImage { name, width, height, format, path } in self.images {
            loaded.paths.push(path.into_owned());
            let (name, width, height) = (name.into_owned(), width.0, height.0);
            loaded.parts.images.push(ImageParts { name, width, height, format, data: Vec::new() });
        }
        for PchrAnimation { name, flags, frames } in self.animations {
            loaded.add_animation(name, flags.0, frames);
        }
        loaded
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an image")]
pub(super) struct PchrImage<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    width: Uint16,
    height: Uint16,
    format: ImageFormat,
    #[serde(borrow)]
    path: Cow<'a, str>,
}

impl<'a> PchrImage<'a> {
    pub(super) fn new(image: &Image<'a>, path: &'a str) -> Self {
        Self {
            name: image.name().into(),
            width: Uint16(image.width()),
            height: Uint16(image.height()),
            format: image.format(),
            path: path.into(),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a bone")]
pub(super) struct PchrBone<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    parent: Parent,
}

impl<'a> PchrBone<'a> {
    pub(super) fn new(bone: &Bone<'a>) -> Self {
        Self { name: bone.name().into(), parent: Parent(bone.parent_field()) }
    }
}

impl From<PchrBone<'_>> for BoneParts {
    fn from(bone: PchrBone<'_>) -> Self {
        Self { name: bone.name.into_owned(), parent: bone.parent.index() }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a mesh")]
pub(super) struct PchrMesh {
    name: String,
    image: Uint16,
    #[serde(deserialize_with = "list::<_, PchrVertex, _>")]
    vertices: Vec<Vertex>,
    #[serde(deserialize_with = "list::<_, Uint16, _>")]
    indices: Vec<u16>,
}

impl From<PchrMesh> for MeshParts {
    fn from(mesh: PchrMesh) -> Self {
        let PchrMesh { name, image, vertices, indices } = mesh;
        Self { name, image: image.0, vertices, indices }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "a vertex")]
pub(super) struct PchrVertex {
    x: Finite,
    y: Finite,
    u: Finite,
    v: Finite,
    bone_ids: Four<Uint16>,
    bone_weights: Four<Finite>,
}

impl From<Vertex> for PchrVertex {
    fn from(vertex: Vertex) -> Self {
        let ([x, y], [u, v]) = (vertex.position, vertex.uv);
        let [x, y, u, v] = [x, y, u, v].map(Finite);
        let bone_ids = Four(vertex.bone_ids.map(Uint16));
        Self { x, y, u, v, bone_ids, bone_weights: Four(vertex.bone_weights.map(Finite)) }
    }
}

impl From<PchrVertex> for Vertex {
    #[inline]
    fn from(vertex: PchrVertex) -> Self {
        Self {
            position: [vertex.x.0, vertex.y.0],
            uv: [vertex.u.0, vertex.v.0],
            bone_ids: vertex.bone_ids.0.map(|id| id.0),
            bone_weights: vertex.bone_weights.0.map(|weight| weight.0),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an animation", bound = "N: Float")]
pub(super) struct PchrAnimation<N> {
    name: String,
    flags: Uint8,
    frames: Frames<PchrTransform<N>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "a transform")]
pub(super) struct PchrTransform<N> {
    x: N,
    y: N,
    rotation: N,
    scale_x: N,
    scale_y: N,
    flags: Uint8,
    z_order: Int16,
}

impl From<BoneTransform> for PchrTransform<Exact> {
    fn from(t: BoneTransform) -> Self {
        let [x, y, rotation, scale_x, scale_y] = t.numbers().map(Exact);
        let (flags, z_order) = (Uint8(t.flags), Int16(t.z_order));
        Self { x, y, rotation, scale_x, scale_y, flags, z_order }
    }
}

impl<N: Float> From<PchrTransform<N>> for BoneTransform {
    #[inline]
    fn from(t: PchrTransform<N>) -> Self {
        let numbers = [t.x, t.y, t.rotation, t.scale_x, t.scale_y];
        Self::new(numbers.map(N::get), t.flags.0, t.z_order.0)
    }
}
