//! Names, values and counts as part of one line of bounded length.

use std::fmt;
use std::fmt::Display;

/// Maximum number of characters shown of a name.
const LONGEST: usize = 120;

/// Formats a name in quotes, with escapes for invisible characters. A name of more than 120 characters ends in `…`.
pub fn quoted(name: &str) -> impl fmt::Display {
    fmt::from_fn(move |f| match name.char_indices().nth(LONGEST) {
        Some((end, _)) => write!(f, "{:?}…", name.get(..end).unwrap_or_default()),
        None => write!(f, "{name:?}"),
    })
}

/// Returns text of a file as one line of at most `most` bytes and `…`. Control characters and those that change the writing
/// direction are escaped.
#[must_use]
pub fn one_line(text: &str, most: usize) -> String {
    let mut line = String::with_capacity(text.len().min(most));
    for c in text.chars() {
        if line.len() >= most {
            line.push('…');
            break;
        }
        let direction = matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || direction || matches!(c, '\u{2028}' | '\u{2029}') {
            line.extend(c.escape_unicode());
        } else {
            line.push(c);
        }
    }
    line
}

/// Formats a whole number with its noun: `1 vertex`, `3 vertices`.
pub fn counted(count: impl Display, one: &str, many: &str) -> String {
    let count = count.to_string();
    let noun = if count == "1" { one } else { many };
    format!("{count} {noun}")
}

/// Formats a whole number with its noun as a clause: `there is 1 bone`, `there are 3 bones`.
pub fn there_are(count: impl Display, one: &str, many: &str) -> String {
    let counted = counted(count, one, many);
    let verb = if counted.starts_with("1 ") { "is" } else { "are" };
    format!("there {verb} {counted}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_file_is_one_line_of_bounded_length() {
        assert_eq!(one_line("a\n\u{1b}[31mé\u{202e}", 300), "a\\u{a}\\u{1b}[31mé\\u{202e}");
        assert_eq!(one_line(&"ä".repeat(1000), 300).chars().count(), 151);
        assert_eq!(quoted("a\n\"").to_string(), r#""a\n\"""#);
        let long = quoted(&"ä".repeat(1000)).to_string();
        assert!(long.ends_with("ä\"…") && long.chars().count() == 123, "{long}");
    }

    #[test]
    fn nouns_and_verbs_agree_with_the_count() {
        assert_eq!(counted(1_u8, "index", "indices"), "1 index");
        assert_eq!(counted(11, "index", "indices"), "11 indices");
        assert_eq!(there_are(0, "bone", "bones"), "there are 0 bones");
        assert_eq!(there_are(1_u64, "bone", "bones"), "there is 1 bone");
        assert_eq!(there_are(21, "bone", "bones"), "there are 21 bones");
    }
}
