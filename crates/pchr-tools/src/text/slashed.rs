//! Paths as scripts read them: the same on every system.

use std::path::{MAIN_SEPARATOR, Path};

/// A path with `/` between folders.
#[must_use]
pub fn slashed(path: &Path) -> String {
    separated_by(MAIN_SEPARATOR, &path.to_string_lossy())
}

/// On systems that separate folders by `/`, a backslash is a part of a name.
fn separated_by(separator: char, path: &str) -> String {
    path.replace(separator, "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_separates_folders_becomes_a_slash() {
        assert_eq!(
            separated_by('\\', r"c\malformed\x.pchr"),
            "c/malformed/x.pchr"
        );
        assert_eq!(separated_by('\\', "a/b"), "a/b");
        assert_eq!(separated_by('/', r"a/b\c"), r"a/b\c");
        let here = Path::new("art").join("hero.pchr");
        assert_eq!(slashed(&here), "art/hero.pchr");
    }
}
