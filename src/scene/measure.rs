//! The box that a picture of bones in space must hold.

use glam::{DAffine3, DVec3};

use super::{OrbitCamera, Spatial, SpatialPose, Subject, ViewBox};
use crate::document::BoneId;
use crate::playback::FrameAt;

/// Frames that are measured for a fit, at most; of longer animations evenly spread ones.
const MOST_MEASURED: usize = 4096;

/// Length of a bone without children, as a part of the distance from its parent.
pub const TIP: f64 = 0.5;

/// The box of all bones over moments, along the axes of a camera's view, and whether it is exact; `None` of a subject whose bones do
/// not move in space.
pub fn measure(
    subject: &dyn Subject,
    camera: &OrbitCamera,
    in_place: bool,
    moments: impl ExactSizeIterator<Item = Option<FrameAt>>,
) -> (Option<ViewBox>, bool) {
    let Some(spatial) = subject.spatial() else {
        return (None, true);
    };
    let ends = Ends::new(subject, spatial);
    let axes = camera.axes();
    let mut pose = SpatialPose::default();
    let step = moments.len().div_ceil(MOST_MEASURED).max(1);
    let last = moments.len().saturating_sub(1);
    let mut found: Option<ViewBox> = None;
    for (index, at) in moments.enumerate() {
        if index % step != 0 && index != last {
            continue;
        }
        spatial.pose(at, in_place, &mut pose);
        let corners = found.into_iter().flat_map(|it| [it.min, it.max]);
        let seen = ends.of(pose.world_from_bone());
        let seen = seen.map(|place| DVec3::from(axes.map(|axis| axis.dot(place))));
        found = ViewBox::of(seen.chain(corners.map(DVec3::from)));
    }
    (found, step == 1)
}

/// Bones whose places are known, each with its parent if it is the last of a chain.
struct Ends(Vec<(usize, Option<usize>)>);

impl Ends {
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
        Self({
            placed
                .map(|((bone, parent), is_last)| {
                    let parent = parent.filter(|_| is_last).map(BoneId::index);
                    (bone.index(), parent)
                })
                .collect()
        })
    }

    /// Places of joints and of the ends of chains.
    fn of<'a>(&'a self, worlds: &'a [DAffine3]) -> impl Iterator<Item = DVec3> + 'a {
        let place = |bone: usize| worlds.get(bone).map(|world| world.translation);
        self.0.iter().flat_map(move |(bone, parent)| {
            let joint = place(*bone);
            let parent = parent.and_then(place);
            let tip = joint.zip(parent);
            let tip = tip.map(|(joint, parent)| joint + (joint - parent) * TIP);
            joint.into_iter().chain(tip)
        })
    }
}
