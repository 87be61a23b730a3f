//! Events of the window, its errors, and threads; events that threads post, and contrast, motion and theme of the desktop.

use std::path::PathBuf;
use std::thread::{Builder, JoinHandle};

use egui::{Key, KeyboardShortcut, Modifiers};
use winit::event::WindowEvent;

use pchr::render::GpuError;

use crate::viewer::action::{Action, Bindings, CompareAction, FileAction, StageAction};
use crate::viewer::compare::Counterpart;
use crate::viewer::interface::Comfort;
use crate::viewer::problem::Problem;

/// Returns the action of a drop of at least one file. With Ctrl the open file is compared with the first, with Shift the files are added to
/// the stage.
pub(crate) fn of_drop(files: Vec<PathBuf>, ctrl: bool, shift: bool) -> Action {
    match files.first() {
        Some(first) if ctrl => {
            Action::Compare(CompareAction::With(Counterpart::File(first.clone())))
        }
        _ if shift && !ctrl => Action::Stage(StageAction::Add(files)),
        _ => Action::Files(FileAction::Open(files)),
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
        && held.matches_exact(paste.modifiers)
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

/// Wishes of the desktop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wishes {
    /// True for the dark theme, false for the light one, `None` without a preference.
    pub dark: Option<bool>,
    pub comfort: Comfort,
}

/// Calls `changed` from another thread, soon and after each change of the desktop's wishes, until the subscription is dropped. macOS
/// needs it to be called on the main thread.
#[cfg(any(target_os = "linux", windows, target_os = "macos"))]
pub(crate) fn follow(changed: impl Fn(Wishes) + Send + Sync + 'static) -> impl Sized {
    use mundy::{ColorScheme, Contrast, Interest, Preferences, ReducedMotion};

    let mut interest = Interest::Contrast | Interest::ReducedMotion;
    let mut named = false;
    if cfg!(target_os = "linux") {
        interest = interest | Interest::ColorScheme;
        named = is_high_contrast(std::env::var_os("GTK_THEME").as_deref());
    }
    Preferences::subscribe(interest, move |preferences: Preferences| {
        let wishes = Wishes {
            dark: match preferences.color_scheme {
                ColorScheme::NoPreference => None,
                ColorScheme::Dark => Some(true),
                ColorScheme::Light => Some(false),
            },
            comfort: Comfort {
                more_contrast: named || preferences.contrast == Contrast::More,
                less_motion: preferences.reduced_motion == ReducedMotion::Reduce,
            },
        };
        changed(wishes);
    })
}

/// Does nothing: contrast and motion are chosen in the window.
#[cfg(not(any(target_os = "linux", windows, target_os = "macos")))]
pub(crate) fn follow(_: impl Fn(Wishes) + Send + Sync + 'static) -> impl Sized {}

/// Returns true for the name of a GTK theme of high contrast, which desktops without a portal set.
#[cfg(any(target_os = "linux", windows, target_os = "macos"))]
fn is_high_contrast(theme: Option<&std::ffi::OsStr>) -> bool {
    let name = theme.unwrap_or_default().to_string_lossy();
    name.starts_with("HighContrast")
}

/// An event from another thread.
#[derive(Debug)]
pub(crate) enum Posted {
    Action(Action),
    /// Theme, contrast and motion that the desktop wants.
    Wishes(Wishes),
    Accessibility(egui_winit::accesskit_winit::Event),
}

impl From<egui_winit::accesskit_winit::Event> for Posted {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}

#[cfg(all(test, any(target_os = "linux", windows, target_os = "macos")))]
mod tests {
    use super::*;

    #[test]
    fn a_theme_of_high_contrast_is_known_by_its_name() {
        for (name, is_high) in
            [("HighContrast", true), ("HighContrastInverse", true), ("Adwaita:dark", false)]
        {
            assert_eq!(is_high_contrast(Some(name.as_ref())), is_high, "{name}");
        }
        assert!(!is_high_contrast(None));
    }
}
