//! Reads the files that belong to another file, with the same care as that file.

use std::path::{Path, PathBuf};

use pchr::format::{Companion, SidecarError, Sidecars};
use pchr_tools::files::{self, Companions, Folder, Kind};
use pchr_tools::files::{Seen, Stamp};

use super::candidates;
use super::read::{self, ReadError};
use crate::viewer::loaded::RigFiles;

/// Reader of those files. It remembers which files it read.
pub(super) struct Beside<'a> {
    path: &'a Path,
    folder: Folder,
    companions: &'a Companions,
    wanted: &'a (dyn Fn() -> bool + Sync),
    seen: Vec<Seen>,
    rig: RigFiles,
}

impl<'a> Beside<'a> {
    /// Creates a reader for the file at `path`. With `allow_outside` the other files may lie outside its folder.
    /// Reading stops when they are no longer `wanted`.
    pub(super) fn new(
        path: &'a Path,
        allow_outside: bool,
        companions: &'a Companions,
        wanted: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        Self {
            path,
            folder: Folder::of(path, allow_outside),
            companions,
            wanted,
            seen: Vec::new(),
            rig: RigFiles::default(),
        }
    }

    /// Returns all files that were asked for, each once, readable or not; and the files of the skeleton.
    pub(super) fn seen(self) -> (Vec<Seen>, RigFiles) {
        (self.seen, self.rig)
    }

    fn companion(&mut self, path: &Path) -> Result<Companion, SidecarError> {
        let name = path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        match read::read(path, Kind::Document, self.wanted, &mut |_, _| ()) {
            Ok((bytes, stamp)) => {
                self.note(path.to_owned(), stamp);
                Ok(Companion { name, bytes })
            }
            Err(error) => {
                self.note(path.to_owned(), Stamp::of(path));
                let why = match error {
                    ReadError::Unwanted => "is no longer needed".to_owned(),
                    ReadError::Failed(why) => why,
                };
                Err(SidecarError::Unreadable(format!(
                    "cannot read {name}: {why}"
                )))
            }
        }
    }

    fn found(&self, motion: &Path) -> Result<Option<PathBuf>, SidecarError> {
        let unread = |error| SidecarError::Failed(format!("cannot read its folder: {error}"));
        files::skeleton_beside(motion).map_err(unread)
    }

    fn skeleton(&mut self, path: Option<PathBuf>) -> Result<Option<Companion>, SidecarError> {
        let Some(path) = path.filter(|path| path != self.path) else {
            return Ok(None);
        };
        let file = self.companion(&path)?;
        self.rig.skeleton = Some(path);
        Ok(Some(file))
    }

    /// Remembers the state of a file. The first state counts, so that a later change is noticed.
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
                ReadError::Unwanted => self.folder.unreadable(&path, &"is no longer needed"),
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

    fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    fn chosen_skeleton(&mut self) -> Result<Option<Companion>, SidecarError> {
        self.skeleton(self.companions.skeleton.clone())
    }

    fn skeleton_beside(&mut self) -> Result<Option<Companion>, SidecarError> {
        let found = self.found(self.path)?;
        if found.is_none() {
            self.rig.candidates = candidates::beside(self.path);
        }
        self.skeleton(found)
    }

    fn offered_skeleton(
        &mut self,
        tracks: Option<usize>,
    ) -> Result<Option<Companion>, SidecarError> {
        let offered = self.companions.offered.clone();
        if let (Some(tracks), Some(path)) = (tracks, &offered) {
            let candidates = &mut self.rig.candidates;
            candidates::order(candidates, self.path, Some(tracks), self.wanted);
            let first = candidates.first();
            if first.is_some_and(|first| first.path != *path && first.bones == Some(tracks))
                && candidates::bones(path, self.wanted) != Some(tracks)
            {
                return Ok(None); // the user is asked
            }
        }
        self.skeleton(offered)
    }

    fn chosen_motions(&mut self) -> Result<Vec<Companion>, SidecarError> {
        let chosen = self.companions.motions.iter();
        chosen.map(|path| self.companion(path)).collect()
    }

    fn skeleton_of_motion(&mut self, motion: usize) -> Result<Option<Companion>, SidecarError> {
        let path = self.companions.motions.get(motion);
        let found = path.map(|path| self.found(path)).transpose()?.flatten();
        found.map(|path| self.companion(&path)).transpose()
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
        let path = at("hero.json");
        let mut beside = Beside::new(&path, false, const { &Companions::NONE }, &|| true);
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
        let (seen, _) = beside.seen();
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
        let path = folder.path().join("hero.json");
        let mut beside = Beside::new(&path, false, const { &Companions::NONE }, &|| false);
        assert!(beside.read("a.png").is_err());
    }
}
