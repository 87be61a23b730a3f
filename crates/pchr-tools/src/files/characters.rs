//! Recognises the files in a folder that hold characters.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use pchr::format::json;

use super::read::is_pointer;

/// File extensions of characters to search for in folders. A file that is named explicitly is read with any extension. A JSON file
/// may hold anything: it counts if a character begins in it, or if it is empty or a Git LFS pointer, which no JSON file should be.
pub const EXTENSIONS: &[&str] = &[PCHR, JSON];
const PCHR: &str = "pchr";
const JSON: &str = "json";

/// Bytes of a JSON file that are searched. In most files a hundred are enough.
const LOOK: u64 = 64 << 10;

/// Returns true if a file seems to hold a character, by its extension and, if that is not enough, its content. It must be a regular
/// file: reading a pipe would block.
#[must_use]
pub fn is_character(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or("");
    ending.eq_ignore_ascii_case(PCHR)
        || (ending.eq_ignore_ascii_case(JSON) && begins_a_character(path).unwrap_or(false))
}

fn begins_a_character(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(LOOK).read_to_end(&mut start)?;
    Ok(start.is_empty() || is_pointer(&start) || json::begins_a_document(&start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_told_by_ending_and_json_by_content() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text, is) in [
            ("b.PCHR", "", true),
            ("hero.json", r#"{"version":1,"fps":24,"images":[]"#, true),
            (
                "ball.JSON",
                r#"{"bones":[{"name":"a","parentIdx":-1}]"#,
                true,
            ),
            ("package.json", r#"{"name":"a","version":"1.0.0"}"#, false),
            (
                "report.json",
                r#"{"version":"0.1.0","suite":"suite.toml","cases":[]}"#,
                false,
            ),
            ("cut.json", "", true),
            (
                "pointer.json",
                "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
                true,
            ),
            ("readme.txt", "", false),
            ("pchr", "", false),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            assert_eq!(is_character(&path), is, "{name}");
        }
        assert!(!is_character(&folder.path().join("absent.json")));
    }
}
