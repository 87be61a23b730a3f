//! A folder that may come from elsewhere. Its files are reached by paths relative to it, and through no link.

use std::fs::File;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::disk::Role;
use super::output::Whole;
use crate::files::{Kind, ReadError, Reading};

/// The folder. It may be a link itself, because the user named it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inside<'a>(pub(crate) &'a Path);

impl Inside<'_> {
    /// Returns the path of a file, whose end need not exist. No folder on the way is a link.
    ///
    /// # Errors
    /// An error that names the link, or a path that could leave the folder.
    fn place(self, path: &str) -> io::Result<PathBuf> {
        let mut place = self.0.to_owned();
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            if matches!(part, "" | "." | "..") || part.contains(['\\', ':']) {
                let text = format!("{path:?} is not a path in {}", self.0.display());
                return Err(io::Error::new(ErrorKind::InvalidInput, text));
            }
            place.push(part);
            if parts.peek().is_some() && look(&place)?.is_some_and(|there| there.is_symlink()) {
                return Err(linked(&place));
            }
        }
        Ok(place)
    }

    /// Returns the length of a file, without reading it.
    ///
    /// # Errors
    /// Errors of the file system, or one that names a link.
    pub(crate) fn len(self, path: &str) -> io::Result<u64> {
        Ok(fs::metadata(self.file(path)?)?.len())
    }

    /// Opens a file of pictures, which may be large.
    ///
    /// # Errors
    /// Errors of opening, or one that names a link.
    pub(crate) fn open(self, path: &str) -> io::Result<File> {
        let place = self.file(path)?;
        let opened = Reading::of(&place, Kind::Picture).open();
        opened.map(|(file, _)| file).map_err(|error| match error {
            ReadError::Io(error) => error,
            error => io::Error::other(format!("{}: {error}", place.display())),
        })
    }

    /// Reads a file, and remembers it as an input.
    ///
    /// # Errors
    /// Errors of reading, or one that names a link.
    pub(crate) fn read(self, disk: &Disk, path: &str, kind: Kind) -> Result<Vec<u8>, ReadError> {
        disk.read(Reading::of(&self.file(path)?, kind), Role::Input)
    }

    /// Reads a file without remembering it as an input.
    ///
    /// # Errors
    /// Errors of [`Inside::read`].
    pub(crate) fn peek(self, path: &str, kind: Kind) -> Result<Vec<u8>, ReadError> {
        Reading::of(&self.file(path)?, kind).run()
    }

    /// Returns the path of a file that is not a link.
    fn file(self, path: &str) -> io::Result<PathBuf> {
        let place = self.place(path)?;
        match look(&place)? {
            Some(there) if there.is_symlink() => Err(linked(&place)),
            _ => Ok(place),
        }
    }

    /// Starts a file, and creates its folders. A link at its path is replaced.
    ///
    /// # Errors
    /// Errors of writing, or one that names a link on the way.
    pub(crate) fn create(self, disk: &Disk, path: &str) -> io::Result<Whole> {
        let place = self.place(path)?;
        super::output::make_folders([place.as_path()])?;
        disk.create_within(&place)
    }

    /// Writes a baseline, or a file kept beside it, as a whole, and creates its folders. A link at its path is replaced.
    ///
    /// # Errors
    /// Errors of [`Inside::create`].
    pub(crate) fn update(self, disk: &Disk, path: &str, bytes: &[u8]) -> io::Result<()> {
        let place = self.place(path)?;
        super::output::make_folders([place.as_path()])?;
        disk.create_baseline(&place)?.finish(bytes)
    }

    /// Removes a file, or a link at its path, and the folders that become empty. A file that is missing or cannot be reached is
    /// ignored.
    ///
    /// # Errors
    /// Errors of removing.
    pub(crate) fn remove(self, path: &str) -> io::Result<()> {
        let Ok(place) = self.place(path) else {
            return Ok(());
        };
        match fs::remove_file(&place) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let folders = place.ancestors().skip(1);
        for folder in folders.take_while(|folder| *folder != self.0) {
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// Returns the metadata of a path itself, without following links; `None` if it does not exist.
fn look(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(there) => Ok(Some(there)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn linked(path: &Path) -> io::Error {
    io::Error::other(format!(
        "{} is a link, which is not followed",
        path.display()
    ))
}
