//! Points whose path over the animation is shown, and memory for a path in the plane.

use super::pen::Point;
use crate::document::{AnimationId, BoneId, MeshId};
use crate::pose::Pose;

/// Maximum number of positions of a path. Longer animations are sampled evenly.
pub(super) const MOST_PLACES: u16 = 8192;

/// Least distance between dots in design pixels.
pub(super) const BETWEEN_DOTS: f32 = 7.0;

/// A point whose path is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trail {
    /// The joint of a bone.
    Bone(BoneId),
    /// A vertex of a mesh, by its index.
    Vertex(MeshId, u16),
}

/// Positions of a point over an animation.
#[derive(Clone, Debug, Default)]
pub(super) struct TrailScratch {
    /// Inputs of the positions; `None` if they must be computed.
    pub(super) of: Option<TrailOf>,
    pub(super) stops: Vec<Stop>,
    pub(super) pose: Pose,
}

/// All inputs of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TrailOf {
    /// Address of the subject.
    pub(super) subject: usize,
    /// Its size in bytes, and its numbers of bones and meshes.
    pub(super) facts: (u64, usize, usize),
    pub(super) animation: AnimationId,
    pub(super) frames: u16,
    pub(super) trail: Trail,
}

/// A position in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) frame: u16,
    pub(super) place: Point,
}
