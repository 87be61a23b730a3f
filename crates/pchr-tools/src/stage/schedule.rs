//! Moments of the members of a stage over its time: a loop of one clip, or clips one after another.

use pchr::document::AnimationId;
use pchr::playback::{FrameAt, Mix, Timeline};

/// Clips of a member over the time of a stage.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// One clip, which loops; or several, one after another.
    parts: Vec<ScheduledClip>,
    start: f64,
    speed: f64,
    fade: f64,
}

#[derive(Clone, Copy, Debug)]
struct ScheduledClip {
    animation: AnimationId,
    timeline: Timeline,
    /// Seconds from the start of the first clip.
    begin: f64,
}

/// A moment of a member, and the cross-fade from it.
pub(super) type MemberMoment = (FrameAt, Option<Mix>);

/// Seconds by which rounding may miss the start of a clip.
const ROUNDING: f64 = 1e-7;

/// Longest time, in seconds, after which all loops begin again together.
const LONGEST_CYCLE: f64 = 60.0;

impl Schedule {
    /// Creates a schedule of clips. `start` is in seconds, as is `fade`; both are of the clips' own time, which passes with `speed`.
    pub(super) fn new(
        clips: impl ExactSizeIterator<Item = (AnimationId, Timeline)>,
        start: f64,
        speed: f64,
        fade: f64,
    ) -> Self {
        let is_one = clips.len() == 1;
        let mut end = 0.0;
        let part = |(animation, timeline): (AnimationId, Timeline)| {
            let begin = end;
            end += timeline.duration();
            let looping = timeline.looping || is_one;
            ScheduledClip {
                animation,
                timeline: Timeline { looping, smooth: true, ..timeline },
                begin,
            }
        };
        Self { parts: clips.map(part).collect(), start, speed, fade }
    }

    /// Returns the highest frame rate of its clips.
    pub(super) fn fps(&self) -> f64 {
        self.parts.iter().map(|part| part.timeline.fps).fold(0.0, f64::max)
    }

    /// Returns the seconds after which it begins again; `None` if it never moves.
    pub(super) fn period(&self) -> Option<f64> {
        (self.speed > 0.0).then(|| self.length() / self.speed)
    }

    /// Returns the seconds of all clips at their own speed.
    fn length(&self) -> f64 {
        self.parts.last().map_or(0.0, |last| last.begin + last.timeline.duration())
    }

    /// Returns its moment at a time of the stage, in seconds; `None` if it has no clip.
    pub(super) fn at(&self, seconds: f64) -> Option<MemberMoment> {
        let seconds = self.start + seconds * self.speed;
        if let [ScheduledClip { animation, timeline, .. }] = self.parts.as_slice() {
            return Some((timeline.at(*animation, seconds), None));
        }
        let length = self.length();
        let wrapped = seconds.rem_euclid(length) + ROUNDING;
        let seconds = if wrapped < length { wrapped } else { 0.0 };
        let index = self.parts.iter().rposition(|part| part.begin <= seconds)?;
        let part = self.parts.get(index)?;
        let local = (seconds - ROUNDING - part.begin).max(0.0);
        let to = part.timeline.at(part.animation, local);
        let before = index.checked_sub(1).and_then(|before| self.parts.get(before));
        let Some(before) = before.filter(|_| local < self.fade - ROUNDING) else {
            return Some((to, None));
        };
        let from = before.timeline.at(before.animation, before.timeline.duration() + local);
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
        let amount = (local / self.fade) as f32;
        Some((from, Some(Mix { to, amount })))
    }
}

/// An animation of a stage: what each member plays.
#[derive(Clone, Debug)]
pub(super) struct GroupClip {
    pub(super) name: &'static str,
    pub(super) timeline: Timeline,
    pub(super) schedules: Vec<Schedule>,
}

/// Returns the clip of a moment that exists.
pub(super) fn existing(clips: &[GroupClip], at: FrameAt) -> Option<&GroupClip> {
    let clip = clips.get(at.animation.index());
    clip.filter(|clip| at.frame < clip.timeline.frame_count)
}

/// Returns the moment of a member, by index, at a moment of the stage; `None` if it plays nothing.
pub(super) fn moment_of(
    clips: &[GroupClip],
    member: usize,
    at: Option<FrameAt>,
) -> Option<MemberMoment> {
    let GroupClip { timeline, schedules, .. } = existing(clips, at?)?;
    let FrameAt { frame, next, blend, .. } = at?;
    let is_wrapping = next == 0 && frame.saturating_add(1) == timeline.frame_count;
    let next = if is_wrapping { timeline.frame_count } else { next };
    let frame = f64::from(frame);
    let position = frame + f64::from(blend) * (f64::from(next) - frame);
    schedules.get(member)?.at(position / timeline.fps)
}

/// Share of a frame by which loops may miss their start together.
const MISSED: f64 = 0.01;

/// Loops that play together.
pub(crate) struct Loops {
    /// Frames of each.
    periods: Vec<f64>,
    longest: f64,
    /// Frames after which they must begin again, at most.
    most: f64,
}

impl Loops {
    /// Creates loops of such `periods`, in seconds, that play at a frame rate.
    pub(crate) fn new(periods: impl Iterator<Item = f64>, fps: f64) -> Self {
        let periods: Vec<f64> = periods.map(|seconds| (seconds * fps).max(1.0)).collect();
        let longest = periods.iter().copied().fold(1.0, f64::max);
        Self { periods, longest, most: (LONGEST_CYCLE * fps).min(u16::MAX.into()) }
    }

    /// Returns the number of frames after which they begin again together, or that after which the longest does so on a whole frame if
    /// that takes too long.
    pub(crate) fn cycle(&self) -> u16 {
        let together = self.ends().find(|frames| self.miss(*frames) <= MISSED);
        self.frames(together.or(self.ends().next()))
    }

    /// Returns the number of frames after which all are nearest to their beginnings, the smallest of several.
    pub(crate) fn nearest_cycle(&self) -> u16 {
        self.frames(self.ends().min_by(|a, b| self.miss(*a).total_cmp(&self.miss(*b))))
    }

    /// Returns the ends of the longest on whole frames.
    fn ends(&self) -> impl Iterator<Item = f64> {
        let times = std::iter::successors(Some(1.0), |times: &f64| Some(times + 1.0));
        let ends = times.map(|times| times * self.longest);
        ends.take_while(|frames| *frames <= self.most)
            .filter(|frames| (frames - frames.round()).abs() <= MISSED)
    }

    /// Returns the frames by which the worst of them misses its beginning.
    fn miss(&self, frames: f64) -> f64 {
        let missed = self.periods.iter().map(|period| {
            let times = frames / period;
            (times - times.round()).abs() * period
        });
        missed.fold(0.0, f64::max)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
    fn frames(&self, end: Option<f64>) -> u16 {
        end.unwrap_or(self.longest).round() as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: AnimationId = AnimationId(0);
    const WALK: AnimationId = AnimationId(1);

    fn line(frame_count: u16, looping: bool) -> Timeline {
        Timeline { frame_count, fps: 10.0, looping, smooth: false }
    }

    fn schedule(clips: &[(AnimationId, Timeline)], start: f64, speed: f64, fade: f64) -> Schedule {
        Schedule::new(clips.iter().copied(), start, speed, fade)
    }

    /// Animation, frame and blend of a moment, and the weight of what it fades to.
    fn at(schedule: &Schedule, seconds: f64) -> (u16, u16, f32, Option<f32>) {
        let (at, mix) = schedule.at(seconds).unwrap();
        (at.animation.0, at.frame, at.blend, mix.map(|mix| mix.amount))
    }

    #[test]
    fn one_clip_loops_from_its_start_with_its_speed() {
        let clip = schedule(&[(WALK, line(10, false))], 0.3, 2.0, 9.0);
        assert_eq!(clip.period(), Some(0.5));
        assert_eq!(at(&clip, 0.0), (1, 3, 0.0, None));
        assert_eq!(at(&clip, 0.1), (1, 5, 0.0, None));
        let (_, frame, blend, _) = at(&clip, 0.125);
        assert_eq!((frame, (blend * 2.0).round()), (5, 1.0));
        assert_eq!(at(&clip, 0.4).1, 1);
        let held = schedule(&[(WALK, line(10, true))], 0.3, 0.0, 0.0);
        assert_eq!((at(&held, 7.0).1, held.period()), (3, None));
        assert_eq!(schedule(&[], 0.0, 1.0, 0.0).at(1.0), None);
    }

    #[test]
    fn clips_of_a_list_follow_each_other_and_fade() {
        let list = [(IDLE, line(4, true)), (WALK, line(10, false)), (IDLE, line(4, true))];
        let list = schedule(&list, 0.0, 1.0, 0.2);
        assert_eq!(list.period().map(|seconds| (seconds * 10.0).round()), Some(18.0));
        for frame in 0..18_u16 {
            let (to, mix) = list.at(f64::from(frame) / 10.0).unwrap();
            let to = mix.map_or(to, |mix| mix.to);
            let expected = match frame {
                0..4 => (IDLE, frame),
                4..14 => (WALK, frame - 4),
                _ => (IDLE, frame - 14),
            };
            assert_eq!((to.animation, to.frame), expected, "{frame}");
        }
        assert_eq!(at(&list, 0.1).3, None, "the first clip does not fade in");
        let (animation, frame, _, amount) = at(&list, 0.5);
        assert_eq!((animation, frame), (0, 1), "a loop goes on while it fades out");
        assert!((amount.unwrap() - 0.5).abs() < 1e-5);
        assert_eq!((at(&list, 1.5).0, at(&list, 1.5).1), (1, 9), "another clip holds its end");
        assert_eq!(at(&list, 0.6).3, None);
        assert_eq!(at(&list, 1.8), at(&list, 0.0), "the list begins again");
    }

    #[test]
    fn loops_end_together_or_with_the_longest() {
        let cycle = |periods: &[f64], fps| Loops::new(periods.iter().copied(), fps).cycle();
        assert_eq!(cycle(&[1.0, 1.5], 10.0), 30);
        assert_eq!(cycle(&[1.0, 1.5, 2.0], 24.0), 6 * 24);
        assert_eq!(cycle(&[9.7, 10.1], 10.0), 101, "979.7 seconds would be too long");
        assert_eq!(cycle(&[1e9], 10.0), u16::MAX);
        // 37.5 and 31 frames: the longest ends on a whole frame after two times.
        assert_eq!(cycle(&[1.25, 31.0 / 30.0], 30.0), 75);
        assert_eq!(cycle(&[1.25, 2.5], 30.0), 75);
        assert_eq!(cycle(&[], 10.0), 1);
        // After 8 times of 84 frames, 3 frames of 75 and 4 of 52 are missed; after once, 9 and 20.
        let loops = Loops::new([84.0, 75.0, 28.0, 52.0].into_iter(), 1.0);
        assert_eq!(Loops { most: 1800.0, ..loops }.nearest_cycle(), 672);
    }
}
