//! Length, rate and loop of an animation, its frame at a time, and positions in it.

use super::course::{LoopMode, position, settled, wrapped};
use super::frame_spec::FrameAt;
use crate::document::AnimationId;

/// Length, rate and loop of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timeline {
    /// Number of frames. With 0 there is nothing to play, and every time maps to frame 0.
    pub frame_count: u16,
    /// Frames per second; greater than 0.
    pub fps: f64,
    /// True if it loops.
    pub looping: bool,
    /// True if neighbouring frames are blended; false if they are shown as authored. The own timeline of content is smooth if it is known
    /// at times between frames, too.
    pub smooth: bool,
}

impl Timeline {
    /// Returns the length in seconds, at least that of one frame.
    #[must_use]
    pub fn duration(&self) -> f64 {
        f64::from(self.frame_count.max(1)) / self.fps
    }

    /// Returns the loop mode of the animation: [`LoopMode::Loop`] or [`LoopMode::Once`].
    #[must_use]
    pub fn loop_mode(&self) -> LoopMode {
        if self.looping { LoopMode::Loop } else { LoopMode::Once }
    }

    /// Returns the moment at `seconds` from the start: `floor(t · fps)`, modulo the length if looping, else clamped to the last
    /// frame. If smooth, a looping animation blends its last frame into its first.
    ///
    /// The time of a frame, frame / fps, maps to that frame even if it was rounded: to a 64-bit or 32-bit float, or to at least 6
    /// significant digits or 6 decimal places. A time that is not finite maps to frame 0.
    #[must_use]
    pub fn at(&self, animation: AnimationId, seconds: f64) -> FrameAt {
        self.at_position(animation, self.position(seconds))
    }

    /// Returns the position in frames of a time in seconds, before looping or clamping; whole for the time of a frame, as in
    /// [`Self::at`].
    pub fn position(&self, seconds: f64) -> f64 {
        position(seconds, self.fps)
    }

    /// Returns the moment at a position in frames from the start.
    pub(super) fn at_position(&self, animation: AnimationId, position: f64) -> FrameAt {
        let count = f64::from(self.frame_count.max(1));
        let position = settled(position);
        let position = if !position.is_finite() {
            0.0
        } else if self.looping {
            wrapped(position, count)
        } else {
            position.clamp(0.0, count - 1.0)
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 <= position < 65536"
        )]
        let frame = (position.floor() as u16).min(self.frame_count.saturating_sub(1));
        if !self.smooth {
            return FrameAt::exact(animation, frame);
        }
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
        let blend = (position - position.floor()) as f32;
        let after = frame.saturating_add(1);
        let next = match (after < self.frame_count, self.looping) {
            (true, _) => after,
            (false, true) => 0,
            (false, false) => frame,
        };
        FrameAt { animation, frame, next, blend }
    }

    /// Returns the moment of another animation at the same phase as `at`, a moment of this one: its position divided by the number of
    /// frames here, times the number of frames there, blended between neighbours. What does not loop there holds its last frame.
    #[must_use]
    pub fn in_phase(&self, at: FrameAt, animation: AnimationId, other: &Self) -> FrameAt {
        let count = self.frame_count.max(1);
        let is_wrapping = at.next == 0 && at.frame.saturating_add(1) == count && count > 1;
        let next = if is_wrapping { f64::from(count) } else { at.next.into() };
        let frame = f64::from(at.frame);
        let position = frame + f64::from(at.blend) * (next - frame);
        let there = position * f64::from(other.frame_count.max(1)) / f64::from(count);
        Self { smooth: true, ..*other }.at_position(animation, there)
    }

    /// Returns the seconds from the start that [`Timeline::at`] maps to exactly this moment.
    #[must_use]
    pub fn seconds(&self, at: FrameAt) -> f64 {
        let about = at.position() / self.fps;
        let (mut below, mut above) = (about, about);
        // Multiplying back may give a slightly different frame and blend.
        for _ in 0..4 {
            for seconds in [below, above] {
                if self.at(at.animation, seconds) == at {
                    return seconds;
                }
            }
            below = below.next_down();
            above = above.next_up();
        }
        about
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WALK: AnimationId = AnimationId(1);

    fn line(looping: bool, smooth: bool) -> Timeline {
        Timeline { frame_count: 10, fps: 24.0, looping, smooth }
    }

    #[test]
    fn a_looping_animation_wraps_and_another_holds_its_last_frame() {
        assert_eq!(line(true, false).at(WALK, 12.5 / 24.0), FrameAt::exact(WALK, 2));
        assert_eq!(line(true, false).at(WALK, -0.5 / 24.0), FrameAt::exact(WALK, 9));
        assert_eq!(line(false, false).at(WALK, 99.0), FrameAt::exact(WALK, 9));
        assert_eq!(line(false, false).at(WALK, -1.0), FrameAt::exact(WALK, 0));
    }

    #[test]
    fn a_time_made_from_a_frame_number_means_that_frame() {
        for fps in [1.0, 12.0, 24.0, 25.0, 29.97, 30.0, 60.0, 65535.0] {
            let line = Timeline { frame_count: u16::MAX, fps, looping: true, smooth: true };
            for frame in 0..2000 {
                let at = line.at(WALK, f64::from(frame) / fps);
                assert_eq!((at.frame, at.blend), (frame, 0.0), "{fps}");
            }
        }
    }

    #[test]
    fn a_smooth_loop_blends_its_last_frame_into_its_first() {
        let at = line(true, true).at(WALK, 9.25 / 24.0);
        assert_eq!((at.frame, at.next), (9, 0));
        assert!((at.blend - 0.25).abs() < 1e-6);
        let at = line(false, true).at(WALK, 9.25 / 24.0);
        assert_eq!((at.frame, at.next, at.blend), (9, 9, 0.0));
    }

    /// Frame, next frame and blend of an animation with a number of frames, in phase with a smooth one of 10 frames at a position.
    fn phase(position: f64, (frame_count, looping): (u16, bool)) -> (u16, u16, f32) {
        let other = Timeline { frame_count, ..line(looping, false) };
        let own = line(true, true);
        let at = own.in_phase(own.at_position(WALK, position), AnimationId(2), &other);
        assert_eq!(at.animation, AnimationId(2));
        (at.frame, at.next, at.blend)
    }

    #[test]
    fn the_same_phase_is_the_same_share_of_the_frames() {
        assert_eq!(phase(3.25, (10, true)), (3, 4, 0.25));
        assert_eq!(phase(3.0, (20, true)), (6, 7, 0.0));
        assert_eq!(phase(3.0, (5, true)), (1, 2, 0.5));
        assert_eq!(phase(9.5, (20, true)), (19, 0, 0.0), "the last frame goes on to the first");
        assert_eq!(phase(9.0, (5, true)), (4, 0, 0.5));
        assert_eq!(phase(9.0, (5, false)), (4, 4, 0.0), "one that plays once holds its last frame");
        assert_eq!(phase(7.0, (1, true)).0, 0);
        assert_eq!(phase(7.0, (0, true)).0, 0);
    }

    #[test]
    fn one_frame_stands_at_the_start_and_a_way_back_goes_back() {
        let one = Timeline { frame_count: 1, ..line(true, true) };
        let at = one.in_phase(one.at_position(WALK, 0.75), WALK, &line(true, false));
        assert_eq!((at.frame, at.blend), (0, 0.0));
        let back = FrameAt { animation: WALK, frame: 6, next: 5, blend: 0.25 };
        let at = line(true, true).in_phase(back, WALK, &line(true, false));
        assert_eq!((at.frame, at.next, at.blend), (5, 6, 0.75));
    }

    #[test]
    fn times_that_are_no_number_show_the_first_frame() {
        assert_eq!(line(true, false).at(WALK, f64::NAN).frame, 0);
        assert_eq!(line(true, true).at(WALK, f64::INFINITY).frame, 0);
    }

    /// A time as programs print it: the shortest text of 64 and of 32 bits, decimal places, and significant digits with and
    /// without zeros at the end.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounding to f32 is meant, and digits are few"
    )]
    fn texts(time: f64) -> Vec<String> {
        let mut texts = vec![format!("{time}"), format!("{}", time as f32)];
        texts.extend((6..=17).map(|places| format!("{time:.places$}")));
        let whole = time.log10().floor() as i32 + 1;
        for digits in 6..=17 {
            let places = usize::try_from(digits - whole.min(digits)).unwrap();
            let text = format!("{time:.places$}");
            texts.push(text.trim_end_matches('0').trim_end_matches('.').to_owned());
            texts.push(text);
        }
        texts.push(format!("{:.20}", f64::from(time as f32)));
        texts
    }

    #[test]
    fn a_rounded_time_is_that_of_its_frame() {
        // Rates and frames of the formats: 16 bits.
        proptest!(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) },
            |(fps in 1..=u16::MAX, frame in 1..u16::MAX, smooth: bool)| {
            let line = Timeline { frame_count: u16::MAX, fps: fps.into(), looping: true, smooth };
            for text in texts(f64::from(frame) / line.fps) {
                let at = line.at(WALK, text.parse().unwrap());
                prop_assert_eq!(at, line.at_position(WALK, frame.into()), "{} at {}", text, fps);
                prop_assert_eq!((at.frame, at.blend), (frame, 0.0));
            }
        });
    }

    #[test]
    fn a_time_before_that_of_a_frame_is_not_rounded_up() {
        proptest!(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) },
            |(fps in 1..=u16::MAX, frame in 1..u16::MAX, before in 1e-5..0.5)| {
            let line = Timeline { frame_count: u16::MAX, fps: fps.into(), looping: false, smooth: false };
            let time = (f64::from(frame) - before) / line.fps;
            prop_assert_eq!(line.at(WALK, time).frame, frame - 1, "{} at {}", time, fps);
        });
        let line = line(false, false);
        for (seconds, frame) in [(0.08, 1), (0.083, 1), (0.08333, 1), (0.083332, 1), (0.083333, 2)]
        {
            assert_eq!(line.at(WALK, seconds).frame, frame, "{seconds}");
        }
    }

    #[test]
    fn a_time_that_several_frames_round_to_is_none_of_them() {
        // Beyond the animations of the formats: a hundredth of a second is 655 frames.
        let line = Timeline { fps: 65_535.0, ..line(true, false) };
        assert_eq!(line.position(1234.56), 1234.56 * 65_535.0);
        assert!((line.position(1234.56) - 80_906_889.6).abs() < 1e-3);
    }
}
