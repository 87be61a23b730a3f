//! Sheets and questions: layers over the window that have the keyboard focus.

use super::action::{Action, LookAction};
use super::state::State;
use super::switch::Switch;

/// Something that lies over the window, has the keyboard focus, and is put away by Escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// A sheet with a field to type in.
    Sheet(Switch),
    /// A question with a button for each answer.
    Question,
    /// Nothing, but a part of the window is about to have the keyboard focus.
    Going,
}

impl Over {
    /// The topmost layer over the window.
    pub(crate) fn of(state: &State) -> Option<Self> {
        let sheets = [Switch::Palette, Switch::Keys];
        let sheet = sheets.into_iter().find(|sheet| state.is_on(*sheet));
        let question = state.question().map(|_| Self::Question);
        let going = state.looking().target.map(|_| Self::Going);
        sheet.map(Self::Sheet).or(question).or(going)
    }

    /// The uppermost of it after an action.
    pub(crate) fn after(over: Option<Self>, action: &Action) -> Option<Self> {
        match action {
            Action::Toggle(toggled @ (Switch::Palette | Switch::Keys)) => {
                Some(Self::Sheet(*toggled)).filter(|toggled| over != Some(*toggled))
            }
            Action::Looking(LookAction::GoTo(_)) => Some(Self::Going),
            Action::Dismiss => None,
            _ => over,
        }
    }
}
