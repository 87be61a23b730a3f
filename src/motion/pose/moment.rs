//! Moments of a motion.

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
    /// Returns the moment with its frame, for keys.
    pub(super) fn of(self, motion: &Motion) -> PlanMoment {
        let last = motion.frames().saturating_sub(1);
        let frame = match self {
            Self::Frame(frame) => frame.min(last).into(),
            Self::Seconds(seconds) => {
                let frame = f64::from(seconds) * f64::from(motion.frames_per_second());
                frame.max(0.0).min(last.into())
            }
        };
        PlanMoment {
            moment: self,
            frame,
        }
    }
}

/// A moment that is also given as a frame, which for keys may lie between two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlanMoment {
    /// For samples.
    pub(crate) moment: Moment,
    /// For keys.
    pub(crate) frame: f64,
}

impl PlanMoment {
    /// Returns the moment of a whole frame.
    pub(crate) fn frame(frame: u32) -> Self {
        Self {
            moment: Moment::Frame(frame),
            frame: frame.into(),
        }
    }
}
