//! Timelines of a document's animations, and the animation to show first.

use super::bind::BindPose;
use super::find_bind::is_bind_name;
use crate::document::{Animation, AnimationId, Document, FPS_WHEN_ZERO};
use crate::playback::Timeline;

/// Returns the playback rate of a document in frames per second: [`FPS_WHEN_ZERO`] if the file has 0.
#[must_use]
pub fn playback_fps(document: &Document) -> f64 {
    match document.fps() {
        0 => FPS_WHEN_ZERO.into(),
        fps => fps.into(),
    }
}

/// Returns the timeline of each animation, as authored: index = animation index, not smooth.
#[must_use]
pub fn timelines(document: &Document) -> Vec<Timeline> {
    let ids = document.animation_ids();
    ids.filter_map(|id| timeline(document, id)).collect()
}

/// Returns the timeline of one animation, as authored; `None` if the document has no such animation.
#[must_use]
pub fn timeline(document: &Document, id: AnimationId) -> Option<Timeline> {
    document.animation(id).map(|animation| animation.timeline())
}

impl Animation<'_> {
    /// Returns its timeline, as authored.
    #[must_use]
    pub fn timeline(&self) -> Timeline {
        Timeline {
            frame_count: self.frame_count(),
            fps: playback_fps(self.document()),
            looping: self.looping(),
            smooth: false,
        }
    }
}

/// Returns the animation to show first: the first with frames that is not the bind pose; else the first with frames.
#[must_use]
pub fn default_animation(document: &Document, bind: &BindPose) -> Option<AnimationId> {
    let with_frames = || {
        document
            .animation_ids()
            .zip(document.animations())
            .filter(|(_, a)| a.frame_count() > 0)
    };
    let is_bind = |id: AnimationId| bind.frame().is_some_and(|at| at.animation == id);
    let first_but_bind =
        with_frames().find(|(id, animation)| !(is_bind(*id) && is_bind_name(animation.name())));
    first_but_bind
        .or_else(|| with_frames().next())
        .map(|(id, _)| id)
}
