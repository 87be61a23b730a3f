//! Memory for drawings of bones that move in space.

use glam::DVec3;

use crate::document::{AnimationId, BoneId};
use crate::scene::{Seen, SpatialPose};

/// Memory that is kept from frame to frame.
#[derive(Clone, Debug, Default)]
pub(super) struct SpaceScratch {
    /// The joints, as the camera sees them.
    pub(super) joints: Vec<Joint>,
    /// Typical length of bones.
    pub(super) typical: f64,
    pub(super) pieces: Vec<Piece>,
    /// Bones from near to far.
    pub(super) near: Vec<Near>,
    pub(super) ghosts: Vec<Ghost>,
    /// Pose of another frame than the one on show.
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
    /// True if another bone hangs on it.
    pub(super) is_parent: bool,
    /// True if its place is known, and a number.
    pub(super) placed: bool,
}

/// Something that is drawn before what is nearer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Towards the camera.
    pub(super) depth: f64,
    pub(super) part: Part,
}

/// A part of a skeleton. Of parts that are as far away, the one that is lower in this order comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// The bone from the parent of a bone to it.
    Bone(BoneId),
    /// A bone that no other hangs on.
    Tip(BoneId),
    Joint(BoneId),
}

/// A bone and how far towards the camera it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) depth: f64,
    pub(super) bone: BoneId,
}

/// A bone at another frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ghost {
    pub(super) depth: f64,
    pub(super) ends: [Seen; 2],
    /// True if its frame is before the one on show.
    pub(super) before: bool,
    /// Nearness in time, 0..=1.
    pub(super) strength: f64,
}

/// Places of something over an animation.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// Origin of the places; `None` if they must be found.
    pub(super) of: Option<PathOf>,
    pub(super) places: Vec<Stop>,
}

/// Everything that a path depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathOf {
    /// Address of the subject.
    pub(super) subject: usize,
    /// Its numbers of bytes and bones.
    pub(super) facts: (u64, usize),
    pub(super) animation: AnimationId,
    pub(super) frames: u16,
    /// `None` for the whole model.
    pub(super) bone: Option<BoneId>,
    pub(super) in_place: bool,
}

/// A place of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) frame: u16,
    pub(super) place: DVec3,
}
