//! The skeleton that belongs to a motion which numbers its bones.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// Ending of skeletons.
const ENDING: &str = ".skl.pxd";

/// The skeleton in the folder of a motion: the one with the longest name that the motion's name begins with (`hero.skl.pxd` of
/// `hero@walk.anm.pxd`), or the only one that is there. `None` for `-`, which is stdin.
#[must_use]
pub fn skeleton_beside(motion: &Path) -> Option<PathBuf> {
    let name = motion.file_name()?.to_string_lossy().to_lowercase();
    if name == "-" {
        return None;
    }
    let folder = motion.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = WalkDir::new(folder.unwrap_or(Path::new(".")));
    let files = folder.min_depth(1).max_depth(1).sort_by_file_name();
    let mut found: Vec<(String, PathBuf)> = files
        .into_iter()
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            let stem = name.strip_suffix(ENDING)?;
            Some((stem.to_owned(), motion.with_file_name(entry.file_name())))
        })
        .collect();
    let shared = found.iter().filter(|(stem, _)| name.starts_with(stem));
    if let Some((_, path)) = shared.max_by_key(|(stem, _)| stem.len()) {
        return Some(path.clone());
    }
    match found.len() {
        1 => found.pop().map(|(_, path)| path),
        _ => None,
    }
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
