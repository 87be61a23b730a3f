//! Icons, drawn as shapes: crisp at every scale, and independent of fonts.

mod of_loops;
mod of_space;
mod of_tools;

use std::f32::consts::TAU;

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};

/// An icon, named after the effect of its button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Icon {
    Play,
    Pause,
    First,
    Back,
    Forward,
    Last,
    EyeOpen,
    EyeClosed,
    Up,
    Down,
    Left,
    Right,
    Reset,
    Close,
    Copy,
    Warning,
    Backwards,
    Once,
    Loop,
    PingPong,
    More,
    Folder,
    Recent,
    Bones,
    Wireframe,
    Bounds,
    Origin,
    Order,
    LiveOrder,
    Weights,
    Atlas,
    Background,
    Texels,
    YDown,
    Statistics,
    Fit,
    Actual,
    Camera,
    CommandLine,
    Theme,
    Help,
    Search,
    Solo,
    Unfold,
    Names,
    Axes,
    Grid,
    Path,
    Trail,
    Ghosts,
    InPlace,
    ZUp,
    Perspective,
    Curves,
    Ruler,
}

/// Side of the square that icons are designed in.
const SIDE: f32 = 16.0;

/// Draws an icon in the middle of `rect`.
pub(super) fn paint(painter: &Painter, rect: Rect, icon: Icon, color: Color32) {
    let scale = rect.width().min(rect.height()).min(SIDE) / SIDE;
    let middle = rect.center();
    // Designed around the origin, y down, -8..8.
    let at = |x: f32, y: f32| middle + vec2(x, y) * scale;
    let stroke = Stroke::new(1.5 * scale, color);
    let fill = |points: Vec<Pos2>| {
        painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
    };
    let block = |x: f32, wide: f32| {
        let size = vec2(wide, 10.0) * scale;
        let shape = Rect::from_center_size(at(x, 0.0), size);
        painter.rect_filled(shape, scale, color);
    };
    let triangle = |x: f32, half: f32, high: f32| {
        fill(vec![
            at(x - half, -high),
            at(x + half, 0.0),
            at(x - half, high),
        ]);
    };
    let line = |points: &[(f32, f32)]| {
        let points = points.iter().map(|(x, y)| at(*x, *y)).collect();
        painter.add(Shape::line(points, stroke));
    };
    match icon {
        Icon::Play => triangle(0.8, 4.6, 5.6),
        Icon::Pause => {
            block(-2.8, 3.0);
            block(2.8, 3.0);
        }
        Icon::First => {
            block(-4.6, 1.8);
            triangle(1.4, -4.0, 5.0);
        }
        Icon::Back => {
            block(4.0, 1.8);
            triangle(-1.6, -3.2, 4.2);
        }
        Icon::Forward => {
            block(-4.0, 1.8);
            triangle(1.6, 3.2, 4.2);
        }
        Icon::Last => {
            block(4.6, 1.8);
            triangle(-1.4, 4.0, 5.0);
        }
        Icon::EyeOpen => {
            eye_lid(painter, at, -4.2, stroke);
            eye_lid(painter, at, 4.2, stroke);
            painter.circle_filled(middle, 2.1 * scale, color);
        }
        Icon::EyeClosed => {
            eye_lid(painter, at, 3.6, stroke);
            line(&[(0.0, 2.8), (0.0, 5.0)]);
            line(&[(-3.6, 2.0), (-4.8, 3.8)]);
            line(&[(3.6, 2.0), (4.8, 3.8)]);
        }
        Icon::Up => line(&[(-4.0, 2.0), (0.0, -2.0), (4.0, 2.0)]),
        Icon::Down => line(&[(-4.0, -2.0), (0.0, 2.0), (4.0, -2.0)]),
        Icon::Left => line(&[(2.0, -4.0), (-2.0, 0.0), (2.0, 4.0)]),
        Icon::Right => line(&[(-2.0, -4.0), (2.0, 0.0), (-2.0, 4.0)]),
        Icon::Reset => {
            let arc = (0..=18_u8).map(|i| {
                let turn = TAU * (0.16 + 0.76 * f32::from(i) / 18.0);
                at(5.0 * turn.sin(), -5.0 * turn.cos())
            });
            painter.add(Shape::line(arc.rev().collect(), stroke));
            let tip = TAU * 0.92;
            let tip = vec2(5.0 * tip.sin(), -5.0 * tip.cos());
            arrow_head(at, tip, vec2(1.0, -0.35), &fill);
        }
        Icon::Close => {
            line(&[(-3.6, -3.6), (3.6, 3.6)]);
            line(&[(-3.6, 3.6), (3.6, -3.6)]);
        }
        Icon::Copy => {
            let sheet = |x: f32, y: f32| Rect::from_center_size(at(x, y), vec2(7.5, 8.5) * scale);
            line(&[
                (-2.0, 4.6),
                (-5.2, 4.6),
                (-5.2, -5.2),
                (2.4, -5.2),
                (2.4, -3.2),
            ]);
            painter.rect_stroke(sheet(1.8, 1.4), 1.5 * scale, stroke, StrokeKind::Middle);
        }
        Icon::Backwards => triangle(-0.8, -4.6, 5.6),
        Icon::Once | Icon::Loop | Icon::PingPong => {
            of_loops::paint(painter, middle, scale, icon, color)
        }
        Icon::More => {
            for x in [-4.6, 0.0, 4.6] {
                painter.circle_filled(at(x, 0.0), 1.5 * scale, color);
            }
        }
        Icon::Folder => {
            line(&[
                (-6.4, 4.6),
                (-6.4, -4.6),
                (-2.2, -4.6),
                (-0.6, -2.8),
                (6.4, -2.8),
                (6.4, 4.6),
                (-6.4, 4.6),
                (-6.4, 3.0),
            ]);
        }
        Icon::Recent => {
            painter.circle_stroke(middle, 5.8 * scale, stroke);
            line(&[(0.0, -3.4), (0.0, 0.4), (2.6, 1.8)]);
        }
        Icon::Bones => {
            painter.circle_stroke(at(-4.4, 4.4), 1.9 * scale, stroke);
            painter.circle_stroke(at(4.4, -4.4), 1.9 * scale, stroke);
            line(&[
                (-3.2, 3.2),
                (-2.4, 0.0),
                (3.0, -3.0),
                (0.0, 2.4),
                (-3.2, 3.2),
            ]);
        }
        Icon::Wireframe => {
            line(&[
                (-5.6, 5.0),
                (0.0, -5.4),
                (5.6, 5.0),
                (-5.6, 5.0),
                (-4.8, 3.6),
            ]);
            line(&[(-2.8, -0.2), (2.8, -0.2), (0.0, 5.0), (-2.8, -0.2)]);
        }
        Icon::Bounds => {
            for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                line(&[(5.6 * x, 2.4 * y), (5.6 * x, 5.6 * y), (2.4 * x, 5.6 * y)]);
            }
        }
        Icon::Origin => {
            line(&[(-4.4, -6.0), (-4.4, 4.4), (6.0, 4.4)]);
            line(&[(-6.4, -3.6), (-4.4, -6.2), (-2.4, -3.6)]);
            line(&[(3.6, 2.4), (6.2, 4.4), (3.6, 6.4)]);
        }
        Icon::Order => {
            line(&[(-4.6, -2.6), (-3.0, -4.6), (-3.0, 4.6)]);
            line(&[
                (1.0, -3.4),
                (3.0, -4.6),
                (4.8, -3.2),
                (4.6, -1.4),
                (0.8, 4.4),
                (5.2, 4.4),
            ]);
        }
        Icon::LiveOrder => {
            // Rows, and a head up and one down beside them.
            for (y, right) in [(-4.2, 0.4), (0.0, -0.8), (4.2, 0.4)] {
                line(&[(-6.4, y), (right, y)]);
            }
            line(&[(4.4, -5.0), (4.4, 5.0)]);
            line(&[(2.2, -2.8), (4.4, -5.2), (6.6, -2.8)]);
            line(&[(2.2, 2.8), (4.4, 5.2), (6.6, 2.8)]);
        }
        Icon::Weights => {
            painter.circle_stroke(middle, 5.8 * scale, stroke);
            let half = (0..=12_u8).map(|i| {
                let turn = TAU * (0.25 + 0.5 * f32::from(i) / 12.0);
                at(5.4 * turn.cos(), 5.4 * turn.sin())
            });
            fill(half.collect());
        }
        Icon::Atlas => {
            let frame = Rect::from_center_size(middle, vec2(11.0, 11.0) * scale);
            painter.rect_stroke(frame, scale, stroke, StrokeKind::Middle);
            line(&[(0.6, -5.4), (0.6, 1.0), (-5.4, 1.0)]);
            line(&[(0.6, 1.0), (5.4, 1.0)]);
        }
        Icon::Background => {
            let square = |x: f32, y: f32| {
                let shape = Rect::from_center_size(at(x, y), vec2(4.0, 4.0) * scale);
                painter.rect_filled(shape, 0.0, color);
            };
            for (x, y) in [
                (-4.0, -4.0),
                (4.0, -4.0),
                (0.0, 0.0),
                (-4.0, 4.0),
                (4.0, 4.0),
            ] {
                square(x, y);
            }
        }
        Icon::Texels => {
            let steps = [
                (-5.6, 5.6),
                (-5.6, 2.0),
                (-2.0, 2.0),
                (-2.0, -1.8),
                (1.8, -1.8),
                (1.8, -5.6),
                (5.6, -5.6),
            ];
            line(&steps);
        }
        Icon::YDown => {
            line(&[(-5.4, -4.6), (5.4, -4.6)]);
            line(&[(0.0, -4.6), (0.0, 5.4)]);
            line(&[(-3.0, 2.4), (0.0, 5.4), (3.0, 2.4)]);
        }
        Icon::Statistics => {
            for (x, high) in [(-4.4, 4.0), (0.0, 10.0), (4.4, 7.0)] {
                let shape = Rect::from_min_max(at(x - 1.3, 5.0 - high), at(x + 1.3, 5.0));
                painter.rect_filled(shape, 0.5 * scale, color);
            }
        }
        Icon::Fit => {
            for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                line(&[(1.8 * x, 1.8 * y), (5.8 * x, 5.8 * y)]);
                line(&[(5.8 * x, 2.6 * y), (5.8 * x, 5.8 * y), (2.6 * x, 5.8 * y)]);
            }
        }
        Icon::Actual => {
            line(&[(-6.0, -2.6), (-4.6, -4.4), (-4.6, 4.4)]);
            line(&[(3.4, -2.6), (4.8, -4.4), (4.8, 4.4)]);
            painter.circle_filled(at(0.0, -1.8), 1.1 * scale, color);
            painter.circle_filled(at(0.0, 2.4), 1.1 * scale, color);
        }
        Icon::Camera => {
            let frame = Rect::from_min_max(at(-6.6, -3.6), at(6.6, 5.2));
            painter.rect_stroke(frame, 1.5 * scale, stroke, StrokeKind::Middle);
            line(&[(-2.6, -3.6), (-1.4, -5.6), (1.4, -5.6), (2.6, -3.6)]);
            painter.circle_stroke(at(0.0, 0.8), 2.5 * scale, stroke);
        }
        Icon::CommandLine => {
            line(&[(-5.8, -4.2), (-1.6, 0.0), (-5.8, 4.2)]);
            line(&[(0.4, 4.6), (6.0, 4.6)]);
        }
        Icon::Theme => {
            painter.circle_stroke(middle, 2.8 * scale, stroke);
            for i in 0..8_u8 {
                let turn = TAU * f32::from(i) / 8.0;
                let (x, y) = (turn.cos(), turn.sin());
                line(&[(4.8 * x, 4.8 * y), (6.6 * x, 6.6 * y)]);
            }
        }
        Icon::Help => {
            line(&[
                (-2.8, -2.8),
                (-2.2, -4.8),
                (0.0, -5.6),
                (2.2, -4.8),
                (2.8, -2.9),
                (2.0, -1.2),
                (0.0, 0.4),
                (0.0, 2.2),
            ]);
            painter.circle_filled(at(0.0, 5.0), 1.1 * scale, color);
        }
        Icon::Search => {
            painter.circle_stroke(at(-1.4, -1.4), 4.0 * scale, stroke);
            line(&[(1.6, 1.6), (5.6, 5.6)]);
        }
        Icon::Solo => {
            painter.circle_stroke(middle, 5.6 * scale, stroke);
            painter.circle_filled(middle, 2.0 * scale, color);
        }
        Icon::Names
        | Icon::Axes
        | Icon::Grid
        | Icon::Path
        | Icon::Trail
        | Icon::Ghosts
        | Icon::InPlace
        | Icon::ZUp
        | Icon::Perspective => of_space::paint(painter, middle, scale, icon, color),
        Icon::Curves => {
            let arc = |i: u8| {
                let t = f32::from(i) / 16.0;
                at(-5.4 + 10.8 * t, 4.2 - 8.4 * t * t * (3.0 - 2.0 * t))
            };
            painter.add(Shape::line((0..=16).map(arc).collect(), stroke));
            painter.circle_filled(at(-5.4, 4.2), 2.0 * scale, color);
            painter.circle_filled(at(5.4, -4.2), 2.0 * scale, color);
        }
        Icon::Ruler => of_tools::ruler(painter, middle, scale, color),
        Icon::Unfold => line(&[(-2.0, -4.0), (2.0, 0.0), (-2.0, 4.0)]),
        Icon::Warning => {
            let outline = vec![at(0.0, -5.6), at(6.2, 5.0), at(-6.2, 5.0)];
            painter.add(Shape::closed_line(outline, stroke));
            line(&[(0.0, -1.8), (0.0, 1.6)]);
            painter.circle_filled(at(0.0, 3.3), 0.9 * scale, color);
        }
    }
}

/// Draws one lid of an eye: a curve from corner to corner that passes `depth` below the middle.
fn eye_lid(painter: &Painter, at: impl Fn(f32, f32) -> Pos2, depth: f32, stroke: Stroke) {
    let point = |i: u8| {
        let t = f32::from(i) / 12.0 * 2.0 - 1.0;
        at(6.4 * t, depth * (1.0 - t * t))
    };
    painter.add(Shape::line((0..=12).map(point).collect(), stroke));
}

fn arrow_head(at: impl Fn(f32, f32) -> Pos2, tip: Vec2, along: Vec2, fill: &impl Fn(Vec<Pos2>)) {
    let along = along.normalized() * 3.4;
    let across = along.rot90() * 0.8;
    let corner = |offset: Vec2| {
        let Pos2 { x, y } = pos2(tip.x, tip.y) + offset;
        at(x, y)
    };
    fill(vec![corner(along), corner(across), corner(-across)]);
}
