//! Values of a sampler at any time, as glTF interpolates them.

use super::record::Interpolation;
use crate::motion::slerp;

/// Times and values of a sampler. Times ascend, and there is at least one.
#[derive(Clone, Debug)]
pub(super) struct Curve<const N: usize> {
    pub(super) times: Vec<f64>,
    /// Values; for cubic splines with the tangents in and out around each.
    pub(super) values: Vec<[[f64; N]; 3]>,
    pub(super) interpolation: Interpolation,
}

impl<const N: usize> Curve<N> {
    /// Returns the value at a time. Before the first and after the last key it is constant.
    pub(super) fn at(&self, time: f64) -> [f64; N] {
        let after = self.times.partition_point(|key| *key <= time);
        let before = after.saturating_sub(1);
        let value = |index: usize| self.values.get(index).map_or([0.0; N], |it| it[1]);
        let time_of = |index: usize| self.times.get(index).copied().unwrap_or(0.0);
        if after == 0 || after >= self.times.len() || time_of(before) == time {
            return value(before);
        }
        let span = time_of(after) - time_of(before);
        let way = (time - time_of(before)) / span;
        match self.interpolation {
            Interpolation::Step => value(before),
            Interpolation::Linear => between(value(before), value(after), way),
            Interpolation::CubicSpline => {
                let [leave, arrive] = [(before, 2), (after, 0)].map(|(key, part)| {
                    let parts = self.values.get(key);
                    parts
                        .and_then(|it| it.get(part))
                        .copied()
                        .unwrap_or([0.0; N])
                });
                let (square, cube) = (way * way, way * way * way);
                let mut sum = [0.0; N];
                let (start, end) = (value(before), value(after));
                let lanes = start.iter().zip(leave).zip(end.iter().zip(arrive));
                for (sum, ((start, leave), (end, arrive))) in sum.iter_mut().zip(lanes) {
                    *sum = (2.0 * cube - 3.0 * square + 1.0) * start
                        + span * (cube - 2.0 * square + way) * leave
                        + (3.0 * square - 2.0 * cube) * end
                        + span * (cube - square) * arrive;
                }
                unit(sum)
            }
        }
    }
}

/// Returns a value between two; four numbers are a rotation.
fn between<const N: usize>(start: [f64; N], end: [f64; N], way: f64) -> [f64; N] {
    let mut value = start;
    if let (Some(start), Some(end)) = (start.first_chunk::<4>(), end.first_chunk::<4>()) {
        let turned = slerp(*start, *end, way);
        value.copy_from_slice(turned.get(..N).unwrap_or_default());
        return value;
    }
    for (value, end) in value.iter_mut().zip(end) {
        *value += (end - *value) * way;
    }
    value
}

/// Returns a rotation of length 1; other values unchanged.
fn unit<const N: usize>(value: [f64; N]) -> [f64; N] {
    let length = value.iter().map(|it| it * it).sum::<f64>().sqrt();
    if N == 4 && length > 0.0 {
        value.map(|number| number / length)
    } else {
        value
    }
}
