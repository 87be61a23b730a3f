//! Detects changes of files that were read.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// State of a file that changes with it: its length, its modification time, and on Unix its identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
    identity: [i64; 4],
}

impl Stamp {
    /// Returns the current stamp of the file at `path`; `None` if there is none.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        Some(Self::of_metadata(&std::fs::metadata(path).ok()?))
    }

    /// Returns the stamp of a file with this metadata.
    #[must_use]
    pub fn of_metadata(metadata: &Metadata) -> Self {
        Self {
            len: metadata.len(),
            modified: metadata.modified().ok(),
            identity: identity(metadata),
        }
    }
}

/// A file, and its stamp when it was read; `None` if there was no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The file.
    pub path: PathBuf,
    /// Its stamp.
    pub stamp: Option<Stamp>,
}

/// Returns the file's device and number, and the time when it was last renamed, written or given other permissions.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> [i64; 4] {
    use std::os::unix::fs::MetadataExt as _;
    [
        metadata.dev().cast_signed(),
        metadata.ino().cast_signed(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    ]
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> [i64; 4] {
    [0; 4]
}
