//! The axes of a flat world.

use super::ink::Ink;
use super::job::OverlayJob;
use super::pen::{Pen, snap};
use crate::pose::transform_point;

/// Length of an axis including its arrow, in design pixels.
const LENGTH: f32 = 44.0;

/// Draws a cross through the whole picture at the world's origin, with arrows along positive x and y.
pub(super) fn origin(job: &OverlayJob<'_>, pen: &mut Pen<'_>) {
    let map = job.camera.screen_from_world(job.size);
    let unit = pen.unit;
    // On whole pixels, so that the lines are crisp.
    let [x, y] = snap(transform_point(&map, [0.0; 2]), unit);
    let [width, height] = pen.size;
    pen.rectangle([0.0, y], [width, y + unit], Ink::FaintX);
    pen.rectangle([x, 0.0], [x + unit, height], Ink::FaintY);

    let [_, [_, down, ..]] = map;
    let up = if down > 0.0 { unit } else { -unit };
    let [x, y] = [x + unit / 2.0, y + unit / 2.0];
    // Both axes as one arrow each: along, and across it.
    let place_x = |[along, across]: [f32; 2]| [x + along * unit, y + across * unit];
    let place_y = |[along, across]: [f32; 2]| [x + across * unit, y + along * up];
    for (rim, inks) in [(1.0, [Ink::Halo; 2]), (0.0, [Ink::AxisX, Ink::AxisY])] {
        let half = 1.0 + rim;
        let shaft = [
            [-half, -half],
            [LENGTH - 9.0, -half],
            [LENGTH - 9.0, half],
            [-half, half],
        ];
        let head = [
            [LENGTH - 10.0 - rim, -4.5 - 1.6 * rim],
            [LENGTH + 2.2 * rim, 0.0],
            [LENGTH - 10.0 - rim, 4.5 + 1.6 * rim],
        ];
        let [ink_x, ink_y] = inks;
        pen.polygon(shaft.map(place_x), ink_x);
        pen.polygon(head.map(place_x), ink_x);
        pen.polygon(shaft.map(place_y), ink_y);
        pen.polygon(head.map(place_y), ink_y);
    }
}
