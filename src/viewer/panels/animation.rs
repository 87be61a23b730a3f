//! Choice of the animation and its playback, and of the bind pose.

use egui::{Align, Button, ComboBox, DragValue, Layout, RichText, Ui};

use super::icons::Icon;
use super::menu::Menu;
use super::widgets::{Look, icon_button, name_combo, name_number, section, tip};
use crate::document::{AnimationId, FPS_WHEN_ZERO};
use crate::playback::{FPS_RANGE, LoopMode, SPEED_RANGE, Timeline};
use crate::pose::{BindChoice, BindPose, BindSource};
use crate::scene::{Clip, Subject};
use crate::text::visible;
use crate::viewer::action::{Action, PlaybackAction};
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::target::Target;
use crate::viewer::theme;

/// Largest number of animations in the menu of bind poses. More would make each frame slow.
const LISTED: usize = 500;

/// Width of the column with the names of the controls.
const LABELS: f32 = 68.0;
/// Size of a number. Two numbers and their reset buttons fit in a row.
const NUMBER: [f32; 2] = [68.0, 26.0];

/// Draws the choice of an animation and, unless `brief`, its playback controls.
pub(super) fn ui(ui: &mut Ui, state: &State, brief: bool, actions: &mut Vec<Action>) {
    if !brief {
        section(ui, "Animation");
    }
    let Some(model) = state.model() else {
        ui.label(RichText::new("Nothing is open").color(theme::of(ui).text_weak));
        return;
    };
    choice(ui, state, model.subject(), actions);
    if brief {
        return;
    }
    row(ui, "Rate", |ui| {
        fps(ui, state, model, actions);
        speed(ui, state, actions);
    });
    row(ui, "At the end", |ui| {
        looping(ui, state, actions);
        let mut smooth = state.playback().smooth;
        let tip = tip(
            ui,
            &Action::Toggle(Switch::Smooth),
            "Blend neighbouring frames instead of showing them as authored",
        );
        if ui
            .checkbox(&mut smooth, "Smooth")
            .on_hover_text(tip)
            .changed()
        {
            actions.push(Action::Toggle(Switch::Smooth));
        }
    });
    if let Some(pose) = model.subject().bind() {
        row(ui, "Bind pose", |ui| bind(ui, model, pose, actions));
    }
}

/// Draws a name and its controls.
fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.allocate_ui_with_layout(
            egui::vec2(LABELS, ui.spacing().interact_size.y),
            Layout::left_to_right(Align::Center),
            |ui| {
                ui.set_min_width(LABELS);
                ui.label(RichText::new(name).color(theme::of(ui).text_weak));
            },
        );
        add(ui);
    });
}

/// Returns a name without hidden characters, or a replacement for an empty one.
pub(super) fn shown(name: &str) -> String {
    match name {
        "" => "(no name)".to_owned(),
        name => visible(name).into_owned(),
    }
}

fn choice(ui: &mut Ui, state: &State, subject: &dyn Subject, actions: &mut Vec<Action>) {
    let chosen = state.playback().animation;
    let name = chosen.and_then(|id| subject.animation(id)).map_or_else(
        || "No animations".to_owned(),
        |animation| shown(animation.name),
    );
    let count = subject.animation_count();
    let combo = ComboBox::from_id_salt("animation")
        .selected_text(&name)
        .width(ui.available_width())
        .truncate();
    let response = ui.add_enabled_ui(count > 0, |ui| {
        combo.show_ui(ui, |ui| {
            let id = |row: usize| AnimationId(u16::try_from(row).unwrap_or(u16::MAX));
            let current = chosen.map(AnimationId::index);
            let text = |row| shown(subject.animation_name(id(row)));
            let mut menu = Menu::begin(ui);
            menu.list(ui, count, current, text, |ui, row| {
                let animation = subject.animation(id(row))?;
                let frames = animation.timeline.frame_count;
                let more = match frames {
                    1 => "1 frame".to_owned(),
                    frames => format!("{frames} frames"),
                };
                let more = RichText::new(more).small().color(theme::of(ui).text_weak);
                let is_chosen = chosen == Some(id(row));
                let label = Button::selectable(is_chosen, shown(animation.name)).right_text(more);
                let response = ui.add_enabled(frames > 0, label);
                if response.clicked() {
                    actions.push(Action::Playback(PlaybackAction::Animation(id(row))));
                }
                Some(response)
            });
            menu.end(ui, true);
        })
    });
    let tip = match count {
        0 => "The file has no animations: vertices are drawn as they are stored".to_owned(),
        1 => "The file has 1 animation".to_owned(),
        count => format!("The file has {count} animations"),
    };
    if state.looking().target == Some(Target::Animations) {
        let combo = &response.inner.response;
        combo.request_focus();
        egui::Popup::open_id(ui.ctx(), egui::Popup::default_response_id(combo));
    }
    name_combo(&response.inner.response, "Animation", &name);
    response.inner.response.on_hover_text(tip);
}

/// Returns the animations of a menu.
fn listed(subject: &dyn Subject) -> impl Iterator<Item = (AnimationId, Clip<'_>)> {
    let ids = subject.animation_ids().take(LISTED);
    ids.filter_map(|id| Some((id, subject.animation(id)?)))
}

/// Shows the number of animations that are not listed.
fn unlisted(ui: &mut Ui, subject: &dyn Subject) {
    let more = subject.animation_count().saturating_sub(LISTED);
    if more > 0 {
        let text = RichText::new(format!("and {more} more"));
        ui.label(text.color(theme::of(ui).text_weak));
    }
}

fn fps(ui: &mut Ui, state: &State, model: &Model, actions: &mut Vec<Action>) {
    let stated = model.subject().file().fps;
    let clip = state
        .playback()
        .animation
        .and_then(|id| model.subject().animation(id));
    let own = clip.map_or(stated.unwrap_or(FPS_WHEN_ZERO.into()), |clip| {
        clip.timeline.fps
    });
    let wanted = state.playback().fps;
    let mut fps = wanted.unwrap_or(own);
    let drag = DragValue::new(&mut fps)
        .range(FPS_RANGE)
        .clamp_existing_to_range(false)
        .speed(0.2)
        .custom_formatter(|fps, _| trimmed(fps))
        .suffix(" fps");
    let tip = match stated {
        None => format!(
            "The file has no frame rate and plays at {own}.\nDrag, or click to type another"
        ),
        Some(_) => format!("The file plays at {own}.\nDrag, or click to type another"),
    };
    let response = ui.add_sized(NUMBER, drag).on_hover_text(tip);
    name_number(&response, "Frame rate", fps);
    if response.changed() {
        actions.push(Action::Playback(PlaybackAction::Fps(Some(fps))));
    }
    if wanted.is_some() {
        reset(
            ui,
            Action::Playback(PlaybackAction::Fps(None)),
            &format!("The file's own: {own} fps"),
            actions,
        );
    }
}

/// Formats a number with at most two decimals and without trailing zeros.
fn trimmed(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn looping(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let playback = state.playback();
    let own = playback
        .animation
        .and_then(|id| state.timelines().get(id.index()))
        .map_or(LoopMode::Once, Timeline::loop_mode);
    let mode = playback.mode(state.timelines());
    let combo = ComboBox::from_id_salt("loop mode")
        .selected_text(mode_in_words(mode))
        .width(84.0);
    let says = format!("The file says: {}", mode_in_words(own).to_lowercase());
    let response = combo.show_ui(ui, |ui| {
        let mut menu = Menu::begin(ui);
        for choice in [LoopMode::Once, LoopMode::Loop, LoopMode::PingPong] {
            if menu.button(ui, mode_in_words(choice), mode == choice) {
                actions.push(Action::Playback(PlaybackAction::Looping(
                    (choice != own).then_some(choice),
                )));
            }
        }
        menu.end(ui, true);
    });
    name_combo(&response.response, "At the end", mode_in_words(mode));
    let tip = tip(ui, &Action::Playback(PlaybackAction::CycleLoop), &says);
    response.response.on_hover_text(tip);
    if playback.mode.is_some() {
        reset(
            ui,
            Action::Playback(PlaybackAction::Looping(None)),
            &says,
            actions,
        );
    }
}

/// Returns the behaviour at the end of an animation, in words.
pub(super) fn mode_in_words(mode: LoopMode) -> &'static str {
    match mode {
        LoopMode::Once => "Stop",
        LoopMode::Loop => "Loop",
        LoopMode::PingPong => "Ping-pong",
    }
}

fn speed(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let mut speed = state.playback().speed;
    let drag = DragValue::new(&mut speed)
        .range(SPEED_RANGE)
        .clamp_existing_to_range(false)
        .speed(0.01)
        .custom_formatter(|speed, _| trimmed(speed))
        .suffix(" ×");
    let [slower, faster] =
        [-1, 1].map(|by| tip(ui, &Action::Playback(PlaybackAction::WalkSpeed(by)), ""));
    let response = ui.add_sized(NUMBER, drag).on_hover_text(format!(
        "{slower}, {faster}\nDrag, or click to type another"
    ));
    name_number(&response, "Speed", speed);
    if response.changed() {
        actions.push(Action::Playback(PlaybackAction::Speed(speed)));
    }
    if state.playback().speed != 1.0 {
        let tip = tip(ui, &Action::Playback(PlaybackAction::Speed(1.0)), "");
        reset(
            ui,
            Action::Playback(PlaybackAction::Speed(1.0)),
            &tip,
            actions,
        );
    }
}

/// Draws the button that ends an override.
fn reset(ui: &mut Ui, action: Action, tip: &str, actions: &mut Vec<Action>) {
    let look = Look::SMALL.color(theme::of(ui).accent);
    if icon_button(ui, Icon::Reset, look, "Reset", tip).clicked() {
        actions.push(action);
    }
}

/// Returns a bind pose in words.
pub(super) fn bind_in_words(subject: &dyn Subject, source: BindSource) -> String {
    let name = |id: AnimationId| shown(subject.animation_name(id));
    match source {
        BindSource::Named(id) => name(id),
        BindSource::FirstFrame(id) => format!("{}, first frame", name(id)),
        BindSource::Chosen(id, frame) => format!("{}, frame {frame}", name(id)),
        BindSource::Disabled | BindSource::Absent => "none".to_owned(),
    }
}

fn bind(ui: &mut Ui, model: &Model, pose: &BindPose, actions: &mut Vec<Action>) {
    let subject = model.subject();
    let chosen = model.bind_choice();
    let text = bind_in_words(subject, pose.source());
    let combo = ComboBox::from_id_salt("bind")
        .selected_text(text.as_str())
        .width(ui.available_width())
        .truncate();
    let mut option = |ui: &mut Ui, menu: &mut Menu, choice: BindChoice, text: &str| {
        if menu.button(ui, text, chosen == choice) {
            actions.push(Action::Playback(PlaybackAction::Bind(choice)));
        }
    };
    let response = combo.show_ui(ui, |ui| {
        let mut menu = Menu::begin(ui);
        option(ui, &mut menu, BindChoice::Auto, "Found by name");
        option(ui, &mut menu, BindChoice::None, "None");
        if let Some(at) = model.pose().at() {
            let choice = BindChoice::Frame(at.animation, at.frame);
            option(ui, &mut menu, choice, "The frame on screen");
        }
        ui.separator();
        for (id, animation) in listed(subject) {
            if animation.timeline.frame_count > 0 {
                let choice = BindChoice::Frame(id, 0);
                let text = format!("{}, frame 0", shown(animation.name));
                option(ui, &mut menu, choice, &text);
            }
        }
        unlisted(ui, subject);
        menu.end(ui, true);
    });
    name_combo(&response.response, "Bind pose", &text);
    response
        .response
        .on_hover_text("The pose that the vertices are stored in.\nThe file does not say; parts lie apart when it is wrong");
}
