//! Actions of the group [`Action::Interface`](super::Action::Interface).

use crate::viewer::card::{Card, PageZoom, Place};
use crate::viewer::comfort::Comfort;
use crate::viewer::interface_scale::InterfaceScale;

/// Size, contrast and motion of the interface, and its cards.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum InterfaceAction {
    Scale(InterfaceScale),
    /// The next larger size for `true`, the next smaller one for `false`.
    StepScale(bool),
    /// More contrast, the usual one, or the system's.
    Contrast(Option<bool>),
    ToggleContrast,
    /// Less motion, the usual one, or the system's.
    Motion(Option<bool>),
    ToggleMotion,
    /// Contrast and motion that the system wants.
    System(Comfort),
    /// Moves or resizes a card over the picture.
    Card(Card, Place),
    /// Zooms the page on the atlas card, or moves it.
    PageZoom(PageZoom),
    /// Width and height of the window in logical pixels of the screen.
    Room([f64; 2]),
    /// Keeps a background colour among the recent ones.
    KeepColor([u8; 3]),
}

impl InterfaceAction {
    /// Name in a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Scale(InterfaceScale::USUAL) => "Interface at 100 %",
            Self::Scale(_) => "Resize the interface",
            Self::StepScale(true) => "Larger interface",
            Self::StepScale(false) => "Smaller interface",
            Self::Contrast(None) => "Use the system's contrast setting",
            Self::Contrast(Some(_)) => "Choose the contrast",
            Self::ToggleContrast => "High contrast",
            Self::Motion(None) => "Use the system's motion setting",
            Self::Motion(Some(_)) => "Choose the motion",
            Self::ToggleMotion => "Reduced motion",
            Self::System(_) => "Follow the system",
            Self::Card(Card::Atlas, _) => "Move the atlas page",
            Self::Card(Card::Statistics, _) => "Move the statistics",
            Self::PageZoom(_) => "Zoom the atlas page",
            Self::Room(_) => "Resize the window",
            Self::KeepColor(_) => "Remember the colour",
        }
    }
}
