//! Which frame a time means. Pure: takes times and steps, reads no clock.

use super::bind::{BindPose, is_bind_name};
use crate::document::{AnimationId, Document};

/// The rate at which a file with `fps` 0 plays.
const FPS_WHEN_ZERO: f64 = 24.0;

/// Playback rate of a document in frames per second, never 0.
#[must_use]
pub fn playback_fps(document: &Document) -> f64 {
    match document.fps() {
        0 => FPS_WHEN_ZERO,
        fps => fps.into(),
    }
}

/// A moment of an animation: a frame, and how far it is blended towards another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameAt {
    /// The animation.
    pub animation: AnimationId,
    /// The frame that is shown, and that order and visibility come from.
    pub frame: u16,
    /// The frame that it is blended towards.
    pub next: u16,
    /// 0..1: how far.
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
}

/// How an animation plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timeline {
    /// Number of frames; at least 1.
    pub frame_count: u16,
    /// Frames per second; more than 0.
    pub fps: f64,
    /// Whether it starts again at the end.
    pub looping: bool,
    /// Whether frames are blended, or shown as authored.
    pub smooth: bool,
}

impl Timeline {
    /// Length in seconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        f64::from(self.frame_count.max(1)) / self.fps
    }

    /// The moment at `seconds` from the start: `floor(t · fps)`, modulo the length when looping, held at the last frame
    /// when not. When smooth, a looping animation blends its last frame into its first.
    #[must_use]
    pub fn at(&self, animation: AnimationId, seconds: f64) -> FrameAt {
        let count = f64::from(self.frame_count.max(1));
        // A time that was worked out as frame / fps means that frame, although the product may round below it.
        let position = seconds * self.fps;
        let nearest = position.round();
        let position = if (position - nearest).abs() < 1e-6 {
            nearest
        } else {
            position
        };
        let position = if !position.is_finite() {
            0.0
        } else if self.looping {
            position.rem_euclid(count)
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
        FrameAt {
            animation,
            frame,
            next,
            blend,
        }
    }
}

/// The animation to show first: the first with frames that is not the bind pose; else the first with frames.
#[must_use]
pub fn default_animation(document: &Document, bind: &BindPose) -> Option<AnimationId> {
    let with_frames = || {
        document
            .animation_ids()
            .zip(document.animations())
            .filter(|(_, a)| a.frame_count() > 0)
    };
    let is_bind = |id: AnimationId| bind.frame().is_some_and(|at| at.animation == id);
    let first_but_bind =
        with_frames().find(|(id, animation)| !(is_bind(*id) && is_bind_name(animation.name())));
    first_but_bind
        .or_else(|| with_frames().next())
        .map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALK: AnimationId = AnimationId(1);

    fn line(looping: bool, smooth: bool) -> Timeline {
        Timeline {
            frame_count: 10,
            fps: 24.0,
            looping,
            smooth,
        }
    }

    #[test]
    fn a_looping_animation_wraps_and_another_holds_its_last_frame() {
        assert_eq!(
            line(true, false).at(WALK, 12.5 / 24.0),
            FrameAt::exact(WALK, 2)
        );
        assert_eq!(
            line(true, false).at(WALK, -0.5 / 24.0),
            FrameAt::exact(WALK, 9)
        );
        assert_eq!(line(false, false).at(WALK, 99.0), FrameAt::exact(WALK, 9));
        assert_eq!(line(false, false).at(WALK, -1.0), FrameAt::exact(WALK, 0));
    }

    #[test]
    fn a_time_made_from_a_frame_number_means_that_frame() {
        for fps in [1.0, 12.0, 24.0, 25.0, 29.97, 30.0, 60.0, 65535.0] {
            let line = Timeline {
                frame_count: u16::MAX,
                fps,
                looping: true,
                smooth: true,
            };
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

    #[test]
    fn times_that_are_no_number_show_the_first_frame() {
        assert_eq!(line(true, false).at(WALK, f64::NAN).frame, 0);
        assert_eq!(line(true, true).at(WALK, f64::INFINITY).frame, 0);
    }
}
