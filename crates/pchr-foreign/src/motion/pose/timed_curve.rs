//! Values between keys at times in seconds, as in appendix C of glTF 2.0.

use super::curve::{normalize, slerp, unit};
use crate::motion::{Interpolation, TimedKeys};

/// A time for keys in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeyTime {
    secs: f64,
    /// A key that is at most so far away is reached.
    near: f64,
}

impl KeyTime {
    /// Returns exactly this time.
    pub(super) fn exact(secs: f32) -> Self {
        Self {
            secs: secs.into(),
            near: 0.0,
        }
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
        Self {
            secs,
            near: SETTLED_WITHIN / f64::from(rate) + secs.abs() * ROUNDED,
        }
    }
}

/// Place of a time among keys.
enum Place {
    Key(usize),
    Between {
        before: usize,
        /// From the key before to the one after: 0 to 1.
        way: f64,
        /// Seconds between both.
        span: f64,
    },
}

impl<const N: usize> TimedKeys<N> {
    fn place(&self, at: KeyTime) -> Place {
        let times = self.times();
        let time = |index: usize| times.get(index).copied().map(f64::from);
        let after = times.partition_point(|key| f64::from(*key) <= at.secs);
        let next = time(after);
        if next.is_some_and(|next| next - at.secs <= at.near) {
            return Place::Key(after);
        }
        let Some(before) = after.checked_sub(1) else {
            return Place::Key(0);
        };
        match time(before).zip(next) {
            Some((start, end)) if at.secs - start > at.near => Place::Between {
                before,
                way: (at.secs - start) / (end - start),
                span: end - start,
            },
            _ => Place::Key(before),
        }
    }

    /// Returns a value of a key; of a spline its tangents are parts 0 and 2, and the value is part 1.
    fn part(&self, key: usize, part: usize) -> [f64; N] {
        let per_key = self.interpolation().values_per_key();
        let index = key.saturating_mul(per_key).saturating_add(part);
        self.values()
            .get(index)
            .map_or([0.0; N], |value| value.map(f64::from))
    }

    fn value(&self, key: usize) -> [f64; N] {
        match self.interpolation() {
            Interpolation::Step | Interpolation::Linear => self.part(key, 0),
            Interpolation::CubicSpline => self.part(key, 1),
        }
    }

    /// Returns the value at a time: a translation, a scale, or a rotation of length 1.
    pub(super) fn at(&self, at: KeyTime) -> [f64; N] {
        let (before, way, span) = match self.place(at) {
            Place::Key(key) => return rotations(self.value(key), |it| unit(it).0),
            Place::Between { before, way, span } => (before, way, span),
        };
        let after = before.saturating_add(1);
        let (start, end) = (self.value(before), self.value(after));
        match self.interpolation() {
            Interpolation::Step => rotations(start, |it| unit(it).0),
            // Between equal values nothing changes.
            Interpolation::Linear if start.map(f64::to_bits) == end.map(f64::to_bits) => {
                rotations(start, |it| unit(it).0)
            }
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
