//! Controls of playback: play, pause, step and scrub.

use egui::{Align, Layout, Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};

use super::animation::mode_in_words;
use super::icons::Icon;
use super::marks;
use super::menu::Menu;
use super::seek::Seek;
use super::widgets::{Look, icon_button, switch_button, tip};
use super::words::has_sprites;
use crate::playback::{LoopMode, Timeline};
use crate::viewer::action::{Action, PlaybackAction};
use crate::viewer::rounding::narrow;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::target::Target;
use crate::viewer::theme::{self, Colors};

/// Smallest width of the time line in logical pixels.
const RAIL: f32 = 240.0;
/// Height of the time line and of a button.
const ROW: f32 = 28.0;
/// Width of the play button.
const PLAY: f32 = 42.0;
/// Space between two rows, and between two buttons.
const BETWEEN: f32 = 4.0;
/// Space between the counters, and beside them.
const CELLS: f32 = 8.0;

/// Layout of the controls in the available width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// Everything in a row.
    Wide,
    /// Everything in a row, without the length in seconds.
    Short,
    /// Time line above everything else.
    Below { wide: bool },
}

impl Fit {
    fn is_below(self) -> bool {
        matches!(self, Self::Below { .. })
    }

    fn new(ui: &Ui, state: &State, room: f32) -> Self {
        let playback = state.playback();
        let Some(timeline) = playback.timeline(state.timelines()) else {
            return Self::Wide;
        };
        let buttons = 5.0 * Look::BUTTON.size.x + PLAY + 6.0 * BETWEEN;
        let switches = if has_sprites(state) { 1.0 } else { 2.0 };
        let tools = switches * (Look::TOOL.size.x + BETWEEN) + BETWEEN;
        let rest = |wide| {
            let cells = readout(&timeline, 0.0, wide).map(|text| text_width(ui, text));
            let counters = cells.iter().sum::<f32>() + 3.0 * (CELLS + BETWEEN);
            room - buttons - tools - counters
        };
        match (rest(true), rest(false)) {
            (wide, _) if wide >= RAIL => Self::Wide,
            (_, short) if short >= RAIL => Self::Short,
            (wide, _) => Self::Below { wide: wide >= 0.0 },
        }
    }
}

/// Returns the height of the controls with their margins, in logical pixels, for the available width.
pub(super) fn height(ui: &Ui, state: &State) -> f32 {
    let room = ui.available_width() - 2.0 * f32::from(theme::MARGIN);
    let one = ROW + 16.0;
    match Fit::new(ui, state, room) {
        Fit::Wide | Fit::Short => one,
        Fit::Below { .. } => one + ROW + BETWEEN,
    }
}

pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let timeline = state.playback().timeline(state.timelines());
    let fit = Fit::new(ui, state, ui.available_width());
    ui.add_enabled_ui(timeline.is_some(), |ui| {
        ui.spacing_mut().item_spacing = vec2(BETWEEN, BETWEEN);
        if let Some(timeline) = timeline.filter(|_| fit.is_below()) {
            scrub(ui, state, &timeline, actions);
        }
        ui.horizontal(|ui| {
            ui.set_min_height(ROW);
            buttons(ui, state, timeline.is_some(), actions);
            let Some(timeline) = timeline else {
                return;
            };
            at_end(ui, state, actions);
            if !has_sprites(state) {
                let on = state.is_on(Switch::Curves);
                let more = "Under the time line, over all frames";
                switch_button(ui, Icon::Curves, Switch::Curves, on, more, actions);
            }
            ui.add_space(BETWEEN);
            let position = state.playback().position(state.timelines());
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let is_wide = matches!(fit, Fit::Wide | Fit::Below { wide: true });
                counters(ui, position, &timeline, is_wide);
                if !fit.is_below() {
                    ui.add_space(CELLS);
                    scrub(ui, state, &timeline, actions);
                }
            });
        });
    });
}

fn buttons(ui: &mut Ui, state: &State, can_play: bool, actions: &mut Vec<Action>) {
    let playback = state.playback();
    let playing = playback.playing && can_play;
    let (forwards, backwards) = (
        playing && !playback.backwards,
        playing && playback.backwards,
    );
    let named = |on: bool, play: Icon, word: &'static str| {
        if on {
            (Icon::Pause, "Pause")
        } else {
            (play, word)
        }
    };
    let (back_icon, back_word) = named(backwards, Icon::Backwards, "Play backwards");
    let (icon, word) = named(forwards, Icon::Play, "Play");
    let buttons = [
        (
            Icon::First,
            Action::Playback(PlaybackAction::FirstFrame),
            "First frame",
        ),
        (
            Icon::Back,
            Action::Playback(PlaybackAction::Step(-1)),
            "Step back",
        ),
        (
            back_icon,
            Action::Playback(PlaybackAction::ToggleBackwards),
            back_word,
        ),
        (icon, Action::Playback(PlaybackAction::TogglePlay), word),
        (
            Icon::Forward,
            Action::Playback(PlaybackAction::Step(1)),
            "Step forward",
        ),
        (
            Icon::Last,
            Action::Playback(PlaybackAction::LastFrame),
            "Last frame",
        ),
    ];
    for (icon, action, name) in buttons {
        let mut look = Look::BUTTON;
        if matches!(action, Action::Playback(PlaybackAction::TogglePlay)) {
            look.size.x = PLAY;
        }
        let tip = tip(ui, &action, "");
        if icon_button(ui, icon, look, name, &tip).clicked() {
            actions.push(action);
        }
    }
}

/// Draws the button for the behaviour at the end. A click selects the next one.
fn at_end(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let mode = state.playback().mode(state.timelines());
    let icon = match mode {
        LoopMode::Once => Icon::Once,
        LoopMode::Loop => Icon::Loop,
        LoopMode::PingPong => Icon::PingPong,
    };
    let words = mode_in_words(mode);
    let tip = tip(
        ui,
        &Action::Playback(PlaybackAction::CycleLoop),
        &format!("Now: {}", words.to_lowercase()),
    );
    let name = format!("At the end: {words}");
    let mut look = Look::TOOL;
    if state.playback().mode.is_some() {
        look = look.color(theme::of(ui).accent);
    }
    if icon_button(ui, icon, look, &name, &tip).clicked() {
        actions.push(Action::Playback(PlaybackAction::CycleLoop));
    }
}

/// Returns seconds and frame as text. Both are as long as for the last frame, so that nothing moves while they count.
fn readout(timeline: &Timeline, position: f64, wide: bool) -> [String; 2] {
    let duration = timeline.duration();
    let seconds = position / timeline.fps;
    let last = timeline.frame_count.saturating_sub(1);
    let digits = last.to_string().len();
    let frame = position.floor();
    let frames = format!("{frame:>digits$.0} / {last}");
    let digits = format!("{duration:.2}").len();
    let time = if wide {
        format!("{seconds:>digits$.2} / {duration:.2} s")
    } else {
        format!("{seconds:>digits$.2} s")
    };
    [time, frames]
}

fn text_width(ui: &Ui, text: String) -> f32 {
    // Digits have equal widths; a space in the place of one is narrower.
    let digits = text.trim_start();
    let places = text.len().saturating_sub(digits.len());
    let text = format!("{}{digits}", "0".repeat(places));
    let text = egui::WidgetText::from(RichText::new(text).monospace());
    let extend = Some(egui::TextWrapMode::Extend);
    let galley = text.into_galley(ui, extend, f32::INFINITY, egui::TextStyle::Monospace);
    galley.size().x
}

/// Draws frame and seconds, each in its own place.
fn counters(ui: &mut Ui, position: f64, timeline: &Timeline, wide: bool) {
    let [time, frames] = readout(timeline, position, wide);
    let cell = |ui: &mut Ui, text: String, color, tip: &str| {
        let width = text_width(ui, text.clone());
        let label = egui::Label::new(RichText::new(text).monospace().color(color));
        let label = label.halign(egui::Align::Max);
        ui.add_sized([width, ROW], label).on_hover_text(tip);
    };
    cell(
        ui,
        time,
        theme::of(ui).text_weak,
        "Seconds, and the length of the animation",
    );
    ui.add_space(CELLS);
    cell(ui, frames, theme::of(ui).text, "Frame, and the last frame");
}

/// Draws the rail, with a tick for each frame if there is room.
fn scrub(ui: &mut Ui, state: &State, timeline: &Timeline, actions: &mut Vec<Action>) {
    const INSET: f32 = 7.0;
    let position = state.playback().position(state.timelines());
    let section = state.playback().section;
    let size = vec2(ui.available_width().max(40.0), ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    if state.looking().target == Some(Target::TimeLine) {
        response.request_focus();
    }
    let last = timeline.frame_count.saturating_sub(1);
    response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), position, "Frame"));
    let (left, right) = (rect.left() + INSET, rect.right() - INSET);
    let steps = f32::from(last.max(1));
    let frame_at = |x: f32| {
        let part = ((x - left) / (right - left)).clamp(0.0, 1.0);
        f64::from(part) * f64::from(last)
    };
    let seek = Seek {
        state,
        timeline,
        frame_at: &frame_at,
    };
    seek.ui(ui, &response, actions);
    let x = |frame: f32| left + (right - left) * (frame / steps).min(1.0);
    let middle = rect.center().y;
    let rail =
        |from: f32, to: f32| Rect::from_min_max(pos2(from, middle - 2.0), pos2(to, middle + 2.0));
    let painter = ui.painter();
    let head = x(narrow(position));
    painter.rect_filled(rail(left - 2.0, right + 2.0), 2.0, theme::of(ui).button);
    painter.rect_filled(rail(left - 2.0, head), 2.0, theme::of(ui).accent_fill);
    if let Some([from, to]) = section {
        mark_section(
            painter,
            middle,
            [from, to].map(|frame| x(f32::from(frame))),
            theme::of(ui),
        );
    }
    let gap = (right - left) / steps;
    if gap >= 5.0 {
        for frame in 0..=last {
            let at = pos2(x(f32::from(frame)), middle + 8.0);
            let high = if frame % 5 == 0 { 2.5 } else { 1.5 };
            let tick = Rect::from_center_size(at, vec2(1.0, high * 2.0));
            painter.rect_filled(tick, 0.0, theme::of(ui).button_hovered);
        }
    }
    let lane = marks::Lane {
        tracks: state.tracks(),
        left,
        right,
        steps,
        y: rect.top() + 3.5,
    };
    lane.paint(painter, theme::of(ui));
    let hot = response.hovered() || response.dragged() || response.has_focus();
    let radius = if hot { 7.0 } else { 6.0 };
    let color = if ui.is_enabled() {
        theme::of(ui).accent
    } else {
        theme::of(ui).text_weak
    };
    painter.circle_filled(pos2(head, middle), radius, color);
    let [start, end] = [
        Action::Playback(PlaybackAction::SectionStart),
        Action::Playback(PlaybackAction::SectionEnd),
    ]
    .map(|of| tip(ui, &of, ""));
    let section_tip = match section {
        None => String::new(),
        Some(_) => format!(
            "\n{}",
            tip(ui, &Action::Playback(PlaybackAction::Section(None)), "")
        ),
    };
    let near = response.hover_pos().and_then(|at| lane.near(at.x));
    let response = match near.filter(|_| !response.dragged()) {
        Some(frame) => response.on_hover_text_at_pointer(lane.in_words(frame)),
        None => response.on_hover_text(format!(
            "Drag to scrub, with Shift to choose a section\n{start}\n{end}{section_tip}"
        )),
    };
    response.context_menu(|ui| {
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

/// Marks the section that plays with a bar, and a bracket at each end.
fn mark_section(painter: &egui::Painter, middle: f32, [from, to]: [f32; 2], colors: &Colors) {
    let (top, bottom) = (middle - 6.0, middle + 2.0);
    let bar = Rect::from_min_max(pos2(from - 1.0, top), pos2(to + 1.0, top + 2.0));
    painter.rect_filled(bar, 0.0, colors.warning);
    for x in [from, to] {
        let end = Rect::from_min_max(pos2(x - 1.0, top), pos2(x + 1.0, bottom + 4.0));
        painter.rect_filled(end, 0.0, colors.warning);
    }
}
