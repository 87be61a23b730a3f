//! The axes of each bone.

use glam::DVec3;

use super::super::ink::Ink;
use super::super::space::{Joint, SpaceScratch};
use super::super::tone::{Scale, Tone};
use super::stage::Stage;
use crate::document::BoneId;
use crate::scene::Seen;

/// Length as a part of the bone's.
const LENGTH: f64 = 0.25;
/// The same in design pixels, at least and at most.
const LENGTH_PIXELS: [f64; 2] = [6.0, 32.0];

const SCALES: [Scale; 3] = [Scale::AxisX, Scale::AxisY, Scale::AxisZ];

/// The axes of all bones, the nearest joint last.
pub(super) fn draw(stage: &mut Stage<'_>, space: &mut SpaceScratch) {
    space.sort_near();
    for near in space.near.iter().rev() {
        if let Some(joint) = space.joint(near.bone) {
            of_bone(stage, near.bone, joint);
        }
    }
}

/// The axes of one bone, the nearest last.
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
    let ends = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(end);
    let mut ways: [(Seen, Tone); 3] = [(joint.seen, Scale::AxisX.at(1.0)); 3];
    for (way, axis) in ways.iter_mut().zip(ends.into_iter().zip(SCALES)) {
        let (end, scale) = axis;
        *way = (end, scale.at(1.0));
    }
    ways.sort_by(|(a, _), (b, _)| a.z.total_cmp(&b.z));
    let unit = stage.pen.unit;
    for (end, tone) in ways {
        if end == joint.seen {
            continue; // it points nowhere
        }
        if let Some([from, to]) = stage.part(joint.seen, end) {
            stage.pen.line(from, to, 3.4 * unit, 0.8 * unit, Ink::Halo);
            stage.pen.line(from, to, 1.8 * unit, 0.0, tone);
        }
    }
}
