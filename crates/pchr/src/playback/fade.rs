//! Cross-fades from one clip to another: their length, curve and course.

use super::state::Playback;
use super::timeline::Timeline;

/// Weight of the clip that is faded to, over the time of a fade; [`Self::Linear`] by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FadeCurve {
    /// Grows evenly.
    #[default]
    Linear,
    /// Starts and ends slowly: `3t² − 2t³`.
    Smooth,
}

impl FadeCurve {
    /// Returns the weight at a share of the fade's time; both are 0..=1.
    #[must_use]
    pub fn at(self, share: f64) -> f64 {
        let t = share.clamp(0.0, 1.0);
        match self {
            Self::Linear => t,
            Self::Smooth => t * t * (3.0 - 2.0 * t),
        }
    }
}

/// Length and curve of a cross-fade. By default it takes no time: a cut.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FadeOptions {
    /// Seconds of animation; 0 or less cuts from one clip to the other.
    pub seconds: f64,
    /// Course of the weights.
    pub curve: FadeCurve,
}

/// A cross-fade that is under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Fade {
    /// The clip that is faded out. It plays on, or stands where it was paused or ended.
    pub from: Playback,
    /// Seconds since the fade began: 0 up to the length, and beyond both while it is scrubbed.
    pub seconds: f64,
    /// Length and curve.
    pub options: FadeOptions,
    /// The clip as it was when the fade began.
    pub(super) began: Playback,
}

impl Fade {
    /// Returns the share of its time that has passed, 0..=1.
    #[must_use]
    pub fn share(&self) -> f64 {
        (self.seconds / self.options.seconds).clamp(0.0, 1.0)
    }

    /// Returns the weight of the clip that is faded to, 0..=1.
    #[must_use]
    pub fn amount(&self) -> f64 {
        self.options.curve.at(self.share())
    }

    /// Moves it to a number of seconds since it began, with the clip that is faded out.
    pub(super) fn seek(&mut self, timelines: &[Timeline], seconds: f64) {
        self.seconds = seconds;
        self.from = self.began.clone();
        self.from.speed = 1.0; // its seconds are those of animation
        let _ = self.from.advance(timelines, seconds.clamp(0.0, self.options.seconds));
        self.from.speed = self.began.speed;
    }
}
