//! Animations by the names that are typed: on command lines, in suites, and for the window's start.

use pchr::document::AnimationId;
use pchr::scene::Subject;

/// An animation by its name, else by its index, which may follow a `#`.
pub fn animation(subject: &dyn Subject, wanted: &str) -> Option<AnimationId> {
    let mut ids = subject.animation_ids();
    let named = ids.find(|id| subject.animation_name(*id) == wanted);
    named.or_else(|| {
        let index = wanted.strip_prefix('#').unwrap_or(wanted);
        let id = AnimationId(index.parse().ok()?);
        subject.animation(id).map(|_| id)
    })
}
