//! Transforms of bones relative to their parents, as values that games blend and change.

use super::sample::shorter;
use crate::document::{BoneId, BoneTransform, Document, Frame, TRANSFORM_SIZE};
use crate::playback::FrameAt;

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
