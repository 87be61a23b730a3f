//! Ghosts: onion skin, which is the frames before and after the current one, and a pinned frame.

use crate::document::AnimationId;
use crate::image::Tint;
use crate::playback::{FrameAt, Timeline};
use crate::scene::Ghost;

/// Maximum number of ghosts before a frame, and of those after it.
pub const MOST_GHOSTS: u16 = 32;

/// Share of the tint in a ghost's colours, in 1/255: its shading stays visible.
const SHARE: u8 = 204;

/// Opacity of the farthest ghost of many, and of the nearest, in 1/255.
const OPACITY: [u16; 2] = [40, 148];

/// Frames that are shown as ghosts. None by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Onion {
    /// Number of frames before, at most [`MOST_GHOSTS`].
    pub before: u16,
    /// Number of frames after, at most [`MOST_GHOSTS`].
    pub after: u16,
    /// Frames from one ghost to the next; 0 counts as 1.
    pub step: u16,
    /// RGB of the ghosts before, and of those after, sRGB-encoded.
    pub tints: [[u8; 3]; 2],
}

impl Default for Onion {
    fn default() -> Self {
        Self::NONE
    }
}

/// A frame of any animation that stays as a ghost while others are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pin {
    /// Its animation.
    pub animation: AnimationId,
    /// Its frame.
    pub frame: u16,
    /// RGB of the ghost, sRGB-encoded.
    pub tint: [u8; 3],
}

impl Pin {
    /// Green: distinguishable from [`Onion::TINTS`].
    pub const TINT: [u8; 3] = [64, 190, 110];

    pub(super) fn at(self) -> FrameAt {
        FrameAt::exact(self.animation, self.frame)
    }

    /// Returns its ghost, as strong as the nearest of many.
    pub(super) fn ghost(self) -> Ghost {
        let [_, most] = OPACITY;
        let opacity = u8::try_from(most).unwrap_or(u8::MAX);
        Ghost { at: self.at(), tint: Tint { color: self.tint, share: SHARE, opacity } }
    }
}

/// A frame beside the current one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FramesBeside {
    pub(super) at: FrameAt,
    pub(super) is_before: bool,
    /// Its number among those of its side, from 1 for the nearest, and how many there are.
    pub(super) place: [u16; 2],
}

impl Onion {
    /// Blue before, orange after: distinguishable for everyone, on light and dark backgrounds.
    pub const TINTS: [[u8; 3]; 2] = [[64, 140, 255], [255, 134, 54]];

    /// No ghosts.
    pub const NONE: Self = Self { before: 0, after: 0, step: 1, tints: Self::TINTS };

    /// Returns ghosts of neighbouring frames.
    #[must_use]
    pub const fn of(before: u16, after: u16) -> Self {
        Self { before, after, ..Self::NONE }
    }

    /// Returns true if there are ghosts.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.before > 0 || self.after > 0
    }

    /// Returns the ghosts of a moment, the lowest first.
    pub(super) fn ghosts(&self, at: FrameAt, line: &Timeline) -> impl Iterator<Item = Ghost> {
        self.beside(at, line).map(|frame| Ghost { at: frame.at, tint: self.tint(&frame) })
    }

    /// Returns the frames of the ghosts, the farthest first, and of two at a distance the one after first. In a loop they continue
    /// beyond the ends, but no frame is there twice.
    pub(super) fn beside(
        &self,
        at: FrameAt,
        line: &Timeline,
    ) -> impl Iterator<Item = FramesBeside> {
        let (frames, step) = (line.frame_count, self.step.max(1));
        let others = frames.saturating_sub(1);
        let within = |frames: u16| frames.checked_div(step).unwrap_or(0);
        let left = if line.looping { others } else { at.frame.min(others) };
        let before = self.before.min(MOST_GHOSTS).min(within(left));
        let right = if line.looping {
            others.saturating_sub(before.saturating_mul(step))
        } else {
            others.saturating_sub(at.frame)
        };
        let after = self.after.min(MOST_GHOSTS).min(within(right));
        let one = move |number: u16, is_before: bool| {
            let count = if is_before { before } else { after };
            let distance = number.saturating_mul(step);
            let frame = away(at.frame, distance, is_before, frames)?;
            (number <= count).then(|| FramesBeside {
                at: FrameAt::exact(at.animation, frame),
                is_before,
                place: [number, count],
            })
        };
        let numbers = (1..=before.max(after)).rev();
        numbers
            .flat_map(move |number| [false, true].map(|is_before| one(number, is_before)))
            .flatten()
    }

    fn tint(&self, frame: &FramesBeside) -> Tint {
        let [before, after] = self.tints;
        let [number, count] = frame.place;
        let [least, most] = OPACITY;
        let left = count.saturating_sub(number.saturating_sub(1));
        let range = most.saturating_sub(least).saturating_mul(left);
        let opacity = range.checked_div(count).unwrap_or(0).saturating_add(least);
        Tint {
            color: if frame.is_before { before } else { after },
            share: SHARE,
            opacity: u8::try_from(opacity).unwrap_or(u8::MAX),
        }
    }
}

/// Returns the frame at a distance, wrapped at the ends; `None` without frames.
fn away(from: u16, distance: u16, before: bool, frames: u16) -> Option<u16> {
    let (from, distance) = (i32::from(from), i32::from(distance));
    let frame = if before { from - distance } else { from + distance };
    u16::try_from(frame.checked_rem_euclid(frames.into())?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::AnimationId;

    const RUN: AnimationId = AnimationId(0);

    fn frames(onion: Onion, at: u16, looping: bool) -> Vec<(u16, bool)> {
        let line = Timeline { frame_count: 10, fps: 24.0, looping, smooth: false };
        onion.beside(FrameAt::exact(RUN, at), &line).map(|it| (it.at.frame, it.is_before)).collect()
    }

    #[test]
    fn the_farthest_come_first_and_those_before_lie_above() {
        let around = frames(Onion::of(2, 3), 5, false);
        assert_eq!(around, [(8, false), (7, false), (3, true), (6, false), (4, true)]);
    }

    #[test]
    fn a_loop_goes_on_beyond_its_ends_and_others_stop_there() {
        let both = Onion::of(2, 1);
        assert_eq!(frames(both, 0, true), [(8, true), (1, false), (9, true)]);
        assert_eq!(frames(both, 0, false), [(1, false)]);
        assert_eq!(frames(both, 9, false), [(7, true), (8, true)]);
        assert_eq!(frames(both, 60, false), [(58 % 10, true), (59 % 10, true)]);
    }

    #[test]
    fn steps_pass_over_frames_and_no_frame_is_there_twice() {
        let third = |before, after| Onion { step: 3, ..Onion::of(before, after) };
        assert_eq!(frames(third(1, 1), 5, false), [(8, false), (2, true)]);
        assert_eq!(frames(third(9, 9), 5, false), [(8, false), (2, true)]);
        assert_eq!(frames(third(9, 9), 5, true), [(6, true), (9, true), (2, true)]);
        assert_eq!(frames(Onion::of(32, 32), 5, true).len(), 9);
    }

    #[test]
    fn ghosts_fade_with_their_distance() {
        let onion = Onion::of(4, 1);
        let line = Timeline { frame_count: 10, fps: 24.0, looping: true, smooth: false };
        let opacities: Vec<u8> = onion
            .beside(FrameAt::exact(RUN, 5), &line)
            .map(|frame| onion.tint(&frame).opacity)
            .collect();
        assert_eq!(opacities, [67, 94, 121, 148, 148]);
    }
}
