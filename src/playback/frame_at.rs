//! A moment of an animation.

use crate::document::AnimationId;

/// A moment of an animation: a frame, and its blend towards another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameAt {
    /// The animation.
    pub animation: AnimationId,
    /// The frame that is shown. It also determines order and visibility.
    pub frame: u16,
    /// The frame that it is blended towards.
    pub next: u16,
    /// Weight of `next`: 0..1.
    pub blend: f32,
}

impl FrameAt {
    /// Returns a frame without blending.
    #[must_use]
    pub fn exact(animation: AnimationId, frame: u16) -> Self {
        Self {
            animation,
            frame,
            next: frame,
            blend: 0.0,
        }
    }

    /// Returns the position in frames from the start of the animation: 0 up to the frame count.
    #[must_use]
    pub fn position(&self) -> f64 {
        f64::from(self.frame) + f64::from(self.blend)
    }
}
