//! Moments of a motion.

use super::timed_curve::KeyTime;
use crate::motion::Motion;

/// A moment of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// A frame, from 0; beyond the end that is the last one.
    Frame(u32),
    /// A time in seconds. Before the start and after the end the motion holds its pose.
    Seconds(f32),
}

impl Moment {
    /// Returns the moment for each kind of tracks.
    pub(super) fn of(self, motion: &Motion) -> PlanMoment {
        let last = motion.frames().saturating_sub(1);
        match self {
            Self::Frame(frame) => PlanMoment::frame(frame.min(last), motion),
            Self::Seconds(seconds) => {
                let frame = f64::from(seconds) * f64::from(motion.frames_per_second());
                PlanMoment {
                    moment: self,
                    frame: frame.max(0.0).min(last.into()),
                    time: KeyTime::exact(seconds),
                }
            }
        }
    }
}

/// A moment for each kind of tracks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlanMoment {
    /// For samples.
    pub(super) moment: Moment,
    /// For keys on frames; it may lie between two.
    pub(super) frame: f64,
    /// For keys at times.
    pub(super) time: KeyTime,
}

impl PlanMoment {
    /// Returns the moment of a whole frame.
    pub(crate) fn frame(frame: u32, motion: &Motion) -> Self {
        Self {
            moment: Moment::Frame(frame),
            frame: frame.into(),
            time: KeyTime::of_position(frame.into(), motion.frames_per_second()),
        }
    }

    /// Returns the moment of a position between frames.
    pub(crate) fn between(position: f64, motion: &Motion) -> Self {
        let rate = motion.frames_per_second();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "samples are taken at times of 32 bits"
        )]
        let seconds = (position / f64::from(rate)) as f32;
        Self {
            moment: Moment::Seconds(seconds),
            frame: position,
            time: KeyTime::of_position(position, rate),
        }
    }
}
