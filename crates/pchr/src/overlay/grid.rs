//! The grid of a flat world: lines at round intervals, including the axes; lengths that are round.

use super::atlas::{GLYPH_SIZE, Lettering};
use super::colors::Ink;
use super::labels::{outlined, width};
use super::pen::Pen;
use super::{LabelPlaces, OverlayJob};
use crate::scene::Unit;

/// Least distance of lines in design pixels. The greatest is 2.5 times that.
const BETWEEN: f64 = 28.0;
/// Maximum number of lines across a picture of any size.
const MOST_LINES: u16 = 4096;

/// Lines of one direction.
#[derive(Clone, Copy, Debug)]
struct GridLines {
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
pub(super) enum GridLine {
    Minor,
    Major,
    Axis,
}

impl GridLine {
    /// Returns the strength of a line by its number from the world's zero; each of `majors` is a stronger one.
    pub(super) fn new(number: f64, majors: f64) -> Self {
        match number {
            0.0 => Self::Axis,
            _ if (number / majors).round() * majors == number => Self::Major,
            _ => Self::Minor,
        }
    }
}

impl GridLines {
    /// Returns the lines within the picture: the pixel that each begins at, and its kind.
    fn seen(self, unit: f64) -> impl Iterator<Item = (f64, GridLine)> {
        let first = (-self.zero / self.step).floor();
        (0..MOST_LINES).map_while(move |count| {
            let number = first + f64::from(count);
            let at = self.zero + number * self.step;
            let kind = GridLine::new(number, self.majors);
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
    let zeros = camera.screen_at([0.0; 2], job.size);
    // Beyond what a length can be, or where numbers are too coarse for its lines.
    let is_fine = |zero: &f64| (zero / step).abs() < 1e12;
    if !(step >= BETWEEN * unit && step.is_finite() && zeros.iter().all(is_fine)) {
        return None;
    }
    let of = |zero: f64, room: f64| GridLines { zero, step, room, majors: length.lines() };
    let [zero_x, zero_y] = zeros;
    for kind in [GridLine::Minor, GridLine::Major, GridLine::Axis] {
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
fn line(at: f64, kind: GridLine, upright: bool, pen: &mut Pen<'_>) {
    #[expect(clippy::cast_possible_truncation, reason = "within the picture")]
    let at = at.round() as f32;
    let unit = pen.unit;
    let inks = match (kind, upright) {
        (GridLine::Minor, _) => [Ink::GridLight, Ink::GridDark],
        (GridLine::Major, _) => [Ink::MajorLight, Ink::MajorDark],
        (GridLine::Axis, true) => [Ink::AxisY; 2],
        (GridLine::Axis, false) => [Ink::AxisX; 2],
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
pub(super) fn label(
    text: impl Iterator<Item = char> + Clone,
    job: &OverlayJob<'_>,
    places: &mut LabelPlaces,
    pen: &mut Pen<'_>,
) {
    let unit = pen.unit;
    let [_, height] = pen.size;
    let [_, high] = GLYPH_SIZE.map(|side| f32::from(side) * unit);
    let corner = [8.0 * unit, (height - high - 7.0 * unit).floor()];
    let [left, top] = corner;
    let wide = width(text.clone()) * unit;
    places.take(corner, [left + wide, top + high]);
    outlined(text, corner, Lettering::new(job.options.light, false), pen);
}

/// A length of 1, 2 or 5 times a power of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Length {
    /// 1, 2 or 5.
    pub(super) digit: u8,
    pub(super) power: i32,
}

/// Powers of ten that a length may have.
const POWERS: std::ops::RangeInclusive<i32> = -12..=14;

impl Length {
    /// Returns the smallest round length that is at least `least`.
    pub(super) fn at_least(least: f64) -> Self {
        let all = POWERS.flat_map(|power| [1, 2, 5].map(|digit| Self { digit, power }));
        let longest = Self { digit: 5, power: *POWERS.end() };
        { all }.into_iter().find(|length| length.units() >= least).unwrap_or(longest)
    }

    pub(super) fn units(self) -> f64 {
        let ten = (0..self.power.abs()).fold(1.0, |ten, _| ten * 10.0);
        let digit = f64::from(self.digit);
        if self.power < 0 { digit / ten } else { digit * ten }
    }

    /// Returns the number of lines from a stronger one to the next.
    pub(super) fn lines(self) -> f64 {
        if self.digit == 2 { 5.0 } else { 10.0 }
    }

    /// Returns the label of a grid of pixels of the world.
    pub(super) fn in_pixels(self) -> impl Iterator<Item = char> + Clone {
        self.label(self.power, " px")
    }

    /// Returns the distance from a stronger line to the next.
    pub(super) fn major(self) -> Self {
        let digit = if self.digit == 2 { 1 } else { self.digit };
        let power = self.power + 1;
        Self { digit, power }
    }

    pub(super) fn text(self, unit: Unit) -> impl Iterator<Item = char> + Clone {
        let metres = match unit {
            Unit::Scene => None,
            Unit::Metres => Some(self.power),
            Unit::Centimetres => Some(self.power - 2),
        };
        let (power, word) = match metres {
            None if (self.digit, self.power) == (1, 0) => (0, " unit"),
            None => (self.power, " units"),
            Some(power @ 3..) => (power - 3, " km"),
            Some(power @ 0..) => (power, " m"),
            Some(power @ -2..) => (power + 2, " cm"),
            Some(power @ -5..) => (power + 3, " mm"),
            Some(power) => (power + 6, " µm"),
        };
        self.label(power, word)
    }

    /// Returns the label of the length: its digit times this power of ten, and the unit's name.
    fn label(self, power: i32, word: &'static str) -> impl Iterator<Item = char> + Clone {
        let zeros = |count: i32| std::iter::repeat_n('0', usize::try_from(count).unwrap_or(0));
        let start = if power < 0 { "grid 0." } else { "grid " };
        let digit = char::from(b'0' + self.digit);
        let number = zeros(-1 - power).chain([digit]).chain(zeros(power));
        start.chars().chain(number).chain(word.chars())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(zero: f64, step: f64, room: f64) -> Vec<(f64, GridLine)> {
        GridLines { zero, step, room, majors: 5.0 }.seen(1.0).collect()
    }

    #[test]
    fn lines_cover_the_picture_and_each_fifth_is_stronger() {
        let seen = lines(100.0, 30.0, 290.0);
        let places: Vec<f64> = seen.iter().map(|(at, _)| *at).collect();
        let wanted = [-20.0, 10.0, 40.0, 70.0, 100.0, 130.0, 160.0, 190.0, 220.0, 250.0, 280.0];
        assert_eq!(places, wanted);
        let strong = (0..seen.len()).filter(|index| seen[*index].1 != GridLine::Minor);
        let strong: Vec<usize> = strong.collect();
        assert_eq!(strong, [4, 9]);
        assert_eq!(seen[4].1, GridLine::Axis);
    }

    #[test]
    fn a_grid_far_away_ends() {
        assert!(lines(-1e15, 30.0, 1e5).len() <= usize::from(MOST_LINES));
        assert!(lines(f64::NAN, 30.0, 100.0).is_empty());
    }

    #[test]
    fn lengths_are_round() {
        let least = [0.9, 1.0, 1.01, 3.0, 7.0, 0.03, 4.1e-9, 1.1e9, f64::INFINITY, f64::NAN, 0.0];
        let wanted = [1.0, 1.0, 2.0, 5.0, 10.0, 0.05, 5e-9, 2e9, 5e14, 5e14, 1e-12];
        assert_eq!(least.map(|least| Length::at_least(least).units()), wanted);
    }

    #[test]
    fn stronger_lines_are_farther_apart() {
        for (digit, power) in [(1, 0), (2, -3), (5, 2)] {
            let length = Length { digit, power };
            let wanted = length.units() * length.lines();
            let found = length.major().units();
            assert!((found - wanted).abs() < wanted * 1e-9, "{length:?}");
        }
    }

    #[test]
    fn pixels_are_labelled_in_decimals() {
        for (digit, power, wanted) in
            [(5, 1, "grid 50 px"), (1, 0, "grid 1 px"), (2, -2, "grid 0.02 px")]
        {
            let text: String = Length { digit, power }.in_pixels().collect();
            assert_eq!(text, wanted);
        }
    }

    #[test]
    fn lengths_have_words_of_their_size() {
        let text = |digit, power, unit| -> String { Length { digit, power }.text(unit).collect() };
        for (digit, power, unit, wanted) in [
            (1, 0, Unit::Scene, "grid 1 unit"),
            (5, 1, Unit::Scene, "grid 50 units"),
            (2, -2, Unit::Scene, "grid 0.02 units"),
            (1, 1, Unit::Centimetres, "grid 10 cm"),
            (5, 2, Unit::Centimetres, "grid 5 m"),
            (1, 6, Unit::Centimetres, "grid 10 km"),
            (5, -1, Unit::Centimetres, "grid 5 mm"),
            (2, -1, Unit::Metres, "grid 20 cm"),
            (2, -2, Unit::Metres, "grid 2 cm"),
            (1, 2, Unit::Metres, "grid 100 m"),
            (1, 3, Unit::Metres, "grid 1 km"),
            (2, -3, Unit::Metres, "grid 2 mm"),
            (1, -4, Unit::Metres, "grid 0.1 mm"),
            (5, -6, Unit::Metres, "grid 5 µm"),
            (1, -8, Unit::Metres, "grid 0.01 µm"),
        ] {
            assert_eq!(text(digit, power, unit), wanted);
        }
    }
}
