//! Names of sprites (folder indices, ranges and extension indices), and their cells in a block.

use super::lines::{LinePart, parse_int_clamped};
use crate::atlas::Rect;

/// File extensions by their index, from 1.
pub(super) const ENDINGS: [&str; 5] = [".png", ".webp", ".jpg", ".jpeg", ".gif"];

/// Largest last number of a range. JavaScript cannot count past it, so Phaser would never finish such a range.
pub(super) const MOST_NUMBER: i64 = (1 << 53) - 1;

/// A fault of a name or a range, with its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameFault {
    /// Its folder is not in the dictionary, or has no name.
    Folder,
    /// A range without names.
    Range(&'static str),
    /// A range with an extension index that is lost.
    Extension,
    /// A range with more than two numbers in it.
    Number,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NameList<'a> {
    list: LinePart<'a>,
    ending: &'static str,
}

impl<'a> NameList<'a> {
    /// Creates the names of a line. An extension index at its end applies to all of them.
    pub(super) fn new(line: LinePart<'a>) -> Self {
        match ending(line.text) {
            Some(ending) => Self { list: line.without_end(2), ending },
            None => Self { list: line, ending: "" },
        }
    }

    pub(super) fn part(self) -> LinePart<'a> {
        self.list
    }

    /// Returns the number of names in the list.
    ///
    /// # Errors
    /// The first range whose last number is above [`MOST_NUMBER`].
    pub(super) fn count(self) -> Result<u64, LinePart<'a>> {
        let mut count: u64 = 0;
        for segment in self.list.split(b',') {
            let more = match NameRange::of(segment.text) {
                None => 1,
                Some(Ok(range)) if range.last > MOST_NUMBER => return Err(segment),
                Some(Ok(range)) => range.len(),
                Some(Err(_)) => 0,
            };
            count = count.saturating_add(more);
        }
        Ok(count)
    }

    pub(super) fn names(self) -> NamesOfList<'a, impl Iterator<Item = LinePart<'a>>> {
        NamesOfList {
            segments: self.list.split(b','),
            ending: self.ending,
            name: String::new(),
            range: None,
        }
    }
}

/// Makes the names of a list, one after the other in the same memory.
pub(super) struct NamesOfList<'a, S> {
    segments: S,
    ending: &'static str,
    name: String,
    range: Option<Running<'a>>,
}

/// A range, with some of its names already made.
struct Running<'a> {
    segment: LinePart<'a>,
    range: NameRange<'a>,
    next: i64,
    /// Length of the common prefix of all names; `None` if a number may make an extension index.
    common: Option<usize>,
}

impl<'a, S: Iterator<Item = LinePart<'a>>> NamesOfList<'a, S> {
    /// Makes the next name, and returns its offset. Faults go to `fault`.
    pub(super) fn next(
        &mut self,
        folders: &[String],
        fault: &mut impl FnMut(NameFault, LinePart<'_>),
    ) -> Option<(&str, u64)> {
        loop {
            if let Some(running) = &mut self.range
                && running.next <= running.range.last
            {
                let number = running.next;
                running.next = number.saturating_add(1);
                let (range, segment) = (&running.range, running.segment);
                if let Some(common) = running.common {
                    self.name.truncate(common);
                    push_number(&mut self.name, number, range.digits);
                    self.name.push_str(self.ending);
                } else {
                    let mut raw = range.prefix.to_owned();
                    push_number(&mut raw, number, range.digits);
                    let text = LinePart { text: &raw, ..segment };
                    let mut once = |found, part: LinePart<'_>| {
                        if number == range.first {
                            fault(found, part);
                        }
                    };
                    resolve(text, folders, self.ending, &mut self.name, &mut once);
                }
                return Some((&self.name, segment.offset));
            }
            let segment = self.segments.next()?;
            let range = match NameRange::of(segment.text) {
                None => {
                    resolve(segment, folders, self.ending, &mut self.name, fault);
                    return Some((&self.name, segment.offset));
                }
                Some(Ok(range)) => range,
                Some(Err(why)) => {
                    fault(NameFault::Range(why), segment);
                    continue;
                }
            };
            self.begin(segment, range, folders, fault);
        }
    }

    fn begin(
        &mut self,
        segment: LinePart<'a>,
        range: NameRange<'a>,
        folders: &[String],
        fault: &mut impl FnMut(NameFault, LinePart<'_>),
    ) {
        if range.loses_ending {
            fault(NameFault::Extension, segment);
        } else if !range.bare {
            fault(NameFault::Number, segment);
        }
        let common = (!range.prefix.ends_with('~')).then(|| {
            self.name.clear();
            let prefix = segment.without_end(segment.text.len().saturating_sub(range.prefix.len()));
            let rest = push_folder(prefix, folders, &mut self.name, fault);
            self.name.push_str(rest);
            self.name.len()
        });
        self.range = Some(Running { segment, next: range.first, range, common });
    }
}

/// Makes the whole name of a sprite in `name`.
pub(super) fn resolve(
    raw: LinePart<'_>,
    folders: &[String],
    ending_of_line: &str,
    name: &mut String,
    fault: &mut dyn FnMut(NameFault, LinePart<'_>),
) {
    name.clear();
    let rest = push_folder(raw, folders, name, fault);
    match ending(rest) {
        Some(ending) => {
            let end = rest.len().saturating_sub(2);
            name.push_str(rest.get(..end).unwrap_or_default());
            name.push_str(ending);
        }
        None => {
            name.push_str(rest);
            name.push_str(ending_of_line);
        }
    }
}

/// Adds the folder of a name, and returns what follows its index.
fn push_folder<'t>(
    raw: LinePart<'t>,
    folders: &[String],
    name: &mut String,
    fault: &mut dyn FnMut(NameFault, LinePart<'_>),
) -> &'t str {
    let Some((index, rest)) = folder_index(raw.text) else { return raw.text };
    let folder = index.and_then(|index| folders.get(index));
    match folder.filter(|folder| !folder.is_empty()) {
        Some(folder) => {
            name.push_str(folder);
            name.push('/');
        }
        None => fault(NameFault::Folder, raw),
    }
    rest
}

/// Returns the folder index at the start of a name, and the rest; the index is `None` if it is too large for any list.
fn folder_index(name: &str) -> Option<(Option<usize>, &str)> {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = name.split_at_checked(digits)?;
    let rest = rest.strip_prefix('/').filter(|_| !digits.is_empty())?;
    Some((digits.parse().ok(), rest))
}

/// Returns the file extension for an extension index at the end of a text.
fn ending(text: &str) -> Option<&'static str> {
    match text.as_bytes() {
        [.., b'~', digit @ b'1'..=b'5'] => {
            let index = usize::from(digit.wrapping_sub(b'1'));
            ENDINGS.get(index).copied()
        }
        _ => None,
    }
}

/// Adds a number with leading zeros up to `digits`.
fn push_number(text: &mut String, number: i64, digits: usize) {
    let mut buffer = itoa::Buffer::new();
    let number = buffer.format(number.unsigned_abs());
    for _ in number.len()..digits {
        text.push('0');
    }
    text.push_str(number);
}

/// `prefix#first-last`.
struct NameRange<'a> {
    prefix: &'a str,
    first: i64,
    last: i64,
    /// Least number of digits.
    digits: usize,
    loses_ending: bool,
    /// True if it holds only the numbers.
    bare: bool,
}

impl<'a> NameRange<'a> {
    /// Returns the range in a segment; `None` if it is a name.
    fn of(segment: &'a str) -> Option<Result<Self, &'static str>> {
        let (prefix, range) = segment.split_once('#')?;
        let Some((first, last)) = range.split_once('-') else { return Some(Err("has no \"-\"")) };
        let numbers = (parse_int_clamped(first), parse_int_clamped(last));
        let (Some(from), Some(to)) = numbers else {
            return Some(Err("does not have two numbers"));
        };
        if to.value < from.value {
            return Some(Err("ends before it begins"));
        }
        // `parseInt("-0")` cannot come up: a minus would have been the separator.
        let padded = first.len() > 1 && first.starts_with('0');
        Some(Ok(Self {
            prefix,
            first: from.value,
            last: to.value,
            digits: if padded { first.encode_utf16().count() } else { 0 },
            loses_ending: ending(last).is_some(),
            bare: from.alone && to.alone,
        }))
    }

    fn len(&self) -> u64 {
        self.last.abs_diff(self.first).saturating_add(1)
    }
}

/// Returns the rectangle of a cell of a grid, which has the padding on each side; `None` if it does not fit in 32 bits. Cells are
/// counted row by row; `first` has the corner of the grid, and the size of a cell.
pub(super) fn cell_rect(first: Rect, columns: i64, padding: i64, cell: i64) -> Option<Rect> {
    let (column, row) = (cell.checked_rem(columns)?, cell.checked_div(columns)?);
    let place = |at: i32, cell: i64, size: i32| {
        // Sums and products of a few numbers of 32 bits fit in 64.
        let step = padding.saturating_mul(2).saturating_add(size.into());
        let inner = padding.saturating_add(cell.saturating_mul(step));
        i32::try_from(inner.saturating_add(at.into())).ok()
    };
    let Rect { x, y, width, height } = first;
    Some(Rect { x: place(x, column, width)?, y: place(y, row, height)?, width, height })
}
