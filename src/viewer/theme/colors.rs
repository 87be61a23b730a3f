//! The colours of the themes: dark and light, at the usual contrast and at more.

use egui::Color32;

const DARK_CHECKER: [[u8; 3]; 2] = [[0x33, 0x36, 0x3d], [0x2f, 0x32, 0x38]];
const LIGHT_CHECKER: [[u8; 3]; 2] = [[0xe2, 0xe5, 0xea], [0xd8, 0xdc, 0xe2]];

/// The colours of a theme.
#[derive(Debug)]
pub(crate) struct Colors {
    /// Panels.
    pub panel: Color32,
    /// Lists and fields within panels.
    pub well: Color32,
    /// Cards that float over the picture.
    pub card: Color32,
    /// Lines between panels.
    pub line: Color32,
    /// Buttons.
    pub button: Color32,
    /// Buttons under the pointer.
    pub button_hovered: Color32,
    /// Buttons held down.
    pub button_active: Color32,
    /// Outline of buttons.
    pub outline: Color32,
    /// A row under the pointer.
    pub row_hovered: Color32,
    /// Text.
    pub text: Color32,
    /// Emphasised text.
    pub text_strong: Color32,
    /// Secondary text.
    pub text_weak: Color32,
    /// Chosen or changed items.
    pub accent: Color32,
    /// Background of chosen items.
    pub accent_fill: Color32,
    /// Axes: x, y and z.
    pub axes: [Color32; 3],
    /// Warnings.
    pub warning: Color32,
    /// Errors.
    pub error: Color32,
    /// The checkerboard behind the character: RGB, even and odd squares.
    pub checker: [[u8; 3]; 2],
    /// Width of the ring around the control that has the keyboard focus, in logical pixels.
    pub ring: f32,
    /// Opacity of cards over the picture: 0 to 1.
    pub opacity: f32,
}

/// Colours of the dark theme.
static DARK: Colors = Colors {
    panel: Color32::from_rgb(0x1b, 0x1d, 0x22),
    well: Color32::from_rgb(0x14, 0x15, 0x19),
    card: Color32::from_rgb(0x25, 0x28, 0x30),
    line: Color32::from_rgb(0x2e, 0x31, 0x3a),
    button: Color32::from_rgb(0x2b, 0x2e, 0x37),
    button_hovered: Color32::from_rgb(0x38, 0x3c, 0x48),
    button_active: Color32::from_rgb(0x47, 0x4c, 0x5b),
    outline: Color32::from_rgb(0x42, 0x47, 0x54),
    row_hovered: Color32::from_rgb(0x23, 0x26, 0x2d),
    text: Color32::from_rgb(0xd6, 0xd9, 0xe0),
    text_strong: Color32::from_rgb(0xf4, 0xf5, 0xf8),
    text_weak: Color32::from_rgb(0x9d, 0xa3, 0xb1),
    accent: Color32::from_rgb(0x6f, 0xae, 0xff),
    accent_fill: Color32::from_rgb(0x2b, 0x57, 0x94),
    axes: [
        Color32::from_rgb(0xff, 0x6e, 0x6e),
        Color32::from_rgb(0x5c, 0xcb, 0x6e),
        Color32::from_rgb(0x74, 0xa9, 0xff),
    ],
    warning: Color32::from_rgb(0xf0, 0xb9, 0x4e),
    error: Color32::from_rgb(0xff, 0x7b, 0x72),
    checker: DARK_CHECKER,
    ring: 2.0,
    opacity: 0.94,
};

/// Colours of the light theme.
static LIGHT: Colors = Colors {
    panel: Color32::from_rgb(0xf3, 0xf4, 0xf7),
    well: Color32::from_rgb(0xff, 0xff, 0xff),
    card: Color32::from_rgb(0xff, 0xff, 0xff),
    line: Color32::from_rgb(0xd9, 0xdd, 0xe4),
    button: Color32::from_rgb(0xe6, 0xe9, 0xee),
    button_hovered: Color32::from_rgb(0xd8, 0xdd, 0xe6),
    button_active: Color32::from_rgb(0xc6, 0xce, 0xdb),
    outline: Color32::from_rgb(0xbd, 0xc4, 0xd0),
    row_hovered: Color32::from_rgb(0xe8, 0xeb, 0xf0),
    text: Color32::from_rgb(0x2a, 0x2e, 0x37),
    text_strong: Color32::from_rgb(0x0e, 0x11, 0x16),
    text_weak: Color32::from_rgb(0x56, 0x5d, 0x6b),
    accent: Color32::from_rgb(0x1a, 0x5f, 0xc7),
    accent_fill: Color32::from_rgb(0xbb, 0xd4, 0xf8),
    axes: [
        Color32::from_rgb(0xc8, 0x22, 0x2c),
        Color32::from_rgb(0x1c, 0x7c, 0x34),
        Color32::from_rgb(0x1b, 0x5b, 0xd6),
    ],
    warning: Color32::from_rgb(0x80, 0x53, 0x00),
    error: Color32::from_rgb(0xb3, 0x26, 0x1e),
    checker: LIGHT_CHECKER,
    ring: 2.0,
    opacity: 0.94,
};

/// Colours of the dark theme at more contrast.
static DARK_MORE: Colors = Colors {
    panel: Color32::from_rgb(0x00, 0x00, 0x00),
    well: Color32::from_rgb(0x00, 0x00, 0x00),
    card: Color32::from_rgb(0x0a, 0x0a, 0x0c),
    line: Color32::from_rgb(0x8c, 0x92, 0x9e),
    button: Color32::from_rgb(0x1a, 0x1c, 0x20),
    button_hovered: Color32::from_rgb(0x33, 0x37, 0x40),
    button_active: Color32::from_rgb(0x4a, 0x50, 0x5c),
    outline: Color32::from_rgb(0xb4, 0xba, 0xc6),
    row_hovered: Color32::from_rgb(0x24, 0x26, 0x2c),
    text: Color32::from_rgb(0xff, 0xff, 0xff),
    text_strong: Color32::from_rgb(0xff, 0xff, 0xff),
    text_weak: Color32::from_rgb(0xdc, 0xe0, 0xe8),
    accent: Color32::from_rgb(0x8f, 0xc8, 0xff),
    accent_fill: Color32::from_rgb(0x1d, 0x4c, 0x94),
    axes: [
        Color32::from_rgb(0xff, 0x8a, 0x8a),
        Color32::from_rgb(0x72, 0xe0, 0x84),
        Color32::from_rgb(0x8f, 0xbc, 0xff),
    ],
    warning: Color32::from_rgb(0xff, 0xcc, 0x5c),
    error: Color32::from_rgb(0xff, 0x9d, 0x96),
    checker: DARK_CHECKER,
    ring: 3.0,
    opacity: 1.0,
};

/// Colours of the light theme at more contrast.
static LIGHT_MORE: Colors = Colors {
    panel: Color32::from_rgb(0xff, 0xff, 0xff),
    well: Color32::from_rgb(0xff, 0xff, 0xff),
    card: Color32::from_rgb(0xff, 0xff, 0xff),
    line: Color32::from_rgb(0x6a, 0x70, 0x7c),
    button: Color32::from_rgb(0xf0, 0xf2, 0xf5),
    button_hovered: Color32::from_rgb(0xd8, 0xdd, 0xe6),
    button_active: Color32::from_rgb(0xbc, 0xc5, 0xd4),
    outline: Color32::from_rgb(0x4a, 0x50, 0x5c),
    row_hovered: Color32::from_rgb(0xe6, 0xea, 0xf0),
    text: Color32::from_rgb(0x00, 0x00, 0x00),
    text_strong: Color32::from_rgb(0x00, 0x00, 0x00),
    text_weak: Color32::from_rgb(0x2c, 0x31, 0x3a),
    accent: Color32::from_rgb(0x00, 0x3d, 0x99),
    accent_fill: Color32::from_rgb(0xa8, 0xca, 0xfa),
    axes: [
        Color32::from_rgb(0xa8, 0x10, 0x1c),
        Color32::from_rgb(0x0e, 0x5a, 0x22),
        Color32::from_rgb(0x0c, 0x44, 0xb0),
    ],
    warning: Color32::from_rgb(0x5c, 0x3a, 0x00),
    error: Color32::from_rgb(0x8c, 0x10, 0x0c),
    checker: LIGHT_CHECKER,
    ring: 3.0,
    opacity: 1.0,
};

impl Colors {
    /// All themes. Each has a panel of another colour.
    pub(super) const ALL: [&'static Self; 4] = [&DARK, &LIGHT, &DARK_MORE, &LIGHT_MORE];

    /// Returns the colours of a theme.
    pub(super) fn of(dark: bool, more_contrast: bool) -> &'static Self {
        match (dark, more_contrast) {
            (true, false) => &DARK,
            (false, false) => &LIGHT,
            (true, true) => &DARK_MORE,
            (false, true) => &LIGHT_MORE,
        }
    }

    /// Returns the fill of a card that floats over the picture.
    pub(crate) fn floating(&self) -> Color32 {
        self.card.gamma_multiply(self.opacity)
    }

    /// Returns the background of a button that is on.
    pub(crate) fn lit(&self) -> Color32 {
        match self.is_plain() {
            true => self.accent_fill,
            false => self.accent_fill.gamma_multiply(0.45),
        }
    }

    /// Returns true at more contrast, where nothing is translucent.
    pub(crate) fn is_plain(&self) -> bool {
        self.opacity >= 1.0
    }
}
