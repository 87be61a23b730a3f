//! Where in which animation we are. Pure: takes steps of time, reads no clock.

mod course;

use crate::document::{AnimationId, Document};
use crate::pose::playback::Timeline;
use crate::pose::{FrameAt, playback_fps};

pub(crate) use course::LoopMode;
use course::{Course, Place, settled, shown};

/// Slowest and fastest frame rate that can be asked for.
pub(crate) const FPS_RANGE: std::ops::RangeInclusive<f64> = 0.1..=1000.0;
/// The speeds that the keys go through, slowest first.
pub(crate) const SPEEDS: [f64; 13] = [
    0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0,
];
/// Slowest and fastest speed that can be asked for.
pub(crate) const SPEED_RANGE: std::ops::RangeInclusive<f64> = 0.05..=8.0;

/// What plays, and how.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Playback {
    /// `None` while there is no animation with frames.
    pub animation: Option<AnimationId>,
    /// Seconds from the start of the animation, at its frame rate.
    pub seconds: f64,
    pub playing: bool,
    /// Whether time runs towards the first frame.
    pub backwards: bool,
    pub smooth: bool,
    /// Seconds of animation per second.
    pub speed: f64,
    /// Frames per second instead of the file's.
    pub fps: Option<f64>,
    /// What happens at an end, instead of the animation's own wish.
    pub mode: Option<LoopMode>,
    /// First and last frame of what plays, instead of all frames.
    pub section: Option<[u16; 2]>,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            animation: None,
            seconds: 0.0,
            playing: true,
            backwards: false,
            smooth: false,
            speed: 1.0,
            fps: None,
            mode: None,
            section: None,
        }
    }
}

impl Playback {
    /// Shows another animation from its first frame. Its frames are others: a section ends.
    pub(crate) fn choose(&mut self, animation: Option<AnimationId>) {
        self.animation = animation;
        self.seconds = 0.0;
        self.section = None;
    }

    /// Shows an animation of another file, without overrides.
    pub(crate) fn open(&mut self, animation: Option<AnimationId>) {
        self.choose(animation);
        self.backwards = false;
        self.fps = None;
        self.mode = None;
    }

    /// Shows the animation that comes so many places later, of those that have frames; after the last comes the first.
    pub(crate) fn walk(&mut self, document: &Document, by: isize) {
        let with_frames = |id: &AnimationId| {
            let animation = document.animation(*id);
            animation.is_some_and(|animation| animation.frame_count() > 0)
        };
        let ids: Vec<AnimationId> = document.animation_ids().filter(with_frames).collect();
        let own = ids.iter().position(|id| Some(*id) == self.animation);
        let to = own.map_or(ids.first().copied(), |own| {
            let steps = by.rem_euclid(ids.len().try_into().ok()?);
            let to = own.checked_add_signed(steps)?.checked_rem(ids.len())?;
            ids.get(to).copied()
        });
        if to.is_some() {
            self.choose(to);
        }
    }

    /// The chosen animation's timeline, with the overrides; `None` if nothing can be played.
    pub(crate) fn timeline(&self, document: &Document) -> Option<Timeline> {
        self.course(document).map(|(timeline, _)| timeline)
    }

    /// What happens at an end, by override or by the animation's own wish.
    pub(crate) fn mode(&self, document: &Document) -> LoopMode {
        let animation = self.animation.and_then(|id| document.animation(id));
        let own = match animation {
            Some(animation) if animation.looping() => LoopMode::Loop,
            _ => LoopMode::Once,
        };
        self.mode.unwrap_or(own)
    }

    /// First and last frame of what plays.
    pub(crate) fn range(&self, document: &Document) -> Option<[u16; 2]> {
        let animation = document.animation(self.animation?)?;
        let last = animation.frame_count().checked_sub(1)?;
        let [a, b] = self.section.unwrap_or([0, last]);
        Some([a.min(b).min(last), a.max(b).min(last)])
    }

    fn course(&self, document: &Document) -> Option<(Timeline, Course)> {
        let animation = document.animation(self.animation?)?;
        let [first, last] = self.range(document)?;
        let mode = self.mode(document);
        let frame_count = animation.frame_count();
        let all = first == 0 && last.saturating_add(1) == frame_count;
        let timeline = Timeline {
            frame_count,
            fps: self.fps.unwrap_or_else(|| playback_fps(document)),
            looping: all && mode == LoopMode::Loop,
            smooth: self.smooth,
        };
        let course = Course {
            first: first.into(),
            last: last.into(),
            whole: all.then_some(frame_count.into()),
            mode,
        };
        Some((timeline, course))
    }

    /// The frame on screen.
    pub(crate) fn frame_at(&self, document: &Document) -> Option<FrameAt> {
        let (timeline, course) = self.course(document)?;
        let at = settled(self.seconds * timeline.fps);
        let at = if !self.smooth {
            shown(at, self.backwards)
        } else if course.mode == LoopMode::Loop && course.whole.is_none() {
            // A section's last frame is not blended into its first: the file has no such pose.
            match self.backwards {
                false if at < course.last + 1.0 => at.min(course.last),
                true if at > course.first - 1.0 => at.max(course.first),
                _ => at,
            }
        } else {
            at
        };
        Some(timeline.at(self.animation?, at / timeline.fps))
    }

    /// Position in frames, 0 up to the frame count.
    pub(crate) fn position(&self, document: &Document) -> f64 {
        let at = self.frame_at(document);
        at.map_or(0.0, |at| f64::from(at.frame) + f64::from(at.blend))
    }

    fn place(&self, timeline: &Timeline) -> Place {
        Place {
            at: self.seconds * timeline.fps,
            backwards: self.backwards,
            playing: self.playing,
        }
    }

    /// Lets `dt` seconds pass. At the end of what does not go on it stops.
    pub(crate) fn advance(&mut self, document: &Document, dt: f64) {
        let Some((timeline, course)) = self.course(document).filter(|_| self.playing) else {
            return;
        };
        let frames = dt * self.speed * timeline.fps;
        if frames > 0.0 && frames.is_finite() {
            let place = course.advance(self.place(&timeline), frames);
            self.seconds = place.at / timeline.fps;
            self.backwards = place.backwards;
            self.playing = place.playing;
        }
    }

    /// Seconds until the picture changes; 0 when frames are blended; `None` when it never does.
    pub(crate) fn until_change(&self, document: &Document) -> Option<f64> {
        let (timeline, course) = self.course(document).filter(|_| self.playing)?;
        let frames = course.until_change(self.place(&timeline))?;
        Some(if self.smooth {
            0.0
        } else {
            frames / (timeline.fps * self.speed)
        })
    }

    /// Starts forwards, or stops. What goes there and back goes on in the direction that it had.
    pub(crate) fn toggle(&mut self, document: &Document) {
        let backwards = self.backwards && self.mode(document) == LoopMode::PingPong;
        if self.playing {
            self.playing = false;
        } else {
            self.play(document, backwards);
        }
    }

    /// Starts backwards, or stops; turns round what plays forwards.
    pub(crate) fn toggle_backwards(&mut self, document: &Document) {
        if self.playing && self.backwards {
            self.playing = false;
        } else {
            self.play(document, true);
        }
    }

    /// Plays in a direction; from the other end again where the end was reached.
    fn play(&mut self, document: &Document, backwards: bool) {
        self.change(document, |playback| playback.backwards = backwards);
        self.playing = true;
        let Some((timeline, course)) = self.course(document) else {
            return;
        };
        let at = settled(self.seconds * timeline.fps);
        let (ended, entry) = if backwards {
            (at <= course.first, course.last)
        } else {
            (at >= course.last, course.first)
        };
        if course.mode == LoopMode::Once && ended {
            self.seconds = entry / timeline.fps;
        }
    }

    /// Changes how time runs; the frame on screen stays.
    fn change(&mut self, document: &Document, change: impl FnOnce(&mut Self)) {
        let before = self.clone();
        change(self);
        let same = (before.backwards, before.mode(document), before.section)
            == (self.backwards, self.mode(document), self.section);
        if let Some(timeline) = self.timeline(document).filter(|_| !same) {
            self.seconds = before.position(document) / timeline.fps;
        }
    }

    /// Overrides what happens at an end, or ends the override.
    pub(crate) fn set_mode(&mut self, document: &Document, mode: Option<LoopMode>) {
        self.change(document, |playback| playback.mode = mode);
    }

    /// Plays a part only, from one frame to another in either order; `None` plays all.
    pub(crate) fn set_section(&mut self, document: &Document, section: Option<[u16; 2]>) {
        self.change(document, |playback| {
            playback.section = section.map(|[a, b]| [a.min(b), a.max(b)]);
        });
    }

    /// Sets the speed, as far as it can be asked for.
    pub(crate) fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.clamp(*SPEED_RANGE.start(), *SPEED_RANGE.end());
        }
    }

    /// The next faster one of [`SPEEDS`].
    pub(crate) fn faster(&mut self) {
        let faster = SPEEDS.into_iter().find(|speed| *speed > self.speed);
        self.set_speed(faster.unwrap_or(self.speed));
    }

    /// The next slower one of [`SPEEDS`].
    pub(crate) fn slower(&mut self) {
        let slower = SPEEDS.into_iter().rev().find(|speed| *speed < self.speed);
        self.set_speed(slower.unwrap_or(self.speed));
    }

    /// Shows a position in frames and stays there; beyond the ends it is the first or the last frame. Positions outside
    /// of a section can be looked at.
    pub(crate) fn seek(&mut self, document: &Document, frames: f64) {
        if let Some(timeline) = self.timeline(document).filter(|_| !frames.is_nan()) {
            let last = f64::from(timeline.frame_count.saturating_sub(1));
            let to = settled(frames.clamp(0.0, last));
            // A frame as authored begins where it is looked at, whichever way time runs.
            let to = if self.smooth { to } else { to.floor() };
            self.seconds = to / timeline.fps;
        }
    }

    /// Pauses at the first frame of what plays.
    pub(crate) fn first(&mut self, document: &Document) {
        self.playing = false;
        if let Some([first, _]) = self.range(document) {
            self.seek(document, first.into());
        }
    }

    /// Pauses at the last frame of what plays.
    pub(crate) fn last(&mut self, document: &Document) {
        self.playing = false;
        if let Some([_, last]) = self.range(document) {
            self.seek(document, last.into());
        }
    }

    /// Pauses and moves by whole frames; what loops goes round. From outside of a section it only goes towards it.
    pub(crate) fn step(&mut self, document: &Document, frames: i32) {
        self.playing = false;
        let Some(((_, course), at)) = self.course(document).zip(self.frame_at(document)) else {
            return;
        };
        let to = course.step(at.frame.into(), frames.into());
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

#[cfg(test)]
mod tests;
