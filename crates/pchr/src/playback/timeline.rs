//! Length, rate and loop of an animation, its frame at a time, and positions in it; the course of time over the frames that play: ends,
//! turns and loops, and what happened there. Pure arithmetic.

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

/// Behaviour at the end of an animation or section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopMode {
    /// Stops.
    Once,
    /// Starts again at the other end.
    Loop,
    /// Reverses direction.
    PingPong,
}

/// The frames that play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CourseJob {
    /// Whole numbers; `first` is at most `last`.
    pub(super) first: f64,
    pub(super) last: f64,
    /// Number of frames if all of them play; `None` for a section, outside of which positions may lie.
    pub(super) whole: Option<f64>,
    pub(super) mode: LoopMode,
}

/// A position that moves with time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CoursePlace {
    pub(super) at: f64,
    pub(super) backwards: bool,
    pub(super) playing: bool,
}

impl CourseJob {
    /// Plays on by `frames`, which is greater than 0.
    ///
    /// From outside a section, playback enters it. If it moves away from the section, it continues as if it had just left it.
    pub(super) fn advance(&self, place: CoursePlace, frames: f64) -> CoursePlace {
        let from = CoursePlace { at: settled(place.at), ..place };
        match self.mode {
            LoopMode::Once => self.once(from, frames),
            LoopMode::Loop => self.round(from, frames),
            LoopMode::PingPong => self.there_and_back(from, frames),
        }
    }

    /// Returns the number of frames until playback stops, starts again or reverses; `None` if that never happens.
    pub(super) fn until_end(&self, place: CoursePlace) -> Option<f64> {
        let at = settled(place.at);
        if self.mode == LoopMode::PingPong {
            let half = self.last - self.first;
            let inside = at.clamp(self.first, self.last);
            if half == 0.0 {
                return Some((inside - at).abs()).filter(|way| *way > 0.0);
            }
            let backwards = if inside == at { place.backwards } else { inside < at };
            let done = self.lap_done(inside, backwards);
            return Some((inside - at).abs() + ((done / half).floor() + 1.0) * half - done);
        }
        let (way, [entry, exit]) = self.seen(place.backwards);
        let from = way * at;
        let end = exit + 1.0;
        let restarts = from >= end && (self.mode == LoopMode::Loop || self.whole.is_none());
        Some((end - if restarts { entry } else { from }).max(0.0))
    }

    /// Returns how often playback starts again or reverses within `frames`, which is greater than 0.
    pub(super) fn laps(&self, place: CoursePlace, frames: f64) -> u64 {
        let lap = match self.mode {
            LoopMode::Once => return 0,
            LoopMode::Loop => self.last - self.first + 1.0,
            LoopMode::PingPong => self.last - self.first,
        };
        let Some(beyond) = self
            .until_end(place)
            .map(|first| settled(frames - first))
            .filter(|beyond| *beyond >= 0.0 && lap > 0.0)
        else {
            return 0;
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not negative; huge numbers saturate"
        )]
        let more = (beyond / lap) as u64;
        more.saturating_add(1)
    }

    /// Returns the number of frames until another one is shown, or playback stops; `None` if that never happens.
    pub(super) fn until_change(&self, place: CoursePlace) -> Option<f64> {
        let at = settled(place.at);
        let inside = self.first <= at && at <= self.last;
        let single = self.first == self.last;
        let (way, done) = match self.mode {
            LoopMode::PingPong if inside && single => return None,
            LoopMode::PingPong if inside => (1.0, self.lap_done(at, place.backwards)),
            LoopMode::PingPong if at > self.last => (-1.0, at),
            LoopMode::PingPong => (1.0, at),
            LoopMode::Once | LoopMode::Loop => {
                let (way, [_, exit]) = self.seen(place.backwards);
                let beyond = way * at - exit;
                match self.mode {
                    _ if beyond >= 1.0 => return Some(0.0),
                    LoopMode::Loop if single && beyond >= 0.0 => return None,
                    _ => (way, at),
                }
            }
        };
        let done = way * done;
        Some(done.floor() + 1.0 - done)
    }

    /// Returns the frame at a distance of whole frames. In a loop it wraps, else the ends hold. From outside a section it only
    /// moves towards it.
    pub(super) fn step(&self, frame: f64, frames: f64) -> f64 {
        let (way, [entry, exit]) = self.seen(frames < 0.0);
        let from = way * frame;
        let farthest = exit.max(from);
        let to = from + frames.abs();
        let to = if self.mode == LoopMode::Loop && to > farthest {
            entry + (to - farthest - 1.0) % (exit - entry + 1.0)
        } else {
            to.min(farthest)
        };
        way * to
    }

    /// Returns 1 forwards and -1 backwards, and the entry and exit positions multiplied by it, so that time always increases.
    fn seen(&self, backwards: bool) -> (f64, [f64; 2]) {
        if backwards { (-1.0, [-self.last, -self.first]) } else { (1.0, [self.first, self.last]) }
    }

    /// The last frame is shown as long as the others. Then it is the position, and playback stops.
    fn once(&self, place: CoursePlace, frames: f64) -> CoursePlace {
        let (way, [entry, exit]) = self.seen(place.backwards);
        let end = exit + 1.0;
        let from = way * place.at;
        let outside = self.whole.is_none() && from >= end;
        let to = settled(if outside { entry } else { from } + frames);
        let playing = to < end;
        CoursePlace { at: way * if playing { to } else { exit }, playing, ..place }
    }

    fn round(&self, place: CoursePlace, frames: f64) -> CoursePlace {
        let (way, [entry, exit]) = self.seen(place.backwards);
        let end = exit + 1.0;
        let from = way * place.at;
        let to = if from >= end { entry } else { from } + frames;
        let to = if to >= end { entry + (to - end) % (end - entry) } else { to };
        let at = way * to;
        CoursePlace { at: self.whole.map_or(at, |count| wrapped(at, count)), ..place }
    }

    fn there_and_back(&self, place: CoursePlace, frames: f64) -> CoursePlace {
        let inside = place.at.clamp(self.first, self.last);
        let way_in = inside - place.at;
        if frames < way_in.abs() {
            return CoursePlace {
                at: place.at + frames.copysign(way_in),
                backwards: way_in < 0.0,
                ..place
            };
        }
        let half = self.last - self.first;
        if half == 0.0 {
            return CoursePlace { at: inside, ..place };
        }
        let backwards = if way_in == 0.0 { place.backwards } else { way_in < 0.0 };
        let done = self.lap_done(inside, backwards) + frames - way_in.abs();
        let done = settled(done % (2.0 * half)) % (2.0 * half);
        let backwards = done >= half;
        let from_first = if backwards { 2.0 * half - done } else { done };
        CoursePlace { at: self.first + from_first, backwards, ..place }
    }

    /// Returns the distance travelled in a round trip at a position within the course.
    fn lap_done(&self, at: f64, backwards: bool) -> f64 {
        let half = self.last - self.first;
        let from_first = at - self.first;
        if backwards { (2.0 * half - from_first) % (2.0 * half) } else { from_first }
    }
}

/// Events of a step of time, of the clip that plays or is faded to: a clip that is faded out reports nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Happened {
    /// Number of times that a loop came to its end and started again.
    pub wrapped: u64,
    /// Number of times that a ping-pong reversed.
    pub turned: u64,
    /// True if a clip that plays once came to its end.
    pub ended: bool,
    /// True if a cross-fade was completed.
    pub faded: bool,
    /// Number of clips that started from the queue.
    pub started: u32,
}

impl Happened {
    pub(super) fn add(&mut self, other: Self) {
        self.wrapped = self.wrapped.saturating_add(other.wrapped);
        self.turned = self.turned.saturating_add(other.turned);
        self.ended |= other.ended;
        self.faded |= other.faded;
        self.started = self.started.saturating_add(other.started);
    }
}

/// Largest distance, in frames, of a position from a whole number that it counts as. frame / fps · fps may be off by a rounding.
const SETTLED_WITHIN: f64 = 1e-6;

/// Returns the position, in frames, of a time in seconds.
///
/// That is `seconds · fps`, except that a whole frame's time may be rounded: to 64 or 32 bits, or to as many decimal places as
/// `seconds` has, but no fewer than 6 significant digits or 6 decimal places.
fn position(seconds: f64, fps: f64) -> f64 {
    let at = settled(seconds * fps);
    let frame = at.round();
    if at != frame && is_rounded(seconds, frame / fps, fps) { frame } else { at }
}

/// Returns true if `seconds` is the exact time of a frame, rounded to 32 bits or decimal places that still tell frames apart.
fn is_rounded(seconds: f64, exact: f64, fps: f64) -> bool {
    /// Decimal places beyond which rounding moves a time by less than [`SETTLED_WITHIN`], at any rate.
    const FINEST: f64 = 1e12;
    /// More are not needed to write a number of 32 bits.
    const DIGITS_OF_F32: f64 = 1e9;

    let (size, off) = (seconds.abs(), (seconds - exact).abs());
    // Rounding to 6 digits moves no time farther. Also false if something is not finite.
    let is_near = off <= 6e-7_f64.max(6e-6 * size);
    if !is_near {
        return false;
    }
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
    let [short, short_exact] = [seconds as f32, exact as f32];
    let next = f64::from(short.abs().next_up()) - f64::from(short.abs());
    let is_short = short == short_exact && next * fps < 1.0;
    if is_short && f64::from(short) == seconds {
        return true;
    }
    let (mut scale, mut whole) = (1e6, size);
    while whole >= 1.0 && scale > 1.0 {
        (scale, whole) = (scale / 10.0, whole / 10.0);
    }
    while scale <= FINEST {
        let digits = (size * scale).round();
        if digits / scale == size {
            // Slightly more than half a unit: programs round ties up, down or to even digits.
            let by_places = scale > fps && off * scale < 0.501;
            return by_places || (digits < DIGITS_OF_F32 && is_short);
        }
        scale *= 10.0;
    }
    false
}

/// Returns the whole number nearest to a position if it is close enough, else the position.
pub(super) fn settled(at: f64) -> f64 {
    let nearest = at.round();
    if (at - nearest).abs() < SETTLED_WITHIN { nearest } else { at }
}

/// Returns the frame at a position without blending, before wrapping.
pub(super) fn whole_frame(at: f64, backwards: bool) -> f64 {
    let at = settled(at);
    if backwards { at.ceil() } else { at.floor() }
}

/// Returns the position in the first round: 0 up to `count`, in frames.
fn wrapped(at: f64, count: f64) -> f64 {
    at.rem_euclid(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        assert_eq!((phase(7.0, (1, true)).0, phase(7.0, (0, true)).0), (0, 0));
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

    /// Steps per frame. Positions are whole numbers of steps.
    const TICKS: i64 = 8;

    /// Reference implementation of the course, tick by tick, almost without arithmetic.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Naive {
        at: i64,
        backwards: bool,
        playing: bool,
    }

    impl Naive {
        fn tick(&mut self, first: i64, last: i64, section: bool, mode: LoopMode) {
            if !self.playing {
                return;
            }
            let step = |backwards: bool| if backwards { -1 } else { 1 };
            match mode {
                LoopMode::Once => {
                    let (entry, exit) = if self.backwards { (last, first) } else { (first, last) };
                    let end = exit + TICKS * step(self.backwards);
                    let over = |at| if self.backwards { at <= end } else { at >= end };
                    if over(self.at) && section {
                        self.at = entry;
                    }
                    self.at += step(self.backwards);
                    if over(self.at) {
                        (self.at, self.playing) = (exit, false);
                    }
                }
                LoopMode::Loop if self.backwards => {
                    if self.at <= first - TICKS {
                        self.at = last;
                    }
                    self.at -= 1;
                    if self.at == first - TICKS {
                        self.at = last;
                    }
                }
                LoopMode::Loop => {
                    if self.at >= last + TICKS {
                        self.at = first;
                    }
                    self.at += 1;
                    if self.at == last + TICKS {
                        self.at = first;
                    }
                }
                LoopMode::PingPong => {
                    if self.at > last || (self.at == last && first != last) {
                        self.backwards = true;
                    } else if self.at < first || (self.at == first && first != last) {
                        self.backwards = false;
                    }
                    if self.at != first || first != last {
                        self.at += step(self.backwards);
                    }
                    if first != last && (self.at == first || self.at == last) {
                        self.backwards = self.at == last;
                    }
                }
            }
        }

        fn shown(&self) -> i64 {
            if self.backwards { -(-self.at).div_euclid(TICKS) } else { self.at.div_euclid(TICKS) }
        }
    }

    /// First and last frame, frames of the whole, mode, first tick, and direction.
    fn cases() -> impl Strategy<Value = (i64, i64, Option<i64>, LoopMode, i64, bool)> {
        let modes = vec![LoopMode::Once, LoopMode::Loop, LoopMode::PingPong];
        let ends = (1_i64..9, 0_i64..9, 0_i64..9, any::<bool>());
        (ends, prop::sample::select(modes), 0_i64..72, any::<bool>()).prop_map(
            |((count, a, b, section), mode, start, backwards)| {
                let [a, b] = [a, b].map(|end: i64| end.min(count - 1));
                let [first, last] = if section { [a.min(b), a.max(b)] } else { [0, count - 1] };
                let start = start.min((count - 1) * TICKS);
                (first, last, (!section).then_some(count), mode, start, backwards)
            },
        )
    }

    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn frames(ticks: i64) -> f64 {
        ticks as f64 / TICKS as f64
    }

    fn course(first: i64, last: i64, count: Option<i64>, mode: LoopMode) -> CourseJob {
        let at = |frame: i64| frames(frame * TICKS);
        CourseJob { first: at(first), last: at(last), whole: count.map(at), mode }
    }

    fn same(place: &CoursePlace, naive: &Naive, count: Option<i64>, single: bool) {
        let round = |frame: f64| count.map_or(frame, |c| frame.rem_euclid(frames(c * TICKS)));
        let shown = round(whole_frame(place.at, place.backwards));
        assert_eq!(shown, round(frames(naive.shown() * TICKS)), "{place:?} {naive:?}");
        assert!((round(place.at) - round(frames(naive.at))).abs() < 1e-9, "{place:?} {naive:?}");
        assert_eq!(place.playing, naive.playing);
        // One frame that goes there and back goes nowhere.
        assert!(single || place.backwards == naive.backwards, "{place:?} {naive:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_time_leads_to_where_small_steps_lead(
            (first, last, whole, mode, start, backwards) in cases(),
            times in prop::collection::vec(prop_oneof![1_i64..20, 1_i64..1000], 1..12),
        ) {
            let course = course(first, last, whole, mode);
            let mut naive = Naive { at: start, backwards, playing: true };
            let mut place = CoursePlace { at: frames(start), backwards, playing: true };
            for ticks in times {
                for _ in 0..ticks {
                    naive.tick(first * TICKS, last * TICKS, whole.is_none(), mode);
                }
                if place.playing {
                    place = course.advance(place, frames(ticks));
                }
                same(&place, &naive, whole, first == last && mode == LoopMode::PingPong);
            }
        }

        #[test]
        fn the_frame_stays_until_the_change_and_not_longer(
            (first, last, whole, mode, start, backwards) in cases(),
        ) {
            let course = course(first, last, whole, mode);
            let place = CoursePlace { at: frames(start), backwards, playing: true };
            let shows = |place: &CoursePlace| {
                let frame = whole_frame(place.at, place.backwards);
                (whole.map_or(frame, |c| frame.rem_euclid(frames(c * TICKS))), place.playing)
            };
            // Entering a section reverses a direction that leads away from it at once: the picture does not change.
            let now = shows(&course.advance(place, 1e-4));
            match course.until_change(place) {
                None => {
                    for time in [0.5, 1.0, 7.3, 100.0] {
                        prop_assert_eq!(shows(&course.advance(place, time)), now);
                    }
                }
                Some(0.0) => {}
                Some(time) => {
                    prop_assert!(time > 0.0 && time <= 1.0);
                    prop_assert_eq!(shows(&course.advance(place, time * 0.99)), now);
                    let after = shows(&course.advance(place, time));
                    let round = first == last && mode == LoopMode::Loop;
                    prop_assert!(after != now || round, "{:?} {:?}", place, after);
                }
            }
        }
    }

    #[test]
    fn steps_stay_within_a_section_and_lead_into_it() {
        let section = |mode| course(2, 4, None, mode);
        let steps = |mode, from: f64, steps: &[f64]| -> Vec<f64> {
            steps.iter().map(|step| section(mode).step(from, *step)).collect()
        };
        let by = [1.0, -1.0, 2.0, -4.0];
        assert_eq!(steps(LoopMode::Loop, 4.0, &by), [2.0, 3.0, 3.0, 3.0]);
        assert_eq!(steps(LoopMode::Loop, 2.0, &by), [3.0, 4.0, 4.0, 4.0]);
        assert_eq!(steps(LoopMode::Once, 4.0, &by), [4.0, 3.0, 4.0, 2.0]);
        assert_eq!(steps(LoopMode::PingPong, 2.0, &by), [3.0, 2.0, 4.0, 2.0]);
        assert_eq!(steps(LoopMode::Loop, 7.0, &by), [2.0, 6.0, 3.0, 3.0]);
        assert_eq!(steps(LoopMode::Once, 7.0, &by), [7.0, 6.0, 7.0, 3.0]);
        assert_eq!(steps(LoopMode::Loop, 0.0, &by), [1.0, 4.0, 2.0, 4.0]);
    }

    #[test]
    fn a_day_that_passed_unseen_is_no_work() {
        let course = course(1, 4, None, LoopMode::PingPong);
        let place = CoursePlace { at: 2.0, backwards: true, playing: true };
        // 1440000 laps of 6 frames, and 4 frames more: 2 1 2 3 4.
        let after = course.advance(place, 8_640_004.0);
        assert_eq!((after.at, after.backwards), (4.0, true));
    }
}
