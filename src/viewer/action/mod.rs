//! Everything that can be done, and the requests of the state to the outside: loads, dialogs, threads, and the window itself.
//!
//! Each action has a name. The actions without parameters are also in the table
//! [`COMMANDS`], with an id, a place in the palette and perhaps a key.
//!
//! Undo takes back parts of the view, and consecutive actions of a gesture as one step.
//!
//! Panels and keys only make actions; [`super::state::State::apply`] carries them out.

mod commands_and_keys;
mod topics;

use std::path::PathBuf;
use std::sync::Arc;

use pchr_tools::files::Seen;
use pchr_tools::text::visible;

use crate::viewer::compare::{CompareId, FiguresJob};
use crate::viewer::gallery::GalleryId;
use crate::viewer::kept::Keep;
use crate::viewer::loaded::{ListId, LoadId, Source, Wish};
use crate::viewer::model::meshes::OrderStep;
use crate::viewer::problem::Problem;
use crate::viewer::switch::{Destination, Switch};

pub(crate) use self::commands_and_keys::{Bindings, COMMANDS, Command, GROUPS, Rebound};
pub(crate) use self::topics::{
    CameraAction, CompareAction, CurvesAction, ExportAction, ExportEvent, FileAction,
    GalleryAction, Grip, ImageAction, InterfaceAction, LookAction, PageAction, PartAction,
    PlaybackAction, ReferenceAction, RulerAction, StageAction,
};

/// Something that changes the state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    Files(FileAction),
    Playback(PlaybackAction),
    Camera(CameraAction),
    Parts(PartAction),
    Looking(LookAction),
    Interface(InterfaceAction),
    Page(PageAction),
    Reference(ReferenceAction),
    Compare(CompareAction),
    Image(ImageAction),
    Ruler(RulerAction),
    Curves(CurvesAction),
    /// Asks with a dialog of the system.
    Ask(Ask),
    /// Shows the files whose paths are on the clipboard.
    PastePath,
    /// Something failed outside.
    Report(Problem),
    /// Shows a message for some seconds.
    Say(Message),
    /// Removes the message of the last [`Self::Say`] after its time.
    Unsay,
    /// A screenshot was written to this file.
    Saved(PathBuf),
    /// Shows the last screenshot in the system's file manager.
    ShowInFolder,
    /// Closes the topmost sheet, question, error or message over the picture.
    Dismiss,
    /// Undoes the last step.
    Undo,
    /// Redoes the step that was undone last.
    Redo,
    /// Ends a drag or a burst of the wheel. What comes next is a step of its own.
    Rest,
    /// Ends the program.
    Quit,
    /// Keeps something for the next frame.
    Keep(Keep),
    /// Turns something on or off.
    Toggle(Switch),
    Gallery(GalleryAction),
    Export(ExportAction),
    Stage(StageAction),
}

macro_rules! from_topics {
    ($($topic:ident($actions:ident)),* $(,)?) => {
        $(impl From<$actions> for Action {
            fn from(action: $actions) -> Self {
                Self::$topic(action)
            }
        })*
    };
}

from_topics! {
    Files(FileAction),
    Playback(PlaybackAction),
    Camera(CameraAction),
    Parts(PartAction),
    Looking(LookAction),
    Interface(InterfaceAction),
    Page(PageAction),
    Reference(ReferenceAction),
    Compare(CompareAction),
    Image(ImageAction),
    Ruler(RulerAction),
    Curves(CurvesAction),
    Gallery(GalleryAction),
    Export(ExportAction),
    Stage(StageAction),
    Keep(Keep),
}

impl Action {
    /// Returns the name of a step that can be undone, or of a label, which is no command.
    fn name_of_step(&self) -> &'static str {
        match self {
            Self::Playback(action) => match action {
                PlaybackAction::Speed(_) => "Set the speed",
                PlaybackAction::WalkSpeed(_) => "Change the speed",
                PlaybackAction::Fps(None) => "Use the file's frame rate",
                PlaybackAction::Fps(Some(_)) => "Set the frame rate",
                PlaybackAction::Looping(_) => "Set the loop mode",
                PlaybackAction::Section(_) => "Set the loop range",
                PlaybackAction::Blend(Some(_)) => "Blend two animations",
                PlaybackAction::Bind(_) => "Choose the bind pose",
                PlaybackAction::Instances(_) => "Set the number of figures",
                _ => "Playback",
            },
            Self::Camera(action) => match action {
                CameraAction::Pan(_) | CameraAction::Nudge(_) => "Pan",
                CameraAction::Zoom(..) | CameraAction::ZoomBy(_) => "Zoom",
                CameraAction::ZoomTo(_) => "Set the zoom",
                CameraAction::Middle(_) => "Centre here",
                CameraAction::Center(..) => "Centre in the picture",
                CameraAction::Turn(_) | CameraAction::TurnBy(_) => "Turn",
                _ => "View",
            },
            Self::Parts(action) => match action {
                PartAction::ShowMesh(_, Some(false)) => "Hide",
                PartAction::ShowMesh(..) => "Show",
                PartAction::Solo(_) => "Isolate",
                PartAction::MoveMesh(_, OrderStep::Up) => "Move up",
                PartAction::MoveMesh(_, OrderStep::Down) => "Move down",
                PartAction::PlaceMesh(..) => "Move in the draw order",
                PartAction::ResetMesh(_) => "Reset",
                PartAction::Alternative(_) => "Choose an alternative",
                PartAction::FollowFile(_) => "Follow the file",
                PartAction::HideBone(_, false) => "Hide or show a bone",
                PartAction::HideBone(_, true) => "Hide or show a bone and those below",
                _ => "Parts",
            },
            Self::Looking(LookAction::Tab(tab)) => {
                Self::Looking(LookAction::GoTo(Destination::List(*tab))).name()
            }
            Self::Looking(LookAction::PinTint(_)) => "Set the colour of the pinned frame",
            Self::Image(_) => "Replace an image",
            Self::Toggle(Switch::Findings) => "Warnings about the file",
            Self::Stage(action) => match action {
                StageAction::Drag(..) => "Place a character",
                StageAction::Add(_) => "Add to the stage",
                StageAction::Reorder(..) => "Reorder the characters",
                StageAction::Remove(_) => "Remove a character",
                _ => "Change a character",
            },
            Self::Export(ExportAction::Cancel) => "Cancel the export",
            Self::Files(FileAction::Open(_)) => "Open",
            _ => "Action",
        }
    }
}

/// Part of a view that is kept and restored by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ViewPart {
    /// Animation, bind pose and everything about time but the frame.
    Playing,
    /// The same, and the place of the camera: the fit depends on the bind pose.
    Bind,
    /// Overrides of meshes.
    Meshes,
    /// The pinned frame.
    Pin,
    /// Pictures in place of images.
    Images,
    /// Middle of the picture, zoom, and direction of a camera in space.
    Place,
    /// Places and clips of the characters of a stage.
    Stage,
    /// The same, and everything that has the names of the characters.
    Cast,
}

/// Consecutive actions that undo takes back as one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gesture {
    Pan,
    Zoom,
    Turn,
    Section,
    Rate,
    Speed,
    Blend,
    PinTint,
    Stage,
    Figures,
}

/// A message that is shown for some seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Message {
    pub text: String,
    /// Actions of buttons beside the text.
    pub offers: Vec<Action>,
    /// Switch that the message is about. It goes away with its reason; one about hidden panels names the key that shows them, and one
    /// about the preview window the key that ends it.
    pub about: Option<Switch>,
}

impl Message {
    /// Creates a message without a button.
    pub(crate) fn new(text: impl AsRef<str>) -> Self {
        Self { text: visible(text.as_ref()).into_owned(), ..Self::default() }
    }

    /// Creates a message about a switch.
    pub(crate) fn about(switch: Switch, text: &str) -> Self {
        Self { about: Some(switch), ..Self::new(text) }
    }

    /// Creates the message that the panels are hidden.
    pub(crate) fn panels_hidden() -> Self {
        Self::about(Switch::Panels, "Panels are hidden")
    }

    /// Creates a message about the last export, with buttons for it.
    pub(crate) fn of_export(text: impl AsRef<str>) -> Self {
        let copies = [ExportAction::CopyFile, ExportAction::CopyExport].map(Action::Export);
        let message = Self::new(text).offering(Action::ShowInFolder);
        copies.into_iter().fold(message, Self::offering)
    }

    /// Creates the message that the window is a preview.
    pub(crate) fn previewing() -> Self {
        Self::about(Switch::Preview, "Preview window")
    }

    /// Adds a button for an action.
    pub(crate) fn offering(mut self, action: Action) -> Self {
        self.offers.push(action);
        self
    }
}

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
