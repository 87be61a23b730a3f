//! Changes between two versions of a subject, of any kind: elements by name, keys, movement, and pictures. [`DiffJob`] is the entry
//! point.
//!
//! Needs the feature `raster`.
//!
//! Images, bones, meshes and animations are matched by name, equal names in order. An element without a match is a renamed one if
//! its content is that of an unmatched element of the other side, else it was added or removed. Frames of matched animations are
//! compared one by one. A frame whose vertices, texture coordinates, images or draw order differ is drawn by the CPU renderer, so
//! that only what can be seen is a visible change.
#![deny(clippy::arithmetic_side_effects)]

mod clips;
mod drawn;
mod elements;
mod pairs;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use self::clips::ClipJob;
use self::elements::compare_elements;
use crate::image::PixelRect;
use crate::raster::RasterModel;
use crate::scene::{Bounds, CurveKinds, Subject};

/// One side of a comparison: a subject, and its decoded images.
#[derive(Clone, Copy, Debug)]
pub struct DiffSide<'a> {
    /// The subject, with the bind pose that counts.
    pub subject: &'a dyn Subject,
    /// Its model.
    pub model: &'a RasterModel,
}

/// A comparison of two versions.
#[derive(Clone, Copy, Debug)]
pub struct DiffJob<'a> {
    /// The version before.
    pub old: DiffSide<'a>,
    /// The version after.
    pub new: DiffSide<'a>,
}

impl DiffJob<'_> {
    /// Compares the versions.
    #[must_use]
    pub fn run(&self) -> Diff {
        let mut changes = Vec::new();
        let pairs = compare_elements(self, &mut changes);
        let mut budget = drawn::MOST_FRAMES;
        let ids = pairs.clips.both().map(Some).collect::<Vec<_>>();
        let at_rest = [self.old, self.new].iter().all(|side| side.subject.animation_count() == 0);
        let ids = if at_rest { vec![None] } else { ids };
        let jobs = ids.into_iter().map(|ids| ClipJob { diff: self, pairs: &pairs, ids });
        let jobs = jobs.filter(|job| job.can_differ(&changes));
        let clips = jobs.filter_map(|job| job.run(&mut budget)).collect();
        Diff { changes, clips }
    }
}

/// Everything that differs between two versions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// Changes of elements: the file, images, bones, meshes, animations.
    pub changes: Vec<Change>,
    /// Effects of the changes on animations in both versions; on the content at rest, if neither has animations. Animations that
    /// move and look the same are left out.
    pub clips: Vec<ClipDiff>,
}

impl Diff {
    /// Returns true if nothing differs but the encoding of images.
    #[must_use]
    pub fn is_same_content(&self) -> bool {
        { self.changes.iter() }.all(|change| matches!(change.kind, ChangeKind::Encoding))
            && self.clips.is_empty()
    }

    /// Returns true if a picture of any frame in both versions differs, or if animations were added or removed.
    #[must_use]
    pub fn is_visible(&self) -> bool {
        let is_clip = |change: &Change| {
            change.element.kind == ElementKind::Clip
                && matches!(
                    change.kind,
                    ChangeKind::Added | ChangeKind::Removed | ChangeKind::FrameCount(..)
                )
        };
        self.changes.iter().any(is_clip) || self.clips.iter().any(ClipDiff::is_visible)
    }

    /// Returns the largest movement of all, with its animation.
    #[must_use]
    pub fn largest(&self) -> Option<(&ClipDiff, &Movement)> {
        let moved = self.clips.iter().filter_map(|clip| Some((clip, clip.movement.as_ref()?)));
        moved.max_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance))
    }
}

/// Section of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementKind {
    /// An image.
    Image,
    /// A bone.
    Bone,
    /// A mesh, or a sprite.
    Mesh,
    /// An animation.
    Clip,
}

/// An element of one or both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its section.
    pub kind: ElementKind,
    /// Its name; that of the version after, if it is in both.
    pub name: String,
    /// Its index in the version before.
    pub old: Option<u16>,
    /// Its index in the version after.
    pub new: Option<u16>,
}

/// A change of an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The element.
    pub element: Element,
    /// The change.
    pub kind: ChangeKind,
}

/// Kinds of changes. Of two values the first is that before, the second that after.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeKind {
    /// Only in the version after.
    Added,
    /// Only in the version before.
    Removed,
    /// Another name for the same content: the name before.
    Renamed(String),
    /// Another place among its neighbours.
    Reordered,
    /// Width and height of an image.
    Size([u32; 2], [u32; 2]),
    /// Pixels of an image, as they look.
    Texels {
        /// Number of pixels that differ.
        count: u64,
        /// Largest difference of a channel.
        largest: u8,
        /// Rectangle around all of them.
        area: PixelRect,
    },
    /// Other bytes of an image for the same pixels.
    Encoding,
    /// Parent of a bone; `None` for a root.
    Parent(Option<String>, Option<String>),
    /// Image of a mesh.
    MeshImage(String, String),
    /// Number of vertices of a mesh.
    VertexCount(usize, usize),
    /// Triangles of a mesh: their number, which may be the same.
    Triangles(usize, usize),
    /// Stored positions of vertices.
    Positions {
        /// Number of vertices.
        count: usize,
        /// Largest distance, in world pixels.
        distance: f64,
    },
    /// Texture coordinates of vertices.
    Uvs {
        /// Number of vertices.
        count: usize,
        /// Largest distance, in texels of the image after.
        distance: f64,
    },
    /// Bones or weights of vertices.
    Weights {
        /// Number of vertices.
        count: usize,
        /// Largest difference of a weight.
        largest: f32,
    },
    /// The bone that controls order and visibility of a mesh.
    Owner(Option<String>, Option<String>),
    /// Number of frames of an animation.
    FrameCount(u16, u16),
    /// Frames per second of an animation.
    Rate(f64, f64),
    /// Loop flag of an animation: true if it loops after.
    Looping(bool),
    /// Keys of a bone in an animation.
    Keys {
        /// The bone.
        bone: Element,
        /// Kinds of numbers that differ.
        kinds: CurveKinds,
        /// Frames on which they differ.
        frames: Vec<RangeInclusive<u16>>,
    },
}

/// Effect of all changes on an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipDiff {
    /// The animation; `None` for content at rest.
    pub clip: Option<Element>,
    /// Parts that are in another place.
    pub movement: Option<Movement>,
    /// Frames with another draw order or other visible meshes.
    pub order: Vec<RangeInclusive<u16>>,
    /// Pictures that differ.
    pub picture: Option<PictureChange>,
    /// Number of frames that may look different but were not drawn, because there were too many.
    pub not_drawn: usize,
}

impl ClipDiff {
    /// Returns true if a picture differs, or bones in space are in another place.
    #[must_use]
    pub fn is_visible(&self) -> bool {
        let in_space = self.movement.as_ref().is_some_and(|it| it.part.kind == ElementKind::Bone);
        self.picture.is_some() || in_space || self.not_drawn > 0
    }
}

/// Movement of parts between two versions of an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct Movement {
    /// Frames on which something is in another place.
    pub frames: Vec<RangeInclusive<u16>>,
    /// Largest distance between both versions, in units of the world.
    pub distance: f64,
    /// Frame of the largest distance.
    pub frame: u16,
    /// The mesh, or the bone in space, that is moved farthest.
    pub part: Element,
    /// Its place after, in the world: the vertex, or the bone. Z is 0 in a plane.
    pub place: [f64; 3],
}

/// Pictures that differ between two versions of an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureChange {
    /// Frames whose picture differs.
    pub frames: Vec<RangeInclusive<u16>>,
    /// Frame of which most pixels differ.
    pub frame: u16,
    /// Number of its pixels that differ.
    pub pixels: u64,
    /// Largest difference of a channel in it.
    pub largest: u8,
    /// Rectangle around them, in the world.
    pub area: Bounds,
    /// Scale of the pictures: pixels a unit of the world.
    pub scale: f64,
}

/// Ranges of ascending frames.
fn ranges(frames: impl IntoIterator<Item = u16>) -> Vec<RangeInclusive<u16>> {
    let mut ranges: Vec<RangeInclusive<u16>> = Vec::new();
    for frame in frames {
        match ranges.last_mut() {
            Some(last) if last.end().checked_add(1) == Some(frame) => {
                *last = *last.start()..=frame;
            }
            _ => ranges.push(frame..=frame),
        }
    }
    ranges
}
