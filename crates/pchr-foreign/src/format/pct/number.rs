//! Numbers as JavaScript's `parseInt(text, 10)` reads them.

/// A number in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// Its value.
    pub(super) value: i64,
    /// True if the text holds nothing else.
    pub(super) alone: bool,
}

/// Returns the whole number at the start of a text, after white space and a sign; `None` if there is none, or if it is too large
/// for 64 bits.
pub(super) fn parse_int(text: &str) -> Option<Number> {
    parse_int_clamped(text).filter(|number| number.value.unsigned_abs() < i64::MAX.unsigned_abs())
}

/// Returns the same number, or the nearest of 64 bits if it is too large.
pub(super) fn parse_int_clamped(text: &str) -> Option<Number> {
    plain_digits(text).or_else(|| leading_number(text))
}

/// Returns a number of few digits and nothing else, the most common case.
fn plain_digits(text: &str) -> Option<Number> {
    if text.is_empty() || text.len() > 9 {
        return None;
    }
    let mut value: i64 = 0;
    for byte in text.bytes() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.wrapping_mul(10).wrapping_add(digit.into());
    }
    Some(Number { value, alone: true })
}

fn leading_number(text: &str) -> Option<Number> {
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
    Some(Number {
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
        for (text, read) in [
            ("1.5", 1),
            ("2e3", 2),
            ("8px", 8),
            (" 8", 8),
            ("+8", 8),
            ("0x10", 0),
            ("8 ", 8),
        ] {
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
