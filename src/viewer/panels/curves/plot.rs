//! Curves of the selected bone: a lane for each kind of numbers, since places, turns and factors have no axis in common.

use egui::text::LayoutJob;
use egui::{
    Align2, Color32, FontId, Label, Painter, Pos2, Rect, RichText, Sense, Stroke, StrokeKind,
    TextFormat, Ui, WidgetInfo, pos2, vec2,
};

use pchr::playback::Timeline;
use pchr::scene::{Curve, CurveKind};

use super::frames::{
    self, FrameAxis, extent, line, multiples, number, round_angle, round_step, runs,
};
use crate::viewer::action::CurvesAction;
use crate::viewer::curves::{CurvesView, name_of};
use crate::viewer::interface::{narrow, pixel};
use crate::viewer::model::Model;
use crate::viewer::panels::Panels;
use crate::viewer::panels::playback::time_line::diamond;
use crate::viewer::panels::pointer_and_wheel::{ZOOM_PER_POINT, drag_of};
use crate::viewer::panels::widgets::{bone_name, fixed, inside, shown};
use crate::viewer::state::State;
use crate::viewer::theme;
use crate::viewer::theme::Colors;

/// Width of the names at the left, and of the numbers beside them.
const NAMES: f32 = 62.0;
pub(super) const GUTTER: f32 = NAMES + 50.0;
/// Height of the lane that shows when a bone is visible.
const STRIP: f32 = 34.0;

pub(super) fn ui(ui: &mut Ui, state: &Panels<'_>, model: &Model, timeline: &Timeline, rect: Rect) {
    let (axis, plot) = frames::ruler(ui, state, timeline, rect, GUTTER);
    let top = rect.with_max_y(plot.top());
    let response = ui.interact(plot, ui.scope_id().with("plot"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| {
        let name = state.chosen_bone().map_or_else(|| shown(""), |bone| bone_name(model, bone));
        WidgetInfo::labeled(egui::Role::Image, true, format!("Curves of {name}"))
    });
    let view = state.curves_view();
    let lanes = lanes(&state.tracks().curves, view, &axis, plot);
    if draw(ui, state, &axis, &lanes, plot) {
        let left = Rect::from_x_y_ranges(rect.left()..=plot.left(), top.y_range());
        inside(ui, left, |ui| {
            ui.add_space(8.0);
            let text = RichText::new("Zoom in to see keys").size(10.5);
            ui.add(Label::new(text.color(theme::of(ui).text_weak)).truncate());
        });
    }
    titles(ui, state, &lanes);
    if lanes.is_empty() {
        super::empty(ui, plot, "No curves are shown", "Choose curves above");
    }
    frames::head(ui, state, &axis, plot);
    pointer(ui, (state, view), &axis, &lanes, &response);
    if let Some(pointer) = response.hover_pos().filter(|_| !response.dragged()) {
        readout(ui, state, &axis, &lanes, plot, pointer);
    }
}

/// Zooms, moves and fits.
fn pointer(
    ui: &Ui,
    (state, view): (&Panels<'_>, &CurvesView),
    axis: &FrameAxis,
    lanes: &[Lane],
    response: &egui::Response,
) {
    frames::wheel(ui, axis, response, state);
    let under = |at: Pos2| lanes.iter().find(|lane| lane.rect.y_range().contains(at.y));
    let factor = ui.input(|input| f64::from(input.zoom_delta()));
    if factor != 1.0
        && let Some(pointer) = response.hover_pos()
        && let Some(lane) = under(pointer).filter(|lane| lane.kind != CurveKind::Visible)
    {
        let at = lane.value_at(pointer.y);
        // egui's own steps of Ctrl and wheel are those of the wheel.
        let factor = factor.powf(ZOOM_PER_POINT * 200.0);
        let values = lane.range.map(|value| at + (value - at) / factor);
        state.push(CurvesAction::Values(lane.kind, Some(values)));
    }
    if let Some(drag) = drag_of(ui, state, response) {
        frames::drag(ui, axis, &drag, state);
        let lane = under(drag.from).filter(|lane| view.values(lane.kind).is_some());
        if let Some(lane) = lane.filter(|_| drag.by.y != 0.0) {
            let by = lane.value_at(0.0) - lane.value_at(drag.by.y);
            let values = lane.range.map(|value| value - by);
            state.push(CurvesAction::Values(lane.kind, Some(values)));
        }
    }
    state.push_if(response.double_clicked(), CurvesAction::Fit);
}

/// Draws the grid and the curves. Returns true if keys lie too close to be told apart.
fn draw(ui: &Ui, state: &State, axis: &FrameAxis, lanes: &[Lane], plot: Rect) -> bool {
    let colors = theme::of(ui);
    frames::grid(ui, axis, plot);
    for lane in lanes {
        lane.grid(ui, colors);
    }
    let mut leaves_out = false;
    for lane in lanes {
        let painter = ui.painter().with_clip_rect(lane.rect);
        for curve in &state.tracks().curves {
            if curve.kind == lane.kind {
                leaves_out |= lane.curve(&painter, curve, axis, colors);
            }
        }
    }
    leaves_out
}

/// Shares the height out.
fn lanes(curves: &[Curve], view: &CurvesView, axis: &FrameAxis, plot: Rect) -> Vec<Lane> {
    let all = CurveKind::ALL.into_iter();
    let has = |kind: &CurveKind| curves.iter().any(|curve| curve.kind == *kind);
    let kinds: Vec<CurveKind> = all.filter(|kind| view.shown.has(*kind)).filter(has).collect();
    let strips = kinds.iter().filter(|kind| **kind == CurveKind::Visible);
    let strips = strips.count();
    let others = u8::try_from(kinds.len().saturating_sub(strips)).unwrap_or(u8::MAX);
    let height = plot.height();
    let strip = match (strips, others) {
        (0, _) => 0.0,
        (_, 0) => height.min(STRIP * 2.0),
        _ => STRIP.min(height / f32::from(others.saturating_add(1))),
    };
    let share = (height - strip) / f32::from(others.max(1));
    let mut top = plot.top();
    let lane = |kind: CurveKind| {
        let height = if kind == CurveKind::Visible { strip } else { share };
        let rect = Rect::from_x_y_ranges(plot.x_range(), top..=top + height);
        top += height;
        Lane { kind, rect, range: range(curves, kind, view, axis) }
    };
    kinds.into_iter().map(lane).collect()
}

/// The values that a lane shows: those asked for, or all in sight and a little more.
fn range(curves: &[Curve], kind: CurveKind, view: &CurvesView, axis: &FrameAxis) -> [f64; 2] {
    if kind == CurveKind::Visible {
        return [-0.1, 1.1];
    }
    if let Some(range) = view.values(kind) {
        return range;
    }
    let of_kind = curves.iter().filter(|curve| curve.kind == kind);
    let extents = of_kind.filter_map(|curve| extent(&curve.values, axis.range()));
    let union = extents.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]);
    let [low, high] = union.unwrap_or([0.0, 1.0]);
    let least = match kind {
        CurveKind::Rotation | CurveKind::Order => 2.0,
        CurveKind::Scale => 0.1,
        _ => 1.0,
    };
    // Variation no larger than rounding is drawn as a straight line.
    let least = (low.abs().max(high.abs()) * 1e-5).max(least);
    let middle = f64::midpoint(low, high);
    let half = ((high - low) * 0.54).max(least * 0.5);
    [middle - half, middle + half]
}

/// Numbers of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lane {
    kind: CurveKind,
    rect: Rect,
    /// Values at the bottom and at the top.
    range: [f64; 2],
}

impl Lane {
    /// Place of a value.
    fn y(&self, value: f64) -> f32 {
        let [low, high] = self.range;
        let rect = self.rect.shrink2(vec2(0.0, 5.0));
        let part = (value - low) / (high - low);
        let y = f64::from(rect.bottom()) - part * f64::from(rect.height());
        // Far out of sight is far enough.
        narrow(y.clamp(-1e4, 1e5))
    }

    /// Value at a place.
    fn value_at(&self, y: f32) -> f64 {
        let [low, high] = self.range;
        let rect = self.rect.shrink2(vec2(0.0, 5.0));
        low + f64::from((rect.bottom() - y) / rect.height()) * (high - low)
    }

    /// Draws lines at round values, and the values beside them.
    fn grid(&self, ui: &Ui, colors: &Colors) {
        let rect = self.rect;
        let painter = ui.painter();
        let inside = painter.with_clip_rect(rect);
        let [low, high] = self.range;
        let most = f64::from(rect.height() / 26.0).max(1.0);
        let step = match self.kind {
            CurveKind::Rotation => round_angle(high - low, most),
            CurveKind::Order | CurveKind::Visible => round_step(high - low, most).max(1.0),
            _ => round_step(high - low, most),
        };
        let grid = Stroke::new(1.0, colors.line.gamma_multiply(0.6));
        let zero = Stroke::new(1.0, colors.outline);
        for value in multiples(self.range, step) {
            let y = self.y(value);
            let stroke = if value == 0.0 { zero } else { grid };
            inside.hline(rect.x_range(), y, stroke);
            // A number that would reach into the next lane is left out; a word is moved.
            let room = rect.shrink2(vec2(0.0, 7.0)).y_range();
            if self.kind != CurveKind::Visible && !room.contains(y) {
                continue;
            }
            let y = y.clamp(room.min, room.max.max(room.min));
            let text = match self.kind {
                CurveKind::Visible if value == 0.0 => "hidden".to_owned(),
                CurveKind::Visible => "shown".to_owned(),
                CurveKind::Rotation => format!("{}°", number(value, step)),
                _ => number(value, step),
            };
            let (at, font) = (pos2(rect.left() - 6.0, y), FontId::proportional(10.5));
            painter.text(at, Align2::RIGHT_CENTER, text, font, colors.text_weak);
        }
        let whole = rect.left() - GUTTER..=rect.right();
        painter.hline(whole, rect.bottom() - 0.5, Stroke::new(1.0, colors.line));
    }

    /// Draws a curve with its keys. Returns true if keys lie too close to be told apart.
    fn curve(&self, painter: &Painter, curve: &Curve, axis: &FrameAxis, colors: &Colors) -> bool {
        let color = color_of(curve, colors);
        let columns = usize::try_from(pixel(axis.width())).unwrap_or(1);
        let mut points = Vec::new();
        line(&curve.values, axis.seen(), columns, &mut points);
        let steps = curve.kind.jumps();
        for run in points.split(|[_, value]| value.is_nan()) {
            let mut path: Vec<Pos2> = Vec::with_capacity(run.len().saturating_mul(2));
            for [frame, value] in run {
                let at = pos2(axis.x(*frame), self.y(*value));
                if let Some(before) = path.last().filter(|_| steps) {
                    path.push(pos2(at.x, before.y));
                }
                path.push(at);
            }
            match path.as_slice() {
                [] => {}
                [one] => {
                    painter.circle_filled(*one, 2.0, color);
                }
                _ => {
                    painter.line(path, Stroke::new(1.5, color));
                }
            }
        }
        let keys = curve.keys.as_deref().unwrap_or_default();
        let edge = Stroke::new(1.0, colors.well);
        let mut leaves_out = false;
        // Of keys that would lie over each other the first and the last.
        let draw = |[first, last]: [u16; 2]| {
            leaves_out |= last.saturating_sub(first) > 1;
            for frame in [first, last] {
                if let Some(value) = curve.values.get(usize::from(frame)) {
                    let at = pos2(axis.x(frame.into()), self.y(f64::from(*value)));
                    painter.add(diamond(at, 4.0, color, edge));
                }
            }
        };
        runs(keys, |key| *key, axis.seen(), 6.0 / axis.pitch(), draw);
        leaves_out
    }
}

/// Colour of a number: that of its axis; a turn in the plane is one about z.
fn color_of(curve: &Curve, colors: &Colors) -> Color32 {
    let [x, y, z] = colors.axes;
    match (curve.kind, curve.name) {
        (CurveKind::Visible, _) => colors.text_weak,
        (CurveKind::Order, _) => colors.warning,
        (_, "x") => x,
        (_, "y") => y,
        _ => z,
    }
}

/// Names of the curves in their colours, at the left of each lane: two lines, or as many as there is room for.
fn titles(ui: &Ui, state: &State, lanes: &[Lane]) {
    let colors = theme::of(ui);
    let curves = &state.tracks().curves;
    let font = FontId::proportional(10.5);
    for lane in lanes {
        let rect = lane.rect;
        let names = Rect::from_min_max(pos2(rect.left() - GUTTER, rect.top()), rect.left_bottom());
        let painter = ui.painter().with_clip_rect(names);
        let mut at = names.left_top() + vec2(10.0, 3.0);
        let text = |at: &mut Pos2, text: &str, color| {
            let galley = painter.layout_no_wrap(text.to_owned(), font.clone(), color);
            if at.y + galley.size().y > names.bottom() {
                return;
            }
            let width = galley.size().x;
            painter.galley(*at, galley, color);
            at.x += width + 6.0;
        };
        text(&mut at, name_of(lane.kind), colors.text);
        at = names.left_top() + vec2(10.0, 16.0);
        let of_kind = curves.iter().filter(|curve| curve.kind == lane.kind);
        for curve in of_kind.filter(|curve| matches!(curve.name, "x" | "y" | "z")) {
            text(&mut at, curve.name, color_of(curve, colors));
        }
    }
}

/// Shows the values of all curves on the frame at the pointer.
fn readout(ui: &Ui, state: &State, axis: &FrameAxis, lanes: &[Lane], plot: Rect, pointer: Pos2) {
    let colors = theme::of(ui);
    let frame = axis.frame_at(pointer.x).round();
    let painter = ui.painter().with_clip_rect(plot);
    let x = axis.x(frame);
    let line = Stroke::new(1.0, colors.text_weak.gamma_multiply(0.6));
    painter.vline(x, plot.y_range(), line);
    let mut job = LayoutJob::default();
    let font = FontId::monospace(11.0);
    let mut add = |text: &str, color| {
        job.append(text, 0.0, TextFormat::simple(font.clone(), color));
    };
    let seconds = frame / axis.timeline.fps;
    add(&format!("frame {frame:.0}  {seconds:.2} s"), colors.text_strong);
    let index = usize::try_from(pixel(narrow(frame))).unwrap_or(usize::MAX);
    for lane in lanes {
        add(&format!("\n{:<11}", name_of(lane.kind)), colors.text_weak);
        let of_kind = { state.tracks().curves.iter() }.filter(|curve| curve.kind == lane.kind);
        for curve in of_kind {
            let Some(value) = curve.values.get(index) else { continue };
            add(&in_words(curve, *value), color_of(curve, colors));
        }
    }
    let galley = painter.layout_job(job);
    let size = galley.size() + vec2(16.0, 10.0);
    let right = x + 12.0 + size.x <= plot.right();
    let left = if right { x + 12.0 } else { x - 12.0 - size.x };
    let top = (pointer.y - size.y * 0.5)
        .clamp(plot.top() + 2.0, (plot.bottom() - size.y - 2.0).max(plot.top() + 2.0));
    let card = Rect::from_min_size(Pos2::new(left.max(plot.left()), top), size);
    let edge = Stroke::new(1.0, colors.button_hovered);
    painter.rect(card, 5.0, colors.card, edge, StrokeKind::Inside);
    painter.galley(card.min + vec2(8.0, 5.0), galley, colors.text);
}

fn in_words(curve: &Curve, value: f32) -> String {
    match curve.kind {
        CurveKind::Visible if value == 0.0 => "no".to_owned(),
        CurveKind::Visible => "yes".to_owned(),
        CurveKind::Order => fixed(value, 0),
        CurveKind::Rotation if curve.name == "rotation" => format!("{}°", fixed(value, 2)),
        CurveKind::Rotation => format!("{} {}°  ", curve.name, fixed(value, 2)),
        CurveKind::Translation => format!("{} {}  ", curve.name, fixed(value, 2)),
        CurveKind::Scale => format!("{} {}  ", curve.name, fixed(value, 3)),
    }
}
