//! Finds the bone under a point of the picture, for subjects whose bones move in space.

use glam::DVec2;

use super::{OrbitView, Seen, Spatial, SpatialPose, Subject};
use crate::document::BoneId;

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

/// A candidate, with the values that candidates are compared by.
#[derive(Clone, Copy, Debug)]
struct FoundBone {
    bone: BoneId,
    /// Distance from the point, in [`BAND`]s.
    band: f64,
    /// True for the line between two joints; joints are preferred.
    is_line: bool,
    /// Position along the direction to the camera.
    depth: f64,
}

impl FoundBone {
    fn goes_before(&self, other: &Self) -> bool {
        let order = self.band.total_cmp(&other.band);
        let order = order.then(self.is_line.cmp(&other.is_line));
        order.then(other.depth.total_cmp(&self.depth)).is_lt()
    }
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
    let mut found: Option<FoundBone> = None;
    let mut add = |bone, is_line, distance: f64, depth| {
        let new = FoundBone { bone, band: (distance / BAND).floor(), is_line, depth };
        if distance <= within && found.as_ref().is_none_or(|old| new.goes_before(old)) {
            found = Some(new);
        }
    };
    for (id, bone) in (0..=u16::MAX).map(BoneId).zip(subject.bones()) {
        let Some(seen) = joint(id) else {
            continue;
        };
        if let Some(screen) = view.screen(seen) {
            add(id, false, DVec2::from(screen).distance(at), seen.z);
        }
        let above = bone.parent().and_then(|parent| Some((parent, joint(parent)?)));
        if let Some((parent, from)) = above
            && let Some((distance, depth)) = to_line(view, [from, seen], at)
        {
            add(parent, true, distance, depth);
        }
    }
    found.map(|FoundBone { bone, depth, .. }| BoneHit { bone, depth })
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
