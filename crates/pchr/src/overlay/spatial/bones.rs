//! Bones, joints, axes and names, far ones first, and the selected bone over everything else; ghosts of other frames, and paths of a
//! bone and of the whole model.

use std::cmp::Reverse;

use glam::{DAffine3, DVec3};

use super::super::bones::{dots, mark, tone};
use super::super::colors::{Ink, Scale};
use super::super::labels::bone_names;
use super::super::onion::{MOST_GHOSTS, Onion};
use super::super::options::{OverlayOptions, Trail};
use super::super::pen::{Point, direction, offset, turned};
use super::super::{BoneGhost, BonePart, LabelPlaces, SpaceJoint, SpaceScratch};
use super::octahedron::Octahedron;
use super::{SpaceStage, pixels, place_seen};
use crate::document::BoneId;
use crate::playback::FrameAt;
use crate::scene::{Seen, SpatialPose, TIP};

/// Length of a bone without parent and children, in design pixels.
const LONE_TIP: f64 = 40.0;

/// Longest length that determines a bone's width, in typical lengths. The distance from the ground to the hips does not make a
/// giant bone.
const MOST_TYPICAL: f64 = 1.7;

/// Radius of a joint, as a fraction of its bone's length.
const RADIUS: f64 = 0.05;
/// Least and greatest radius of a joint in design pixels.
const RADIUS_PIXELS: [f64; 2] = [1.3, 5.0];
/// Radius of points without bones, in design pixels.
const POINT_RADIUS: f64 = 3.0;

pub(super) fn draw(stage: &mut SpaceStage<'_>, space: &mut SpaceScratch) {
    sort(stage, space);
    let chosen = stage.job.options.bone;
    for (_, part) in &space.pieces {
        match *part {
            BonePart::Joint(id) => joint(stage, space, id, chosen == Some(id)),
            part => {
                if let Some((of, solid)) = solid(stage, space, part, chosen) {
                    let scale = if chosen == Some(of) { Scale::Accent } else { Scale::Bone };
                    solid.draw(stage, scale);
                }
            }
        }
    }
}

fn sort(stage: &SpaceStage<'_>, space: &mut SpaceScratch) {
    let mut pieces = std::mem::take(&mut space.pieces);
    pieces.clear();
    let skeleton = stage.spatial.has_skeleton();
    for (id, joint) in (0..=u16::MAX).map(BoneId).zip(&space.joints) {
        if !joint.placed {
            continue;
        }
        let mut put = |depth, part| pieces.push((depth, part));
        put(joint.seen.z, BonePart::Joint(id));
        if let Some((_, parent)) = space.parent(joint) {
            put((parent.seen.z + joint.seen.z) / 2.0, BonePart::Bone(id));
        }
        if skeleton && !joint.is_parent {
            let tip = tip(stage, space, id, joint);
            put((joint.seen.z + tip.z) / 2.0, BonePart::Tip(id));
        }
    }
    pieces.sort_unstable_by(|(a, part), (b, other)| a.total_cmp(b).then(part.cmp(other)));
    space.pieces = pieces;
}

/// Returns the end of a bone without children.
fn tip(stage: &SpaceStage<'_>, space: &SpaceScratch, id: BoneId, joint: &SpaceJoint) -> Seen {
    if let Some((_, parent)) = space.parent(joint) {
        return joint.seen + (joint.seen - parent.seen) * TIP;
    }
    let along = stage.world(id).map(|world| world.matrix3.y_axis);
    let along = stage.view.see_direction(along.unwrap_or_default());
    let length = LONE_TIP * stage.unit / stage.scale_at(joint.seen).unwrap_or(stage.camera.zoom);
    joint.seen + along.normalize_or_zero() * length
}

/// Returns the solid of a part, and the bone that begins there.
pub(super) fn solid(
    stage: &SpaceStage<'_>,
    space: &SpaceScratch,
    part: BonePart,
    chosen: Option<BoneId>,
) -> Option<(BoneId, Octahedron)> {
    let (of, ends) = match part {
        BonePart::Bone(id) => {
            let joint = space.joint(id)?;
            let (of, parent) = space.parent(joint)?;
            (of, [parent.seen, joint.seen])
        }
        BonePart::Tip(id) => {
            let joint = space.joint(id)?;
            (id, [joint.seen, tip(stage, space, id, joint)])
        }
        BonePart::Joint(_) => return None,
    };
    let side = crosswise(stage, of, ends);
    let wide = if chosen == Some(of) { 1.25 } else { 1.0 };
    let long = space.typical * MOST_TYPICAL;
    Some((of, Octahedron::new(stage, ends, side, [long, wide])?))
}

/// Returns the bone's axis that is most perpendicular to it in the view, so that its roll is visible.
fn crosswise(stage: &SpaceStage<'_>, of: BoneId, [from, to]: [Seen; 2]) -> DVec3 {
    let Some(world) = stage.world(of) else { return DVec3::ZERO };
    let (matrix, along) = (world.matrix3, (to - from).normalize_or_zero());
    let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis]
        .map(|axis| stage.view.see_direction(axis).normalize_or_zero());
    let slant = |axis: DVec3| {
        let none = axis == DVec3::ZERO || !axis.is_finite();
        if none { 2.0 } else { axis.dot(along).abs() }
    };
    let more = |a: DVec3, b: DVec3| if slant(b) < slant(a) { b } else { a };
    axes.into_iter().reduce(more).unwrap_or_default()
}

/// Returns the radius of a joint in pixels.
pub(super) fn radius(stage: &SpaceStage<'_>, joint: &SpaceJoint) -> f64 {
    if !stage.spatial.has_skeleton() {
        return POINT_RADIUS * stage.unit;
    }
    let [least, most] = RADIUS_PIXELS.map(|pixels| pixels * stage.unit);
    let scale = stage.scale_at(joint.seen).unwrap_or(0.0);
    (joint.reach * RADIUS * scale).clamp(least, most)
}

fn joint(stage: &mut SpaceStage<'_>, space: &SpaceScratch, id: BoneId, is_chosen: bool) {
    let Some(joint) = space.joint(id) else { return };
    let Some(at) = stage.place(joint.seen) else { return };
    let radius = pixels(radius(stage, joint));
    if joint.parent.is_none() && stage.spatial.has_skeleton() {
        // The mark of a root.
        let unit = stage.pen.unit;
        let radius = radius + 2.6 * unit;
        stage.pen.dot(at, radius + 2.4 * unit, Ink::Halo);
        stage.pen.dot(at, radius + 1.3 * unit, Ink::FrameBox);
    }
    ball(stage, at, radius, is_chosen);
}

/// Draws a small ball, lit from the upper left.
fn ball(stage: &mut SpaceStage<'_>, at: Point, radius: f32, is_chosen: bool) {
    let scale = if is_chosen { Scale::Accent } else { Scale::Joint };
    let pen = &mut stage.pen;
    let rim = (0.5 * radius).min(1.1 * pen.unit);
    pen.dot(at, radius + rim, Ink::Rim);
    let [x, y] = at;
    let layers = [(1.0, 0.0, 0.15), (0.8, 0.13, 0.6), (0.42, 0.3, 1.0)];
    // Of a small one neither shade nor spot is seen.
    let layers = match radius / pen.unit {
        ..1.6 => &[(0.9, 0.06, 0.55)][..],
        ..2.4 => &[(0.94, 0.04, 0.45), (0.55, 0.22, 0.9)],
        _ => &layers,
    };
    for &(part, aside, light) in layers {
        let aside = radius * aside;
        let middle = [x - aside, y - aside];
        pen.dot(middle, radius * part, scale.at(light));
    }
}

/// Computes the joints, and the length of the bones at each.
pub(super) fn place_joints(stage: &mut SpaceStage<'_>, space: &mut SpaceScratch) {
    let worlds = &stage.job.frame.spatial().worlds;
    let joints = &mut space.joints;
    joints.clear();
    let (mut count, mut squares) = (0.0, 0.0);
    for (id, world) in (0..=u16::MAX).map(BoneId).zip(worlds) {
        let seen = stage.view.see(world.translation);
        let parent = stage.job.subject.bone(id).and_then(|bone| bone.parent());
        let parent = parent.filter(|parent| parent.index() < id.index());
        let placed = seen.is_finite() && stage.spatial.has_place(id);
        let mut reach = 0.0;
        if let Some(over) = parent.and_then(|parent| joints.get_mut(parent.index())) {
            over.is_parent = true;
            if placed && over.placed {
                reach = over.seen.distance(seen);
                let square = reach * reach;
                if reach > 0.0 && square.is_finite() {
                    (count, squares) = (count + 1.0, squares + square);
                }
                if over.parent.is_none() {
                    over.reach = over.reach.max(reach);
                }
            }
        }
        joints.push(SpaceJoint { seen, parent, reach, is_parent: false, placed });
    }
    // Longer bones have more weight.
    let typical = (squares / count).sqrt();
    space.typical = if typical > 0.0 { typical } else { f64::INFINITY };
}

impl SpaceScratch {
    /// Returns the joint of a bone with a known position.
    pub(super) fn joint(&self, bone: BoneId) -> Option<&SpaceJoint> {
        self.joints.get(bone.index()).filter(|joint| joint.placed)
    }

    /// Returns a bone's parent, and its joint.
    pub(super) fn parent(&self, joint: &SpaceJoint) -> Option<(BoneId, &SpaceJoint)> {
        let id = joint.parent?;
        Some((id, self.joint(id)?))
    }

    /// Sorts the bones with known positions, the nearest first.
    pub(super) fn sort_near(&mut self) {
        let Self { near, joints, .. } = self;
        near.clear();
        let ids = (0..=u16::MAX).map(BoneId);
        let placed = ids.zip(joints.iter()).filter(|(_, joint)| joint.placed);
        near.extend(placed.map(|(bone, joint)| (joint.seen.z, bone)));
        near.sort_unstable_by(|(a, bone), (b, other)| b.total_cmp(a).then(bone.cmp(other)));
    }
}

/// Length of an axis, as a fraction of the bone's length.
const LENGTH: f64 = 0.25;
/// Least and greatest length of an axis in design pixels.
const LENGTH_PIXELS: [f64; 2] = [6.0, 32.0];

/// Draws the axes of all bones, the nearest joint last.
pub(super) fn draw_axes(stage: &mut SpaceStage<'_>, space: &mut SpaceScratch) {
    space.sort_near();
    for (_, bone) in space.near.iter().rev() {
        if let Some(joint) = space.joint(*bone) {
            axes_of_bone(stage, *bone, joint);
        }
    }
}

/// Draws the axes of one bone, the nearest last.
pub(super) fn axes_of_bone(stage: &mut SpaceStage<'_>, bone: BoneId, joint: &SpaceJoint) {
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

/// Draws the outlines of all parts that begin at a bone, and its axes.
pub(super) fn draw_chosen(stage: &mut SpaceStage<'_>, chosen: BoneId, space: &SpaceScratch) {
    let Some(joint) = space.joint(chosen) else { return };
    let unit = stage.pen.unit;
    for (_, part) in &space.pieces {
        let of = match *part {
            BonePart::Bone(id) => space.joint(id).and_then(|joint| joint.parent),
            BonePart::Tip(id) => Some(id),
            BonePart::Joint(_) => None,
        };
        if of != Some(chosen) {
            continue;
        }
        let solid = solid(stage, space, *part, Some(chosen));
        let Some(outline) = solid.and_then(|(_, solid)| solid.outline(stage)) else { continue };
        for [from, to] in outline.sides() {
            stage.pen.line(from, to, 3.6 * unit, 1.2 * unit, Ink::Halo);
        }
        for [from, to] in outline.sides() {
            let ink = Scale::Accent.at(0.75);
            stage.pen.line(from, to, 1.6 * unit, 0.6 * unit, ink);
        }
    }
    axes_of_bone(stage, chosen, joint);
    if let Some(at) = stage.place(joint.seen) {
        let radius = pixels(radius(stage, joint));
        stage.pen.dot(at, radius + 1.1 * unit, Ink::Halo);
        stage.pen.dot(at, radius, Scale::Accent.at(0.9));
    }
}

/// Draws the selected bone's name first, then names from near to far. A name without room is left out.
pub(super) fn draw_names(
    stage: &mut SpaceStage<'_>,
    space: &mut SpaceScratch,
    places: &mut LabelPlaces,
) {
    space.sort_near();
    let near = space.near.iter().map(|(_, bone)| *bone);
    let view = stage.view;
    let joint = |id| place_seen(&view, space.joint(id)?.seen);
    bone_names(stage.job, near, joint, places, &mut stage.pen);
}

/// Maximum number of bones of all ghosts. Larger skeletons get fewer ghosts.
const MOST_BONES: usize = 100_000;

/// Draws ghosts of frames before and after the one shown, and of a pinned one. In a loop those before and after continue beyond the
/// ends.
pub(super) fn draw_ghosts(
    stage: &mut SpaceStage<'_>,
    options: &OverlayOptions,
    space: &mut SpaceScratch,
) {
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
        draw_ghost(stage, ghost);
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
fn draw_ghost(stage: &mut SpaceStage<'_>, ghost: &BoneGhost) {
    let ink = ghost.scale.at(0.2 + 0.6 * ghost.strength);
    let unit = stage.pen.unit;
    let [from, to] = ghost.ends;
    if !stage.spatial.has_skeleton() {
        if let Some(at) = stage.place(to) {
            stage.pen.dot(at, 2.0 * unit, ink);
        }
        return;
    }
    let Some([from, to]) = stage.part(from, to) else { return };
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
    let Some(at) = frame.at() else { return };
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
