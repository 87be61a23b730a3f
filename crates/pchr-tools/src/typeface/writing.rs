//! Scripts of characters.

use unicode_script::{Script, UnicodeScript as _};

/// The script of a cluster of characters; `None` for digits, spaces and signs that all scripts share.
///
/// Signs of some scripts go with the cluster before where that is of one of these.
pub(super) fn script_of(cluster: &str, before: Option<Script>) -> Option<Script> {
    let first = cluster
        .chars()
        .find(|character| character.script() != Script::Inherited);
    let Some(first) = first else {
        return before;
    };
    match first.script() {
        Script::Common => shared(first, before),
        Script::Unknown => None,
        script => Some(script),
    }
}

/// The script of a character that several scripts share.
fn shared(sign: char, before: Option<Script>) -> Option<Script> {
    let scripts = sign.script_extension();
    if scripts.is_common() || scripts.is_inherited() {
        return None;
    }
    before
        .filter(|script| scripts.contains_script(*script))
        .or_else(|| scripts.contains_script(Script::Han).then_some(Script::Han))
        .or_else(|| scripts.iter().next())
}

/// Returns true if one font should be used for both: texts mix these.
pub(super) fn is_same_writing(a: Script, b: Script) -> bool {
    let is_japanese = |script| matches!(script, Script::Han | Script::Hiragana | Script::Katakana);
    a == b || is_japanese(a) && is_japanese(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_a_script_and_digits_have_none() {
        assert_eq!(script_of("ذ", None), Some(Script::Arabic));
        assert_eq!(script_of("骨", None), Some(Script::Han));
        assert_eq!(script_of("7", Some(Script::Arabic)), None);
        assert_eq!(script_of("_", Some(Script::Latin)), None);
        assert_eq!(script_of("🦊", None), None);
    }

    #[test]
    fn signs_of_some_scripts_go_with_the_text_before() {
        assert_eq!(
            script_of("ー", Some(Script::Katakana)),
            Some(Script::Katakana)
        );
        assert_eq!(
            script_of("。", Some(Script::Hiragana)),
            Some(Script::Hiragana)
        );
        assert_eq!(script_of("「", None), Some(Script::Han));
        assert_eq!(script_of("ـ", Some(Script::Arabic)), Some(Script::Arabic));
        assert_eq!(
            script_of("\u{301}", Some(Script::Greek)),
            Some(Script::Greek)
        );
    }
}
