//! Names of motions, from their files.

use std::path::Path;

/// Extensions that are removed from a motion's name.
const ENDINGS: [&str; 10] = [
    ".seanim.json",
    ".seanim",
    ".anm.pxd",
    ".skl.pxd",
    ".pxd",
    ".glb",
    ".gltf",
    ".pchr",
    ".legacy.pchr",
    ".json",
];

/// Returns the name of a motion: its file name, without folder and extension.
#[must_use]
pub fn motion_name(path: &Path) -> String {
    if path == Path::new("-") {
        return "stdin".to_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let lower = name.to_ascii_lowercase();
    let fits = |ending: &&str| lower.len() > ending.len() && lower.ends_with(*ending);
    let ending = ENDINGS.into_iter().filter(fits).map(str::len).max();
    let length = name.len().saturating_sub(ending.unwrap_or(0));
    name.get(..length).unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_motions_have_no_endings() {
        for (path, name) in [
            ("a/hero@walk.anm.pxd", "hero@walk"),
            ("WALK.SEANIM.JSON", "WALK"),
            ("walk.v2.seanim", "walk.v2"),
            (".glb", ".glb"),
            ("-", "stdin"),
        ] {
            assert_eq!(motion_name(Path::new(path)), name);
        }
    }
}
