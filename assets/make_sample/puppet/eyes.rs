//! The eyes in their four states, and the brows.

use super::Part;
use super::canvas::Canvas;
use super::mesh::rigid;
use super::palette::{AMBER, INK, RUST, SUN, WHITE};
use super::paper::Paper;
use super::pen::{Pen, oval};
use super::rig::Bone;

/// Position and size of an eye: the far one is turned away and narrower.
#[derive(Clone, Copy)]
struct Eye {
    name: &'static str,
    x: f64,
    y: f64,
    rx: f64,
    ry: f64,
    /// Direction of the outer corner: -1 if it is on the left.
    outer: f64,
}

const EYES: [Eye; 2] = [
    Eye { name: "near", x: 12.0, y: 86.0, rx: 12.5, ry: 17.0, outer: -1.0 },
    Eye { name: "far", x: 76.0, y: 87.0, rx: 10.5, ry: 16.0, outer: 1.0 },
];

pub(crate) fn parts() -> Vec<Part> {
    let states: [fn(Eye) -> Part; 4] = [open, half, closed, happy];
    let mut parts: Vec<Part> = states.iter().flat_map(|state| EYES.map(state)).collect();
    parts.extend(EYES.map(brow));
    parts
}

fn part(state: &str, eye: Eye, canvas: Canvas, bone: Bone) -> Part {
    let shape = rigid(&canvas, bone);
    Part::new(format!("{state}_{}", eye.name), canvas, shape)
}

impl Eye {
    /// Point in the eye's own coordinates: its edge is at 1, and positive x is outwards.
    fn at(self, x: f64, y: f64) -> [f64; 2] {
        [self.x + x * self.rx * self.outer, self.y + y * self.ry]
    }

    /// Lid from the inner to the outer corner, `lift` high in the middle.
    fn lid(self, y: f64, lift: f64) -> Pen {
        let (inner, outer) = (self.at(-0.92, y), self.at(0.96, y));
        Pen::at(inner[0], inner[1]).curve(
            self.at(-0.5, y + lift),
            self.at(0.52, y + lift),
            outer[0],
            outer[1],
        )
    }

    /// Lid with a lash that swings out to `lash`.
    fn lash(self, y: f64, lift: f64, lash: [f64; 2]) -> tiny_skia::Path {
        let root = self.at(0.74, y + lift * 0.46);
        let bend = self.at(lash[0] * 0.94, y + lift * 0.5 + (lash[1] - y - lift * 0.5) * 0.2);
        let tip = self.at(lash[0], lash[1]);
        self.lid(y, lift).jump(root[0], root[1]).curve(bend, bend, tip[0], tip[1]).done()
    }
}

fn ball(canvas: &mut Canvas, eye: Eye) {
    canvas.sheet(
        &oval(eye.x, eye.y, eye.rx, eye.ry, 0.0),
        Paper { slope: 0.1, rim: 0.2, ..Paper::new(INK) },
    );
    let [x, y] = eye.at(0.0, -0.42);
    canvas.stain(&oval(x, y, eye.rx * 0.62, eye.ry * 0.4, 0.0), 5.0, AMBER, 0.9);
}

fn glints(canvas: &mut Canvas, eye: Eye, top: f64) {
    canvas.flat(
        &oval(eye.x + eye.rx * 0.28, eye.y + eye.ry * top, eye.rx * 0.36, eye.rx * 0.4, 0.0),
        WHITE,
    );
    canvas.stain(
        &oval(eye.x - eye.rx * 0.38, eye.y - eye.ry * 0.36, 2.2, 2.6, 0.0),
        1.0,
        SUN,
        0.85,
    );
}

fn open(eye: Eye) -> Part {
    let lash = eye.lash(0.42, 0.80, [1.30, 1.10]);
    let mut canvas = Canvas::around(&[&oval(eye.x, eye.y, eye.rx, eye.ry, 0.0), &lash]);
    ball(&mut canvas, eye);
    canvas.cord(&lash, 2.8, INK);
    glints(&mut canvas, eye, 0.38);
    part("eye_open", eye, canvas, Bone::EyesOpen)
}

fn half(eye: Eye) -> Part {
    let low = eye.at(0.0, -0.26);
    let lash = eye.lash(0.02, 0.46, [1.34, 0.56]);
    let mut canvas = Canvas::around(&[&oval(eye.x, eye.y, eye.rx, eye.ry, 0.0), &lash]);
    let flat = Eye { y: low[1] - 1.0, ry: eye.ry * 0.64, ..eye };
    ball(&mut canvas, flat);
    canvas.cord(&lash, 3.2, INK);
    canvas.flat(
        &oval(eye.x + eye.rx * 0.28, eye.y - eye.ry * 0.22, eye.rx * 0.3, eye.rx * 0.24, 0.0),
        WHITE,
    );
    part("eye_half", eye, canvas, Bone::EyesHalf)
}

fn closed(eye: Eye) -> Part {
    let lash = eye.lash(-0.12, -0.52, [1.16, -0.64]);
    let mut canvas = Canvas::around(&[&lash]);
    canvas.cord(&lash, 3.2, INK);
    part("eye_closed", eye, canvas, Bone::EyesClosed)
}

fn happy(eye: Eye) -> Part {
    let lash = eye.lid(-0.34, 1.04).done();
    let mut canvas = Canvas::around(&[&lash]);
    canvas.cord(&lash, 3.6, INK);
    part("eye_happy", eye, canvas, Bone::EyesHappy)
}

fn brow(eye: Eye) -> Part {
    let (x, y) = (eye.x, eye.y + 27.5);
    let w = eye.rx * 0.85;
    let outline = Pen::at(x - w, y - 2.0)
        .curve([x - w * 0.5, y + 6.0], [x + w * 0.5, y + 6.0], x + w, y - 1.0)
        .curve([x + w * 0.5, y + 1.5], [x - w * 0.5, y + 1.0], x - w, y - 2.0)
        .close();
    let mut canvas = Canvas::around(&[&outline]);
    canvas.flat(&outline, RUST);
    part("brow", eye, canvas, Bone::Brows)
}
