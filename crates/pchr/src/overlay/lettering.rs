//! Colours of text.

use super::ink::Ink;

/// Colours of text and its rim, for a background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Lettering {
    OnDark,
    OnLight,
    /// Name of the selected element.
    ChosenOnDark,
    ChosenOnLight,
}

impl Lettering {
    /// All letterings, in numeric order.
    pub(super) const ALL: [Self; 4] = [
        Self::OnDark,
        Self::OnLight,
        Self::ChosenOnDark,
        Self::ChosenOnLight,
    ];

    pub(super) fn new(is_light: bool, is_chosen: bool) -> Self {
        match (is_light, is_chosen) {
            (false, false) => Self::OnDark,
            (true, false) => Self::OnLight,
            (false, true) => Self::ChosenOnDark,
            (true, true) => Self::ChosenOnLight,
        }
    }

    /// Returns true for the name of a selected element.
    pub(super) fn is_chosen(self) -> bool {
        matches!(self, Self::ChosenOnDark | Self::ChosenOnLight)
    }

    /// Returns the colours of text and rim: straight RGBA, sRGB-encoded.
    pub(super) fn rgba(self) -> [[u8; 4]; 2] {
        let dark_rim = Ink::Halo.rgba();
        let light_rim = [255, 255, 255, 225];
        match self {
            Self::OnDark => [[255, 255, 255, 255], dark_rim],
            Self::OnLight => [[22, 24, 36, 255], light_rim],
            Self::ChosenOnDark => [[255, 150, 214, 255], dark_rim],
            Self::ChosenOnLight => [[176, 20, 116, 255], light_rim],
        }
    }
}
