//! Names of files and folders that every system can hold, whichever system this is.
//!
//! A name is one part of a path. What a character's file or a suite calls something becomes a name by `safe`, what a
//! user typed is judged by `check`; names with the same `key` would be one file on some system.

use std::path::Path;

/// The longest name in bytes: the limit of most Linux file systems, and below that of Windows and macOS.
const MOST: usize = 255;

/// Length to which `safe` cuts a name that is too long: leaves room for a number and an extension.
const CUT: usize = 200;

/// Checks that every system can hold a name. The error is the first reason why one cannot, in words that follow the name.
pub(crate) fn check(name: &str) -> Result<(), String> {
    Err(match name.chars().find(|c| is_forbidden(*c)) {
        _ if name.is_empty() => "is empty".to_owned(),
        _ if matches!(name, "." | "..") => "leads outside the folder".to_owned(),
        Some(c) if c.is_control() => "has a control character".to_owned(),
        Some(c) => format!("has a {c:?}, which not every system allows"),
        None if is_reserved(name) => "is a reserved name on Windows".to_owned(),
        None if name.ends_with(['.', ' ']) => "ends with a dot or a space".to_owned(),
        None if name.len() > MOST => {
            format!("has {} bytes, expected at most {MOST}", name.len())
        }
        None => return Ok(()),
    })
}

/// A name that every system can hold; unchanged if it is one already.
pub(crate) fn safe(name: &str) -> String {
    if check(name).is_ok() {
        return name.to_owned();
    }
    let mut safe: String = name.chars().map(allowed).collect();
    if safe.len() > MOST {
        safe.truncate(safe.floor_char_boundary(CUT));
    }
    let end = safe.trim_end_matches(['.', ' ']).len();
    let dropped = safe.len().saturating_sub(end);
    safe.truncate(end);
    safe.push_str(&"_".repeat(dropped));
    if safe.is_empty() {
        safe.push('_');
    }
    unreserved(safe)
}

/// Ending of the names of sessions.
pub const SESSION: &str = ".pchr-view.toml";

/// Returns true if a path is named like a session.
#[must_use]
pub fn is_session(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let start = name.len().saturating_sub(SESSION.len());
    let ending = name.get(start..);
    ending.is_some_and(|ending| start > 0 && ending.eq_ignore_ascii_case(SESSION))
}

/// The file's name without folder and extension, `safe`; that of a session without its ending.
pub fn stem(path: &Path) -> String {
    safe(&plain_stem(path))
}

/// The file's name without folder and extension, or without the ending of a session.
pub(crate) fn plain_stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    let stem = if is_session(path) { Path::new(stem).file_stem().unwrap_or(stem) } else { stem };
    stem.to_string_lossy().into_owned()
}

/// A name for the PNG file of an image, without `.png`, which may be at the end of `name` already; not a hidden file.
pub(crate) fn image_stem(name: &str) -> String {
    let ending = name.char_indices().rev().nth(3);
    let (stem, _) = ending
        .and_then(|(at, _)| name.split_at_checked(at))
        .filter(|(_, ending)| ending.eq_ignore_ascii_case(".png"))
        .unwrap_or((name, ""));
    let mut stem: String = stem.chars().map(allowed).collect();
    stem.truncate(stem.floor_char_boundary(CUT));
    if stem.starts_with('.') {
        stem.replace_range(..1, "_");
    }
    if stem.is_empty() {
        stem.push_str("image");
    }
    unreserved(stem)
}

/// A name for the folder of a suite's case, `safe` and not hidden.
pub(crate) fn case_folder(name: &str) -> String {
    match name.trim_start_matches('.').trim_end_matches(['.', ' ']) {
        "" => "case".to_owned(),
        name => safe(name),
    }
}

/// A name of letters, digits, spaces and `-_.` alone, `safe`.
pub fn simple(name: &str) -> String {
    let simple = |c: char| c.is_alphanumeric() || "-_. ".contains(c);
    let name = name.chars().map(|c| if simple(c) { c } else { '_' });
    safe(&name.collect::<String>())
}

/// Returns a unique name: `safe`, shortened so that it ends with `suffix`.
pub(crate) fn with_suffix(name: &str, suffix: &str) -> String {
    let mut safe = safe(name);
    safe.truncate(safe.floor_char_boundary(CUT));
    safe.push_str(suffix);
    safe
}

/// A text that is the same for names, or paths with `/`, that are one file on some system: Unicode normalisation (macOS)
/// and case (macOS, Windows) make no difference.
pub(crate) fn key(name: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    // Upper case first: it folds more, such as the two forms of the small sigma.
    name.nfd().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}

/// The character, or `_` where some system forbids it.
fn allowed(c: char) -> char {
    if is_forbidden(c) { '_' } else { c }
}

/// Returns the name, changed if Windows reserves it for a device, regardless of its extension.
fn unreserved(mut name: String) -> String {
    if is_reserved(&name) {
        name.insert(name.find('.').unwrap_or(name.len()), '_');
    }
    name
}

/// Returns the folder of a file; of a bare name, the current one.
pub(crate) fn folder(path: &Path) -> &Path {
    or_here(path.parent().unwrap_or(Path::new("")))
}

/// Returns a folder, which is the current one if its path is empty.
pub(crate) fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Returns whether a path means the null device: by its name on Unix or on Windows, on either.
pub(crate) fn is_null(path: &Path) -> bool {
    path == Path::new("/dev/null") || path.as_os_str().eq_ignore_ascii_case("NUL")
}

/// Returns whether some system forbids a character in names.
fn is_forbidden(c: char) -> bool {
    c.is_control() || matches!(c, '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*')
}

/// Returns whether Windows keeps a name for a device, with any extension.
pub(crate) fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let numbered = |prefix: &str| {
        let mut digits = stem.strip_prefix(prefix).unwrap_or_default().chars();
        let digit = digits.next().is_some_and(|c| matches!(c, '1'..='9' | '¹' | '²' | '³'));
        digit && digits.next().is_none()
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || numbered("COM")
        || numbered("LPT")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé"; // 128 bytes

    #[test]
    fn names_that_some_system_cannot_hold_are_refused_and_made_safe() {
        let long = LONG.repeat(2);
        let cases = [
            ("", "is empty", "_"),
            (".", "leads outside", "_"),
            ("..", "leads outside", "__"),
            ("a/b", "has a '/', which", "a_b"),
            ("a\\b", "has a '\\\\', which", "a_b"),
            ("c:x", "has a ':', which", "c_x"),
            ("a*?\"<>|", "has a '*', which", "a______"),
            ("a\u{7}b", "has a control character", "a_b"),
            ("a\u{9b}b", "has a control character", "a_b"),
            ("CON", "is a reserved name", "CON_"),
            ("nul.txt", "is a reserved name", "nul_.txt"),
            ("con .x.y", "is a reserved name", "con _.x.y"),
            ("Com\u{b9}", "is a reserved name", "Com\u{b9}_"),
            ("LPT9.tar.gz", "is a reserved name", "LPT9_.tar.gz"),
            ("a.", "ends with a dot", "a_"),
            ("a. .", "ends with a dot", "a___"),
            (&long, "has 256 bytes, expected", &long[..200]),
        ];
        for (name, reason, changed) in cases {
            assert!(check(name).unwrap_err().starts_with(reason), "{name:?}");
            assert_eq!(safe(name), changed, "{name:?}");
            assert_eq!(check(changed), Ok(()), "{changed:?}");
        }
    }

    #[test]
    fn a_session_is_named_without_its_ending() {
        for (name, stem_of) in [
            ("a/party.pchr-view.toml", "party"),
            ("hero.v2.PCHR-VIEW.TOML", "hero.v2"),
            (".pchr-view.toml", ".pchr-view"),
            ("hero.toml", "hero"),
        ] {
            assert_eq!(stem(Path::new(name)), stem_of);
        }
    }

    #[test]
    fn names_that_every_system_can_hold_stay_as_they_are() {
        let longest = "a".repeat(MOST);
        let names = "walk|.hidden|a..b|CONSOLE|com0|com10|lpt|größe 1|图集 🎨".split('|');
        for name in names.chain([&*longest]) {
            assert_eq!(check(name), Ok(()), "{name}");
            assert_eq!(safe(name), name);
        }
    }

    #[test]
    fn a_suffix_survives_whatever_is_cut() {
        assert_eq!(with_suffix("a", "#2"), "a#2");
        for name in [LONG.repeat(2), "x".repeat(MOST)] {
            let suffixed = with_suffix(&name, "#65535");
            assert!(suffixed.ends_with("#65535"));
            assert_eq!(check(&suffixed), Ok(()));
        }
    }

    #[test]
    fn an_image_has_a_file_on_every_system() {
        let cases = "atlas=atlas|atlas.png=atlas|Atlas.PNG=Atlas|a.tga=a.tga|=image|.png=image|\
                     body/arm\\hand=body_arm_hand|a:b*c?\u{7}=a_b_c__|..=_.|.hidden=_hidden|nul=nul_|\
                     nul.tga=nul_.tga|con .x.y=con _.x.y|图集 🎨=图集 🎨";
        for (name, wanted) in cases.split('|').map(|case| case.split_once('=').unwrap()) {
            let stem = image_stem(name);
            assert_eq!(stem, wanted, "{name:?}");
            assert_eq!(check(&format!("{stem}.png")), Ok(()), "{name:?}");
        }
        assert_eq!(image_stem(&"é".repeat(500)).len(), 200);
    }

    #[test]
    fn names_that_are_one_file_on_some_system_have_one_key() {
        let same = "Walk=wALK \u{e9}=e\u{301} \u{c9}=e\u{301} ΟΔΟΣ=οδος \u{212b}=å straße=STRASSE";
        for (a, b) in same.split(' ').map(|pair| pair.split_once('=').unwrap()) {
            assert_eq!(key(a), key(b), "{a} {b}");
        }
        for (a, b) in [("e", "é"), ("a", "b"), ("a ", "a"), ("ﬁ", "ﬂ")] {
            assert_ne!(key(a), key(b), "{a} {b}");
        }
    }
}
