//! Requests of the state to the outside: loads, dialogs, threads, and the window itself.

use std::path::PathBuf;
use std::sync::Arc;

use pchr_tools::files::Seen;

use crate::viewer::action::ExportAction;
use crate::viewer::compare::{CompareId, FiguresJob};
use crate::viewer::gallery::GalleryId;
use crate::viewer::loaded::{ListId, LoadId, Source, Wish};

/// Files that are watched together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Watched {
    /// Those of the open file.
    Open,
    /// Those of a file that could not be opened.
    Awaited,
    /// Those of the other side of a comparison.
    Counterpart,
}

/// Purpose of a dialog. One that is cancelled has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// One or several files to show. The answer is `FileAction::Open`.
    Files,
    /// Files whose characters join those that are shown. The answer is `StageAction::Add`.
    Stage,
    /// Folders to show. The answer is `FileAction::Open`.
    Folder,
    /// The folder that exports are written to. The answer is `ExportAction::Folder`.
    ExportFolder,
    /// A picture to lay behind the character. The answer is `LookAction::Background`.
    Picture,
    /// A file to compare the open one with. The answer is `CompareAction::With`.
    Compare,
    /// A picture to compare the character with. The answer is `ReferenceAction::Show`.
    Reference,
    /// A picture in place of the image of this name. The answer is `ImageAction::Replace`.
    Image(String),
    /// The file that this missing one is now. The answer is `FileAction::Located`.
    Missing(PathBuf),
}

/// A request of the state to the outside.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Request {
    /// Loads this. The answers are `FileAction::Loading`, `FileAction::Loaded` and `FileAction::LoadedImage`.
    Load(LoadId, Source, Wish),
    /// Finds the files that these paths mean. The answer is `FileAction::Listed`.
    List(ListId, Vec<PathBuf>),
    /// Watches only these of such files, which were read in these states. If one changes, the answer is `FileAction::Changed`
    /// with the first.
    Watch(Watched, Vec<Seen>),
    /// Saves the remembered state for the next run.
    Remember,
    /// Asks with a dialog of the system.
    Ask(Ask),
    /// Reads this picture. The answer is `LookAction::Background`.
    ReadBackground(PathBuf),
    /// Loads the other side of a comparison. The answer is `CompareAction::Loaded`.
    LoadCounterpart(LoadId, Source, Wish),
    /// Finds the changes between both sides of the comparison. The answer is `CompareAction::Changes`.
    Compare(CompareId),
    /// Measures the difference of two pictures. The answer is `CompareAction::Figures`.
    Figures(Box<FiguresJob>),
    /// Forgets what is needed for the two above.
    EndComparison,
    /// Reads this picture. The answer is `ReferenceAction::Show`.
    ReadReference(PathBuf),
    /// Finds the facts about the meshes of the model. The answer is `PartAction::Facts`.
    MeshFacts,
    /// Measures the smoothness of the animations of the model. The answer is `PartAction::Smoothness`.
    Smoothness,
    /// Reads paths from the clipboard. The answer is `FileAction::Open`.
    PastePath,
    /// Exports the picture, a session or a command.
    Export(ExportAction),
    /// Shows this file in the system's file manager.
    ShowInFolder(PathBuf),
    /// Enters or leaves full screen.
    FullScreen(bool),
    /// Makes the window small and keeps it in front of others, or returns to what it was.
    Preview(bool),
    /// Looks at the files of the gallery, `first` before the others. Without files that ends. The answers are
    /// `GalleryAction::Versions` and `GalleryAction::Drawn`.
    Thumbnails { id: GalleryId, side: u32, files: Arc<[PathBuf]>, first: Vec<usize> },
    /// Plays a file of the gallery in pictures of this size, or none. The answers are `GalleryAction::Playing`.
    Play(Option<(GalleryId, PathBuf, u32)>),
    /// Ends the program.
    Quit,
}
