//! The axis of frames: where a frame lies, the ruler, and what wheel and drag do to both.

use egui::{CursorIcon, FontId, Rect, Response, Sense, Shape, Stroke, Ui};
use egui::{WidgetInfo, pos2, vec2};

use pchr::playback::Timeline;

use super::axis::{multiples, round_step};
use crate::viewer::action::{Action, CurvesAction};
use crate::viewer::panels::drag::Drag;
use crate::viewer::panels::picture::ZOOM_PER_POINT;
use crate::viewer::panels::seek::Seek;
use crate::viewer::rounding::narrow;
use crate::viewer::state::State;
use crate::viewer::theme;

/// Height of the ruler.
pub(super) const RULER: f32 = 20.0;
/// Logical pixels that the ends of the axis lie within its room.
const INSET: f32 = 10.0;

/// Frames from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FrameAxis {
    left: f32,
    right: f32,
    from: f64,
    to: f64,
    last: u16,
}

impl FrameAxis {
    /// The frames in sight over the width of a rectangle.
    pub(super) fn new(state: &State, timeline: &Timeline, rect: Rect) -> Self {
        let last = timeline.frame_count.saturating_sub(1);
        let [from, to] = state.curves_view().frames(last);
        let left = rect.left() + INSET;
        Self {
            left,
            right: (rect.right() - INSET).max(left + 1.0),
            from,
            to,
            last,
        }
    }

    /// First and last frame in sight.
    pub(super) fn range(&self) -> [f64; 2] {
        [self.from, self.to]
    }

    /// The same, including the margins.
    pub(super) fn seen(&self) -> [f64; 2] {
        [self.left - INSET, self.right + INSET].map(|x| self.at(x))
    }

    /// Logical pixels.
    pub(super) fn width(&self) -> f32 {
        self.right - self.left
    }

    /// Logical pixels of a frame.
    pub(super) fn pitch(&self) -> f64 {
        f64::from(self.width()) / (self.to - self.from)
    }

    pub(super) fn x(&self, frame: f64) -> f32 {
        let part = (frame - self.from) / (self.to - self.from);
        narrow(f64::from(self.left) + part * f64::from(self.width()))
    }

    /// The frame at a place, not a whole one, and perhaps none of the animation.
    fn at(&self, x: f32) -> f64 {
        let part = f64::from(x - self.left) / f64::from(self.width());
        self.from + part * (self.to - self.from)
    }

    /// The frame of the animation that is nearest to a place.
    pub(super) fn frame_at(&self, x: f32) -> f64 {
        self.at(x).clamp(0.0, self.last.into())
    }

    fn zoomed(&self, factor: f64, x: f32) -> [f64; 2] {
        let at = self.at(x).clamp(self.from, self.to);
        let least = 4.0_f64.min((self.to - self.from).max(1.0));
        let length = ((self.to - self.from) / factor).max(least);
        let part = (at - self.from) / (self.to - self.from);
        [at - part * length, at + (1.0 - part) * length]
    }

    fn moved(&self, by: f32) -> [f64; 2] {
        let by = f64::from(by) / self.pitch();
        let by = by.clamp(self.to - f64::from(self.last.max(1)), self.from);
        [self.from - by, self.to - by]
    }
}

/// The ruler above curves and keys: a click or a drag seeks, with Shift it chooses a section.
pub(super) fn ruler(
    ui: &mut Ui,
    state: &State,
    timeline: &Timeline,
    axis: &FrameAxis,
    rect: Rect,
    actions: &mut Vec<Action>,
) {
    let id = ui.scope_id().with("ruler");
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let position = state.playback().position(state.timelines());
    response.widget_info(|| WidgetInfo::slider(true, position, "Frame, on the ruler"));
    let seek = Seek {
        state,
        timeline,
        frame_at: &|at: egui::Pos2| axis.frame_at(at.x),
    };
    seek.ui(ui, &response, &[], actions);
    wheel(ui, axis, &response, actions);
    let colors = theme::of(ui);
    let line = Stroke::new(1.0, colors.line);
    // Beside it, too, where names and numbers are.
    let wide = rect.with_min_x(ui.max_rect().left());
    ui.painter().rect_filled(wide, 0.0, colors.panel);
    ui.painter()
        .hline(wide.x_range(), rect.bottom() - 0.5, line);
    let painter = ui.painter().with_clip_rect(rect);
    if let Some([from, to]) = state.playback().section {
        let [from, to] = [from, to].map(|frame| axis.x(frame.into()));
        let bar = Rect::from_x_y_ranges(from..=to, rect.bottom() - 3.0..=rect.bottom() - 1.0);
        painter.rect_filled(bar, 0.0, colors.warning);
    }
    let step = frame_step(axis);
    let tick = Stroke::new(1.0, colors.outline);
    let fine = (step / 5.0).max(1.0);
    if fine.fract() == 0.0 && fine * axis.pitch() >= 5.0 {
        for frame in multiples(axis.seen(), fine).filter(|frame| in_clip(*frame, axis)) {
            let x = axis.x(frame);
            painter.vline(x, rect.bottom() - 4.0..=rect.bottom() - 1.0, tick);
        }
    }
    for frame in multiples(axis.seen(), step).filter(|frame| in_clip(*frame, axis)) {
        let x = axis.x(frame);
        painter.vline(x, rect.bottom() - 7.0..=rect.bottom() - 1.0, tick);
        let at = pos2(x + 3.0, rect.top() + 2.0);
        let text = format!("{frame:.0}");
        let font = FontId::proportional(10.5);
        let galley = painter.layout_no_wrap(text, font, colors.text_weak);
        // A number that would be cut is left out.
        if at.x + galley.size().x <= rect.right() {
            painter.galley(at, galley, colors.text_weak);
        }
    }
    let x = axis.x(position);
    let y = rect.bottom() - 1.0;
    let handle = vec![pos2(x - 5.0, y - 8.0), pos2(x + 5.0, y - 8.0), pos2(x, y)];
    painter.add(Shape::convex_polygon(handle, colors.accent, Stroke::NONE));
    if response.has_focus() {
        let ring = Stroke::new(1.5, colors.accent);
        painter.rect_stroke(rect, 0.0, ring, egui::StrokeKind::Inside);
    }
}

/// Round number of frames between numbers on the ruler.
pub(super) fn frame_step(axis: &FrameAxis) -> f64 {
    let [from, to] = axis.range();
    let most = f64::from(axis.width() / 58.0).max(1.0);
    round_step(to - from, most).max(1.0)
}

pub(super) fn in_clip(frame: f64, axis: &FrameAxis) -> bool {
    frame >= 0.0 && frame <= f64::from(axis.last)
}

/// The moment that plays, as a line through curves and keys.
pub(super) fn head(ui: &Ui, state: &State, axis: &FrameAxis, rect: Rect) {
    let position = state.playback().position(state.timelines());
    let x = axis.x(position);
    let stroke = Stroke::new(1.5, theme::of(ui).accent);
    let painter = ui.painter().with_clip_rect(rect);
    painter.vline(x, rect.y_range(), stroke);
}

/// Zooms and moves the frames by the wheel: up and down zooms about the pointer, sideways moves.
pub(super) fn wheel(ui: &Ui, axis: &FrameAxis, response: &Response, actions: &mut Vec<Action>) {
    let Some(pointer) = response.hover_pos() else {
        return;
    };
    let scroll = ui.input(|input| input.smooth_scroll_delta());
    let frames = if scroll.y != 0.0 {
        axis.zoomed((f64::from(scroll.y) * ZOOM_PER_POINT).exp(), pointer.x)
    } else if scroll.x != 0.0 {
        axis.moved(scroll.x)
    } else {
        return;
    };
    actions.push(Action::Curves(CurvesAction::Frames(Some(frames))));
}

/// Zooms the frames about the pointer by the wheel with Ctrl, or by two fingers.
pub(super) fn pinch(ui: &Ui, axis: &FrameAxis, response: &Response, actions: &mut Vec<Action>) {
    let factor = ui.input(|input| f64::from(input.zoom_delta()));
    if let Some(pointer) = response.hover_pos().filter(|_| factor != 1.0) {
        let frames = Some(axis.zoomed(factor, pointer.x));
        actions.push(Action::Curves(CurvesAction::Frames(frames)));
    }
}

/// Moves the frames by a drag.
pub(super) fn drag(ui: &Ui, axis: &FrameAxis, drag: &Drag, actions: &mut Vec<Action>) {
    if drag.by.x != 0.0 {
        let frames = Some(axis.moved(drag.by.x));
        actions.push(Action::Curves(CurvesAction::Frames(frames)));
    }
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
}

/// A key on a frame.
pub(super) fn diamond(at: egui::Pos2, radius: f32, color: egui::Color32, line: Stroke) -> Shape {
    let corners = [
        vec2(0.0, -radius),
        vec2(radius, 0.0),
        vec2(0.0, radius),
        vec2(-radius, 0.0),
    ];
    Shape::convex_polygon(corners.map(|by| at + by).to_vec(), color, line)
}
