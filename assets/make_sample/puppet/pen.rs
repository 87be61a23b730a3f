//! Paths in design space: pixels, Y up, in the coordinates of the rig.

use tiny_skia::{Path, PathBuilder};

/// Rounds to 1/1024, so that last-digit differences between machines vanish before anything is drawn or written.
pub(crate) fn snap(value: f64) -> f32 {
    ((value * 1024.0).round() / 1024.0) as f32
}

/// A builder of closed or open outlines.
pub(crate) struct Pen {
    builder: PathBuilder,
    at: [f64; 2],
}

impl Pen {
    pub(crate) fn at(x: f64, y: f64) -> Self {
        let mut builder = PathBuilder::new();
        builder.move_to(snap(x), snap(y));
        Self { builder, at: [x, y] }
    }

    pub(crate) fn jump(mut self, x: f64, y: f64) -> Self {
        self.builder.move_to(snap(x), snap(y));
        self.at = [x, y];
        self
    }

    pub(crate) fn line(mut self, x: f64, y: f64) -> Self {
        self.builder.line_to(snap(x), snap(y));
        self.at = [x, y];
        self
    }

    pub(crate) fn curve(mut self, a: [f64; 2], b: [f64; 2], x: f64, y: f64) -> Self {
        self.builder.cubic_to(snap(a[0]), snap(a[1]), snap(b[0]), snap(b[1]), snap(x), snap(y));
        self.at = [x, y];
        self
    }

    /// Adds a slightly curved edge; `bow` is its height to the left of the direction of travel.
    pub(crate) fn bow(mut self, bow: f64, x: f64, y: f64) -> Self {
        let [x0, y0] = self.at;
        let (dx, dy) = (x - x0, y - y0);
        let length = (dx * dx + dy * dy).sqrt().max(1e-6);
        let cx = (x0 + x) / 2.0 - dy / length * bow * 2.0;
        let cy = (y0 + y) / 2.0 + dx / length * bow * 2.0;
        self.builder.quad_to(snap(cx), snap(cy), snap(x), snap(y));
        self.at = [x, y];
        self
    }

    /// Adds fur: edges from point to point, each curved by `bow`.
    pub(crate) fn fur(mut self, bow: f64, points: &[[f64; 2]]) -> Self {
        for &[x, y] in points {
            self = self.bow(bow, x, y);
        }
        self
    }

    pub(crate) fn close(mut self) -> Path {
        self.builder.close();
        self.done()
    }

    pub(crate) fn done(self) -> Path {
        self.builder.finish().unwrap()
    }
}

/// A smooth closed outline through all points (Catmull-Rom).
pub(crate) fn blob(points: &[[f64; 2]]) -> Path {
    let n = points.len();
    let p = |i: usize| points[i % n];
    let mut pen = Pen::at(points[0][0], points[0][1]);
    for i in 0..n {
        let (before, from, to, after) = (p(i + n - 1), p(i), p(i + 1), p(i + 2));
        let a = [from[0] + (to[0] - before[0]) / 6.0, from[1] + (to[1] - before[1]) / 6.0];
        let b = [to[0] - (after[0] - from[0]) / 6.0, to[1] - (after[1] - from[1]) / 6.0];
        pen = pen.curve(a, b, to[0], to[1]);
    }
    pen.close()
}

/// An ellipse rotated by `angle` degrees.
pub(crate) fn oval(x: f64, y: f64, rx: f64, ry: f64, angle: f64) -> Path {
    let (sin, cos) = angle.to_radians().sin_cos();
    let at = |u: f64, v: f64| [x + u * rx * cos - v * ry * sin, y + u * rx * sin + v * ry * cos];
    let k = 0.552_284_75;
    let ends = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    let start = at(1.0, 0.0);
    let mut pen = Pen::at(start[0], start[1]);
    for i in 0..4 {
        let (from, to): ([f64; 2], [f64; 2]) = (ends[i], ends[(i + 1) % 4]);
        let a = at(from[0] + to[0] * k, from[1] + to[1] * k);
        let b = at(to[0] + from[0] * k, to[1] + from[1] * k);
        let end = at(to[0], to[1]);
        pen = pen.curve(a, b, end[0], end[1]);
    }
    pen.close()
}

/// A closed polygon.
pub(crate) fn polygon(points: &[[f64; 2]]) -> Path {
    let mut pen = Pen::at(points[0][0], points[0][1]);
    for &[x, y] in &points[1..] {
        pen = pen.line(x, y);
    }
    pen.close()
}
