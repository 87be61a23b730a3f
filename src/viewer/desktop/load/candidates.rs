//! Order of the skeletons that a motion may be meant for.

use std::path::Path;

use pchr_foreign::format::pxd;
use pchr_tools::files::{self, Kind};

use super::read;
use crate::viewer::loaded::Candidate;

/// Maximum number of files that are read: a motion does not wait for a whole library.
const MOST_READ: usize = 24;

/// Returns the skeletons beside a motion, by name, with their bones not yet counted.
pub(super) fn beside(motion: &Path) -> Vec<Candidate> {
    let unread = |path| Candidate { path, bones: None };
    let found = files::skeletons_beside(motion).unwrap_or_default();
    found.into_iter().map(unread).collect()
}

/// Counts the bones of a skeleton, unless it cannot be read.
pub(super) fn bones(path: &Path, wanted: &(dyn Fn() -> bool + Sync)) -> Option<usize> {
    let file = read::read(path, Kind::Document, wanted, &mut |_, _| ());
    let (bytes, _) = file.ok()?;
    let (skeleton, _) = pxd::read_skeleton(&bytes).ok()?;
    Some(skeleton.bones().len())
}

/// Counts the bones of the candidates for the motion at `path`, as long as that is `wanted`, and puts first the one with a bone for
/// each of its `tracks`, if it numbers them; among alike ones, the one that shares most of the motion's name. Removes those that cannot
/// be read.
pub(super) fn order(
    candidates: &mut Vec<Candidate>,
    path: &Path,
    tracks: Option<usize>,
    wanted: &(dyn Fn() -> bool + Sync),
) {
    let mut left = MOST_READ;
    candidates.retain_mut(|candidate| {
        if candidate.bones.is_none() && left > 0 {
            left = left.saturating_sub(1);
            candidate.bones = bones(&candidate.path, wanted);
            return candidate.bones.is_some();
        }
        true
    });
    let motion = name(path);
    // They are already sorted by name.
    candidates.sort_by_cached_key(|candidate| {
        let off = candidate.bones.zip(tracks);
        let off = off.map(|(bones, tracks)| bones.abs_diff(tracks));
        let own = name(&candidate.path);
        let shared = own.chars().zip(motion.chars());
        let shared = shared.take_while(|(a, b)| a == b).count();
        (off.unwrap_or(usize::MAX), std::cmp::Reverse(shared))
    });
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::super::tests::skeleton_file;
    use super::*;

    #[test]
    fn the_skeleton_with_a_bone_for_each_track_comes_first_then_the_one_of_the_name() {
        let folder = tempfile::tempdir().unwrap();
        let all = ["a", "b", "c", "d", "e"];
        let files = [
            ("alpha", 5),
            ("broken", 0),
            ("hello", 2),
            ("hero", 2),
            ("zebra", 3),
        ];
        let mut candidates = Vec::new();
        for (name, bones) in files {
            let path = folder.path().join(format!("{name}.skl.pxd"));
            let bytes = all.get(..bones).filter(|names| !names.is_empty());
            let bytes = bytes.map_or(b"BINA210L".to_vec(), skeleton_file);
            std::fs::write(&path, bytes).unwrap();
            candidates.push(Candidate { path, bones: None });
        }
        let mut ordered = |motion: &str, tracks| {
            order(
                &mut candidates,
                &folder.path().join(motion),
                Some(tracks),
                &|| true,
            );
            let names = candidates.iter().map(|it| (name(&it.path), it.bones));
            let names = names.map(|(name, bones)| (name.replace(".skl.pxd", ""), bones));
            names.collect::<Vec<_>>()
        };
        let named = |name: &str, bones| (name.to_owned(), bones);
        let found = ordered("hero@walk.anm.pxd", 2);
        let wanted = [
            named("hero", Some(2)),
            named("hello", Some(2)),
            named("zebra", Some(3)),
            named("alpha", Some(5)),
        ];
        assert_eq!(found, wanted);
        assert_eq!(ordered("walk.anm.pxd", 3)[0], named("zebra", Some(3)));
    }
}
