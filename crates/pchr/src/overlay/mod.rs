//! Debug drawings over the character: bones, names, wireframe, weights, overdraw and more.
//!
//! Needs the feature `overlay`.
//!
//! ```text
//! Subject + Frame + Camera2d ──OverlayJob──► Overlay (triangles in screen pixels) ─┐
//!                                            atlas() (one texture for all of them) ────────┴─► raster / render
//! ```
//!
//! Names that the built-in font cannot write are pictures on the atlas of [`Letters`].
//!
//! All drawings are triangles with one small atlas, so that both renderers draw them with their existing rules. Positions use
//! `+ - * /` and square roots only: the same triangles on every machine.

mod atlas;
mod bones;
mod colors;
mod grid;
mod labels;
mod letters;
mod meshes;
mod onion;
mod options;
mod overdraw;
mod pen;
mod spatial;

use std::ops::Range;

use glam::DVec3;

use self::colors::{Heat, Scale};
use self::pen::{Pen, Point};
use crate::document::{AnimationId, BoneId, MeshId};
use crate::pose::Pose;
use crate::raster::LayerCounter;
use crate::scene::{Camera, Frame, Overlay, Seen, SpatialPose, Subject};

pub use atlas::{atlas, plain_line, ramp, tint_ghosts};
pub use letters::{Letters, WrittenName, needs_fonts};
pub use meshes::{Flagged, SUM_TOLERANCE, VertexFlag, flagged, vertex_flag};
pub use onion::{MOST_GHOSTS, Onion, Pin};
pub use options::{Layer, LayerNeeds, Layers, OverlayOptions, Trail};

/// Memory that [`OverlayJob`] reuses for each frame.
#[derive(Clone, Debug, Default)]
pub struct OverlayScratch {
    /// Vertices of the meshes in `placed`, on the screen.
    points: Vec<Point>,
    /// The meshes that are drawn, back to front.
    placed: Vec<Placed>,
    edges: Vec<MeshEdge>,
    /// The bones' joints on the screen.
    joints: Vec<Point>,
    /// True for each bone that has children.
    parents: Vec<bool>,
    places: LabelPlaces,
    numbers: Vec<Numbered>,
    trail: TrailScratch,
    space: SpaceScratch,
    overdraw: OverdrawScratch,
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

impl OverlayJob<'_> {
    /// Replaces the contents of `out`. Allocates only while `scratch` and `out` are smaller than the drawings.
    pub fn run(&self, scratch: &mut OverlayScratch, out: &mut Overlay) {
        out.clear();
        let has = |layer| self.options.has(layer);
        if self.subject.spatial().is_some() {
            return self.run_spatial(scratch, out);
        }
        if self.options.is_empty() {
            return;
        }
        let [width, height] = self.size;
        let mut pen = Pen {
            out,
            size: [width as f32, height as f32],
            unit: self.options.scale.clamp(1, 8) as f32,
            letters: self.letters,
        };
        let spacing = if has(Layer::Grid) { grid::draw(self, &mut pen) } else { None };
        pen.out.put_behind();
        if has(Layer::Overdraw) {
            pen.out.hide_meshes();
            overdraw::draw(self, &mut scratch.overdraw, &mut pen);
        }
        meshes::draw_layers(self, scratch, &mut pen);
        bones::draw_layers(self, scratch, &mut pen);
        scratch.places.clear(pen.size, pen.unit);
        if let Some(spacing) = spacing {
            grid::label(spacing.in_pixels(), self, &mut scratch.places, &mut pen);
        }
        if has(Layer::Overdraw) {
            overdraw::legend(self, &mut scratch.places, &mut pen);
        }
        labels::draw_layers(self, scratch, &mut pen);
    }
}

/// A mesh with its vertices among [`OverlayScratch::points`].
#[derive(Clone, Debug)]
struct Placed {
    mesh: MeshId,
    points: Range<usize>,
}

/// A side of a triangle: its two vertices among [`OverlayScratch::points`], the lower one first.
type MeshEdge = [u32; 2];

/// Parts of the picture that labels occupy.
#[derive(Clone, Debug, Default)]
struct LabelPlaces {
    taken: Vec<bool>,
    columns: usize,
    /// Side of a square in pixels.
    square: f32,
}

/// A mesh's number and its position.
#[derive(Clone, Copy, Debug)]
struct Numbered {
    number: u32,
    /// The middle of its vertices.
    middle: Point,
    /// Upper left corner of its pill.
    at: Point,
}

/// Layers, and the rectangles that they are cut into.
#[derive(Clone, Debug, Default)]
struct OverdrawScratch {
    counter: LayerCounter,
    cells: Vec<u16>,
    open: Vec<Piece>,
    row: Vec<Piece>,
    pieces: Vec<Piece>,
}

/// A rectangle of cells with one colour: columns and rows, the end excluded.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    columns: [usize; 2],
    rows: [usize; 2],
    heat: Heat,
}

/// The path of a bone or of a vertex in the plane.
#[derive(Clone, Debug, Default)]
struct TrailScratch {
    path: PointPath<Point>,
    pose: Pose,
}

/// Positions of a point over an animation.
#[derive(Clone, Debug, Default)]
struct PointPath<P> {
    /// Inputs of the positions; `None` if they must be computed.
    of: Option<PathOf>,
    /// Frames and the positions on them.
    stops: Vec<(u16, P)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PathOf {
    /// Address of the subject.
    subject: usize,
    /// Its size in bytes, and its numbers of bones and meshes.
    facts: (u64, usize, usize),
    animation: AnimationId,
    frames: u16,
    /// `None` for the whole model.
    point: Option<Trail>,
    in_place: bool,
}

/// Memory that is reused for each frame.
#[derive(Clone, Debug, Default)]
struct SpaceScratch {
    /// The joints in camera space.
    joints: Vec<SpaceJoint>,
    /// Typical length of bones.
    typical: f64,
    /// Shapes from far to near: their positions along the direction to the camera.
    pieces: Vec<(f64, BonePart)>,
    /// Bones from near to far, with their depths towards the camera.
    near: Vec<(f64, BoneId)>,
    ghosts: Vec<BoneGhost>,
    /// Pose of a frame other than the one shown.
    pose: SpatialPose,
    /// Paths of the whole model and of a bone.
    paths: [PointPath<DVec3>; 2],
}

#[derive(Clone, Copy, Debug)]
struct SpaceJoint {
    seen: Seen,
    parent: Option<BoneId>,
    /// Length of the bone from the parent, or of the longest to a child; 0 if there is none.
    reach: f64,
    is_parent: bool,
    /// True if its position is known and finite.
    placed: bool,
}

/// A part of a skeleton. Parts at equal depth are drawn in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BonePart {
    /// Line from a bone's parent to the bone.
    Bone(BoneId),
    /// A bone without children.
    Tip(BoneId),
    Joint(BoneId),
}

/// A bone in another frame.
#[derive(Clone, Copy, Debug)]
struct BoneGhost {
    depth: f64,
    ends: [Seen; 2],
    /// Colours of its frame.
    scale: Scale,
    /// Nearness in time, 0..=1.
    strength: f64,
}

#[cfg(test)]
mod tests {
    use super::atlas::Paint;
    use super::colors::{HEATS, Heat, Ink};
    use super::meshes::{Flagged, VertexFlag, flagged, vertex_flag};
    use super::{Layer, Layers, OverlayJob, OverlayOptions, OverlayScratch};
    use crate::character::Character;
    use crate::document::{AnimationId, BoneId, BoneTransform, DocumentParts, MeshId, Vertex};
    use crate::fixture::{Builder, WHITE, at, read};
    use crate::pose::{BindChoice, FrameAt};
    use crate::scene::{Camera2d, Frame, Overlay, ViewOptions};

    /// World x is screen x - 100, and y is 50 - screen y.
    const SIZE: [u32; 2] = [200, 100];

    /// Returns bones that form a chain, with a transform each, and a square of 10 pixels that follows the first.
    fn chain(transforms: &[BoneTransform]) -> DocumentParts {
        let bones = (0_u16..).zip(transforms);
        let bones = bones.fold(Builder::new().image(1, &[WHITE]), |builder, (i, _)| {
            builder.bone(&format!("b{i}"), i.checked_sub(1))
        });
        let square = bones.quad("square", 0, 0, [0.0, 0.0], [10.0, 10.0]);
        square.animation("rest", false, &[transforms]).parts
    }

    fn drawn(parts: &DocumentParts, options: OverlayOptions) -> Overlay {
        drawn_in(SIZE, parts, options)
    }

    fn drawn_in(size: [u32; 2], parts: &DocumentParts, options: OverlayOptions) -> Overlay {
        let character = Character::new(read(parts), BindChoice::Auto);
        let at = Some(FrameAt::exact(AnimationId(0), 0));
        let frame = Frame::new(&character, at, &ViewOptions::default());
        let job = OverlayJob {
            subject: &character,
            frame: &frame,
            camera: Camera2d::default().into(),
            size,
            options: &options,
            letters: None,
        };
        let (mut scratch, mut out) = (OverlayScratch::default(), Overlay::default());
        job.run(&mut scratch, &mut out);
        let first = out.clone();
        job.run(&mut scratch, &mut out);
        assert_eq!(out, first, "nothing is left of the frame before");
        first
    }

    const BONES: OverlayOptions =
        OverlayOptions { layers: Layers::of(&[Layer::Bones]), ..OverlayOptions::NOTHING };

    /// Returns the corners in one ink, in draw order.
    fn corners(overlay: &Overlay, ink: impl Paint) -> Vec<[f32; 2]> {
        let inked = overlay.vertices().iter().filter(|vertex| vertex.texel == ink.texel());
        inked.map(|vertex| vertex.position).collect()
    }

    fn near(got: &[[f32; 2]], wanted: &[[f32; 2]]) {
        assert_eq!(got.len(), wanted.len(), "{got:?}");
        for (got, wanted) in got.iter().zip(wanted) {
            let off = got.iter().zip(wanted).map(|(a, b)| (a - b).abs());
            assert!(off.fold(0.0, f32::max) < 1e-3, "{got:?} is not {wanted:?}");
        }
    }

    #[test]
    fn nothing_is_drawn_unless_it_is_wanted() {
        let options = OverlayOptions { scale: 4, ..OverlayOptions::default() };
        assert!(options.is_empty() && drawn(&chain(&[at(0.0, 0.0)]), options).is_empty());
        assert!(!BONES.is_empty());
    }

    #[test]
    fn overdraw_has_its_legend_in_small_pictures_too_and_replaces_the_meshes_and_their_weights() {
        let layers = Layers::of(&[Layer::Overdraw]);
        let options =
            OverlayOptions { layers, weights: Some(BoneId(0)), ..OverlayOptions::NOTHING };
        let most = Heat::all().last().unwrap();
        assert_eq!(most.0, HEATS);
        for (width, left) in [(200, 174.0), (190, 170.0), (112, 92.0)] {
            let overlay = drawn_in([width, 64], &chain(&[at(0.0, 0.0)]), options);
            assert!(overlay.hides_meshes() && overlay.masked_vertices().is_empty());
            let corners = corners(&overlay, most);
            assert_eq!(corners.first().map(|[x, _]| *x), Some(left), "{width}");
        }
        assert!(!drawn(&chain(&[at(0.0, 0.0)]), BONES).hides_meshes());
    }

    #[test]
    fn a_bone_is_a_kite_to_its_child() {
        let overlay = drawn(&chain(&[at(0.0, 0.0), at(40.0, 0.0)]), BONES);
        // 40 long, its waist after a fifth of that, 2.8 wide on each side; then the short one at the end.
        let lit = corners(&overlay, Ink::Bone);
        near(&lit[..3], &[[100.0, 50.0], [108.0, 47.2], [140.0, 50.0]]);
        near(
            &corners(&overlay, Ink::BoneShade)[..3],
            &[[100.0, 50.0], [140.0, 50.0], [108.0, 52.8]],
        );
        near(&[lit[3], lit[5]], &[[140.0, 50.0], [140.0, 32.0]]);
        assert_eq!((lit.len(), corners(&overlay, Ink::Joint).len()), (6, 32));
    }

    #[test]
    fn a_bone_without_children_points_along_its_own_y_axis() {
        for (transform, wanted) in [
            (at(0.0, 0.0), [100.0, 32.0]),
            (BoneTransform { rotation: -90.0, ..at(0.0, 0.0) }, [118.0, 50.0]),
            (BoneTransform { scale_y: -3.0, ..at(0.0, 0.0) }, [100.0, 68.0]),
            (BoneTransform { scale_x: 0.0, scale_y: 1e-20, ..at(0.0, 0.0) }, [100.0, 32.0]),
        ] {
            near(&corners(&drawn(&chain(&[transform]), BONES), Ink::Bone)[2..], &[wanted]);
        }
        let overlay = drawn(&chain(&[BoneTransform { scale_y: 0.0, ..at(0.0, 0.0) }]), BONES);
        assert!(corners(&overlay, Ink::Bone).is_empty(), "it points nowhere");
        assert_eq!(corners(&overlay, Ink::Joint).len(), 16, "but it is there");
    }

    #[test]
    fn what_lies_beyond_numbers_is_left_out() {
        let far = drawn(&chain(&[at(0.0, 0.0), at(f32::MAX, 0.0), at(f32::MAX, 0.0)]), BONES);
        assert_eq!(corners(&far, Ink::Joint).len(), 16);
        assert!(far.vertices().iter().all(|vertex| vertex.position.iter().all(|c| c.is_finite())));
    }

    #[test]
    fn without_a_frame_no_bone_has_a_place() {
        let mut parts = chain(&[at(0.0, 0.0), at(40.0, 0.0)]);
        parts.animations.clear();
        let all =
            OverlayOptions { layers: Layers::of(&[Layer::Names]), bone: Some(BoneId(0)), ..BONES };
        assert!(drawn(&parts, all).is_empty());
        let meshes =
            OverlayOptions { layers: Layers::of(&[Layer::Wireframe]), ..OverlayOptions::NOTHING };
        assert!(!drawn(&parts, meshes).is_empty(), "meshes have one");
    }

    #[test]
    fn each_side_of_a_triangle_is_drawn_once() {
        let options =
            OverlayOptions { layers: Layers::of(&[Layer::Wireframe]), ..OverlayOptions::NOTHING };
        let overlay = drawn(&chain(&[at(0.0, 0.0)]), options);
        // Two triangles have five sides; each is a rectangle, and another around it.
        assert_eq!(corners(&overlay, Ink::Wire).len(), 5 * 4);
        assert_eq!(corners(&overlay, Ink::FaintHalo).len(), 5 * 4);
        assert_eq!(overlay.vertices().len(), 2 * 5 * 4);
    }

    #[test]
    fn the_outline_of_a_mesh_is_what_no_two_triangles_share() {
        let options = OverlayOptions { mesh: Some(MeshId(0)), ..OverlayOptions::NOTHING };
        let overlay = drawn(&chain(&[at(0.0, 0.0)]), options);
        assert_eq!(corners(&overlay, Ink::Accent).len(), 4 * 4);
        assert_eq!(corners(&overlay, Ink::FaintAccent).len(), 4);
        let (mesh, bone) = (Some(MeshId(1)), Some(BoneId(1)));
        let absent = OverlayOptions { mesh, bone, ..OverlayOptions::NOTHING };
        assert!(drawn(&chain(&[at(0.0, 0.0)]), absent).is_empty());
    }

    #[test]
    fn names_that_would_cover_others_are_left_out() {
        let names =
            OverlayOptions { layers: Layers::of(&[Layer::Names]), ..OverlayOptions::NOTHING };
        let letters = |bones: usize| {
            let overlay = drawn(&chain(&vec![at(0.0, 0.0); bones]), names);
            // Two letters each.
            overlay.vertices().len() / 4 / 2
        };
        assert_eq!([1, 2, 3, 4, 5, 9].map(letters), [1, 2, 3, 4, 4, 4]);
        let chosen = OverlayOptions { bone: Some(BoneId(8)), ..names };
        let parts = chain(&[at(0.0, 0.0); 9]);
        assert_ne!(drawn(&parts, names), drawn(&parts, chosen));
    }

    #[test]
    fn names_are_seen_on_light_and_dark_and_the_chosen_one_stands_out() {
        let parts = chain(&[at(0.0, 0.0), at(40.0, 0.0)]);
        let names = |light, bone| {
            let names =
                OverlayOptions { layers: Layers::of(&[Layer::Names]), ..OverlayOptions::NOTHING };
            let overlay = drawn(&parts, OverlayOptions { light, bone, ..names });
            // The letters come last: two names of two letters.
            overlay.vertices().iter().rev().take(16).map(|vertex| vertex.texel).collect::<Vec<_>>()
        };
        let [dark, light] = [false, true].map(|light| names(light, None));
        assert!(dark.iter().all(|texel| !light.contains(texel)));
        for (light, plain) in [(false, dark), (true, light)] {
            let chosen = names(light, Some(BoneId(0)));
            let changed = chosen.iter().filter(|texel| !plain.contains(texel)).count();
            assert_eq!(changed, 8, "one name of two");
        }
    }

    #[test]
    fn everything_grows_with_the_scale() {
        let span = |scale: u32| {
            let overlay = drawn(&chain(&[at(0.0, 0.0)]), OverlayOptions { scale, ..BONES });
            corners(&overlay, Ink::Joint).iter().fold(0.0, |most: f32, [x, _]| most.max(x - 100.0))
        };
        let [one, three, most, beyond, none] = [1, 3, 8, 9, 0].map(span);
        assert!((three - 3.0 * one).abs() < 1e-3 && (most - 8.0 * one).abs() < 1e-3);
        assert_eq!((beyond, none), (most, one), "1 to 8");
    }

    #[test]
    fn odd_weights_are_flagged_and_counted() {
        let vertex = |bone_weights| Vertex { bone_weights, ..Vertex::default() };
        let [half, off] = [Some(VertexFlag::NotSumming), Some(VertexFlag::Unweighted)];
        for (weights, wanted) in [
            ([1.0, 0.0, 0.0, 0.0], None),
            ([0.25; 4], None),
            ([0.9995, 0.0, 0.0, 0.0], None),
            ([1.0, -5.0, 0.0, 0.0], None),
            ([0.998, 0.0, 0.0, 0.0], half),
            ([0.5, 0.502, 0.0, 0.0], half),
            ([0.0; 4], off),
            ([-1.0, 0.0, 0.0, 0.0], off),
        ] {
            assert_eq!(vertex_flag(&vertex(weights)), wanted, "{weights:?}");
        }
        let mut parts = chain(&[at(0.0, 0.0)]);
        let [a, b, c, _] = parts.meshes[0].vertices.first_chunk_mut().unwrap();
        a.bone_weights = [0.0; 4];
        b.bone_weights = [0.5, 0.0, 0.0, 0.0];
        c.bone_weights = [2.0, 0.0, 0.0, 0.0];
        let flags = Flagged { unweighted: 1, not_summing: 2 };
        let file = read(&parts);
        assert_eq!(flagged(&file, file.mesh_ids()), flags);
        assert_eq!(flagged(&file, [MeshId(1)]), Flagged::default());
        let options = OverlayOptions { weights: Some(BoneId(0)), ..OverlayOptions::NOTHING };
        let overlay = drawn(&parts, options);
        assert_eq!(corners(&overlay, Ink::Unweighted).len(), 8, "a cross");
        assert_eq!(corners(&overlay, Ink::NotSumming).len(), 6, "two triangles");
    }
}
