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

/// A cross-fade from one moment to another, of the same or of another animation.
///
/// Bone by bone, places and scales are interpolated, rotations along the shorter arc. Visibility and order are those of the moment
/// with more weight; at one half those of `to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mix {
    /// The moment that is faded to.
    pub to: FrameAt,
    /// Weight of `to`: 0 shows only the other moment, 1 only `to`.
    pub amount: f32,
}

impl Mix {
    /// Returns the one of two moments that has more weight: the other one, `from`, or [`Self::to`].
    #[must_use]
    pub fn owner(self, from: FrameAt) -> FrameAt {
        if self.amount >= 0.5 { self.to } else { from }
    }
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
