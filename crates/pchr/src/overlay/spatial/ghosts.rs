//! Ghosts of the frames before and after.

use super::super::onion::{MOST_GHOSTS, Onion};
use super::super::pen::{direction, offset, turned};
use super::super::space::{Ghost, SpaceScratch};
use super::super::tone::Scale;
use super::stage::Stage;
use crate::document::BoneId;
use crate::playback::FrameAt;

/// Maximum number of bones of all ghosts. Larger skeletons get fewer ghosts.
const MOST_BONES: usize = 100_000;

/// Draws ghosts of frames before and after the one shown. In a loop they continue beyond the ends.
pub(super) fn draw(stage: &mut Stage<'_>, onion: Onion, space: &mut SpaceScratch) {
    let Some(at) = stage.job.frame.at() else {
        return;
    };
    let Some(clip) = stage.job.subject.animation(at.animation) else {
        return;
    };
    let fitting = MOST_BONES / space.joints.len().max(1);
    let most = u16::try_from(fitting / 2).unwrap_or(MOST_GHOSTS).max(1);
    let onion = Onion {
        before: onion.before.min(most),
        after: onion.after.min(most),
        ..onion
    };
    space.ghosts.clear();
    for frame in onion.beside(at, &clip.timeline) {
        let [number, count] = frame.place.map(f64::from);
        let strength = 1.0 - (number - 1.0) / count;
        gather(stage, frame.at, frame.is_before, strength, space);
    }
    // In the order of frames where depths are equal.
    let order = |ghost: &Ghost| (ghost.before, ghost.strength.to_bits());
    space
        .ghosts
        .sort_unstable_by(|a, b| a.depth.total_cmp(&b.depth).then(order(a).cmp(&order(b))));
    for ghost in &space.ghosts {
        one(stage, ghost);
    }
}

/// Appends the bones of a frame.
fn gather(stage: &Stage<'_>, at: FrameAt, before: bool, strength: f64, space: &mut SpaceScratch) {
    let in_place = stage.job.frame.is_in_place();
    let SpaceScratch {
        ghosts,
        pose,
        joints,
        ..
    } = space;
    stage.spatial.pose(Some(at), in_place, pose);
    let worlds = pose.world_from_bone();
    let skeleton = stage.spatial.has_skeleton();
    for ((id, joint), world) in (0..=u16::MAX).map(BoneId).zip(joints.iter()).zip(worlds) {
        let over = joint.parent.and_then(|parent| worlds.get(parent.index()));
        let from = match over {
            Some(over) => over.translation,
            None if skeleton => continue,
            None => world.translation,
        };
        let ends = [from, world.translation].map(|place| stage.view.see(place));
        if ends.iter().all(|end| end.is_finite()) && stage.spatial.has_place(id) {
            let [from, to] = ends;
            ghosts.push(Ghost {
                depth: (from.z + to.z) / 2.0,
                ends,
                before,
                strength,
            });
        }
    }
}

/// Draws a flat kite, or a dot if there are no bones.
fn one(stage: &mut Stage<'_>, ghost: &Ghost) {
    let scale = if ghost.before {
        Scale::Before
    } else {
        Scale::After
    };
    let ink = scale.at(0.2 + 0.6 * ghost.strength);
    let unit = stage.pen.unit;
    let [from, to] = ghost.ends;
    if !stage.spatial.has_skeleton() {
        if let Some(at) = stage.place(to) {
            stage.pen.dot(at, 2.0 * unit, ink);
        }
        return;
    }
    let Some([from, to]) = stage.part(from, to) else {
        return;
    };
    let Some((along, length)) = direction(from, to).filter(|(_, length)| *length > 2.0 * unit)
    else {
        return;
    };
    let half = (0.06 * length).clamp(0.8 * unit, 6.0 * unit);
    let waist = offset(from, along, 0.14 * length);
    let side = |half: f32| offset(waist, turned(along), half);
    stage.pen.polygon([from, side(half), to, side(-half)], ink);
}
