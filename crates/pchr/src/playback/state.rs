//! State of the playback: animation, time, direction, speed, loop mode and section.

use std::ops::RangeInclusive;

use super::frame_spec::FrameAt;
use super::timeline::{CourseJob, CoursePlace, Happened, LoopMode, Timeline, settled, whole_frame};
use crate::document::AnimationId;

/// Range of frame rates, in frames per second.
pub const FPS_RANGE: RangeInclusive<f64> = 0.1..=1000.0;
/// Range of speeds, in seconds of animation per second.
pub const SPEED_RANGE: RangeInclusive<f64> = 0.05..=8.0;

/// The animation that plays, the time in it, and playback overrides.
///
/// `timelines` are those of the file's animations, without overrides: index = animation index.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// The selected animation; `None` if none has frames.
    pub animation: Option<AnimationId>,
    /// Seconds from the start of the animation, at the current frame rate.
    pub seconds: f64,
    /// False while paused.
    pub playing: bool,
    /// True if it stopped at the end of an animation or section that plays once, without a pause by the user.
    pub ended: bool,
    /// True if time runs backwards.
    pub backwards: bool,
    /// True if neighbouring frames are blended; false if they are shown as authored.
    pub smooth: bool,
    /// Seconds of animation per second; see [`SPEED_RANGE`].
    pub speed: f64,
    /// Override of the file's frame rate; see [`FPS_RANGE`].
    pub fps: Option<f64>,
    /// Override of the file's loop mode.
    pub mode: Option<LoopMode>,
    /// First and last frame of the section that plays; `None` plays all frames.
    pub section: Option<[u16; 2]>,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            animation: None,
            seconds: 0.0,
            playing: true,
            ended: false,
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
    /// Selects another animation, at its first frame, and plays it forwards unless the user paused. Its frames differ, so the section
    /// is removed.
    pub fn choose(&mut self, animation: Option<AnimationId>) {
        self.playing |= std::mem::take(&mut self.ended);
        self.animation = animation;
        self.seconds = 0.0;
        self.backwards = false;
        self.section = None;
    }

    /// Selects an animation of another file, and resets overrides. Smoothing, speed and pause stay.
    pub fn open(&mut self, animation: Option<AnimationId>) {
        self.choose(animation);
        self.fps = None;
        self.mode = None;
    }

    /// Selects the animation `by` places later among those with frames, wrapping at the ends.
    pub fn walk(&mut self, timelines: &[Timeline], by: isize) {
        let all = (0..=u16::MAX).map(AnimationId).zip(timelines);
        let with_frames = all.filter(|(_, timeline)| timeline.frame_count > 0);
        let ids: Vec<AnimationId> = with_frames.map(|(id, _)| id).collect();
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

    /// Returns the timeline of the selected animation with the overrides; `None` if nothing can be played.
    #[must_use]
    pub fn timeline(&self, timelines: &[Timeline]) -> Option<Timeline> {
        self.course(timelines).map(|(timeline, _)| timeline)
    }

    /// Returns the current loop mode: the override, or the file's.
    #[must_use]
    pub fn mode(&self, timelines: &[Timeline]) -> LoopMode {
        let own = || self.authored(timelines).map(|own| own.loop_mode());
        self.mode.or_else(own).unwrap_or(LoopMode::Once)
    }

    /// Returns the first and last frame that play: the section within the animation, or all frames.
    #[must_use]
    pub fn range(&self, timelines: &[Timeline]) -> Option<[u16; 2]> {
        let last = self.authored(timelines)?.frame_count.checked_sub(1)?;
        let [a, b] = self.section.unwrap_or([0, last]);
        Some([a.min(b).min(last), a.max(b).min(last)])
    }

    fn authored<'a>(&self, timelines: &'a [Timeline]) -> Option<&'a Timeline> {
        timelines.get(self.animation?.index())
    }

    fn course(&self, timelines: &[Timeline]) -> Option<(Timeline, CourseJob)> {
        let authored = self.authored(timelines)?;
        let [first, last] = self.range(timelines)?;
        let mode = self.mode(timelines);
        let frame_count = authored.frame_count;
        let all = first == 0 && last.saturating_add(1) == frame_count;
        let timeline = Timeline {
            frame_count,
            fps: self.fps.unwrap_or(authored.fps),
            looping: all && mode == LoopMode::Loop,
            smooth: self.smooth,
        };
        let course = CourseJob {
            first: first.into(),
            last: last.into(),
            whole: all.then_some(frame_count.into()),
            mode,
        };
        Some((timeline, course))
    }

    /// Returns the moment on screen; `None` if nothing can be played.
    #[must_use]
    pub fn frame_at(&self, timelines: &[Timeline]) -> Option<FrameAt> {
        let (timeline, course) = self.course(timelines)?;
        let at = timeline.position(self.seconds);
        let at = if self.smooth { at } else { whole_frame(at, self.backwards) };
        let at = if course.mode != LoopMode::PingPong && course.whole.is_none() {
            // A section's last frame is not blended into the next, nor into its first: the file has no such pose.
            match self.backwards {
                false if at < course.last + 1.0 => at.min(course.last),
                true if at > course.first - 1.0 => at.max(course.first),
                _ => at,
            }
        } else {
            at
        };
        Some(timeline.at_position(self.animation?, at))
    }

    /// Returns the position of that moment in frames: 0 up to the frame count.
    #[must_use]
    pub fn position(&self, timelines: &[Timeline]) -> f64 {
        self.frame_at(timelines).map_or(0.0, |at| at.position())
    }

    fn place(&self, timeline: &Timeline) -> CoursePlace {
        CoursePlace {
            at: self.seconds * timeline.fps,
            backwards: self.backwards,
            playing: self.playing,
        }
    }

    /// Advances by `dt` seconds. An animation or section that plays once stops at its last frame, when that was shown as long as the others.
    pub fn advance(&mut self, timelines: &[Timeline], dt: f64) -> Happened {
        let mut happened = Happened::default();
        let Some((timeline, course)) = self.course(timelines).filter(|_| self.playing) else {
            return happened;
        };
        let frames = dt * self.speed * timeline.fps;
        if frames > 0.0 && frames.is_finite() {
            let from = self.place(&timeline);
            let laps = course.laps(from, frames);
            match course.mode {
                LoopMode::Once => {}
                LoopMode::Loop => happened.wrapped = laps,
                LoopMode::PingPong => happened.turned = laps,
            }
            let place = course.advance(from, frames);
            self.seconds = place.at / timeline.fps;
            self.backwards = place.backwards;
            self.playing = place.playing;
            self.ended = !place.playing;
            happened.ended = self.ended;
        }
        happened
    }

    /// Returns the seconds until the animation or section ends, starts again or reverses; `None` while paused, and if it
    /// never does.
    #[must_use]
    pub fn until_end(&self, timelines: &[Timeline]) -> Option<f64> {
        let (timeline, course) = self.course(timelines).filter(|_| self.playing)?;
        let frames = course.until_end(self.place(&timeline))?;
        Some(frames / (timeline.fps * self.speed))
    }

    /// Returns the seconds until the frame on screen changes; 0 if frames are blended; `None` if it never changes.
    #[must_use]
    pub fn until_change(&self, timelines: &[Timeline]) -> Option<f64> {
        let (timeline, course) = self.course(timelines).filter(|_| self.playing)?;
        let frames = course.until_change(self.place(&timeline))?;
        Some(if self.smooth { 0.0 } else { frames / (timeline.fps * self.speed) })
    }

    /// Stops at the current position, but not because the user paused: what is chosen next plays if this did.
    pub fn hold(&mut self) {
        self.ended |= self.playing;
        self.playing = false;
    }

    /// Pauses at the current position.
    pub fn pause(&mut self) {
        self.playing = false;
        self.ended = false;
    }

    /// Starts forwards, or stops. A ping-pong animation continues in its last direction.
    pub fn toggle(&mut self, timelines: &[Timeline]) {
        let backwards = self.backwards && self.mode(timelines) == LoopMode::PingPong;
        if self.playing {
            self.pause();
        } else {
            self.play(timelines, backwards);
        }
    }

    /// Starts backwards, or stops. Reverses an animation that plays forwards, and a ping-pong in both directions.
    pub fn toggle_backwards(&mut self, timelines: &[Timeline]) {
        if self.playing && self.mode(timelines) == LoopMode::PingPong {
            self.play(timelines, !self.backwards);
        } else if self.playing && self.backwards {
            self.pause();
        } else {
            self.play(timelines, true);
        }
    }

    /// Plays in a direction. If the end was reached, it starts again from the other end.
    fn play(&mut self, timelines: &[Timeline], backwards: bool) {
        self.change(timelines, |playback| playback.backwards = backwards);
        self.playing = true;
        self.ended = false;
        let Some((timeline, course)) = self.course(timelines) else { return };
        let at = timeline.position(self.seconds);
        let (ended, entry) = if backwards {
            (at <= course.first, course.last)
        } else {
            (at >= course.last, course.first)
        };
        if course.mode == LoopMode::Once && ended {
            self.seconds = entry / timeline.fps;
        }
    }

    /// Changes the flow of time. The frame on screen stays.
    fn change(&mut self, timelines: &[Timeline], change: impl FnOnce(&mut Self)) {
        let before = self.clone();
        change(self);
        let same = (before.backwards, before.mode(timelines), before.section)
            == (self.backwards, self.mode(timelines), self.section);
        if let Some(timeline) = self.timeline(timelines).filter(|_| !same) {
            self.seconds = before.position(timelines) / timeline.fps;
        }
    }

    /// Sets or removes the override of the loop mode. The frame on screen stays.
    pub fn set_mode(&mut self, timelines: &[Timeline], mode: Option<LoopMode>) {
        self.change(timelines, |playback| playback.mode = mode);
    }

    /// Plays only a section between two frames, in either order; `None` plays all. The frame on screen stays.
    pub fn set_section(&mut self, timelines: &[Timeline], section: Option<[u16; 2]>) {
        self.change(timelines, |playback| {
            playback.section = section.map(|[a, b]| [a.min(b), a.max(b)]);
        });
    }

    /// Sets the speed, clamped to [`SPEED_RANGE`]. A value that is not finite is ignored.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.clamp(*SPEED_RANGE.start(), *SPEED_RANGE.end());
        }
    }

    /// Pauses at a position in frames. Beyond the ends it is the first or the last frame. Positions outside a section are
    /// allowed.
    pub fn seek(&mut self, timelines: &[Timeline], frames: f64) {
        if let Some(timeline) = self.timeline(timelines).filter(|_| !frames.is_nan()) {
            let last = f64::from(timeline.frame_count.saturating_sub(1));
            let to = frames.clamp(0.0, last);
            // A frame as authored begins where it is looked at, whichever way time runs.
            let to = if self.smooth { settled(to) } else { whole_frame(to, false) };
            self.seconds = to / timeline.fps;
        }
    }

    /// Pauses at the first frame that plays.
    pub fn first(&mut self, timelines: &[Timeline]) {
        self.pause();
        if let Some([first, _]) = self.range(timelines) {
            self.seek(timelines, first.into());
        }
    }

    /// Pauses at the last frame that plays.
    pub fn last(&mut self, timelines: &[Timeline]) {
        self.pause();
        if let Some([_, last]) = self.range(timelines) {
            self.seek(timelines, last.into());
        }
    }

    /// Pauses and moves by whole frames, wrapping in a loop. From outside a section it only moves towards it.
    pub fn step(&mut self, timelines: &[Timeline], frames: i32) {
        self.pause();
        let Some(((_, course), at)) = self.course(timelines).zip(self.frame_at(timelines)) else {
            return;
        };
        let to = course.step(at.frame.into(), frames.into());
        self.seek(timelines, to);
    }

    /// Sets the override of the frame rate, clamped to [`FPS_RANGE`]. `None`, or a value that is not finite, removes it. The frame
    /// on screen stays.
    pub fn set_fps(&mut self, timelines: &[Timeline], fps: Option<f64>) {
        let before = self.timeline(timelines);
        self.fps = fps
            .filter(|fps| fps.is_finite())
            .map(|fps| fps.clamp(*FPS_RANGE.start(), *FPS_RANGE.end()));
        if let Some((before, after)) = before.zip(self.timeline(timelines)) {
            self.seconds *= before.fps / after.fps;
        }
    }
}
