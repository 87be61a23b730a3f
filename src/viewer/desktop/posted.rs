//! Events of the loop that other threads post.

use super::system_theme::Wishes;
use crate::viewer::action::Action;

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
