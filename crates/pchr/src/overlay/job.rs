//! The job that makes the drawings of a frame, and its memory.

use std::ops::Range;

use glam::DVec3;

use super::ink::{Heat, Scale};
use super::letters::Letters;
use super::options::{OverlayOptions, Trail};
use super::pen::Point;
use crate::document::{AnimationId, BoneId, MeshId};
use crate::pose::Pose;
use crate::raster::LayerCounter;
use crate::scene::{Camera, Frame, Seen, SpatialPose, Subject};

/// Memory that [`OverlayJob`] reuses for each frame.
#[derive(Clone, Debug, Default)]
pub struct OverlayScratch {
    /// Vertices of the meshes in `placed`, on the screen.
    pub(super) points: Vec<Point>,
    /// The meshes that are drawn, back to front.
    pub(super) placed: Vec<Placed>,
    pub(super) edges: Vec<MeshEdge>,
    /// The bones' joints on the screen.
    pub(super) joints: Vec<Point>,
    /// True for each bone that has children.
    pub(super) parents: Vec<bool>,
    pub(super) places: LabelPlaces,
    pub(super) numbers: Vec<Numbered>,
    pub(super) trail: TrailScratch,
    pub(super) space: SpaceScratch,
    pub(super) overdraw: OverdrawScratch,
}

/// Makes the drawings of one frame.
#[derive(Clone, Copy, Debug)]
pub struct OverlayJob<'a> {
    /// The subject.
    pub subject: &'a dyn Subject,
    /// Frame that is shown.
    pub frame: &'a Frame,
    /// Placement of the world in the picture.
    pub camera: Camera,
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
    /// Selected drawings.
    pub options: &'a OverlayOptions,
    /// Names that the built-in font cannot write. If there are any, overlays use their atlas.
    pub letters: Option<&'a Letters>,
}

/// A mesh with its vertices among [`OverlayScratch::points`].
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) mesh: MeshId,
    pub(super) points: Range<usize>,
}

/// A side of a triangle: its two vertices among [`OverlayScratch::points`], the lower one first.
pub(super) type MeshEdge = [u32; 2];

/// Parts of the picture that labels occupy.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelPlaces {
    pub(super) taken: Vec<bool>,
    pub(super) columns: usize,
    /// Side of a square in pixels.
    pub(super) square: f32,
}

/// A mesh's number and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbered {
    pub(super) number: u32,
    /// The middle of its vertices.
    pub(super) middle: Point,
    /// Upper left corner of its pill.
    pub(super) at: Point,
}

/// Layers, and the rectangles that they are cut into.
#[derive(Clone, Debug, Default)]
pub(super) struct OverdrawScratch {
    pub(super) counter: LayerCounter,
    pub(super) cells: Vec<u16>,
    pub(super) open: Vec<Piece>,
    pub(super) row: Vec<Piece>,
    pub(super) pieces: Vec<Piece>,
}

/// A rectangle of cells with one colour: columns and rows, the end excluded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) columns: [usize; 2],
    pub(super) rows: [usize; 2],
    pub(super) heat: Heat,
}

/// The path of a bone or of a vertex in the plane.
#[derive(Clone, Debug, Default)]
pub(super) struct TrailScratch {
    pub(super) path: PointPath<Point>,
    pub(super) pose: Pose,
}

/// Positions of a point over an animation.
#[derive(Clone, Debug, Default)]
pub(super) struct PointPath<P> {
    /// Inputs of the positions; `None` if they must be computed.
    pub(super) of: Option<PathOf>,
    /// Frames and the positions on them.
    pub(super) stops: Vec<(u16, P)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathOf {
    /// Address of the subject.
    pub(super) subject: usize,
    /// Its size in bytes, and its numbers of bones and meshes.
    pub(super) facts: (u64, usize, usize),
    pub(super) animation: AnimationId,
    pub(super) frames: u16,
    /// `None` for the whole model.
    pub(super) point: Option<Trail>,
    pub(super) in_place: bool,
}

/// Memory that is reused for each frame.
#[derive(Clone, Debug, Default)]
pub(super) struct SpaceScratch {
    /// The joints in camera space.
    pub(super) joints: Vec<SpaceJoint>,
    /// Typical length of bones.
    pub(super) typical: f64,
    pub(super) pieces: Vec<SpacePiece>,
    /// Bones from near to far.
    pub(super) near: Vec<Near>,
    pub(super) ghosts: Vec<BoneGhost>,
    /// Pose of a frame other than the one shown.
    pub(super) pose: SpatialPose,
    /// Paths of the whole model and of a bone.
    pub(super) paths: [PointPath<DVec3>; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SpaceJoint {
    pub(super) seen: Seen,
    pub(super) parent: Option<BoneId>,
    /// Length of the bone from the parent, or of the longest to a child; 0 if there is none.
    pub(super) reach: f64,
    pub(super) is_parent: bool,
    /// True if its position is known and finite.
    pub(super) placed: bool,
}

/// A shape that is drawn before nearer ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpacePiece {
    /// Position along the direction to the camera.
    pub(super) depth: f64,
    pub(super) part: BonePart,
}

/// A part of a skeleton. Parts at equal depth are drawn in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BonePart {
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
pub(super) struct BoneGhost {
    pub(super) depth: f64,
    pub(super) ends: [Seen; 2],
    /// Colours of its frame.
    pub(super) scale: Scale,
    /// Nearness in time, 0..=1.
    pub(super) strength: f64,
}
