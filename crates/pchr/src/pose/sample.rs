//! Decodes blocks of packed transforms into local matrices, with or without blending towards the next frame; timelines of a
//! document.

use glam::{Mat4, Vec4};

use super::affine::sin_cos_degrees;
use crate::document::{
    Animation, AnimationId, BoneId, BoneTransform, Document, FPS_WHEN_ZERO, Frame, TRANSFORM_SIZE,
};
use crate::playback::{FrameAt, Timeline};

/// Bones that are posed together, one in each lane of a vector.
pub(super) const LANES: usize = 4;

/// A packed transform.
pub(super) type TransformRecord = [u8; TRANSFORM_SIZE];

/// Local matrices of four bones, lane by lane: rows `(a, -c, x)` and `(b, d, y)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Locals {
    pub(super) a: Vec4,
    pub(super) b: Vec4,
    pub(super) minus_c: Vec4,
    pub(super) d: Vec4,
    pub(super) x: Vec4,
    pub(super) y: Vec4,
}

/// Four transforms, field by field.
#[derive(Clone, Copy)]
pub(super) struct TransformBlock {
    x: Vec4,
    y: Vec4,
    rotation: Vec4,
    scale_x: Vec4,
    scale_y: Vec4,
}

impl TransformBlock {
    #[inline(always)]
    pub(super) fn read(records: [&TransformRecord; LANES]) -> Self {
        let [a, b, c, d] = records;
        let head =
            |r: &TransformRecord| Vec4::new(float(r, 0), float(r, 4), float(r, 8), float(r, 12));
        let heads = Mat4::from_cols(head(a), head(b), head(c), head(d)).transpose();
        Self {
            x: heads.x_axis,
            y: heads.y_axis,
            rotation: heads.z_axis,
            scale_x: heads.w_axis,
            scale_y: Vec4::new(float(a, 16), float(b, 16), float(c, 16), float(d, 16)),
        }
    }

    /// Returns the block of four transforms.
    #[inline(always)]
    pub(super) fn of(transforms: [&BoneTransform; LANES]) -> Self {
        let field = |field: fn(&BoneTransform) -> f32| Vec4::from_array(transforms.map(field));
        Self {
            x: field(|transform| transform.x),
            y: field(|transform| transform.y),
            rotation: field(|transform| transform.rotation),
            scale_x: field(|transform| transform.scale_x),
            scale_y: field(|transform| transform.scale_y),
        }
    }

    /// Replaces values that are not finite by their neutral value, as SEMANTICS defines. The check warned about them.
    #[cold]
    pub(super) fn neutralised(mut self) -> Self {
        let finite_or = |value: &mut Vec4, neutral: Vec4| {
            *value = Vec4::select(value.abs().cmple(Vec4::splat(f32::MAX)), *value, neutral);
        };
        finite_or(&mut self.x, Vec4::ZERO);
        finite_or(&mut self.y, Vec4::ZERO);
        finite_or(&mut self.rotation, Vec4::ZERO);
        finite_or(&mut self.scale_x, Vec4::ONE);
        finite_or(&mut self.scale_y, Vec4::ONE);
        self
    }

    /// Blends towards `next` by `blend` in 0..1, with rotation along the shorter arc.
    #[inline(always)]
    pub(super) fn blended(mut self, next: &Self, blend: f32) -> Self {
        let blend = Vec4::splat(blend);
        let lerp = |from: &mut Vec4, to: Vec4| *from += (to - *from) * blend;
        lerp(&mut self.x, next.x);
        lerp(&mut self.y, next.y);
        lerp(&mut self.scale_x, next.scale_x);
        lerp(&mut self.scale_y, next.scale_y);
        let mut turn = next.rotation - self.rotation;
        if turn.abs().cmpgt(Vec4::splat(180.0)).any() {
            turn = Vec4::from_array(turn.to_array().map(shorter));
        }
        self.rotation += turn * blend;
        self
    }

    /// Returns `T(x, y) · R(rotation) · S(scaleX, scaleY)` of each lane.
    #[inline(always)]
    pub(super) fn parent_from_bone(&self) -> Locals {
        let (sin, cos) = sin_cos_degrees(self.rotation);
        Locals {
            a: cos * self.scale_x,
            b: sin * self.scale_x,
            minus_c: -(sin * self.scale_y),
            d: cos * self.scale_y,
            x: self.x,
            y: self.y,
        }
    }
}

/// Returns the same rotation within ±180 degrees.
pub(super) fn shorter(turn: f32) -> f32 {
    if turn.abs() <= 180.0 {
        return turn;
    }
    let turn = turn % 360.0;
    if turn > 180.0 {
        turn - 360.0
    } else if turn < -180.0 {
        turn + 360.0
    } else {
        turn
    }
}

/// Returns the number at a byte of a record.
#[inline(always)]
fn float(record: &TransformRecord, at: usize) -> f32 {
    let bytes = record.get(at..).and_then(<[u8]>::first_chunk);
    bytes.copied().map_or(0.0, f32::from_le_bytes)
}

/// Transform of each bone relative to its parent, in bone order. Reuses its memory for each frame.
///
/// Animations are sampled into it, two of them are blended, single bones are changed (aim, inverse kinematics, ragdolls), and
/// [`super::Pose::set_locals`] computes the matrices:
///
/// ```
/// # use pchr::{document::*, format, playback::FrameAt, pose::*};
/// # fn aim(document: &Document, walk: FrameAt, shoot: FrameAt, head: BoneId) -> Pose {
/// let bind = BindPose::new(document, BindChoice::Auto);
/// let (mut locals, mut other) = (LocalPose::default(), LocalPose::default());
/// locals.sample(document, walk);
/// other.sample(document, shoot);
/// locals.blend_towards(&other, 0.25);
/// if let Some(head) = locals.get_mut(head) {
///     head.rotation += 20.0;
/// }
/// let mut pose = Pose::default();
/// pose.set_locals(&bind, &locals);
/// pose
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalPose {
    transforms: Vec<BoneTransform>,
}

impl LocalPose {
    /// Samples a moment of an animation, with the bits that [`super::PoseJob`] uses. Returns false, and leaves no transform, if
    /// the document has no such frame; [`crate::scene::Frame::fill_with`] returns false for such a pose.
    pub fn sample(&mut self, document: &Document, at: FrameAt) -> bool {
        self.transforms.clear();
        let animation = document.animation(at.animation);
        let frame = |frame| animation.and_then(|animation| animation.frame(frame));
        let Some(here) = frame(at.frame) else {
            return false;
        };
        self.transforms.extend(finite(here));
        if let Some(next) = frame(at.next).filter(|_| at.blend > 0.0) {
            for (transform, next) in self.transforms.iter_mut().zip(finite(next)) {
                *transform = blended(transform, &next, at.blend);
            }
        }
        true
    }

    /// Creates a pose of given transforms, in bone order.
    #[must_use]
    pub fn of(transforms: Vec<BoneTransform>) -> Self {
        Self { transforms }
    }

    /// Returns `from` blended towards `to` by `amount`. [`Self::blend_towards`] has the rules.
    #[must_use]
    pub fn blend(from: &Self, to: &Self, amount: f32) -> Self {
        let mut blended = from.clone();
        blended.blend_towards(to, amount);
        blended
    }

    /// Blends it towards `to` by `amount`: 0 changes nothing, 1 gives `to`.
    ///
    /// Places and scales are interpolated, rotations along the shorter arc. Visibility and order are those of the pose with more
    /// weight; at one half those of `to`. A bone that `to` lacks stays.
    pub fn blend_towards(&mut self, to: &Self, amount: f32) {
        for (transform, to) in self.transforms.iter_mut().zip(&to.transforms) {
            *transform = mixed(transform, to, amount);
        }
    }

    /// Returns the transform of each bone, in bone order.
    #[must_use]
    pub fn transforms(&self) -> &[BoneTransform] {
        &self.transforms
    }

    /// Returns the transform of each bone, to be changed.
    #[must_use]
    pub fn transforms_mut(&mut self) -> &mut [BoneTransform] {
        &mut self.transforms
    }

    /// Returns the transform of a bone; `None` if there is no such bone.
    #[must_use]
    pub fn get(&self, bone: BoneId) -> Option<&BoneTransform> {
        self.transforms.get(bone.index())
    }

    /// Returns the transform of a bone, to be changed; `None` if there is no such bone.
    #[must_use]
    pub fn get_mut(&mut self, bone: BoneId) -> Option<&mut BoneTransform> {
        self.transforms.get_mut(bone.index())
    }
}

/// Returns the transforms of a frame, with neutral values for those that are not finite.
fn finite(frame: Frame<'_>) -> impl Iterator<Item = BoneTransform> {
    let read = |record: &[u8; TRANSFORM_SIZE]| {
        let transform = BoneTransform::from_record(record);
        let or = |value: f32, neutral: f32| if value.is_finite() { value } else { neutral };
        BoneTransform {
            x: or(transform.x, 0.0),
            y: or(transform.y, 0.0),
            rotation: or(transform.rotation, 0.0),
            scale_x: or(transform.scale_x, 1.0),
            scale_y: or(transform.scale_y, 1.0),
            ..transform
        }
    };
    frame.records().iter().map(read)
}

/// Returns a transform of a cross-fade.
fn mixed(from: &BoneTransform, to: &BoneTransform, amount: f32) -> BoneTransform {
    if amount >= 1.0 {
        return *to;
    }
    if amount > 0.0 {
        let owner = if amount >= 0.5 { to } else { from };
        return BoneTransform {
            flags: owner.flags,
            z_order: owner.z_order,
            ..blended(from, to, amount)
        };
    }
    *from
}

/// Returns a transform between two, with the visibility and order of the first.
fn blended(from: &BoneTransform, to: &BoneTransform, amount: f32) -> BoneTransform {
    let lerp = |from: f32, to: f32| from + (to - from) * amount;
    BoneTransform {
        x: lerp(from.x, to.x),
        y: lerp(from.y, to.y),
        rotation: from.rotation + shorter(to.rotation - from.rotation) * amount,
        scale_x: lerp(from.scale_x, to.scale_x),
        scale_y: lerp(from.scale_y, to.scale_y),
        ..*from
    }
}

/// Returns the playback rate of a document in frames per second: [`FPS_WHEN_ZERO`] if the file has 0.
#[must_use]
pub fn playback_fps(document: &Document) -> f64 {
    match document.fps() {
        0 => FPS_WHEN_ZERO.into(),
        fps => fps.into(),
    }
}

/// Returns the timeline of each animation, as authored: index = animation index, not smooth.
#[must_use]
pub fn timelines(document: &Document) -> Vec<Timeline> {
    let ids = document.animation_ids();
    ids.filter_map(|id| timeline(document, id)).collect()
}

/// Returns the timeline of one animation, as authored; `None` if the document has no such animation.
#[must_use]
pub fn timeline(document: &Document, id: AnimationId) -> Option<Timeline> {
    document.animation(id).map(|animation| animation.timeline())
}

impl Animation<'_> {
    /// Returns its timeline, as authored.
    #[must_use]
    pub fn timeline(&self) -> Timeline {
        Timeline {
            frame_count: self.frame_count(),
            fps: playback_fps(self.document()),
            looping: self.looping(),
            smooth: false,
        }
    }
}
