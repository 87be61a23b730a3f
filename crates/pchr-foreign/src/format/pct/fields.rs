//! Fields of a record: numbers, and names within the limits.

use pchr::finding::{Words, quoted};

use super::lines::{LinePart, parse_int};
use super::names::{MOST_NUMBER, NameFault, NameList};
use super::records::{PctRecords, ReadStop};
use crate::atlas::{Atlas, PctRule};

/// Maximum number of bytes of all names together: a short text can request long ones.
const NAME_BYTES: usize = 256 << 20;

impl PctRecords<'_> {
    /// Counts the names of a list before they are made, and returns their number.
    pub(super) fn list_fits(&mut self, names: NameList<'_>) -> Result<u64, ReadStop> {
        let count = names.count().map_err(|range| {
            let path = || format!("range {}", quoted(range.text));
            let message = || {
                format!(
                    "its last number is too large, expected at most {MOST_NUMBER}; Phaser never finishes reading it"
                )
            };
            self.found.add(PctRule::Limit, range.offset, path, message);
            ReadStop
        })?;
        self.names_fit(count, names.part())?;
        Ok(count)
    }

    /// Calls `each` with every name of a list, which [fits](Self::list_fits), and its offset.
    pub(super) fn each_name(
        &mut self,
        names: NameList<'_>,
        mut each: impl FnMut(&mut Self, &str, u64),
    ) -> Result<(), ReadStop> {
        let folders = std::mem::take(&mut self.atlas.folders);
        let mut faults = Vec::new();
        let mut fault =
            |fault, part: LinePart<'_>| faults.push((fault, part.text.to_owned(), part.offset));
        let (list, mut names) = (names.part(), names.names());
        let mut fits = Ok(());
        while let Some((name, offset)) = names.next(&folders, &mut fault) {
            fits = self.name_bytes_fit(name, list);
            if fits.is_err() {
                break;
            }
            each(self, name, offset);
        }
        self.atlas.folders = folders;
        for (fault, text, offset) in faults {
            self.name_fault(fault, LinePart { text: &text, offset });
        }
        fits
    }

    /// Counts the bytes of a new name.
    pub(super) fn name_bytes_fit(&mut self, name: &str, at: LinePart<'_>) -> Result<(), ReadStop> {
        self.name_bytes = self.name_bytes.saturating_add(name.len());
        if self.name_bytes <= NAME_BYTES {
            return Ok(());
        }
        let message = || format!("the names so far have more than {NAME_BYTES} bytes");
        self.found.add(PctRule::Limit, at.offset, "sprites", message);
        Err(ReadStop)
    }

    /// Adds to the number of names.
    pub(super) fn names_fit(&mut self, more: u64, at: LinePart<'_>) -> Result<(), ReadStop> {
        self.names = self.names.saturating_add(more);
        if self.names <= Atlas::MOST_SPRITES as u64 {
            return Ok(());
        }
        let (names, most) = (self.names, Atlas::MOST_SPRITES);
        let message = || format!("{names} sprites so far, expected at most {most}");
        self.found.add(PctRule::Limit, at.offset, "sprites", message);
        Err(ReadStop)
    }

    pub(super) fn name_fault(&mut self, fault: NameFault, part: LinePart<'_>) {
        let range = || format!("range {}", quoted(part.text));
        let offset = part.offset;
        match fault {
            NameFault::Folder => {
                let path = || format!("name {}", quoted(part.text));
                let message = || {
                    let (index, name) = part.text.split_once('/').unwrap_or(("", part.text));
                    let folders = match self.atlas.folders.len() {
                        1 => "name 1 folder".into(),
                        count => format!("name {count} folders"),
                    };
                    format!(
                        "folder {index}, but the F: lines {folders}; the name is read as {}",
                        quoted(name)
                    )
                };
                self.found.add(PctRule::FolderRange, offset, path, message);
            }
            NameFault::Range(why) => {
                let message =
                    || format!("{why}; it has no sprites, and later names move up a cell");
                self.found.add(PctRule::Range, offset, range, message);
            }
            NameFault::Extension => {
                let message = "the extension index is not at the end of the line, and is ignored";
                self.found.add(PctRule::RangeExtension, offset, range, message);
            }
            NameFault::Number => {
                let message = "more than two numbers; the rest is ignored";
                self.found.add(PctRule::Number, offset, range, message);
            }
        }
    }

    /// Parses numbers separated by commas, by their names.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        path: &dyn Fn() -> String,
        part: Option<LinePart<'_>>,
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
        part: LinePart<'_>,
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
            self.found.add(PctRule::NumberMissing, part.offset, path, message);
            return None;
        }
        self.number_alone(path, part);
        number
    }

    /// Adds a finding if a field holds more than a number.
    pub(super) fn number_alone(&mut self, path: impl Words, part: LinePart<'_>) {
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
