//! Tooltips of rows: beside the side panel, so that they cover no row.

use egui::{Rect, RectAlign, Response, Tooltip, Ui};

/// Shows a tooltip to the left of a row, or else to the right of it.
pub(super) fn tip(ui: &Ui, response: &Response, row: Rect, add: impl FnOnce(&mut Ui)) {
    // A row may be wider than what is seen of it.
    let row = row.intersect(ui.clip_rect());
    let mut tip = Tooltip::for_enabled(response);
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
