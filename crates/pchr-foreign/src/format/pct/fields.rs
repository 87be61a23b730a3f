//! Numbers of a record.

use pchr::finding::quoted;

use super::lines::{Part, parse_int};
use super::records::Records;
use crate::atlas::PctRule;

impl Records<'_> {
    /// Parses numbers separated by commas, by their names.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        path: &dyn Fn() -> String,
        part: Option<Part<'_>>,
        names: [&str; N],
        then: &str,
    ) -> [Option<i32>; N] {
        let part = part.unwrap_or_default();
        if let Some(numbers) = plain_numbers(part.text) {
            return numbers.map(Some);
        }
        let mut parts = part.split(b',');
        names.map(|name| self.number(path, name, parts.next().unwrap_or(part.end()), then))
    }

    /// Returns a number. If it is missing or irregular, a finding states the value that replaces it.
    pub(super) fn number(
        &mut self,
        path: &dyn Fn() -> String,
        name: &str,
        part: Part<'_>,
        then: &str,
    ) -> Option<i32> {
        let parsed = parse_int(part.text);
        let number = parsed.and_then(|number| i32::try_from(number.value).ok());
        if number.is_some() && parsed.is_some_and(|number| number.alone) {
            return number;
        }
        let path = || format!("{}.{name}", path());
        if number.is_none() {
            let message = || match part.text {
                "" => format!("the number is missing; {then}"),
                text if text
                    .trim_start_matches(['-', '+'])
                    .starts_with(|c: char| c.is_ascii_digit()) =>
                {
                    format!("{} does not fit in 32 bits; {then}", quoted(text))
                }
                text => format!("{} is not a number; {then}", quoted(text)),
            };
            self.found
                .add(PctRule::NumberMissing, part.offset, path, message);
            return None;
        }
        self.number_alone(&path, part);
        number
    }

    /// Adds a finding if a field holds more than a number.
    pub(super) fn number_alone(&mut self, path: &dyn Fn() -> String, part: Part<'_>) {
        let number = parse_int(part.text);
        if number.is_some_and(|number| number.alone) {
            return;
        }
        let message = || {
            let read = number.map_or(0, |number| number.value);
            format!("{} is read as {read}", quoted(part.text))
        };
        self.found.add(PctRule::Number, part.offset, path, message);
    }
}

/// Parses numbers of few digits separated by commas and nothing else, the most common case.
fn plain_numbers<const N: usize>(text: &str) -> Option<[i32; N]> {
    const MOST_DIGITS: usize = 9; // any such number fits
    let mut numbers = [0_i32; N];
    let (mut index, mut digits) = (0_usize, 0);
    for byte in text.bytes() {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 && digits < MOST_DIGITS {
            let number = numbers.get_mut(index)?;
            *number = number.wrapping_mul(10).wrapping_add(digit.into());
            digits = digits.wrapping_add(1);
        } else if byte == b',' && digits > 0 {
            (index, digits) = (index.wrapping_add(1), 0);
        } else {
            return None;
        }
    }
    (index.checked_add(1) == Some(N) && digits > 0).then_some(numbers)
}
