//! Sheets over the window: the palette, a search of all actions, animations and recent files; and all keys.

use std::path::PathBuf;
use std::sync::Arc;

use egui::style::ScrollAnimation;
use egui::{Align2, Area, Key, Margin, Order, RichText, ScrollArea, TextEdit, Ui, vec2};

use pchr_tools::text::nearest;

use super::list::holds;
use super::problem_and_empty_cards::name_card;
use super::widgets::{format_key, keys_of, section, shown};
use super::{Panels, edges, widgets};
use crate::viewer::action::{
    Action, COMMANDS, Command, FileAction, GROUPS, LookAction, PlaybackAction,
};
use crate::viewer::input::search_id;
use crate::viewer::kept::Keep;
use crate::viewer::loaded::told_apart;
use crate::viewer::model::Model;
use crate::viewer::state::State;
use crate::viewer::switch::{ContentKind, Switch};
use crate::viewer::theme;

const WIDTH: f32 = 460.0;
/// Largest number of listed entries. Typing finds the others.
const LISTED: usize = 200;

struct PaletteEntry {
    text: String,
    /// Topic of the entry.
    group: &'static str,
    key: String,
    /// Other words for it.
    synonyms: &'static str,
    action: Action,
}

pub(super) fn palette(ui: &mut Ui, state: &Panels<'_>) {
    sheet(ui, "palette", Action::Toggle(Switch::Palette).name(), WIDTH, |ui| {
        let (up, down, enter) = ui.input_mut(|input| {
            let mut pressed = |key| input.consume_key(egui::Modifiers::NONE, key);
            (pressed(Key::ArrowUp), pressed(Key::ArrowDown), pressed(Key::Enter))
        });
        let query = &search(ui, &state.looking().query, "What do you want to do?", state);
        let all = found(ui, state, query);
        let more = all.entries.len().saturating_sub(LISTED);
        let found = all.entries.get(..LISTED).unwrap_or(&all.entries);
        let kept = state.kept().palette_row;
        let is_same = *query == state.looking().query;
        let mut row = if is_same { kept } else { 0 };
        if down {
            row = row.saturating_add(1);
        }
        if up {
            row = row.saturating_sub(1);
        }
        row = row.min(found.len().saturating_sub(1));
        state.push_if(row != kept, Keep::PaletteRow(row));
        ui.add_space(4.0);
        let moved = up || down;
        if !all.says.is_empty() {
            ui.label(RichText::new(all.says).color(theme::of(ui).text_weak));
        }
        ScrollArea::vertical().max_height(340.0).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (i, entry) in found.iter().enumerate() {
                let response = entry_line(ui, entry, i == row);
                if moved && i == row {
                    response.scroll_to_me(None);
                }
                if response.clicked() || (enter && i == row) {
                    state.push(Action::Toggle(Switch::Palette));
                    state.push(entry.action.clone());
                }
            }
            if more > 0 {
                let text = RichText::new(format!("and {more} more; type to find them"));
                ui.label(text.color(theme::of(ui).text_weak));
            }
        });
    });
}

/// Draws a sheet over the middle of the window.
pub(super) fn sheet(ui: &Ui, id: &str, name: &str, width: f32, add: impl FnOnce(&mut Ui)) {
    let screen = ui.ctx().content_rect();
    let width = width.min(screen.width() - 32.0);
    Area::new(egui::Id::unique(id))
        .order(Order::Foreground)
        .anchor(Align2::CENTER_TOP, vec2(0.0, (screen.height() * 0.12).min(90.0)))
        .constrain_to(screen)
        .default_size(vec2(width, screen.height() * 0.8))
        .show(ui.ctx(), |ui| {
            let frame = theme::card(theme::of(ui), 10).inner_margin(14);
            frame.shadow(ui.visuals().popup_shadow).show(ui, |ui| {
                ui.set_width(width - 28.0);
                // An area has no more room than its content took last.
                ui.set_max_height(screen.height() * 0.8);
                name_card(ui, egui::Role::Dialog, name);
                add(ui);
            });
        });
}

/// Draws the search field, which has the keyboard focus while a sheet is open. Returns the current query.
pub(super) fn search(ui: &mut Ui, query: &str, hint: &str, state: &Panels<'_>) -> String {
    let mut text = query.to_owned();
    let field = TextEdit::singleline(&mut text)
        .id(search_id())
        .hint_text(RichText::new(hint).color(theme::of(ui).text_weak))
        .margin(Margin::symmetric(8, 6))
        .desired_width(f32::INFINITY);
    let response = ui.add(field);
    widgets::name_text(&response, (hint, hint), query, &text);
    response.request_focus();
    if text != query {
        state.push(LookAction::Query(text.clone()));
    }
    text
}

/// Share of a line where its topic begins.
const TOPICS: f32 = 0.62;
/// Logical pixels between two columns of a line.
const APART: f32 = 12.0;

/// Draws an entry in three columns: name, topic and key.
fn entry_line(ui: &mut Ui, entry: &PaletteEntry, chosen: bool) -> egui::Response {
    let colors = theme::of(ui);
    let weak = if chosen { colors.text } else { colors.text_weak };
    let width = ui.available_width();
    let padding = ui.spacing().button_padding.x;
    let name = widgets::cut(ui, &entry.text, width * TOPICS - padding - APART);
    let button = egui::Button::selectable(chosen, RichText::new(&*name).color(colors.text_strong))
        .right_text(RichText::new(&entry.key).small().color(weak))
        .min_size(vec2(width, theme::ROW));
    let response = ui.add(button);
    let at = response.rect.left_center() + vec2(width * TOPICS, 0.0);
    let font = egui::TextStyle::Small.resolve(ui.style());
    ui.painter().text(at, Align2::LEFT_CENTER, entry.group, font, weak);
    response.widget_info(|| {
        let name = [&entry.text, entry.group, &entry.key].join(" ");
        egui::WidgetInfo::selected(egui::Role::Button, true, chosen, name.trim_end())
    });
    if *name == entry.text { response } else { response.on_hover_text(&entry.text) }
}

/// Entries of the palette.
struct PaletteFound {
    entries: Vec<PaletteEntry>,
    /// Text above them, if nothing matches.
    says: &'static str,
}

/// Returns the matching entries. Searches only if the query, the open file or the recent files have changed.
fn found(ui: &Ui, state: &State, query: &str) -> Arc<PaletteFound> {
    let id = egui::Id::unique("found in the palette");
    let key = (query.to_owned(), state.model().map(Model::serial), state.recent().to_vec());
    let known: Option<(FoundKey, Arc<PaletteFound>)> = ui.data(|data| data.get_temp(id));
    if let Some((_, entries)) = known.filter(|(known, _)| *known == key) {
        return entries;
    }
    let entries = Arc::new(search_all(ui, state, query));
    ui.data_mut(|data| data.insert_temp(id, (key, Arc::clone(&entries))));
    entries
}

/// Everything that the entries depend on: query, serial number of the model, and recent files.
type FoundKey = (String, Option<u64>, Vec<PathBuf>);

/// Searches all entries, best matches first: names that begin with the query, then words that do, then synonyms that do, then
/// entries with all its words. If there are none, those that are named alike.
fn search_all(ui: &Ui, state: &State, query: &str) -> PaletteFound {
    let mut entries: Vec<PaletteEntry> = COMMANDS
        .iter()
        .filter(|command| command.action != Action::Toggle(Switch::Palette))
        .filter(|command| command.action.concerns(state.kind()))
        .map(|command| PaletteEntry {
            text: state.kind().words(command.name).to_owned(),
            group: command.group,
            key: format_key(ui, &command.action),
            synonyms: command.synonyms,
            action: command.action.clone(),
        })
        .collect();
    if let Some(model) = state.model() {
        let subject = model.subject();
        let playable = subject.animation_ids().filter(|id| subject.frame_count(*id) > 0);
        entries.extend(playable.map(|id| PaletteEntry {
            text: format!("Show {}", shown(subject.animation_name(id))),
            group: "Animation",
            key: String::new(),
            synonyms: "",
            action: Action::Playback(PlaybackAction::Animation(id)),
        }));
    }
    entries.extend(state.recent().iter().map(|path| PaletteEntry {
        text: format!("Open {}", told_apart(path, state.recent())),
        group: "Recent",
        key: String::new(),
        synonyms: "",
        action: Action::Files(FileAction::Open(vec![path.clone()])),
    }));
    let query = query.trim().to_lowercase();
    if query.is_empty() {
        return PaletteFound { entries, says: "" };
    }
    let ranks: Vec<Option<usize>> = entries.iter().map(|entry| rank(entry, &query)).collect();
    if ranks.iter().any(Option::is_some) {
        return PaletteFound { entries: in_order(entries, ranks), says: "" };
    }
    let words = |entry: &PaletteEntry| {
        let words = entry.text.split_whitespace().chain(entry.synonyms.split_whitespace());
        let words = words.filter(|word| word.len() > 2).map(str::to_owned);
        [entry.text.clone()].into_iter().chain(words).collect::<Vec<_>>()
    };
    let names: Vec<Vec<String>> = entries.iter().map(words).collect();
    let near = nearest(&query, names.iter().flatten().map(String::as_str));
    let place =
        |names: &Vec<String>| near.iter().position(|near| names.iter().any(|it| it == near));
    let mut ranks: Vec<Option<usize>> = names.iter().map(place).collect();
    let mut says = "No results. Did you mean:";
    if near.is_empty() {
        says = "No results";
        let all = Action::Toggle(Switch::Keys);
        ranks = entries.iter().map(|entry| (entry.action == all).then_some(0)).collect();
    }
    let mut entries = in_order(entries, ranks);
    entries.truncate(NEAR);
    PaletteFound { entries, says }
}

/// Number of entries that are offered if nothing matches.
const NEAR: usize = 6;

/// Returns the entries that have a rank, by that.
fn in_order(entries: Vec<PaletteEntry>, ranks: Vec<Option<usize>>) -> Vec<PaletteEntry> {
    let ranked = ranks.into_iter().zip(entries);
    let mut ranked: Vec<_> = ranked.filter_map(|(rank, entry)| Some((rank?, entry))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, entry)| entry).collect()
}

fn rank(entry: &PaletteEntry, query: &str) -> Option<usize> {
    let text = entry.text.to_lowercase();
    if text.starts_with(query) {
        return Some(0);
    }
    if text.split_whitespace().any(|word| word.starts_with(query)) {
        return Some(1);
    }
    if entry.synonyms.split_whitespace().any(|word| word.starts_with(query)) {
        return Some(2);
    }
    let all = format!("{} {text} {}", entry.group.to_lowercase(), entry.synonyms);
    query.split_whitespace().all(|word| all.contains(word)).then_some(3)
}

const KEYS_WIDTH: f32 = 720.0;
/// Width in logical pixels from which there are two columns.
const COLUMNS: f32 = 600.0;
/// Part of a line that keys may take.
const KEYS: f32 = 0.5;

/// Effects of the pointer, which have no keys: in a plane, and on a motion in space. An empty text is none.
const POINTER: [(&str, [&str; 2]); 7] = [
    ("Drag", ["Pan; also a drag with Space held", "Turn"]),
    ("Shift+drag, middle drag", ["", "Pan; also a drag with Space held"]),
    ("Wheel, pinch", ["Zoom about the pointer"; 2]),
    ("Click", ["Select the topmost mesh; click again for the one below", "Select a bone"]),
    ("Double click", ["Fit the animation", "Centre a bone; on empty space, fit the view"]),
    ("Shift+drag on the timeline", ["Choose a loop range"; 2]),
    ("Drop", ["Open files or a folder"; 2]),
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

pub(super) fn key_sheet(ui: &mut Ui, state: &Panels<'_>) {
    let (query, kind) = (&state.looking().query, state.kind());
    sheet(ui, "keys", Action::Toggle(Switch::Keys).name(), KEYS_WIDTH, |ui| {
        let scroll = edges::scroll_pressed(ui, 300.0);
        let query = &search(ui, query, "Search keys and actions", state);
        ui.add_space(6.0);
        let height = (ui.ctx().content_rect().height() * 0.88 - 100.0).clamp(120.0, 520.0);
        ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
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
                let (first, second) = GROUPS.split_at(GROUPS.len() / 2);
                let Some((left, rest)) = columns.split_first_mut() else { return };
                for group in first {
                    listed(left, group, query, kind);
                }
                let right = rest.first_mut().unwrap_or(left);
                for group in second {
                    listed(right, group, query, kind);
                }
                let is_space = kind == ContentKind::Motion;
                let effect = |[plane, space]: [_; 2]| if is_space { space } else { plane };
                unbound(right, "Controls", &CONTROLS, query, kind);
                let pointer = POINTER.map(|(keys, of)| (keys, effect(of)));
                unbound(right, "Pointer", &pointer, query, kind);
            });
            if ui.min_rect().bottom() <= top + 1.0 {
                ui.label(RichText::new("No results").color(theme::of(ui).text_weak));
            }
        });
    });
}

fn listed(ui: &mut Ui, group: &str, query: &str, kind: ContentKind) {
    let wanted = |command: &&Command| {
        let name = kind.words(command.name);
        let held = || keys_of(ui, command).iter().any(|key| holds(key, query));
        command.group == group && (holds(name, query) || holds(group, query) || held())
    };
    let concerned = COMMANDS.iter().filter(|command| command.action.concerns(kind));
    let found: Vec<&Command> = concerned.filter(wanted).collect();
    if found.is_empty() {
        return;
    }
    section(ui, group);
    for command in found {
        let keys = keys_of(ui, command).join("   ");
        let id = format!("In the settings file: {}", command.id);
        key_line(ui, kind.words(command.name), &keys).on_hover_text(id);
    }
    ui.add_space(8.0);
}

/// Draws a section of effects that are not actions.
fn unbound(ui: &mut Ui, title: &str, all: &[(&str, &str)], query: &str, kind: ContentKind) {
    let is_wanted =
        |(key, name): &&(&str, &str)| !name.is_empty() && (holds(key, query) || holds(name, query));
    let found: Vec<_> = all.iter().filter(is_wanted).collect();
    if found.is_empty() {
        return;
    }
    section(ui, title);
    for (key, name) in found {
        key_line(ui, kind.words(name), key);
    }
    ui.add_space(8.0);
}

/// Draws a name and its keys beside each other; either has as many lines as it needs.
fn key_line(ui: &mut Ui, name: &str, keys: &str) -> egui::Response {
    let colors = theme::of(ui);
    let keys = match keys {
        "" => widgets::weak(ui, "no key"),
        keys => RichText::new(keys).monospace().color(colors.accent),
    };
    let most = ui.available_width() * KEYS;
    let width = widgets::line_size(ui, keys.clone()).x.min(most).ceil();
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
    let mut controls = CONTROLS.iter().flat_map(|(keys, name)| [*keys, *name]);
    let mut pointer = POINTER.iter().flat_map(|(keys, [plane, _])| [*keys, *plane]);
    let mut commands = COMMANDS.iter().map(|command| command.name);
    let is_it = |known: &str| known == text;
    controls.any(is_it) || pointer.any(is_it) || commands.any(is_it)
}
