//! Subjects whose bones move in space.

use glam::{DAffine3, DVec3};

use super::{OrbitCamera, ViewBox};
use crate::document::{AnimationId, BoneId};
use crate::motion::{Posed, Transform, Unit, UpAxis};
use crate::playback::FrameAt;

/// Capability of a subject whose bones move in space.
pub trait Spatial {
    /// The axis that points up: never unknown.
    fn up(&self) -> UpAxis;

    /// Unit of places.
    fn unit(&self) -> Unit;

    /// Poses all bones at a moment, at rest without one; `in_place` leaves out the movement of the whole model.
    fn pose(&self, at: Option<FrameAt>, in_place: bool, pose: &mut SpatialPose);

    /// Transform of a bone in its parent, and in the world without the movement of the whole model; as posed last.
    fn transforms(&self, bone: BoneId, pose: &SpatialPose) -> Option<[Transform; 2]>;

    /// Returns whether an animation moves the whole model, beside its bones.
    fn has_root_motion(&self, animation: AnimationId) -> bool;

    /// Returns whether bones have parents: otherwise they are shown as points, if they have places.
    fn has_skeleton(&self) -> bool;

    /// Returns whether the place of a bone is known.
    fn has_place(&self, bone: BoneId) -> bool;
}

/// Places of bones in space. Keeps its memory from pose to pose.
#[derive(Clone, Debug, Default)]
pub struct SpatialPose {
    pub(crate) worlds: Vec<DAffine3>,
    pub(crate) root: Option<DAffine3>,
    pub(crate) posed: Posed,
    pub(crate) after: Posed,
}

impl SpatialPose {
    /// Map of each bone from its axes to the world.
    #[must_use]
    pub fn world_from_bone(&self) -> &[DAffine3] {
        &self.worlds
    }

    /// Movement of the whole model, also where it is left out; `None` if there is none.
    #[must_use]
    pub fn root(&self) -> Option<&DAffine3> {
        self.root.as_ref()
    }

    /// Forgets all bones.
    pub(crate) fn clear(&mut self) {
        self.worlds.clear();
        self.root = None;
    }
}

/// Frames that are measured for a fit, at most; of longer animations evenly spread ones.
const MOST_MEASURED: usize = 4096;

/// The box of all joints over moments, along the axes of a camera's view; and whether it is exact.
pub fn measure(
    subject: &dyn Spatial,
    camera: &OrbitCamera,
    in_place: bool,
    moments: impl ExactSizeIterator<Item = Option<FrameAt>>,
) -> (Option<ViewBox>, bool) {
    let axes = camera.axes();
    let mut pose = SpatialPose::default();
    let step = moments.len().div_ceil(MOST_MEASURED).max(1);
    let last = moments.len().saturating_sub(1);
    let mut found: Option<ViewBox> = None;
    for (index, at) in moments.enumerate() {
        if index % step != 0 && index != last {
            continue;
        }
        subject.pose(at, in_place, &mut pose);
        let ids = (0..=u16::MAX).map(BoneId);
        let bones = ids.zip(pose.world_from_bone());
        let placed = bones.filter(|(bone, _)| subject.has_place(*bone));
        let seen = placed.map(|(_, world)| {
            let place = world.translation;
            DVec3::from(axes.map(|axis| axis.dot(place)))
        });
        let corners = found.into_iter().flat_map(|it| [it.min, it.max]);
        found = ViewBox::of(seen.chain(corners.map(DVec3::from)));
    }
    (found, step == 1)
}
