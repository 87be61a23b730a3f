//! Companion files, which are shown together with another file: motions, and the skeletons beside them.

use std::io;
use std::path::{Path, PathBuf};

use crate::text::{visible, words};

/// Companion files, which are shown together with another file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Companions {
    /// The skeleton selected for motions.
    pub skeleton: Option<PathBuf>,
    /// The skeleton of a motion for which none was selected, and which has none beside it.
    pub offered: Option<PathBuf>,
    /// Motions for a skeleton or a character.
    pub motions: Vec<PathBuf>,
}

impl Companions {
    /// No companions.
    pub const NONE: Self = Self { skeleton: None, offered: None, motions: Vec::new() };
}

/// File extension of skeletons.
const ENDING: &str = ".skl.pxd";

/// Returns the skeleton in the folder of a motion: the one with the longest name that the motion's name begins with (`hero.skl.pxd`
/// of `hero@walk.anm.pxd`), or the only one. Returns `None` for `-`, which is stdin.
///
/// # Errors
/// Reason why the folder cannot be read.
pub fn skeleton_beside(motion: &Path) -> io::Result<Option<PathBuf>> {
    let name = motion.file_name().unwrap_or_default();
    let name = name.to_string_lossy().to_lowercase();
    let mut found = skeletons_beside(motion)?;
    let stem = |path: &PathBuf| {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        Some(name.strip_suffix(ENDING)?.to_owned())
    };
    let shared = found.iter().filter_map(|path| Some((stem(path)?, path)));
    let shared = shared.filter(|(stem, _)| name.starts_with(stem));
    if let Some((_, path)) = shared.max_by_key(|(stem, _)| stem.len()) {
        return Ok(Some(path.clone()));
    }
    Ok(match found.len() {
        1 => found.pop(),
        _ => None,
    })
}

/// Returns all skeletons in the folder of a motion, by name.
///
/// # Errors
/// Reason why the folder cannot be read. A folder that does not exist has none.
pub fn skeletons_beside(motion: &Path) -> io::Result<Vec<PathBuf>> {
    if motion.as_os_str() == "-" {
        return Ok(Vec::new());
    }
    let folder = motion.parent().filter(|it| !it.as_os_str().is_empty());
    let files = match std::fs::read_dir(folder.unwrap_or(Path::new("."))) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files?,
    };
    let names = files.map(|entry| Ok(entry?.file_name()));
    let names: Vec<std::ffi::OsString> = names.collect::<io::Result<_>>()?;
    let is_skeleton = |name: &std::ffi::OsString| {
        let name = name.to_string_lossy().to_lowercase();
        name.ends_with(ENDING)
    };
    let mut names: Vec<_> = names.into_iter().filter(is_skeleton).collect();
    names.sort_unstable();
    let paths = names.into_iter().map(|name| motion.with_file_name(name));
    Ok(paths.collect())
}

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

/// Returns a message that several skeletons are beside a motion, and their names, if its own name does not determine one.
pub(crate) fn several_beside(motion: &Path) -> Option<String> {
    if skeleton_beside(motion).ok()?.is_some() {
        return None;
    }
    let found = skeletons_beside(motion).ok()?;
    let names = found.iter().filter_map(|path| path.file_name());
    let names = names.map(|name| visible(&name.to_string_lossy()).into_owned());
    let names = words::listed(names, found.len());
    (found.len() > 1).then(|| {
        format!(
            "several skeletons lie beside the motion, and its name matches none: {names}; choose one with --skeleton FILE"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_belongs_to_the_skeleton_of_its_name_or_to_the_only_one() {
        let folder = tempfile::tempdir().unwrap();
        let beside = |motion: &str| {
            let found = skeleton_beside(&folder.path().join(motion)).unwrap()?;
            Some(found.file_name()?.to_string_lossy().into_owned())
        };
        let put = |name: &str| std::fs::write(folder.path().join(name), []).unwrap();
        assert_eq!(beside("hero@walk.anm.pxd"), None);
        put("hero.skl.pxd");
        assert_eq!(beside("other.anm.pxd").unwrap(), "hero.skl.pxd");
        put("hero_big.skl.pxd");
        assert_eq!(beside("hero@walk.anm.pxd").unwrap(), "hero.skl.pxd");
        assert_eq!(beside("HERO_big_run.anm.pxd").unwrap(), "hero_big.skl.pxd");
        assert_eq!(beside("other.anm.pxd"), None);
        assert_eq!(skeleton_beside(Path::new("-")).unwrap(), None);
        // A folder that cannot be listed is not one without skeletons.
        assert!(skeletons_beside(&folder.path().join("hero.skl.pxd/walk.anm.pxd")).is_err());
    }

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

    #[test]
    fn skeletons_are_listed_where_a_name_tells_none_of_them_apart() {
        let folder = tempfile::tempdir().unwrap();
        let beside = |motion: &str| several_beside(&folder.path().join(motion));
        assert_eq!(beside("walk.anm.pxd"), None);
        for name in ["a.skl.pxd", "b\u{202e}.skl.pxd"] {
            assert_eq!(beside("walk.anm.pxd"), None);
            std::fs::write(folder.path().join(name), []).unwrap();
        }
        let said = beside("walk.anm.pxd").unwrap();
        assert!(said.contains(": a.skl.pxd; b\\u{202e}.skl.pxd;"), "{said}");
        assert_eq!(beside("a_walk.anm.pxd"), None);
        assert_eq!(several_beside(Path::new("-")), None);
    }
}
