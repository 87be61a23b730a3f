//! Frame after frame: passed over, followed through the tree, or moved whole.

use std::collections::HashSet;

use super::rough::Rough;
use super::span::Span;
use super::tree::Tree;
use super::{Bounds, BoundsJob};
use crate::pose::{FrameAt, Pose, PoseJob, skin_mesh};
use crate::scene::Scene;

/// Frames that are moved whole before a tree is worth its price.
const WHOLE: u32 = 24;
/// Steps through the tree (a box or a vertex each) before frames are only estimated.
const STEPS: u64 = 100_000_000;

/// Bounds over frames of one document. What frames share is worked out once.
///
/// Bounds are exact, to the last bit those of moving every vertex of every frame, unless a union takes more than a hundred
/// million steps, which needs vertices and frames made for it. Frames after that are estimated by the boxes of bones: the
/// bounds hold all that is drawn, but may be larger ([`Self::is_exact`] says so). So the time is bounded by the file's
/// size and a second or so.
#[derive(Clone, Debug)]
pub struct BoundsSweep<'a> {
    job: BoundsJob<'a>,
    scene: Scene,
    pose: Pose,
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
    tree: Tree,
    rough: Rough,
}

impl<'a> BoundsSweep<'a> {
    pub(super) fn new(job: BoundsJob<'a>, scene: Scene) -> Self {
        Self::with_limits(job, scene, WHOLE, STEPS)
    }

    pub(super) fn with_limits(
        job: BoundsJob<'a>,
        scene: Scene,
        whole: u32,
        most_steps: u64,
    ) -> Self {
        Self {
            job,
            scene,
            pose: Pose::default(),
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
        Self {
            together: true,
            ..self
        }
    }

    /// The union over `frames`; `None` if nothing is drawn in any. Positions that are not finite do not count.
    #[must_use]
    pub fn over(&mut self, frames: impl IntoIterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        let mut span = Span::EMPTY;
        let mut seen = HashSet::new();
        if !self.together {
            self.steps = 0;
        }
        for at in frames {
            let (document, bind) = (self.job.document, self.job.bind);
            PoseJob { document, bind, at }.run(&mut self.pose);
            let Some(at) = self.pose.at().filter(|_| self.whole == 0) else {
                self.whole = self.whole.saturating_sub(1);
                self.move_all(&mut span);
                continue;
            };
            let animation = document.animation(at.animation);
            let Some(frame) = animation.and_then(|animation| animation.frame(at.frame)) else {
                continue; // a frame that is posed is there
            };
            let Self {
                job,
                scene,
                pose,
                shared,
                ..
            } = self;
            let Shared { tree, rough } = shared.get_or_insert_with(|| {
                let tree = Tree::new(document, scene.owners(), job.view);
                let rough = Rough::new(&tree, document.bones().len());
                Shared { tree, rough }
            });
            let maps = pose.world_from_bind();
            let Some([min, max]) = rough.around(maps) else {
                continue;
            };
            let inside = span.holds_all(min, max);
            if inside || (at.blend == 0.0 && !seen.insert(frame.records())) {
                continue;
            }
            if self.steps < self.most_steps {
                let shows = |bone| frame.transform(bone).is_some_and(|bone| bone.visible());
                tree.extend(maps, shows, &mut span, &mut self.steps);
            } else {
                self.exact = false;
                span.add(rounded(min));
                span.add(rounded(max));
            }
        }
        span.bounds()
    }

    /// Returns whether all bounds so far are exact, and not only large enough.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Boxes and vertices that were looked at since the last union began.
    #[cfg(test)]
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Adds every vertex of the pose.
    fn move_all(&mut self, span: &mut Span) {
        let Self {
            job: BoundsJob { document, view, .. },
            scene,
            pose,
            points,
            ..
        } = self;
        for draw in scene.build(document, pose, view).draws() {
            let Some(mesh) = document.mesh(draw.mesh) else {
                continue;
            };
            points.clear();
            skin_mesh(&mesh, pose.world_from_bind(), pose.at().is_some(), points);
            points.iter().for_each(|point| span.add(*point));
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
fn rounded(corner: [f64; 2]) -> [f32; 2] {
    corner.map(|edge| edge.clamp(f32::MIN.into(), f32::MAX.into()) as f32)
}
