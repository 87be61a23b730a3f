//! Curves of the selected bone: a lane for each kind of numbers, since places, turns and factors have no axis in common.

use std::sync::Arc;

use egui::{
    Align, Align2, Color32, FontId, Label, Layout, Pos2, Rect, RichText, Sense, Shape, Stroke, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};

use pchr::playback::Timeline;
use pchr::scene::{Curve, CurveKind, CurveKinds};

use super::axis::{multiples, number, round_angle, round_step};
use super::frames::{self, FrameAxis, RULER, diamond, frame_step, in_clip};
use super::lane::{Lane, color_of};
use super::readout;
use super::thin::{extent, line, runs};
use crate::viewer::action::{Action, CurvesAction};
use crate::viewer::curves::{CurvesView, name_of};
use crate::viewer::model::Model;
use crate::viewer::panels::animation::shown;
use crate::viewer::panels::drag;
use crate::viewer::panels::picture::ZOOM_PER_POINT;
use crate::viewer::rounding::pixel;
use crate::viewer::state::State;
use crate::viewer::theme::{self, Colors};

/// Width of the names at the left, and of the numbers beside them.
const NAMES: f32 = 62.0;
const GUTTER: f32 = NAMES + 50.0;
/// Height of the lane that shows when a bone is visible.
const STRIP: f32 = 34.0;

/// All that a drawing depends on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    revision: u64,
    rect: Rect,
    axis: FrameAxis,
    shown: CurveKinds,
    values: [Option<[f64; 2]>; CurveKind::ALL.len()],
    dark: bool,
}

/// A drawing that is kept until something that it depends on changes.
#[derive(Debug)]
struct Drawing {
    key: Key,
    lanes: Vec<Lane>,
    shapes: Vec<(Rect, Shape)>,
    /// True if keys lie too close to be told apart.
    leaves_out: bool,
    texts: Vec<(Pos2, Align2, String, Color32)>,
}

pub(super) fn ui(
    ui: &mut Ui,
    state: &State,
    model: &Model,
    timeline: &Timeline,
    rect: Rect,
    actions: &mut Vec<Action>,
) {
    let (top, mut plot) = rect.split_top_bottom_at_y(rect.top() + RULER);
    plot.min.x += GUTTER;
    let axis = FrameAxis::new(state, timeline, plot);
    frames::ruler(
        ui,
        state,
        timeline,
        &axis,
        Rect::from_x_y_ranges(plot.x_range(), top.y_range()),
        actions,
    );
    let response = ui.interact(plot, ui.scope_id().with("plot"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| {
        let bone = state.chosen_bone();
        let bone = bone.and_then(|bone| model.subject().bone(bone));
        let name = shown(bone.map_or("", |bone| bone.name()));
        WidgetInfo::labeled(egui::Role::Image, true, format!("Curves of {name}"))
    });
    let view = state.curves_view();
    let key = Key {
        revision: state.tracks().revision(),
        rect: plot,
        axis,
        shown: view.shown,
        values: CurveKind::ALL.map(|kind| view.values(kind)),
        dark: ui.visuals().dark_mode,
    };
    let drawing = drawing(ui, state, key);
    let painter = ui.painter().with_clip_rect(rect);
    for (clip, shape) in &drawing.shapes {
        painter.with_clip_rect(*clip).add(shape.clone());
    }
    for (at, anchor, text, color) in &drawing.texts {
        painter.text(*at, *anchor, text, FontId::proportional(10.5), *color);
    }
    if drawing.leaves_out {
        let left = rect.left()..=plot.left();
        let builder = UiBuilder::new()
            .max_rect(Rect::from_x_y_ranges(left, top.y_range()))
            .layout(Layout::left_to_right(Align::Center));
        ui.scope_builder(builder, |ui| {
            ui.add_space(8.0);
            let text = RichText::new("Zoom in to see keys").size(10.5);
            ui.add(Label::new(text.color(theme::of(ui).text_weak)).truncate());
        });
    }
    titles(ui, state, &drawing.lanes);
    if drawing.lanes.is_empty() {
        super::empty(ui, plot, "No curves are shown", "Choose curves above");
    }
    frames::head(ui, state, &axis, plot);
    pointer(ui, view, &axis, &drawing.lanes, &response, actions);
    if let Some(pointer) = response.hover_pos().filter(|_| !response.dragged()) {
        readout::ui(ui, state, timeline, &axis, &drawing.lanes, plot, pointer);
    }
}

/// Zooms, moves and fits.
fn pointer(
    ui: &Ui,
    view: &CurvesView,
    axis: &FrameAxis,
    lanes: &[Lane],
    response: &egui::Response,
    actions: &mut Vec<Action>,
) {
    frames::wheel(ui, axis, response, actions);
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
        let values = CurvesAction::Values(lane.kind, Some(values));
        actions.push(Action::Curves(values));
    }
    if let Some(drag) = drag::of(ui, response) {
        frames::drag(ui, axis, &drag, actions);
        let lane = under(drag.from).filter(|lane| view.values(lane.kind).is_some());
        if let Some(lane) = lane.filter(|_| drag.by.y != 0.0) {
            let by = lane.value_at(0.0) - lane.value_at(drag.by.y);
            let values = lane.range.map(|value| value - by);
            let values = CurvesAction::Values(lane.kind, Some(values));
            actions.push(Action::Curves(values));
        }
    }
    if response.double_clicked() {
        actions.push(Action::Curves(CurvesAction::Fit));
    }
}

/// The drawing of before, or another.
fn drawing(ui: &Ui, state: &State, key: Key) -> Arc<Drawing> {
    let id = ui.scope_id().with("drawing");
    let kept: Option<Arc<Drawing>> = ui.data(|data| data.get_temp(id));
    if let Some(kept) = kept.filter(|kept| kept.key == key) {
        return kept;
    }
    let drawing = Arc::new(draw(state.tracks().curves(), key));
    ui.data_mut(|data| data.insert_temp(id, Arc::clone(&drawing)));
    drawing
}

fn draw(curves: &[Curve], key: Key) -> Drawing {
    let lanes = lanes(curves, &key);
    let colors = theme::colors(key.dark);
    let mut drawing = Drawing {
        lanes: Vec::new(),
        shapes: Vec::new(),
        leaves_out: false,
        texts: Vec::new(),
        key,
    };
    drawing.frame_grid(colors);
    for lane in &lanes {
        drawing.value_grid(lane, colors);
    }
    for lane in &lanes {
        for curve in curves.iter().filter(|curve| curve.kind == lane.kind) {
            drawing.curve(curve, lane, color_of(curve, colors));
        }
    }
    drawing.lanes = lanes;
    drawing
}

/// Shares the height out.
fn lanes(curves: &[Curve], key: &Key) -> Vec<Lane> {
    let all = CurveKind::ALL.into_iter();
    let has = |kind: &CurveKind| curves.iter().any(|curve| curve.kind == *kind);
    let kinds: Vec<CurveKind> = all
        .filter(|kind| key.shown.has(*kind))
        .filter(has)
        .collect();
    let strips = kinds.iter().filter(|kind| **kind == CurveKind::Visible);
    let strips = strips.count();
    let others = u8::try_from(kinds.len().saturating_sub(strips)).unwrap_or(u8::MAX);
    let height = key.rect.height();
    let strip = match (strips, others) {
        (0, _) => 0.0,
        (_, 0) => height.min(STRIP * 2.0),
        _ => STRIP.min(height / f32::from(others.saturating_add(1))),
    };
    let share = (height - strip) / f32::from(others.max(1));
    let mut top = key.rect.top();
    let lane = |kind: CurveKind| {
        let height = if kind == CurveKind::Visible {
            strip
        } else {
            share
        };
        let rect = Rect::from_x_y_ranges(key.rect.x_range(), top..=top + height);
        top += height;
        Lane {
            kind,
            rect,
            range: range(curves, kind, key),
        }
    };
    kinds.into_iter().map(lane).collect()
}

/// The values that a lane shows: those asked for, or all in sight and a little more.
fn range(curves: &[Curve], kind: CurveKind, key: &Key) -> [f64; 2] {
    if kind == CurveKind::Visible {
        return [-0.1, 1.1];
    }
    if let Some(range) = key.values.get(kind as usize).copied().flatten() {
        return range;
    }
    let of_kind = curves.iter().filter(|curve| curve.kind == kind);
    let extents = of_kind.filter_map(|curve| extent(&curve.values, key.axis.range()));
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

impl Drawing {
    fn add(&mut self, clip: Rect, shape: impl Into<Shape>) {
        self.shapes.push((clip, shape.into()));
    }

    fn frame_grid(&mut self, colors: &Colors) {
        let (rect, axis) = (self.key.rect, self.key.axis);
        let grid = Stroke::new(1.0, colors.line.gamma_multiply(0.6));
        for frame in multiples(axis.seen(), frame_step(&axis)) {
            if in_clip(frame, &axis) {
                self.add(rect, Shape::vline(axis.x(frame), rect.y_range(), grid));
            }
        }
        let edge = Stroke::new(1.0, colors.line);
        let wide = rect.expand(1.0);
        self.add(wide, Shape::vline(rect.left(), rect.y_range(), edge));
    }

    fn value_grid(&mut self, lane: &Lane, colors: &Colors) {
        let rect = lane.rect;
        let [low, high] = lane.range;
        let most = f64::from(rect.height() / 26.0).max(1.0);
        let step = match lane.kind {
            CurveKind::Rotation => round_angle(high - low, most),
            CurveKind::Order | CurveKind::Visible => round_step(high - low, most).max(1.0),
            _ => round_step(high - low, most),
        };
        let grid = Stroke::new(1.0, colors.line.gamma_multiply(0.6));
        let zero = Stroke::new(1.0, colors.outline);
        for value in multiples(lane.range, step) {
            let y = lane.y(value);
            let stroke = if value == 0.0 { zero } else { grid };
            self.add(rect, Shape::hline(rect.x_range(), y, stroke));
            // A number that would reach into the next lane is left out; a word is moved.
            let room = rect.shrink2(vec2(0.0, 7.0)).y_range();
            if lane.kind != CurveKind::Visible && !room.contains(y) {
                continue;
            }
            let y = y.clamp(room.min, room.max.max(room.min));
            let text = match lane.kind {
                CurveKind::Visible if value == 0.0 => "hidden".to_owned(),
                CurveKind::Visible => "shown".to_owned(),
                CurveKind::Rotation => format!("{}°", number(value, step)),
                _ => number(value, step),
            };
            let at = pos2(rect.left() - 6.0, y);
            self.texts
                .push((at, Align2::RIGHT_CENTER, text, colors.text_weak));
        }
        let edge = Stroke::new(1.0, colors.line);
        let whole = Rect::from_min_max(pos2(rect.left() - GUTTER, rect.top()), rect.max);
        let bottom = Shape::hline(whole.x_range(), rect.bottom() - 0.5, edge);
        self.add(whole, bottom);
    }

    fn curve(&mut self, curve: &Curve, lane: &Lane, color: Color32) {
        let axis = self.key.axis;
        let columns = usize::try_from(pixel(axis.width())).unwrap_or(1);
        let mut points = Vec::new();
        line(&curve.values, axis.seen(), columns, &mut points);
        let stroke = Stroke::new(1.5, color);
        let steps = curve.kind.jumps();
        for run in points.split(|[_, value]| value.is_nan()) {
            let mut path: Vec<Pos2> = Vec::with_capacity(run.len().saturating_mul(2));
            for [frame, value] in run {
                let at = pos2(axis.x(*frame), lane.y(*value));
                if let Some(before) = path.last().filter(|_| steps) {
                    path.push(pos2(at.x, before.y));
                }
                path.push(at);
            }
            match path.as_slice() {
                [] => {}
                [one] => self.add(lane.rect, Shape::circle_filled(*one, 2.0, color)),
                _ => self.add(lane.rect, Shape::line(path, stroke)),
            }
        }
        let keys = curve.keys.as_deref().unwrap_or_default();
        let gap = 6.0 / axis.pitch();
        let edge = Stroke::new(1.0, theme::colors(self.key.dark).well);
        let mut found = Vec::new();
        runs(keys, |key| *key, axis.seen(), gap, |run| found.push(run));
        // Of keys that would lie over each other the first and the last.
        for [first, last] in found {
            self.leaves_out |= last.saturating_sub(first) > 1;
            for frame in [first, last] {
                let Some(value) = curve.values.get(usize::from(frame)) else {
                    continue;
                };
                let at = pos2(axis.x(frame.into()), lane.y(f64::from(*value)));
                self.add(lane.rect, diamond(at, 4.0, color, edge));
            }
        }
    }
}

/// Names of the curves in their colours, at the left of each lane: two lines, or as many as there is room for.
fn titles(ui: &Ui, state: &State, lanes: &[Lane]) {
    let colors = theme::of(ui);
    let curves = state.tracks().curves();
    let font = FontId::proportional(10.5);
    for lane in lanes {
        let rect = lane.rect;
        let names = Rect::from_min_max(pos2(rect.left() - GUTTER, rect.top()), rect.left_bottom());
        let painter = ui.painter().with_clip_rect(names);
        let mut at = names.left_top() + egui::vec2(10.0, 3.0);
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
        at = names.left_top() + egui::vec2(10.0, 16.0);
        let of_kind = curves.iter().filter(|curve| curve.kind == lane.kind);
        for curve in of_kind.filter(|curve| matches!(curve.name, "x" | "y" | "z")) {
            text(&mut at, curve.name, color_of(curve, colors));
        }
    }
}
