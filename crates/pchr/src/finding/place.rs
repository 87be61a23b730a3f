//! Places in a text: lines, and columns in bytes and in characters.
#![deny(clippy::arithmetic_side_effects)]

/// A place in a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// Line, from 1.
    pub line: u32,
    /// Byte in its line, from 1.
    pub column: u32,
    /// Character in its line, from 1.
    pub character: u32,
}

impl TextPlace {
    /// Start of a text.
    pub const START: Self = Self {
        line: 1,
        column: 1,
        character: 1,
    };

    /// Moves past a byte of a text in UTF-8.
    fn pass(&mut self, byte: u8) {
        if byte == b'\n' {
            *self = Self {
                line: self.line.saturating_add(1),
                ..Self::START
            };
            return;
        }
        self.column = self.column.saturating_add(1);
        let begins = byte & 0xc0 != 0x80; // the others go on with a character
        self.character = self.character.saturating_add(begins.into());
    }

    /// Returns the places of byte offsets in a text, in one pass.
    #[must_use]
    pub fn all(text: &[u8], offsets: &[usize]) -> Vec<Self> {
        let mut sorted: Vec<usize> = (0..offsets.len()).collect();
        let offset = |index: usize| offsets.get(index).copied().unwrap_or(0);
        sorted.sort_by_key(|index| offset(*index));
        let mut places = vec![Self::START; offsets.len()];
        let mut place = Self::START;
        let mut at = 0;
        for index in sorted {
            let end = offset(index).min(text.len());
            for byte in text.get(at..end).unwrap_or_default() {
                place.pass(*byte);
            }
            at = at.max(end);
            if let Some(found) = places.get_mut(index) {
                *found = place;
            }
        }
        places
    }
}

/// Returns the byte offset of a line and column, both from 1, as a parser reports them.
#[must_use]
pub fn offset_of(text: &[u8], line: usize, column: usize) -> usize {
    let newlines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let start = match line.saturating_sub(2) {
        _ if line < 2 => 0,
        before => newlines
            .map(|(at, _)| at)
            .nth(before)
            .map_or(0, |at| at.saturating_add(1)),
    };
    start
        .saturating_add(column.saturating_sub(1))
        .min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_lines_belong_together() {
        let text = "{\n  \"ä\": 1,\n\n  \"b\": 2\n}".as_bytes();
        let offsets = [0, 10, 19, 2, 23, 99];
        let places = TextPlace::all(text, &offsets);
        let lines: Vec<(u32, u32)> = places.iter().map(|p| (p.line, p.column)).collect();
        assert_eq!(lines, [(1, 1), (2, 9), (4, 6), (2, 1), (5, 1), (5, 2)]);
        let characters: Vec<u32> = places.iter().map(|place| place.character).collect();
        assert_eq!(characters, [1, 8, 6, 1, 1, 2]);
        for (offset, place) in offsets.into_iter().zip(places) {
            let back = offset_of(text, place.line as usize, place.column as usize);
            assert_eq!(back, offset.min(text.len()));
        }
    }
}
