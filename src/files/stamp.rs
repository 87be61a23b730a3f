//! Tells whether files are still the ones that were read.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What changes when a file does: its length, when it was written, and on Unix which file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
    identity: [i64; 3],
}

impl Stamp {
    /// The stamp of what lies at `path` now; `None` if nothing does.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        Some(Self::of_metadata(&std::fs::metadata(path).ok()?))
    }

    pub(crate) fn of_metadata(metadata: &Metadata) -> Self {
        Self {
            len: metadata.len(),
            modified: metadata.modified().ok(),
            identity: identity(metadata),
        }
    }
}

/// A file, and the state of it that was met; `None` if there was none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub path: PathBuf,
    pub stamp: Option<Stamp>,
}

/// The file's number, and when it was last renamed, written or given other rights.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> [i64; 3] {
    use std::os::unix::fs::MetadataExt as _;
    [
        metadata.ino().cast_signed(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    ]
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> [i64; 3] {
    [0; 3]
}
