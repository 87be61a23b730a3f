//! What a picture must hold.

use super::{Scene, ViewOptions};
use crate::document::Document;
use crate::pose::{BindPose, FrameAt, Pose, PoseJob, skin_mesh};

/// An upright rectangle in world pixels, Y up; `min` is not above `max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Left and lower edge.
    pub min: [f32; 2],
    /// Right and upper edge.
    pub max: [f32; 2],
}

impl Bounds {
    /// The smallest bounds that hold both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let both = |pick: fn(f32, f32) -> f32, [ax, ay]: [f32; 2], [bx, by]: [f32; 2]| {
            [pick(ax, bx), pick(ay, by)]
        };
        Self {
            min: both(f32::min, self.min, other.min),
            max: both(f32::max, self.max, other.max),
        }
    }
}

/// Finds the bounds of what is drawn over some frames.
#[derive(Clone, Copy, Debug)]
pub struct BoundsJob<'a> {
    /// The document.
    pub document: &'a Document,
    /// Its bind pose.
    pub bind: &'a BindPose,
    /// Only meshes that are drawn count.
    pub view: &'a ViewOptions,
}

impl BoundsJob<'_> {
    /// The union over `frames`; `None` if nothing is drawn in any. Positions that are not finite do not count.
    #[must_use]
    pub fn run(&self, frames: impl IntoIterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        self.run_in(&mut Scene::new(self.document), frames)
    }

    /// The same with a scene of the document that is there already: finding the owners looks at every vertex.
    #[must_use]
    pub fn run_in(
        &self,
        scene: &mut Scene,
        frames: impl IntoIterator<Item = Option<FrameAt>>,
    ) -> Option<Bounds> {
        let mut pose = Pose::default();
        let mut points = Vec::new();
        let mut bounds: Option<Bounds> = None;
        for at in frames {
            PoseJob {
                document: self.document,
                bind: self.bind,
                at,
            }
            .run(&mut pose);
            for draw in scene.build(self.document, &pose, self.view).draws() {
                let Some(mesh) = self.document.mesh(draw.mesh) else {
                    continue;
                };
                points.clear();
                skin_mesh(
                    &mesh,
                    pose.world_from_bind(),
                    pose.at().is_some(),
                    &mut points,
                );
                for point in points
                    .iter()
                    .filter(|[x, y]| x.is_finite() && y.is_finite())
                {
                    let point = Bounds {
                        min: *point,
                        max: *point,
                    };
                    bounds = Some(bounds.map_or(point, |bounds| bounds.union(point)));
                }
            }
        }
        bounds
    }
}
