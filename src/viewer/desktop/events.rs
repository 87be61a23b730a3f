//! Events of the window, its errors, and threads.

use std::thread::{Builder, JoinHandle};

use egui::{Key, KeyboardShortcut, Modifiers};
use winit::event::WindowEvent;

use pchr::render::GpuError;

use crate::viewer::action::{Action, FileAction};
use crate::viewer::input::matches;
use crate::viewer::problem::Problem;
use crate::viewer::settings::rebound_keys::Bindings;

/// Action of an event of the window itself.
pub(crate) fn of_window(event: &WindowEvent) -> Option<Action> {
    match event {
        WindowEvent::CloseRequested => Some(Action::Quit),
        WindowEvent::HoveredFile(path) => {
            Some(Action::Files(FileAction::Hover(Some(path.clone()))))
        }
        WindowEvent::HoveredFileCancelled => Some(Action::Files(FileAction::Hover(None))),
        _ => None,
    }
}

/// Returns true if an event is the key that opens the clipboard's paths, and nobody is typing.
pub(crate) fn pastes_files(
    context: &egui::Context,
    bindings: &Bindings,
    event: &WindowEvent,
) -> bool {
    let WindowEvent::KeyboardInput { event, is_synthetic: false, .. } = event else {
        return false;
    };
    let is_v = matches!(&event.logical_key, winit::keyboard::Key::Character(key) if key.eq_ignore_ascii_case("v"));
    let pressed = is_v && event.state.is_pressed() && !event.repeat;
    let held = context.input(|input| input.modifiers);
    let paste = KeyboardShortcut::new(Modifiers::COMMAND, Key::V);
    pressed
        && matches(held, paste.modifiers)
        && bindings.of("paste-path").contains(&paste)
        && !context.text_edit_focused()
}

/// Reason why the program ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewerError {
    /// There is no display server to open a window on.
    #[error("no window can be opened: {0}")]
    NoDisplay(String),
    /// There is no graphics adapter that can draw to the window.
    #[error(transparent)]
    NoAdapter(GpuError),
    /// The adapter offers no colour format that can be drawn in.
    #[error("the graphics adapter offers no 8-bit colour format for windows")]
    NoFormat,
    /// The graphics device failed while running.
    #[error(transparent)]
    Gpu(GpuError),
    /// The system refuses a thread that the window needs.
    #[error("the system does not allow the threads that the window needs: {0}")]
    Thread(String),
    /// A variable of the environment makes no sense.
    #[error("{0}")]
    Environment(String),
    /// The window system failed while running.
    #[error("the window system failed: {0}")]
    Window(String),
}

impl ViewerError {
    /// Returns true if the machine has no graphics adapter for the window: exit code 5.
    #[must_use]
    pub fn is_no_adapter(&self) -> bool {
        matches!(self, Self::NoAdapter(_) | Self::NoFormat)
    }

    /// Returns true if the environment is at fault: exit code 2.
    #[must_use]
    pub fn is_environment(&self) -> bool {
        matches!(self, Self::Environment(_))
    }
}

impl From<GpuError> for ViewerError {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::NoAdapter { .. } => Self::NoAdapter(error),
            _ => Self::Gpu(error),
        }
    }
}

/// Starts a thread.
///
/// # Errors
/// A problem to report, if the system refuses it.
pub(crate) fn start(work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Problem> {
    let started = Builder::new().spawn(work);
    started.map_err(|error| {
        Problem::new("The system does not allow another thread", error.to_string())
    })
}
