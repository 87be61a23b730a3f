//! Bounds of the drawing of a character over many frames.
//!
//! Moving every vertex for every frame is exact but costs frames × vertices. [`BoundsSweep`] gives the same bounds for far
//! less: a frame whose bone boxes ([`rough`]) lie inside the bounds found so far cannot extend them and is skipped;
//! in any other frame a tree of vertex boxes ([`tree`]) leads to the few vertices on the border, and only these are moved.

#[cfg(test)]
mod tests;
mod tree;

use std::collections::HashSet;

use self::tree::{BoxTree, Rough, Span};
use crate::character::Character;
use crate::pose::{FrameAt, Pose};
use crate::scene::{Bounds, Frame, Subject as _, Sweep, ViewOptions};

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
    frame: Frame,
    points: Vec<[f32; 2]>,
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
            frame: Frame::default(),
            points: Vec::new(),
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

    fn move_all(&mut self, at: Option<FrameAt>, span: &mut Span) {
        let Self { character, view, frame, points, .. } = self;
        frame.fill(*character, at, view);
        for draw in frame.draws() {
            let Some(mesh) = character.document().mesh(draw.mesh) else {
                continue;
            };
            points.clear();
            frame.pose().place(&mesh, points);
            points.iter().for_each(|point| span.add(*point));
        }
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
                self.move_all(at, &mut span);
                continue;
            }
            let Self { character, view, pose, shared, .. } = self;
            let document = character.document();
            character.pose(at, pose);
            let sampled =
                pose.at().and_then(|at| document.animation(at.animation)?.frame(at.frame));
            // Vertices that stay as stored are not in the tree.
            let (Some(at), Some(sampled), true) = (pose.at(), sampled, pose.is_skinned()) else {
                self.move_all(at, &mut span);
                continue;
            };
            let Shared { tree, rough } = shared.get_or_insert_with(|| {
                let tree = BoxTree::new(document, character.owners(), view);
                let rough = Rough::new(&tree, document.bones().len());
                Shared { tree, rough }
            });
            let maps = pose.world_from_bind();
            let Some([min, max]) = rough.around(maps) else {
                continue;
            };
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
