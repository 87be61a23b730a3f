//! Poses of a skeleton by a motion.

use glam::DAffine3;

use super::Binding;
use super::chain::{World, walk};
use super::moment::Moment;
use super::plan::{PosePlan, Posed};
use super::rest::AdditiveRotation;
use crate::motion::{Motion, Skeleton, Transform};

/// Poses a skeleton by a motion. Memory is reused for each pose.
#[derive(Debug)]
pub struct Poser<'a> {
    motion: &'a Motion,
    skeleton: &'a Skeleton,
    plan: PosePlan,
    bind: Vec<World>,
    posed: Posed,
}

impl<'a> Poser<'a> {
    /// Prepares the data that is the same for all poses.
    #[must_use]
    pub fn new(
        motion: &'a Motion,
        skeleton: &'a Skeleton,
        binding: &Binding,
        additive: AdditiveRotation,
    ) -> Self {
        let mut bind = Vec::new();
        walk(skeleton, |_, bone| bone.rest, skeleton.bones(), &mut bind);
        Self {
            motion,
            skeleton,
            plan: PosePlan::new(motion, skeleton, binding, additive),
            bind,
            posed: Posed::default(),
        }
    }

    /// Poses all bones at a moment.
    pub fn pose(&mut self, moment: Moment) {
        let at = moment.of(self.motion);
        self.plan
            .pose(self.motion, self.skeleton, at, &mut self.posed);
    }

    /// Returns the movement of the whole model at a moment; `None` if the motion has none in addition to that of its bones.
    pub fn root(&mut self, moment: Moment) -> Option<Transform> {
        let at = moment.of(self.motion);
        self.plan.root(self.motion, at, &mut self.posed)
    }

    /// Returns the local transform of each bone, in its parent's space, as last posed.
    #[must_use]
    pub fn locals(&self) -> &[Transform] {
        &self.posed.locals
    }

    /// Returns the world transform of each bone, as last posed. If scales down a chain shear a bone, its scale is how far its axes
    /// reach along themselves. [`Poser::world_matrices`] is exact.
    pub fn worlds(&self) -> impl ExactSizeIterator<Item = Transform> {
        let parent_scale = self.skeleton.conventions.parent_scale;
        let worlds = self.posed.worlds.iter();
        worlds.map(move |world| world.transform(parent_scale))
    }

    /// Returns the map of each bone from its axes to the world, as last posed.
    pub fn world_matrices(&self) -> impl ExactSizeIterator<Item = DAffine3> {
        self.posed.worlds.iter().map(|world| world.matrix)
    }

    /// Returns the map of each bone from the bind pose to the pose, `world * inverse(bind)`, and its parts.
    pub fn skinning(&self) -> impl ExactSizeIterator<Item = (DAffine3, Transform)> {
        let bones = self.posed.worlds.iter().zip(&self.bind);
        bones.map(|(world, bind)| world.skinning(bind))
    }
}
