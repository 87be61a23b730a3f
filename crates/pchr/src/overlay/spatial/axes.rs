//! Axes of each bone.

use glam::DVec3;

use super::super::ink::Ink;
use super::super::space::{Joint, SpaceScratch};
use super::super::tone::Scale;
use super::stage::Stage;
use crate::document::BoneId;

/// Length of an axis, as a fraction of the bone's length.
const LENGTH: f64 = 0.25;
/// Least and greatest length of an axis in design pixels.
const LENGTH_PIXELS: [f64; 2] = [6.0, 32.0];

/// Draws the axes of all bones, the nearest joint last.
pub(super) fn draw(stage: &mut Stage<'_>, space: &mut SpaceScratch) {
    space.sort_near();
    for near in space.near.iter().rev() {
        if let Some(joint) = space.joint(near.bone) {
            of_bone(stage, near.bone, joint);
        }
    }
}

/// Draws the axes of one bone, the nearest last.
pub(super) fn of_bone(stage: &mut Stage<'_>, bone: BoneId, joint: &Joint) {
    let (Some(world), Some(scale)) = (stage.world(bone), stage.scale_at(joint.seen)) else {
        return;
    };
    let matrix = world.matrix3;
    let [least, most] = LENGTH_PIXELS.map(|pixels| pixels * stage.unit);
    let length = (joint.reach * LENGTH * scale).clamp(least, most) / scale;
    let end = |axis: DVec3| {
        let way = stage.view.see_direction(axis).normalize_or_zero();
        joint.seen + way * length
    };
    let mut ends = [
        (end(matrix.x_axis), Scale::AxisX),
        (end(matrix.y_axis), Scale::AxisY),
        (end(matrix.z_axis), Scale::AxisZ),
    ];
    ends.sort_by(|(a, _), (b, _)| a.z.total_cmp(&b.z));
    let unit = stage.pen.unit;
    for (end, scale) in ends {
        if end == joint.seen {
            continue; // it points nowhere
        }
        if let Some([from, to]) = stage.part(joint.seen, end) {
            stage.pen.line(from, to, 3.4 * unit, 0.8 * unit, Ink::Halo);
            stage.pen.line(from, to, 1.8 * unit, 0.0, scale.at(1.0));
        }
    }
}
