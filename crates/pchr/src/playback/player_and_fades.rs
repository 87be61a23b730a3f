//! Playback of one clip after the other, with a queue and cross-fades: their length, curve and course.

use std::collections::VecDeque;

use super::frame_spec::{FrameAt, Mix};
use super::state::Playback;
use super::timeline::{Happened, Timeline};
use crate::document::AnimationId;

/// Plays clips: one at a time, faded from one to the next, and others in a queue.
///
/// Frames are held as they are stored unless `clip.smooth` is set, so a clip of 30 frames per second moves 30 times a second.
///
/// ```
/// # use pchr::{document::AnimationId, playback::*};
/// # fn update(timelines: &[Timeline], walk: AnimationId, jump: AnimationId, dt: f64) {
/// let fade = FadeOptions { seconds: 0.2, curve: FadeCurve::Smooth };
/// let mut player = Player::default();
/// player.start(walk, FadeOptions::default());
/// player.start(jump, fade);
/// player.queue(walk, fade); // once the jump is over
/// let happened = player.advance(timelines, dt);
/// if happened.started > 0 { /* back on the ground */ }
/// if let Some((at, mix)) = player.moment(timelines) { /* pose, draw */ }
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Player {
    /// The clip that plays or is faded to, with its speed, loop mode and section.
    pub clip: Playback,
    fade: Option<Fade>,
    blend: Option<Blend>,
    /// Clips that wait for their turn.
    queue: VecDeque<(AnimationId, FadeOptions)>,
}

impl Player {
    /// Starts a clip at its first frame, faded in from the current one, and empties the queue. Speed, direction,
    /// smoothness and overrides of rate and loop mode stay. A paused player plays again. [`Self::moment`] is `None` if the timelines
    /// lack the clip.
    ///
    /// A fade that is under way ends: the new one begins with its clip of more weight. Where that jump would be seen, keep the
    /// [`LocalPose`](crate::pose::LocalPose) on screen and blend from it instead.
    pub fn start(&mut self, animation: AnimationId, fade: FadeOptions) {
        self.queue.clear();
        self.switch(animation, fade);
        self.clip.playing = true;
    }

    /// Queues a clip after the current one and those already queued: it starts when a clip that plays once ends, or when a
    /// looping one reaches the end of its frames. Without a current clip, or if that has no frames, it waits: call
    /// [`Self::start`] first. A clip that the timelines lack is skipped when its turn comes.
    pub fn queue(&mut self, animation: AnimationId, fade: FadeOptions) {
        self.queue.push_back((animation, fade));
    }

    /// Returns the number of clips that wait.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Returns the fade that is under way.
    #[must_use]
    pub fn fade(&self) -> Option<&Fade> {
        self.fade.as_ref()
    }

    /// Moves the fade that is under way to a share of its time, 0..=1, forwards or backwards. Its clips stay where they are; see
    /// [`Self::scrub`].
    pub fn seek_fade(&mut self, share: f64) {
        if let Some(fade) = self.fade.as_mut().filter(|_| share.is_finite()) {
            fade.seconds = share.clamp(0.0, 1.0) * fade.options.seconds;
        }
    }

    /// Moves the clip by `seek`, and by the same time the fade that is under way and the clip that is faded out: forwards or backwards.
    /// Both ends of the fade hold; it is over when time passes, not before.
    pub fn scrub(&mut self, timelines: &[Timeline], seek: impl FnOnce(&mut Playback)) {
        let (before, backwards) = (self.clip.seconds, self.clip.backwards);
        seek(&mut self.clip);
        let passed = self.clip.seconds - before;
        self.move_fade(timelines, if backwards { -passed } else { passed });
    }

    /// Pauses and moves by whole frames, as [`Playback::step`] does, and by the same time the fade that is under way.
    pub fn step(&mut self, timelines: &[Timeline], frames: i32) {
        let before = self.clip.seconds;
        self.clip.step(timelines, frames);
        let rate = self.clip.timeline(timelines).map(|timeline| timeline.fps);
        let Some(rate) = rate.filter(|_| self.clip.seconds != before) else { return };
        let passed = f64::from(frames) / rate; // even if it went over the end of a loop
        let backwards = self.clip.backwards;
        self.move_fade(timelines, if backwards { -passed } else { passed });
    }

    fn move_fade(&mut self, timelines: &[Timeline], by: f64) {
        if let Some(fade) = self.fade.as_mut().filter(|_| by != 0.0) {
            fade.seek(timelines, fade.seconds + by);
        }
    }

    /// Replaces the clips of the running fade, for example after their file was read again. The fade ends if `change` returns
    /// false for one of them.
    pub fn change_fade(&mut self, mut change: impl FnMut(&mut Playback) -> bool) {
        self.fade.take_if(|fade| !(change(&mut fade.from) && change(&mut fade.began)));
    }

    /// Shows a clip at its first frame, without a fade. A paused player stays paused.
    pub fn choose(&mut self, animation: Option<AnimationId>) {
        self.end_fade();
        self.clip.choose(animation);
        self.blend.take_if(|blend| Some(blend.with) == animation);
    }

    /// Returns the clip that the current one is mixed with.
    #[must_use]
    pub fn blend(&self) -> Option<Blend> {
        self.blend
    }

    /// Mixes the current clip, and those that follow it, with another one; `None` shows it alone. A running fade ends, and while there is
    /// a mix, clips follow each other without fades. It ends when the other clip is started or chosen itself.
    pub fn set_blend(&mut self, blend: Option<Blend>) {
        let is_apt = |it: &Blend| Some(it.with) != self.clip.animation && it.amount.is_finite();
        let blend = blend.filter(is_apt);
        self.fade.take_if(|_| blend.is_some());
        self.blend = blend.map(|blend| Blend { amount: blend.amount.clamp(0.0, 1.0), ..blend });
    }

    /// Shows the clip that is faded to alone.
    pub fn end_fade(&mut self) {
        self.fade = None;
    }

    /// Advances by `dt` seconds: the clip, the fade, and the clip that is faded out. Returns the events in that time.
    ///
    /// A step of 0, a negative one and one that is not finite change nothing. A paused clip stops the fade, too. `timelines` are those of the file, without overrides: index = animation index.
    pub fn advance(&mut self, timelines: &[Timeline], dt: f64) -> Happened {
        let mut happened = Happened::default();
        if !(dt > 0.0 && dt.is_finite()) || !(self.clip.playing || self.clip.ended) {
            return happened;
        }
        let mut left = dt;
        // Each round but the last takes a clip from the queue.
        while let Some((animation, fade)) = self.queue.front().copied() {
            let Some(until) = self.until_end(timelines).filter(|until| *until <= left) else {
                break;
            };
            self.advance_by(timelines, until, &mut happened);
            self.queue.pop_front();
            if timelines.get(animation.index()).is_none() {
                continue;
            }
            self.switch(animation, fade);
            self.clip.playing = true;
            happened.started = happened.started.saturating_add(1);
            left -= until;
        }
        self.advance_by(timelines, left, &mut happened);
        happened
    }

    /// Returns the moments on screen: that of the clip, perhaps mixed with the other clip of [`Self::blend`], or in a fade that of the
    /// clip that is faded out, with the mix towards the other; `None` if nothing can be played.
    #[must_use]
    pub fn moment(&self, timelines: &[Timeline]) -> Option<(FrameAt, Option<Mix>)> {
        let to = self.clip.frame_at(timelines)?;
        let fade = self.fade.as_ref();
        let faded = fade.and_then(|fade| {
            let from = Playback { smooth: self.clip.smooth, ..fade.from.clone() };
            Some((from.frame_at(timelines)?, fade))
        });
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
        Some(match faded {
            None => (to, self.mix_at(timelines, to)),
            Some((from, fade)) => {
                let amount = fade.amount() as f32;
                (from, Some(Mix { to, amount }))
            }
        })
    }

    /// Returns the mix with the other clip at a moment of the current one.
    fn mix_at(&self, timelines: &[Timeline], at: FrameAt) -> Option<Mix> {
        let blend = self.blend?;
        let own = timelines.get(at.animation.index())?;
        let other = timelines.get(blend.with.index()).filter(|it| it.frame_count > 0)?;
        Some(Mix { to: own.in_phase(at, blend.with, other), amount: blend.amount })
    }

    /// Replaces the current clip.
    fn switch(&mut self, animation: AnimationId, options: FadeOptions) {
        let shown = match self.fade.take() {
            Some(fade) if fade.amount() < 0.5 => fade.from,
            _ => self.clip.clone(),
        };
        self.blend.take_if(|blend| blend.with == animation);
        let fades = options.seconds > 0.0 && options.seconds.is_finite() && self.blend.is_none();
        self.fade = Some(Fade { began: shown.clone(), from: shown, seconds: 0.0, options })
            .filter(|fade| fades && fade.from.animation.is_some());
        self.clip.choose(Some(animation));
    }

    /// Returns the seconds until the clip is over.
    fn until_end(&self, timelines: &[Timeline]) -> Option<f64> {
        if self.clip.ended {
            return Some(0.0);
        }
        self.clip.until_end(timelines)
    }

    fn advance_by(&mut self, timelines: &[Timeline], dt: f64, happened: &mut Happened) {
        happened.add(self.clip.advance(timelines, dt));
        let speed = self.clip.speed;
        self.fade.take_if(|fade| {
            fade.from.speed = speed;
            fade.from.advance(timelines, dt);
            fade.seconds += dt * speed;
            let over = fade.seconds >= fade.options.seconds;
            happened.faded |= over;
            over
        });
    }
}

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

/// A steady mix of the clip that plays with another, which is shown at the same phase ([`Timeline::in_phase`]): a walk and a run keep
/// step, regardless of their lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// The other clip.
    pub with: AnimationId,
    /// Weight of the other clip: 0..=1.
    pub amount: f32,
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
