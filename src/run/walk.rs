//! Search for files in a folder and below.

use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// Reason why a folder that was already searched is skipped.
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
    /// Folders that could not be searched, each with the reason.
    pub(crate) passed_over: Vec<(PathBuf, String)>,
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

    /// Runs the search. Folders below the first that cannot be searched are skipped and listed.
    ///
    /// # Errors
    /// If the folder itself cannot be read.
    pub(crate) fn run(self) -> io::Result<Found> {
        let mut found = Found::default();
        let walk = WalkDir::new(self.folder)
            .follow_links(self.links)
            .max_depth(self.depth)
            .sort_by_file_name();
        for entry in walk {
            match entry {
                Ok(entry) if entry.path().is_file() => found.files.push(entry.into_path()),
                Ok(entry) => {
                    let nowhere = entry.path_is_symlink() && !entry.path().exists();
                    found.dangling.extend(nowhere.then(|| entry.into_path()));
                }
                Err(error) if error.depth() == 0 => {
                    let why = why(&error);
                    return Err(error
                        .into_io_error()
                        .unwrap_or_else(|| io::Error::other(why)));
                }
                Err(error) => {
                    let path = error.path().unwrap_or(self.folder).to_owned();
                    let leads_nowhere = path.is_symlink() && path.metadata().is_err();
                    let missing = error.io_error();
                    if leads_nowhere
                        || missing.is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
                    {
                        found.dangling.push(path);
                    } else {
                        let why = why(&error);
                        found.passed_over.push((path, why));
                    }
                }
            }
        }
        Ok(found)
    }
}

fn why(error: &walkdir::Error) -> String {
    match (error.loop_ancestor(), error.io_error()) {
        (Some(_), _) => CIRCLE.to_owned(),
        (None, Some(error)) => error.to_string(),
        (None, None) => "cannot be read".to_owned(),
    }
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
            let passed: Vec<_> = found.passed_over.iter().map(|(path, _)| path).collect();
            let looped = [&at("deep/loop")];
            assert_eq!(passed, if links { &looped[..] } else { &[] });
        }
    }
}
