//! Search for files in a folder and below. Links to folders are followed.

use std::fs::{self, DirEntry};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use globset::GlobBuilder;

/// Reason why a folder in [`FoundFiles::circles`] is skipped.
pub(crate) const CIRCLE: &str = "is a link to a folder that contains it";

/// Reason why an entry in [`FoundFiles::dangling`] cannot be read.
pub(crate) const BROKEN: &str = "is a broken link";

/// A search through a folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<'a> {
    pub(crate) folder: &'a Path,
    /// Largest depth: 1 is the folder itself.
    pub(crate) depth: usize,
}

/// Result of a search, each list sorted by path.
#[derive(Debug, Default)]
pub(crate) struct FoundFiles {
    /// Files, and links to files.
    pub(crate) files: Vec<PathBuf>,
    /// Pipes, devices and the like.
    pub(crate) irregular: Vec<PathBuf>,
    /// Links without a target, or to themselves. They may lead to folders with any files, so they are not the same as absent.
    pub(crate) dangling: Vec<PathBuf>,
    /// Links to folders that contain them, which are never followed.
    pub(crate) circles: Vec<PathBuf>,
    /// Folders and files that could not be read, each with the reason. They may hold anything, so they are not the same as absent.
    pub(crate) unread: Vec<(PathBuf, io::Error)>,
}

impl<'a> Walk<'a> {
    /// Searches the whole folder, at any depth.
    pub(crate) fn new(folder: &'a Path) -> Self {
        Self {
            folder,
            depth: usize::MAX,
        }
    }

    /// Runs the search. Parts that cannot be read are listed, and the others are searched.
    ///
    /// # Errors
    /// If the folder itself cannot be read.
    pub(crate) fn run(self) -> io::Result<FoundFiles> {
        let whole = self.folder.canonicalize();
        let mut search = FolderSearch {
            depth: self.depth,
            around: vec![whole.unwrap_or_else(|_| self.folder.to_owned())],
            found: FoundFiles::default(),
        };
        search.folder(self.folder)?;
        Ok(search.found)
    }
}

impl FoundFiles {
    /// Returns the first part that could not be read, with the reason. A broken link is one, unless it is hidden: editors make
    /// such links as locks.
    pub(crate) fn first_unread(&self) -> Option<(&Path, String)> {
        let unread = self.unread.iter();
        let unread = unread.map(|(path, error)| (path.as_path(), error.to_string()));
        let dangling = self.dangling.iter().filter(|path| !is_hidden(path));
        let dangling = dangling.map(|path| (path.as_path(), BROKEN.to_owned()));
        unread.chain(dangling).next()
    }
}

/// A search in progress.
struct FolderSearch {
    depth: usize,
    /// Folders from the first to the one that is being searched, without links in their paths.
    around: Vec<PathBuf>,
    found: FoundFiles,
}

impl FolderSearch {
    fn folder(&mut self, path: &Path) -> io::Result<()> {
        let entries = fs::read_dir(path)?;
        let mut entries: Vec<DirEntry> = entries.collect::<Result<_, _>>()?;
        entries.sort_by_key(DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_symlink() => self.link(path),
                Ok(kind) if kind.is_dir() => {
                    let outer = self.around.last();
                    let real = outer.map_or(path.clone(), |it| it.join(entry.file_name()));
                    self.enter(path, real);
                }
                Ok(kind) if kind.is_file() => self.found.files.push(path),
                Ok(_) => self.found.irregular.push(path),
                Err(error) => self.found.unread.push((path, error)),
            }
        }
        Ok(())
    }

    fn link(&mut self, path: PathBuf) {
        let target = fs::metadata(&path).and_then(|there| Ok((there, path.canonicalize()?)));
        match target {
            Ok((there, target)) if there.is_dir() => match self.leads_back(&target) {
                true => self.found.circles.push(path),
                false => self.enter(path, target),
            },
            Ok((there, _)) if there.is_file() => self.found.files.push(path),
            Ok(_) => self.found.irregular.push(path),
            Err(error) if is_broken(&error) => self.found.dangling.push(path),
            Err(error) => self.found.unread.push((path, error)),
        }
    }

    /// Returns true if a folder is one of those that are being searched, or contains the first.
    fn leads_back(&self, target: &Path) -> bool {
        let contains_all = self.around.first().is_some_and(|it| it.starts_with(target));
        contains_all || self.around.iter().any(|folder| folder == target)
    }

    fn enter(&mut self, path: PathBuf, real: PathBuf) {
        if self.around.len() >= self.depth {
            return;
        }
        self.around.push(real);
        if let Err(error) = self.folder(&path) {
            self.found.unread.push((path, error));
        }
        self.around.pop();
    }
}

/// Returns true if a link, of which this is the error, has no target or leads to itself.
fn is_broken(error: &io::Error) -> bool {
    let number = if cfg!(target_os = "linux") { 40 } else { 62 }; // ELOOP; 62 on macOS and BSDs. `ErrorKind` lacks it
    let is_loop = cfg!(unix) && error.raw_os_error() == Some(number);
    let is_absent = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory);
    is_loop || is_absent
}

/// Returns true if a name starts with a dot.
pub(crate) fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
}

/// Returns true if a path, or one below it, may match the parts of a pattern.
pub(crate) fn leads_into(pattern: &[&str], path: &Path) -> bool {
    for (part, name) in pattern.iter().zip(path) {
        // Braces with a / in them are not a pattern by themselves.
        let Ok(glob) = GlobBuilder::new(part).build() else {
            return true;
        };
        if part.contains("**") {
            return true;
        }
        if !glob.compile_matcher().is_match(name) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_gives_its_files_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("b")).unwrap();
        for name in ["c", "b/d", "a"] {
            std::fs::write(at(name), "").unwrap();
        }
        let found = Walk::new(folder.path()).run().unwrap();
        assert_eq!(found.files, [at("a"), at("b/d"), at("c")]);
        let shallow = Walk {
            depth: 1,
            ..Walk::new(folder.path())
        };
        assert_eq!(shallow.run().unwrap().files, [at("a"), at("c")]);
        assert!(Walk::new(&at("nowhere")).run().is_err());
    }

    #[cfg(unix)]
    #[test]
    fn loops_are_passed_over_and_links_to_nothing_are_told_apart() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("deep")).unwrap();
        std::fs::write(at("a"), "").unwrap();
        symlink("..", at("deep/loop")).unwrap();
        symlink("../..", at("deep/out")).unwrap();
        symlink("nothing", at("gone")).unwrap();
        symlink("a", at("link")).unwrap();
        symlink("self", at("self")).unwrap();
        symlink("a/nothing", at("through")).unwrap();
        symlink("deep", at("twice")).unwrap();
        std::fs::write(at("deep/b"), "").unwrap();
        let found = Walk::new(folder.path()).run().unwrap();
        let files = ["a", "deep/b", "link", "twice/b"];
        assert_eq!(found.files, files.map(at));
        assert_eq!(found.dangling, ["gone", "self", "through"].map(at));
        let circles = ["deep/loop", "deep/out", "twice/loop", "twice/out"];
        assert_eq!(found.circles, circles.map(at));
        assert!(found.unread.is_empty(), "{found:?}");
        assert_eq!(found.first_unread().unwrap().0, at("gone"));
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_is_neither_a_file_nor_missing() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a"), "").unwrap();
        // No system opens this name, whoever asks.
        std::os::unix::fs::symlink("x".repeat(300), at("long")).unwrap();
        let found = Walk::new(folder.path()).run().unwrap();
        assert_eq!(found.first_unread().unwrap().0, at("long"));
        assert_eq!((found.files, found.dangling), (vec![at("a")], vec![]));
        let unread: Vec<_> = found.unread.iter().map(|(path, _)| path).collect();
        assert_eq!(unread, [&at("long")]);
    }

    #[test]
    fn a_folder_into_which_a_pattern_does_not_lead_is_not_part_of_it() {
        let leads = |pattern: &str, path: &str| {
            let parts: Vec<&str> = pattern.split('/').collect();
            leads_into(&parts, Path::new(path))
        };
        for (pattern, path) in [
            ("a*/x.pchr", "art"),
            ("a*/**/x.pchr", "art/deep/er"),
            ("**/x.pchr", "b"),
            ("*.pchr", "x.pchr"),
            ("{a/b,c}/x.pchr", "a"),
        ] {
            assert!(leads(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("a*/x.pchr", "b"),
            ("a*/**/x.pchr", "b"),
            ("*.pchr", "folder"),
        ] {
            assert!(!leads(pattern, path), "{pattern} {path}");
        }
    }
}
