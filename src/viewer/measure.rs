//! What a document looks like before it is shown: which animation a text means, and how large it is.

use crate::document::{AnimationId, Document};
use crate::scene::{Bounds, Subject, ViewOptions};

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

/// The bounds of `animation` over its frames; those of the stored pose without one.
pub(crate) fn bounds(
    subject: &dyn Subject,
    view: &ViewOptions,
    animation: Option<AnimationId>,
) -> Option<Bounds> {
    let playable = animation.filter(|id| subject.distinct_frames(*id) > 0);
    let mut sweep = subject.sweep(view);
    match playable {
        Some(id) => sweep.over(&mut subject.moments(id)),
        None => sweep.over(&mut [None].into_iter()),
    }
}
