//! Search for files in a folder and below. Links to folders are followed.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use globset::GlobBuilder;
use walkdir::WalkDir;

/// Reason why a folder in [`FoundFiles::circles`] is skipped.
pub(crate) const CIRCLE: &str = "is a link to a folder that contains it";

/// Reason why an entry in [`FoundFiles::dangling`] cannot be read.
pub(crate) const BROKEN: &str = "is a broken link";

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

impl FoundFiles {
    /// Searches a folder to a depth: 1 is the folder itself. Parts that cannot be read are listed, and the others are searched.
    ///
    /// # Errors
    /// If the folder itself cannot be read.
    pub(crate) fn of(folder: &Path, depth: usize) -> io::Result<Self> {
        drop(fs::read_dir(folder)?);
        let mut found = Self::default();
        found.search(folder, depth, &mut Vec::new());
        found.files.sort_unstable();
        found.irregular.sort_unstable();
        found.dangling.sort_unstable();
        found.circles.sort_unstable();
        found.unread.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Ok(found)
    }

    /// Searches one folder, and the folders that links in it lead to. `around` are the real folders of the links on the way here, none of
    /// which is entered again.
    fn search(&mut self, folder: &Path, most: usize, around: &mut Vec<PathBuf>) {
        let walk = WalkDir::new(folder).min_depth(1).max_depth(most);
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_owned();
                    self.fault(path, error.into());
                    continue;
                }
            };
            let depth = most - entry.depth();
            let (is_link, own) = (entry.path_is_symlink(), entry.file_type());
            let path = entry.into_path();
            let target = match is_link {
                true => fs::metadata(&path).map(|target| target.file_type()),
                false => Ok(own),
            };
            match target {
                Ok(target) if target.is_dir() && is_link => {
                    if let Err(error) = self.follow(&path, depth, around) {
                        self.fault(path, error);
                    }
                }
                Ok(target) if target.is_dir() => {}
                Ok(target) if target.is_file() => self.files.push(path),
                Ok(_) => self.irregular.push(path),
                Err(error) => self.fault(path, error),
            }
        }
    }

    /// Searches the folder that a link leads to, unless the link is in it.
    fn follow(&mut self, link: &Path, depth: usize, around: &mut Vec<PathBuf>) -> io::Result<()> {
        let target = link.canonicalize()?;
        around.push(link.parent().unwrap_or(link).canonicalize()?);
        if around.iter().any(|folder| folder.starts_with(&target)) {
            self.circles.push(link.to_owned());
        } else if depth > 0 {
            self.search(link, depth, around);
        }
        around.pop();
        Ok(())
    }

    /// Sorts in a part that the search could not enter.
    fn fault(&mut self, path: PathBuf, error: io::Error) {
        // A link that leads to itself: ELOOP, 62 on macOS and BSDs. `ErrorKind` lacks it.
        let number = if cfg!(target_os = "linux") { 40 } else { 62 };
        let is_loop = cfg!(unix) && error.raw_os_error() == Some(number);
        if path.is_symlink() && (is_loop || is_absent(&error)) {
            self.dangling.push(path);
        } else {
            self.unread.push((path, error));
        }
    }

    /// Returns the first part that could not be read, with the reason. A broken link is one, unless it is hidden: editors make
    /// such links as locks.
    pub(crate) fn first_unread(&self) -> Option<(&Path, String)> {
        let unread = self.unread.iter().map(|(path, error)| (path.as_path(), error.to_string()));
        let dangling = self.dangling.iter().filter(|path| !is_hidden(path));
        let dangling = dangling.map(|path| (path.as_path(), BROKEN.to_owned()));
        unread.chain(dangling).next()
    }
}

/// Returns true if there is no file or folder at a path, but no other reason why it could not be read.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Returns true if a name starts with a dot.
pub(crate) fn is_hidden(path: &Path) -> bool {
    path.file_name().unwrap_or_default().as_encoded_bytes().starts_with(b".")
}

/// Returns true if a path, or one below it, may match the parts of a pattern.
pub(crate) fn leads_into(pattern: &[&str], path: &Path) -> bool {
    for (part, name) in pattern.iter().zip(path) {
        // Braces with a / in them are not a pattern by themselves.
        let Ok(glob) = GlobBuilder::new(part).build() else { return true };
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
        let found = FoundFiles::of(folder.path(), usize::MAX).unwrap();
        assert_eq!(found.files, [at("a"), at("b/d"), at("c")]);
        let shallow = FoundFiles::of(folder.path(), 1);
        assert_eq!(shallow.unwrap().files, [at("a"), at("c")]);
        assert!(FoundFiles::of(&at("nowhere"), usize::MAX).is_err());
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
        let found = FoundFiles::of(folder.path(), usize::MAX).unwrap();
        assert_eq!(found.files, ["a", "deep/b", "link", "twice/b"].map(at));
        assert_eq!(found.dangling, ["gone", "self", "through"].map(at));
        assert_eq!(found.circles, ["deep/loop", "deep/out", "twice/loop", "twice/out"].map(at));
        assert!(found.unread.is_empty(), "{found:?}");
        assert_eq!(found.first_unread().unwrap().0, at("gone"));
    }

    #[test]
    fn a_folder_into_which_a_pattern_does_not_lead_is_not_part_of_it() {
        let leads = |pattern: &str, path: &str| {
            let parts: Vec<&str> = pattern.split('/').collect();
            leads_into(&parts, Path::new(path))
        };
        let inside = "a*/x.pchr=art a*/**/x.pchr=art/deep/er **/x.pchr=b *.pchr=x.pchr \
                      {a/b,c}/x.pchr=a";
        for (pattern, path) in inside.split(' ').map(|pair| pair.split_once('=').unwrap()) {
            assert!(leads(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [("a*/x.pchr", "b"), ("a*/**/x.pchr", "b"), ("*.pchr", "folder")] {
            assert!(!leads(pattern, path), "{pattern} {path}");
        }
    }
}
