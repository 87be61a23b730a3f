//! The bones of a character as a skeleton.

use std::borrow::Cow;

use pchr::document::{BoneTransform, Document};
use pchr::pose::BindPose;

use super::turn;
use crate::motion::{Bone, Conventions, ParentScale, Skeleton, Transform, Unit, UpAxis};

/// Axes, unit and chain of scales of characters.
pub(super) const CONVENTIONS: Conventions = Conventions {
    up: UpAxis::Y,
    unit: Unit::Scene,
    parent_scale: ParentScale::Inherited,
};

/// The bones of a character, at rest in its bind pose: z is 0, all turns are about z, pixels are the scene's unit. Without a bind pose
/// all rest at the origin. Numbers that are not finite are neutral, as where the character is posed; a NUL in a name is U+2400.
#[must_use]
pub fn skeleton(document: &Document, bind: &BindPose) -> Skeleton {
    resting(document, &rest(document, bind), 1.0)
}

/// The name of a bone as motions have it: their formats end names with a NUL, so U+2400 replaces it.
pub(super) fn spelled(name: &str) -> Cow<'_, str> {
    if name.contains('\0') {
        name.replace('\0', "\u{2400}").into()
    } else {
        name.into()
    }
}

/// The bones of a character, at rest as records say, whose offsets are multiplied by `scale`.
pub(super) fn resting(document: &Document, rest: &[BoneTransform], scale: f64) -> Skeleton {
    let bones = document.bones().zip(rest).map(|(bone, rest)| {
        let mut rest = transform(rest);
        for offset in &mut rest.translation {
            *offset *= scale;
        }
        Bone {
            name: spelled(bone.name()).as_ref().into(),
            parent: bone.parent().map(|parent| parent.0.into()),
            rest,
            offset: 0,
        }
    });
    let skeleton = Skeleton::new(bones.collect(), CONVENTIONS);
    skeleton.unwrap_or_default() // parents come first in a document
}

/// The transform of each bone in the bind pose, its numbers finite.
pub(super) fn rest(document: &Document, bind: &BindPose) -> Vec<BoneTransform> {
    let frame = bind
        .frame()
        .and_then(|at| document.animation(at.animation)?.frame(at.frame));
    match frame {
        Some(frame) => {
            let records = frame.records().iter().map(BoneTransform::from_record);
            records.map(|record| finite(record).0).collect()
        }
        None => vec![BoneTransform::default(); document.bones().len()],
    }
}

/// The record with neutral numbers where it has others than finite ones, and whether there are such.
pub(super) fn finite(record: BoneTransform) -> (BoneTransform, bool) {
    let still = BoneTransform::default();
    let or = |value: f32, neutral: f32| if value.is_finite() { value } else { neutral };
    let neutral = BoneTransform {
        x: or(record.x, still.x),
        y: or(record.y, still.y),
        rotation: or(record.rotation, still.rotation),
        scale_x: or(record.scale_x, still.scale_x),
        scale_y: or(record.scale_y, still.scale_y),
        ..record
    };
    let numbers = [
        record.x,
        record.y,
        record.rotation,
        record.scale_x,
        record.scale_y,
    ];
    (neutral, !numbers.into_iter().all(f32::is_finite))
}

/// A record in the plane, whole turns taken off.
pub(super) fn transform(record: &BoneTransform) -> Transform {
    let degrees = turn::split(record.rotation).map_or(0.0, |(_, rest)| rest);
    Transform {
        translation: [record.x.into(), record.y.into(), 0.0],
        rotation: turn::rotation(degrees),
        scale: [record.scale_x.into(), record.scale_y.into(), 1.0],
    }
}
