//! Requests of the state to the outside: loads, dialogs, threads, and the window itself.

use std::path::PathBuf;
use std::sync::Arc;

use pchr_tools::files::Seen;

use crate::viewer::action::ExportAction;
use crate::viewer::compare::{CompareId, FiguresJob};
use crate::viewer::gallery::GalleryId;
use crate::viewer::loaded::{ListId, LoadId, Source, Wish};

/// A request of the state to the outside.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Request {
    /// Loads this. The answers are `FileAction::Loading`, `FileAction::Loaded` and `FileAction::LoadedImage`.
    Load(LoadId, Source, Wish),
    /// Finds the files that these paths mean. The answer is `FileAction::Listed`.
    List(ListId, Vec<PathBuf>),
    /// Watches only these files, which were read in these states. If one changes, the answer is `FileAction::Changed`
    /// with the first.
    Watch(Vec<Seen>),
    /// Also watches these files, which could not be opened. An empty list ends that. If one changes, the answer is
    /// `FileAction::Changed` with the first.
    Await(Vec<Seen>),
    /// Saves the remembered state for the next run.
    Remember,
    /// Asks for files. The answer is `FileAction::Open`.
    OpenDialog,
    /// Asks for a folder. The answer is `FileAction::Open`.
    OpenFolderDialog,
    /// Asks for files. The answer is `StageAction::Add`.
    StageDialog,
    /// Asks for a picture. The answer is `LookAction::Background`.
    BackgroundDialog,
    /// Reads this picture. The answer is `LookAction::Background`.
    ReadBackground(PathBuf),
    /// Asks for a file. The answer is `CompareAction::With`.
    CompareDialog,
    /// Loads the other side of a comparison. The answer is `CompareAction::Loaded`.
    LoadCounterpart(LoadId, Source, Wish),
    /// Watches only these files of the other side. If one changes, the answer is `FileAction::Changed` with the first.
    WatchCounterpart(Vec<Seen>),
    /// Finds the changes between both sides of the comparison. The answer is `CompareAction::Changes`.
    Compare(CompareId),
    /// Measures the difference of two pictures. The answer is `CompareAction::Figures`.
    Figures(Box<FiguresJob>),
    /// Forgets what is needed for the two above.
    EndComparison,
    /// Asks for a picture. The answer is `ReferenceAction::Show`.
    ReferenceDialog,
    /// Reads this picture. The answer is `ReferenceAction::Show`.
    ReadReference(PathBuf),
    /// Asks for a picture in place of the image of this name. The answer is `ImageAction::Replace`.
    ImageDialog(String),
    /// Finds the facts about the meshes of the model. The answer is `PartAction::Facts`.
    MeshFacts,
    /// Measures the smoothness of the animations of the model. The answer is `PartAction::Smoothness`.
    Smoothness,
    /// Reads paths from the clipboard. The answer is `FileAction::Open`.
    PastePath,
    /// Exports the picture, a session or a command.
    Export(ExportAction),
    /// Asks for a folder. The answer is `ExportAction::Folder`.
    ExportFolderDialog,
    /// Asks for the file that this missing one is now. The answer is `FileAction::Located`.
    LocateDialog(PathBuf),
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
