//! The tail: one strip of paper over six bones.

use super::Part;
use super::canvas::Canvas;
use super::mesh::{canvas_for, chain, ribbon};
use super::palette::{CREAM, FOX_TAIL, RUST};
use super::paper::Paper;
use super::pen::Pen;
use super::rig::{TAIL, tail_spine};
use super::spine::Spine;

pub(crate) fn part() -> Part {
    let spine = tail_spine();
    let length = spine.length();
    let half = |s: f64| {
        let t = (s / length).clamp(0.0, 1.0);
        let body = 11.0 + 29.0 * (1.0 - (1.0 - (t / 0.62).min(1.0)).powi(2)).powf(1.6);
        let end = ((t - 0.5) / 0.5).max(0.0);
        let point = (1.0 - end.powf(2.1)).max(0.0).powf(0.85);
        let root = (1.0 - (1.0 - ((s + 9.0) / 9.0).clamp(0.0, 1.0)).powi(2)).sqrt();
        body * point * root
    };
    let shape = ribbon(&spine, [-9.0, length], [28, 4], half, |s| chain(&TAIL, length, s));
    let outline = spine.outline(-9.0, length, half);
    let mut canvas = canvas_for(&shape);
    canvas.sheet(&outline, Paper { slope: 0.1, ..Paper::new(FOX_TAIL) });
    strands(&mut canvas, &spine, length);
    canvas.inlay(&tip(&spine, length), Paper { slope: 0.06, ..Paper::thin(CREAM) });
    canvas.rim(&outline, 0.6);
    canvas.cast(0.45);
    Part::new("tail".into(), canvas, shape)
}

/// The pale end, whose edge is cut into long points of fur.
fn tip(spine: &Spine, length: f64) -> tiny_skia::Path {
    let at = |t: f64, side: f64| spine.beside(length * t, side);
    let [x, y] = at(0.60, 54.0);
    let mut pen = Pen::at(x, y);
    let points = [
        (0.70, 36.0),
        (0.585, 25.0),
        (0.68, 14.0),
        (0.555, 2.0),
        (0.68, -9.0),
        (0.575, -21.0),
        (0.70, -32.0),
        (0.60, -54.0),
    ];
    for (i, (t, side)) in points.into_iter().enumerate() {
        let [x, y] = at(t, side);
        pen = pen.bow(if i % 2 == 0 { -1.8 } else { 1.8 }, x, y);
    }
    for (t, side) in [(1.1, -60.0), (1.1, 60.0)] {
        let [x, y] = at(t, side);
        pen = pen.line(x, y);
    }
    pen.close()
}

/// Draws a few strokes along the fur.
fn strands(canvas: &mut Canvas, spine: &Spine, length: f64) {
    for (from, to, side) in
        [(0.22, 0.36, 9.0), (0.30, 0.47, -10.0), (0.40, 0.54, 18.0), (0.16, 0.26, -5.0)]
    {
        let point = |t: f64, side: f64| spine.beside(length * t, side);
        let middle = (from + to) / 2.0;
        let (a, b, c) = (point(from, side * 0.9), point(middle, side * 1.1), point(to, side * 1.2));
        let line = Pen::at(a[0], a[1]).curve(b, b, c[0], c[1]).done();
        canvas.ink(&line, 1.6, RUST, 0.45);
    }
}
