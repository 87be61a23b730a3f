//! Colours as `#rrggbb`.

/// Parses `#rrggbb`, with or without the sign.
pub(crate) fn parse(text: &str) -> Option<[u8; 3]> {
    let digits = text.trim();
    let digits = digits.strip_prefix('#').unwrap_or(digits);
    let sound = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok();
    let [_, r, g, b] = number.filter(|_| sound)?.to_be_bytes();
    Some([r, g, b])
}

/// Returns a colour as `#rrggbb`.
pub(crate) fn text([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_has_six_digits() {
        assert_eq!(parse("#1a2B3c"), Some([0x1a, 0x2b, 0x3c]));
        assert_eq!(parse(" 000000 "), Some([0; 3]));
        for text in ["", "#", "#12345", "#1234567", "#12345g", "+12345"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse(&text([1, 2, 255])), Some([1, 2, 255]));
    }
}
