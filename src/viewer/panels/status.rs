//! The status line: hints for beginners, warnings, and the view.

use egui::{Align, Button, Label, Layout, RichText, Ui};

use pchr::finding::{Finding, Severity};
use pchr::scene::OrbitCamera;
use pchr_foreign::motion::UpAxis;

use super::Surroundings;
use super::icons::Icon;
use super::widgets::{Look, format_key, icon_button, tip};
use super::zoom;
use crate::viewer::action::{Action, LookAction};
use crate::viewer::facing::Facing;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::target::Target;
use crate::viewer::theme;

pub(super) fn ui(ui: &mut Ui, state: &State, around: &Surroundings, actions: &mut Vec<Action>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 14.0;
        zoom::ui(ui, state, actions);
        if let Some(orbit) = state.orbit() {
            ui.scope(|ui| view(ui, &orbit, actions));
        }
        software(ui, around, actions);
        warnings(ui, state, around, actions);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            hints(ui, state, actions);
        });
    });
}

pub(super) fn weak(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).small().color(theme::of(ui).text_weak)
}

/// Draws viewpoint and projection of a motion in space.
fn view(ui: &mut Ui, orbit: &OrbitCamera, actions: &mut Vec<Action>) {
    let up = if orbit.up == UpAxis::Z {
        "Z up"
    } else {
        "Y up"
    };
    let projection = match orbit.fov {
        fov if fov > 0.0 => format!("Perspective {fov:.0}°"),
        _ => "Orthographic".to_owned(),
    };
    ui.spacing_mut().item_spacing.x = 4.0;
    for (text, width, switch) in [
        (up.to_owned(), 38.0, Switch::ZUp),
        (projection, 92.0, Switch::Perspective),
    ] {
        let action = Action::Toggle(switch);
        let tip = tip(ui, &action, "");
        let button = Button::new(weak(ui, text))
            .frame_when_inactive(false)
            .small();
        if ui
            .add_sized([width, 20.0], button)
            .on_hover_text(tip)
            .clicked()
        {
            actions.push(action);
        }
    }
    let facing = Facing::of([orbit.yaw, orbit.pitch]);
    let text = facing.map_or_else(
        || format!("{:.0}°, {:.0}°", orbit.yaw, orbit.pitch),
        |facing| facing.name().to_owned(),
    );
    let tip = "Degrees around the up axis, and above the ground";
    ui.add_sized([70.0, 20.0], Label::new(weak(ui, text)))
        .on_hover_text(tip);
}

/// Warns where no graphics hardware draws.
fn software(ui: &mut Ui, around: &Surroundings, actions: &mut Vec<Action>) {
    if !around.software {
        return;
    }
    let name = "Software adapter";
    let adapter = &around.adapter;
    let tip = format!(
        "{name}: no graphics hardware was found.\n{adapter} draws on the CPU, which is slower.\nClick for statistics"
    );
    if icon_button(ui, Icon::Warning, Look::SMALL, name, &tip).clicked() {
        actions.push(Action::Toggle(Switch::Hud));
    }
}

fn warnings(ui: &mut Ui, state: &State, around: &Surroundings, actions: &mut Vec<Action>) {
    let Some(model) = state.model() else {
        return;
    };
    let count = count(model).saturating_add(around.warnings.len() as u64);
    if count == 0 {
        return;
    }
    let is_error = |finding: &&Finding| finding.rule.severity() == Severity::Error;
    let errors = model.findings().filter(is_error).count();
    let warnings = usize::try_from(count)
        .unwrap_or(usize::MAX)
        .saturating_sub(errors);
    let said = [
        (errors, "error", "errors"),
        (warnings, "warning", "warnings"),
    ];
    let said = said.into_iter().filter(|(count, ..)| *count > 0);
    let said: Vec<String> = said
        .map(|(count, one, many)| counted(count, one, many))
        .collect();
    let color = match errors {
        0 => theme::of(ui).warning,
        _ => theme::of(ui).error,
    };
    let text = RichText::new(said.join(", ")).small().color(color);
    let button = Button::new(text).frame_when_inactive(false).small();
    let tip = "Warnings about the file; click to list them";
    let response = ui.add(button).on_hover_text(tip);
    if response.clicked() {
        // If it was opened by keyboard, the focus moves into it.
        let opens = response.has_focus() && !state.is_on(Switch::Findings);
        actions.push(match opens {
            true => Action::Looking(LookAction::GoTo(Target::Warnings)),
            false => Action::Toggle(Switch::Findings),
        });
    }
}

/// Returns the number of findings, including those that were not kept.
pub(super) fn count(model: &Model) -> u64 {
    let file = model.subject().warnings().total(Severity::Warning);
    let images = model.image_finding_count() as u64;
    file.saturating_add(images)
        .saturating_add(model.bind_warnings().total(Severity::Warning))
}

/// Draws the hints that are left, and a button that turns them off.
fn hints(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    if state.hints().left().next().is_none() {
        return;
    }
    let texts: Vec<String> = { state.hints().left() }
        .map(|hint| hint.text(state.kind(), |action| format_key(ui, action)))
        .collect();
    let text = texts.join("   ·   ");
    ui.spacing_mut().item_spacing.x = 6.0;
    let room = ui.available_width() - Look::SMALL.size.x - 6.0;
    ui.allocate_ui(egui::vec2(room, ui.available_height()), |ui| {
        ui.set_max_width(room);
        ui.add(Label::new(weak(ui, &text)).truncate());
    });
    let off = Action::Toggle(Switch::Hints);
    if icon_button(
        ui,
        Icon::Close,
        Look::SMALL,
        "Turn hints off",
        "Turn hints off",
    )
    .clicked()
    {
        actions.push(off);
    }
}

pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    let word = if count == 1 { one } else { many };
    format!("{count} {word}")
}
