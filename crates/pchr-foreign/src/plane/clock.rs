//! Frames of a character at the moments of a motion.

use crate::motion::{Moment, Motion};

/// Frames of the new animation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timing {
    /// The motion keeps its speed: it is resampled if the character has another frame rate, which all its animations share.
    /// The last frame holds the motion's end.
    #[default]
    Resample,
    /// The motion keeps its frames, and is faster or slower where the character has another rate.
    FrameByFrame,
}

/// Other frames than the motion's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resampled {
    /// Frames per second of the motion.
    pub from: f32,
    /// Frames per second of the character.
    pub to: f64,
    /// Number of frames of the motion.
    pub from_frames: u32,
    /// Number of frames of the new animation.
    pub to_frames: u16,
}

/// The moment of each frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    /// Frames of the motion in a frame of the character.
    step: f64,
    rate: f64,
    last: u32,
}

impl Clock {
    /// Farther apart two frames are not the same.
    const NEAR: f64 = 1e-6;

    /// The clock, and the number of frames, as a whole number of any size.
    pub(super) fn new(motion: &Motion, fps: f64, timing: Timing) -> (Self, f64) {
        let rate = f64::from(motion.frames_per_second());
        let is_same = (rate - fps).abs() <= fps * Self::NEAR;
        let step = match timing {
            Timing::Resample if !is_same => rate / fps,
            _ => 1.0,
        };
        let last = motion.frames().saturating_sub(1);
        let behind = f64::from(last) / step;
        let frames = (behind - Self::NEAR * behind.max(1.0)).ceil().max(0.0) + 1.0;
        (Self { step, rate, last }, frames)
    }

    /// Returns the number of the motion's frames in one of the character's.
    pub(super) fn step(&self) -> f64 {
        self.step
    }

    /// Returns whether the frames are others than the motion's.
    pub(super) fn resamples(&self) -> bool {
        self.step != 1.0
    }

    /// The moment of a frame, and the motion's frame that has begun then.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "frames from 0 to the last; seconds as motions take them"
    )]
    pub(super) fn at(&self, frame: u16) -> (Moment, u32) {
        let place = (f64::from(frame) * self.step).min(self.last.into());
        let nearest = place.round();
        if (place - nearest).abs() <= Self::NEAR * nearest.max(1.0) {
            let nearest = nearest as u32;
            return (Moment::Frame(nearest), nearest);
        }
        (Moment::Seconds((place / self.rate) as f32), place as u32)
    }
}
