//! Names of image files: each stays in its folder, on every system, and no two are the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pchr::document::PchrRule;
use pchr::finding::Findings;

use crate::file_name::{image_stem, is_reserved, key};
use crate::run::Failure;
use crate::run::input::Input;

/// The file of each image of a document, beside the one at `output`. A name that would leave the folder is refused or,
/// with `safe`, changed.
pub(super) fn image_files(
    input: &Input,
    safe: bool,
    output: &Path,
) -> Result<Vec<String>, Failure> {
    let images = input.document.images();
    let mut findings = Findings::default();
    let mut taken = Taken::default();
    if output
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("png"))
    {
        let own = output.file_stem().unwrap_or_default();
        taken.names.insert(key(&own.to_string_lossy()));
    }
    let mut files = Vec::with_capacity(images.len());
    for (id, image) in input.document.image_ids().zip(images) {
        if let Some(reason) = leaves_folder(image.name()).filter(|_| !safe) {
            let name = image.name();
            let message = || format!("{name:?} {reason}; rename it with --safe-names");
            let path = || format!("images[{}].name", id.0);
            let ranges = input.document.image_ranges(id).unwrap_or_default();
            findings.add(PchrRule::ImageFileName, ranges.all.start, path, message);
        }
        files.push(taken.unique(&image_stem(image.name())));
    }
    if findings.is_empty() {
        return Ok(files);
    }
    Err(input.invalid(findings))
}

/// Returns the reason why a name must not become a path, if there is one.
fn leaves_folder(name: &str) -> Option<&'static str> {
    let mut bytes = name.bytes();
    let (first, second) = (bytes.next(), bytes.next());
    if matches!(first, Some(b'/' | b'\\')) {
        return Some("is an absolute path");
    }
    if first.is_some_and(|byte| byte.is_ascii_alphabetic()) && second == Some(b':') {
        return Some("names a drive");
    }
    let mut parts = name.split(['/', '\\']);
    if parts.clone().any(|part| part == ".." || part == ".") {
        return Some("leads outside the folder");
    }
    parts
        .any(is_reserved)
        .then_some("is a reserved name on Windows")
}

/// Names that files have already, by their keys.
#[derive(Default)]
struct Taken {
    names: BTreeSet<String>,
    /// Number at which counting continues.
    numbers: BTreeMap<String, u32>,
}

impl Taken {
    /// The name with its extension, and with a number where it is taken.
    fn unique(&mut self, stem: &str) -> String {
        let mut name = stem.to_owned();
        if !self.names.insert(key(&name)) {
            let number = self.numbers.entry(key(&name)).or_insert(1);
            loop {
                *number = number.saturating_add(1);
                name = format!("{stem}-{number}");
                if self.names.insert(key(&name)) {
                    break;
                }
            }
        }
        name + ".png"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_known() {
        let leading = [
            "../x",
            "..",
            ".",
            "a/../b",
            "a\\..\\b",
            "/etc/passwd",
            "\\\\host\\share",
            "C:\\x",
            "c:x",
            "CON",
            "nul.png",
            "a/AUX",
            "com1",
            "LPT9.txt",
            "Com\u{b9}",
            "nul ",
        ];
        for name in leading {
            assert!(leaves_folder(name).is_some(), "{name}");
        }
        for name in [
            "atlas",
            "atlas.png",
            "body/arm",
            "a..b",
            "...",
            "CONSOLE",
            "com0",
            "com10",
            "",
            "图集 🎨",
            "ab:c",
        ] {
            assert_eq!(leaves_folder(name), None, "{name}");
        }
    }

    #[test]
    fn no_two_files_have_one_name() {
        let mut taken = Taken::default();
        let names = ["a", "A", "a-2", "a", "Ä", "ä", "A\u{308}"];
        let names = names.map(|name| taken.unique(name));
        assert_eq!(
            names,
            [
                "a.png",
                "A-2.png",
                "a-2-2.png",
                "a-3.png",
                "Ä.png",
                "ä-2.png",
                "A\u{308}-3.png"
            ]
        );
    }
}
