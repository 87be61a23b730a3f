//! Actions of the group [`Action::Files`](super::Action::Files).

use std::path::PathBuf;

use pchr_tools::session::Session;

use crate::viewer::listing::{ListId, Listing};
use crate::viewer::loaded::{LoadDone, LoadId, LoadedImage, Progress};
use crate::viewer::problem::Problem;

/// Opening, listing and reloading files.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FileAction {
    /// Shows these files, the first of them first.
    Open(Vec<PathBuf>),
    /// Shows these files, even if others are open.
    OpenPlain(Vec<PathBuf>),
    /// Shows motions on this skeleton.
    Skeleton(PathBuf),
    /// Asks for the skeleton of the current motion.
    ChooseSkeleton,
    /// Asks with the system's dialog where a missing file of a session is now.
    Locate(PathBuf),
    /// A missing file of a session is this one now.
    Located(PathBuf, PathBuf),
    /// The view was saved as this session.
    SessionSaved(PathBuf, Box<Session>),
    /// Plays these motions on the current character.
    PlayMotions(Vec<PathBuf>),
    /// Shows the sample that the program carries.
    OpenSample,
    /// Reads the open file again.
    Reload,
    /// Forgets which files were opened.
    ClearRecent,
    /// Shows the file after this one in the list.
    NextFile,
    /// Shows the file before this one in the list.
    PreviousFile,
    /// Shows the file of an index in the list.
    Show(usize),
    /// A load came to its end.
    Loaded(LoadDone),
    /// The files that paths refer to; the last requested list is used.
    Listed(ListId, Result<Listing, Problem>),
    /// A file is another one than before.
    Changed(PathBuf),
    /// Progress of a load.
    Loading(LoadId, Progress),
    /// An image came that the first picture did not need.
    LoadedImage(LoadedImage),
    /// Another file is dragged over the window, or none any longer.
    Hover(Option<PathBuf>),
}

impl FileAction {
    /// Name in a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Open(_) => "Open",
            Self::OpenPlain(_) => "Open on its own",
            Self::Skeleton(_) => "Use this skeleton",
            Self::ChooseSkeleton => "Choose the skeleton…",
            Self::Locate(_) => "Locate…",
            Self::Located(..) => "Use the located file",
            Self::SessionSaved(..) => "Session saved",
            Self::PlayMotions(_) => "Play on the character",
            Self::OpenSample => "Open the sample",
            Self::Reload => "Reload",
            Self::ClearRecent => "Clear recent files",
            Self::NextFile => "Next file",
            Self::PreviousFile => "Previous file",
            Self::Show(_) => "Show this file",
            Self::Loaded(_) => "Show the loaded file",
            Self::Listed(..) => "Show the files found",
            Self::Changed(_) => "Show the changed file",
            Self::Loading(..) => "Show loading progress",
            Self::LoadedImage(_) => "Show a loaded image",
            Self::Hover(_) => "Drag a file over the window",
        }
    }
}
