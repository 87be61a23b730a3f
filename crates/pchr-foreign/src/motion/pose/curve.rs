//! Values between keys, on frames and at times.

use crate::motion::{Dialect, Interpolation, Key, Keys, Motion, TimedKeys, Transform, same_bits};

/// Keys of a channel by frame, and the values between them; without keys there are none.
#[derive(Debug)]
pub(super) enum Curve<'a, const N: usize> {
    /// Keys as they are stored.
    Packed(Keys<'a, N>),
    /// Sorted keys, if the motion has them in another order.
    Sorted(&'a [Key<N>]),
}

impl<const N: usize> Curve<'_, N> {
    fn len(&self) -> usize {
        match self {
            Self::Packed(keys) => keys.len(),
            Self::Sorted(keys) => keys.len(),
        }
    }

    fn get(&self, index: usize) -> Option<Key<N>> {
        match self {
            Self::Packed(keys) => keys.get(index),
            Self::Sorted(keys) => keys.get(index).copied(),
        }
    }

    /// Returns bounds of the number of keys up to a frame. They are one number where each frame has a key, as most motions have it.
    fn near(&self, frame: f64) -> Option<(usize, usize)> {
        let count = self.len();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it saturates, and is a guess"
        )]
        let guess = frame as usize;
        let is_up_to = |index| Some(f64::from(self.get(index)?.frame) <= frame);
        if guess >= count || !is_up_to(guess)? {
            return Some((0, count));
        }
        let next = guess.saturating_add(1);
        let is_last = next == count || !is_up_to(next)?;
        Some((next, if is_last { next } else { count }))
    }

    /// Returns the keys before and after a frame, and the fraction between them, 0 to 1. Before the first and after the last key
    /// the value is constant.
    fn around(&self, frame: f64) -> Option<(Key<N>, Key<N>, f64)> {
        let (mut low, mut high) = self.near(frame)?;
        while low < high {
            let middle = low.midpoint(high);
            if f64::from(self.get(middle)?.frame) <= frame {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        let last = self.len().checked_sub(1)?;
        let before = self.get(low.saturating_sub(1))?;
        let after = self.get(low.min(last))?;
        let [start, end] = [before.frame, after.frame].map(f64::from);
        // Between equal values nothing changes, even if zeros differ in sign.
        let is_still = same_bits(before.value, after.value);
        let way = if end > start && !is_still { (frame - start) / (end - start) } else { 0.0 };
        Some((before, after, way))
    }
}

impl Curve<'_, 3> {
    /// Returns the translation or scale at a frame, linear between keys.
    pub(super) fn vector(&self, frame: f64) -> Option<[f64; 3]> {
        let (before, after, way) = self.around(frame)?;
        if way == 0.0 {
            return Some(before.value);
        }
        Some(lerp(before.value, after.value, way))
    }
}

impl Curve<'_, 4> {
    /// Returns the rotation at a frame, of length 1; along the shorter arc between keys.
    pub(super) fn rotation(&self, frame: f64, dialect: Dialect) -> Option<[f64; 4]> {
        let (before, after, way) = self.around(frame)?;
        if way == 0.0 {
            return Some(unit(before.value).0);
        }
        Some(match dialect {
            Dialect::Seanim => slerp(before.value, after.value, way),
            Dialect::Pxd => {
                let (start, end, _) = nearer(before.value, after.value);
                normalize(lerp(start, end, way))
            }
        })
    }
}

pub(super) fn lerp<const N: usize>(start: [f64; N], end: [f64; N], way: f64) -> [f64; N] {
    let mut value = start;
    for (value, end) in value.iter_mut().zip(end) {
        *value += (end - *value) * way;
    }
    value
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns both rotations, the second with the sign that is nearer to the first, and their dot product.
fn nearer(start: [f64; 4], end: [f64; 4]) -> ([f64; 4], [f64; 4], f64) {
    let dot = dot(start, end);
    if dot < 0.0 { (start, end.map(|number| -number), -dot) } else { (start, end, dot) }
}

pub(super) fn normalize(rotation: [f64; 4]) -> [f64; 4] {
    let length = dot(rotation, rotation).sqrt();
    if length > 0.0 { rotation.map(|number| number / length) } else { rotation }
}

/// Returns a rotation of length 1, and true if it had another length than single precision leaves. A rotation of length 0 becomes
/// the identity.
pub(crate) fn unit(rotation: [f64; 4]) -> ([f64; 4], bool) {
    /// Largest distance of the squared length from 1.
    const ROUNDED: f64 = 2e-6;
    let squares = dot(rotation, rotation);
    if (squares - 1.0).abs() <= ROUNDED {
        return (rotation, false);
    }
    let largest = rotation.into_iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    if largest == 0.0 {
        return (Transform::IDENTITY.rotation, true);
    }
    // Squares of small numbers may be 0.
    (normalize(rotation.map(|number| number / largest)), true)
}

/// Spherical interpolation after Shoemake, <https://dl.acm.org/doi/10.1145/325165.325242>. It uses a crate's sine, so that the bits
/// are the same on every machine.
pub(crate) fn slerp(start: [f64; 4], end: [f64; 4], way: f64) -> [f64; 4] {
    // So near that the sine of the angle says nothing: the line is as good.
    const NEAR: f64 = 1.0 - 1e-9;
    let [start, end] = [start, end].map(normalize);
    let (start, end, dot) = nearer(start, end);
    if dot > NEAR || dot.is_nan() {
        return normalize(lerp(start, end, way));
    }
    let angle = libm::acos(dot);
    let sine = libm::sin(angle);
    let [from, to] = [1.0 - way, way].map(|part| libm::sin(part * angle) / sine);
    let mut value = start;
    for (value, end) in value.iter_mut().zip(end) {
        *value = *value * from + end * to;
    }
    value
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeyTime {
    secs: f64,
    /// A key that is at most so far away is reached.
    near: f64,
}

impl KeyTime {
    /// Returns exactly this time.
    pub(super) fn exact(secs: f32) -> Self {
        Self { secs: secs.into(), near: 0.0 }
    }

    /// Returns the time of a position in frames. Positions and the times of keys were rounded, so a key that differs by no more than
    /// that lies on the position: a step that begins on a frame is seen on that frame.
    pub(super) fn of_position(position: f64, rate: f32) -> Self {
        /// In frames; as where time becomes frames.
        const SETTLED_WITHIN: f64 = 1e-6;
        /// In parts of a time of single precision.
        const ROUNDED: f64 = 1.0 / (1 << 22) as f64;
        #[expect(clippy::cast_possible_truncation, reason = "times have 32 bits")]
        let secs = f64::from((position / f64::from(rate)) as f32);
        Self { secs, near: SETTLED_WITHIN / f64::from(rate) + secs.abs() * ROUNDED }
    }
}

impl<const N: usize> TimedKeys<N> {
    /// Returns the key at a time, or the one before it; with the fraction between that and the next, 0 to 1, and the seconds between
    /// both.
    fn place(&self, at: KeyTime) -> (usize, Option<(f64, f64)>) {
        let times = self.times();
        let time = |index: usize| times.get(index).copied().map(f64::from);
        let after = times.partition_point(|key| f64::from(*key) <= at.secs);
        let next = time(after);
        if next.is_some_and(|next| next - at.secs <= at.near) {
            return (after, None);
        }
        let Some(before) = after.checked_sub(1) else { return (0, None) };
        let around = time(before).zip(next).filter(|(start, _)| at.secs - start > at.near);
        (before, around.map(|(start, end)| ((at.secs - start) / (end - start), end - start)))
    }

    /// Returns a value of a key; of a spline its tangents are parts 0 and 2, and the value is part 1.
    fn part(&self, key: usize, part: usize) -> [f64; N] {
        let per_key = self.interpolation().values_per_key();
        let index = key.saturating_mul(per_key).saturating_add(part);
        self.values().get(index).map_or([0.0; N], |value| value.map(f64::from))
    }

    fn value(&self, key: usize) -> [f64; N] {
        self.part(key, self.interpolation().values_per_key() >> 1)
    }

    /// Returns the value at a time: a translation, a scale, or a rotation of length 1.
    pub(super) fn at(&self, at: KeyTime) -> [f64; N] {
        let (before, between) = self.place(at);
        let start = self.value(before);
        let Some((way, span)) = between else { return rotations(start, |it| unit(it).0) };
        let after = before.saturating_add(1);
        let end = self.value(after);
        match self.interpolation() {
            Interpolation::Step => rotations(start, |it| unit(it).0),
            // Between equal values nothing changes.
            Interpolation::Linear if same_bits(start, end) => rotations(start, |it| unit(it).0),
            Interpolation::Linear => linear(start, end, way),
            Interpolation::CubicSpline => {
                let [leave, arrive] = [self.part(before, 2), self.part(after, 0)];
                let (square, cube) = (way * way, way * way * way);
                let factors = [
                    2.0 * cube - 3.0 * square + 1.0,
                    span * (cube - 2.0 * square + way),
                    3.0 * square - 2.0 * cube,
                    span * (cube - square),
                ];
                let mut sum = [0.0; N];
                for (value, factor) in [start, leave, end, arrive].iter().zip(factors) {
                    for (sum, number) in sum.iter_mut().zip(value) {
                        *sum += number * factor;
                    }
                }
                rotations(sum, |it| unit(normalize(it)).0)
            }
        }
    }
}

fn linear<const N: usize>(start: [f64; N], end: [f64; N], way: f64) -> [f64; N] {
    if let Some(to) = end.first_chunk::<4>().filter(|_| N == 4) {
        return rotations(start, |from| unit(slerp(from, *to, way)).0);
    }
    let mut value = start;
    for (value, end) in value.iter_mut().zip(end) {
        *value = (1.0 - way) * *value + way * end;
    }
    value
}

/// Changes a rotation; other values are unchanged.
fn rotations<const N: usize>(
    mut value: [f64; N],
    change: impl FnOnce([f64; 4]) -> [f64; 4],
) -> [f64; N] {
    if let Some(rotation) = value.first_chunk_mut::<4>() {
        *rotation = change(*rotation);
    }
    value
}

/// A moment of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// A frame, from 0; beyond the end that is the last one.
    Frame(u32),
    /// A time in seconds. Before the start and after the end the motion holds its pose.
    Seconds(f32),
}

impl Moment {
    pub(super) fn of(self, motion: &Motion) -> PlanMoment {
        let last = motion.frames().saturating_sub(1);
        match self {
            Self::Frame(frame) => PlanMoment::frame(frame.min(last), motion),
            Self::Seconds(seconds) => {
                let frame = f64::from(seconds) * f64::from(motion.frames_per_second());
                PlanMoment {
                    moment: self,
                    frame: frame.max(0.0).min(last.into()),
                    time: KeyTime::exact(seconds),
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlanMoment {
    pub(super) moment: Moment,
    /// For keys on frames; it may lie between two.
    pub(super) frame: f64,
    pub(super) time: KeyTime,
}

impl PlanMoment {
    /// Returns the moment of a whole frame.
    pub(crate) fn frame(frame: u32, motion: &Motion) -> Self {
        Self {
            moment: Moment::Frame(frame),
            frame: frame.into(),
            time: KeyTime::of_position(frame.into(), motion.frames_per_second()),
        }
    }

    pub(crate) fn between(position: f64, motion: &Motion) -> Self {
        let rate = motion.frames_per_second();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "samples are taken at times of 32 bits"
        )]
        let seconds = (position / f64::from(rate)) as f32;
        Self {
            moment: Moment::Seconds(seconds),
            frame: position,
            time: KeyTime::of_position(position, rate),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_around_a_frame_are_found_wherever_they_lie() {
        for frames in
            [&[0, 1, 2, 3, 4][..], &[0, 0, 1, 1, 2, 4], &[2, 3, 4, 9], &[0, 5, 6, 7], &[3]]
        {
            let key = |frame: &u32| Key { frame: *frame, value: [f64::from(*frame), 0.0, 0.0] };
            let keys: Vec<Key<3>> = frames.iter().map(key).collect();
            let curve = Curve::Sorted(&keys);
            for quarter in -4..48 {
                let frame = f64::from(quarter) / 4.0;
                let up_to = frames.iter().filter(|key| f64::from(**key) <= frame);
                let up_to = up_to.count();
                let last = frames.len() - 1;
                let (before, after, _) = curve.around(frame).unwrap();
                let wanted = [frames[up_to.saturating_sub(1)], frames[up_to.min(last)]];
                assert_eq!([before.frame, after.frame], wanted, "{frames:?} {frame}");
            }
            let (before, after, _) = curve.around(f64::NAN).unwrap();
            assert_eq!([before.frame, after.frame], [frames[0]; 2]);
        }
    }

    #[test]
    fn rotations_take_the_shorter_way_at_an_even_pace() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let quarter_turn = [0.0, 0.0, half, half];
        let third = slerp([0.0, 0.0, 0.0, 1.0], quarter_turn.map(|number| -number), 1.0 / 3.0);
        let expected = [0.0, 0.0, 15_f64.to_radians().sin(), 15_f64.to_radians().cos()];
        for (number, expected) in third.into_iter().zip(expected) {
            assert!((number - expected).abs() < 1e-15, "{third:?}");
        }
        assert_eq!(slerp(quarter_turn, quarter_turn, 0.7), quarter_turn);
    }

    #[test]
    fn between_equal_keys_the_value_keeps_its_bits() {
        let value = [-0.0, 0.1, -3.7];
        let keys = [0, 3].map(|frame| Key { frame, value });
        let curve = Curve::Sorted(&keys);
        let between = curve.vector(1.0).unwrap();
        assert_eq!(between.map(f64::to_bits), value.map(f64::to_bits));
        let value = [-0.0, 0.6, 0.0, 0.8];
        let keys = [0, 3].map(|frame| Key { frame, value });
        for dialect in [Dialect::Seanim, Dialect::Pxd] {
            let curve = Curve::Sorted(&keys);
            let between = curve.rotation(1.0, dialect).unwrap();
            assert_eq!(between.map(f64::to_bits), value.map(f64::to_bits));
        }
    }
}
