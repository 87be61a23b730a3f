//! Where in which animation we are. Pure: takes steps of time, reads no clock.

use crate::document::{AnimationId, Document};
use crate::pose::playback::Timeline;
use crate::pose::{FrameAt, playback_fps};

/// Slowest and fastest frame rate that can be asked for.
pub(crate) const FPS_RANGE: std::ops::RangeInclusive<f64> = 0.1..=1000.0;

/// What plays, and how.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Playback {
    /// `None` while there is no animation with frames.
    pub animation: Option<AnimationId>,
    /// Seconds from the start of the animation, at its frame rate.
    pub seconds: f64,
    pub playing: bool,
    pub smooth: bool,
    /// Seconds of animation per second.
    pub speed: f64,
    /// Frames per second instead of the file's.
    pub fps: Option<f64>,
    /// Looping instead of the animation's own wish.
    pub looping: Option<bool>,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            animation: None,
            seconds: 0.0,
            playing: true,
            smooth: false,
            speed: 1.0,
            fps: None,
            looping: None,
        }
    }
}

impl Playback {
    /// The chosen animation's timeline, with the overrides; `None` if nothing can be played.
    pub(crate) fn timeline(&self, document: &Document) -> Option<Timeline> {
        let animation = document.animation(self.animation?)?;
        (animation.frame_count() > 0).then(|| Timeline {
            frame_count: animation.frame_count(),
            fps: self.fps.unwrap_or_else(|| playback_fps(document)),
            looping: self.looping.unwrap_or_else(|| animation.looping()),
            smooth: self.smooth,
        })
    }

    /// The frame on screen.
    pub(crate) fn at(&self, document: &Document) -> Option<FrameAt> {
        let timeline = self.timeline(document)?;
        Some(timeline.at(self.animation?, self.seconds))
    }

    /// Position in frames, 0 up to the frame count.
    pub(crate) fn position(&self, document: &Document) -> f64 {
        let Some((timeline, at)) = self.timeline(document).zip(self.at(document)) else {
            return 0.0;
        };
        let within = self.seconds * timeline.fps;
        let blend = within - within.floor();
        f64::from(at.frame) + if timeline.smooth { blend } else { 0.0 }
    }

    /// Lets `dt` seconds pass. At the end of an animation that does not loop it stops.
    pub(crate) fn advance(&mut self, document: &Document, dt: f64) {
        let Some(timeline) = self.timeline(document).filter(|_| self.playing) else {
            return;
        };
        let seconds = self.seconds + dt.max(0.0) * self.speed;
        if timeline.looping {
            self.seconds = seconds.rem_euclid(timeline.duration());
        } else {
            let last = f64::from(timeline.frame_count.saturating_sub(1)) / timeline.fps;
            self.playing = seconds < last;
            self.seconds = seconds.min(last);
        }
    }

    /// Seconds until the picture changes; 0 when frames are blended; `None` when it never does.
    pub(crate) fn until_change(&self, document: &Document) -> Option<f64> {
        let timeline = self.timeline(document).filter(|_| self.playing)?;
        if timeline.frame_count < 2 && timeline.looping {
            return None;
        }
        if timeline.smooth {
            return Some(0.0);
        }
        let shown = f64::from(timeline.at(self.animation?, self.seconds).frame);
        let next = (shown + 1.0) / timeline.fps;
        Some(((next - self.seconds) / self.speed).max(0.0))
    }

    /// Starts or stops; from the start again where the end was reached.
    pub(crate) fn toggle(&mut self, document: &Document) {
        self.playing = !self.playing;
        let Some((timeline, at)) = self.timeline(document).zip(self.at(document)) else {
            return;
        };
        let at_end = at.frame.saturating_add(1) >= timeline.frame_count;
        if self.playing && !timeline.looping && at_end {
            self.seconds = 0.0;
        }
    }

    /// Shows a position in frames and stays there; beyond the ends it is the first or the last frame.
    pub(crate) fn seek(&mut self, document: &Document, frames: f64) {
        if let Some(timeline) = self.timeline(document) {
            let last = f64::from(timeline.frame_count.saturating_sub(1));
            self.seconds = frames.clamp(0.0, last) / timeline.fps;
        }
    }

    /// Pauses and moves by whole frames; a looping animation goes round.
    pub(crate) fn step(&mut self, document: &Document, frames: i32) {
        self.playing = false;
        let Some((timeline, at)) = self.timeline(document).zip(self.at(document)) else {
            return;
        };
        let to = f64::from(at.frame) + f64::from(frames);
        let to = if timeline.looping {
            to.rem_euclid(f64::from(timeline.frame_count))
        } else {
            to
        };
        self.seek(document, to);
    }

    /// Overrides the frame rate, or ends the override; the frame on screen stays.
    pub(crate) fn set_fps(&mut self, document: &Document, fps: Option<f64>) {
        let before = self.timeline(document);
        self.fps = fps
            .filter(|fps| fps.is_finite())
            .map(|fps| fps.clamp(*FPS_RANGE.start(), *FPS_RANGE.end()));
        if let Some((before, after)) = before.zip(self.timeline(document)) {
            self.seconds *= before.fps / after.fps;
        }
    }
}
