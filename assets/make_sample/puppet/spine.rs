//! A line through a limb, a tail or a scarf, measured by its length.

use tiny_skia::Path;

use super::pen::polygon;

/// A dense polyline with the length from its start to each point.
pub(crate) struct Spine {
    points: Vec<[f64; 2]>,
    lengths: Vec<f64>,
}

impl Spine {
    fn new(points: Vec<[f64; 2]>) -> Self {
        let mut lengths = vec![0.0];
        for pair in points.windows(2) {
            let (dx, dy) = (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
            lengths.push(lengths.last().unwrap() + (dx * dx + dy * dy).sqrt());
        }
        Self { points, lengths }
    }

    /// Follows a cubic Bézier curve.
    pub(crate) fn bezier(p: [[f64; 2]; 4]) -> Self {
        let point = |t: f64| {
            let s = 1.0 - t;
            let w = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
            [0, 1].map(|k| w[0] * p[0][k] + w[1] * p[1][k] + w[2] * p[2][k] + w[3] * p[3][k])
        };
        Self::new((0..=240).map(|i| point(f64::from(i) / 240.0)).collect())
    }

    /// Follows three joints with a rounded corner.
    pub(crate) fn joints(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Self {
        let lerp =
            |p: [f64; 2], q: [f64; 2], t: f64| [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
        let (from, to) = (lerp(a, b, 0.55), lerp(b, c, 0.45));
        let mut points: Vec<[f64; 2]> =
            (0..40).map(|i| lerp(a, from, f64::from(i) / 40.0)).collect();
        for i in 0..40 {
            let t = f64::from(i) / 40.0;
            points.push(lerp(lerp(from, b, t), lerp(b, to, t), t));
        }
        points.extend((0..=40).map(|i| lerp(to, c, f64::from(i) / 40.0)));
        Self::new(points)
    }

    pub(crate) fn length(&self) -> f64 {
        *self.lengths.last().unwrap()
    }

    /// Point and direction at length `s`; the line goes on straight before the start and after the end.
    pub(crate) fn at(&self, s: f64) -> ([f64; 2], [f64; 2]) {
        let last = self.points.len() - 1;
        let i = self.lengths.partition_point(|&length| length <= s).clamp(1, last) - 1;
        let (a, b) = (self.points[i], self.points[i + 1]);
        let step = self.lengths[i + 1] - self.lengths[i];
        // Taken over a stretch of the line, so that the direction turns smoothly.
        let (p, q) = (self.points[i.saturating_sub(3)], self.points[(i + 4).min(last)]);
        let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
        let length = (dx * dx + dy * dy).sqrt();
        let t = (s - self.lengths[i]) / step;
        ([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t], [dx / length, dy / length])
    }

    /// Point at length `s`, `side` pixels to the left of the direction.
    pub(crate) fn beside(&self, s: f64, side: f64) -> [f64; 2] {
        let ([x, y], [dx, dy]) = self.at(s);
        [x - dy * side, y + dx * side]
    }

    /// Direction at length `s` in degrees, as a bone's rotation: 0 is up.
    pub(crate) fn rotation(&self, s: f64) -> f64 {
        let (_, [dx, dy]) = self.at(s);
        dy.atan2(dx).to_degrees() - 90.0
    }

    /// Outline of a strip along the spine from `from` to `to`, whose half width at length `s` is `half(s)`.
    pub(crate) fn outline(&self, from: f64, to: f64, half: impl Fn(f64) -> f64) -> Path {
        let steps = 120;
        let s = |i: i32| from + (to - from) * f64::from(i) / f64::from(steps);
        let mut points: Vec<[f64; 2]> =
            (0..=steps).map(|i| self.beside(s(i), half(s(i)))).collect();
        points.extend((0..=steps).rev().map(|i| self.beside(s(i), -half(s(i)))));
        polygon(&points)
    }
}
