//! Bounds of the drawing of a character over many frames.
//!
//! Moving every vertex for every frame is exact but costs frames × vertices. [`BoundsSweep`] gives the same bounds for far
//! less: a frame whose bone boxes ([`rough`]) lie inside the bounds found so far cannot extend them and is skipped;
//! in any other frame a tree of vertex boxes ([`tree`]) leads to the few vertices on the border, and only these are moved.

mod tree;

use std::collections::HashSet;

use self::tree::{BoxTree, Rough};
use crate::character::Character;
use crate::pose::{FrameAt, Pose};
use crate::scene::{Bounds, PlainSweep, Span, Subject as _, Sweep, ViewOptions};

/// Frames that are moved whole before a tree is worth its price.
const WHOLE: u32 = 24;
/// Steps through the tree (a box or a vertex each) before frames are only estimated.
const STEPS: u64 = 100_000_000;

/// Bounds over frames of one character. What frames share is worked out once.
///
/// Bounds are exact, to the last bit those of moving every vertex of every frame, unless a union takes more than a hundred
/// million steps, which needs vertices and frames made for it. Frames after that are estimated by the boxes of bones: the
/// bounds hold all that is drawn, but may be larger ([`Sweep::is_exact`] says so). So the time is bounded by the file's
/// size and a second or so.
#[derive(Clone, Debug)]
pub struct BoundsSweep<'a> {
    character: &'a Character,
    view: &'a ViewOptions,
    pose: Pose,
    plain: PlainSweep<'a>,
    whole: u32,
    shared: Option<Shared>,
    steps: u64,
    most_steps: u64,
    together: bool,
    exact: bool,
}

#[derive(Clone, Debug)]
struct Shared {
    tree: BoxTree,
    rough: Rough,
}

impl<'a> BoundsSweep<'a> {
    /// A sweep over frames of `character`. Only meshes that `view` shows count.
    #[must_use]
    pub fn new(character: &'a Character, view: &'a ViewOptions) -> Self {
        Self::with_limits(character, view, WHOLE, STEPS)
    }

    pub(super) fn with_limits(
        character: &'a Character,
        view: &'a ViewOptions,
        whole: u32,
        most_steps: u64,
    ) -> Self {
        Self {
            character,
            view,
            pose: Pose::default(),
            plain: PlainSweep::new(character, view),
            whole,
            shared: None,
            steps: 0,
            most_steps,
            together: false,
            exact: true,
        }
    }

    /// Lets all unions share the limit of one. Otherwise each has its own, and depends on its frames alone.
    #[must_use]
    pub fn limited_together(self) -> Self {
        Self { together: true, ..self }
    }

    /// Boxes and vertices that were looked at since the last union began.
    #[cfg(test)]
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }
}

impl Sweep for BoundsSweep<'_> {
    fn over(&mut self, moments: &mut dyn Iterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        let mut span = Span::EMPTY;
        let mut seen = HashSet::new();
        if !self.together {
            self.steps = 0;
        }
        for at in moments {
            if self.whole > 0 {
                self.whole = self.whole.saturating_sub(1);
                self.plain.add(at, &mut span);
                continue;
            }
            let Self { character, view, pose, shared, .. } = self;
            let document = character.document();
            character.pose(at, pose);
            let sampled =
                pose.at().and_then(|at| document.animation(at.animation)?.frame(at.frame));
            // Vertices that stay as stored are not in the tree.
            let (Some(at), Some(sampled), true) = (pose.at(), sampled, pose.is_skinned()) else {
                self.plain.add(at, &mut span);
                continue;
            };
            let Shared { tree, rough } = shared.get_or_insert_with(|| {
                let tree = BoxTree::new(document, character.owners(), view);
                let rough = Rough::new(&tree, document.bones().len());
                Shared { tree, rough }
            });
            let maps = pose.world_from_bind();
            let Some([min, max]) = rough.around(maps) else { continue };
            let inside = span.holds_all(min, max);
            if inside || (at.blend == 0.0 && !seen.insert(sampled.records())) {
                continue;
            }
            if self.steps < self.most_steps {
                let shows = |bone| sampled.transform(bone).is_some_and(|bone| bone.visible());
                tree.extend(maps, shows, &mut span, &mut self.steps);
            } else {
                self.exact = false;
                span.add(rounded(min));
                span.add(rounded(max));
            }
        }
        span.bounds()
    }

    fn is_exact(&self) -> bool {
        self.exact
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
fn rounded(corner: [f64; 2]) -> [f32; 2] {
    corner.map(|edge| edge.clamp(f32::MIN.into(), f32::MAX.into()) as f32)
}

#[cfg(test)]
mod tests {
    //! The sweep gives the same bounds as moving every vertex.

    use proptest::prelude::*;

    use super::BoundsSweep;
    use crate::character::Character;
    use crate::document::{AnimationId, BoneTransform, DocumentParts, Vertex};
    use crate::fixture::{self, Builder, WHITE};
    use crate::pose::{BindChoice, FrameAt};
    use crate::scene::{
        Bounds, Frame, MeshView, PlainSweep, Span, Subject, Sweep as _, ViewOptions,
    };

    /// Every vertex of every frame.
    fn plain(
        character: &Character,
        view: &ViewOptions,
        frames: impl IntoIterator<Item = Option<FrameAt>>,
    ) -> Option<Bounds> {
        let mut frame = Frame::default();
        let (mut points, mut span) = (Vec::new(), Span::EMPTY);
        for at in frames {
            frame.fill(character, at, view);
            let pose = frame.pose();
            for draw in frame.draws() {
                let mesh = character.document().mesh(draw.mesh).unwrap();
                pose.place(&mesh, &mut points);
            }
            points.drain(..).for_each(|point| span.add(point));
        }
        span.bounds()
    }

    /// A number of any size: small whole ones, which meet exactly, and huge, tiny and odd ones.
    fn number() -> impl Strategy<Value = f32> {
        let odd = vec![0.0, -0.0, 1e-42, -1e-38, 1e19, -3e38, 3e38, 1e30];
        let small = (-20_i8..20).prop_map(f32::from);
        prop_oneof![6 => small, 6 => -300.0_f32..300.0, 1 => prop::sample::select(odd)]
    }

    fn weight() -> impl Strategy<Value = f32> {
        let odd = prop::sample::select(vec![-1.0, 0.5, 3.0, 1e-40, 1e20, 3e38]);
        prop_oneof![3 => Just(1.0_f32), 3 => 0.0_f32..1.0, 2 => Just(0.0_f32), 1 => odd]
    }

    fn transform() -> impl Strategy<Value = BoneTransform> {
        let odd = prop::sample::select(vec![f32::NAN, f32::INFINITY, 1e25, -1e38, 0.0, 1e-30]);
        let scale = prop_oneof![8 => 0.2_f32..2.0, 1 => -2.0_f32..0.0, 1 => odd];
        let rotation = prop_oneof![2 => Just(0.0_f32), 1 => Just(45.0_f32), 3 => -400.0_f32..400.0];
        (number(), number(), rotation, scale.clone(), scale, 0_u8..4).prop_map(
            |(x, y, turn, w, h, flags)| {
                fixture::transform_of((x, y, turn, w, h, u8::from(flags > 0), 0))
            },
        )
    }

    fn vertex(bones: u16) -> impl Strategy<Value = Vertex> {
        let weights = [weight(), weight(), weight(), weight()];
        let bones = [0..bones, 0..bones, 0..bones, 0..bones];
        ([number(), number()], bones, weights).prop_map(|(position, bone_ids, bone_weights)| {
            Vertex { position, bone_ids, bone_weights, ..Vertex::default() }
        })
    }

    prop_compose! {
        fn parts()(bones in 1_u16..5, frames in 1_u16..12)(
            parents in prop::collection::vec(any::<u16>(), usize::from(bones)),
            meshes in prop::collection::vec(prop::collection::vec(vertex(bones), 0..60), 1..5),
            clips in prop::collection::vec(
                prop::collection::vec(transform(), usize::from(bones) * usize::from(frames)), 1..4),
        ) -> DocumentParts {
            let bones = parents.len();
            let mut builder = Builder::new().image(1, &[WHITE]);
            for (i, parent) in (0_u16..).zip(parents) {
                builder = builder.bone(&format!("b{i}"), (parent % (i + 1)).checked_sub(1));
            }
            for vertices in meshes {
                builder = builder.mesh("", 0, vertices, []);
            }
            for transforms in clips {
                let frames: Vec<_> = transforms.chunks(bones).collect();
                builder = builder.animation("", false, &frames);
            }
            builder.parts
        }
    }

    fn read(parts: &DocumentParts) -> Character {
        Character::new(fixture::read(parts), BindChoice::Auto)
    }

    fn of(character: &Character, id: AnimationId) -> impl Iterator<Item = Option<FrameAt>> {
        (character as &dyn Subject).moments(id)
    }

    fn all(character: &Character) -> impl Iterator<Item = Option<FrameAt>> {
        character.document().animation_ids().flat_map(|id| of(character, id))
    }

    proptest! {
        #[test]
        fn the_sweep_is_exact_to_the_last_bit(parts in parts(), hidden in 0_usize..6, whole in 0_u32..3) {
            let character = read(&parts);
            let mut view = ViewOptions { meshes: vec![MeshView::default(); parts.meshes.len()], ..ViewOptions::default() };
            if let Some(mesh) = view.meshes.get_mut(hidden) {
                mesh.visible = Some(hidden % 2 == 0);
            }
            for choice in [BindChoice::Auto, BindChoice::None] {
                let character = character.with_bind(choice);
                let mut sweep = BoundsSweep::with_limits(&character, &view, whole, u64::MAX);
                for id in character.document().animation_ids() {
                    let wanted = plain(&character, &view, of(&character, id));
                    prop_assert_eq!(bits(sweep.over(&mut of(&character, id))), bits(wanted));
                }
                let exact = plain(&character, &view, all(&character));
                prop_assert_eq!(bits(sweep.over(&mut all(&character))), bits(exact));
                prop_assert!(sweep.is_exact());
                let mut simple = PlainSweep::new(&character, &view);
                prop_assert_eq!(simple.over(&mut all(&character)), exact);

                // Estimated bounds contain everything that is drawn.
                let mut rough = BoundsSweep::with_limits(&character, &view, 0, 0);
                if let Some(exact) = exact {
                    let rough = rough.over(&mut all(&character)).unwrap();
                    prop_assert_eq!(rough.union(exact), rough);
                }
            }
        }
    }

    /// Equal numbers may differ in the sign of zero.
    fn bits(bounds: Option<Bounds>) -> Option<[[u32; 2]; 2]> {
        bounds.map(|bounds| [bounds.min, bounds.max].map(|corner| corner.map(f32::to_bits)))
    }

    /// One bone that grows from frame to frame, so that each frame extends the bounds.
    fn growing(side: u16, frames: u16) -> Character {
        let vertex = |i: u16| fixture::vertex(0, [f32::from(i % side), f32::from(i / side)]);
        let transform = |frame: u16| {
            let scale = 1.0 + f32::from(frame) / 100.0;
            fixture::transform_of((0.0, 0.0, f32::from(frame) / 7.0, scale, scale, 1, 0))
        };
        let frames: Vec<_> = (0..frames).map(|frame| [transform(frame)]).collect();
        let builder = Builder::new().image(1, &[WHITE]).bones(1);
        let vertices: Vec<_> = (0..side * side).map(vertex).collect();
        read(&builder.mesh("", 0, vertices, []).animation("", false, &frames).parts)
    }

    #[test]
    fn frames_that_all_extend_the_bounds_cost_few_steps() {
        let (side, frames) = (60, 400);
        let character = growing(side, frames);
        let view = ViewOptions::default();
        let mut sweep = BoundsSweep::new(&character, &view);
        let found = sweep.over(&mut of(&character, AnimationId(0)));
        let at = |frame: u16| Some(FrameAt::exact(AnimationId(0), frame));
        assert_eq!(bits(found), bits(plain(&character, &view, (0..frames).map(at))));
        let all = u64::from(side) * u64::from(side) * u64::from(frames);
        assert!(sweep.steps() < all / 20, "{} of {all} steps", sweep.steps());

        // The limit holds, and is reported.
        let mut sweep = BoundsSweep::with_limits(&character, &view, 0, 5_000);
        let rough = sweep.over(&mut (0..frames).map(at)).unwrap();
        assert!(!sweep.is_exact() && sweep.steps() < 10_000);
        assert_eq!(rough.union(found.unwrap()), rough);
    }

    #[test]
    fn frames_without_bones_are_one() {
        assert_eq!(all(&read(&Builder::new().still("", false, u16::MAX).parts)).count(), 1);
    }
}
