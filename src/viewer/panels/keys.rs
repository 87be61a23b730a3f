//! The sheet of all keys.

use egui::style::ScrollAnimation;
use egui::{RichText, ScrollArea, Ui, vec2};

use super::filter::holds;
use super::palette::{search, sheet};
use super::scroll_keys;
use super::widgets::{keys_of, section};
use super::words;
use crate::viewer::action::{Action, COMMANDS, Command, Group};
use crate::viewer::kind::Kind;
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

const WIDTH: f32 = 720.0;
/// Width in logical pixels from which there are two columns.
const COLUMNS: f32 = 600.0;
/// Part of a line that keys may take.
const KEYS: f32 = 0.5;

/// Effects of the pointer on a motion in space.
const POINTER_IN_SPACE: [(&str, &str); 7] = [
    ("Drag", "Turn"),
    (
        "Shift+drag, middle drag",
        "Pan; also a drag with Space held",
    ),
    ("Wheel, pinch", "Zoom about the pointer"),
    ("Click", "Select a bone"),
    (
        "Double click",
        "Centre a bone; on empty space, fit the view",
    ),
    ("Shift+drag on the timeline", "Choose a loop range"),
    ("Drop", "Open files or a folder"),
];

/// Effects of the pointer, which have no keys.
const POINTER: [(&str, &str); 6] = [
    ("Drag", "Pan; also a drag with Space held"),
    ("Wheel, pinch", "Zoom about the pointer"),
    (
        "Click",
        "Select the topmost mesh; click again for the one below",
    ),
    ("Double click", "Fit the animation"),
    ("Shift+drag on the timeline", "Choose a loop range"),
    ("Drop", "Open files or a folder"),
];

/// Effects of keys on the control that has the keyboard focus, independent of bindings.
const CONTROLS: [(&str, &str); 7] = [
    ("Tab, Shift+Tab", "Next control, previous control"),
    ("Space, Enter", "Press the focused control"),
    ("Up, Down, Home, End", "Move through the focused list"),
    ("Space", "Hide or show a row of a list"),
    ("Left, Right", "Fold or unfold a row of a tree"),
    ("Left, Right", "Move an end of the loop range"),
    ("Escape", "Leave the control"),
];

pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let query = &state.looking().query;
    sheet(
        ui,
        "keys",
        Action::Toggle(Switch::Keys).name(),
        WIDTH,
        |ui| {
            let scroll = scroll_keys::pressed(ui, 300.0);
            let query = &search(ui, query, "Search keys and actions", actions);
            ui.add_space(6.0);
            let height = (ui.ctx().content_rect().height() * 0.88 - 100.0).clamp(120.0, 520.0);
            ScrollArea::vertical()
                .max_height(height)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    ui.scroll_with_delta_animation(vec2(0.0, scroll), ScrollAnimation::none());
                    ui.set_width(ui.available_width() - 14.0);
                    let top = ui.cursor().top();
                    ui.spacing_mut().item_spacing.x = 28.0;
                    // Search results are in one column, since all of them may belong to one side.
                    let is_one = ui.available_width() < COLUMNS || !query.is_empty();
                    let count = if is_one { 1 } else { 2 };
                    ui.columns(count, |columns| {
                        for column in columns.iter_mut() {
                            column.spacing_mut().item_spacing.y = 2.0;
                        }
                        let (first, second) = Group::ALL.split_at(Group::ALL.len() / 2);
                        let Some((left, rest)) = columns.split_first_mut() else {
                            return;
                        };
                        for group in first {
                            listed(left, *group, query);
                        }
                        let right = rest.first_mut().unwrap_or(left);
                        for group in second {
                            listed(right, *group, query);
                        }
                        let pointer = match words::kind(right) {
                            Kind::Motion => POINTER_IN_SPACE.as_slice(),
                            Kind::Character | Kind::Atlas => POINTER.as_slice(),
                        };
                        unbound(right, "Controls", &CONTROLS, query);
                        unbound(right, "Pointer", pointer, query);
                    });
                    if ui.min_rect().bottom() <= top + 1.0 {
                        ui.label(RichText::new("No results").color(theme::of(ui).text_weak));
                    }
                });
        },
    );
}

fn listed(ui: &mut Ui, group: Group, query: &str) {
    let wanted = |command: &&Command| {
        let name = &*words::fit(ui, command.name);
        let held = || keys_of(ui, command).iter().any(|key| holds(key, query));
        command.group == group && (holds(name, query) || holds(group.name(), query) || held())
    };
    let concerned = COMMANDS
        .iter()
        .filter(|command| words::concerns(ui, &command.action));
    let found: Vec<&Command> = concerned.filter(wanted).collect();
    if found.is_empty() {
        return;
    }
    section(ui, group.name());
    for command in found {
        let keys = keys_of(ui, command).join("   ");
        let id = format!("In the settings file: {}", command.id);
        line(ui, &words::fit(ui, command.name), &keys).on_hover_text(id);
    }
    ui.add_space(8.0);
}

/// Draws a section of effects that are not actions.
fn unbound(ui: &mut Ui, title: &str, all: &[(&str, &str)], query: &str) {
    let is_wanted = |(key, name): &&(&str, &str)| holds(key, query) || holds(name, query);
    let found: Vec<_> = all.iter().filter(is_wanted).collect();
    if found.is_empty() {
        return;
    }
    section(ui, title);
    for (key, name) in found {
        line(ui, &words::fit(ui, name), key);
    }
    ui.add_space(8.0);
}

/// Draws a name and its keys beside each other; either has as many lines as it needs.
fn line(ui: &mut Ui, name: &str, keys: &str) -> egui::Response {
    let colors = theme::of(ui);
    let keys = match keys {
        "" => RichText::new("no key").small().color(colors.text_weak),
        keys => RichText::new(keys).monospace().color(colors.accent),
    };
    let most = ui.available_width() * KEYS;
    let extend = Some(egui::TextWrapMode::Extend);
    let whole = egui::WidgetText::from(keys.clone());
    let whole = whole.into_galley(ui, extend, f32::INFINITY, egui::TextStyle::Body);
    let width = whole.size().x.min(most).ceil();
    let row = ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        ui.spacing_mut().interact_size.y = 18.0;
        ui.set_min_height(18.0);
        let rest = ui.available_width() - width - 12.0;
        let lines = egui::Layout::top_down(egui::Align::Min);
        ui.allocate_ui_with_layout(vec2(rest, 18.0), lines, |ui| {
            ui.set_width(rest);
            ui.add(egui::Label::new(RichText::new(name).color(colors.text)).wrap());
        });
        let lines = egui::Layout::top_down(egui::Align::Max);
        ui.allocate_ui_with_layout(vec2(width, 18.0), lines, |ui| {
            ui.set_width(width);
            ui.add(egui::Label::new(keys).wrap().halign(egui::Align::Max));
        });
    });
    row.response
}

/// Returns true for a text of the sheet.
#[cfg(test)]
pub(super) fn is_text(text: &str) -> bool {
    let all = CONTROLS.iter().chain(&POINTER);
    let mut all = all.flat_map(|(keys, name)| [*keys, *name]);
    let mut commands = COMMANDS.iter().map(|command| command.name);
    all.any(|known| known == text) || commands.any(|name| name == text)
}
