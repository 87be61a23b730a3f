//! The torso and the shadow on the ground.

use super::Part;
use super::canvas::Canvas;
use super::mesh::{Weights, grid, rigid, smooth};
use super::palette::{CREAM, FOX, RUST, SHADOW};
use super::paper::Paper;
use super::pen::{Pen, oval};
use super::rig::{Bone, GROUND};

pub(crate) fn ground() -> Part {
    let blot = oval(8.0, GROUND + 1.0, 74.0, 7.5, 0.0);
    let mut canvas = Canvas::new(-78.0, GROUND - 16.0, 94.0, GROUND + 18.0);
    canvas.haze(&blot, 7.0, SHADOW, 0.3);
    let shape = rigid(&canvas, Bone::Ground);
    Part::new("ground_shadow".into(), canvas, shape)
}

pub(crate) fn torso() -> Part {
    let outline = Pen::at(-20.0, 26.0)
        .curve([-34.0, 4.0], [-46.0, -34.0], -46.0, -74.0)
        .curve([-46.0, -110.0], [-22.0, -127.0], 10.0, -127.0)
        .curve([44.0, -127.0], [65.0, -110.0], 65.0, -76.0)
        .curve([65.0, -40.0], [54.0, 0.0], 42.0, 26.0)
        .close();
    let belly = Pen::at(14.0, 40.0)
        .curve([2.0, 10.0], [-6.0, -4.0], -12.0, -12.0)
        .fur(-1.5, &[[-1.0, -15.0], [-9.0, -31.0], [3.0, -32.0], [-2.0, -47.0]])
        .curve([-12.0, -70.0], [-6.0, -104.0], 18.0, -114.0)
        .curve([42.0, -120.0], [60.0, -100.0], 60.0, -74.0)
        .curve([60.0, -60.0], [57.0, -52.0], 53.0, -44.0)
        .fur(-1.5, &[[49.0, -33.0], [57.0, -30.0], [48.0, -17.0], [54.0, -12.0]])
        .curve([50.0, 0.0], [46.0, 20.0], 40.0, 40.0)
        .close();
    let mut canvas = Canvas::around(&[&outline]);
    canvas.sheet(&outline, Paper::new(FOX));
    canvas.inlay(&belly, Paper { slope: 0.1, ..Paper::thin(CREAM) });
    // The head and the scarf shade the shoulders.
    canvas.stain(&oval(12.0, 24.0, 52.0, 20.0, 0.0), 14.0, RUST, 0.35);
    canvas.rim(&outline, 0.6);
    canvas.cast(0.45);
    let shape = grid(&canvas, 16.0, |[_, y]| weigh(y));
    Part::new("torso".into(), canvas, shape)
}

/// Weights by height: hips below, torso in the middle, chest above.
fn weigh(y: f64) -> Weights {
    let above_hips = smooth(-112.0, -62.0, y);
    let above_waist = smooth(-68.0, -14.0, y);
    vec![
        (Bone::Hips, 1.0 - above_hips),
        (Bone::Torso, above_hips * (1.0 - above_waist)),
        (Bone::Chest, above_hips * above_waist),
    ]
}
