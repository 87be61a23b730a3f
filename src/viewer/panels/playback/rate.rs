//! Rate, speed and loop of playback.

use std::cell::Cell;
use std::ops::RangeInclusive;

use egui::{ComboBox, DragValue, Popup, Slider, SliderClamping, Ui};
use lucide_icons::Icon;

use pchr::document::FPS_WHEN_ZERO;
use pchr::playback::{Blend, FPS_RANGE, FadeCurve, FadeOptions, LoopMode, SPEED_RANGE, Timeline};

use crate::viewer::action::{Action, LookAction, Message, PlaybackAction};
use crate::viewer::model::Model;
use crate::viewer::panels::Panels;
use crate::viewer::panels::menu::{Menu, combo};
use crate::viewer::panels::widgets::{
    Look, icon_button, labelled, name_number, section, shown, tip,
};
use crate::viewer::state::State;
use crate::viewer::switch::{Destination, Switch};
use crate::viewer::{playback, theme};

/// Width of the column with the names of the controls.
const LABELS: f32 = 34.0;
/// Widths of a number or a choice in logical pixels: those of a row are alike, so that rows have two columns.
const WIDTHS: RangeInclusive<f32> = 64.0..=92.0;
const CHOICE: f32 = *WIDTHS.end();
/// Length of the slider of a blend.
const SLIDER: f32 = 48.0;
/// Height of a number.
const HEIGHT: f32 = 26.0;

/// Size of a number, of which two with their reset buttons fit in a row.
fn number_size(ui: &Ui) -> [f32; 2] {
    let others = LABELS + 2.0 * (Look::NARROW.size.x + ui.spacing().item_spacing.x);
    let width = (ui.max_rect().width() - others) / 2.0;
    [width.floor().clamp(*WIDTHS.start(), *WIDTHS.end()), HEIGHT]
}

/// Draws frame rate and speed, loop mode and smoothness, and fade and blend if there are animations for them.
pub(crate) fn ui(ui: &mut Ui, state: &Panels<'_>, model: &Model) {
    rates(ui, state, model);
    row(ui, "Loop", |ui| {
        looping(ui, state);
        smooth(ui, state);
    });
    if can_fade(state, model) {
        row(ui, "Fade", |ui| {
            fade_length(ui, state);
            fade_curve(ui, state);
        });
        row(ui, "Blend", |ui| {
            blend_with(ui, state, model);
            blend_amount(ui, state);
        });
    }
}

/// Returns true if there are animations to fade between.
pub(crate) fn can_fade(state: &State, model: &Model) -> bool {
    state.timelines().len() > 1 && model.subject().can_mix()
}

fn blend_with(ui: &mut Ui, state: &Panels<'_>, model: &Model) {
    let clip = state.blend().map(|blend| shown(model.subject().animation_name(blend.with)));
    let name = clip.as_deref().unwrap_or(ALONE);
    let [width, _] = number_size(ui);
    let list = ComboBox::from_id_salt("blend").width(width).truncate();
    let add = |ui: &mut Ui, menu: &mut Menu| blends(ui, state, model, menu);
    let response = combo(ui, state, list, ("Blend with", name), add);
    if state.looking().target == Some(Destination::Blend) {
        response.request_focus();
        Popup::open_id(ui.ctx(), Popup::default_response_id(&response));
    }
    response.on_hover_text(
        "Another animation at the same phase, mixed with the current one while both play\nTheir lengths may differ, as of a walk and a run",
    );
    reset(ui, state.blend().is_some(), PlaybackAction::Blend(None), "End the blend", state);
}

/// Name of no other animation to blend with.
const ALONE: &str = "None";

/// Adds the animations to blend with to a menu.
fn blends(ui: &mut Ui, state: &Panels<'_>, model: &Model, menu: &mut Menu) {
    let blend = state.blend();
    state.push_if(menu.button(ui, ALONE, blend.is_none()), PlaybackAction::Blend(None));
    let amount = blend.map_or(0.5, |blend| blend.amount);
    for (with, clip) in super::listed(model.subject()) {
        if clip.timeline.frame_count == 0 || state.playback().animation == Some(with) {
            continue;
        }
        let is_chosen = blend.is_some_and(|blend| blend.with == with);
        let name = &shown(clip.name);
        let is_picked = ui.push_id(with.0, |ui| menu.button(ui, name, is_chosen)).inner;
        state.push_if(is_picked, PlaybackAction::Blend(Some(Blend { with, amount })));
    }
    super::unlisted(ui, model.subject());
}

/// Draws the weight of the other animation, if there is one.
fn blend_amount(ui: &mut Ui, state: &Panels<'_>) {
    let Some(blend) = state.blend() else { return };
    let mut percent = blend.amount * 100.0;
    ui.spacing_mut().slider_width = SLIDER;
    let slider = Slider::new(&mut percent, 0.0..=100.0).suffix(" %").step_by(1.0).max_decimals(1);
    let slider = slider.clamping(SliderClamping::Edits); // a weight between steps stays
    let response = ui.add(slider);
    name_number(&response, "Weight of the blend", percent.into());
    let changed = Blend { amount: percent / 100.0, ..blend };
    state.push_if(response.changed(), PlaybackAction::Blend(Some(changed)));
    response.on_hover_text("0 % shows only the current animation, 100 % only the other one");
}

/// Adds the cross-fade, and the animation to blend with and its weight, to a menu.
pub(crate) fn mix_entries(ui: &mut Ui, state: &Panels<'_>, model: &Model, menu: &mut Menu) {
    row(ui, "Fade", |ui| fade_length(ui, state));
    let is_smooth = state.looking().fade.curve == FadeCurve::Smooth;
    state.push_if(menu.button(ui, "Smooth fade", is_smooth), LookAction::CycleFadeCurve);
    ui.add_space(4.0);
    section(ui, "Blend with");
    blend_amount(ui, state);
    ui.push_id("blend", |ui| blends(ui, state, model, menu));
    ui.add_space(4.0);
}

fn fade_length(ui: &mut Ui, state: &Panels<'_>) {
    let fade = state.looking().fade;
    let mut seconds = fade.seconds;
    let is_too_long = Cell::new(false);
    let drag = DragValue::new(&mut seconds)
        .range(playback::RANGE)
        .speed(0.01)
        .custom_formatter(|seconds, _| trimmed(seconds))
        .custom_parser(|text| {
            let seconds = number(text);
            let longest = *playback::RANGE.end();
            is_too_long.set(seconds.is_some_and(|seconds| seconds > longest));
            seconds
        })
        .suffix(" s");
    let [shorter, longer] =
        [-1, 1].map(|by| tip(ui, &Action::Looking(LookAction::WalkFade(by)), "", state));
    let response = ui.add_sized(number_size(ui), drag).on_hover_text(format!(
        "Cross-fade when another animation is chosen while one plays; 0 switches at once\n{longer}, {shorter}\nDrag, or click to type a value"
    ));
    name_number(&response, "Cross-fade", seconds);
    state.push_if(response.changed(), LookAction::Fade(FadeOptions { seconds, ..fade }));
    if is_too_long.get() {
        let longest = format!("A cross-fade lasts at most {} s", playback::RANGE.end());
        state.push(Action::Say(Message::new(longest)));
    }
    let off = LookAction::Fade(FadeOptions { seconds: 0.0, ..fade });
    reset(ui, fade.seconds > 0.0, off, "No cross-fade", state);
}

fn fade_curve(ui: &mut Ui, state: &Panels<'_>) {
    let fade = state.looking().fade;
    let words = playback::curve_in_words(fade.curve);
    let list = ComboBox::from_id_salt("curve of the fade").width(CHOICE);
    let name = "Curve of the cross-fade";
    let response = combo(ui, state, list, (name, words), |ui, menu| {
        for curve in [FadeCurve::Linear, FadeCurve::Smooth] {
            let words = playback::curve_in_words(curve);
            let is_picked = menu.button(ui, words, curve == fade.curve);
            state.push_if(is_picked, LookAction::Fade(FadeOptions { curve, ..fade }));
        }
    });
    response.on_hover_text("Linear runs at an even speed, smooth starts and ends slowly");
}

/// Draws frame rate and speed in a row.
pub(crate) fn rates(ui: &mut Ui, state: &Panels<'_>, model: &Model) {
    row(ui, "Rate", |ui| {
        fps(ui, state, model);
        speed(ui, state);
    });
}

/// Adds the loop modes to a menu.
pub(crate) fn modes(ui: &mut Ui, state: &Panels<'_>, menu: &mut Menu) {
    let own = own_mode(state);
    let mode = state.playback().mode(state.timelines());
    for choice in [LoopMode::Once, LoopMode::Loop, LoopMode::PingPong] {
        let is_picked = menu.button(ui, mode_in_words(choice), mode == choice);
        state.push_if(is_picked, PlaybackAction::Looping((choice != own).then_some(choice)));
    }
}

fn own_mode(state: &State) -> LoopMode {
    let clip = state.playback().animation;
    let own = clip.and_then(|id| state.timelines().get(id.index()));
    own.map_or(LoopMode::Once, Timeline::loop_mode)
}

/// Draws a name and its controls, whose buttons are narrow.
fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    labelled(ui, name, LABELS, |ui| {
        ui.spacing_mut().button_padding.x = 4.0;
        add(ui);
    });
}

fn fps(ui: &mut Ui, state: &Panels<'_>, model: &Model) {
    let stated = model.subject().file().fps;
    let clip = state.playback().animation.and_then(|id| model.subject().animation(id));
    let own = clip.map_or(stated.unwrap_or(FPS_WHEN_ZERO.into()), |clip| clip.timeline.fps);
    let wanted = state.playback().fps;
    let mut fps = wanted.unwrap_or(own);
    let drag = DragValue::new(&mut fps)
        .range(FPS_RANGE)
        .clamp_existing_to_range(false)
        .speed(0.2)
        .custom_formatter(|fps, _| trimmed(fps))
        .custom_parser(|text| rate(text, own))
        .suffix(" fps");
    let file = if stated.is_some() { "file" } else { "file has no frame rate and" };
    let tip = format!("The {file} plays at {own}.\nDrag, or click to type a value");
    let response = ui.add_sized(number_size(ui), drag).on_hover_text(tip);
    name_number(&response, "Frame rate", fps);
    state.push_if(response.changed(), PlaybackAction::Fps(Some(fps)));
    let tip = format!("As in the file: {own} fps");
    reset(ui, wanted.is_some(), PlaybackAction::Fps(None), &tip, state);
}

/// Parses a typed speed: a number above zero, or percent. Others leave the value as it is.
fn factor(text: &str) -> Option<f64> {
    let number = number(text).filter(|number| *number > 0.0)?;
    let is_percent = text.trim_end().ends_with('%');
    Some(if is_percent { number / 100.0 } else { number })
}

/// Parses a typed frame rate: a number, or percent of the file's `own`.
fn rate(text: &str, own: f64) -> Option<f64> {
    let is_percent = text.trim_end().ends_with('%');
    factor(text).map(|rate| if is_percent { rate * own } else { rate })
}

/// Parses a typed number from zero on. Others leave the value as it is.
fn number(text: &str) -> Option<f64> {
    let number = text.trim_end_matches(|sign: char| !sign.is_ascii_digit());
    let number: f64 = number.trim().replace(',', ".").parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

/// Formats a number with at most two decimals and without trailing zeros, or with an exponent if it is very large or small.
fn trimmed(value: f64) -> String {
    if value != 0.0 && !(0.005..1e5).contains(&value) {
        return format!("{value:.1e}");
    }
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn looping(ui: &mut Ui, state: &Panels<'_>) {
    let playback = state.playback();
    let own = own_mode(state);
    let mode = playback.mode(state.timelines());
    let list = ComboBox::from_id_salt("loop mode").width(CHOICE);
    let says = format!("The file says: {}", mode_in_words(own).to_lowercase());
    let chosen = ("Loop", mode_in_words(mode));
    let response = combo(ui, state, list, chosen, |ui, menu| modes(ui, state, menu));
    response.on_hover_text(tip(ui, &Action::Playback(PlaybackAction::CycleLoop), &says, state));
    reset(ui, playback.mode.is_some(), PlaybackAction::Looping(None), &says, state);
}

/// Returns the behaviour at the end of an animation, in words.
pub(crate) fn mode_in_words(mode: LoopMode) -> &'static str {
    match mode {
        LoopMode::Once => "Once",
        LoopMode::Loop => "Loop",
        LoopMode::PingPong => "Ping-pong",
    }
}

fn speed(ui: &mut Ui, state: &Panels<'_>) {
    let mut speed = state.playback().speed;
    let drag = DragValue::new(&mut speed)
        .range(SPEED_RANGE)
        .clamp_existing_to_range(false)
        .speed(0.01)
        .custom_formatter(|speed, _| trimmed(speed))
        .custom_parser(factor)
        .suffix(" ×");
    let [slower, faster] =
        [-1, 1].map(|by| tip(ui, &Action::Playback(PlaybackAction::WalkSpeed(by)), "", state));
    let response = ui
        .add_sized(number_size(ui), drag)
        .on_hover_text(format!("{slower}, {faster}\nDrag, or click to type a value"));
    name_number(&response, "Speed", speed);
    state.push_if(response.changed(), PlaybackAction::Speed(speed));
    let action = Action::Playback(PlaybackAction::Speed(1.0));
    let tip = tip(ui, &action, "", state);
    reset(ui, state.playback().speed != 1.0, action, &tip, state);
}

/// Draws the switch that blends frames.
fn smooth(ui: &mut Ui, state: &Panels<'_>) {
    let mut smooth = state.playback().smooth;
    let more = "Blend neighbouring frames instead of showing them as authored";
    let tip = tip(ui, &Action::Toggle(Switch::Smooth), more, state);
    let response = ui.checkbox(&mut smooth, "Smooth").on_hover_text(tip);
    state.push_if(response.changed(), Action::Toggle(Switch::Smooth));
}

/// Draws the button that removes an override. Its place is kept while there is none, so that nothing moves.
fn reset(ui: &mut Ui, any: bool, action: impl Into<Action>, tip: &str, state: &Panels<'_>) {
    let look = Look::NARROW.color(theme::of(ui).accent);
    ui.add_space(-ui.spacing().item_spacing.x);
    if !any {
        ui.allocate_space(look.size);
    } else if icon_button(ui, Icon::RotateCcw, look, "Reset", tip).clicked() {
        state.push(action);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_typed_with_its_unit_or_without_and_is_finite() {
        assert_eq!(number("12"), Some(12.0));
        assert_eq!(number(" 29,97 fps"), Some(29.97));
        assert_eq!(number("0.5 ×"), Some(0.5));
        assert_eq!((number("0 s"), number("-1")), (Some(0.0), None));
        let shown = [0.0, 0.5, 29.97, 240.0, 1e30, 1e-9].map(trimmed);
        assert_eq!(shown, ["0", "0.5", "29.97", "240", "1.0e30", "1.0e-9"]);
        assert_eq!(factor("50 %"), Some(0.5));
        assert_eq!(factor("1.5"), Some(1.5));
        assert_eq!((rate("50%", 30.0), rate("12", 30.0)), (Some(15.0), Some(12.0)));
        for text in ["-5", "0", "nan", "inf", "-inf", "1e999", "banana", ""] {
            assert_eq!(factor(text), None, "{text}");
        }
    }
}
