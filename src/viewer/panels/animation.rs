//! Choice of the animation and its playback.

use egui::{Align, Button, ComboBox, Layout, RichText, Ui};

use pchr::document::AnimationId;
use pchr::scene::Subject;

use super::bind;
pub(super) use super::bind::bind_in_words;
use super::clips;
use super::icons::{self, Icon};
use super::menu::Menu;
use super::more;
pub(super) use super::names::shown;
use super::rate;
use super::widgets::{Look, name_combo, section};
use crate::viewer::action::{Action, PlaybackAction};
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::target::Target;
use crate::viewer::theme;

/// Draws the animations, and rate and loop of the one that plays. In a `low` window they are menus.
pub(super) fn ui(ui: &mut Ui, state: &State, low: bool, actions: &mut Vec<Action>) {
    let room = ui.available_height();
    let Some(model) = state.model() else {
        return padded(ui, |ui| {
            section(ui, "Animation");
            ui.label(RichText::new("Nothing is open").color(theme::of(ui).text_weak));
        });
    };
    if low {
        ui.add_space(LOW_PADDING);
        super::padded(ui, |ui| menus(ui, state, model, actions));
        return ui.add_space(LOW_PADDING);
    }
    ui.add_space(PADDING);
    super::padded(ui, |ui| head(ui, state, model, actions));
    let fade = match rate::can_fade(state, model) {
        true => FADE_ROW,
        false => 0.0,
    };
    match clips::rows(room - fade, state.timelines().len()) {
        Some(rows) => clips::ui(ui, state, model.subject(), rows, actions),
        None => super::padded(ui, |ui| {
            let width = ui.available_width();
            choice(ui, state, model.subject(), width, actions);
        }),
    }
    super::padded(ui, |ui| {
        ui.add_space(3.0);
        rate::ui(ui, state, model, actions);
        note(ui, model);
    });
    ui.add_space(PADDING);
}

/// Height of the row of the cross-fade in logical pixels.
const FADE_ROW: f32 = 30.0;
/// Space above and below in logical pixels.
const PADDING: f32 = 6.0;
/// Padding in a low panel.
const LOW_PADDING: f32 = 1.0;

/// Adds controls within the panel's margins and some space above and below.
fn padded(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    ui.add_space(PADDING);
    super::padded(ui, add);
    ui.add_space(PADDING);
}

/// Draws the title, the number of animations and the menu.
fn head(ui: &mut Ui, state: &State, model: &Model, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.set_min_height(Look::SMALL.size.y);
        section(ui, "Animation");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if more::any(model, false) {
                more::ui(ui, state, model, false, actions);
            }
            let all = state.timelines().len();
            let count = match state.looking().clip_filter.trim() {
                "" if all < 2 => String::new(),
                "" => all.to_string(),
                _ => format!("{} of {all}", state.clip_count()),
            };
            let count = RichText::new(count).small();
            ui.label(count.color(theme::of(ui).text_weak));
        });
    });
}

/// Draws the animations and everything else as menus in a row.
fn menus(ui: &mut Ui, state: &State, model: &Model, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = ui.available_width() - Look::SMALL.size.x - 4.0;
        choice(ui, state, model.subject(), width, actions);
        more::ui(ui, state, model, true, actions);
    });
}

/// Says that the bind pose was not found.
fn note(ui: &mut Ui, model: &Model) {
    let pose = model.subject().bind();
    let Some(text) = pose.and_then(|pose| bind::missing(model, pose)) else {
        return;
    };
    let colors = theme::of(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (_, place) = ui.allocate_space(egui::vec2(14.0, 16.0));
        icons::paint(ui.painter(), place, Icon::Warning, colors.warning);
        let text = RichText::new(text).small().color(colors.text_weak);
        let tip = "No animation is named like a bind pose (bind, rest, setup, tpose).\nIf parts look torn apart, choose another frame in the menu above";
        ui.add(egui::Label::new(text).truncate()).on_hover_text(tip);
    });
}

fn choice(
    ui: &mut Ui,
    state: &State,
    subject: &dyn Subject,
    width: f32,
    actions: &mut Vec<Action>,
) {
    let chosen = state.playback().animation;
    let name = chosen.and_then(|id| subject.animation(id)).map_or_else(
        || "No animations".to_owned(),
        |animation| shown(animation.name),
    );
    let count = subject.animation_count();
    let combo = ComboBox::from_id_salt("animation")
        .selected_text(&name)
        .width(width)
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
