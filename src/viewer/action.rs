//! Everything that can be done: each action has a name, and some have a key.
//!
//! Panels and keys only make actions; [`super::state::State::apply`] carries them out. What is added later (a palette,
//! rebinding, a sheet of keys) reads [`KEYED`].

use std::path::PathBuf;

use egui::{Key, KeyboardShortcut, Modifiers};

use super::load::LoadDone;
use super::order::Direction;
use super::problem::Problem;
use crate::document::{AnimationId, MeshId};
use crate::pose::BindChoice;

/// Something that changes the state.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Shows these files, the first of them first.
    Open(Vec<PathBuf>),
    /// Shows the file after this one in the list.
    NextFile,
    /// Shows the file before this one in the list.
    PreviousFile,
    /// A load came to its end.
    Loaded(LoadDone),
    /// Something failed outside.
    Report(Problem),
    /// What is shown as an error is put away.
    Dismiss,
    /// Opens or closes the list of the file's warnings.
    ToggleFindings,
    /// A file hovers over the window, or no longer does.
    Hover(Option<PathBuf>),
    /// Ends the program.
    Quit,

    /// Lets time pass.
    Advance(f64),
    /// Shows another animation from its start.
    Animation(AnimationId),
    /// Plays or pauses.
    TogglePlay,
    /// Pauses and moves by frames.
    Step(i32),
    /// Pauses at the first frame.
    FirstFrame,
    /// Pauses at the last frame.
    LastFrame,
    /// Shows a position in frames.
    Seek(f64),
    /// Frames a second instead of the file's, or the file's.
    Fps(Option<f64>),
    /// Loops or not whatever the file says, or as the file says.
    Looping(Option<bool>),
    /// Blends frames or shows them as authored.
    Smooth(bool),
    /// Takes another pose for the one that vertices are stored in.
    Bind(BindChoice),

    /// The picture has another size, in screen pixels.
    Viewport([u32; 2]),
    /// Moves the picture by screen pixels.
    Pan([f64; 2]),
    /// Zooms by a factor about a point of the picture.
    Zoom(f64, [f64; 2]),
    /// Shows the whole animation.
    Fit,
    /// Turns the world upside down, for files that were authored with Y down.
    YDown(bool),

    /// Shows or hides a mesh whatever the frame says, or as the frame says.
    ShowMesh(MeshId, Option<bool>),
    /// Lets a mesh change places with its neighbour in the draw order.
    MoveMesh(MeshId, Direction),
    /// Gives a mesh back to the file.
    ResetMesh(MeshId),
    /// Gives all meshes back to the file.
    ResetMeshes,
}

impl Action {
    /// What it is called, in a few words.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Open(_) => "Open",
            Self::NextFile => "Next file",
            Self::PreviousFile => "Previous file",
            Self::Loaded(_) => "Show what was loaded",
            Self::Report(_) => "Show an error",
            Self::Dismiss => "Dismiss",
            Self::ToggleFindings => "Warnings",
            Self::Hover(_) => "Hover with a file",
            Self::Quit => "Quit",
            Self::Advance(_) => "Let time pass",
            Self::Animation(_) => "Choose the animation",
            Self::TogglePlay => "Play or pause",
            Self::Step(frames) if *frames < 0 => "Step back",
            Self::Step(_) => "Step forward",
            Self::FirstFrame => "First frame",
            Self::LastFrame => "Last frame",
            Self::Seek(_) => "Go to a frame",
            Self::Fps(None) => "Frame rate of the file",
            Self::Fps(Some(_)) => "Set the frame rate",
            Self::Looping(_) => "Loop",
            Self::Smooth(_) => "Smooth",
            Self::Bind(_) => "Choose the bind pose",
            Self::Viewport(_) => "Resize the picture",
            Self::Pan(_) => "Pan",
            Self::Zoom(..) => "Zoom",
            Self::Fit => "Fit",
            Self::YDown(_) => "Y down",
            Self::ShowMesh(_, Some(false)) => "Hide",
            Self::ShowMesh(..) => "Show",
            Self::MoveMesh(_, Direction::Up) => "Move up",
            Self::MoveMesh(_, Direction::Down) => "Move down",
            Self::ResetMesh(_) => "Reset",
            Self::ResetMeshes => "Reset all",
        }
    }
}

/// An action with its key.
#[derive(Debug)]
pub(crate) struct Keyed {
    pub action: Action,
    pub shortcut: KeyboardShortcut,
    /// Whether holding the key down does it again and again.
    pub repeats: bool,
}

const fn key(action: Action, key: Key) -> Keyed {
    Keyed {
        action,
        shortcut: KeyboardShortcut::new(Modifiers::NONE, key),
        repeats: false,
    }
}

const fn repeating(action: Action, key: Key) -> Keyed {
    Keyed {
        action,
        shortcut: KeyboardShortcut::new(Modifiers::NONE, key),
        repeats: true,
    }
}

/// All keys.
pub(crate) static KEYED: [Keyed; 10] = [
    key(Action::TogglePlay, Key::Space),
    repeating(Action::Step(-1), Key::Comma),
    repeating(Action::Step(1), Key::Period),
    key(Action::FirstFrame, Key::Home),
    key(Action::LastFrame, Key::End),
    key(Action::Fit, Key::F),
    repeating(Action::PreviousFile, Key::ArrowLeft),
    repeating(Action::NextFile, Key::ArrowRight),
    key(Action::Dismiss, Key::Escape),
    Keyed {
        action: Action::Quit,
        shortcut: KeyboardShortcut::new(Modifiers::COMMAND, Key::Q),
        repeats: false,
    },
];

/// The key of an action, found by its name.
pub(crate) fn shortcut_of(action: &Action) -> Option<&'static KeyboardShortcut> {
    KEYED
        .iter()
        .find(|keyed| keyed.action.name() == action.name())
        .map(|keyed| &keyed.shortcut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_and_no_name_is_given_twice() {
        for (i, a) in KEYED.iter().enumerate() {
            for b in &KEYED[i + 1..] {
                assert_ne!(a.shortcut, b.shortcut);
                assert_ne!(a.action.name(), b.action.name());
            }
            assert_eq!(shortcut_of(&a.action), Some(&a.shortcut));
        }
    }
}
