//! A frame of an animation, and choices of frames: `7`, `0..24`, `0..=24`, `0..48:2`, `0..:2`, `all`, and lists like
//! `0,6,12..=18:2`.

use std::fmt;
use std::str::FromStr;

use crate::document::AnimationId;

/// A choice of frames, as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameSpec {
    /// One frame.
    One(u32),
    /// Every `step`th frame from `start` on, before `end`.
    Range {
        /// The first frame.
        start: u32,
        /// The frame after the last; greater than `start`. `None` goes on to the animation's end.
        end: Option<u64>,
        /// At least 1.
        step: u32,
    },
    /// Every frame.
    All,
    /// Single frames and ranges. None of them is a list.
    List(Vec<FrameSpec>),
}

/// Reason why a frame choice is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameSpecError {
    /// It is not of a form that is known.
    #[error(
        "invalid frame range {0:?}: expected 7, 0..24, 0..=24, 0..48:2, 0..:2, a list like 0,6,12 or all"
    )]
    Form(String),
    /// It chooses nothing.
    #[error("{0:?} selects no frames")]
    Empty(String),
    /// There are not as many frames.
    #[error("frame {frame} does not exist; the animation has {}", frames(*count))]
    Range {
        /// The first frame that does not exist.
        frame: u32,
        /// Number of frames.
        count: u32,
    },
}

/// Formats a number of frames with its noun and range.
fn frames(count: u32) -> String {
    match count {
        0 => "no frames".to_owned(),
        1 => "1 frame, 0".to_owned(),
        count => format!("{count} frames, 0..={}", count - 1),
    }
}

impl FromStr for FrameSpec {
    type Err = FrameSpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || FrameSpecError::Form(text.to_owned());
        if text == "all" {
            return Ok(Self::All);
        }
        if text.contains(',') {
            let parts = text.split(',').map(|part| match part.trim().parse() {
                Ok(Self::All) | Err(FrameSpecError::Form(_)) => Err(form()),
                part => part,
            });
            return parts.collect::<Result<_, _>>().map(Self::List);
        }
        let Some((start, rest)) = text.split_once("..") else {
            return text.parse().map(Self::One).map_err(|_| form());
        };
        let (end, step) = rest.split_once(':').unwrap_or((rest, "1"));
        let (end, included) = match end.strip_prefix('=') {
            Some(end) => (end, 1),
            None => (end, 0),
        };
        let start: u32 = start.parse().map_err(|_| form())?;
        let end = match end {
            "" if included == 0 => None,
            end => Some(u64::from(end.parse::<u32>().map_err(|_| form())?) + included),
        };
        let step: u32 = step.parse().map_err(|_| form())?;
        if step == 0 {
            return Err(form());
        }
        if end.is_some_and(|end| end <= start.into()) {
            return Err(FrameSpecError::Empty(text.to_owned()));
        }
        Ok(Self::Range { start, end, step })
    }
}

impl fmt::Display for FrameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(frame) => write!(f, "{frame}"),
            Self::Range { start, end, step } => {
                match end.map(u32::try_from) {
                    None => write!(f, "{start}..")?,
                    Some(Ok(end)) => write!(f, "{start}..{end}")?,
                    // The last frame that there can be has none after it.
                    Some(Err(_)) => write!(f, "{start}..={}", u32::MAX)?,
                }
                if *step == 1 { Ok(()) } else { write!(f, ":{step}") }
            }
            Self::All => f.write_str("all"),
            Self::List(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { "," })?;
                    part.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}

impl FrameSpec {
    /// Returns the chosen frames of an animation of `count` frames, in ascending order, each once.
    ///
    /// # Errors
    /// [`FrameSpecError::Range`] if one does not exist.
    pub fn frames<N: FrameNumber>(&self, count: N) -> Result<Vec<N>, FrameSpecError> {
        self.check(count.into())?;
        Ok(self.frames_within(count))
    }

    /// Returns the number of frames, without listing them.
    ///
    /// # Errors
    /// [`FrameSpecError::Range`] if one does not exist.
    pub fn number<N: FrameNumber>(&self, count: N) -> Result<usize, FrameSpecError> {
        if matches!(self, Self::List(_)) {
            return self.frames(count).map(|frames| frames.len());
        }
        let count = count.into();
        self.check(count)?;
        let (start, end, step) = self.bounds(count);
        let frames = end.saturating_sub(start.into()).div_ceil(step.into());
        Ok(usize::try_from(frames).unwrap_or(usize::MAX))
    }

    /// Returns the chosen frames that exist in an animation of `count` frames, in ascending order, each once.
    #[must_use]
    pub fn frames_within<N: FrameNumber>(&self, count: N) -> Vec<N> {
        let all: u32 = count.into();
        let Self::List(parts) = self else {
            let (start, end, step) = self.bounds(all);
            let end = u32::try_from(end).unwrap_or(u32::MAX).min(all);
            let step = usize::try_from(step).unwrap_or(usize::MAX);
            let frames = (start..end).step_by(step);
            return frames.filter_map(|frame| frame.try_into().ok()).collect();
        };
        let mut frames: Vec<N> = parts.iter().flat_map(|it| it.frames_within(count)).collect();
        frames.sort_unstable();
        frames.dedup();
        frames
    }

    /// Returns an error for the first frame that an animation of `count` frames does not have.
    fn check(&self, count: u32) -> Result<(), FrameSpecError> {
        if let Self::List(parts) = self {
            return parts.iter().try_for_each(|part| part.check(count));
        }
        let (start, end, _) = self.bounds(count);
        if end > count.into() {
            let frame = count.max(start);
            return Err(FrameSpecError::Range { frame, count });
        }
        Ok(())
    }

    /// Returns the first frame, the end and the step; for a list, those of all frames.
    fn bounds(&self, count: u32) -> (u32, u64, u32) {
        match self {
            Self::One(frame) => (*frame, u64::from(*frame) + 1, 1),
            Self::Range { start, end, step } => {
                // The first frame has to be there.
                let whole = u64::from(count).max(u64::from(*start) + 1);
                (*start, end.unwrap_or(whole), *step)
            }
            Self::All | Self::List(_) => (0, count.into(), 1),
        }
    }
}

/// A frame number: 16 bits in characters, 32 in motions.
pub trait FrameNumber: Copy + Ord + Into<u32> + TryFrom<u32> {}

impl FrameNumber for u16 {}
impl FrameNumber for u32 {}

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
        Self { animation, frame, next: frame, blend: 0.0 }
    }

    /// Returns the position in frames from the start of the animation: 0 up to the frame count.
    #[must_use]
    pub fn position(&self) -> f64 {
        f64::from(self.frame) + f64::from(self.blend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str, count: u16) -> Result<Vec<u16>, FrameSpecError> {
        let spec = text.parse::<FrameSpec>()?;
        let frames = spec.frames(count);
        assert_eq!(spec.number(count), frames.clone().map(|frames| frames.len()));
        frames
    }

    #[test]
    fn each_form_means_its_frames() {
        assert_eq!(frames("7", 8).unwrap(), [7]);
        assert_eq!(frames("1..4", 8).unwrap(), [1, 2, 3]);
        assert_eq!(frames("1..=4", 8).unwrap(), [1, 2, 3, 4]);
        assert_eq!(frames("0..8:3", 8).unwrap(), [0, 3, 6]);
        assert_eq!(frames("0..=6:3", 8).unwrap(), [0, 3, 6]);
        assert_eq!(frames("all", 3).unwrap(), [0, 1, 2]);
        assert_eq!(frames("5..", 8).unwrap(), [5, 6, 7]);
        assert_eq!(frames("0..:3", 8).unwrap(), [0, 3, 6]);
        assert_eq!(frames("0,5..:2", 8).unwrap(), [0, 5, 7]);
        assert_eq!(frames("0,3,7", 8).unwrap(), [0, 3, 7]);
        assert_eq!(frames("6,0..=4:2, 1,2", 8).unwrap(), [0, 1, 2, 4, 6]);
        let wanted = Err(FrameSpecError::Range { frame: 65535, count: u16::MAX.into() });
        assert_eq!(frames("0..=65535", u16::MAX), wanted);
    }

    #[test]
    fn what_is_not_there_is_an_error_that_bounds_what_is() {
        assert_eq!(frames("8", 8), Err(FrameSpecError::Range { frame: 8, count: 8 }));
        assert_eq!(frames("6..12", 8), Err(FrameSpecError::Range { frame: 8, count: 8 }));
        assert_eq!(frames("20..30", 8), Err(FrameSpecError::Range { frame: 20, count: 8 }));
        assert_eq!(frames("0,9,2", 8), Err(FrameSpecError::Range { frame: 9, count: 8 }));
        assert_eq!(frames("8..:2", 8), Err(FrameSpecError::Range { frame: 8, count: 8 }));
        for empty in ["4..4", "5..2"] {
            assert_eq!(frames(empty, 8), Err(FrameSpecError::Empty(empty.into())));
        }
        assert!(matches!(frames("", 8), Err(FrameSpecError::Form(_))));
        let forms =
            "x -1 .. 1..= 1..:0 ..4 1..4:0 1..4: 1:2 5000000000 1...4 ALL 1, , 1,all 1,,2 1,x";
        for form in forms.split(' ') {
            assert!(matches!(frames(form, 8), Err(FrameSpecError::Form(_))), "{form}");
        }
    }

    #[test]
    fn frames_that_are_there_are_known_although_others_are_not() {
        let within = |text: &str| text.parse::<FrameSpec>().unwrap().frames_within(8_u16);
        assert_eq!(within("0..24:3"), [0, 3, 6]);
        assert_eq!(within("2,9,40..50,7"), [2, 7]);
        assert_eq!(within("9"), [0_u16; 0]);
        assert_eq!(within("0..=65535").len(), 8);
    }

    #[test]
    fn a_choice_is_written_as_it_is_read() {
        let texts = "7 0..24 0..48:2 9..=4294967295 9..=4294967295:2 all 3.. 0..:2 0,6,12..18:2";
        for text in texts.split(' ') {
            assert_eq!(text.parse::<FrameSpec>().unwrap().to_string(), text);
        }
    }
}
