//! What a picture must hold, measured over frames: the boxes of bones in space, and the rectangle of vertices.

use glam::DVec3;

use super::{
    Bounds, Frame, OrbitCamera, Spatial, SpatialPose, Subject, Sweep, ViewBounds, ViewOptions,
};
use crate::document::BoneId;
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
    let Some(spatial) = subject.spatial() else {
        return (ViewBounds::new(0), true);
    };
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
    let Some(spatial) = subject.spatial() else {
        return;
    };
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
            let Some(joint) = place(*bone) else {
                continue;
            };
            add(part, joint);
            if let Some(parent) = parent.and_then(place) {
                add(part.saturating_add(1), joint + (joint - parent) * TIP);
            }
        }
    }
}

/// Measures by moving every vertex at every moment. Exact, but slow for many vertices and moments.
#[derive(Debug)]
pub struct PlainSweep<'a> {
    subject: &'a dyn Subject,
    view: &'a ViewOptions,
    frame: Frame,
    points: Vec<[f32; 2]>,
}

impl<'a> PlainSweep<'a> {
    /// Creates a sweep over moments of `subject`.
    #[must_use]
    pub fn new(subject: &'a dyn Subject, view: &'a ViewOptions) -> Self {
        Self { subject, view, frame: Frame::default(), points: Vec::new() }
    }
}

impl Sweep for PlainSweep<'_> {
    fn over(&mut self, moments: &mut dyn Iterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        let Self { subject, view, frame, points } = self;
        let mut bounds: Option<Bounds> = None;
        for at in moments {
            frame.fill(*subject, at, view);
            let draws = frame.list().draws().iter();
            for mesh in draws.filter_map(|draw| subject.mesh(draw.mesh)) {
                points.clear();
                frame.pose().place(&mesh, points);
                let finite = points.iter().filter(|point| point.iter().all(|n| n.is_finite()));
                for [min, max] in finite.map(|point| [*point; 2]) {
                    let point = Bounds { min, max };
                    bounds = Some(bounds.map_or(point, |bounds| bounds.union(point)));
                }
            }
        }
        bounds
    }

    fn is_exact(&self) -> bool {
        true
    }
}
