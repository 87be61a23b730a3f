//! Actions of the group [`Action::Looking`](super::Action::Looking).

use crate::viewer::background::Background;
use crate::viewer::tab::Tab;
use crate::viewer::theme::ThemeChoice;

/// Panels, background and theme.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LookAction {
    /// The side panel has another width, in logical pixels.
    SideWidth(f32),
    /// Brings a tab of the side panel to the front.
    Tab(Tab),
    /// Background of the picture.
    Background(Background),
    /// The next of the backgrounds that need no more than a wish.
    CycleBackground,
    /// Chooses a theme, or the system's.
    Theme(ThemeChoice),
    /// The next theme.
    CycleTheme,
    /// Text that is looked for in the palette or among the keys.
    Query(String),
}

impl LookAction {
    /// Name in a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::SideWidth(_) => "Resize the side panel",
            Self::Tab(tab) => tab.action_name(),
            Self::Background(_) => "Choose the background",
            Self::CycleBackground => "Next background",
            Self::Theme(choice) => choice.action_name(),
            Self::CycleTheme => "Next theme",
            Self::Query(_) => "Look for",
        }
    }
}
