//! Look of the window: colours, type and spacing in one place.

use egui::epaint::text::FontFamily;
use egui::style::{HandleShape, ScrollAnimation, ScrollStyle, Selection, WidgetVisuals};
use egui::{
    Color32, CornerRadius, FontData, FontDefinitions, FontId, Frame, Margin, Shadow, Stroke,
    TextStyle, Theme, ThemePreference, Ui, Vec2, Visuals,
};

use crate::viewer::interface::Comfort;

/// Returns the colours of the current theme.
pub(crate) fn of(ui: &Ui) -> &'static Colors {
    let panel = ui.visuals().panel_fill;
    let all = Colors::ALL.into_iter();
    let shown = all.into_iter().find(|colors| colors.panel == panel);
    shown.unwrap_or_else(|| colors(ui.visuals().dark_mode))
}

/// Returns the colours of the dark or the light theme at the usual contrast.
pub(crate) fn colors(dark: bool) -> &'static Colors {
    Colors::of(dark, false)
}

/// Returns the choice of a theme after another one.
pub(crate) fn next(choice: ThemePreference) -> ThemePreference {
    match choice {
        ThemePreference::System => ThemePreference::Light,
        ThemePreference::Light => ThemePreference::Dark,
        ThemePreference::Dark => ThemePreference::System,
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

/// Returns the frame of a card with an outline.
pub(crate) fn card(colors: &Colors, radius: u8) -> Frame {
    let stroke = Stroke::new(1.0, colors.outline);
    Frame::new().fill(colors.card).stroke(stroke).corner_radius(radius)
}

/// Seconds that a change of a control takes.
const ANIMATION: f32 = 0.08;

/// Gives a context its contrast and its motion.
pub(crate) fn set_comfort(context: &egui::Context, comfort: Comfort) {
    for (theme, dark) in [(Theme::Dark, true), (Theme::Light, false)] {
        let colors = Colors::of(dark, comfort.more_contrast);
        context.style_mut_of(theme, |style| {
            style.visuals = visuals(colors, dark);
            style.visuals.text_cursor.blink = false;
            (style.animation_time, style.scroll_animation) = match comfort.less_motion {
                true => (0.0, ScrollAnimation::none()),
                false => (ANIMATION, ScrollAnimation::default()),
            };
        });
    }
}

/// Name of Lucide's font and of its family: its private signs are other ones in egui's fonts.
const ICONS: &str = "icons";

/// Family of the icons' font.
pub(super) fn icons() -> FontFamily {
    FontFamily::Name(ICONS.into())
}

/// Returns egui's own fonts as one family: digits have equal widths in its proportional face, so that numbers that
/// change stand still, and no second face is needed for them.
fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let families = &mut fonts.families;
    let mono = families.remove(&FontFamily::Monospace).unwrap_or_default();
    let mut all = families.remove(&FontFamily::Proportional).unwrap_or_default();
    let more: Vec<_> = mono.into_iter().filter(|face| !all.contains(face)).collect();
    all.extend(more); // for signs that the first lacks
    families.insert(icons(), vec![ICONS.to_owned()]);
    families.insert(FontFamily::Monospace, all.clone());
    families.insert(FontFamily::Proportional, all);
    let icons = FontData::from_static(lucide_icons::LUCIDE_FONT_BYTES);
    fonts.font_data.insert(ICONS.to_owned(), icons.into());
    fonts
}

/// Gives a context its colours, type scale and spacing. The fonts are egui's own, and Lucide's for icons.
pub(crate) fn install(context: &egui::Context) {
    context.set_fonts(fonts());
    set_comfort(context, Comfort::default());
    // Shortcuts are defined in one table, and an idle window does no work.
    context.options_mut(|options| {
        options.zoom_with_keyboard = false;
        options.quit_shortcuts.clear();
    });
    context.all_styles_mut(|style| {
        style.text_styles = [
            (TextStyle::Small, FontId::new(11.5, FontFamily::Proportional)),
            (TextStyle::Body, FontId::new(13.0, FontFamily::Proportional)),
            (TextStyle::Button, FontId::new(13.0, FontFamily::Proportional)),
            (TextStyle::Heading, FontId::new(15.0, FontFamily::Proportional)),
            (TextStyle::Monospace, FontId::new(13.0, FontFamily::Monospace)),
        ]
        .into();
        style.drag_value_text_style = TextStyle::Monospace;
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
        spacing.scroll =
            ScrollStyle { bar_width: 8.0, floating_width: 3.0, ..ScrollStyle::floating() };
        style.interaction.tooltip_delay = 0.4;
        style.interaction.selectable_labels = false;
    });
}

fn visuals(colors: &Colors, dark: bool) -> Visuals {
    let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
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
    widgets.hovered = widget(colors.button_hovered, colors.text_strong, colors.button_active);
    widgets.active = widget(colors.button_active, colors.text_strong, Color32::TRANSPARENT);
    widgets.open = widget(colors.button_hovered, colors.text_strong, colors.button_active);
    visuals.selection =
        Selection { bg_fill: colors.accent_fill, stroke: Stroke::new(1.0, colors.text_strong) };
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
    let edge = if colors.is_plain() { colors.outline } else { colors.button_hovered };
    visuals.window_stroke = Stroke::new(1.0, edge);
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
    visuals.disabled_alpha = if colors.is_plain() { 0.6 } else { 0.5 };
    visuals
}

const DARK_CHECKER: [[u8; 3]; 2] = [[0x33, 0x36, 0x3d], [0x2f, 0x32, 0x38]];
const LIGHT_CHECKER: [[u8; 3]; 2] = [[0xe2, 0xe5, 0xea], [0xd8, 0xdc, 0xe2]];

/// The colours of a theme.
#[derive(Debug)]
pub(crate) struct Colors {
    pub panel: Color32,
    /// Lists and fields within panels.
    pub well: Color32,
    /// Cards that float over the picture.
    pub card: Color32,
    /// Lines between panels.
    pub line: Color32,
    pub button: Color32,
    /// Buttons under the pointer.
    pub button_hovered: Color32,
    /// Buttons held down.
    pub button_active: Color32,
    /// Outline of buttons.
    pub outline: Color32,
    /// A row under the pointer.
    pub row_hovered: Color32,
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
    pub warning: Color32,
    pub error: Color32,
    /// The checkerboard behind the character: RGB, even and odd squares.
    pub checker: [[u8; 3]; 2],
    /// Width of the ring around the control that has the keyboard focus, in logical pixels.
    pub ring: f32,
    /// Opacity of cards over the picture: 0 to 1.
    pub opacity: f32,
}

static DARK: Colors = Colors::new(true, false);
static LIGHT: Colors = Colors::new(false, false);
static DARK_MORE: Colors = Colors::new(true, true);
static LIGHT_MORE: Colors = Colors::new(false, true);

impl Colors {
    /// Makes the colours of a theme. Each row has, as `0xrrggbb`, those of the dark and of the light theme, then of both at more
    /// contrast.
    const fn new(dark: bool, more_contrast: bool) -> Self {
        let theme = (dark, more_contrast);
        Self {
            panel: pick(theme, [0x1b1d22, 0xf3f4f7, 0x000000, 0xffffff]),
            well: pick(theme, [0x141519, 0xffffff, 0x000000, 0xffffff]),
            card: pick(theme, [0x252830, 0xffffff, 0x0a0a0c, 0xffffff]),
            line: pick(theme, [0x2e313a, 0xd9dde4, 0x8c929e, 0x6a707c]),
            button: pick(theme, [0x2b2e37, 0xe6e9ee, 0x1a1c20, 0xf0f2f5]),
            button_hovered: pick(theme, [0x383c48, 0xd8dde6, 0x333740, 0xd8dde6]),
            button_active: pick(theme, [0x474c5b, 0xc6cedb, 0x4a505c, 0xbcc5d4]),
            outline: pick(theme, [0x424754, 0xbdc4d0, 0xb4bac6, 0x4a505c]),
            row_hovered: pick(theme, [0x272a32, 0xe2e6ed, 0x24262c, 0xe6eaf0]),
            text: pick(theme, [0xd6d9e0, 0x2a2e37, 0xffffff, 0x000000]),
            text_strong: pick(theme, [0xf4f5f8, 0x0e1116, 0xffffff, 0x000000]),
            text_weak: pick(theme, [0x9da3b1, 0x565d6b, 0xdce0e8, 0x2c313a]),
            accent: pick(theme, [0x6faeff, 0x1a5fc7, 0x8fc8ff, 0x003d99]),
            accent_fill: pick(theme, [0x2b5794, 0xbbd4f8, 0x1d4c94, 0xa8cafa]),
            axes: [
                pick(theme, [0xff6e6e, 0xc8222c, 0xff8a8a, 0xa8101c]),
                pick(theme, [0x5ccb6e, 0x1c7c34, 0x72e084, 0x0e5a22]),
                pick(theme, [0x74a9ff, 0x1b5bd6, 0x8fbcff, 0x0c44b0]),
            ],
            warning: pick(theme, [0xf0b94e, 0x805300, 0xffcc5c, 0x5c3a00]),
            error: pick(theme, [0xff7b72, 0xb3261e, 0xff9d96, 0x8c100c]),
            checker: if dark { DARK_CHECKER } else { LIGHT_CHECKER },
            ring: if more_contrast { 3.0 } else { 2.0 },
            opacity: if more_contrast { 1.0 } else { 0.94 },
        }
    }

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
        if self.is_plain() { self.accent_fill } else { self.accent_fill.gamma_multiply(0.45) }
    }

    /// Returns true at more contrast, where nothing is translucent.
    pub(crate) fn is_plain(&self) -> bool {
        self.opacity >= 1.0
    }
}

/// Returns the colour of a theme, dark or light, at more contrast or not.
const fn pick(theme: (bool, bool), [dark, light, dark_more, light_more]: [u32; 4]) -> Color32 {
    let [_, r, g, b] = match theme {
        (true, false) => dark,
        (false, false) => light,
        (true, true) => dark_more,
        (false, true) => light_more,
    }
    .to_be_bytes();
    Color32::from_rgb(r, g, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the relative luminance, WCAG 2.2.
    fn luminance(color: Color32) -> f64 {
        let [r, g, b, _] = color.to_array().map(|channel| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Returns the contrast ratio, WCAG 2.2.
    fn contrast(a: Color32, b: Color32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Returns all themes with their names.
    fn themes() -> [(&'static str, &'static Colors); 4] {
        let [a, b, c, d] = ["dark", "light", "dark, more contrast", "light, more contrast"];
        let [e, f, g, h] = Colors::ALL;
        [(a, e), (b, f), (c, g), (d, h)]
    }

    /// Checks that all of these marks have this contrast to all of these grounds.
    fn expect_contrast(theme: &str, marks: &[Color32], grounds: &[Color32], least: f64) {
        for ground in grounds {
            for mark in marks {
                let ratio = contrast(*mark, *ground);
                assert!(ratio >= least, "{theme}: {mark:?} on {ground:?}: {ratio:.2}");
            }
        }
    }

    #[test]
    fn text_can_be_read_and_what_is_chosen_or_changed_stands_out() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 1e-9);
        assert!((contrast(Color32::from_gray(0x76), Color32::WHITE) - 4.54).abs() < 0.01);
        for (theme, c) in themes() {
            let texts = [c.text, c.text_strong, c.text_weak, c.accent, c.warning, c.error];
            expect_contrast(theme, &texts, &[c.panel, c.well, c.card, c.row_hovered], 4.5);
            let buttons = [c.button, c.button_hovered, c.button_active, c.accent_fill];
            expect_contrast(theme, &[c.text_strong], &buttons, 4.5);
            expect_contrast(theme, &[c.text, c.accent], &[c.button], 4.5);
            // Marks with their own meaning: 3 : 1.
            let marks = [&c.axes[..], &[c.accent]].concat();
            expect_contrast(theme, &marks, &[c.panel, c.well, c.card, c.button], 3.0);
        }
    }

    #[test]
    fn more_contrast_is_more_than_the_guidelines_ask_for_and_has_no_shades() {
        for dark in [true, false] {
            let c = Colors::of(dark, true);
            let theme = if dark { "dark" } else { "light" };
            let grounds = [c.panel, c.well, c.card, c.row_hovered, c.button];
            let texts = [c.text, c.text_strong, c.text_weak, c.accent, c.warning, c.error];
            expect_contrast(theme, &texts, &grounds, 7.0);
            expect_contrast(theme, &[c.line, c.outline], &grounds, 3.0);
            assert_eq!(c.floating(), c.card);
            assert!(c.floating().is_opaque());
            assert!(c.ring > Colors::of(dark, false).ring);
            // The picture looks the same as before.
            assert_eq!(c.checker, colors(dark).checker);
        }
    }

    #[test]
    fn all_digits_are_as_wide_as_each_other_in_every_style() {
        let context = egui::Context::default();
        install(&context);
        let output = context.run_ui(egui::RawInput::default(), |ui| {
            let styles: Vec<_> = ui.style().text_styles.values().cloned().collect();
            for font in styles {
                let width = |letter| ui.fonts_mut(|fonts| fonts.glyph_width(&font, letter));
                for digit in '1'..='9' {
                    assert_eq!(width(digit), width('0'), "{digit} in {font:?}");
                }
                let other = FontId::proportional(font.size);
                let proportional = ui.fonts_mut(|fonts| fonts.glyph_width(&other, 'm'));
                assert_eq!(width('m'), proportional, "one face");
            }
        });
        output.drop_without_applying_deltas();
    }

    #[test]
    fn theme_contrast_and_motion_are_what_is_asked_for() {
        let context = egui::Context::default();
        install(&context);
        for (choice, dark) in [(ThemePreference::Light, false), (ThemePreference::Dark, true)] {
            context.set_theme(choice);
            let output = context.run_ui(egui::RawInput::default(), |ui| {
                assert_eq!(of(ui).panel, colors(dark).panel);
                assert_eq!(ui.visuals().panel_fill, colors(dark).panel);
            });
            output.drop_without_applying_deltas();
        }
        for (wish, shown) in [
            (Comfort { more_contrast: true, less_motion: true }, (true, 0.0)),
            (Comfort::default(), (false, ANIMATION)),
        ] {
            set_comfort(&context, wish);
            let output = context.run_ui(egui::RawInput::default(), |ui| {
                assert_eq!((of(ui).is_plain(), ui.style().animation_time), shown);
            });
            output.drop_without_applying_deltas();
        }
    }
}
