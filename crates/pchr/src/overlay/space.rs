//! Memory for drawings of bones that move in space.

use glam::DVec3;

use crate::document::{AnimationId, BoneId};
use crate::scene::{Seen, SpatialPose};

/// Memory that is reused for each frame.
#[derive(Clone, Debug, Default)]
pub(super) struct SpaceScratch {
    /// The joints in camera space.
    pub(super) joints: Vec<Joint>,
    /// Typical length of bones.
    pub(super) typical: f64,
    pub(super) pieces: Vec<Piece>,
    /// Bones from near to far.
    pub(super) near: Vec<Near>,
    pub(super) ghosts: Vec<Ghost>,
    /// Pose of a frame other than the one shown.
    pub(super) pose: SpatialPose,
    /// Paths of the whole model and of a bone.
    pub(super) paths: [Path; 2],
}

/// The joint of a bone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    pub(super) seen: Seen,
    pub(super) parent: Option<BoneId>,
    /// Length of the bone from the parent, or of the longest to a child; 0 if there is none.
    pub(super) reach: f64,
    /// True if it has children.
    pub(super) is_parent: bool,
    /// True if its position is known and finite.
    pub(super) placed: bool,
}

/// A shape that is drawn before nearer ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Position along the direction to the camera.
    pub(super) depth: f64,
    pub(super) part: Part,
}

/// A part of a skeleton. Parts at equal depth are drawn in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// Line from a bone's parent to the bone.
    Bone(BoneId),
    /// A bone without children.
    Tip(BoneId),
    Joint(BoneId),
}

/// A bone and its depth towards the camera.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) depth: f64,
    pub(super) bone: BoneId,
}

/// A bone in another frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ghost {
    pub(super) depth: f64,
    pub(super) ends: [Seen; 2],
    /// True if its frame is before the one shown.
    pub(super) before: bool,
    /// Nearness in time, 0..=1.
    pub(super) strength: f64,
}

/// Positions of a bone, or of the whole model, over an animation.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// Inputs of the positions; `None` if they must be computed.
    pub(super) of: Option<PathOf>,
    pub(super) places: Vec<Stop>,
}

/// All inputs of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathOf {
    /// Address of the subject.
    pub(super) subject: usize,
    /// Its size in bytes, and its number of bones.
    pub(super) facts: (u64, usize),
    pub(super) animation: AnimationId,
    pub(super) frames: u16,
    /// `None` for the whole model.
    pub(super) bone: Option<BoneId>,
    pub(super) in_place: bool,
}

/// A position on a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) frame: u16,
    pub(super) place: DVec3,
}
