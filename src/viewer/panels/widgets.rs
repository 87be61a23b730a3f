//! Controls that several panels use.

use egui::{Color32, Response, Role, Sense, Ui, Vec2, WidgetInfo};

use super::icons::{self, Icon};
use crate::viewer::action::{Action, shortcut_of};
use crate::viewer::theme;

/// A button's action in words, with its key.
pub(super) fn tip(ui: &Ui, action: &Action, more: &str) -> String {
    let key = shortcut_of(action).map(|shortcut| ui.ctx().format_shortcut(shortcut));
    let mut tip = action.name().to_owned();
    if let Some(key) = key {
        tip = format!("{tip} ({key})");
    }
    if !more.is_empty() {
        tip = format!("{tip}\n{more}");
    }
    tip
}

/// How an icon button looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub size: Vec2,
    /// `None` for that of text: strong where it is framed, weak where it is not.
    pub color: Option<Color32>,
    /// Whether it has a background when the pointer is elsewhere.
    pub framed: bool,
}

impl Look {
    /// A button that stands on its own.
    pub(super) const BUTTON: Self = Self {
        size: Vec2::new(30.0, 28.0),
        color: None,
        framed: true,
    };
    /// A small one within a row.
    pub(super) const SMALL: Self = Self {
        size: Vec2::new(22.0, 22.0),
        color: None,
        framed: false,
    };

    pub(super) fn color(self, color: Color32) -> Self {
        Self {
            color: Some(color),
            ..self
        }
    }
}

/// A button with an icon; `name` is what a screen reader says, `tip` what a tooltip says.
pub(super) fn icon_button(ui: &mut Ui, icon: Icon, look: Look, name: &str, tip: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(look.size, Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    if ui.is_rect_visible(rect) {
        let visuals = *ui.style().interact(&response);
        let lit = response.hovered() || response.has_focus();
        if look.framed || lit {
            let line = if look.framed {
                visuals.bg_stroke
            } else {
                egui::Stroke::NONE
            };
            let (fill, radius) = (visuals.weak_bg_fill, visuals.corner_radius);
            ui.painter()
                .rect(rect, radius, fill, line, egui::StrokeKind::Inside);
        }
        if response.has_focus() {
            let ring = egui::Stroke::new(1.5, theme::of(ui).accent);
            ui.painter()
                .rect_stroke(rect, visuals.corner_radius, ring, egui::StrokeKind::Inside);
        }
        let colors = theme::of(ui);
        let color = match look.color {
            Some(color) if !lit || color == colors.accent => color,
            None if !lit && look.framed => colors.text,
            None if !lit => colors.text_weak,
            _ => colors.text_strong,
        };
        icons::paint(ui.painter(), rect.shrink(3.0), icon, color);
    }
    response.on_hover_text(tip)
}

/// The title of a group of controls.
pub(super) fn section(ui: &mut Ui, title: &str) {
    ui.label(theme::section(title, theme::of(ui)));
}

/// What a screen reader says of a number that can be dragged.
pub(super) fn name_number(response: &Response, name: &str, value: f64) {
    let enabled = response.enabled();
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::SpinButton, enabled, name);
        info.value = Some(value);
        info
    });
}

/// What a screen reader says of a list to choose from.
pub(super) fn name_combo(response: &Response, name: &str, chosen: &str) {
    let enabled = response.enabled();
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, enabled, name);
        info.current_text_value = Some(chosen.to_owned());
        info
    });
}
