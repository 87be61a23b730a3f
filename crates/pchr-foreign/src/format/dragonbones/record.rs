//! The JSON of a skeleton of DragonBones 5.5.

use serde::{Serialize, Serializer};
use serde_json::Value;

/// A number with the decimals of its type; a whole one has none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Number<T>(pub(super) T);

impl<T: Copy + Into<f64>> Number<T> {
    fn is_zero(&self) -> bool {
        self.0.into() == 0.0
    }

    fn is_one(&self) -> bool {
        self.0.into() == 1.0
    }
}

impl<T: Copy + Into<f64> + Serialize> Serialize for Number<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[expect(clippy::cast_possible_truncation, reason = "compared with what it was")]
        let whole = self.0.into() as i64;
        #[expect(clippy::cast_precision_loss, reason = "compared with what it was")]
        let same = whole as f64 == self.0.into();
        if same { serializer.serialize_i64(whole) } else { self.0.serialize(serializer) }
    }
}

pub(super) fn single(value: f64) -> Number<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
    let single = value.clamp(f32::MIN.into(), f32::MAX.into()) as f32;
    Number(single)
}

/// Rounds to the 15 digits that every double has.
pub(super) fn double(value: f64) -> Number<f64> {
    Number(format!("{value:.14e}").parse().unwrap_or(value))
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SkeletonText<'a> {
    pub(super) frame_rate: u16,
    pub(super) name: &'a str,
    pub(super) version: &'static str,
    pub(super) compatible_version: &'static str,
    pub(super) armature: [DragonBonesArmature<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DragonBonesArmature<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) frame_rate: u16,
    pub(super) name: &'a str,
    pub(super) aabb: DragonBonesBounds,
    pub(super) bone: Vec<DragonBonesBone<'a>>,
    pub(super) slot: Vec<DragonBonesSlot<'a>>,
    pub(super) skin: [Skin<'a>; 1],
    pub(super) animation: Vec<DragonBonesClip<'a>>,
    /// What it plays at first.
    pub(super) default_actions: Vec<Value>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct DragonBonesBounds {
    pub(super) x: Number<f32>,
    pub(super) y: Number<f32>,
    pub(super) width: Number<f32>,
    pub(super) height: Number<f32>,
}

#[derive(Debug, Serialize)]
pub(super) struct DragonBonesBone<'a> {
    pub(super) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) transform: Option<BoneSetup>,
}

/// Transform of a bone in the setup pose, relative to its parent.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BoneSetup {
    #[serde(skip_serializing_if = "Number::is_zero")]
    pub(super) x: Number<f64>,
    #[serde(skip_serializing_if = "Number::is_zero")]
    pub(super) y: Number<f64>,
    #[serde(skip_serializing_if = "Number::is_zero")]
    pub(super) sk_x: Number<f64>,
    #[serde(skip_serializing_if = "Number::is_zero")]
    pub(super) sk_y: Number<f64>,
    #[serde(skip_serializing_if = "Number::is_one")]
    pub(super) sc_x: Number<f64>,
    #[serde(skip_serializing_if = "Number::is_one")]
    pub(super) sc_y: Number<f64>,
}

impl BoneSetup {
    pub(super) fn is_identity(&self) -> bool {
        let Self { x, y, sk_x, sk_y, sc_x, sc_y } = self;
        [x, y, sk_x, sk_y].into_iter().all(Number::is_zero) && sc_x.is_one() && sc_y.is_one()
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DragonBonesSlot<'a> {
    pub(super) name: &'a str,
    pub(super) parent: &'a str,
    /// -1 if hidden.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) display_index: i8,
}

#[derive(Debug, Serialize)]
pub(super) struct Skin<'a> {
    pub(super) name: &'static str,
    pub(super) slot: Vec<SkinSlot<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct SkinSlot<'a> {
    pub(super) name: &'a str,
    pub(super) display: [Display<'a>; 1],
}

/// A mesh. Pairs and rows of numbers follow each other in its lists.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Display<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) name: &'a str,
    pub(super) path: &'a str,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) vertices: Vec<Number<f32>>,
    pub(super) uvs: Vec<Number<f32>>,
    pub(super) triangles: Vec<u16>,
    /// Of each vertex: how many, and for each its bone and weight.
    pub(super) weights: Vec<Number<f32>>,
    pub(super) slot_pose: [u8; 6],
    /// Of each bone: its index and its matrix.
    pub(super) bone_pose: Vec<Number<f64>>,
    pub(super) edges: [u16; 0],
    pub(super) user_edges: [u16; 0],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DragonBonesClip<'a> {
    pub(super) name: &'a str,
    pub(super) duration: u16,
    /// 0 plays without end.
    pub(super) play_times: u8,
    pub(super) frame: [u16; 0],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) z_order: Option<OrderTimeline>,
    pub(super) bone: Vec<BoneTimeline<'a>>,
    pub(super) slot: Vec<SlotTimeline<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct OrderTimeline {
    pub(super) frame: Vec<HeldKey<SlotOrder>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BoneTimeline<'a> {
    pub(super) name: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) translate_frame: Vec<HeldKey<BoneShift>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) rotate_frame: Vec<HeldKey<BoneTurn>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) scale_frame: Vec<HeldKey<BoneStretch>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SlotTimeline<'a> {
    pub(super) name: &'a str,
    pub(super) display_frame: Vec<HeldKey<Shown>>,
}

/// A value that is held for some frames.
#[derive(Clone, Debug, Serialize)]
pub(super) struct HeldKey<T> {
    #[serde(skip_serializing_if = "is_one")]
    pub(super) duration: u16,
    #[serde(flatten)]
    pub(super) value: T,
}

/// Index of each slot that is moved, and by how much.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SlotOrder {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) z_order: Vec<i32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct BoneShift {
    #[serde(skip_serializing_if = "Number::is_zero")]
    pub(super) x: Number<f32>,
    #[serde(skip_serializing_if = "Number::is_zero")]
    pub(super) y: Number<f32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct BoneTurn {
    #[serde(skip_serializing_if = "Number::is_zero")]
    pub(super) rotate: Number<f32>,
    /// 1 or -1 where the next key is more than half a turn away.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) clockwise: i8,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct BoneStretch {
    #[serde(skip_serializing_if = "Number::is_one")]
    pub(super) x: Number<f32>,
    #[serde(skip_serializing_if = "Number::is_one")]
    pub(super) y: Number<f32>,
}

/// Index of the display: -1 for none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Shown {
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) value: i8,
}

impl Shown {
    pub(super) fn of(visible: bool) -> Self {
        Self { value: if visible { 0 } else { -1 } }
    }
}

fn is_zero(value: &i8) -> bool {
    *value == 0
}

fn is_one(value: &u16) -> bool {
    *value == 1
}
