//! The line that measures, with its numbers. It lies over the picture; screenshots have none.

use egui::{
    Align2, Color32, Painter, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::names::shown;
use super::widgets::cut;
use crate::viewer::model::Model;
use crate::viewer::rounding::narrow;
use crate::viewer::ruler::{Measured, Ruler};
use crate::viewer::state::State;
use crate::viewer::theme;

/// Half the length of the marks at both ends in logical pixels.
const END: f32 = 6.0;
/// Widest name in logical pixels.
const NAME: f32 = 220.0;
/// Distance of the numbers from the line.
const ASIDE: f32 = 12.0;

pub(super) fn ui(ui: &mut Ui, picture: Rect, state: &State) {
    let Some(ruler) = state.ruler() else {
        return;
    };
    let scale = ui.pixels_per_point();
    let (camera, size) = (state.camera(), state.viewport());
    let on_screen = |at: [f64; 2]| {
        let [x, y] = camera.screen_at(at, size).map(narrow);
        picture.min + vec2(x, y) / scale
    };
    let (from, to) = (on_screen(ruler.from), on_screen(ruler.to));
    let painter = ui.painter().with_clip_rect(picture);
    line(&painter, from, to, ui);
    let [first, second] = in_words(ruler);
    let of = parts(ruler, state);
    label(&painter, ui, [from, to], picture, (&of, &first, &second));
    let whole = Rect::from_two_pos(from, to).expand(END);
    let id = ui.scope_id().with("ruler");
    let sensed = ui.interact(whole.intersect(picture), id, Sense::empty());
    sensed.widget_info(|| {
        let text = format!("Ruler: {of}, {first}, {second}");
        WidgetInfo::labeled(Role::Label, true, text)
    });
}

/// Returns the names of the measured items.
fn parts(ruler: &Ruler, state: &State) -> String {
    let subject = state.model().map(Model::subject);
    let bone = |id| {
        subject
            .and_then(|it| it.bone(id))
            .map(|it| shown(it.name()))
    };
    let name = match ruler.of {
        None => None,
        Some(Measured::Bones([from, to])) => {
            let names = bone(from).zip(bone(to));
            names.map(|(from, to)| format!("{from} → {to}"))
        }
        Some(Measured::Mesh(id)) => {
            let mesh = subject.and_then(|subject| subject.mesh(id));
            mesh.map(|mesh| format!("{}, box", shown(mesh.name())))
        }
    };
    name.unwrap_or_else(|| "on the picture".to_owned())
}

/// Returns length and angle, and the way along each axis.
fn in_words(ruler: &Ruler) -> [String; 2] {
    let [x, y] = ruler.along().map(number);
    let (length, angle) = (number(ruler.length()), ruler.angle());
    [
        format!("{length} px   {angle:.1}°"),
        format!("x {x}   y {y}"),
    ]
}

/// Formats world pixels, with more decimals where they are few.
fn number(pixels: f64) -> String {
    let text = match pixels.abs() {
        large if large >= 1000.0 => format!("{pixels:.0}"),
        large if large >= 10.0 => format!("{pixels:.1}"),
        _ => format!("{pixels:.2}"),
    };
    match text
        .trim_start_matches('-')
        .chars()
        .all(|c| "0.".contains(c))
    {
        true => text.trim_start_matches('-').to_owned(),
        false => text,
    }
}

fn line(painter: &Painter, from: Pos2, to: Pos2, ui: &Ui) {
    let colors = theme::of(ui);
    let along = (to - from).normalized();
    let across = if along == Vec2::ZERO {
        Vec2::UP
    } else {
        along.rot90()
    } * END;
    let ends = [[from - across, from + across], [to - across, to + across]];
    let legs = [[from, pos2(to.x, from.y)], [pos2(to.x, from.y), to]];
    let halo = Color32::from_black_alpha(130);
    for leg in legs {
        painter.line_segment(leg, Stroke::new(2.5, halo.gamma_multiply(0.5)));
        let dashes = egui::Shape::dashed_line(&leg, Stroke::new(1.0, Color32::WHITE), 4.0, 4.0);
        painter.extend(dashes);
    }
    for (width, color) in [(4.0, halo), (2.0, colors.accent)] {
        let stroke = Stroke::new(width, color);
        painter.line_segment([from, to], stroke);
        for end in ends {
            painter.line_segment(end, stroke);
        }
    }
}

/// Draws the numbers beside the middle of the line, within the picture.
fn label(
    painter: &Painter,
    ui: &Ui,
    [from, to]: [Pos2; 2],
    picture: Rect,
    lines: (&str, &str, &str),
) {
    let colors = theme::of(ui);
    let [strong, weak] = [13.0, 12.0].map(egui::FontId::proportional);
    let (of, first, second) = lines;
    let of = cut(ui, of, NAME).into_owned();
    let of = painter.layout_no_wrap(of, weak.clone(), colors.text_weak);
    let first = painter.layout_no_wrap(first.to_owned(), strong, colors.text_strong);
    let second = painter.layout_no_wrap(second.to_owned(), weak, colors.text);
    let width = first.size().x.max(second.size().x).max(of.size().x);
    let height = of.size().y + first.size().y + second.size().y;
    let size = vec2(width + 16.0, height + 12.0);
    // On the side of the line where the legs are not.
    let across = (to - from).rot90();
    let across = match across {
        across if across == Vec2::ZERO => vec2(0.0, 1.0),
        across if (to.x - from.x) * (to.y - from.y) > 0.0 => -across.normalized(),
        across => across.normalized(),
    };
    let reach = across.x.abs() * size.x / 2.0 + across.y.abs() * size.y / 2.0 + ASIDE;
    let middle = from.lerp(to, 0.5) + across * reach;
    let room = picture.shrink2(size / 2.0 + Vec2::splat(4.0));
    let middle = if room.is_positive() {
        room.clamp(middle)
    } else {
        picture.center()
    };
    let card = Align2::CENTER_CENTER.anchor_size(middle, size);
    painter.rect(
        card,
        6.0,
        colors.card,
        Stroke::new(1.0, colors.outline),
        egui::StrokeKind::Inside,
    );
    let at = card.min + vec2(8.0, 6.0);
    let under = of.size().y;
    painter.galley(at, of, colors.text_weak);
    let at = at + vec2(0.0, under);
    let below = at + vec2(0.0, first.size().y);
    painter.galley(at, first, colors.text_strong);
    painter.galley(below, second, colors.text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_decimals_that_they_need_and_no_negative_zero() {
        for (pixels, wanted) in [
            (1234.56, "1235"),
            (123.456, "123.5"),
            (-12.345, "-12.3"),
            (1.234, "1.23"),
            (0.0, "0.00"),
            (-0.001, "0.00"),
        ] {
            assert_eq!(number(pixels), wanted);
        }
    }
}
