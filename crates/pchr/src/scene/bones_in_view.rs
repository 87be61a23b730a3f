//! Bones in space as a picture shows them: their boxes, which a fit must hold, measured over frames; and the bone under a point.

use glam::{DVec2, DVec3};

use super::{OrbitCamera, OrbitView, Seen, Spatial, SpatialPose, Subject, ViewBounds};
use crate::document::{Bone, BoneId};
use crate::playback::{FrameAt, Mix};

/// Frames that are measured for a fit however many bones there are. Of longer animations as many as [`MOST_PLACES`] allows, evenly.
const MEASURED: usize = 4096;
/// Positions of bones that are measured for a fit.
const MOST_PLACES: usize = 1 << 20;

/// Length of a bone without children, as a fraction of the distance to its parent.
pub const TIP: f64 = 0.5;

/// Returns the boxes of all bones over moments, along the axes of a camera's view, and true if they are exact. There are no boxes
/// if the subject's bones do not move in space.
pub fn measure(
    subject: &dyn Subject,
    camera: &OrbitCamera,
    in_place: bool,
    moments: impl ExactSizeIterator<Item = Option<FrameAt>>,
) -> (ViewBounds, bool) {
    let Some(spatial) = subject.spatial() else { return (ViewBounds::new(0), true) };
    let ends = SegmentEnds::new(subject, spatial);
    let mut pose = SpatialPose::default();
    let most = { MOST_PLACES }.checked_div(subject.bone_count()).unwrap_or(0);
    let step = moments.len().div_ceil(most.max(MEASURED)).max(1);
    let last = moments.len().saturating_sub(1);
    let mut found = ViewBounds::new(ends.count());
    for (index, at) in moments.enumerate() {
        if index % step != 0 && index != last {
            continue;
        }
        spatial.pose(at, in_place, &mut pose);
        ends.extend(&mut found, &pose, camera);
    }
    (found, step == 1)
}

/// Adds the boxes of all bones in a cross-fade.
pub fn measure_mixed(
    subject: &dyn Subject,
    camera: &OrbitCamera,
    in_place: bool,
    (at, mix): (FrameAt, Mix),
    found: &mut ViewBounds,
) {
    let Some(spatial) = subject.spatial() else { return };
    let mut pose = SpatialPose::default();
    spatial.mixed(at, mix, in_place, &mut pose);
    SegmentEnds::new(subject, spatial).extend(found, &pose, camera);
}

/// Bones with known positions, each with its parent if it is the last of a chain.
struct SegmentEnds(Vec<(usize, Option<usize>)>);

impl SegmentEnds {
    fn new(subject: &dyn Subject, spatial: &dyn Spatial) -> Self {
        let parents: Vec<Option<BoneId>> = subject.bones().map(|bone| bone.parent()).collect();
        let mut is_last = vec![spatial.has_skeleton(); parents.len()];
        for parent in parents.iter().flatten() {
            if let Some(is_last) = is_last.get_mut(parent.index()) {
                *is_last = false;
            }
        }
        let bones = (0..=u16::MAX).map(BoneId).zip(parents).zip(is_last);
        let placed = bones.filter(|((bone, _), _)| spatial.has_place(*bone));
        let ends = placed.map(|((bone, parent), is_last)| {
            (bone.index(), parent.filter(|_| is_last).map(BoneId::index))
        });
        Self(ends.collect())
    }

    /// Returns the number of parts: a joint for each bone, and the end of each chain.
    fn count(&self) -> usize {
        self.0.len().saturating_mul(2)
    }

    /// Adds the positions of joints and chain ends, each to its part.
    fn extend(&self, found: &mut ViewBounds, pose: &SpatialPose, camera: &OrbitCamera) {
        let axes = camera.axes();
        let mut add = |part, place: DVec3| {
            found.add(part, DVec3::from(axes.map(|axis| axis.dot(place))));
        };
        let place = |bone: usize| pose.worlds.get(bone).map(|world| world.translation);
        for (part, (bone, parent)) in (0..).step_by(2).zip(&self.0) {
            let Some(joint) = place(*bone) else { continue };
            add(part, joint);
            if let Some(parent) = parent.and_then(place) {
                add(part.saturating_add(1), joint + (joint - parent) * TIP);
            }
        }
    }
}

/// Screen pixels by which a joint or a bone may lie farther away than another and still be preferred.
const BAND: f64 = 4.0;

/// A bone under a point of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneHit {
    /// The bone.
    pub bone: BoneId,
    /// Depth of its joint, or of its line at the point: towards the camera from the target, in units.
    pub depth: f64,
}

/// Returns the bone whose joint, or whose line to the next joint, lies within some screen pixels of a point. The nearest one wins,
/// joints before lines; of those that are about as near, the one in front.
pub fn pick_bone(
    subject: &dyn Subject,
    spatial: &dyn Spatial,
    pose: &SpatialPose,
    view: &OrbitView,
    at: [f64; 2],
    within: f64,
) -> Option<BoneHit> {
    let at = DVec2::from(at);
    let joint = |bone: BoneId| -> Option<Seen> {
        let world = pose.worlds.get(bone.index())?;
        let seen = view.see(world.translation);
        (spatial.has_place(bone) && seen.is_finite()).then_some(seen)
    };
    // Distance of each hit, true for a line, and the hit itself.
    let of_bone = |(id, bone): (BoneId, Bone<'_>)| {
        let seen = joint(id)?;
        let screen = view.screen(seen);
        let hit = BoneHit { bone: id, depth: seen.z };
        let of_joint = screen.map(|screen| (DVec2::from(screen).distance(at), false, hit));
        let of_line = bone.parent().and_then(|parent| {
            let (distance, depth) = to_line(view, [joint(parent)?, seen], at)?;
            Some((distance, true, BoneHit { bone: parent, depth }))
        });
        Some(of_joint.into_iter().chain(of_line))
    };
    let bones = (0..=u16::MAX).map(BoneId).zip(subject.bones());
    let near = bones.filter_map(of_bone).flatten().filter(|(distance, ..)| *distance <= within);
    let band = |distance: f64| (distance / BAND).floor();
    let first = near.min_by(|(a, a_is_line, a_hit), (b, b_is_line, b_hit)| {
        let order = band(*a).total_cmp(&band(*b)).then(a_is_line.cmp(b_is_line));
        order.then(b_hit.depth.total_cmp(&a_hit.depth))
    });
    first.map(|(.., hit)| hit)
}

/// Returns the distance of a point of the picture from a line, and the depth of the line there.
fn to_line(view: &OrbitView, [from, to]: [Seen; 2], at: DVec2) -> Option<(f64, f64)> {
    let [from, to] = view.clip(from, to)?;
    let (start, end) = (view.screen(from)?, view.screen(to)?);
    let (start, end) = (DVec2::from(start), DVec2::from(end));
    let along = end - start;
    let way = (at - start).dot(along) / along.length_squared();
    let way = if way.is_finite() { way.clamp(0.0, 1.0) } else { 0.0 };
    let near = start + along * way;
    Some((near.distance(at), from.z + (to.z - from.z) * way))
}
