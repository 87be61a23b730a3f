//! Text from elsewhere, such as a file's name, as part of one line.

use std::borrow::Cow;

/// A text in which nothing ends the line or moves the cursor: control characters are escaped.
pub(super) fn line(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_debug());
        } else {
            line.push(c);
        }
    }
    line.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_control_characters_are_escaped() {
        assert_eq!(line("größe \"1\"\\.pchr"), "größe \"1\"\\.pchr");
        assert_eq!(line("a\u{1b}[31m\nb\u{9b}"), r"a\u{1b}[31m\nb\u{9b}");
    }
}
