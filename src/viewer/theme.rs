//! How the window looks: colours, type and spacing in one place.

use egui::epaint::text::FontFamily;
use egui::style::{HandleShape, ScrollStyle, Selection, WidgetVisuals};
use egui::{
    Color32, CornerRadius, FontId, Margin, Shadow, Stroke, TextStyle, Theme, Vec2, Visuals,
};

/// Panels.
pub(crate) const PANEL: Color32 = Color32::from_rgb(0x1b, 0x1d, 0x22);
/// Lists and fields within panels.
pub(crate) const WELL: Color32 = Color32::from_rgb(0x14, 0x15, 0x19);
/// Cards that float over the picture.
pub(crate) const CARD: Color32 = Color32::from_rgb(0x25, 0x28, 0x30);
/// Lines between panels.
pub(crate) const LINE: Color32 = Color32::from_rgb(0x2e, 0x31, 0x3a);
/// Buttons.
pub(crate) const BUTTON: Color32 = Color32::from_rgb(0x2b, 0x2e, 0x37);
/// Buttons under the pointer.
pub(crate) const BUTTON_HOVERED: Color32 = Color32::from_rgb(0x38, 0x3c, 0x48);
/// Buttons held down.
pub(crate) const BUTTON_ACTIVE: Color32 = Color32::from_rgb(0x47, 0x4c, 0x5b);
/// Their outline.
pub(crate) const OUTLINE: Color32 = Color32::from_rgb(0x42, 0x47, 0x54);
/// A row under the pointer.
pub(crate) const ROW_HOVERED: Color32 = Color32::from_rgb(0x23, 0x26, 0x2d);
/// What is read.
pub(crate) const TEXT: Color32 = Color32::from_rgb(0xd6, 0xd9, 0xe0);
/// What stands out.
pub(crate) const TEXT_STRONG: Color32 = Color32::from_rgb(0xf4, 0xf5, 0xf8);
/// What is secondary.
pub(crate) const TEXT_WEAK: Color32 = Color32::from_rgb(0x96, 0x9c, 0xaa);
/// What is chosen or changed.
pub(crate) const ACCENT: Color32 = Color32::from_rgb(0x6f, 0xae, 0xff);
/// The background of what is chosen.
pub(crate) const ACCENT_FILL: Color32 = Color32::from_rgb(0x2b, 0x57, 0x94);
/// Warnings.
pub(crate) const WARNING: Color32 = Color32::from_rgb(0xf0, 0xb9, 0x4e);
/// Errors.
pub(crate) const ERROR: Color32 = Color32::from_rgb(0xff, 0x7b, 0x72);
/// The checkerboard behind the character.
pub(crate) const CHECKER_EVEN: Color32 = Color32::from_rgb(0x33, 0x36, 0x3d);
/// Its other squares.
pub(crate) const CHECKER_ODD: Color32 = Color32::from_rgb(0x2f, 0x32, 0x38);

/// Which theme is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ThemeChoice {
    /// The system's.
    #[default]
    System,
    Light,
    Dark,
}

impl ThemeChoice {
    /// The one after this.
    pub(crate) fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// What choosing it is called.
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
/// Space between groups of things.
pub(crate) const GAP: f32 = 12.0;

const RADIUS: CornerRadius = CornerRadius::same(5);

/// Small capitals above a group of controls.
pub(crate) fn section(text: &str) -> egui::RichText {
    egui::RichText::new(text.to_uppercase())
        .size(11.0)
        .extra_letter_spacing(0.6)
        .color(TEXT_WEAK)
}

/// What the surface is cleared to.
pub(crate) fn clear_color() -> wgpu::Color {
    let [r, g, b, _] = PANEL.to_array().map(|channel| f64::from(channel) / 255.0);
    wgpu::Color { r, g, b, a: 1.0 }
}

/// Gives a context its colours, type scale and spacing. The fonts are egui's own.
pub(crate) fn install(context: &egui::Context) {
    context.set_theme(Theme::Dark);
    context.all_styles_mut(|style| {
        style.visuals = visuals();
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

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    let widget = |fill: Color32, text: Color32, line: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius: RADIUS,
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    let widgets = &mut visuals.widgets;
    widgets.noninteractive = widget(PANEL, TEXT, LINE);
    widgets.inactive = widget(BUTTON, TEXT, OUTLINE);
    widgets.hovered = widget(BUTTON_HOVERED, TEXT_STRONG, BUTTON_ACTIVE);
    widgets.active = widget(BUTTON_ACTIVE, TEXT_STRONG, Color32::TRANSPARENT);
    widgets.open = widget(BUTTON_HOVERED, TEXT_STRONG, BUTTON_ACTIVE);
    visuals.selection = Selection {
        bg_fill: ACCENT_FILL,
        stroke: Stroke::new(1.0, TEXT_STRONG),
    };
    visuals.hyperlink_color = ACCENT;
    visuals.weak_text_color = Some(TEXT_WEAK);
    visuals.warn_fg_color = WARNING;
    visuals.error_fg_color = ERROR;
    visuals.extreme_bg_color = WELL;
    visuals.text_edit_bg_color = Some(WELL);
    visuals.faint_bg_color = ROW_HOVERED;
    visuals.code_bg_color = WELL;
    visuals.panel_fill = PANEL;
    visuals.window_fill = CARD;
    visuals.window_stroke = Stroke::new(1.0, BUTTON_HOVERED);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    let shadow = Shadow {
        offset: [0, 6],
        blur: 20,
        spread: 0,
        color: Color32::from_black_alpha(110),
    };
    visuals.window_shadow = shadow;
    visuals.popup_shadow = shadow;
    visuals.slider_trailing_fill = true;
    visuals.handle_shape = HandleShape::Circle;
    visuals.disabled_alpha = 0.4;
    visuals
}
