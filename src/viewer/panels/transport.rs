//! Controls of playback: play, pause and step, counters and the timeline.

use egui::{Align, Layout, RichText, Ui, vec2};

use pchr::document::AnimationId;
use pchr::playback::{LoopMode, Timeline};

use super::frame_field::{self, PADDING};
use super::icons::Icon;
use super::names::shown;
use super::rate::mode_in_words;
use super::time_line;
use super::widgets::{Look, icon_button, switch_button, tip};
use super::words::has_sprites;
use crate::viewer::action::{Action, PlaybackAction};
use crate::viewer::fade;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Smallest width of the timeline in logical pixels.
const RAIL: f32 = 240.0;
/// Height of the timeline and of a button.
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
    /// Timeline above everything else.
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
            let counters = cells.iter().sum::<f32>() + 3.0 * (CELLS + BETWEEN) + 2.0 * PADDING;
            room - buttons - tools - counters - fade_width(ui, state)
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
            time_line::ui(ui, state, &timeline, ROW, actions);
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
                let more = "Shown under the timeline, for all frames";
                switch_button(ui, Icon::Curves, Switch::Curves, on, more, actions);
            }
            ui.add_space(BETWEEN);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let is_wide = matches!(fit, Fit::Wide | Fit::Below { wide: true });
                counters(ui, state, &timeline, is_wide, actions);
                if !fit.is_below() {
                    ui.add_space(CELLS);
                    time_line::ui(ui, state, &timeline, ROW, actions);
                }
            });
        });
    });
}

fn buttons(ui: &mut Ui, state: &State, can_play: bool, actions: &mut Vec<Action>) {
    let playback = state.playback();
    let playing = playback.playing && can_play;
    // A ping-pong goes both ways: the signs stay while it turns round.
    let both = playback.mode(state.timelines()) == LoopMode::PingPong;
    let (forwards, backwards) = (
        playing && (both || !playback.backwards),
        playing && !both && playback.backwards,
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
        &format!("Current: {}", words.to_lowercase()),
    );
    let name = format!("Loop: {words}");
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

/// Width of the percent of a cross-fade and the space beside it: kept as long as there may be one, so that nothing moves.
fn fade_width(ui: &Ui, state: &State) -> f32 {
    match may_fade(state) {
        true => text_width(ui, FADED.to_owned()) + CELLS + BETWEEN,
        false => 0.0,
    }
}

/// The longest text of a cross-fade.
const FADED: &str = "Fade 100 %";

fn may_fade(state: &State) -> bool {
    let can_mix = state.model().is_some_and(|it| it.subject().can_mix());
    let others = state.timelines().len() > 1;
    state.fade().is_some() || (can_mix && others && state.looking().fade.seconds > 0.0)
}

/// Draws how far a cross-fade is.
fn faded(ui: &mut Ui, state: &State) {
    if !may_fade(state) {
        return;
    }
    let width = text_width(ui, FADED.to_owned());
    let Some((model, fade)) = state.model().zip(state.fade()) else {
        ui.allocate_space(vec2(width, ROW));
        return ui.add_space(CELLS);
    };
    let text = format!("Fade {}", fade::per_cent(fade.amount()));
    let name = |id: Option<AnimationId>| id.map_or("", |id| model.subject().animation_name(id));
    let [from, to] = [&fade.from, state.playback()].map(|clip| shown(name(clip.animation)));
    let tip =
        format!("Cross-fade from {from} to {to}\nPause to hold it, drag the timeline to move it");
    let color = theme::of(ui).accent;
    let label = egui::Label::new(RichText::new(text).monospace().color(color));
    ui.add_sized([width, ROW], label.halign(Align::Max))
        .on_hover_text(tip);
    ui.add_space(CELLS);
}

fn text_width(ui: &Ui, text: String) -> f32 {
    // Digits have equal widths; a space is narrower.
    let digits = text.trim_start();
    let places = text.len().saturating_sub(digits.len());
    let text = format!("{}{digits}", "0".repeat(places));
    let text = egui::WidgetText::from(RichText::new(text).monospace());
    let extend = Some(egui::TextWrapMode::Extend);
    let galley = text.into_galley(ui, extend, f32::INFINITY, egui::TextStyle::Monospace);
    galley.size().x
}

/// Draws seconds, and the frame as a field, each in its own place.
fn counters(
    ui: &mut Ui,
    state: &State,
    timeline: &Timeline,
    wide: bool,
    actions: &mut Vec<Action>,
) {
    let position = state.playback().position(state.timelines());
    let [time, frames] = readout(timeline, position, wide);
    let width = text_width(ui, time.clone());
    let color = theme::of(ui).text_weak;
    let label = egui::Label::new(RichText::new(time).monospace().color(color));
    let label = label.halign(egui::Align::Max);
    let last = timeline.frame_count.saturating_sub(1);
    let steps = f64::from(last) / timeline.fps;
    let tip = format!(
        "Time and length of the animation.\nEvery frame, including the last, is shown for the same time. From the start of the first frame to the start of the last: {steps:.2} s"
    );
    ui.add_sized([width, ROW], label).on_hover_text(tip);
    ui.add_space(CELLS);
    let size = vec2(text_width(ui, frames.clone()) + 2.0 * PADDING, ROW);
    frame_field::ui(ui, state, timeline, (&frames, size), actions);
    ui.add_space(CELLS);
    faded(ui, state);
}
