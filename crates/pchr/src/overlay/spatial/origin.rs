//! The axes of the world at its origin.

use glam::DVec3;

use super::super::font::GLYPH_SIZE;
use super::super::ink::Ink;
use super::super::labels::outlined;
use super::super::lettering::Lettering;
use super::super::pen::{direction, offset, turned};
use super::super::tone::Scale;
use super::stage::Stage;

/// Length of an axis including its arrow, in design pixels.
const LENGTH: f64 = 52.0;

/// Draws three arrows with letters, the nearest last.
pub(super) fn draw(stage: &mut Stage<'_>) {
    let origin = stage.view.see(DVec3::ZERO);
    let Some(scale) = stage.scale_at(origin) else {
        return;
    };
    let length = LENGTH * stage.unit / scale;
    let mut arrows = [
        (DVec3::X, Scale::AxisX, 'X'),
        (DVec3::Y, Scale::AxisY, 'Y'),
        (DVec3::Z, Scale::AxisZ, 'Z'),
    ]
    .map(|(axis, scale, letter)| (stage.view.see_direction(axis), scale, letter));
    arrows.sort_by(|(a, ..), (b, ..)| a.z.total_cmp(&b.z));
    let unit = stage.pen.unit;
    for (way, scale, letter) in arrows {
        let (Some(from), Some(to)) = (stage.place(origin), stage.place(origin + way * length))
        else {
            continue;
        };
        let ink = scale.at(1.0);
        let pointing = direction(from, to).filter(|(_, length)| *length > 12.0 * unit);
        let Some((along, reach)) = pointing else {
            // It points at the camera, or away.
            stage.pen.dot(to, 4.4 * unit, Ink::Halo);
            stage.pen.dot(to, 3.2 * unit, ink);
            continue;
        };
        let across = turned(along);
        for (rim, halo) in [(unit, true), (0.0, false)] {
            let head = [
                offset(
                    offset(from, along, reach - 10.0 * unit - rim),
                    across,
                    4.2 * unit + 1.6 * rim,
                ),
                offset(to, along, 2.2 * rim),
                offset(
                    offset(from, along, reach - 10.0 * unit - rim),
                    across,
                    -4.2 * unit - 1.6 * rim,
                ),
            ];
            let shaft = offset(from, along, reach - 9.0 * unit);
            let width = 2.0 * unit + 2.0 * rim;
            if halo {
                stage.pen.line(from, shaft, width, rim, Ink::Halo);
                stage.pen.polygon(head, Ink::Halo);
            } else {
                stage.pen.line(from, shaft, width, rim, ink);
                stage.pen.polygon(head, ink);
            }
        }
        let [wide, high] = GLYPH_SIZE.map(|side| f32::from(side) * unit);
        let [x, y] = offset(to, along, 9.0 * unit);
        let corner = [x - wide / 2.0, y - high / 2.0].map(|c| (c + 0.5).floor());
        let lettering = Lettering::new(stage.job.options.light, false);
        outlined(std::iter::once(letter), corner, lettering, &mut stage.pen);
    }
}
