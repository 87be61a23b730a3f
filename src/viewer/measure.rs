//! The animation that a text means, and the bounds of a subject.

use crate::document::AnimationId;
use crate::scene::{Bounds, Subject, ViewOptions};

/// The animation called `text`, or with that index.
pub(crate) fn find_animation(subject: &dyn Subject, text: &str) -> Option<AnimationId> {
    let mut ids = subject.animation_ids();
    let named = ids.find(|id| subject.animation_name(*id) == text);
    named.or_else(|| {
        let index = text.trim();
        let id = AnimationId(index.strip_prefix('#').unwrap_or(index).parse().ok()?);
        subject.animation(id).map(|_| id)
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
