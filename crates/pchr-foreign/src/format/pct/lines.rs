//! Lines of a text and their parts, each with its place; numbers as JavaScript reads them.

use std::borrow::Cow;

use memchr::memchr_iter;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LinePart<'a> {
    pub(super) text: &'a str,
    /// Byte offset in the file; approximate in a line that is not UTF-8.
    pub(super) offset: u64,
}

impl<'a> LinePart<'a> {
    /// Returns the parts between separators, each an ASCII character.
    pub(super) fn split(self, separator: u8) -> impl Iterator<Item = LinePart<'a>> + Clone {
        let mut rest = Some(self);
        std::iter::from_fn(move || {
            let all = rest?;
            // Parts are short: setting up a vectorised search costs more than it saves.
            let at = all.text.bytes().position(|byte| byte == separator);
            let (part, behind) = match at {
                Some(at) => {
                    let (part, behind) = all.split_at(at);
                    (part, Some(behind))
                }
                None => (all, None),
            };
            rest = behind;
            Some(part)
        })
    }

    /// Returns the parts before and after a byte, which is an ASCII character.
    pub(super) fn split_at(self, at: usize) -> (LinePart<'a>, LinePart<'a>) {
        let (before, behind) = (self.text.get(..at), self.behind(at.saturating_add(1)));
        let text = before.unwrap_or(self.text);
        (LinePart { text, ..self }, behind)
    }

    /// Returns the part after the first bytes.
    pub(super) fn behind(self, bytes: usize) -> LinePart<'a> {
        LinePart {
            text: self.text.get(bytes..).unwrap_or_default(),
            offset: self.offset.saturating_add(bytes as u64),
        }
    }

    /// Returns the empty part at its end.
    pub(super) fn end(self) -> LinePart<'a> {
        self.behind(self.text.len())
    }

    /// Returns the part without the last bytes.
    pub(super) fn without_end(self, bytes: usize) -> LinePart<'a> {
        let end = self.text.len().saturating_sub(bytes);
        LinePart { text: self.text.get(..end).unwrap_or_default(), ..self }
    }
}

#[derive(Debug)]
pub(super) struct PctLine<'a> {
    /// Text without the line end. Bytes that are not UTF-8 are replaced.
    pub(super) text: Cow<'a, str>,
    pub(super) offset: u64,
    /// First byte that is not UTF-8, and its offset.
    pub(super) fault: Option<(u8, u64)>,
}

impl PctLine<'_> {
    pub(super) fn part(&self) -> LinePart<'_> {
        LinePart { text: &self.text, offset: self.offset }
    }
}

/// Returns the lines of a text that begins at `start` in its file.
pub(super) fn lines(text: &[u8], start: u64) -> impl Iterator<Item = PctLine<'_>> {
    let all_utf8 = std::str::from_utf8(text).ok();
    let ends = memchr_iter(b'\n', text).chain([text.len()]);
    let mut next = 0;
    ends.map(move |end| {
        let range = next..end;
        let offset = start.saturating_add(next as u64);
        next = end.saturating_add(1);
        if let Some(line) = all_utf8.and_then(|text| text.get(range.clone())) {
            return PctLine {
                text: Cow::Borrowed(line.strip_suffix('\r').unwrap_or(line)),
                offset,
                fault: None,
            };
        }
        let bytes = text.get(range).unwrap_or_default();
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let fault = std::str::from_utf8(bytes).err().map(|error| {
            let valid = error.valid_up_to();
            let byte = bytes.get(valid).copied().unwrap_or_default();
            (byte, offset.saturating_add(valid as u64))
        });
        PctLine { text: String::from_utf8_lossy(bytes), offset, fault }
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScriptNumber {
    pub(super) value: i64,
    /// True if the text holds nothing else.
    pub(super) alone: bool,
}

/// Returns the whole number at the start of a text, after white space and a sign; `None` if there is none, or if it is too large
/// for 64 bits.
pub(super) fn parse_int(text: &str) -> Option<ScriptNumber> {
    parse_int_clamped(text).filter(|number| number.value.unsigned_abs() < i64::MAX.unsigned_abs())
}

/// Returns the same number, or the nearest of 64 bits if it is too large.
pub(super) fn parse_int_clamped(text: &str) -> Option<ScriptNumber> {
    let digits = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let (sign, digits) = match digits.as_bytes().first()? {
        b'-' => (-1, digits.get(1..)?),
        b'+' => (1, digits.get(1..)?),
        _ => (1, digits),
    };
    let end = digits.bytes().take_while(u8::is_ascii_digit).count();
    let value = match digits.get(..end)? {
        "" => return None,
        digits => digits.parse().unwrap_or(i64::MAX),
    };
    let minus = usize::from(sign < 0);
    Some(ScriptNumber {
        value: value.saturating_mul(sign),
        alone: end.saturating_add(minus) == text.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_javascript_reads_them() {
        let value = |text| parse_int(text).map(|number| (number.value, number.alone));
        assert_eq!(value("12"), Some((12, true)));
        assert_eq!(value("-12"), Some((-12, true)));
        assert_eq!(value("007"), Some((7, true)));
        for (text, read) in
            [("1.5", 1), ("2e3", 2), ("8px", 8), (" 8", 8), ("+8", 8), ("0x10", 0), ("8 ", 8)]
        {
            assert_eq!(value(text), Some((read, false)), "{text}");
        }
        for text in ["", "x", "-", "--1", ".5", "99999999999999999999"] {
            assert_eq!(value(text), None, "{text}");
        }
        let clamped = |text| parse_int_clamped(text).map(|number| (number.value, number.alone));
        assert_eq!(clamped("99999999999999999999"), Some((i64::MAX, true)));
        assert_eq!(clamped(" -99999999999999999999"), Some((-i64::MAX, false)));
        assert_eq!(clamped("-"), None);
    }
}
