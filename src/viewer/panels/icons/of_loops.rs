//! Icons for the end of an animation: arrows that go round, stop at a bar, or run between two.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, vec2};

use super::Icon;

/// Draws an icon for the end of an animation.
pub(super) fn paint(painter: &Painter, middle: Pos2, scale: f32, icon: Icon, color: Color32) {
    let at = |x: f32, y: f32| middle + vec2(x, y) * scale;
    let stroke = Stroke::new(1.5 * scale, color);
    let line = |points: &[(f32, f32)]| {
        let points = points.iter().map(|(x, y)| at(*x, *y)).collect();
        painter.add(Shape::line(points, stroke));
    };
    // A head that points right (1) or left (-1).
    let head = |x: f32, y: f32, to: f32| {
        let points = [(0.0, -2.9), (to * 3.6, 0.0), (0.0, 2.9)];
        let points = points.map(|(along, across)| at(x + along, y + across));
        painter.add(Shape::convex_polygon(points.to_vec(), color, Stroke::NONE));
    };
    let bar = |x: f32| {
        let bar = Rect::from_center_size(at(x, 0.0), vec2(1.6, 10.0) * scale);
        painter.rect_filled(bar, 0.0, color);
    };
    match icon {
        Icon::Loop => {
            for to in [1.0, -1.0] {
                let (x, y) = (to * -6.2, to * -3.8);
                line(&[
                    (x, to * -0.2),
                    (x, y + to * 1.8),
                    (x + to * 0.5, y + to * 0.5),
                    (x + to * 1.8, y),
                    (to * 3.2, y),
                ]);
                head(to * 2.9, y, to);
            }
        }
        Icon::PingPong => {
            bar(-6.6);
            bar(6.6);
            line(&[(-2.0, 0.0), (2.0, 0.0)]);
            head(1.2, 0.0, 1.0);
            head(-1.2, 0.0, -1.0);
        }
        _ => {
            line(&[(-6.6, 0.0), (1.0, 0.0)]);
            head(0.4, 0.0, 1.0);
            bar(5.4);
        }
    }
}
