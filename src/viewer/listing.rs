//! The list of files to walk through.

use std::path::PathBuf;

/// Files to walk through, and which of them is shown first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    pub files: Vec<PathBuf>,
    pub chosen: usize,
    /// Files that were named among several, but that no opener reads.
    pub skipped: Vec<PathBuf>,
    /// Folders that could not be read, so that files may be missing from the list.
    pub unread: Vec<PathBuf>,
}

/// Tells the lists of a session apart; later ones are larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListId(pub u64);
