//! Text as it is drawn: composed, of bounded length, on one line.

use unicode_normalization::UnicodeNormalization as _;

/// Characters that are drawn of a text; a longer one ends in an ellipsis.
const MAX_CHARACTERS: usize = 1024;

/// Replaces a character that no font needs to draw.
pub(super) const OBJECT: char = '\u{fffc}';

/// A text without control characters.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Clean {
    pub(super) text: String,
    /// Characters that [`OBJECT`] replaces.
    pub(super) controls: Vec<char>,
}

impl Clean {
    pub(super) fn new(text: &str) -> Self {
        let mut controls = Vec::new();
        let mut clean = String::with_capacity(text.len().min(4 * MAX_CHARACTERS));
        for (index, character) in text.chars().take(4 * MAX_CHARACTERS).nfc().enumerate() {
            if index == MAX_CHARACTERS {
                clean.push('…');
                break;
            }
            if is_control(character) {
                controls.push(character);
                clean.push(OBJECT);
            } else {
                clean.push(character);
            }
        }
        Self {
            text: clean,
            controls,
        }
    }
}

/// Returns true if a character would end a line, or has no form.
fn is_control(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | OBJECT)
}

/// Returns true if no font draws anything for a character: `Default_Ignorable_Code_Point` of Unicode.
pub(super) fn is_ignorable(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Returns true if a glyph of a character may be blank.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || is_ignorable(character) || character == '\u{2800}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_ends_of_lines_are_replaced() {
        let clean = Clean::new("a\nb\u{2028}\u{7f}");
        assert_eq!(clean.text, "a\u{fffc}b\u{fffc}\u{fffc}");
        assert_eq!(clean.controls, ['\n', '\u{2028}', '\u{7f}']);
    }

    #[test]
    fn letters_are_composed() {
        assert_eq!(Clean::new("e\u{301}").text, "é");
        assert_eq!(Clean::new("\u{1112}\u{1161}\u{11ab}").text, "한");
    }

    #[test]
    fn length_is_bounded() {
        let exact = "é".repeat(MAX_CHARACTERS);
        assert_eq!(Clean::new(&exact).text, exact);
        let clean = Clean::new(&"骨".repeat(100_000)).text;
        assert_eq!(clean.chars().count(), MAX_CHARACTERS + 1);
        assert!(clean.ends_with('…'));
    }
}
