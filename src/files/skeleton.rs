//! Finds the skeleton of a motion that numbers its bones.

use std::path::{Path, PathBuf};

/// File extension of skeletons.
const ENDING: &str = ".skl.pxd";

/// Returns the skeleton in the folder of a motion: the one with the longest name that the motion's name begins with (`hero.skl.pxd`
/// of `hero@walk.anm.pxd`), or the only one. Returns `None` for `-`, which is stdin.
#[must_use]
pub fn skeleton_beside(motion: &Path) -> Option<PathBuf> {
    let name = motion.file_name()?.to_string_lossy().to_lowercase();
    let mut found = skeletons_beside(motion);
    let stem = |path: &PathBuf| {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        Some(name.strip_suffix(ENDING)?.to_owned())
    };
    let shared = found.iter().filter_map(|path| Some((stem(path)?, path)));
    let shared = shared.filter(|(stem, _)| name.starts_with(stem));
    if let Some((_, path)) = shared.max_by_key(|(stem, _)| stem.len()) {
        return Some(path.clone());
    }
    match found.len() {
        1 => found.pop(),
        _ => None,
    }
}

/// Returns all skeletons in the folder of a motion, by name.
#[must_use]
pub fn skeletons_beside(motion: &Path) -> Vec<PathBuf> {
    if motion.as_os_str() == "-" {
        return Vec::new();
    }
    let folder = motion.parent().filter(|it| !it.as_os_str().is_empty());
    let files = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
    let names = files.into_iter().flatten().filter_map(Result::ok);
    let names = names.map(|entry| entry.file_name());
    let is_skeleton = |name: &std::ffi::OsString| {
        let name = name.to_string_lossy().to_lowercase();
        name.ends_with(ENDING)
    };
    let mut names: Vec<_> = names.filter(is_skeleton).collect();
    names.sort_unstable();
    let paths = names.into_iter().map(|name| motion.with_file_name(name));
    paths.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_belongs_to_the_skeleton_of_its_name_or_to_the_only_one() {
        let folder = tempfile::tempdir().unwrap();
        let beside = |motion: &str| {
            let found = skeleton_beside(&folder.path().join(motion))?;
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
        assert_eq!(skeleton_beside(Path::new("-")), None);
    }
}
