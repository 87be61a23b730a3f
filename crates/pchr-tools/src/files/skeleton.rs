//! Finds the skeleton of a motion that numbers its bones.

use std::io;
use std::path::{Path, PathBuf};

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
}
