//! A copy of the row that is dragged, under the pointer.

use egui::{Align2, CursorIcon, Id, LayerId, Order, Rect, Stroke, StrokeKind, Ui, vec2};

use super::names::shown;
use super::widgets::cut;
use crate::viewer::theme;

/// Share of the row that hides what is below it.
const OPAQUE: f32 = 0.75;
/// Logical pixels to the left of the name.
const NAME: f32 = 34.0;

/// Draws the row with a name, as wide as its list.
pub(super) fn ui(ui: &Ui, list: Rect, name: &str) {
    let (at, from) = ui.input(|input| {
        let pointer = &input.pointer;
        (pointer.latest_pos(), pointer.press_origin())
    });
    let Some((at, from)) = at.zip(from) else {
        return;
    };
    let colors = theme::of(ui);
    let size = vec2(list.width(), theme::ROW);
    let left = list.left() + at.x - from.x;
    let row = Rect::from_min_size(egui::pos2(left, at.y - theme::ROW / 2.0).round(), size);
    let layer = LayerId::new(Order::Tooltip, Id::unique("row that is dragged"));
    let painter = ui.ctx().layer_painter(layer);
    let fill = colors.accent_fill.gamma_multiply(OPAQUE);
    let edge = Stroke::new(1.0, colors.accent);
    painter.rect(row, 4.0, fill, edge, StrokeKind::Inside);
    let name = shown(name);
    let name = cut(ui, &name, row.width() - 2.0 * NAME);
    let font = egui::TextStyle::Body.resolve(ui.style());
    let place = row.left_center() + vec2(NAME, 0.0);
    painter.text(place, Align2::LEFT_CENTER, name, font, colors.text_strong);
    ui.set_cursor_icon(CursorIcon::Grabbing);
}
