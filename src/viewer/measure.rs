//! What a document looks like before it is shown: which animation a text means, and how large it is.

use crate::document::{AnimationId, Document};
use crate::pose::BindPose;
use crate::scene::{Bounds, BoundsJob, Scene, ViewOptions, distinct_frames};

/// The animation called `text`, or with that index.
pub(crate) fn find_animation(document: &Document, text: &str) -> Option<AnimationId> {
    let named = document
        .animation_ids()
        .zip(document.animations())
        .find(|(_, animation)| animation.name() == text);
    named.map(|(id, _)| id).or_else(|| {
        let index = text.trim();
        let id = AnimationId(index.strip_prefix('#').unwrap_or(index).parse().ok()?);
        document.animation(id).map(|_| id)
    })
}

/// The bounds of `animation` over its frames; those of the stored pose without one. `scene` is one of the document's.
pub(crate) fn bounds(
    document: &Document,
    bind: &BindPose,
    scene: Scene,
    view: &ViewOptions,
    animation: Option<AnimationId>,
) -> Option<Bounds> {
    let job = BoundsJob {
        document,
        bind,
        view,
    };
    let mut sweep = job.sweep(scene);
    let playable = animation.filter(|id| {
        let animation = document.animation(*id);
        animation.is_some_and(|animation| animation.frame_count() > 0)
    });
    match playable {
        Some(id) => sweep.over(distinct_frames(document, id)),
        None => sweep.over([None]),
    }
}
