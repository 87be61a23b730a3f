//! Sheets and questions: layers over the window that have the keyboard focus.

use super::state::State;
use super::switch::Switch;

/// Something that lies over the window, has the keyboard focus, and is put away by Escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// A sheet with a field to type in.
    Sheet(Switch),
    /// A question with a button for each answer.
    Question,
}

impl Over {
    /// The topmost layer over the window.
    pub(crate) fn of(state: &State) -> Option<Self> {
        let sheets = [Switch::Palette, Switch::Keys];
        let sheet = sheets.into_iter().find(|sheet| state.is_on(*sheet));
        let question = state.question().map(|_| Self::Question);
        sheet.map(Self::Sheet).or(question)
    }
}
