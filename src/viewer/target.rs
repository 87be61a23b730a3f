//! Parts of the window that a key gives the keyboard to.

use super::tab::Tab;

/// A part of the window that can be gone to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A list of the side panel, which comes to the front.
    List(Tab),
    /// The menu of animations.
    Animations,
    TimeLine,
    /// The menu of the row that has the keyboard; else that of the picture, at what is chosen.
    Menu,
}

impl Target {
    /// Name of going there.
    pub(crate) fn action_name(self) -> &'static str {
        match self {
            Self::List(tab) => tab.action_name(),
            Self::Animations => "Menu of animations",
            Self::TimeLine => "Time line",
            Self::Menu => "Menu of what is chosen",
        }
    }
}
