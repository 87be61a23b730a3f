//! Search for files in a folder and below.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// Reason why a folder in [`Found::circles`] is skipped.
pub(crate) const CIRCLE: &str = "is a link to a folder that contains it";

/// A search through a folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<'a> {
    pub(crate) folder: &'a Path,
    /// True if links to folders are followed. A link to a folder that contains it is never followed.
    pub(crate) links: bool,
    /// Largest depth: 1 is the folder itself.
    pub(crate) depth: usize,
}

/// Result of a search, each list sorted by path.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Files, and links to files.
    pub(crate) files: Vec<PathBuf>,
    /// Links without a target.
    pub(crate) dangling: Vec<PathBuf>,
    /// Links to folders that contain them, which were searched already.
    pub(crate) circles: Vec<PathBuf>,
    /// Folders and files that could not be read, each with the reason. They may hold anything, so they are not the same as absent.
    pub(crate) unread: Vec<(PathBuf, io::Error)>,
}

impl<'a> Walk<'a> {
    /// Searches the whole folder, at any depth.
    pub(crate) fn new(folder: &'a Path) -> Self {
        Self {
            folder,
            links: false,
            depth: usize::MAX,
        }
    }

    /// Runs the search. Folders below the first that cannot be read are listed, and the others are searched.
    ///
    /// # Errors
    /// If the folder itself cannot be read.
    pub(crate) fn run(self) -> io::Result<Found> {
        let mut found = Found::default();
        let walk = WalkDir::new(self.folder)
            .follow_links(self.links)
            .max_depth(self.depth)
            .sort_by_file_name();
        let whole = self.folder.canonicalize();
        let contains_all = |path: &Path| match (path.canonicalize(), &whole) {
            (Ok(target), Ok(whole)) => whole.starts_with(target),
            _ => false,
        };
        let mut walk = walk.into_iter();
        while let Some(entry) = walk.next() {
            match entry {
                // A link to the folder itself is a loop, which is an error.
                Ok(entry)
                    if entry.depth() > 0
                        && entry.path_is_symlink()
                        && entry.file_type().is_dir()
                        && contains_all(entry.path()) =>
                {
                    walk.skip_current_dir();
                    found.circles.push(entry.into_path());
                }
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => found.file(entry.into_path()),
                Err(error) => {
                    let path = error.path().unwrap_or(self.folder).to_owned();
                    let (depth, is_circle) = (error.depth(), error.loop_ancestor().is_some());
                    let error = error.into_io_error();
                    let error = error.unwrap_or_else(|| io::Error::other(CIRCLE));
                    if depth == 0 {
                        return Err(error);
                    }
                    if is_circle {
                        found.circles.push(path);
                    } else {
                        found.failed(path, error);
                    }
                }
            }
        }
        Ok(found)
    }
}

impl Found {
    /// Adds an entry that is not a folder; a link may lead to one.
    fn file(&mut self, path: PathBuf) {
        match fs::metadata(&path) {
            Ok(there) if there.is_file() => self.files.push(path),
            Ok(_) => {}
            Err(error) => self.failed(path, error),
        }
    }

    fn failed(&mut self, path: PathBuf, error: io::Error) {
        match error.kind() {
            // The end of a link, or an entry that was removed during the search.
            ErrorKind::NotFound => self.dangling.push(path),
            _ if is_loop(&error) => self.dangling.push(path),
            _ => self.unread.push((path, error)),
        }
    }
}

/// Returns true if a link leads to itself. `ErrorKind` cannot say so yet.
fn is_loop(error: &io::Error) -> bool {
    let number = if cfg!(target_os = "linux") { 40 } else { 62 }; // ELOOP; 62 on macOS and BSDs
    cfg!(unix) && error.raw_os_error() == Some(number)
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
        for links in [false, true] {
            let walk = Walk {
                links,
                ..Walk::new(folder.path())
            };
            let found = walk.run().unwrap();
            assert_eq!(found.files, [at("a"), at("link")], "{links}");
            assert_eq!(found.dangling, [at("gone"), at("self")], "{links}");
            let looped = [at("deep/loop"), at("deep/out")];
            assert_eq!(found.circles, if links { &looped[..] } else { &[] });
            assert!(found.unread.is_empty(), "{found:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_is_neither_a_file_nor_missing() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a"), "").unwrap();
        // No system opens this name, whoever asks.
        std::os::unix::fs::symlink("x".repeat(300), at("long")).unwrap();
        for links in [false, true] {
            let walk = Walk {
                links,
                ..Walk::new(folder.path())
            };
            let found = walk.run().unwrap();
            assert_eq!((found.files, found.dangling), (vec![at("a")], vec![]));
            let unread: Vec<_> = found.unread.iter().map(|(path, _)| path).collect();
            assert_eq!(unread, [&at("long")], "{links}");
        }
    }
}
