//! Look of the window: colours, type and spacing in one place.

use egui::epaint::text::FontFamily;
use egui::style::{HandleShape, ScrollStyle, Selection, WidgetVisuals};
use egui::{
    Color32, CornerRadius, FontId, Margin, Shadow, Stroke, TextStyle, Theme, ThemePreference, Ui,
    Vec2, Visuals,
};

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
    checker: [[0x33, 0x36, 0x3d], [0x2f, 0x32, 0x38]],
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
    checker: [[0xe2, 0xe5, 0xea], [0xd8, 0xdc, 0xe2]],
};

/// Returns the colours of the theme on show.
pub(crate) fn of(ui: &Ui) -> &'static Colors {
    colors(ui.visuals().dark_mode)
}

/// Returns the colours of the dark or the light theme.
pub(crate) fn colors(dark: bool) -> &'static Colors {
    if dark { &DARK } else { &LIGHT }
}

/// Choice of a theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ThemeChoice {
    /// Theme of the system.
    #[default]
    System,
    Light,
    Dark,
}

impl ThemeChoice {
    /// Returns the next choice.
    pub(crate) fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// Returns egui's value for it.
    pub(crate) fn preference(self) -> ThemePreference {
        match self {
            Self::System => ThemePreference::System,
            Self::Light => ThemePreference::Light,
            Self::Dark => ThemePreference::Dark,
        }
    }

    /// Returns the name of the action that chooses it.
    pub(crate) fn action_name(self) -> &'static str {
        match self {
            Self::System => "Theme of the system",
            Self::Light => "Light theme",
            Self::Dark => "Dark theme",
        }
    }
}

/// Height of a row in lists, in logical pixels.
pub(crate) const ROW: f32 = 26.0;
/// Margin of panels.
pub(crate) const MARGIN: i8 = 12;

const RADIUS: CornerRadius = CornerRadius::same(5);

/// Returns the title of a group of controls in small capitals.
pub(crate) fn section(text: &str, colors: &Colors) -> egui::RichText {
    egui::RichText::new(text.to_uppercase())
        .size(11.0)
        .extra_letter_spacing(0.6)
        .color(colors.text_weak)
}

/// Gives a context its colours, type scale and spacing. The fonts are egui's own.
pub(crate) fn install(context: &egui::Context) {
    for (theme, dark) in [(Theme::Dark, true), (Theme::Light, false)] {
        context.style_mut_of(theme, |style| style.visuals = visuals(dark));
    }
    // What keys do is in one table, and idle means idle.
    context.options_mut(|options| {
        options.zoom_with_keyboard = false;
        options.quit_shortcuts.clear();
    });
    context.all_styles_mut(|style| {
        style.visuals.text_cursor.blink = false;
        style.text_styles = [
            (
                TextStyle::Small,
                FontId::new(11.5, FontFamily::Proportional),
            ),
            (TextStyle::Body, FontId::new(13.0, FontFamily::Proportional)),
            (
                TextStyle::Button,
                FontId::new(13.0, FontFamily::Proportional),
            ),
            (
                TextStyle::Heading,
                FontId::new(15.0, FontFamily::Proportional),
            ),
            (
                TextStyle::Monospace,
                FontId::new(12.0, FontFamily::Monospace),
            ),
        ]
        .into();
        style.drag_value_text_style = TextStyle::Monospace;
        style.animation_time = 0.08;
        let spacing = &mut style.spacing;
        spacing.item_spacing = Vec2::new(8.0, 6.0);
        spacing.button_padding = Vec2::new(8.0, 4.0);
        spacing.interact_size = Vec2::new(28.0, 26.0);
        spacing.window_margin = Margin::same(MARGIN);
        spacing.menu_margin = Margin::same(6);
        spacing.slider_rail_height = 4.0;
        spacing.icon_width = 16.0;
        spacing.icon_width_inner = 9.0;
        spacing.icon_spacing = 6.0;
        spacing.tooltip_width = 320.0;
        spacing.combo_height = 320.0;
        spacing.scroll = ScrollStyle {
            bar_width: 8.0,
            floating_width: 3.0,
            ..ScrollStyle::floating()
        };
        style.interaction.tooltip_delay = 0.4;
        style.interaction.selectable_labels = false;
    });
}

fn visuals(dark: bool) -> Visuals {
    let colors = colors(dark);
    let mut visuals = if dark {
        Visuals::dark()
    } else {
        Visuals::light()
    };
    let widget = |fill: Color32, text: Color32, line: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius: RADIUS,
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    let widgets = &mut visuals.widgets;
    widgets.noninteractive = widget(colors.panel, colors.text, colors.line);
    widgets.inactive = widget(colors.button, colors.text, colors.outline);
    widgets.hovered = widget(
        colors.button_hovered,
        colors.text_strong,
        colors.button_active,
    );
    widgets.active = widget(
        colors.button_active,
        colors.text_strong,
        Color32::TRANSPARENT,
    );
    widgets.open = widget(
        colors.button_hovered,
        colors.text_strong,
        colors.button_active,
    );
    visuals.selection = Selection {
        bg_fill: colors.accent_fill,
        stroke: Stroke::new(1.0, colors.text_strong),
    };
    visuals.hyperlink_color = colors.accent;
    visuals.weak_text_color = Some(colors.text_weak);
    visuals.warn_fg_color = colors.warning;
    visuals.error_fg_color = colors.error;
    visuals.extreme_bg_color = colors.well;
    visuals.text_edit_bg_color = Some(colors.well);
    visuals.faint_bg_color = colors.row_hovered;
    visuals.code_bg_color = colors.well;
    visuals.panel_fill = colors.panel;
    visuals.window_fill = colors.card;
    visuals.window_stroke = Stroke::new(1.0, colors.button_hovered);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    let shadow = Shadow {
        offset: [0, 6],
        blur: 20,
        spread: 0,
        color: Color32::from_black_alpha(if dark { 110 } else { 50 }),
    };
    visuals.window_shadow = shadow;
    visuals.popup_shadow = shadow;
    visuals.slider_trailing_fill = true;
    visuals.handle_shape = HandleShape::Circle;
    visuals.disabled_alpha = 0.4;
    visuals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the relative luminance, WCAG 2.2.
    fn luminance(color: Color32) -> f64 {
        let [r, g, b, _] = color.to_array().map(|channel| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.040_45 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Returns the contrast ratio, WCAG 2.2.
    fn contrast(a: Color32, b: Color32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn contrast_is_measured_as_the_guidelines_do() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 1e-9);
        let grey = Color32::from_rgb(0x76, 0x76, 0x76);
        assert!((contrast(grey, Color32::WHITE) - 4.54).abs() < 0.01);
    }

    #[test]
    fn text_can_be_read_on_everything_that_it_lies_on() {
        for (theme, c) in [("dark", &DARK), ("light", &LIGHT)] {
            let grounds = [
                ("panel", c.panel),
                ("well", c.well),
                ("card", c.card),
                ("row_hovered", c.row_hovered),
            ];
            let texts = [
                ("text", c.text),
                ("text_strong", c.text_strong),
                ("text_weak", c.text_weak),
                ("accent", c.accent),
                ("warning", c.warning),
                ("error", c.error),
            ];
            for (ground_name, ground) in grounds {
                for (text_name, text) in texts {
                    let ratio = contrast(text, ground);
                    assert!(
                        ratio >= 4.5,
                        "{theme}: {text_name} on {ground_name}: {ratio:.2}"
                    );
                }
            }
            let buttons = [c.button, c.button_hovered, c.button_active, c.accent_fill];
            for button in buttons {
                let ratio = contrast(c.text_strong, button);
                assert!(ratio >= 4.5, "{theme}: on {button:?}: {ratio:.2}");
            }
            for text in [c.text, c.accent] {
                assert!(
                    contrast(text, c.button) >= 4.5,
                    "{theme}: {text:?} on a button"
                );
            }
        }
    }

    #[test]
    fn what_is_chosen_and_what_is_changed_stands_out_from_its_surroundings() {
        for (theme, c) in [("dark", &DARK), ("light", &LIGHT)] {
            // Marks that carry a meaning of their own: 3 : 1.
            for ground in [c.panel, c.well, c.card, c.button] {
                for mark in c.axes.into_iter().chain([c.accent]) {
                    let ratio = contrast(mark, ground);
                    assert!(ratio >= 3.0, "{theme}: {mark:?} on {ground:?}: {ratio:.2}");
                }
            }
        }
    }

    #[test]
    fn the_theme_that_is_chosen_is_the_one_that_is_shown() {
        let context = egui::Context::default();
        install(&context);
        for (choice, dark) in [(ThemeChoice::Light, false), (ThemeChoice::Dark, true)] {
            context.set_theme(choice.preference());
            context
                .run_ui(egui::RawInput::default(), |ui| {
                    assert_eq!(of(ui).panel, colors(dark).panel);
                    assert_eq!(ui.visuals().panel_fill, colors(dark).panel);
                })
                .drop_without_applying_deltas();
        }
    }
}
