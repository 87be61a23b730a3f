//! Everything that can be done. Each action has a name. The actions without parameters are also in the table
//! [`COMMANDS`], with an id, a place in the palette and perhaps a key.
//!
//! Panels and keys only make actions; [`super::state::State::apply`] carries them out.

use std::path::PathBuf;

use super::problem::Problem;
use super::switch::Switch;

mod camera;
mod commands;
mod concerns;
mod curves;
mod files;
mod interface;
mod looking;
mod message;
mod page;
mod parts;
mod playback;
mod reference;
mod ruler;
mod synonyms;

pub(crate) use camera::CameraAction;
pub(crate) use commands::{COMMANDS, Command, Group};
pub(crate) use curves::CurvesAction;
pub(crate) use files::FileAction;
pub(crate) use interface::InterfaceAction;
pub(crate) use looking::LookAction;
pub(crate) use message::Message;
pub(crate) use page::PageAction;
pub(crate) use parts::PartAction;
pub(crate) use playback::PlaybackAction;
pub(crate) use reference::ReferenceAction;
pub(crate) use ruler::RulerAction;
pub(crate) use synonyms::synonyms;

/// Something that changes the state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Opening, listing and reloading files.
    Files(FileAction),
    /// Playing, stepping and seeking.
    Playback(PlaybackAction),
    /// Moving and zooming the picture.
    Camera(CameraAction),
    /// Showing, ordering and choosing meshes and bones.
    Parts(PartAction),
    /// Panels, background and theme.
    Looking(LookAction),
    /// Size, contrast and motion of the interface, and its cards.
    Interface(InterfaceAction),
    /// Looking at the pages of an atlas.
    Page(PageAction),
    /// Comparing with a picture.
    Reference(ReferenceAction),
    /// Measuring in the plane.
    Ruler(RulerAction),
    /// Looking at curves, and at the keys of all bones.
    Curves(CurvesAction),
    /// Asks for files with the system's dialog.
    OpenDialog,
    /// Asks for a folder with the system's dialog.
    OpenFolderDialog,
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
    /// Turns something on or off.
    Toggle(Switch),
    /// Asks for a background picture with the system's dialog.
    BackgroundDialog,
    /// Writes the picture to a file, with its overlays or without.
    Screenshot { overlays: bool },
    /// Saves the view as a session.
    SaveSession,
    /// Puts the picture on the clipboard.
    CopyPicture,
    /// Puts the command that captures the picture on the clipboard.
    CopyCommandLine,
}

impl Action {
    /// Returns the name in a few words.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Files(action) => action.name(),
            Self::Playback(action) => action.name(),
            Self::Camera(action) => action.name(),
            Self::Parts(action) => action.name(),
            Self::Looking(action) => action.name(),
            Self::Interface(action) => action.name(),
            Self::Page(action) => action.name(),
            Self::Reference(action) => action.name(),
            Self::Ruler(action) => action.name(),
            Self::Curves(action) => action.name(),
            Self::OpenDialog => "Open…",
            Self::OpenFolderDialog => "Open folder…",
            Self::PastePath => "Open the path on the clipboard",
            Self::Report(_) => "Show an error",
            Self::Say(_) => "Show a message",
            Self::Unsay => "Dismiss the message",
            Self::Saved(_) => "Saved",
            Self::ShowInFolder => "Show in folder",
            Self::Dismiss => "Dismiss",
            Self::Undo => "Undo",
            Self::Redo => "Redo",
            Self::Rest => "Rest",
            Self::Quit => "Quit",
            Self::Toggle(switch) => switch.name(),
            Self::BackgroundDialog => "Background picture…",
            Self::Screenshot { overlays: true } => "Screenshot",
            Self::Screenshot { overlays: false } => "Screenshot without overlays",
            Self::SaveSession => "Save session",
            Self::CopyPicture => "Copy the picture",
            Self::CopyCommandLine => "Copy as command line",
        }
    }
}
