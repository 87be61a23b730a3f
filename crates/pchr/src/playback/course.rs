//! Course of time over the frames that play: ends, turns and loops, and what happened there; positions in frames, whole and wrapped. Pure arithmetic.

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
pub(super) fn position(seconds: f64, fps: f64) -> f64 {
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
pub(super) fn wrapped(at: f64, count: f64) -> f64 {
    at.rem_euclid(count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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

    fn mode() -> impl Strategy<Value = LoopMode> {
        prop::sample::select(vec![LoopMode::Once, LoopMode::Loop, LoopMode::PingPong])
    }

    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn frames(ticks: i64) -> f64 {
        ticks as f64 / TICKS as f64
    }

    fn course(first: i64, last: i64, count: Option<i64>, mode: LoopMode) -> CourseJob {
        CourseJob {
            first: frames(first * TICKS),
            last: frames(last * TICKS),
            whole: count.map(|count| frames(count * TICKS)),
            mode,
        }
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
            count in 1_i64..9,
            ends in (0_i64..9, 0_i64..9),
            section in any::<bool>(),
            mode in mode(),
            start in 0_i64..72,
            backwards in any::<bool>(),
            times in prop::collection::vec(prop_oneof![1_i64..20, 1_i64..1000], 1..12),
        ) {
            let ends = [ends.0.min(count - 1), ends.1.min(count - 1)];
            let [first, last] = if section { [ends[0].min(ends[1]), ends[0].max(ends[1])] } else { [0, count - 1] };
            let whole = (!section).then_some(count);
            let course = course(first, last, whole, mode);
            let start = start.min((count - 1) * TICKS);
            let mut naive = Naive { at: start, backwards, playing: true };
            let mut place = CoursePlace { at: frames(start), backwards, playing: true };
            for ticks in times {
                for _ in 0..ticks {
                    naive.tick(first * TICKS, last * TICKS, section, mode);
                }
                if place.playing {
                    place = course.advance(place, frames(ticks));
                }
                same(&place, &naive, whole, first == last && mode == LoopMode::PingPong);
            }
        }

        #[test]
        fn the_frame_stays_until_the_change_and_not_longer(
            count in 1_i64..9,
            ends in (0_i64..9, 0_i64..9),
            section in any::<bool>(),
            mode in mode(),
            start in 0_i64..72,
            backwards in any::<bool>(),
        ) {
            let ends = [ends.0.min(count - 1), ends.1.min(count - 1)];
            let [first, last] = if section { [ends[0].min(ends[1]), ends[0].max(ends[1])] } else { [0, count - 1] };
            let whole = (!section).then_some(count);
            let course = course(first, last, whole, mode);
            let start = start.min((count - 1) * TICKS);
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
