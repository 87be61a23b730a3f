//! Ghosts of other frames, and paths of a bone and of the whole model.

use std::cmp::Reverse;

use glam::{DAffine3, DVec3};

use super::super::ink::{Ink, Scale};
use super::super::job::{BoneGhost, SpaceScratch};
use super::super::onion::{MOST_GHOSTS, Onion};
use super::super::options::{OverlayOptions, Trail};
use super::super::pen::{direction, offset, turned};
use super::super::trail::{dots, mark, tone};
use super::{SpaceStage, place_seen};
use crate::document::BoneId;
use crate::playback::FrameAt;
use crate::scene::SpatialPose;

/// Maximum number of bones of all ghosts. Larger skeletons get fewer ghosts.
const MOST_BONES: usize = 100_000;

/// Draws ghosts of frames before and after the one shown, and of a pinned one. In a loop those before and after continue beyond the
/// ends.
pub(super) fn draw(stage: &mut SpaceStage<'_>, options: &OverlayOptions, space: &mut SpaceScratch) {
    space.ghosts.clear();
    if let Some(pin) = options.pin {
        gather(stage, pin.at(), Scale::Pinned, 1.0, space);
    }
    let at = stage.job.frame.at();
    let clip = at.and_then(|at| Some((at, stage.job.subject.animation(at.animation)?)));
    if let Some((at, clip)) = clip {
        let fitting = MOST_BONES / space.joints.len().max(1);
        let most = u16::try_from(fitting / 2).unwrap_or(MOST_GHOSTS).max(1);
        let Onion { before, after, .. } = options.onion;
        let onion = Onion { before: before.min(most), after: after.min(most), ..options.onion };
        for frame in onion.beside(at, &clip.timeline) {
            let [number, count] = frame.place.map(f64::from);
            let strength = 1.0 - (number - 1.0) / count;
            let scale = if frame.is_before { Scale::Before } else { Scale::After };
            gather(stage, frame.at, scale, strength, space);
        }
    }
    // In the order of frames where depths are equal.
    let order = |ghost: &BoneGhost| (Reverse(ghost.scale as u8), ghost.strength.to_bits());
    space.ghosts.sort_unstable_by(|a, b| a.depth.total_cmp(&b.depth).then(order(a).cmp(&order(b))));
    for ghost in &space.ghosts {
        one(stage, ghost);
    }
}

fn gather(
    stage: &SpaceStage<'_>,
    at: FrameAt,
    scale: Scale,
    strength: f64,
    space: &mut SpaceScratch,
) {
    let in_place = stage.job.frame.is_in_place();
    let SpaceScratch { ghosts, pose, joints, .. } = space;
    stage.spatial.pose(Some(at), in_place, pose);
    let worlds = &pose.worlds;
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
            ghosts.push(BoneGhost { depth: (from.z + to.z) / 2.0, ends, scale, strength });
        }
    }
}

/// Draws a flat kite, or a dot if there are no bones.
fn one(stage: &mut SpaceStage<'_>, ghost: &BoneGhost) {
    let ink = ghost.scale.at(0.2 + 0.6 * ghost.strength);
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

/// Draws the path of a bone, or of the whole model: a dot for each frame, and a mark at the moment shown.
pub(super) fn draw_path(
    stage: &mut SpaceStage<'_>,
    bone: Option<BoneId>,
    space: &mut SpaceScratch,
) {
    let frame = stage.job.frame;
    let Some(at) = frame.at() else {
        return;
    };
    let [model, trail] = &mut space.paths;
    let path = if bone.is_some() { trail } else { model };
    let (pose, in_place) = (&mut space.pose, frame.is_in_place());
    path.find(stage.job, at, bone.map(Trail::Bone), stopped(frame.spatial(), bone), |at| {
        stage.spatial.pose(Some(at), in_place, pose);
        stopped(pose, bone)
    });
    let root = frame.spatial().root;
    let (now, scale) = match bone {
        Some(bone) => (stage.world(bone).map(|world| world.translation), Scale::Trail),
        None => (root.map(|root| root.translation), Scale::Path),
    };
    // A model that is held in place: its path moves past it.
    let held = bone.is_none() && in_place;
    let seen_from_place = held
        .then(|| root.map(|root| root.inverse()))
        .flatten()
        .filter(DAffine3::is_finite)
        .unwrap_or(DAffine3::IDENTITY);
    let view = stage.view;
    let see = |place: DVec3| view.see(seen_from_place.transform_point3(place));
    let tone = |frame| tone(scale, frame, at);
    let unit = stage.pen.unit;
    for [(_, from), (_, to)] in path.stops.array_windows() {
        stage.line(see(*from), see(*to), 3.6 * unit, Ink::FaintHalo);
    }
    for [(_, from), (frame, to)] in path.stops.array_windows() {
        stage.line(see(*from), see(*to), 1.8 * unit, tone(*frame));
    }
    let stops = path.stops.iter().map(|(frame, place)| (*frame, place_seen(&view, see(*place))));
    dots(stops, tone, &mut stage.pen);
    if let Some(place) = now.and_then(|now| stage.place(see(now))) {
        mark(place, scale, &mut stage.pen);
    }
}

/// Returns the position of a bone, or of the whole model, in a pose.
fn stopped(pose: &SpatialPose, bone: Option<BoneId>) -> Option<DVec3> {
    let place = match bone {
        Some(bone) => pose.worlds.get(bone.index()),
        None => pose.root.as_ref(),
    };
    place.map(|place| place.translation).filter(|place| place.is_finite())
}
