//! Subjects whose bones move in space.

use glam::DAffine3;

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

    /// Number of frames of an animation in its file, which may be more than can be shown.
    fn authored_frames(&self, animation: AnimationId) -> u32;

    /// Returns whether bones have parents: otherwise they are shown as points, if they have places.
    fn has_skeleton(&self) -> bool;

    /// Returns true if bones are numbered as a skeleton has them, and there is none.
    fn lacks_skeleton(&self) -> bool {
        false
    }

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
