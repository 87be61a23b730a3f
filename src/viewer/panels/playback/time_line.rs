//! The timeline: a rail to seek on, with marks, the section that plays, and a label for the frame under the pointer.

use egui::text::LayoutJob;
use egui::{
    Color32, Id, LayerId, Order, Painter, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind,
    TextFormat, Ui, WidgetInfo, pos2, vec2,
};

use pchr::finding::counted;
use pchr::playback::Timeline;
use pchr::scene::MarkKind;

use super::seek_and_section::{Ends, Rail, near, seek, whole};
use crate::viewer::action::{Action, PartAction, PlaybackAction};
use crate::viewer::curves::{MARK_KINDS, Tracks};
use crate::viewer::kept::Press;
use crate::viewer::panels::menu::Menu;
use crate::viewer::panels::widgets::tip;
use crate::viewer::panels::{Panels, context};
use crate::viewer::state::State;
use crate::viewer::switch::Destination;
use crate::viewer::theme::{self, Colors};

/// Logical pixels from an edge to the first or the last frame.
const INSET: f32 = 11.0;
/// Height of the lane of marks in logical pixels.
const LANE: f32 = 7.0;
/// Opacity of the part of the timeline in which a cross-fade is under way.
const FADE: f32 = 0.16;
/// Seconds that the pointer rests before the label says more.
const REST: f32 = 0.8;

/// Draws the timeline, with a tick for each frame if there is room.
pub(crate) fn ui(ui: &mut Ui, state: &Panels<'_>, timeline: &Timeline, height: f32) {
    let size = vec2(ui.available_width().max(40.0), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let rail = Rail {
        rect,
        left: rect.left() + INSET,
        right: rect.right() - INSET,
        last: timeline.frame_count.saturating_sub(1),
    };
    let position = state.playback().position(state.timelines());
    on_rail(ui, state, timeline, &rail, &response, |ui, section| {
        paint(ui, &rail, section, position, &response);
    });
}

/// Seeks along a rail, and draws on it: `paint` the frames with the ends of the section that plays, then marks, grips and a label.
pub(crate) fn on_rail(
    ui: &mut Ui,
    state: &Panels<'_>,
    timeline: &Timeline,
    rail: &Rail,
    response: &Response,
    paint: impl FnOnce(&Ui, Option<[f32; 2]>),
) {
    let rect = rail.rect;
    let position = state.playback().position(state.timelines());
    if state.looking().target == Some(Destination::TimeLine) {
        response.request_focus();
    }
    response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), position, "Frame"));
    let lane = MarkLane { tracks: state.tracks(), rail, y: rect.top() + 3.5 };
    let section = state.playback().section;
    let ends = section.map(|section| Ends { rail, section });
    let grips = ends.map(|ends| ends.rects());
    // On a mark, the pointer selects the mark's frame, even with many frames per pixel.
    let frame_at = |at: egui::Pos2| {
        let is_on_lane = at.y <= rect.top() + LANE;
        let mark = lane.near(at.x).filter(|_| is_on_lane);
        mark.map_or_else(|| rail.frame_at(at.x), f64::from)
    };
    let others = grips.as_ref().map_or(&[] as &[Rect], |grips| grips);
    let press = seek(ui, (state, timeline), response, frame_at, others);
    let clicked = response.interact_pointer_pos().filter(|_| response.clicked());
    let jumping = clicked.filter(|at| at.y <= rect.top() + LANE).and_then(|at| lane.near(at.x));
    if let Some(bone) = jumping.and_then(|frame| state.jumping_bone(frame)) {
        state.push(PartAction::ChooseBone(Some(bone)));
    }
    if let Some([from, to]) = faded(state, timeline, position) {
        let [left, right] = [from, to].map(|frame| rail.x(frame.max(0.0)));
        let middle = rect.center().y;
        let band = Rect::from_min_max(pos2(left, middle - 9.0), pos2(right, middle + 9.0));
        let color = theme::of(ui).accent.gamma_multiply(FADE);
        ui.painter().rect_filled(band, 3.0, color);
    }
    paint(ui, section.map(|ends| ends.map(|frame| rail.x(frame.into()))));
    lane.paint(ui.painter(), theme::of(ui));
    let pulled = ends.and_then(|ends| ends.ui(ui, state));
    let menu_is_open = response.context_menu_opened();
    let label = Label { state, timeline, lane };
    match (pulled, press.filter(|press| !press.is_over)) {
        (Some((x, section)), _) => label.section(ui, x, section, false),
        (None, Some(press)) if press.modifiers.shift => {
            let frames = [press.from, press.at].map(|at| whole(frame_at(at)));
            let [a, b] = frames;
            label.section(ui, rail.x(b.into()), [a.min(b), a.max(b)], false);
        }
        (None, press) => {
            let at = press.map(|press: Press| press.at).or(response.hover_pos());
            if let Some(at) = at.filter(|_| !menu_is_open) {
                label.frame(ui, frame_at(at), press.is_some());
            } else if let Some((ends, at)) = ends.zip(ui.input(|input| input.pointer.hover_pos())) {
                let mut grips = ends.section.iter().zip(ends.rects());
                let over = grips.find(|(_, grip)| grip.contains(at));
                let is_free = ui.rect_contains_pointer(rect) && !menu_is_open;
                if let Some((frame, _)) = over.filter(|_| is_free) {
                    label.section(ui, rail.x(f64::from(*frame)), ends.section, true);
                }
            }
        }
    }
    menu(response, state);
}

fn menu(response: &Response, state: &Panels<'_>) {
    let asked = context::asked(state, response);
    context::show(response, state, asked, |ui, _| {
        let mut menu = Menu::begin(ui, state);
        for action in [
            Action::Playback(PlaybackAction::SectionStart),
            Action::Playback(PlaybackAction::SectionEnd),
            Action::Playback(PlaybackAction::Section(None)),
        ] {
            state.push_if(menu.button(ui, action.name(), false), action);
        }
        menu.end(ui, true, state);
    });
}

/// Frames between which a cross-fade is under way, as far as they lie around the current one.
fn faded(state: &State, timeline: &Timeline, position: f64) -> Option<[f64; 2]> {
    let fade = state.fade()?;
    let [before, after] = [fade.seconds, fade.options.seconds - fade.seconds];
    let [before, after] = [before, after].map(|seconds| seconds * timeline.fps);
    Some(match state.playback().backwards {
        false => [position - before, position + after],
        true => [position - after, position + before],
    })
}

struct Label<'a> {
    state: &'a State,
    timeline: &'a Timeline,
    lane: MarkLane<'a>,
}

impl Label<'_> {
    /// Tells of the frame under the pointer.
    fn frame(&self, ui: &Ui, frame: f64, is_held: bool) {
        let colors = theme::of(ui);
        let frame = if self.timeline.smooth { frame } else { frame.round() };
        let rail = self.lane.rail;
        let (x, middle) = (rail.x(frame), rail.rect.center().y);
        let needle = Rect::from_min_max(pos2(x - 0.5, middle - 7.0), pos2(x + 0.5, middle + 7.0));
        ui.painter().rect_filled(needle, 0.0, colors.text_strong);
        let mut lines = vec![(colors.text_strong, of_frame(frame, self.timeline))];
        if let Some(mark) = self.lane.near(x) {
            self.lane.tell(mark, f64::from(mark) != frame, colors, &mut lines);
        }
        if !is_held && rests(ui) {
            let start = tip(ui, &Action::Playback(PlaybackAction::SectionStart), "", self.state);
            let end = tip(ui, &Action::Playback(PlaybackAction::SectionEnd), "", self.state);
            let hint = format!("Shift+drag: choose a loop range\n{start}\n{end}");
            lines.push((colors.text_weak, hint));
        }
        show_label(ui, x, rail.rect, &lines);
    }

    /// Describes the section with an end at `x`.
    fn section(&self, ui: &Ui, x: f32, section: [u16; 2], hint: bool) {
        let colors = theme::of(ui);
        let mut lines = vec![(colors.text_strong, of_section(section, self.timeline))];
        if hint && rests(ui) {
            let all = tip(ui, &Action::Playback(PlaybackAction::Section(None)), "", self.state);
            let hint = format!("Drag, or move with the arrows\n{all}");
            lines.push((colors.text_weak, hint));
        }
        show_label(ui, x, self.lane.rail.rect, &lines);
    }
}

/// Returns true once the pointer has been still for a moment.
fn rests(ui: &Ui) -> bool {
    let still = ui.input(|input| input.pointer.time_since_last_movement());
    if still < REST {
        let left = core::time::Duration::from_secs_f32((REST - still).max(0.01));
        ui.ctx().request_repaint_after(left);
    }
    still >= REST
}

/// Draws the rail with the section, ticks and the head.
fn paint(ui: &Ui, rail: &Rail, section: Option<[f32; 2]>, position: f64, response: &Response) {
    let colors = theme::of(ui);
    let middle = rail.rect.center().y;
    let bar =
        |from: f32, to: f32| Rect::from_min_max(pos2(from, middle - 2.0), pos2(to, middle + 2.0));
    let painter = ui.painter();
    let head = rail.x(position);
    painter.rect_filled(bar(rail.left - 2.0, rail.right + 2.0), 2.0, colors.button);
    painter.rect_filled(bar(rail.left - 2.0, head), 2.0, colors.accent_fill);
    if let Some([from, to]) = section {
        let top = middle - 6.0;
        let marked = Rect::from_min_max(pos2(from - 1.0, top), pos2(to + 1.0, top + 2.0));
        painter.rect_filled(marked, 0.0, colors.warning);
    }
    let gap = (rail.right - rail.left) / rail.steps();
    if gap >= 5.0 {
        for frame in 0..=rail.last {
            let at = pos2(rail.x(frame.into()), middle + 8.0);
            let high = if frame % 5 == 0 { 2.5 } else { 1.5 };
            let tick = Rect::from_center_size(at, vec2(1.0, high * 2.0));
            let color = if frame % 5 == 0 { colors.text_weak } else { colors.button_hovered };
            painter.rect_filled(tick, 0.0, color);
        }
    }
    let hot = response.hovered() || response.dragged() || response.has_focus();
    let radius = if hot { 7.0 } else { 6.0 };
    let color: Color32 = if ui.is_enabled() { colors.accent } else { colors.text_weak };
    painter.circle_filled(pos2(head, middle), radius, color);
}

/// Logical pixels between the label and the timeline.
const GAP: f32 = 4.0;
/// Widest label in logical pixels.
const WIDTH: f32 = 320.0;

/// A frame and its time.
pub(crate) fn of_frame(frame: f64, timeline: &Timeline) -> String {
    let seconds = frame / timeline.fps;
    let decimals = usize::from(frame.fract() != 0.0);
    format!("Frame {frame:.decimals$}  ·  {seconds:.2} s")
}

/// A section and its length.
pub(crate) fn of_section([first, last]: [u16; 2], timeline: &Timeline) -> String {
    let frames = u32::from(last.saturating_sub(first)).saturating_add(1);
    let seconds = f64::from(frames) / timeline.fps;
    format!("{first} – {last}  ·  {}, {seconds:.2} s", counted(frames, "frame", "frames"))
}

/// Draws lines of text at once, above everything, with their middle above a place of the timeline.
pub(crate) fn show_label(ui: &Ui, x: f32, line: Rect, lines: &[(Color32, String)]) {
    let colors = theme::of(ui);
    let font = egui::TextStyle::Body.resolve(ui.style());
    let mut job = LayoutJob::default();
    for (color, text) in lines {
        let end = if job.is_empty() { "" } else { "\n" };
        let format = TextFormat::simple(font.clone(), *color);
        job.append(&format!("{end}{text}"), 0.0, format);
    }
    job.wrap.max_width = WIDTH;
    let id = Id::unique("label above the timeline");
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, id));
    let galley = painter.layout_job(job);
    let size = galley.size() + vec2(16.0, 10.0);
    let screen = ui.ctx().content_rect().shrink(4.0);
    let most = (screen.right() - size.x).max(screen.left());
    let left = (x - size.x / 2.0).clamp(screen.left(), most);
    let top = (line.top() - GAP - size.y).max(screen.top());
    let card = Rect::from_min_size(pos2(left, top).round(), size);
    let edge = Stroke::new(1.0, colors.outline);
    painter.rect(card, 5.0, colors.card, edge, StrokeKind::Inside);
    painter.galley(card.min + vec2(8.0, 5.0), galley, colors.text);
    let said = ui.interact(card, id, Sense::hover());
    said.widget_info(|| {
        let all: Vec<&str> = lines.iter().map(|(_, text)| text.as_str()).collect();
        WidgetInfo::labeled(Role::Label, true, all.join("\n"))
    });
}

/// Logical pixels from a mark's middle that are taken for it.
const NEAR: f32 = 4.0;
/// Least logical pixels between two marks of a kind.
const APART: f32 = 5.0;
/// Marks that are named under the pointer.
const NAMED: usize = 12;

/// Marks over a rail.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MarkLane<'a> {
    pub tracks: &'a Tracks,
    pub rail: &'a Rail,
    /// Middle of the marks.
    pub y: f32,
}

impl MarkLane<'_> {
    fn x(&self, frame: u16) -> f32 {
        self.rail.x(frame.into())
    }

    /// Draws the marks; of those that would overlap, one of each kind.
    pub(crate) fn paint(&self, painter: &Painter, colors: &Colors) {
        let Rail { left, right, .. } = *self.rail;
        let gap = f64::from(APART) * f64::from(self.rail.steps()) / f64::from(right - left);
        for (kind, frames) in MARK_KINDS.into_iter().zip(&self.tracks.mark_frames).rev() {
            let mut from = 0_usize;
            while let Some(frame) = frames.get(from) {
                painter.add(shape(kind, pos2(self.x(*frame), self.y), color(kind, colors)));
                let next = f64::from(*frame) + gap;
                let next = frames.partition_point(|frame| f64::from(*frame) < next);
                from = next.max(from.saturating_add(1));
            }
        }
    }

    /// The frame with marks that is nearest to a place, if it is near.
    pub(crate) fn near(&self, x: f32) -> Option<u16> {
        let mark = near(&self.tracks.marks, |mark| self.x(mark.frame), x, NEAR);
        mark.map(|mark| mark.frame)
    }

    /// Adds a line for each mark on a frame, which is named if it is `elsewhere`.
    pub(crate) fn tell(
        &self,
        frame: u16,
        elsewhere: bool,
        colors: &Colors,
        lines: &mut Vec<(Color32, String)>,
    ) {
        let marks = self.tracks.marks_on(frame);
        for mark in marks.iter().take(NAMED) {
            let note = if mark.kind == MarkKind::Note { "Note: " } else { "" };
            let at = if elsewhere { format!("  (frame {frame})") } else { String::new() };
            lines.push((color(mark.kind, colors), format!("{note}{}{at}", mark.text)));
        }
        let more = marks.len().saturating_sub(NAMED);
        if more > 0 {
            lines.push((colors.text_weak, format!("and {more} more")));
        }
    }
}

fn color(kind: MarkKind, colors: &Colors) -> Color32 {
    let [_, green, _] = colors.axes;
    match kind {
        MarkKind::Note => colors.accent,
        MarkKind::Visible => green,
        MarkKind::Order => colors.warning,
        MarkKind::Jump => colors.error,
    }
}

/// A key on a frame.
pub(crate) fn diamond(at: egui::Pos2, radius: f32, color: Color32, line: Stroke) -> Shape {
    let corners = [vec2(0.0, -radius), vec2(radius, 0.0), vec2(0.0, radius), vec2(-radius, 0.0)];
    Shape::convex_polygon(corners.map(|by| at + by).to_vec(), color, line)
}

/// A flag that points at its frame, a diamond, a dot, or a bar.
fn shape(kind: MarkKind, at: egui::Pos2, color: Color32) -> Shape {
    match kind {
        MarkKind::Note => {
            let corners = [vec2(-3.5, -3.0), vec2(3.5, -3.0), vec2(0.0, 3.5)];
            Shape::convex_polygon(corners.map(|by| at + by).to_vec(), color, Stroke::NONE)
        }
        MarkKind::Jump => diamond(at, 3.8, color, Stroke::NONE),
        MarkKind::Visible => Shape::circle_filled(at, 2.6, color),
        MarkKind::Order => {
            let bar = Rect::from_center_size(at, vec2(3.0, 7.0));
            Shape::rect_filled(bar, 1.0, color)
        }
    }
}
