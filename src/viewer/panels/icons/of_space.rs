//! Icons of what is done with bones that move in space.

use egui::{Color32, Painter, Pos2, Shape, Stroke, vec2};

use super::Icon;

/// Draws one of them around `middle`.
pub(super) fn paint(painter: &Painter, middle: Pos2, scale: f32, icon: Icon, color: Color32) {
    let at = |x: f32, y: f32| middle + vec2(x, y) * scale;
    let stroke = Stroke::new(1.5 * scale, color);
    let line = |points: &[(f32, f32)]| {
        let points = points.iter().map(|(x, y)| at(*x, *y)).collect();
        painter.add(Shape::line(points, stroke));
    };
    let dot = |x: f32, y: f32, radius: f32| {
        painter.circle_filled(at(x, y), radius * scale, color);
    };
    match icon {
        Icon::Names => {
            line(&[(-4.8, 5.2), (0.0, -5.6), (4.8, 5.2)]);
            line(&[(-2.9, 1.4), (2.9, 1.4)]);
        }
        Icon::Axes => {
            for (x, y) in [(0.0, -5.8), (5.4, 4.4), (-5.4, 4.4)] {
                line(&[(0.0, 0.8), (x, y)]);
                dot(x, y, 1.7);
            }
        }
        Icon::Grid => {
            for (half, y) in [(3.0, -4.4), (4.6, -0.4), (6.8, 4.8)] {
                line(&[(-half, y), (half, y)]);
            }
            for x in [-1.0, 0.0, 1.0] {
                line(&[(3.0 * x, -4.4), (6.8 * x, 4.8)]);
            }
        }
        Icon::Path => {
            line(&[
                (-6.4, 4.8),
                (-3.8, 4.5),
                (-1.7, 2.9),
                (-0.5, 0.4),
                (0.7, -2.1),
                (2.8, -3.8),
                (5.8, -4.2),
            ]);
            line(&[(3.4, -6.6), (6.0, -4.2), (3.6, -1.7)]);
        }
        Icon::Trail => {
            for (x, y, radius) in [
                (-5.8, 4.2, 0.9),
                (-4.4, 0.4, 1.1),
                (-1.7, -2.6, 1.4),
                (1.9, -3.6, 1.7),
                (5.3, -2.0, 2.1),
            ] {
                dot(x, y, radius);
            }
        }
        Icon::Ghosts => {
            painter.circle_stroke(at(-4.2, 0.0), 3.0 * scale, Stroke::new(scale, color));
            dot(0.0, 0.0, 3.4);
            painter.circle_stroke(at(4.2, 0.0), 3.0 * scale, Stroke::new(scale, color));
        }
        Icon::InPlace => {
            painter.circle_stroke(at(0.0, -2.2), 3.6 * scale, stroke);
            dot(0.0, -2.2, 1.2);
            line(&[(-3.0, 0.0), (0.0, 5.8), (3.0, 0.0)]);
        }
        Icon::ZUp => {
            line(&[(-6.2, -4.4), (-1.2, -4.4), (-6.2, 4.6), (-1.2, 4.6)]);
            line(&[(3.8, 5.2), (3.8, -4.8)]);
            line(&[(1.4, -2.4), (3.8, -4.9), (6.2, -2.4)]);
        }
        Icon::Perspective => {
            let outline = [(-6.0, -6.0), (5.6, -3.0), (5.6, 3.0), (-6.0, 6.0)];
            let outline = outline.map(|(x, y)| at(x, y)).to_vec();
            painter.add(Shape::closed_line(outline, stroke));
            line(&[(-6.0, 0.0), (5.6, 0.0)]);
            line(&[(0.6, -4.2), (0.6, 4.2)]);
        }
        _ => {} // drawn elsewhere
    }
}
