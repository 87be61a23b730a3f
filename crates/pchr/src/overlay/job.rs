//! The job that makes the drawings of a frame, and its memory.

use std::ops::Range;

use super::OverlayOptions;
use super::letters::Letters;
use super::pen::Point;
use super::space::SpaceScratch;
use super::trail::TrailScratch;
use crate::document::MeshId;
use crate::scene::{Camera, Frame, Subject};

/// Memory that [`OverlayJob`] reuses for each frame.
#[derive(Clone, Debug, Default)]
pub struct OverlayScratch {
    /// Vertices of the meshes in `placed`, on the screen.
    pub(super) points: Vec<Point>,
    /// The meshes that are drawn, back to front.
    pub(super) placed: Vec<Placed>,
    pub(super) edges: Vec<Edge>,
    /// The bones' joints on the screen.
    pub(super) joints: Vec<Point>,
    /// True for each bone that has children.
    pub(super) parents: Vec<bool>,
    pub(super) places: Places,
    pub(super) numbers: Vec<Numbered>,
    pub(super) trail: TrailScratch,
    pub(super) space: SpaceScratch,
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
pub(super) type Edge = [u32; 2];

/// Parts of the picture that labels occupy.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
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
