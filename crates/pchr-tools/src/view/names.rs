//! Animations and bind poses by the names that are typed: on command lines, in suites, and for the window's start.

use pchr::document::AnimationId;
use pchr::pose::BindChoice;
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

/// Reason why a text names no bind pose.
#[derive(Debug, PartialEq, Eq)]
pub enum NoBind<'a> {
    /// The subject has none.
    Unbound,
    /// There is no such animation.
    Animation(&'a str),
    /// The animation has fewer frames.
    Frame(AnimationId, u16),
}

/// A bind pose by its name: `ANIMATION`, `ANIMATION:FRAME` or `none`. The name of an animation may hold a colon itself.
pub fn bind<'a>(subject: &dyn Subject, wanted: &'a str) -> Result<BindChoice, NoBind<'a>> {
    if subject.skinned().is_none() {
        return Err(NoBind::Unbound);
    }
    if wanted == "none" {
        return Ok(BindChoice::None);
    }
    let (name, frame) = match (animation(subject, wanted), wanted.rsplit_once(':')) {
        (None, Some((name, frame))) if frame.bytes().all(|byte| byte.is_ascii_digit()) => {
            (name, frame.parse().unwrap_or(u16::MAX))
        }
        _ => (wanted, 0),
    };
    let id = animation(subject, name).ok_or(NoBind::Animation(name))?;
    if frame < subject.frame_count(id) {
        Ok(BindChoice::Frame(id, frame))
    } else {
        Err(NoBind::Frame(id, frame))
    }
}
