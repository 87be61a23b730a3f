//! Events of the loop that other threads post.

use crate::viewer::action::Action;

/// An event from another thread.
#[derive(Debug)]
pub(crate) enum Posted {
    Action(Action),
    /// Theme of the desktop: true for dark, if it says.
    SystemTheme(Option<bool>),
    Accessibility(egui_winit::accesskit_winit::Event),
}

impl From<egui_winit::accesskit_winit::Event> for Posted {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}
