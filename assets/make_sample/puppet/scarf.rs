//! The scarf: a wrap around the neck, a short end on the chest, and a long trailing end.

use super::Part;
use super::canvas::Canvas;
use super::mesh::{Weights, canvas_for, chain, grid, ribbon, smooth};
use super::palette::{Rgb, STRIPE, TEAL, TEAL_DEEP, TEAL_FAR};
use super::paper::Paper;
use super::pen::{Pen, blob};
use super::rig::{Bone, SCARF_END, TRAIL, scarf_end_spine, trail_spine};
use super::spine::Spine;

/// The end that trails behind.
pub(crate) fn trail() -> Part {
    let spine = trail_spine();
    let length = spine.length();
    let half = |s: f64| 12.0 + 7.0 * (s / length).clamp(0.0, 1.0);
    let shape = ribbon(&spine, [-4.0, length + 12.0], [24, 3], half, |s| chain(&TRAIL, length, s));
    let mut canvas = canvas_for(&shape);
    strip(&mut canvas, &spine, length, half, TEAL_FAR, &[0.62, 0.74, 0.86]);
    Part::new("scarf_trail".into(), canvas, shape)
}

/// The end that hangs over the chest.
pub(crate) fn end() -> Part {
    let spine = scarf_end_spine();
    let length = spine.length();
    let half = |s: f64| 11.5 + 4.0 * (s / length).clamp(0.0, 1.0);
    let shape = ribbon(&spine, [-6.0, length + 11.0], [12, 2], half, |s| {
        let free = smooth(0.0, 12.0, s);
        let mut weights: Weights =
            chain(&SCARF_END, length, s).into_iter().map(|(b, w)| (b, w * free)).collect();
        weights.push((Bone::Scarf, 1.0 - free));
        weights
    });
    let mut canvas = canvas_for(&shape);
    strip(&mut canvas, &spine, length, half, TEAL, &[0.56, 0.76]);
    Part::new("scarf_end".into(), canvas, shape)
}

/// A strip with stripes and a fringe.
fn strip(
    canvas: &mut Canvas,
    spine: &Spine,
    length: f64,
    half: impl Fn(f64) -> f64,
    color: Rgb,
    stripes: &[f64],
) {
    let wide = half(length);
    for i in 0..5 {
        let side = wide * (-0.8 + 0.4 * f64::from(i));
        let (a, b) = (spine.beside(length - 3.0, side), spine.beside(length + 9.5, side * 1.06));
        canvas.cord(&Pen::at(a[0], a[1]).line(b[0], b[1]).done(), 3.6, STRIPE);
    }
    let outline = spine.outline(-4.0, length, &half);
    canvas.sheet(&outline, Paper { slope: 0.12, ..Paper::new(color) });
    for &t in stripes {
        let s = length * t;
        canvas.inlay(
            &spine.outline(s - 3.2, s + 3.2, |_| wide + 4.0),
            Paper { rim: 0.2, shadow: 0.16, ..Paper::thin(STRIPE) },
        );
    }
    canvas.rim(&outline, 0.5);
    canvas.cast(0.45);
}

/// The wrap: two turns, the upper over the lower.
pub(crate) fn wrap() -> Part {
    let lower = blob(&[
        [-34.0, 18.0],
        [-39.0, 5.0],
        [-29.0, -6.0],
        [0.0, -13.0],
        [30.0, -13.0],
        [50.0, -5.0],
        [57.0, 7.0],
        [52.0, 18.0],
        [10.0, 8.0],
    ]);
    let upper = blob(&[
        [-40.0, 26.0],
        [-43.0, 14.0],
        [-32.0, 5.0],
        [-4.0, -1.0],
        [28.0, -1.0],
        [54.0, 7.0],
        [62.0, 18.0],
        [57.0, 30.0],
        [34.0, 34.0],
        [-14.0, 36.0],
    ]);
    let mut canvas = Canvas::around(&[&lower, &upper]);
    canvas.sheet(&lower, Paper::new(TEAL_DEEP));
    canvas.sheet(&upper, Paper::new(TEAL));
    let folds = [
        [[-30.0, 14.0], [-14.0, 5.0], [6.0, 4.0], [24.0, 7.0]],
        [[2.0, 13.0], [20.0, 10.0], [36.0, 12.0], [50.0, 19.0]],
        [[-22.0, -3.0], [-6.0, -8.0], [6.0, -9.0], [16.0, -8.0]],
    ];
    for [a, b, c, d] in folds {
        canvas.ink(&Pen::at(a[0], a[1]).curve(b, c, d[0], d[1]).done(), 1.5, TEAL_DEEP, 0.7);
    }
    canvas.cast(0.5);
    let shape = grid(&canvas, 15.0, |[_, y]| {
        let up = smooth(-14.0, 22.0, y);
        vec![(Bone::Scarf, 0.55 + 0.45 * up), (Bone::Chest, 0.45 * (1.0 - up))]
    });
    Part::new("scarf_wrap".into(), canvas, shape)
}
