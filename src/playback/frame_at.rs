//! A moment of an animation.

use crate::document::AnimationId;

/// A moment of an animation: a frame, and how far it is blended towards another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameAt {
    /// The animation.
    pub animation: AnimationId,
    /// The frame that is shown, and that order and visibility come from.
    pub frame: u16,
    /// The frame that it is blended towards.
    pub next: u16,
    /// Weight of `next`: 0..1.
    pub blend: f32,
}

impl FrameAt {
    /// A frame as authored.
    #[must_use]
    pub fn exact(animation: AnimationId, frame: u16) -> Self {
        Self {
            animation,
            frame,
            next: frame,
            blend: 0.0,
        }
    }

    /// Position in frames from the start of the animation: 0 up to the frame count.
    #[must_use]
    pub fn position(&self) -> f64 {
        f64::from(self.frame) + f64::from(self.blend)
    }
}
