//! The bounds of each animation, and of all.

use crate::document::Document;
use crate::pose::BindPose;
use crate::scene::{Bounds, BoundsJob, Scene, ViewOptions, distinct_frames};

/// The bounds of what is drawn.
#[derive(Debug)]
pub(super) struct Extent {
    /// By animation index: over its frames.
    pub(super) animations: Vec<Option<Bounds>>,
    /// Over all of them; of the stored pose, if there is no frame.
    pub(super) character: Option<Bounds>,
    /// True if these are exact, and not only large enough.
    pub(super) exact: bool,
}

impl Extent {
    pub(super) fn new(document: &Document, bind: &BindPose) -> Self {
        let job = BoundsJob {
            document,
            bind,
            view: &ViewOptions::default(),
        };
        let mut sweep = job.sweep(Scene::new(document)).limited_together();
        let ids = document.animation_ids();
        let animations: Vec<_> = ids
            .map(|id| sweep.over(distinct_frames(document, id)))
            .collect();
        let posed = document.animations().any(|a| a.frame_count() > 0);
        let character = if posed {
            animations.iter().copied().flatten().reduce(Bounds::union)
        } else {
            sweep.over([None])
        };
        Self {
            animations,
            character,
            exact: sweep.is_exact(),
        }
    }
}
