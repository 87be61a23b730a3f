//! Round lengths, and their labels.

use crate::scene::Unit;

/// A length of 1, 2 or 5 times a power of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Length {
    /// 1, 2 or 5.
    pub(super) digit: u8,
    /// The power of ten.
    pub(super) power: i32,
}

/// Powers of ten that a length may have.
const POWERS: std::ops::RangeInclusive<i32> = -12..=14;

impl Length {
    /// Returns the smallest round length that is at least `least`.
    pub(super) fn at_least(least: f64) -> Self {
        let all = POWERS.flat_map(|power| [1, 2, 5].map(|digit| Self { digit, power }));
        let longest = Self {
            digit: 5,
            power: *POWERS.end(),
        };
        { all }
            .into_iter()
            .find(|length| length.units() >= least)
            .unwrap_or(longest)
    }

    /// Returns the length in units.
    pub(super) fn units(self) -> f64 {
        let ten = (0..self.power.abs()).fold(1.0, |ten, _| ten * 10.0);
        let digit = f64::from(self.digit);
        if self.power < 0 {
            digit / ten
        } else {
            digit * ten
        }
    }

    /// Returns the number of lines from a stronger one to the next.
    pub(super) fn lines(self) -> f64 {
        if self.digit == 2 { 5.0 } else { 10.0 }
    }

    /// Returns the label of a grid of pixels of the world.
    pub(super) fn in_pixels(self) -> Text {
        self.label(self.power, " px")
    }

    /// Returns the distance from a stronger line to the next.
    pub(super) fn major(self) -> Self {
        let digit = if self.digit == 2 { 1 } else { self.digit };
        let power = self.power + 1;
        Self { digit, power }
    }

    /// Returns the label of a grid of this length.
    pub(super) fn text(self, unit: Unit) -> Text {
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
    fn label(self, power: i32, word: &str) -> Text {
        let mut text = Text::default();
        text.write("grid ");
        if power < 0 {
            text.write("0.");
            (1..-power).for_each(|_| text.write("0"));
        }
        text.put(char::from(b'0' + self.digit));
        (0..power).for_each(|_| text.write("0"));
        text.write(word);
        text
    }
}

/// A short text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    letters: [char; 40],
    count: usize,
}

impl Default for Text {
    fn default() -> Self {
        Self {
            letters: [' '; 40],
            count: 0,
        }
    }
}

impl Text {
    fn put(&mut self, letter: char) {
        if let Some(place) = self.letters.get_mut(self.count) {
            *place = letter;
            self.count += 1;
        }
    }

    fn write(&mut self, word: &str) {
        word.chars().for_each(|letter| self.put(letter));
    }

    /// Returns its characters.
    pub(super) fn chars(&self) -> impl Iterator<Item = char> + Clone {
        self.letters.iter().take(self.count).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_round() {
        for (least, wanted) in [
            (0.9, 1.0),
            (1.0, 1.0),
            (1.01, 2.0),
            (3.0, 5.0),
            (7.0, 10.0),
            (0.03, 0.05),
            (4.1e-9, 5e-9),
            (1.1e9, 2e9),
            (f64::INFINITY, 5e14),
            (f64::NAN, 5e14),
            (0.0, 1e-12),
        ] {
            assert_eq!(Length::at_least(least).units(), wanted, "{least}");
        }
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
        for (digit, power, wanted) in [
            (5, 1, "grid 50 px"),
            (1, 0, "grid 1 px"),
            (2, -2, "grid 0.02 px"),
        ] {
            let text: String = Length { digit, power }.in_pixels().chars().collect();
            assert_eq!(text, wanted);
        }
    }

    #[test]
    fn lengths_have_words_of_their_size() {
        let text =
            |digit, power, unit| -> String { Length { digit, power }.text(unit).chars().collect() };
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
