//! Parts of the window that a key gives the keyboard to.

use super::tab::Tab;

/// A part of the window that can be gone to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A list of the side panel, which comes to the front.
    List(Tab),
    /// The list of animations, or their menu in a low window.
    Animations,
    TimeLine,
    /// The field of the frame.
    Frame,
}

impl Target {
    /// Name of going there.
    pub(crate) fn action_name(self) -> &'static str {
        match self {
            Self::List(tab) => tab.action_name(),
            Self::Animations => "Animations",
            Self::TimeLine => "Time line",
            Self::Frame => "Go to a frame",
        }
    }
}
