//! The head, the muzzle with its jaw, and the tuft.

use super::Part;
use super::canvas::Canvas;
use super::mesh::{blend, grid, rigid};
use super::palette::{BLUSH, CREAM, CREAM_DIM, FOX, INK, MOUTH, RUST, TONGUE, WHITE};
use super::paper::Paper;
use super::pen::{Pen, blob, oval};
use super::rig::Bone;

pub(crate) fn parts() -> Vec<Part> {
    vec![head(), jaw(), snout(), tuft()]
}

fn head() -> Part {
    let outline = Pen::at(24.0, 146.0)
        .curve([64.0, 147.0], [101.0, 126.0], 105.0, 88.0)
        .curve([106.0, 76.0], [112.0, 66.0], 124.0, 59.0)
        .fur(1.6, &[[109.0, 51.0], [115.0, 38.0], [99.0, 34.0], [99.0, 22.0]])
        .curve([82.0, 17.0], [62.0, 11.0], 40.0, 11.0)
        .curve([14.0, 11.0], [-14.0, 14.0], -36.0, 23.0)
        .curve([-44.0, 20.0], [-52.0, 17.0], -61.0, 17.0)
        .fur(1.8, &[[-57.0, 31.0], [-81.0, 33.0], [-71.0, 47.0], [-96.0, 57.0]])
        .curve([-82.0, 65.0], [-75.0, 76.0], -73.0, 90.0)
        .curve([-67.0, 127.0], [-24.0, 145.0], 24.0, 146.0)
        .close();
    let cheeks = Pen::at(-110.0, 52.0)
        .curve([-80.0, 66.0], [-58.0, 78.0], -28.0, 68.0)
        .curve([-8.0, 60.0], [6.0, 49.0], 22.0, 54.0)
        .curve([34.0, 58.0], [40.0, 56.0], 52.0, 38.0)
        .curve([62.0, 52.0], [70.0, 60.0], 78.0, 60.0)
        .curve([84.0, 58.0], [88.0, 62.0], 94.0, 68.0)
        .curve([104.0, 74.0], [118.0, 66.0], 136.0, 56.0)
        .line(140.0, -10.0)
        .line(-120.0, -10.0)
        .close();
    let mut canvas = Canvas::around(&[&outline]);
    canvas.sheet(&outline, Paper::new(FOX));
    let crown = Pen::at(-8.0, 150.0)
        .curve([8.0, 130.0], [30.0, 110.0], 44.0, 74.0)
        .curve([54.0, 108.0], [58.0, 130.0], 60.0, 150.0)
        .close();
    canvas.stain(&crown, 9.0, RUST, 0.26);
    canvas.inlay(&cheeks, Paper { slope: 0.05, ..Paper::thin(CREAM) });
    canvas.stain(&oval(-22.0, 50.0, 13.0, 7.5, 6.0), 8.0, BLUSH, 0.46);
    canvas.stain(&oval(104.0, 55.0, 7.0, 6.5, 0.0), 7.0, BLUSH, 0.42);
    canvas.rim(&outline, 0.55);
    canvas.cast(0.5);
    let shape = rigid(&canvas, Bone::Head);
    Part::new("head".into(), canvas, shape)
}

fn snout() -> Part {
    let outline = Pen::at(36.0, 56.0)
        .curve([48.0, 67.0], [70.0, 68.0], 84.0, 61.0)
        .curve([102.0, 58.0], [112.0, 48.0], 108.0, 37.0)
        .curve([105.0, 27.0], [92.0, 22.0], 80.0, 25.0)
        .curve([68.0, 17.0], [40.0, 17.0], 31.0, 29.0)
        .curve([24.0, 38.0], [27.0, 50.0], 36.0, 56.0)
        .close();
    let bridge = Pen::at(38.0, 78.0)
        .curve([46.0, 62.0], [56.0, 60.0], 66.0, 53.0)
        .curve([74.0, 48.0], [98.0, 48.0], 98.0, 52.0)
        .line(94.0, 78.0)
        .close();
    let nose = blob(&[
        [72.0, 60.0],
        [84.0, 64.0],
        [96.0, 60.5],
        [96.5, 53.0],
        [87.0, 46.0],
        [79.0, 47.5],
        [72.0, 53.0],
    ]);
    let mut canvas = Canvas::around(&[&outline, &nose]);
    canvas.sheet(&outline, Paper { slope: 0.06, shadow: 0.0, ..Paper::new(CREAM) });
    canvas.inlay(&bridge, Paper { rim: 0.25, shadow: 0.12, ..Paper::thin(FOX) });
    canvas.rim(&outline, 0.5);
    let mouth = Pen::at(84.0, 47.0)
        .curve([84.0, 41.0], [83.0, 37.0], 80.0, 34.0)
        .curve([73.0, 28.0], [58.0, 28.5], 51.0, 37.0)
        .jump(80.0, 34.0)
        .curve([87.0, 29.5], [95.0, 30.5], 99.0, 36.0)
        .done();
    canvas.ink(&mouth, 2.1, INK, 0.92);
    for [x, y] in [[46.0, 45.0], [54.0, 41.0], [55.0, 48.0]] {
        canvas.ink(&oval(x, y, 0.5, 0.5, 0.0), 1.4, RUST, 0.55);
    }
    canvas.sheet(&nose, Paper { slope: 0.1, rim: 0.25, shadow: 0.35, ..Paper::new(INK) });
    canvas.stain(&oval(81.5, 59.5, 5.0, 2.0, 12.0), 2.0, WHITE, 0.75);
    canvas.cast(0.36);
    let shape = grid(&canvas, 16.0, |[x, _]| blend(Bone::Head, Bone::Snout, 26.0, 62.0, x));
    Part::new("snout".into(), canvas, shape)
}

/// The lower jaw with the open mouth in it; the muzzle hides it while the mouth is shut.
fn jaw() -> Part {
    let outline = Pen::at(42.0, 50.0)
        .line(96.0, 50.0)
        .curve([98.0, 36.0], [92.0, 29.0], 76.0, 27.0)
        .curve([60.0, 24.0], [44.0, 29.0], 42.0, 38.0)
        .close();
    let inside = Pen::at(46.0, 56.0)
        .line(93.0, 56.0)
        .curve([94.0, 40.0], [90.0, 34.0], 75.0, 31.5)
        .curve([60.0, 29.0], [48.0, 33.0], 46.0, 41.0)
        .close();
    let mut canvas = Canvas::around(&[&outline]);
    canvas.sheet(&outline, Paper { shadow: 0.0, ..Paper::thin(CREAM_DIM) });
    canvas.inlay(&inside, Paper { rim: 0.1, shadow: 0.2, ..Paper::thin(MOUTH) });
    canvas.inlay(&oval(70.0, 33.0, 15.0, 6.5, 4.0), Paper { rim: 0.3, ..Paper::thin(TONGUE) });
    let lip = Pen::at(38.0, 16.0)
        .line(100.0, 16.0)
        .line(97.0, 42.0)
        .curve([92.0, 34.0], [84.0, 32.0], 75.0, 31.0)
        .curve([60.0, 28.5], [50.0, 32.0], 44.0, 43.0)
        .close();
    canvas.inlay(&lip, Paper { rim: 0.4, shadow: 0.3, ..Paper::thin(CREAM_DIM) });
    canvas.rim(&outline, 0.5);
    canvas.cast(0.36);
    let shape = rigid(&canvas, Bone::Jaw);
    Part::new("jaw".into(), canvas, shape)
}

fn tuft() -> Part {
    let outline = Pen::at(2.0, 139.0)
        .curve([-2.0, 150.0], [-4.0, 158.0], -2.0, 168.0)
        .curve([4.0, 160.0], [8.0, 156.0], 13.0, 153.0)
        .curve([13.0, 164.0], [17.0, 174.0], 27.0, 182.0)
        .curve([27.0, 170.0], [29.0, 162.0], 33.0, 154.0)
        .curve([38.0, 159.0], [44.0, 162.0], 52.0, 163.0)
        .curve([46.0, 156.0], [43.0, 148.0], 42.0, 138.0)
        .curve([36.0, 124.0], [30.0, 121.0], 24.0, 114.0)
        .curve([17.0, 121.0], [7.0, 130.0], 2.0, 139.0)
        .close();
    let mut canvas = Canvas::around(&[&outline]);
    canvas.sheet(&outline, Paper { slope: 0.2, ..Paper::new(FOX) });
    canvas.ink(
        &Pen::at(24.0, 158.0).curve([22.0, 146.0], [22.0, 136.0], 24.0, 124.0).done(),
        1.3,
        RUST,
        0.4,
    );
    canvas.cast(0.42);
    let shape = grid(&canvas, 14.0, |[_, y]| blend(Bone::Head, Bone::Tuft, 118.0, 156.0, y));
    Part::new("tuft".into(), canvas, shape)
}
