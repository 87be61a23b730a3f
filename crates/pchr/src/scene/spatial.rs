//! Subjects whose bones move in space.

use std::any::Any;
use std::fmt;

use glam::DAffine3;

use super::bone_curves::{Transform, Unit, UpAxis};
use crate::document::{AnimationId, BoneId};
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
    /// Map of each bone from its axes to the world.
    pub worlds: Vec<DAffine3>,
    /// Movement of the whole model, even if it is left out of the maps; `None` if there is none.
    pub root: Option<DAffine3>,
    /// Memory of the content that poses the bones.
    pub memory: PoseMemory,
}

impl SpatialPose {
    /// Removes all bones.
    pub(crate) fn clear(&mut self) {
        self.worlds.clear();
        self.root = None;
    }
}

/// Memory that a kind of content reuses from pose to pose, in a type of its own.
#[derive(Debug, Default)]
pub struct PoseMemory(Option<Box<dyn Kept>>);

impl PoseMemory {
    /// Returns the memory as a type; its default if there is none, or another type's.
    pub fn of<T: Clone + Default + fmt::Debug + Send + Sync + 'static>(&mut self) -> &mut T {
        if self.read::<T>().is_none() {
            self.0 = Some(Box::new(T::default()));
        }
        let kept: Option<&mut dyn Any> = self.0.as_mut().map(|kept| kept.as_mut() as _);
        #[expect(clippy::expect_used, reason = "it was just stored as this type")]
        kept.and_then(|kept| kept.downcast_mut()).expect("the memory is of the type")
    }

    /// Returns the memory as a type, if it was last used as that.
    #[must_use]
    pub fn read<T: 'static>(&self) -> Option<&T> {
        let kept: &dyn Any = self.0.as_deref()?;
        kept.downcast_ref()
    }
}

impl Clone for PoseMemory {
    fn clone(&self) -> Self {
        Self(self.0.as_deref().map(<dyn Kept>::copy))
    }
}

/// A type that [`PoseMemory`] holds.
trait Kept: Any + fmt::Debug + Send + Sync {
    fn copy(&self) -> Box<dyn Kept>;
}

impl<T: Any + Clone + fmt::Debug + Send + Sync> Kept for T {
    fn copy(&self) -> Box<dyn Kept> {
        Box::new(self.clone())
    }
}
