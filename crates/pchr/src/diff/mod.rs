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

mod elements;
mod frames;

use std::ops::RangeInclusive;

use self::elements::compare_elements;
use self::frames::{ClipJob, MOST_FRAMES};
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
        let mut budget = MOST_FRAMES;
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

#[cfg(test)]
mod tests {
    //! Each change of a puppet is found and named, with its effect; what does not show is told apart.

    use super::*;
    use crate::character::Character;
    use crate::document::{BoneParts, DocumentParts};
    use crate::fixture::{self, GREEN, puppet};
    use crate::pose::BindChoice;

    fn diff_of(old: &DocumentParts, new: &DocumentParts) -> Diff {
        let [old, new] = [old, new].map(|parts| {
            let character = Character::new(fixture::read(parts), BindChoice::Auto);
            let model = RasterModel::decoded(&character);
            (character, model)
        });
        let old = DiffSide { subject: &old.0, model: &old.1 };
        let new = DiffSide { subject: &new.0, model: &new.1 };
        DiffJob { old, new }.run()
    }

    /// Changes the puppet, and returns what is found.
    fn after(change: impl FnOnce(&mut DocumentParts)) -> Diff {
        let old = puppet().parts;
        let mut new = old.clone();
        change(&mut new);
        diff_of(&old, &new)
    }

    /// Name and change of each element.
    fn told(diff: &Diff) -> Vec<(&str, &ChangeKind)> {
        diff.changes.iter().map(|change| (change.element.name.as_str(), &change.kind)).collect()
    }

    fn clip<'a>(diff: &'a Diff, name: &str) -> &'a ClipDiff {
        let is_it = |clip: &&ClipDiff| clip.clip.as_ref().is_some_and(|clip| clip.name == name);
        diff.clips.iter().find(is_it).unwrap()
    }

    #[test]
    fn weights_positions_and_texture_coordinates_are_counted() {
        let diff = after(|parts| {
            for vertex in &mut parts.meshes[1].vertices[..3] {
                vertex.bone_ids = [1, 2, 0, 0];
                vertex.bone_weights = [0.75, 0.25, 0.0, 0.0];
            }
            parts.meshes[1].vertices[0].position[0] += 2.0;
            parts.meshes[2].vertices[1].uv[0] = 0.5;
            // A slot without weight does not count.
            parts.meshes[0].vertices[0].bone_ids[1] = 2;
        });
        let changes = told(&diff);
        assert!(
            changes.contains(&("part.red", &ChangeKind::Positions { count: 1, distance: 2.0 }))
        );
        assert!(changes.contains(&("part.red", &ChangeKind::Weights { count: 3, largest: 0.25 })));
        assert!(changes.contains(&("part.green", &ChangeKind::Uvs { count: 1, distance: 0.5 })));
        assert_eq!(changes.len(), 3, "{changes:?}");
        assert!(clip(&diff, "walk").movement.is_some(), "red follows green, too");
    }

    #[test]
    fn what_does_not_show_is_no_visible_change() {
        // All texels are equal, so other texture coordinates show nothing.
        let diff = after(|parts| parts.meshes[2].vertices[1].uv[0] = 0.5);
        assert!(!diff.is_same_content() && !diff.is_visible());
        assert!(clip(&diff, "bind").picture.is_none());
        // Only the bytes: raw pixels instead of a PNG.
        let diff = after(|parts| {
            let image = &mut parts.images[1];
            image.format = crate::document::ImageFormat::Rgba8888;
            image.data = GREEN.to_vec();
            (image.width, image.height) = (1, 1);
        });
        let changes = told(&diff);
        assert!(changes.iter().all(|(_, kind)| **kind == ChangeKind::Encoding), "{changes:?}");
        assert!(diff.is_same_content() && diff.clips.is_empty());
    }

    #[test]
    fn other_pixels_of_an_image_show_where_it_is_drawn() {
        let diff = after(|parts| {
            let image = &mut parts.images[1];
            image.format = crate::document::ImageFormat::Rgba8888;
            image.data = vec![40, 100, 60, 255];
        });
        let texels = diff.changes.first().map(|change| &change.kind);
        let Some(ChangeKind::Texels { count: 1, largest: 100, .. }) = texels else {
            panic!("{texels:?}")
        };
        let blink = clip(&diff, "blink").picture.as_ref().unwrap();
        assert_eq!(blink.frames, [0..=0, 2..=2], "green is hidden on frame 1");
        assert!(clip(&diff, "blink").movement.is_none());
    }

    #[test]
    fn order_and_visibility_are_told_apart_from_movement() {
        let diff = after(|parts| {
            parts.animations[3].transforms[1].z_order = -1; // behind green on both frames of swap
            parts.animations[1].transforms[5].flags = 0; // green on frame 1 of walk
        });
        for (name, frame) in [("swap", 0), ("walk", 1)] {
            let clip = clip(&diff, name);
            assert_eq!((clip.order.as_slice(), &clip.movement), (&[frame..=frame][..], &None));
            assert!(clip.is_visible(), "{name}");
        }
    }

    #[test]
    fn elements_are_added_removed_renamed_and_reparented() {
        let diff = after(|parts| {
            parts.bones[2].name = "verde".into();
            parts.bones[1].parent = None;
            parts.bones.push(BoneParts { name: "tail".into(), parent: Some(0) });
            for animation in &mut parts.animations {
                let frames = animation.transforms.chunks(3);
                let longer = frames.flat_map(|frame| [frame, &[fixture::at(0.0, 0.0)]].concat());
                animation.transforms = longer.collect();
            }
            parts.meshes[0].name = "floor".into();
            parts.animations[4].name = "hop".into();
            parts.animations.remove(2);
            parts.fps = 20;
        });
        let changes = told(&diff);
        let renamed = |from: &str| ChangeKind::Renamed(from.into());
        for change in [
            ("verde", renamed("green")),
            ("red", ChangeKind::Parent(Some("root".into()), None)),
            ("tail", ChangeKind::Added),
            ("floor", renamed("shadow")),
            ("hop", renamed("jump")),
            ("blink", ChangeKind::Removed),
            ("walk", ChangeKind::Rate(10.0, 20.0)),
        ] {
            assert!(changes.contains(&(change.0, &change.1)), "{change:?} is not in {changes:?}");
        }
        assert!(diff.is_visible());
        // In jump everything is 60 higher, but red has no parent any more.
        let hop = clip(&diff, "hop").movement.as_ref().unwrap();
        assert_eq!((hop.frame, hop.part.name.as_str(), hop.distance), (1, "part.red", 60.0));
    }

    #[test]
    fn frames_that_only_one_version_has_are_not_compared() {
        let diff = after(|parts| {
            let walk = &mut parts.animations[1];
            walk.frame_count = 3;
            walk.transforms.truncate(9);
        });
        assert_eq!(told(&diff), [("walk", &ChangeKind::FrameCount(4, 3))]);
        assert!(diff.clips.is_empty() && diff.is_visible());
    }

    #[test]
    fn content_without_animations_is_compared_at_rest() {
        let old = fixture::Builder::rect(1, &[GREEN], [0.0, 0.0], [4.0, 4.0]).parts;
        let mut new = old.clone();
        new.meshes[0].vertices[2].position = [9.0, 4.0];
        let diff = diff_of(&old, &new);
        let [only] = &diff.clips[..] else { panic!("{diff:?}") };
        assert!(only.clip.is_none() && only.is_visible());
        assert_eq!(only.movement.as_ref().unwrap().distance, 5.0);
    }
}
