//! Subjects whose bones move in space.

use glam::DAffine3;

use crate::document::{AnimationId, BoneId};
use crate::motion::{Posed, Transform, Unit, UpAxis};
use crate::playback::{FrameAt, Mix};

/// Interface of subjects whose bones move in space.
pub trait Spatial {
    /// Returns the axis that points up; never unknown.
    fn up(&self) -> UpAxis;

    /// Returns the unit of positions.
    fn unit(&self) -> Unit;

    /// Poses all bones at a moment, or at rest if there is none. `in_place` leaves out the movement of the whole model.
    fn pose(&self, at: Option<FrameAt>, in_place: bool, pose: &mut SpatialPose);

    /// Poses all bones in a cross-fade from `at`. Content that cannot be blended is posed at the moment with more weight.
    fn mixed(&self, at: FrameAt, mix: Mix, in_place: bool, pose: &mut SpatialPose) {
        self.pose(Some(mix.owner(at)), in_place, pose);
    }

    /// Returns the transform of a bone relative to its parent, and in the world without the movement of the whole model, as last
    /// posed.
    fn transforms(&self, bone: BoneId, pose: &SpatialPose) -> Option<[Transform; 2]>;

    /// Returns true if an animation moves the whole model as well as its bones.
    fn has_root_motion(&self, animation: AnimationId) -> bool;

    /// Returns the number of frames of an animation in its file. It may exceed what can be shown.
    fn authored_frames(&self, animation: AnimationId) -> u32;

    /// Returns true if bones have parents. Otherwise bones with known positions are shown as points.
    fn has_skeleton(&self) -> bool;

    /// Returns true if bones are numbered for a skeleton that is missing.
    fn lacks_skeleton(&self) -> bool {
        false
    }

    /// Returns the number of tracks of a motion that numbers its bones, if there is one.
    fn numbered_tracks(&self) -> Option<usize> {
        None
    }

    /// Returns true if the position of a bone is known.
    fn has_place(&self, bone: BoneId) -> bool;
}

/// Transforms of bones in space. Reuses its memory for each pose.
#[derive(Clone, Debug, Default)]
pub struct SpatialPose {
    pub(crate) worlds: Vec<DAffine3>,
    pub(crate) root: Option<DAffine3>,
    pub(crate) posed: Posed,
    pub(crate) after: Posed,
    /// Pose that a cross-fade goes to.
    pub(crate) faded_to: Posed,
}

impl SpatialPose {
    /// Returns the map of each bone from its axes to the world.
    #[must_use]
    pub fn world_from_bone(&self) -> &[DAffine3] {
        &self.worlds
    }

    /// Returns the movement of the whole model, even if it is left out; `None` if there is none.
    #[must_use]
    pub fn root(&self) -> Option<&DAffine3> {
        self.root.as_ref()
    }

    /// Removes all bones.
    pub(crate) fn clear(&mut self) {
        self.worlds.clear();
        self.root = None;
    }
}
