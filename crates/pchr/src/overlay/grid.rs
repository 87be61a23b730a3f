//! The grid of a flat world: lines at round intervals, including the axes.

use super::font::GLYPH_SIZE;
use super::ink::Ink;
use super::job::{OverlayJob, Places};
use super::labels::{outlined, width};
use super::length::{Length, Text};
use super::lettering::Lettering;
use super::pen::Pen;

/// Least distance of lines in design pixels. The greatest is 2.5 times that.
const BETWEEN: f64 = 28.0;
/// Maximum number of lines across a picture of any size.
const MOST_LINES: u16 = 4096;

/// Lines of one direction.
#[derive(Clone, Copy, Debug)]
struct Lines {
    /// Screen position of the world's zero.
    zero: f64,
    /// Screen pixels from line to line.
    step: f64,
    /// Screen pixels of the picture across the lines.
    room: f64,
    /// Number of lines from a stronger one to the next.
    majors: f64,
}

/// Lines of equal strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Minor,
    Major,
    Axis,
}

impl Lines {
    /// Returns the lines within the picture: the pixel that each begins at, and its kind.
    fn seen(self, unit: f64) -> impl Iterator<Item = (f64, Kind)> {
        let first = (-self.zero / self.step).floor();
        (0..MOST_LINES).map_while(move |count| {
            let number = first + f64::from(count);
            let at = self.zero + number * self.step;
            let kind = match number {
                0.0 => Kind::Axis,
                _ if (number / self.majors).round() * self.majors == number => Kind::Major,
                _ => Kind::Minor,
            };
            (at <= self.room + unit).then_some((at, kind))
        })
    }
}

/// Draws the grid, the axes on top; returns the distance of its lines, or `None` where no line can be drawn.
pub(super) fn draw(job: &OverlayJob<'_>, pen: &mut Pen<'_>) -> Option<Length> {
    if job.camera.orbit().is_some() {
        return None; // the ground is drawn with the bones
    }
    let camera = job.camera.flat();
    let unit = f64::from(pen.unit);
    let length = Length::at_least(BETWEEN * unit / camera.zoom);
    let step = length.units() * camera.zoom;
    let [across, down] = job.size.map(f64::from);
    let [x, y] = camera.center;
    let up = if camera.y_down { -1.0 } else { 1.0 };
    let zeros = [
        across / 2.0 - x * camera.zoom,
        down / 2.0 + up * y * camera.zoom,
    ];
    // Beyond what a length can be, or where numbers are too coarse for its lines.
    let is_fine = |zero: &f64| (zero / step).abs() < 1e12;
    if !(step >= BETWEEN * unit && step.is_finite() && zeros.iter().all(is_fine)) {
        return None;
    }
    let of = |zero: f64, room: f64| Lines {
        zero,
        step,
        room,
        majors: length.lines(),
    };
    let [zero_x, zero_y] = zeros;
    for kind in [Kind::Minor, Kind::Major, Kind::Axis] {
        for (at, _) in of(zero_y, down).seen(unit).filter(|(_, it)| *it == kind) {
            line(at, kind, false, pen);
        }
        for (at, _) in of(zero_x, across).seen(unit).filter(|(_, it)| *it == kind) {
            line(at, kind, true, pen);
        }
    }
    Some(length)
}

/// Draws a line on whole pixels: its light and dark halves side by side, or the line of an axis.
fn line(at: f64, kind: Kind, upright: bool, pen: &mut Pen<'_>) {
    #[expect(clippy::cast_possible_truncation, reason = "within the picture")]
    let at = at.round() as f32;
    let unit = pen.unit;
    let inks = match (kind, upright) {
        (Kind::Minor, _) => [Ink::GridLight, Ink::GridDark],
        (Kind::Major, _) => [Ink::MajorLight, Ink::MajorDark],
        (Kind::Axis, true) => [Ink::AxisY; 2],
        (Kind::Axis, false) => [Ink::AxisX; 2],
    };
    let [width, height] = pen.size;
    for (ink, from) in inks.into_iter().zip([at - unit, at]) {
        let corners = match upright {
            true => [[from, 0.0], [from + unit, height]],
            false => [[0.0, from], [width, from + unit]],
        };
        pen.rectangle(corners[0], corners[1], ink);
    }
}

/// Writes the spacing of the lines in the lower left corner of the picture.
pub(super) fn label(job: &OverlayJob<'_>, length: Length, places: &mut Places, pen: &mut Pen<'_>) {
    let lettering = Lettering::new(job.options.light, false);
    corner_label(length.in_pixels(), lettering, places, pen);
}

/// Writes a text in the lower left corner.
pub(super) fn corner_label(
    text: Text,
    lettering: Lettering,
    places: &mut Places,
    pen: &mut Pen<'_>,
) {
    let unit = pen.unit;
    let [_, height] = pen.size;
    let [_, high] = GLYPH_SIZE.map(|side| f32::from(side) * unit);
    let corner = [8.0 * unit, (height - high - 7.0 * unit).floor()];
    let [left, top] = corner;
    let wide = width(text.chars()) * unit;
    places.take(corner, [left + wide, top + high]);
    outlined(text.chars(), corner, lettering, pen);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(zero: f64, step: f64, room: f64) -> Vec<(f64, Kind)> {
        let lines = Lines {
            zero,
            step,
            room,
            majors: 5.0,
        };
        lines.seen(1.0).collect()
    }

    #[test]
    fn lines_cover_the_picture_and_each_fifth_is_stronger() {
        let seen = lines(100.0, 30.0, 290.0);
        let places: Vec<f64> = seen.iter().map(|(at, _)| *at).collect();
        assert_eq!(
            places,
            [
                -20.0, 10.0, 40.0, 70.0, 100.0, 130.0, 160.0, 190.0, 220.0, 250.0, 280.0
            ]
        );
        let kinds = seen.iter().map(|(_, kind)| *kind);
        let strong: Vec<usize> = { kinds.enumerate() }
            .filter(|(_, kind)| *kind != Kind::Minor)
            .map(|(index, _)| index)
            .collect();
        assert_eq!(strong, [4, 9]);
        assert_eq!(seen[4].1, Kind::Axis);
    }

    #[test]
    fn a_grid_far_away_ends() {
        assert!(lines(-1e15, 30.0, 1e5).len() <= usize::from(MOST_LINES));
        assert!(lines(f64::NAN, 30.0, 100.0).is_empty());
    }
}
