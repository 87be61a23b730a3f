//! The image files that lie beside a JSON file, read with the same care as the file itself.

use std::path::{Path, PathBuf};

use super::read::{self, ReadError};
use crate::files::{Folder, Kind};
use crate::files::{Seen, Stamp};
use crate::format::{SidecarError, Sidecars};

/// Reads them, and keeps in mind which these were.
pub(super) struct Beside<'a> {
    folder: Folder,
    wanted: &'a (dyn Fn() -> bool + Sync),
    seen: Vec<Seen>,
}

impl<'a> Beside<'a> {
    /// Those beside the file at `path`, or elsewhere with `allow_outside`, as long as they are `wanted`.
    pub(super) fn new(
        path: &Path,
        allow_outside: bool,
        wanted: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        Self {
            folder: Folder::of(path, allow_outside),
            wanted,
            seen: Vec::new(),
        }
    }

    /// All that were asked for, each once, whether they could be read or not.
    pub(super) fn seen(self) -> Vec<Seen> {
        self.seen
    }

    /// What was read first counts: if it is another file by now, that is worth another look.
    fn note(&mut self, path: PathBuf, stamp: Option<Stamp>) {
        if !self.seen.iter().any(|seen| seen.path == path) {
            self.seen.push(Seen { path, stamp });
        }
    }
}

impl Sidecars for Beside<'_> {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        let path = self.folder.place(path)?;
        let before = std::fs::metadata(&path);
        let stamp = before.as_ref().ok().map(Stamp::of_metadata);
        let read = self.folder.enter(&path).and_then(|()| {
            let read = read::read(&path, Kind::Picture, self.wanted, &mut |_, _| ());
            read.map_err(|error| match error {
                ReadError::Unwanted => self.folder.unreadable(&path, &"is no longer wanted"),
                ReadError::Failed(error) => self.folder.unreadable(&path, &error),
            })
        });
        match read {
            Ok((bytes, stamp)) => {
                self.note(path, stamp);
                Ok(bytes)
            }
            Err(error) => {
                self.note(path, stamp);
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_seen_once_in_the_state_that_was_read_and_missing_ones_too() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("deep")).unwrap();
        std::fs::write(at("deep/a.png"), "a").unwrap();
        let mut beside = Beside::new(&at("hero.json"), false, &|| true);
        assert_eq!(beside.read("deep\\a.png").unwrap(), b"a");
        let stamp = Stamp::of(&at("deep/a.png"));
        std::fs::write(at("deep/a.png"), "another").unwrap();
        assert_eq!(beside.read("deep/a.png").unwrap(), b"another");
        for (path, said) in [
            ("none.png", "none.png: No such file"),
            ("deep", "deep: is a directory"),
        ] {
            let error = beside.read(path).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        assert_eq!(beside.read("../b.png"), Err(SidecarError::Outside));
        let seen = beside.seen();
        let of = |seen: &Seen| (seen.path.clone(), seen.stamp);
        assert_eq!(seen.len(), 3);
        assert_eq!(of(&seen[0]), (at("deep/a.png"), stamp));
        assert_eq!(of(&seen[1]), (at("none.png"), None));
        assert_eq!(of(&seen[2]), (at("deep"), Stamp::of(&at("deep"))));
    }

    #[test]
    fn a_file_that_is_no_longer_wanted_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.png"), "a").unwrap();
        let mut beside = Beside::new(&folder.path().join("hero.json"), false, &|| false);
        assert!(beside.read("a.png").is_err());
    }
}
