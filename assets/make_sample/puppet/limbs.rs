//! Arms, legs, hands and feet: the near pair is bright, and the far pair is in shade.

use super::Part;
use super::canvas::Canvas;
use super::mesh::{canvas_for, limb, ribbon, rigid};
use super::palette::{BLUSH, FOX, FOX_FAR, Rgb, SOCK, SOCK_FAR};
use super::paper::Paper;
use super::pen::{Pen, blob, oval};
use super::rig::{ARM_FAR, ARM_NEAR, Bone, LEG_FAR, LEG_NEAR, Limb};
use super::spine::Spine;

/// Side of the body.
#[derive(Clone, Copy)]
struct Side {
    name: &'static str,
    fur: Rgb,
    sock: Rgb,
}

const NEAR: Side = Side { name: "near", fur: FOX, sock: SOCK };
const FAR: Side = Side { name: "far", fur: FOX_FAR, sock: SOCK_FAR };

pub(crate) fn parts() -> Vec<Part> {
    vec![
        arm(FAR, ARM_FAR),
        hand(FAR, ARM_FAR),
        leg(FAR, LEG_FAR),
        foot(FAR, LEG_FAR),
        leg(NEAR, LEG_NEAR),
        foot(NEAR, LEG_NEAR),
        arm(NEAR, ARM_NEAR),
        hand(NEAR, ARM_NEAR),
        pins(),
    ]
}

/// Rounded end: relative half width at the distance `d` inside a cap of radius `r`.
fn cap(r: f64, d: f64) -> f64 {
    if d >= r { 1.0 } else { (1.0 - (1.0 - d.max(0.0) / r).powi(2)).max(0.0).sqrt() }
}

/// Parabola through the half widths at the start, the middle and the end.
fn taper(s: f64, length: f64, [a, b, c]: [f64; 3]) -> f64 {
    let t = (s / length).clamp(0.0, 1.0);
    a * (1.0 - t) * (1.0 - 2.0 * t) + b * 4.0 * t * (1.0 - t) + c * t * (2.0 * t - 1.0)
}

/// The sock: everything past `s`, with an upper edge cut into points.
fn sock(spine: &Spine, s: f64, reach: f64, end: f64, points: i32) -> tiny_skia::Path {
    let start = spine.beside(s, reach);
    let mut pen = Pen::at(start[0], start[1]);
    for i in 1..=points * 2 {
        let side = reach * (1.0 - f64::from(i) / f64::from(points));
        let depth = if i % 2 == 1 { -9.0 } else { 0.0 };
        let [x, y] = spine.beside(s + depth, side);
        pen = pen.bow(-0.6, x, y);
    }
    for (s, side) in [(end, -reach), (end, reach)] {
        let [x, y] = spine.beside(s, side);
        pen = pen.line(x, y);
    }
    pen.close()
}

fn arm(side: Side, bones: Limb) -> Part {
    let spine = bones.spine();
    let length = spine.length();
    let (from, to) = (-12.5, length + 8.0);
    let half = move |s: f64| {
        taper(s, length, [13.0, 11.5, 9.0]) * cap(12.5, s - from).min(cap(8.0, to - s))
    };
    let shape = ribbon(&spine, [from, to], [16, 2], half, |s| limb(&bones, 17.0, s));
    let mut canvas = canvas_for(&shape);
    let outline = spine.outline(from, to, half);
    canvas.sheet(&outline, Paper::new(side.fur));
    canvas.inlay(&sock(&spine, length - 24.0, 14.0, length + 20.0, 3), Paper::thin(side.sock));
    canvas.rim(&outline, 0.6);
    let [x, y] = bones.joints[0];
    canvas.pin(x, y, 4.6);
    canvas.cast(0.5);
    Part::new(format!("arm_{}", side.name), canvas, shape)
}

fn hand(side: Side, bones: Limb) -> Part {
    let [_, elbow, [x, y]] = bones.joints;
    let spine = Spine::bezier([
        [x, y],
        [x, y],
        [x, y],
        [x + (x - elbow[0]) * 0.7, y + (y - elbow[1]) * 0.7],
    ]);
    let at = |along: f64, left: f64| spine.beside(along, left);
    // The thumb points forwards, to the right.
    let mitten = blob(&[
        at(-7.0, 8.0),
        at(-1.0, 11.0),
        at(3.0, 18.0),
        at(9.0, 21.0),
        at(12.0, 16.5),
        at(13.0, 12.5),
        at(22.0, 11.0),
        at(29.0, 5.0),
        at(30.0, -4.0),
        at(24.0, -11.5),
        at(12.0, -13.5),
        at(1.0, -11.0),
        at(-7.0, -8.0),
        at(-10.0, 0.0),
    ]);
    let mut canvas = Canvas::around(&[&mitten]);
    canvas.sheet(&mitten, Paper::new(side.sock));
    let finger = |left: f64| {
        let (a, b) = (at(21.0, left), at(28.5, left * 0.9));
        Pen::at(a[0], a[1]).line(b[0], b[1]).done()
    };
    for left in [-3.5, 3.5] {
        canvas.ink(&finger(left), 1.3, BLUSH, 0.35);
    }
    canvas.cast(0.4);
    let shape = rigid(&canvas, bones.bones[2]);
    Part::new(format!("hand_{}", side.name), canvas, shape)
}

fn leg(side: Side, bones: Limb) -> Part {
    let spine = bones.spine();
    let length = spine.length();
    let (from, to) = (-20.0, length + 9.0);
    let half = move |s: f64| {
        taper(s, length, [22.0, 15.0, 11.0]) * cap(20.0, s - from).min(cap(9.0, to - s))
    };
    let shape = ribbon(&spine, [from, to], [18, 2], half, |s| limb(&bones, 19.0, s));
    let mut canvas = canvas_for(&shape);
    let outline = spine.outline(from, to, half);
    canvas.sheet(&outline, Paper::new(side.fur));
    canvas.inlay(&sock(&spine, length - 27.0, 17.0, length + 20.0, 3), Paper::thin(side.sock));
    canvas.rim(&outline, 0.6);
    let [x, y] = bones.joints[0];
    canvas.pin(x, y, 5.2);
    canvas.cast(0.5);
    Part::new(format!("leg_{}", side.name), canvas, shape)
}

fn foot(side: Side, bones: Limb) -> Part {
    let [_, _, [x, y]] = bones.joints;
    let at = |dx: f64, dy: f64| [x + dx, y + dy];
    let boot = blob(&[
        at(-11.0, 6.0),
        at(-15.0, -6.0),
        at(-13.0, -17.5),
        at(-2.0, -19.0),
        at(20.0, -19.0),
        at(37.0, -18.5),
        at(43.0, -11.0),
        at(36.0, -2.5),
        at(22.0, 1.5),
        at(11.5, 6.5),
        at(0.0, 12.0),
    ]);
    let mut canvas = Canvas::around(&[&boot]);
    canvas.sheet(&boot, Paper::new(side.sock));
    for dx in [29.0, 36.0] {
        let line = Pen::at(x + dx, y - 17.0)
            .curve(at(dx - 1.0, -13.0), at(dx - 1.0, -11.0), x + dx - 0.5, y - 9.5)
            .done();
        canvas.ink(&line, 1.3, BLUSH, 0.35);
    }
    canvas.cast(0.4);
    let shape = rigid(&canvas, bones.bones[2]);
    Part::new(format!("foot_{}", side.name), canvas, shape)
}

/// The pins of elbows and knees: one drawing in four places.
fn pins() -> Part {
    let mut canvas = Canvas::around(&[&oval(0.0, 0.0, 3.8, 3.8, 0.0)]);
    canvas.pin(0.0, 0.0, 3.8);
    canvas.cast(0.6);
    let shape = rigid(&canvas, Bone::Root);
    let mut part = Part { canvas, meshes: Vec::new() };
    for (name, limb) in [
        ("elbow_near", ARM_NEAR),
        ("elbow_far", ARM_FAR),
        ("knee_near", LEG_NEAR),
        ("knee_far", LEG_FAR),
    ] {
        part.meshes.push((format!("pin_{name}"), shape.moved(limb.joints[1], limb.bones[1])));
    }
    part
}
