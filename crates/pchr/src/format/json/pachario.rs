//! Pachario JSON: the output of the Pachario exporter. It cannot express padded slots, reserved bits and raw pixels.

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};

use super::number::{Finite, Int16, Parent, Uint16};
use super::sections::{DialectDocument, DialectParts, Dropped, Fault, Frames, Take, fault, list};
use crate::document::{
    Bone, BoneParts, BoneTransform, DocumentParts, FileFormat, Image, ImageParts, MeshParts, Vertex,
};

#[derive(Deserialize)]
#[serde(expecting = "a document")]
pub(super) struct PacharioDocument<'a> {
    version: Uint16,
    fps: Uint16,
    #[serde(borrow, deserialize_with = "list::<_, PacharioImage<'_>, _>")]
    images: Vec<PacharioImage<'a>>,
    #[serde(deserialize_with = "list::<_, PacharioBone<'_>, _>")]
    bones: Vec<BoneParts>,
    #[serde(deserialize_with = "list::<_, PacharioMesh, _>")]
    meshes: Vec<PacharioMesh>,
    #[serde(deserialize_with = "list::<_, PacharioAnimation, _>")]
    animations: Vec<PacharioAnimation>,
}

impl<'de> DialectDocument<'de> for PacharioDocument<'de> {
    const FORMAT: FileFormat = FileFormat::PacharioJson;
    const STRICT: bool = false;

    fn fault(list: &str, element: &'de str) -> Option<Fault> {
        match list {
            "images" => fault::<PacharioImage<'_>>(element),
            "bones" => fault::<PacharioBone<'_>>(element),
            "meshes" => fault::<PacharioMesh>(element),
            _ => fault::<PacharioAnimation>(element),
        }
    }

    fn load(self) -> DialectParts {
        let mut loaded = DialectParts {
            version: self.version.0,
            parts: DocumentParts { fps: self.fps.0, bones: self.bones, ..DocumentParts::default() },
            ..DialectParts::default()
        };
        for PacharioImage { name, path, width, height } in self.images {
            loaded.paths.push(path.into_owned());
            let (name, width, height) = (name.into_owned(), width.0, height.0);
            loaded.parts.images.push(ImageParts { name, width, height, ..ImageParts::default() });
        }
        for PacharioMesh { name, image, vertices, triangles: indices } in self.meshes {
            let PacharioVertices { vertices, dropped } = vertices;
            loaded.dropped.push(dropped);
            loaded.parts.meshes.push(MeshParts { name, image: image.0, vertices, indices });
        }
        for animation in self.animations {
            loaded.add_animation(animation.name, animation.looping.into(), animation.frames);
        }
        loaded
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

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a bone")]
pub(super) struct PacharioBone<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    parent_idx: Parent,
}

impl<'a> PacharioBone<'a> {
    pub(super) fn new(bone: &Bone<'a>) -> Self {
        Self { name: bone.name().into(), parent_idx: Parent(bone.parent_field()) }
    }
}

impl From<PacharioBone<'_>> for BoneParts {
    fn from(bone: PacharioBone<'_>) -> Self {
        Self { name: bone.name.into_owned(), parent: bone.parent_idx.index() }
    }
}

#[derive(Deserialize)]
#[serde(expecting = "a mesh")]
pub(super) struct PacharioMesh {
    name: String,
    #[serde(rename = "imageIdx")]
    image: Uint16,
    #[serde(deserialize_with = "list::<_, PacharioVertex, _>")]
    vertices: PacharioVertices,
    #[serde(deserialize_with = "list::<_, Uint16, _>")]
    triangles: Vec<u16>,
}

/// Vertices, and the influences that their records have no room for.
#[derive(Default)]
struct PacharioVertices {
    vertices: Vec<Vertex>,
    dropped: Vec<Dropped>,
}

impl Take<PacharioVertex> for PacharioVertices {
    #[inline]
    fn take(&mut self, vertex: PacharioVertex) {
        let Influences { dropped: count, dropped_weight: weight, .. } = vertex.bones;
        if count > 0 {
            self.dropped.push(Dropped { vertex: self.vertices.len(), count, weight });
        }
        self.vertices.push(vertex.vertex());
    }
}

#[derive(Deserialize)]
#[serde(expecting = "an animation")]
pub(super) struct PacharioAnimation {
    name: String,
    #[serde(rename = "loop")]
    looping: bool,
    frames: Frames<PacharioTransform>,
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "a vertex")]
pub(super) struct PacharioVertex {
    x: Finite,
    y: Finite,
    u: Finite,
    v: Finite,
    #[serde(deserialize_with = "list::<_, Influence, _>")]
    bones: Influences,
}

impl From<Vertex> for PacharioVertex {
    fn from(vertex: Vertex) -> Self {
        let ([x, y], [u, v]) = (vertex.position, vertex.uv);
        let [x, y, u, v] = [x, y, u, v].map(Finite);
        Self { x, y, u, v, bones: Influences::of(&vertex) }
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
        let slots = influences.slots.iter_mut().zip(vertex.bone_ids).zip(vertex.bone_weights);
        for (used, ((slot, id), weight)) in (1..).zip(slots) {
            // A slot without a weight may name a bone that is not there.
            let idx = Uint16(if weight > 0.0 { id } else { 0 });
            *slot = Influence { idx, weight: Finite(weight) };
            if weight != 0.0 {
                influences.used = used;
            }
        }
        for slot in influences.slots.iter_mut().skip(influences.used) {
            *slot = Influence::default();
        }
        influences
    }
}

impl Take<Influence> for Influences {
    const EXPECTED: &'static str = "an array of influences";

    #[inline]
    fn take(&mut self, influence: Influence) {
        if let Some(slot) = self.slots.get_mut(self.used) {
            *slot = influence;
            self.used = self.used.saturating_add(1);
            return;
        }
        let weight = |slot: &Influence| slot.weight.0;
        let slots = self.slots.into_iter().enumerate().rev(); // of equal ones the later goes
        let lightest = slots.min_by(|(_, a), (_, b)| weight(a).total_cmp(&weight(b)));
        let mut least = influence;
        if let Some((at, slot)) = lightest.filter(|(_, slot)| weight(slot) < weight(&influence)) {
            least = slot;
            // The others keep their order.
            self.slots.get_mut(at..).unwrap_or_default().rotate_left(1);
            let [.., last] = &mut self.slots;
            *last = influence;
        }
        if weight(&least) > 0.0 {
            self.dropped = self.dropped.saturating_add(1);
            self.dropped_weight += weight(&least);
        }
    }
}

impl Serialize for Influences {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.slots.iter().take(self.used))
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
        let t = t.neutralised();
        let [x, y, rotation, scale_x, scale_y] = t.numbers().map(Finite);
        let (visible, z_order) = (t.visible(), Int16(t.z_order));
        Self { x, y, rotation, scale_x, scale_y, visible, z_order }
    }
}

impl From<PacharioTransform> for BoneTransform {
    #[inline]
    fn from(t: PacharioTransform) -> Self {
        let numbers = [t.x, t.y, t.rotation, t.scale_x, t.scale_y];
        Self::new(numbers.map(|number| number.0), t.visible.into(), t.z_order.0)
    }
}
