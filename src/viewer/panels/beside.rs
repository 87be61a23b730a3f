//! Tooltips of rows: beside the side panel, so that they cover no row.

use egui::{Rect, RectAlign, Response, Tooltip, Ui};

use super::icons::Icon;
use super::widgets::{Look, icon_control};
use crate::viewer::focus;

/// Shows a tooltip to the left of a row, or else to the right of it.
pub(super) fn tip(ui: &Ui, response: &Response, row: Rect, add: impl FnOnce(&mut Ui)) {
    // A row may be wider than what is seen of it.
    let row = row.intersect(ui.clip_rect());
    let mut tip = if focus::is_tip_due(ui.ctx(), response.id) {
        Tooltip::for_widget(response)
    } else {
        Tooltip::for_enabled(response)
    };
    tip.popup = tip
        .popup
        .anchor(row)
        .align(RectAlign::LEFT_START)
        .align_alternatives(&[RectAlign::LEFT_END, RectAlign::RIGHT_START]);
    tip.gap(6.0).show(add);
}

/// Does the same with a text.
pub(super) fn text(ui: &Ui, response: &Response, row: Rect, text: &str) {
    tip(ui, response, row, |ui| {
        ui.label(text);
    });
}

/// Draws a button with an icon in a row, at which Tab stops if it stops at the row; `name` is for screen readers.
pub(super) fn icon(
    ui: &mut Ui,
    row: &Response,
    (icon, look): (Icon, Look),
    name: &str,
    tip: &str,
) -> Response {
    let look = Look {
        focusable: row.sense.is_focusable(),
        ..look
    };
    let response = icon_control(ui, icon, look, name);
    text(ui, &response, row.rect, tip);
    response
}
