//! The bounds of a subject.

use crate::document::AnimationId;
use crate::scene::{Bounds, Subject, ViewOptions};

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
