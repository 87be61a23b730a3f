//! The axis of frames: where a frame lies, the ruler, what wheel and drag do to both, and which frames are drawn.

use egui::{CursorIcon, FontId, Rect, Response, Sense, Shape, Stroke, Ui, UiBuilder, pos2};

use pchr::playback::Timeline;

use crate::viewer::action::CurvesAction;
use crate::viewer::interface::narrow;
use crate::viewer::panels::Panels;
use crate::viewer::panels::playback::seek_and_section::Rail;
use crate::viewer::panels::playback::time_line;
use crate::viewer::panels::pointer_and_wheel::{Drag, ZOOM_PER_POINT};
use crate::viewer::state::State;
use crate::viewer::theme;

const RULER: f32 = 32.0;
/// Logical pixels that the ends of the axis lie within its room.
const INSET: f32 = 10.0;

/// Frames from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FrameAxis {
    left: f32,
    right: f32,
    from: f64,
    to: f64,
    pub timeline: Timeline,
}

impl FrameAxis {
    /// The frames in sight over the width of a rectangle.
    fn new(state: &State, timeline: &Timeline, rect: Rect) -> Self {
        let [from, to] = state.curves_view().frames(timeline.frame_count.saturating_sub(1));
        let left = rect.left() + INSET;
        let right = (rect.right() - INSET).max(left + 1.0);
        Self { left, right, from, to, timeline: *timeline }
    }

    fn last(&self) -> u16 {
        self.timeline.frame_count.saturating_sub(1)
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
        self.at(x).clamp(0.0, self.last().into())
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
        let by = by.clamp(self.to - f64::from(self.last().max(1)), self.from);
        [self.from - by, self.to - by]
    }
}

/// Draws the timeline above curves and keys, which is zoomed with them, and begins `names` logical pixels to the right of the left edge.
/// Returns its axis, and the place of curves or keys below it.
pub(super) fn ruler(
    ui: &mut Ui,
    state: &Panels<'_>,
    timeline: &Timeline,
    rect: Rect,
    names: f32,
) -> (FrameAxis, Rect) {
    let (top, mut plot) = rect.split_top_bottom_at_y(rect.top() + RULER);
    plot.min.x += names;
    let axis = FrameAxis::new(state, timeline, plot);
    let rect = Rect::from_x_y_ranges(plot.x_range(), top.y_range());
    let id = ui.scope_id().with("ruler");
    let response = ui.interact(rect, id, Sense::click_and_drag());
    wheel(ui, &axis, &response, state);
    let last = axis.last();
    let [left, right] = [0.0, f64::from(last.max(1))].map(|frame| axis.x(frame));
    let rail = Rail { rect, left, right, last };
    // Beside it, too, where names and numbers are.
    let wide = rect.with_min_x(ui.max_rect().left());
    let line = Stroke::new(1.0, theme::of(ui).line);
    ui.painter().rect_filled(wide, 0.0, theme::of(ui).panel);
    ui.painter().hline(wide.x_range(), rect.bottom() - 0.5, line);
    ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
        ui.shrink_clip_rect(rect);
        time_line::on_rail(ui, state, timeline, &rail, &response, |ui, section| {
            paint(ui, state, &axis, rect, section, &response);
        });
    });
    (axis, plot)
}

/// Draws ticks and numbers, the section that plays, and the handle of the moment.
fn paint(
    ui: &Ui,
    state: &State,
    axis: &FrameAxis,
    rect: Rect,
    section: Option<[f32; 2]>,
    response: &Response,
) {
    let colors = theme::of(ui);
    let painter = ui.painter();
    if let Some([from, to]) = section {
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
        let text = format!("{frame:.0}");
        let font = FontId::proportional(10.5);
        let galley = painter.layout_no_wrap(text, font, colors.text_weak);
        // Within the ruler, however narrow that is.
        let most = rect.right() - galley.size().x;
        let left = (x - galley.size().x / 2.0).min(most).max(rect.left());
        let at = pos2(left, rect.bottom() - 20.0);
        painter.galley(at, galley, colors.text_weak);
    }
    let x = axis.x(state.playback().position(state.timelines()));
    let y = rect.bottom() - 1.0;
    let handle = vec![pos2(x - 5.0, y - 8.0), pos2(x + 5.0, y - 8.0), pos2(x, y)];
    painter.add(Shape::convex_polygon(handle, colors.text_strong, Stroke::NONE));
    if response.has_focus() {
        let ring = Stroke::new(1.5, colors.accent);
        painter.rect_stroke(rect, 0.0, ring, egui::StrokeKind::Inside);
    }
}

/// Round number of frames between numbers on the ruler.
fn frame_step(axis: &FrameAxis) -> f64 {
    let [from, to] = axis.range();
    let most = f64::from(axis.width() / 58.0).max(1.0);
    round_step(to - from, most).max(1.0)
}

fn in_clip(frame: f64, axis: &FrameAxis) -> bool {
    frame >= 0.0 && frame <= f64::from(axis.last())
}

/// Lines through curves and keys at round frames, and the edge at their left.
pub(super) fn grid(ui: &Ui, axis: &FrameAxis, plot: Rect) {
    let colors = theme::of(ui);
    let painter = ui.painter().with_clip_rect(plot.expand(1.0));
    let line = Stroke::new(1.0, colors.line.gamma_multiply(0.6));
    for frame in multiples(axis.seen(), frame_step(axis)).filter(|frame| in_clip(*frame, axis)) {
        painter.vline(axis.x(frame), plot.y_range(), line);
    }
    painter.vline(plot.left(), plot.y_range(), Stroke::new(1.0, colors.line));
}

/// The moment that plays, as a line through curves and keys.
pub(super) fn head(ui: &Ui, state: &State, axis: &FrameAxis, rect: Rect) {
    let position = state.playback().position(state.timelines());
    let x = axis.x(position);
    let stroke = Stroke::new(1.5, theme::of(ui).text_strong);
    let painter = ui.painter().with_clip_rect(rect);
    painter.vline(x, rect.y_range(), stroke);
}

/// Zooms and moves the frames by the wheel: up and down zooms about the pointer, sideways moves.
pub(super) fn wheel(ui: &Ui, axis: &FrameAxis, response: &Response, state: &Panels<'_>) {
    let Some(pointer) = response.hover_pos() else { return };
    let scroll = ui.input(|input| input.smooth_scroll_delta());
    let frames = if scroll.y != 0.0 {
        axis.zoomed((f64::from(scroll.y) * ZOOM_PER_POINT).exp(), pointer.x)
    } else if scroll.x != 0.0 {
        axis.moved(scroll.x)
    } else {
        return;
    };
    state.push(CurvesAction::Frames(Some(frames)));
}

/// Zooms the frames about the pointer by the wheel with Ctrl, or by two fingers.
pub(super) fn pinch(ui: &Ui, axis: &FrameAxis, response: &Response, state: &Panels<'_>) {
    let factor = ui.input(|input| f64::from(input.zoom_delta()));
    if let Some(pointer) = response.hover_pos().filter(|_| factor != 1.0) {
        state.push(CurvesAction::Frames(Some(axis.zoomed(factor, pointer.x))));
    }
}

pub(super) fn drag(ui: &Ui, axis: &FrameAxis, drag: &Drag, state: &Panels<'_>) {
    if drag.by.x != 0.0 {
        state.push(CurvesAction::Frames(Some(axis.moved(drag.by.x))));
    }
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
}

/// Points of a curve as frame and value, so that its picture is that of all points: at most four for each of `columns` pixels. A
/// value that is not a number breaks the line, and is kept as a break.
pub(super) fn line(values: &[f32], [from, to]: [f64; 2], columns: usize, out: &mut Vec<[f64; 2]>) {
    out.clear();
    let (first, end) = frames_in_sight(values.len(), [from, to]);
    let seen = values.get(first..end).unwrap_or_default();
    let columns = columns.max(1);
    if seen.len() <= columns.saturating_mul(2) {
        out.extend((first..).zip(seen).map(point));
        return;
    }
    let width = seen.len().div_ceil(columns);
    for (column, values) in seen.chunks(width).enumerate() {
        let start = first.saturating_add(column.saturating_mul(width));
        let mut numbers = (start..).zip(values).filter(|(_, value)| value.is_finite());
        let Some(one) = numbers.next() else {
            out.push([start_of(start), f64::NAN]);
            continue;
        };
        let (mut low, mut high, mut last) = (one, one, one);
        for at in numbers {
            if at.1 < low.1 {
                low = at;
            }
            if at.1 > high.1 {
                high = at;
            }
            last = at;
        }
        let mut points = [one, low, high, last];
        points.sort_by_key(|(frame, _)| *frame);
        let mut before = None;
        for at in points {
            if before.replace(at.0) != Some(at.0) {
                out.push(point(at));
            }
        }
    }
}

/// The least and the largest value in sight.
pub(super) fn extent(values: &[f32], frames: [f64; 2]) -> Option<[f64; 2]> {
    let (first, end) = frames_in_sight(values.len(), frames);
    let seen = values.get(first..end).unwrap_or_default();
    let numbers = seen.iter().filter(|value| value.is_finite());
    numbers.fold(None, |extent: Option<[f64; 2]>, value| {
        let value = f64::from(*value);
        let [low, high] = extent.unwrap_or([value; 2]);
        Some([low.min(value), high.max(value)])
    })
}

/// Frames of ascending ones that are far enough apart to be seen separately, and runs of closer frames: the first and the last of
/// each. `gap` frames apart is enough. The work grows with the number of gaps in sight, not with the keys.
pub(super) fn runs<T>(
    keys: &[T],
    frame_of: impl Fn(&T) -> u16,
    [from, to]: [f64; 2],
    gap: f64,
    mut found: impl FnMut([u16; 2]),
) {
    let at = |frame: f64| keys.partition_point(|key| f64::from(frame_of(key)) < frame);
    let (mut next, end) = (at(from - gap), at(to + gap + 1.0));
    if gap <= 1.0 {
        for key in keys.get(next..end).unwrap_or_default() {
            found([frame_of(key); 2]);
        }
        return;
    }
    let mut open: Option<[u16; 2]> = None;
    while let Some(key) = keys.get(next).filter(|_| next < end) {
        let first = frame_of(key);
        // All of the pixels that this one covers.
        let after = at(f64::from(first) + gap).max(next.saturating_add(1));
        let last = keys.get(after.saturating_sub(1)).map_or(first, &frame_of);
        open = Some(match open {
            Some([start, before]) if f64::from(first) - f64::from(before) < gap => [start, last],
            Some(run) => {
                found(run);
                [first, last]
            }
            None => [first, last],
        });
        next = after;
    }
    if let Some(run) = open {
        found(run);
    }
}

/// Indices of the frames in sight, with one more at each side.
fn frames_in_sight(count: usize, [from, to]: [f64; 2]) -> (usize, usize) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates"
    )]
    let index = |frame: f64| frame.max(0.0) as usize;
    let first = index((from - 1.0).floor()).min(count);
    let end = index((to + 1.0).ceil()).saturating_add(1).min(count);
    (first, end.max(first))
}

fn point((frame, value): (usize, &f32)) -> [f64; 2] {
    [start_of(frame), f64::from(*value)]
}

/// A frame as a number on the axis.
fn start_of(frame: usize) -> f64 {
    u32::try_from(frame).map_or(f64::MAX, f64::from)
}

/// Returns the smallest round step that fits into `span` at most `most` times: 1, 2 or 5 times a power of ten.
pub(super) fn round_step(span: f64, most: f64) -> f64 {
    let least = span / most.max(1.0);
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let decade = 10.0_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|step| step * decade);
    // Rounding may leave the quotient a hair above the step that is meant.
    let fits = |step: &f64| *step >= least * (1.0 - 1e-9);
    steps.into_iter().find(fits).unwrap_or(10.0 * decade)
}

/// The same for angles in degrees: parts of a turn where there is room for no more.
pub(super) fn round_angle(span: f64, most: f64) -> f64 {
    let least = span / most.max(1.0);
    let parts = [15.0, 30.0, 45.0, 90.0, 180.0, 360.0, 720.0, 1800.0, 3600.0];
    match parts.into_iter().find(|part| *part >= least) {
        Some(part) if least > 10.0 => part,
        _ => round_step(span, most),
    }
}

/// Multiples of `step` within a range; at most a hundred.
pub(super) fn multiples([low, high]: [f64; 2], step: f64) -> impl Iterator<Item = f64> {
    let first = (low / step).ceil();
    let of = move |index: u8| (first + f64::from(index)) * step;
    let all = (0..100).map(of);
    all.take_while(move |value| *value <= high && value.is_finite()).map(|value| value + 0.0) // no minus zero
}

/// A number with the digits that tell it from its neighbours `step` away.
pub(super) fn number(value: f64, step: f64) -> String {
    if value.abs() >= 1e6 || (value != 0.0 && step < 1e-5) {
        return format!("{value:.2e}");
    }
    let digits = (-(step.abs().log10() + 1e-9).floor()).clamp(0.0, 6.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 0 to 6"
    )]
    let digits = digits as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_curve_is_drawn_point_by_point() {
        let mut out = Vec::new();
        line(&[1.0, 2.0, f32::NAN, 4.0], [0.0, 3.0], 100, &mut out);
        assert_eq!(out.len(), 4);
        assert_eq!((out[0], out[3]), ([0.0, 1.0], [3.0, 4.0]));
        assert!(out[2][1].is_nan());
        line(&[], [0.0, 3.0], 100, &mut out);
        assert!(out.is_empty());
    }

    #[test]
    fn a_long_curve_keeps_its_peaks_and_has_few_points() {
        let mut values: Vec<f32> = (0..65_535_u16).map(|i| f32::from(i % 7)).collect();
        values[30_000] = 99.0;
        values[40_001] = -99.0;
        let mut out = Vec::new();
        line(&values, [0.0, 65_534.0], 800, &mut out);
        assert!(out.len() <= 3200, "{}", out.len());
        assert!(out.contains(&[30_000.0, 99.0]));
        assert!(out.contains(&[40_001.0, -99.0]));
        assert!(out.is_sorted_by_key(|point| point[0]));
        assert_eq!(extent(&values, [0.0, 65_534.0]), Some([-99.0, 99.0]));
        assert_eq!(extent(&values, [0.0, 100.0]), Some([0.0, 6.0]));
        assert_eq!(extent(&[f32::NAN], [0.0, 1.0]), None);
        line(&values, [29_990.0, 30_010.0], 800, &mut out);
        assert!(out.len() <= 25, "only what is in sight: {}", out.len());
    }

    #[test]
    fn keys_close_together_are_one_run() {
        let of = |keys: &[u16], frames, gap| {
            let mut all = Vec::new();
            runs(keys, |key| *key, frames, gap, |run| all.push(run));
            all
        };
        let keys = [0, 10, 11, 12, 13, 30, 90];
        assert_eq!(of(&keys, [0.0, 50.0], 3.0), [[0, 0], [10, 13], [30, 30]], "90 is out of sight");
        assert_eq!(of(&keys, [0.0, 90.0], 0.1).len(), 7);
        let every: Vec<u16> = (0..=u16::MAX).collect();
        assert_eq!(of(&every, [0.0, 65_535.0], 80.0), [[0, u16::MAX]]);
        assert_eq!(of(&[], [0.0, 9.0], 2.0), [[0; 2]; 0]);
    }

    #[test]
    fn steps_are_round_and_no_closer_than_asked() {
        for (span, most, step) in [
            (10.0, 10.0, 1.0),
            (10.0, 9.0, 2.0),
            (10.0, 3.0, 5.0),
            (7.0, 1.0, 10.0),
            (0.03, 3.0, 0.01),
            (0.0, 3.0, 1.0),
            (f64::NAN, 3.0, 1.0),
        ] {
            let found = round_step(span, most);
            assert!((found - step).abs() < step * 1e-9, "{span} {most}: {found}");
        }
        assert_eq!(round_angle(360.0, 5.0), 90.0);
        assert_eq!(round_angle(100.0, 4.0), 30.0);
        assert_eq!(round_angle(4.0, 4.0), 1.0);
        assert_eq!(round_angle(1e9, 4.0), 5e8);
    }

    #[test]
    fn multiples_lie_within_the_range_and_are_told_apart() {
        let found: Vec<String> =
            multiples([-0.25, 0.31], 0.1).map(|value| number(value, 0.1)).collect();
        assert_eq!(found, ["-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(multiples([0.0, 1e9], 1.0).count(), 100);
        assert_eq!(multiples([0.0, f64::INFINITY], 1.0).count(), 100);
        assert_eq!(number(120.0, 20.0), "120");
        assert_eq!(number(2.5e7, 1e6), "2.50e7");
    }
}
