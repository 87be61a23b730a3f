//! Pachario JSON: the output of the Pachario exporter. It cannot express padded slots, reserved bits and raw pixels.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::ser::{SerializeSeq as _, Serializer};
use serde::{Deserialize, Serialize};

use super::number::{Finite, Int16, Parent, Uint16};
use super::words::{BoneWords, ImageRecord, Record, Words};
use crate::bytes::Writer;
use crate::document::{Bone, BoneTransform, FileFormat, Image, ImageFormat, Vertex};

/// The dialect.
pub(super) struct Pachario;

impl Words for Pachario {
    const FORMAT: FileFormat = FileFormat::PacharioJson;
    const STRICT: bool = false;
    const DOCUMENT: &'static [&'static str] =
        &["version", "fps", "images", "bones", "meshes", "animations"];
    const MESH: &'static [&'static str; 4] = &["name", "imageIdx", "vertices", "triangles"];
    const ANIMATION: &'static [&'static str; 3] = &["name", "loop", "frames"];

    type Image<'de> = PacharioImage<'de>;
    type Bone<'de> = PacharioBone<'de>;
    type Vertex = PacharioVertex;
    type Flags = Loop;
    type Transform = PacharioTransform;
}

#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Loop(bool);

impl From<Loop> for u8 {
    fn from(value: Loop) -> Self {
        value.0.into()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an image")]
pub(super) struct PacharioImage<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    path: Cow<'a, str>,
    width: Uint16,
    height: Uint16,
}

impl<'a> PacharioImage<'a> {
    pub(super) fn new(image: &Image<'a>, path: &'a str) -> Self {
        Self {
            name: image.name().into(),
            path: path.into(),
            width: Uint16(image.width()),
            height: Uint16(image.height()),
        }
    }
}

impl From<PacharioImage<'_>> for ImageRecord {
    fn from(image: PacharioImage<'_>) -> Self {
        Self {
            name: image.name.into_owned(),
            width: image.width.0,
            height: image.height.0,
            format: ImageFormat::Png,
            path: image.path.into_owned(),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a bone")]
pub(super) struct PacharioBone<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    parent_idx: Parent,
}

impl<'a> PacharioBone<'a> {
    pub(super) fn new(bone: &Bone<'a>) -> Self {
        Self {
            name: bone.name().into(),
            parent_idx: Parent(bone.parent_field()),
        }
    }
}

impl BoneWords for PacharioBone<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn parent(&self) -> i16 {
        self.parent_idx.0
    }
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "a vertex")]
pub(super) struct PacharioVertex {
    x: Finite,
    y: Finite,
    u: Finite,
    v: Finite,
    bones: Influences,
}

impl From<Vertex> for PacharioVertex {
    fn from(vertex: Vertex) -> Self {
        let ([x, y], [u, v]) = (vertex.position, vertex.uv);
        Self {
            x: Finite(x),
            y: Finite(y),
            u: Finite(u),
            v: Finite(v),
            bones: Influences::of(&vertex),
        }
    }
}

impl PacharioVertex {
    /// Returns true if `vertex` has padded slots that this dialect loses.
    pub(super) fn loses_slots(&self, vertex: &Vertex) -> bool {
        let back = self.vertex();
        back.bone_ids != vertex.bone_ids
            || back.bone_weights.map(f32::to_bits) != vertex.bone_weights.map(f32::to_bits)
    }

    fn vertex(&self) -> Vertex {
        let slots = self.bones.slots;
        Vertex {
            position: [self.x.0, self.y.0],
            uv: [self.u.0, self.v.0],
            bone_ids: slots.map(|slot| slot.idx.0),
            bone_weights: slots.map(|slot| slot.weight.0),
        }
    }
}

impl Record for PacharioVertex {
    #[inline]
    fn pack(&self, out: &mut Writer) {
        out.bytes(&self.vertex().to_record());
    }

    #[inline]
    fn dropped(&self) -> Option<(u32, f32)> {
        let Influences {
            dropped,
            dropped_weight,
            ..
        } = self.bones;
        (dropped > 0).then_some((dropped, dropped_weight))
    }
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(expecting = "an influence")]
struct Influence {
    idx: Uint16,
    weight: Finite,
}

/// Bones that move a vertex: the four with the largest weights, in file order.
#[derive(Clone, Copy, Debug, Default)]
struct Influences {
    slots: [Influence; 4],
    used: usize,
    /// Number of weights above 0 without room, and their sum.
    dropped: u32,
    dropped_weight: f32,
}

impl Influences {
    /// Returns a vertex's slots up to the last with an effect; the rest is padding.
    fn of(vertex: &Vertex) -> Self {
        let mut influences = Self::default();
        let slots = influences
            .slots
            .iter_mut()
            .zip(vertex.bone_ids)
            .zip(vertex.bone_weights);
        for (used, ((slot, id), weight)) in (1..).zip(slots) {
            // A slot without a weight may name a bone that is not there.
            let idx = Uint16(if weight > 0.0 { id } else { 0 });
            *slot = Influence {
                idx,
                weight: Finite(weight),
            };
            if weight != 0.0 {
                influences.used = used;
            }
        }
        for slot in influences.slots.iter_mut().skip(influences.used) {
            *slot = Influence::default();
        }
        influences
    }

    fn add(&mut self, influence: Influence) {
        if let Some(slot) = self.slots.get_mut(self.used) {
            *slot = influence;
            self.used = self.used.saturating_add(1);
            return;
        }
        let weight = |slot: &Influence| slot.weight.0;
        let mut least = influence;
        if let Some(at) = (0..4).min_by(|a, b| {
            let at = |i: &usize| self.slots.get(*i).map_or(f32::MAX, weight);
            at(a).total_cmp(&at(b)).then(b.cmp(a)) // of equal ones the later goes
        }) && self
            .slots
            .get(at)
            .is_some_and(|slot| weight(slot) < weight(&influence))
        {
            // The others keep their order.
            if let Some(tail) = self.slots.get_mut(at..) {
                tail.rotate_left(1);
            }
            if let Some(last) = self.slots.last_mut() {
                least = std::mem::replace(last, influence);
            }
        }
        if weight(&least) > 0.0 {
            self.dropped = self.dropped.saturating_add(1);
            self.dropped_weight += weight(&least);
        }
    }
}

impl Serialize for Influences {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.used))?;
        for slot in self.slots.iter().take(self.used) {
            seq.serialize_element(slot)?;
        }
        seq.end()
    }
}

impl<'de> Deserialize<'de> for Influences {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;

        impl<'de> Visitor<'de> for All {
            type Value = Influences;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of influences")
            }

            #[inline]
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Influences, A::Error> {
                let mut influences = Influences::default();
                while let Some(influence) = seq.next_element()? {
                    influences.add(influence);
                }
                Ok(influences)
            }
        }

        deserializer.deserialize_seq(All)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a transform")]
pub(super) struct PacharioTransform {
    x: Finite,
    y: Finite,
    rotation: Finite,
    scale_x: Finite,
    scale_y: Finite,
    visible: bool,
    z_order: Int16,
}

impl From<BoneTransform> for PacharioTransform {
    /// Replaces values that are not finite by the value that they are read as.
    fn from(t: BoneTransform) -> Self {
        let or = |value: f32, neutral| Finite(if value.is_finite() { value } else { neutral });
        Self {
            x: or(t.x, 0.0),
            y: or(t.y, 0.0),
            rotation: or(t.rotation, 0.0),
            scale_x: or(t.scale_x, 1.0),
            scale_y: or(t.scale_y, 1.0),
            visible: t.visible(),
            z_order: Int16(t.z_order),
        }
    }
}

impl Record for PacharioTransform {
    #[inline]
    fn pack(&self, out: &mut Writer) {
        let transform = BoneTransform {
            x: self.x.0,
            y: self.y.0,
            rotation: self.rotation.0,
            scale_x: self.scale_x.0,
            scale_y: self.scale_y.0,
            flags: self.visible.into(),
            z_order: self.z_order.0,
        };
        out.bytes(&transform.to_record());
    }
}
