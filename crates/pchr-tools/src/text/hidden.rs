//! Characters that change how a text looks without being seen, and a way to show them.

use std::borrow::Cow;

/// Returns whether a character is invisible, ends the line, moves the cursor or reorders the text around it. A name with such a
/// character can pass for another name, or for more than a name.
///
/// Emoji keep their variation selectors, and spaces of any width stay: both are seen.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' // soft hyphen, grapheme joiner
            | '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' // direction
            | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{3164}' | '\u{ffa0}' // empty letters
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' // joiners, spaces without width
            | '\u{2028}'..='\u{2029}' // line and paragraph separators
            | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}' // tags and what follows them
        )
        || is_noncharacter(c)
}

/// U+FFFE, U+FFFF and the like, which are not characters. XML forbids these two.
fn is_noncharacter(c: char) -> bool {
    u32::from(c) & 0xfffe == 0xfffe || matches!(c, '\u{fdd0}'..='\u{fdef}')
}

/// The text with hidden characters escaped, like `\u{202e}` or `\n`: it stays one line and reads as it is.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    let mut visible = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' | '\n' | '\r' => visible.extend(c.escape_default()),
            c if is_hidden(c) => visible.extend(c.escape_unicode()),
            c => visible.push(c),
        }
    }
    visible.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hidden_characters_are_escaped() {
        for text in [
            "größe \"1\"\\.pchr",
            "e\u{301} नी ❤\u{fe0f} 日\u{3000}本",
            "",
        ] {
            assert_eq!(visible(text), text);
        }
        for (text, shown) in [
            ("a\u{1b}[31m\nb\u{9b}", r"a\u{1b}[31m\nb\u{9b}"),
            ("\t\r\0", r"\t\r\u{0}"),
            ("gpj.\u{202e}rhcp", r"gpj.\u{202e}rhcp"),
            (
                "a\u{2066}b\u{2069}\u{200f}\u{61c}",
                r"a\u{2066}b\u{2069}\u{200f}\u{61c}",
            ),
            ("\u{feff}a\u{200b}\u{ad}", r"\u{feff}a\u{200b}\u{ad}"),
            ("a\u{2028}b", r"a\u{2028}b"),
            (
                "\u{fffe}\u{ffff}\u{1ffff}\u{fdd0}",
                r"\u{fffe}\u{ffff}\u{1ffff}\u{fdd0}",
            ),
        ] {
            assert_eq!(visible(text), shown);
        }
    }
}
