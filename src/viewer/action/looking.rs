//! Actions of the group [`Action::Looking`](super::Action::Looking).

use std::path::PathBuf;

use pchr::overlay::Onion;
use pchr::playback::FadeOptions;

use crate::viewer::background::Background;
use crate::viewer::tab::Tab;
use crate::viewer::target::Target;
use crate::viewer::theme::ThemeChoice;

/// Panels, background and theme.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LookAction {
    /// The side panel has another width, in logical pixels.
    SideWidth(f32),
    /// Brings a tab of the side panel to the front.
    Tab(Tab),
    /// Height of the details in logical pixels, or the usual one.
    Details(Option<f32>),
    /// Gives the keyboard to a part of the window.
    GoTo(Target),
    /// It has the keyboard focus now, or is not there.
    Reached,
    /// Background of the picture.
    Background(Background),
    /// Picture file for the background.
    BackgroundFile(PathBuf),
    /// Frames that are shown as ghosts, and their colours.
    Onion(Onion),
    /// One ghost more before, and one more after.
    MoreGhosts,
    /// One ghost fewer before, and one fewer after.
    FewerGhosts,
    /// The next distance between ghosts.
    CycleGhostStep,
    /// Cross-fade when the animation is changed while one plays.
    Fade(FadeOptions),
    /// Goes that many steps up or down the ladder of its lengths.
    WalkFade(i32),
    /// The next curve of it.
    CycleFadeCurve,
    /// The next of the backgrounds that need no more than a wish.
    CycleBackground,
    /// Chooses a theme, or the system's.
    Theme(ThemeChoice),
    /// The next theme.
    CycleTheme,
    /// Only animations whose name holds this are listed.
    ClipFilter(String),
    /// Text that is looked for in the palette or among the keys.
    Query(String),
}

impl LookAction {
    /// Returns true if it brings a list to the front.
    pub(super) fn goes_to(&self, tab: Tab) -> bool {
        *self == Self::Tab(tab) || *self == Self::GoTo(Target::List(tab))
    }

    /// Name in a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::SideWidth(_) => "Resize the side panel",
            Self::Tab(tab) => tab.action_name(),
            Self::Details(_) => "Resize the details",
            Self::GoTo(target) => target.action_name(),
            Self::Reached => "Go there",
            Self::Background(Background::Checker) => "Checkerboard as background",
            Self::Background(_) => "Choose the background",
            Self::BackgroundFile(_) => "Use as background",
            Self::Onion(_) => "Set onion skin",
            Self::MoreGhosts => "More onion skin",
            Self::FewerGhosts => "Less onion skin",
            Self::CycleGhostStep => "Next onion skin step",
            Self::Fade(fade) if fade.seconds > 0.0 => "Set the cross-fade",
            Self::Fade(_) => "No cross-fade",
            Self::WalkFade(by) if *by < 0 => "Shorter cross-fade",
            Self::WalkFade(_) => "Longer cross-fade",
            Self::CycleFadeCurve => "Next cross-fade curve",
            Self::CycleBackground => "Next background",
            Self::Theme(choice) => choice.action_name(),
            Self::CycleTheme => "Next theme",
            Self::ClipFilter(_) => "Filter",
            Self::Query(_) => "Search",
        }
    }
}
