//! Ghosts of other frames, and paths of a bone and of the whole model.

use std::cmp::Reverse;

use glam::{DAffine3, DVec3};

use super::super::ink::{Ink, Scale};
use super::super::job::{BoneGhost, BonePath, PathOf, PathStop, SpaceScratch};
use super::super::onion::{MOST_GHOSTS, Onion};
use super::super::options::OverlayOptions;
use super::super::pen::{direction, offset, turned};
use super::super::trail::{BETWEEN_DOTS, MOST_PLACES};
use super::SpaceStage;
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

/// Appends the bones of a frame.
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
    find(stage, at, bone, path, &mut space.pose);
    let root = frame.spatial().root().copied();
    let (now, scale) = match bone {
        Some(bone) => (stage.world(bone).map(|world| world.translation), Scale::Trail),
        None => (root.map(|root| root.translation), Scale::Path),
    };
    // A model that is held in place: its path moves past it.
    let held = bone.is_none() && frame.is_in_place();
    let seen_from_place = held
        .then(|| root.map(|root| root.inverse()))
        .flatten()
        .filter(DAffine3::is_finite)
        .unwrap_or(DAffine3::IDENTITY);
    let see = |place: DVec3| seen_from_place.transform_point3(place);
    let position = f64::from(at.frame) + f64::from(at.blend);
    line(stage, path, position, see, scale);
    dots(stage, path, position, see, scale);
    if let Some(place) = now.and_then(|now| stage.place(stage.view.see(see(now)))) {
        let unit = stage.pen.unit;
        stage.pen.dot(place, 5.2 * unit, Ink::Halo);
        stage.pen.dot(place, 4.0 * unit, scale.at(1.0));
        stage.pen.dot(place, 1.8 * unit, Ink::Halo);
    }
}

/// Computes the positions, unless they are known.
fn find(
    stage: &SpaceStage<'_>,
    at: FrameAt,
    bone: Option<BoneId>,
    path: &mut BonePath,
    pose: &mut SpatialPose,
) {
    let (subject, frame) = (stage.job.subject, stage.job.frame);
    let frames = subject.frame_count(at.animation);
    let of = PathOf {
        subject: std::ptr::from_ref(subject).addr(),
        facts: (subject.file().bytes, subject.bone_count()),
        animation: at.animation,
        frames,
        bone,
        in_place: frame.is_in_place(),
    };
    if path.of == Some(of) && path.agrees(at, stopped(frame.spatial(), bone)) {
        return;
    }
    path.of = Some(of);
    path.places.clear();
    let step = frames.div_ceil(MOST_PLACES).max(1);
    let last = frames.checked_sub(1);
    for frame in (0..frames).step_by(step.into()).chain(last) {
        if path.places.last().is_some_and(|stop| stop.frame >= frame) {
            continue;
        }
        let at = FrameAt::exact(at.animation, frame);
        stage.spatial.pose(Some(at), of.in_place, pose);
        if let Some(place) = stopped(pose, bone) {
            path.places.push(PathStop { frame, place });
        }
    }
}

/// Returns the position of a bone, or of the whole model, in a pose.
fn stopped(pose: &SpatialPose, bone: Option<BoneId>) -> Option<DVec3> {
    let place = match bone {
        Some(bone) => pose.world_from_bone().get(bone.index()),
        None => pose.root(),
    };
    place.map(|place| place.translation).filter(|place| place.is_finite())
}

impl BonePath {
    /// Returns true if the current position is on the path. A different subject may have the same address.
    fn agrees(&self, at: FrameAt, now: Option<DVec3>) -> bool {
        let index = self.places.binary_search_by_key(&at.frame, |stop| stop.frame);
        let stop = index.ok().and_then(|index| self.places.get(index));
        at.blend > 0.0 || stop.is_none_or(|stop| now == Some(stop.place))
    }
}

/// Returns the strength at a frame. Past frames stand out.
fn strength(frame: u16, position: f64) -> f64 {
    if f64::from(frame) <= position { 1.0 } else { 0.5 }
}

fn line(
    stage: &mut SpaceStage<'_>,
    path: &BonePath,
    position: f64,
    see: impl Fn(DVec3) -> DVec3,
    scale: Scale,
) {
    let unit = stage.pen.unit;
    let ends = path.places.iter().zip(path.places.iter().skip(1));
    for (width, halo) in [(3.6, true), (1.8, false)] {
        for (from, to) in ends.clone() {
            let [first, last] = [from, to].map(|stop| stage.view.see(see(stop.place)));
            let width = width * unit;
            if halo {
                stage.line(first, last, width, Ink::FaintHalo);
            } else {
                let tone = scale.at(strength(to.frame, position));
                stage.line(first, last, width, tone);
            }
        }
    }
}

fn dots(
    stage: &mut SpaceStage<'_>,
    path: &BonePath,
    position: f64,
    see: impl Fn(DVec3) -> DVec3,
    scale: Scale,
) {
    let unit = stage.pen.unit;
    let mut last: Option<[f32; 2]> = None;
    for stop in &path.places {
        let Some(at) = stage.place(stage.view.see(see(stop.place))) else {
            continue;
        };
        let far = |[x, y]: [f32; 2]| {
            let [dx, dy] = [at[0] - x, at[1] - y];
            dx * dx + dy * dy >= BETWEEN_DOTS * BETWEEN_DOTS * unit * unit
        };
        if last.is_none_or(far) {
            last = Some(at);
            stage.pen.dot(at, 2.9 * unit, Ink::FaintHalo);
            let tone = scale.at(strength(stop.frame, position));
            stage.pen.dot(at, 2.1 * unit, tone);
        }
    }
}
