//! Playing: the list of animations, the timeline, and the controls of time and speed. Here are the controls below the picture: play,
//! pause and step, counters, the current frame as a field, and the timeline.

pub(crate) mod animations;
pub(crate) mod rate;
pub(crate) mod seek_and_section;
pub(crate) mod time_line;

use egui::{
    Align, Align2, CornerRadius, Id, Key, Layout, Rect, Response, RichText, Sense, TextEdit,
    Tooltip, Ui, Vec2, WidgetInfo, vec2,
};
use lucide_icons::Icon;

use pchr::document::AnimationId;
use pchr::playback::{LoopMode, Timeline};
use pchr::scene::{Clip, Subject};

use self::rate::mode_in_words;
use self::seek_and_section::FORMS;
use crate::viewer::action::{Action, LookAction, PlaybackAction};
use crate::viewer::input;
use crate::viewer::kept::{FrameDraft, Keep};
use crate::viewer::panels::Panels;
use crate::viewer::panels::widgets::{
    Look, action_button, line_size, name_text, select_all, shown, switch_button, tip,
};
use crate::viewer::state::State;
use crate::viewer::switch::{ContentKind, Destination, Switch};
use crate::viewer::{playback, theme};

/// Smallest width of the timeline in logical pixels.
const RAIL: f32 = 240.0;
/// Height of the timeline and of a button.
const ROW: f32 = 28.0;
const PLAY: f32 = 42.0;
/// Space between two rows, and between two buttons.
const BETWEEN: f32 = 4.0;
/// Space between the counters, and beside them.
const CELLS: f32 = 8.0;

/// Layout of the controls in the available width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ControlsFit {
    /// The timeline is above everything else, not in its row.
    is_below: bool,
    /// The length in seconds is shown.
    is_wide: bool,
}

impl ControlsFit {
    fn new(ui: &Ui, state: &State, room: f32, has_rail: bool) -> Self {
        let playback = state.playback();
        let Some(timeline) = playback.timeline(state.timelines()) else {
            return Self { is_below: false, is_wide: true };
        };
        let buttons = 5.0 * Look::BUTTON.size.x + PLAY + 6.0 * BETWEEN;
        let switches = if state.kind() == ContentKind::Atlas { 1.0 } else { 2.0 };
        let tools = switches * (Look::TOOL.size.x + BETWEEN) + BETWEEN;
        let rest = |wide| {
            let cells = readout(&timeline, 0.0, wide).map(|text| text_width(ui, text));
            let counters = cells.iter().sum::<f32>() + 3.0 * (CELLS + BETWEEN) + 2.0 * PADDING;
            // As long as there may be a percent of a cross-fade, it has its place, so that nothing moves.
            let fade = match may_fade(state) {
                true => text_width(ui, FADED.to_owned()) + CELLS + BETWEEN,
                false => 0.0,
            };
            room - buttons - tools - counters - fade
        };
        let rail = if has_rail { RAIL } else { 0.0 };
        match (rest(true), rest(false)) {
            (wide, _) if wide >= rail => Self { is_below: false, is_wide: true },
            (_, short) if short >= rail || !has_rail => Self { is_below: false, is_wide: false },
            (wide, _) => Self { is_below: true, is_wide: wide >= 0.0 },
        }
    }
}

/// Returns the height of the controls with their margins, in logical pixels, for the available width.
pub(crate) fn height(ui: &Ui, state: &State, has_rail: bool) -> f32 {
    let room = ui.available_width() - 2.0 * f32::from(theme::MARGIN);
    let one = ROW + 16.0;
    let is_below = ControlsFit::new(ui, state, room, has_rail).is_below;
    if is_below { one + ROW + BETWEEN } else { one }
}

/// Draws the controls, and the timeline if it `has_rail`; else that is above the curves.
pub(crate) fn ui(ui: &mut Ui, state: &Panels<'_>, has_rail: bool) {
    let timeline = state.playback().timeline(state.timelines());
    let fit = ControlsFit::new(ui, state, ui.available_width(), has_rail);
    ui.add_enabled_ui(timeline.is_some(), |ui| {
        ui.spacing_mut().item_spacing = vec2(BETWEEN, BETWEEN);
        if let Some(timeline) = timeline.filter(|_| fit.is_below) {
            time_line::ui(ui, state, &timeline, ROW);
        }
        ui.horizontal(|ui| {
            ui.set_min_height(ROW);
            buttons(ui, state, timeline.is_some());
            let Some(timeline) = timeline else { return };
            at_end(ui, state);
            if state.kind() != ContentKind::Atlas {
                let on = state.is_on(Switch::Curves);
                let more = "Shown under the timeline, for all frames";
                switch_button(ui, Icon::Spline, Switch::Curves, on, more, state);
            }
            ui.add_space(BETWEEN);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                counters(ui, state, &timeline, fit.is_wide);
                if has_rail && !fit.is_below {
                    ui.add_space(CELLS);
                    time_line::ui(ui, state, &timeline, ROW);
                }
            });
        });
    });
}

fn buttons(ui: &mut Ui, state: &Panels<'_>, can_play: bool) {
    let playback = state.playback();
    let playing = playback.playing && can_play;
    // A ping-pong goes both ways: the signs stay while it turns round.
    let both = playback.mode(state.timelines()) == LoopMode::PingPong;
    let (forwards, backwards) =
        (playing && (both || !playback.backwards), playing && !both && playback.backwards);
    let named = |on: bool, play: Icon, word: &'static str| {
        if on { (Icon::Pause, "Pause") } else { (play, word) }
    };
    let (back_icon, back_word) = named(backwards, Icon::Rewind, "Play backwards");
    let (icon, word) = named(forwards, Icon::Play, "Play");
    let buttons = [
        (Icon::SkipBack, Action::Playback(PlaybackAction::FirstFrame), "First frame"),
        (Icon::StepBack, Action::Playback(PlaybackAction::Step(-1)), "Step back"),
        (back_icon, Action::Playback(PlaybackAction::ToggleBackwards), back_word),
        (icon, Action::Playback(PlaybackAction::TogglePlay), word),
        (Icon::StepForward, Action::Playback(PlaybackAction::Step(1)), "Step forward"),
        (Icon::SkipForward, Action::Playback(PlaybackAction::LastFrame), "Last frame"),
    ];
    for (icon, action, name) in buttons {
        let mut look = Look::BUTTON;
        if matches!(action, Action::Playback(PlaybackAction::TogglePlay)) {
            look.size.x = PLAY;
        }
        action_button(ui, (icon, look), (name, ""), action, state);
    }
}

/// Draws the button for the behaviour at the end. A click selects the next one.
fn at_end(ui: &mut Ui, state: &Panels<'_>) {
    let mode = state.playback().mode(state.timelines());
    let icon = match mode {
        LoopMode::Once => Icon::ArrowRightToLine,
        LoopMode::Loop => Icon::Repeat,
        LoopMode::PingPong => Icon::ArrowLeftRight,
    };
    let words = mode_in_words(mode);
    let name = format!("Loop: {words}");
    let more = format!("Current: {}", words.to_lowercase());
    let look = Look::TOOL.lit(ui, state.playback().mode.is_some());
    let cycle = Action::Playback(PlaybackAction::CycleLoop);
    action_button(ui, (icon, look), (&name, &more), cycle, state);
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
    let text = format!("Fade {}", playback::per_cent(fade.amount()));
    let name = |id: Option<AnimationId>| id.map_or("", |id| model.subject().animation_name(id));
    let [from, to] = [&fade.from, state.playback()].map(|clip| shown(name(clip.animation)));
    let tip =
        format!("Cross-fade from {from} to {to}\nPause to hold it, drag the timeline to move it");
    let color = theme::of(ui).accent;
    let label = egui::Label::new(RichText::new(text).monospace().color(color));
    ui.add_sized([width, ROW], label.halign(Align::Max)).on_hover_text(tip);
    ui.add_space(CELLS);
}

fn text_width(ui: &Ui, text: String) -> f32 {
    // Digits have equal widths; a space is narrower.
    let digits = text.trim_start();
    let places = text.len().saturating_sub(digits.len());
    let text = format!("{}{digits}", "0".repeat(places));
    line_size(ui, RichText::new(text).monospace()).x
}

/// Draws seconds, and the frame as a field, each in its own place.
fn counters(ui: &mut Ui, state: &Panels<'_>, timeline: &Timeline, wide: bool) {
    let position = state.playback().position(state.timelines());
    let [mut time, frames] = readout(timeline, position, wide);
    let playback = state.playback();
    if playback.ended && !playback.backwards {
        // The last frame was shown for its whole time.
        [time, _] = readout(timeline, position.floor() + 1.0, wide);
    }
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
    frame_field(ui, state, timeline, (&frames, size));
    ui.add_space(CELLS);
    faded(ui, state);
}

/// Logical pixels on either side of the text.
const PADDING: f32 = 6.0;

/// Name of the field.
const GO_TO: &str = "Go to a frame";

/// Draws the field. `text` is the current frame, `size` that of the text and its padding.
fn frame_field(ui: &mut Ui, state: &Panels<'_>, timeline: &Timeline, (text, size): (&str, Vec2)) {
    let id = Id::unique("frame that is typed");
    let kept = &state.kept().frame;
    let mut entry = kept.clone();
    let position = state.playback().position(state.timelines());
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let is_wanted = state.looking().target == Some(Destination::Frame);
    if entry.is_none() && (response.clicked() || is_wanted) {
        let whole = position.floor();
        entry = Some(FrameDraft {
            text: format!("{whole:.0}"),
            is_new: true,
            by_key: response.has_focus(),
            is_wrong: false,
        });
    }
    let Some(mut open) = entry else {
        frame_shown(ui, state, &response, (rect, text));
        return;
    };
    let opener = response.id;
    let field_id = id.with("field");
    if is_wanted {
        select_all(ui, field_id, &open.text);
    }
    let colors = theme::of(ui);
    let before = open.text.clone();
    let color = if open.is_wrong { colors.error } else { colors.text_strong };
    let field = TextEdit::singleline(&mut open.text)
        .id(field_id)
        .font(egui::TextStyle::Monospace)
        .text_color(color)
        .align(Align2::LEFT_CENTER)
        .margin(vec2(PADDING, 0.0))
        .desired_width(rect.width());
    let builder = egui::UiBuilder::new().max_rect(rect.shrink2(vec2(0.0, 2.0)));
    let field = ui.scope_builder(builder, |ui| field.show(ui)).inner;
    let response = field.response.response;
    name_text(&response, (GO_TO, GO_TO), &before, &open.text);
    open.is_wrong &= before == open.text;
    if open.is_new && response.has_focus() {
        open.is_new = false;
    } else if open.is_new {
        response.request_focus();
        select_all(ui, response.id, &open.text);
    }
    if open.is_new {
        input::hold_keys(ui.ctx());
    }
    let mut is_open = true;
    if response.lost_focus() && !open.is_new {
        let enter = ui.input(|input| input.key_pressed(Key::Enter));
        match seek_and_section::parse(&open.text, position, timeline).filter(|_| enter) {
            Some(frame) => state.push(PlaybackAction::GoTo(frame)),
            None if enter => {
                open.is_wrong = true;
                response.request_focus();
            }
            None => {}
        }
        is_open = open.is_wrong && enter;
    }
    if is_open {
        let forms =
            Tooltip::always_open(ui.ctx().clone(), response.layer_id, response.id, &response);
        forms.show(|ui| ui.label(RichText::new(format!("Try  {FORMS}")).monospace()));
        state.push_if(kept.as_ref() != Some(&open), Keep::Frame(Some(open)));
        return;
    }
    state.push(Keep::Frame(None));
    if open.by_key {
        ui.memory_mut(|memory| memory.request_focus(opener));
    }
}

/// Draws the current frame, which a click opens.
fn frame_shown(ui: &mut Ui, state: &State, response: &Response, (rect, text): (Rect, &str)) {
    let colors = theme::of(ui);
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(egui::Role::Button, ui.is_enabled(), GO_TO);
        info.current_text_value = Some(text.trim().to_owned());
        info
    });
    let lit = response.hovered() || response.has_focus();
    let fill = if lit { colors.button_hovered } else { colors.button };
    let frame = rect.shrink2(vec2(0.0, 2.0));
    let stroke = egui::Stroke::new(1.0, colors.outline);
    let radius = CornerRadius::same(4);
    ui.painter().rect(frame, radius, fill, stroke, egui::StrokeKind::Inside);
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let at = rect.right_center() - vec2(PADDING, 0.0);
    ui.painter().text(at, Align2::RIGHT_CENTER, text, font, colors.text_strong);
    let go_to = Action::Looking(LookAction::GoTo(Destination::Frame));
    let more = format!("Current and last frame. Click to type, for example\n{FORMS}");
    let tip = tip(ui, &go_to, &more, state);
    if lit {
        ui.set_cursor_icon(egui::CursorIcon::Text);
    }
    response.clone().on_hover_text(tip);
}

/// Largest number of animations in the menu. More would make each frame slow.
const LISTED: usize = 500;

/// Returns the animations of a menu.
pub(crate) fn listed(subject: &dyn Subject) -> impl Iterator<Item = (AnimationId, Clip<'_>)> {
    let ids = subject.animation_ids().take(LISTED);
    ids.filter_map(|id| Some((id, subject.animation(id)?)))
}

/// Shows the number of animations that are not listed.
pub(crate) fn unlisted(ui: &mut Ui, subject: &dyn Subject) {
    let more = subject.animation_count().saturating_sub(LISTED);
    if more > 0 {
        let text = RichText::new(format!("and {more} more"));
        ui.label(text.color(theme::of(ui).text_weak));
    }
}
