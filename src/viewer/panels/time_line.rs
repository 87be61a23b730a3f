//! The timeline: a rail to seek on, with marks, the section that plays and the frame under the pointer.

use egui::{Color32, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2};

use pchr::playback::Timeline;

use super::menu::Menu;
use super::press::Press;
use super::rail::{Rail, whole};
use super::section_ends::Ends;
use super::seek::Seek;
use super::time_label::{self, of_frame, of_section};
use super::widgets::tip;
use super::{context, marks};
use crate::viewer::action::{Action, PlaybackAction};
use crate::viewer::state::State;
use crate::viewer::target::Target;
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
pub(super) fn ui(
    ui: &mut Ui,
    state: &State,
    timeline: &Timeline,
    height: f32,
    actions: &mut Vec<Action>,
) {
    let position = state.playback().position(state.timelines());
    let size = vec2(ui.available_width().max(40.0), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    if state.looking().target == Some(Target::TimeLine) {
        response.request_focus();
    }
    response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), position, "Frame"));
    let rail = Rail {
        rect,
        left: rect.left() + INSET,
        right: rect.right() - INSET,
        last: timeline.frame_count.saturating_sub(1),
    };
    let lane = marks::Lane {
        tracks: state.tracks(),
        left: rail.left,
        right: rail.right,
        steps: rail.steps(),
        y: rect.top() + 3.5,
    };
    let section = state.playback().section;
    let rail_of = &rail;
    let ends = section.map(|section| Ends {
        rail: rail_of,
        section,
    });
    let grips = ends.map(|ends| ends.rects());
    // On a mark, the pointer selects the mark's frame, even with many frames per pixel.
    let frame_at = |at: egui::Pos2| {
        let is_on_lane = at.y <= rect.top() + LANE;
        let mark = lane.near(at.x).filter(|_| is_on_lane);
        mark.map_or_else(|| rail.frame_at(at.x), f64::from)
    };
    let seek = Seek {
        state,
        timeline,
        frame_at: &frame_at,
    };
    let others = grips.as_ref().map_or(&[] as &[Rect], |grips| grips);
    let press = seek.ui(ui, &response, others, actions);
    if let Some([from, to]) = faded(state, timeline, position) {
        let [left, right] = [from, to].map(|frame| rail.x(frame.max(0.0)));
        let middle = rect.center().y;
        let band = Rect::from_min_max(pos2(left, middle - 9.0), pos2(right, middle + 9.0));
        let color = theme::of(ui).accent.gamma_multiply(FADE);
        ui.painter().rect_filled(band, 3.0, color);
    }
    paint(ui, &rail, ends_of(section, &rail), position, &response);
    lane.paint(ui.painter(), theme::of(ui));
    let pulled = ends.and_then(|ends| ends.ui(ui, actions));
    let menu_is_open = response.context_menu_opened();
    let label = Label {
        timeline,
        rail: &rail,
        lane: &lane,
    };
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
                let over = ends.rects().iter().position(|grip| grip.contains(at));
                let is_free = ui.rect_contains_pointer(rect) && !menu_is_open;
                if let Some(frame) = over.and_then(|over| ends.section.get(over)) {
                    let x = rail.x(f64::from(*frame));
                    if is_free {
                        label.section(ui, x, ends.section, true);
                    }
                }
            }
        }
    }
    menu(&response, state, actions);
}

fn menu(response: &Response, state: &State, actions: &mut Vec<Action>) {
    context::show(response, context::asked(state, response), |ui| {
        let mut menu = Menu::begin(ui);
        for action in [
            Action::Playback(PlaybackAction::SectionStart),
            Action::Playback(PlaybackAction::SectionEnd),
            Action::Playback(PlaybackAction::Section(None)),
        ] {
            if menu.button(ui, action.name(), false) {
                actions.push(action);
            }
        }
        menu.end(ui, true);
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

/// Places of both ends of a section.
fn ends_of(section: Option<[u16; 2]>, rail: &Rail) -> Option<[f32; 2]> {
    section.map(|ends| ends.map(|frame| rail.x(frame.into())))
}

/// The label over the timeline.
struct Label<'a> {
    timeline: &'a Timeline,
    rail: &'a Rail,
    lane: &'a marks::Lane<'a>,
}

impl Label<'_> {
    /// Tells of the frame under the pointer.
    fn frame(&self, ui: &Ui, frame: f64, is_held: bool) {
        let colors = theme::of(ui);
        let frame = if self.timeline.smooth {
            frame
        } else {
            frame.round()
        };
        let x = self.rail.x(frame);
        let middle = self.rail.rect.center().y;
        let needle = Rect::from_min_max(pos2(x - 0.5, middle - 7.0), pos2(x + 0.5, middle + 7.0));
        ui.painter().rect_filled(needle, 0.0, colors.text_strong);
        let mut lines = vec![(colors.text_strong, of_frame(frame, self.timeline))];
        if let Some(mark) = self.lane.near(x) {
            self.lane
                .tell(mark, f64::from(mark) != frame, colors, &mut lines);
        }
        if !is_held && rests(ui) {
            let start = tip(ui, &Action::Playback(PlaybackAction::SectionStart), "");
            let end = tip(ui, &Action::Playback(PlaybackAction::SectionEnd), "");
            let hint = format!("Shift+drag: choose a loop range\n{start}\n{end}");
            lines.push((colors.text_weak, hint));
        }
        time_label::show(ui, x, self.rail.rect, &lines);
    }

    /// Describes the section with an end at `x`.
    fn section(&self, ui: &Ui, x: f32, section: [u16; 2], hint: bool) {
        let colors = theme::of(ui);
        let mut lines = vec![(colors.text_strong, of_section(section, self.timeline))];
        if hint && rests(ui) {
            let all = tip(ui, &Action::Playback(PlaybackAction::Section(None)), "");
            let hint = format!("Drag, or move with the arrows\n{all}");
            lines.push((colors.text_weak, hint));
        }
        time_label::show(ui, x, self.rail.rect, &lines);
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
    if let Some(ends) = section {
        mark_section(painter, middle, ends, colors);
    }
    let gap = (rail.right - rail.left) / rail.steps();
    if gap >= 5.0 {
        for frame in 0..=rail.last {
            let at = pos2(rail.x(frame.into()), middle + 8.0);
            let high = if frame % 5 == 0 { 2.5 } else { 1.5 };
            let tick = Rect::from_center_size(at, vec2(1.0, high * 2.0));
            painter.rect_filled(tick, 0.0, colors.button_hovered);
        }
    }
    let hot = response.hovered() || response.dragged() || response.has_focus();
    let radius = if hot { 7.0 } else { 6.0 };
    let color: Color32 = if ui.is_enabled() {
        colors.accent
    } else {
        colors.text_weak
    };
    painter.circle_filled(pos2(head, middle), radius, color);
}

/// Marks the section that plays with a bar above the rail.
fn mark_section(painter: &egui::Painter, middle: f32, [from, to]: [f32; 2], colors: &Colors) {
    let top = middle - 6.0;
    let bar = Rect::from_min_max(pos2(from - 1.0, top), pos2(to + 1.0, top + 2.0));
    painter.rect_filled(bar, 0.0, colors.warning);
}
