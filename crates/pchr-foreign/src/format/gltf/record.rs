//! The JSON of a file: bones and their motions, for reading and writing, and meshes and their looks, for writing; and our own values in it.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::format::json_text::{from_hex, hex};
use crate::motion::{Interpolation, Name, Note};

/// First bytes of a binary file.
pub(super) const MAGIC: [u8; 4] = *b"glTF";

/// Code of single-precision numbers.
pub(super) const FLOAT: u32 = 5126;

/// Returns the time of a frame, in glTF's precision.
pub(super) fn seconds(frame: u32, rate: f32) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "glTF has single precision")]
    let seconds = (f64::from(frame) / f64::from(rate)) as f32;
    seconds
}

/// Maximum number of elements of a top-level list.
const MOST_ELEMENTS: usize = 1_000_000;

/// Start of the message about a longer list.
pub(super) const TOO_MANY: &str = "more than 1000000 elements";

/// Content of other programs, or of this one.
pub(super) type RawExtras = Option<Box<RawValue>>;

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GltfRoot {
    pub(super) asset: Asset,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) extensions_used: Vec<String>,
    #[serde(default, skip_serializing)]
    pub(super) extensions_required: Vec<String>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) scene: Option<u32>,
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub(super) scenes: Vec<Scene>,
    #[serde(default, deserialize_with = "few", skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<Node>,
    #[serde(default, deserialize_with = "few", skip_serializing_if = "Vec::is_empty")]
    pub(super) skins: Vec<GltfSkin>,
    #[serde(default, deserialize_with = "few", skip_serializing_if = "Vec::is_empty")]
    pub(super) animations: Vec<GltfAnimation>,
    #[serde(default, deserialize_with = "few", skip_serializing_if = "Vec::is_empty")]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default, deserialize_with = "few", skip_serializing_if = "Vec::is_empty")]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default, deserialize_with = "few", skip_serializing_if = "Vec::is_empty")]
    pub(super) buffers: Vec<Buffer>,
    #[serde(default, deserialize_with = "few", skip_serializing)]
    pub(super) meshes: Vec<IgnoredAny>,
    #[serde(default, deserialize_with = "few", skip_serializing)]
    pub(super) cameras: Vec<IgnoredAny>,
    #[serde(default, deserialize_with = "few", skip_serializing)]
    pub(super) materials: Vec<IgnoredAny>,
    #[serde(default, deserialize_with = "few", skip_serializing)]
    pub(super) images: Vec<IgnoredAny>,
    #[serde(skip_deserializing, flatten)]
    pub(super) looks: Looks,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    pub(super) version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) generator: Option<String>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Scene {
    pub(super) nodes: Vec<u32>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Node {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) matrix: Option<Box<[f64; 16]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f64; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f64; 3]>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<u32>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) skin: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: RawExtras,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GltfSkin {
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) inverse_bind_matrices: Option<u32>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) skeleton: Option<u32>,
    pub(super) joints: Vec<u32>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct GltfAnimation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) channels: Vec<GltfChannel>,
    pub(super) samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: RawExtras,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct GltfChannel {
    pub(super) sampler: u32,
    pub(super) target: ChannelTarget,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct ChannelTarget {
    /// Node of the target; absent if an extension has another target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) node: Option<u32>,
    pub(super) path: Path,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Path {
    Translation,
    Rotation,
    Scale,
    Weights,
    /// Of an extension.
    #[serde(other)]
    Other,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct Sampler {
    pub(super) input: u32,
    pub(super) output: u32,
    #[serde(default, skip_serializing_if = "is_linear")]
    pub(super) interpolation: Interpolation,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn is_linear(interpolation: &Interpolation) -> bool {
    matches!(interpolation, Interpolation::Linear)
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) buffer_view: Option<u32>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) normalized: bool,
    pub(super) count: u64,
    #[serde(rename = "type")]
    pub(super) shape: Shape,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) min: Option<Vec<f64>>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) max: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sparse: Option<Box<Sparse>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Shape {
    #[default]
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

/// Elements that differ from those of the view.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Sparse {
    pub(super) count: u64,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: u32,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: u32,
    #[serde(default)]
    pub(super) byte_offset: u64,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) byte_stride: Option<u64>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<u32>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri: Option<String>,
    pub(super) byte_length: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Reads a list with a limited number of elements.
fn few<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct Each<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Each<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut elements = Vec::new();
            while let Some(element) = list.next_element()? {
                if elements.len() == MOST_ELEMENTS {
                    return Err(A::Error::custom(TOO_MANY));
                }
                elements.push(element);
            }
            Ok(elements)
        }
    }

    deserializer.deserialize_seq(Each(PhantomData))
}

/// Meshes and their looks, which are written only.
#[derive(Debug, Default, Serialize)]
pub(super) struct Looks {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<GltfMesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) textures: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) samplers: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) images: Vec<GltfImage>,
}

#[derive(Debug, Serialize)]
pub(super) struct GltfMesh {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) primitives: [Primitive; 1],
}

#[derive(Debug, Serialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: u32,
    pub(super) material: u16,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) struct Attributes {
    pub(super) position: u32,
    pub(super) texcoord_0: u32,
    pub(super) joints_0: u32,
    pub(super) weights_0: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) pbr_metallic_roughness: Value,
    pub(super) alpha_mode: &'static str,
    pub(super) double_sided: bool,
    pub(super) extensions: Value,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GltfImage {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) buffer_view: u32,
    pub(super) mime_type: &'static str,
}

/// Name of the node above all bones if it carries root motion.
pub(super) const ROOT_MOTION: &str = "root motion";

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NodeExtras {
    /// True if the node is above all bones and is not a bone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) above: bool,
    /// True if the node shows and hides meshes, or is a copy of a bone for this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) switch: bool,
    /// Bytes of a name that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name_hex: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClipExtras {
    pub(super) rate: f32,
    pub(super) frame_count: u32,
    #[serde(default, rename = "loop")]
    pub(super) looped: bool,
    /// True if every frame is held until the next.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) held: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<NoteExtras>,
    /// Channels of root motion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) root: Option<Vec<Path>>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoteExtras {
    pub(super) frame: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name_hex: Option<String>,
}

impl NoteExtras {
    pub(super) fn new(note: &Note) -> Self {
        let (name, name_hex) = said(&note.name);
        Self { frame: note.frame, name, name_hex }
    }

    pub(super) fn note(&self) -> Note {
        Note {
            frame: self.frame,
            name: named(self.name.as_deref(), self.name_hex.as_deref()),
            offset: 0,
        }
    }
}

/// Returns a name as text, or else as hexadecimal digits.
pub(super) fn said(name: &Name) -> (Option<String>, Option<String>) {
    match std::str::from_utf8(name.as_bytes()) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(hex(name.as_bytes()))),
    }
}

/// Returns the name from its digits, if they are valid, or else from its text.
pub(super) fn named(text: Option<&str>, digits: Option<&str>) -> Name {
    match digits.and_then(from_hex) {
        Some(bytes) => Name::from(bytes.as_slice()),
        None => Name::from(text.unwrap_or_default()),
    }
}

/// The value under our key.
#[derive(Deserialize)]
struct OwnKey<'t> {
    #[serde(borrow)]
    pchr: Option<&'t RawValue>,
}

/// Returns our part of extras: `None` if there is none, an error in words if it is not in our form.
pub(super) fn ours<'t, T: Deserialize<'t>>(extras: &'t RawExtras) -> Option<Result<T, String>> {
    let key: OwnKey<'t> = serde_json::from_str(extras.as_ref()?.get()).ok()?;
    let value = serde_json::from_str(key.pchr?.get());
    Some(value.map_err(|error| pchr::format::json::words(&error)))
}

/// Returns extras with our part only.
pub(super) fn extras<T: Serialize>(value: T) -> RawExtras {
    serde_json::value::to_raw_value(&BTreeMap::from([("pchr", value)])).ok()
}
