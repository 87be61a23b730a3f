//! Bounds of what is drawn over many frames.
//!
//! Moving every vertex for every frame is exact but costs frames × vertices. [`BoundsSweep`] gives the same bounds for far
//! less: a frame whose bone boxes ([`rough`]) lie inside the bounds found so far cannot extend them and is passed over;
//! in any other frame a tree of vertex boxes ([`tree`]) leads to the few vertices on the border, and only these are moved.

mod rough;
mod span;
mod sweep;
#[cfg(test)]
mod tests;
mod tree;

pub use self::sweep::BoundsSweep;
use super::{Scene, ViewOptions};
use crate::document::{AnimationId, Document};
use crate::pose::{BindPose, FrameAt};

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

impl<'a> BoundsJob<'a> {
    /// The union over `frames`; `None` if nothing is drawn in any. Positions that are not finite do not count.
    ///
    /// Exact within the limit that [`BoundsSweep`] states.
    #[must_use]
    pub fn run(&self, frames: impl IntoIterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        self.sweep(Scene::new(self.document)).over(frames)
    }

    /// For several unions over frames of the document. `scene` is one of the document's.
    #[must_use]
    pub fn sweep(&self, scene: Scene) -> BoundsSweep<'a> {
        BoundsSweep::new(*self, scene)
    }
}

/// The frames of an animation that can differ: all of them or, without bones, the first.
///
/// Frames without bones take no bytes, so a small file may announce a billion.
pub fn distinct_frames(
    document: &Document,
    animation: AnimationId,
) -> impl Iterator<Item = Option<FrameAt>> + use<> {
    let most = if document.bones().len() == 0 {
        1
    } else {
        u16::MAX
    };
    let count = document.animation(animation).map_or(0, |a| a.frame_count());
    (0..count.min(most)).map(move |frame| Some(FrameAt::exact(animation, frame)))
}
