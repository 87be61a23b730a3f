//! Icons of tools on the picture.

use egui::{Color32, Painter, Pos2, Shape, Stroke, vec2};

/// Draws a ruler that lies across, around `middle`.
pub(super) fn ruler(painter: &Painter, middle: Pos2, scale: f32, color: Color32) {
    // Along the ruler, and across it.
    let at = |along: f32, across: f32| {
        let turned = vec2(along + across, across - along) * 0.707;
        middle + turned * scale
    };
    let stroke = Stroke::new(1.4 * scale, color);
    let corners = [(-7.4, -3.0), (7.4, -3.0), (7.4, 3.0), (-7.4, 3.0)];
    let corners = corners.map(|(along, across)| at(along, across));
    painter.add(Shape::closed_line(corners.to_vec(), stroke));
    for (along, long) in [(-3.7, 2.0), (0.0, 3.0), (3.7, 2.0)] {
        painter.line_segment([at(along, -3.0), at(along, long - 3.0)], stroke);
    }
}
