//! PCHR JSON: the mirror of the binary. It can say everything that a file can.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use super::number::{Exact, Finite, Float, Four, Int16, Parent, Uint8, Uint16};
use super::words::{BoneWords, ImageRecord, Record, Words};
use crate::bytes::Writer;
use crate::document::{Bone, BoneTransform, FileFormat, Image, ImageFormat, Vertex};

/// The dialect. Transforms may have numbers that are none, which are strings then: `N` is [`Exact`] if they are read, and
/// [`Finite`], which is read in two thirds of the time, if there are not any.
pub(super) struct Pchr<N>(PhantomData<N>);

impl<N: Float> Words for Pchr<N> {
    const FORMAT: FileFormat = FileFormat::PchrJson;
    const STRICT: bool = true;
    const DOCUMENT: &'static [&'static str] = &[
        "version",
        "fps",
        "flags",
        "images",
        "bones",
        "meshes",
        "animations",
        "trailing",
    ];
    const MESH: &'static [&'static str; 4] = &["name", "image", "vertices", "indices"];
    const ANIMATION: &'static [&'static str; 3] = &["name", "flags", "frames"];

    type Image<'de> = PchrImage<'de>;
    type Bone<'de> = PchrBone<'de>;
    type Vertex = PchrVertex;
    type Flags = Uint8;
    type Transform = PchrTransform<N>;
}

impl From<Uint8> for u8 {
    fn from(value: Uint8) -> Self {
        value.0
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an image")]
pub(super) struct PchrImage<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    width: Uint16,
    height: Uint16,
    format: Format,
    #[serde(borrow)]
    path: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Png,
    Rgba8888,
}

impl<'a> PchrImage<'a> {
    pub(super) fn new(image: &Image<'a>, path: &'a str) -> Self {
        Self {
            name: image.name().into(),
            width: Uint16(image.width()),
            height: Uint16(image.height()),
            format: match image.format() {
                ImageFormat::Png => Format::Png,
                ImageFormat::Rgba8888 => Format::Rgba8888,
            },
            path: path.into(),
        }
    }
}

impl From<PchrImage<'_>> for ImageRecord {
    fn from(image: PchrImage<'_>) -> Self {
        Self {
            name: image.name.into_owned(),
            width: image.width.0,
            height: image.height.0,
            format: match image.format {
                Format::Png => ImageFormat::Png,
                Format::Rgba8888 => ImageFormat::Rgba8888,
            },
            path: image.path.into_owned(),
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
        Self {
            name: bone.name().into(),
            parent: Parent(bone.parent_field()),
        }
    }
}

impl BoneWords for PchrBone<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn parent(&self) -> i16 {
        self.parent.0
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
        Self {
            x: Finite(x),
            y: Finite(y),
            u: Finite(u),
            v: Finite(v),
            bone_ids: Four(vertex.bone_ids.map(Uint16)),
            bone_weights: Four(vertex.bone_weights.map(Finite)),
        }
    }
}

impl Record for PchrVertex {
    fn pack(&self, out: &mut Writer) {
        let vertex = Vertex {
            position: [self.x.0, self.y.0],
            uv: [self.u.0, self.v.0],
            bone_ids: self.bone_ids.0.map(|id| id.0),
            bone_weights: self.bone_weights.0.map(|weight| weight.0),
        };
        out.bytes(&vertex.to_record());
    }
}

#[derive(Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    rename_all = "camelCase",
    expecting = "a transform"
)]
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
        Self {
            x: Exact(t.x),
            y: Exact(t.y),
            rotation: Exact(t.rotation),
            scale_x: Exact(t.scale_x),
            scale_y: Exact(t.scale_y),
            flags: Uint8(t.flags),
            z_order: Int16(t.z_order),
        }
    }
}

impl<N: Float> Record for PchrTransform<N> {
    #[inline]
    fn pack(&self, out: &mut Writer) {
        let transform = BoneTransform {
            x: self.x.get(),
            y: self.y.get(),
            rotation: self.rotation.get(),
            scale_x: self.scale_x.get(),
            scale_y: self.scale_y.get(),
            flags: self.flags.0,
            z_order: self.z_order.0,
        };
        out.bytes(&transform.to_record());
    }
}
