//! Keys of bones in an animation of both versions.

use super::pairs::Pairs;
use super::{ChangeKind, ranges};
use crate::document::{AnimationId, BoneId, BoneTransform};
use crate::playback::FrameAt;
use crate::scene::{Curve, CurveKind, CurveKinds, Subject};

/// Difference of degrees that whole turns leave in a curve.
const TURN_ERROR: f32 = 1e-3;

/// Returns the keys that differ, bone by bone, on frames that both animations have.
pub(super) fn compare(
    [old, new]: [&dyn Subject; 2],
    bones: &Pairs,
    (before, after): (AnimationId, AnimationId),
) -> Vec<ChangeKind> {
    let frames = old.frame_count(before).min(new.frame_count(after));
    let mut changes = Vec::new();
    for (old_bone, new_bone) in bones.both() {
        let (a, b) = (BoneId(old_bone), BoneId(new_bone));
        let mut all = CurveKinds::default();
        let mut differ = Vec::new();
        let mut add = |frame: u16, kinds: CurveKinds| {
            if !kinds.is_empty() {
                all = all.and(kinds);
                differ.push(frame);
            }
        };
        let first = old.local(a, FrameAt::exact(before, 0));
        if first.is_some() && new.local(b, FrameAt::exact(after, 0)).is_some() {
            for frame in 0..frames {
                let old = old.local(a, FrameAt::exact(before, frame));
                let new = new.local(b, FrameAt::exact(after, frame));
                if let (Some(old), Some(new)) = (old, new) {
                    add(frame, transform_change(&old, &new));
                }
            }
        } else {
            let curves = (old.curves(a, before), new.curves(b, after));
            for frame in 0..frames {
                add(frame, curve_change((&curves.0, &curves.1), frame.into()));
            }
        }
        if !differ.is_empty() {
            let bone = bones.element(Some(old_bone), Some(new_bone));
            changes.push(ChangeKind::Keys { bone, kinds: all, frames: ranges(differ) });
        }
    }
    changes
}

/// Returns the kinds of numbers that differ.
fn transform_change(old: &BoneTransform, new: &BoneTransform) -> CurveKinds {
    let bits = |numbers: &[f32]| numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>();
    let differ = |old: &[f32], new: &[f32]| old != new && bits(old) != bits(new);
    let found = [
        (CurveKind::Translation, differ(&[old.x, old.y], &[new.x, new.y])),
        (CurveKind::Rotation, differ(&[old.rotation], &[new.rotation])),
        (CurveKind::Scale, differ(&[old.scale_x, old.scale_y], &[new.scale_x, new.scale_y])),
        (CurveKind::Visible, old.visible() != new.visible()),
        (CurveKind::Order, old.z_order != new.z_order),
    ];
    let found = found.into_iter().filter(|(_, differs)| *differs);
    found.fold(CurveKinds::default(), |kinds, (kind, _)| kinds.with(kind))
}

/// Returns the kinds of numbers that differ on a frame.
fn curve_change((old, new): (&[Curve], &[Curve]), frame: usize) -> CurveKinds {
    let mut kinds = CurveKinds::default();
    let value = |curve: &Curve| curve.values.get(frame).copied().unwrap_or(f32::NAN);
    for curve in new {
        let same = old.iter().find(|it| (it.name, it.kind) == (curve.name, curve.kind));
        let (old, new) = (same.map_or(f32::NAN, value), value(curve));
        let is_same = old == new || (old.is_nan() && new.is_nan());
        let is_turned = curve.kind == CurveKind::Rotation
            && ((new - old + 180.0).rem_euclid(360.0) - 180.0).abs() < TURN_ERROR;
        if !is_same && !is_turned {
            kinds = kinds.with(curve.kind);
        }
    }
    kinds
}
