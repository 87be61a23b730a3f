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
    /// The list of warnings, which opens.
    Warnings,
    /// The menu of backgrounds, which opens.
    Background,
    /// The settings of onion skin, which open.
    Onion,
    /// The menu of the row that has the keyboard focus; else that of the picture, at what is chosen.
    Menu,
}
