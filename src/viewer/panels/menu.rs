//! The keyboard in an open menu: it begins at the chosen entry, arrows move from there, and typing filters the entries.

use egui::style::ScrollAnimation;
use egui::{ComboBox, Event, Id, Key, Rect, Response, RichText, Role, Ui, WidgetInfo, vec2};

use super::list::holds;
use super::{Panels, list};
use crate::viewer::interface::pixel;
use crate::viewer::kept::{Keep, OpenMenu};
use crate::viewer::state::State;
use crate::viewer::theme;

/// An open menu while it is laid out.
#[derive(Debug)]
pub(super) struct Menu {
    open: OpenMenu,
    /// As it was kept.
    before: Option<OpenMenu>,
    entries: Vec<(Id, Rect)>,
    current: Option<usize>,
    is_chosen: bool,
    any_list: bool,
}

impl Menu {
    /// Begins a menu, within its popup.
    pub(super) fn begin(ui: &mut Ui, state: &State) -> Self {
        let id = ui.layer_id().id;
        let kept = state.kept().menu.as_ref();
        let before = kept.filter(|menu| menu.id == id).cloned();
        let mut open = before.clone().unwrap_or_else(|| OpenMenu {
            id,
            typed: String::new(),
            at: None,
            is_new: true,
            had_focus: false,
        });
        if !ui.ctx().text_edit_focused() {
            let before = open.typed.len();
            ui.input_mut(|input| type_text(&mut open.typed, &mut input.events));
            if open.typed.len() != before {
                open.is_new = true;
                open.at = None;
            }
        }
        if !open.typed.is_empty() {
            let text = RichText::new(format!("“{}”", open.typed));
            ui.label(text.color(theme::of(ui).accent));
        }
        Self { open, before, entries: Vec::new(), current: None, is_chosen: false, any_list: false }
    }

    /// Text that was typed.
    pub(super) fn typed(&self) -> &str {
        &self.open.typed
    }

    /// Returns true for an entry that matches the typed filter.
    pub(super) fn shows(&self, text: &str) -> bool {
        holds(text, &self.open.typed)
    }

    /// Registers an entry; `current` is true for the chosen one. Its id must not depend on which others are shown.
    pub(super) fn entry(&mut self, response: &Response, current: bool) {
        if current {
            self.current = Some(self.entries.len());
        }
        if response.enabled() {
            self.entries.push((response.id, response.rect));
        }
        if response.gained_focus() {
            response.scroll_to_me_animation(None, ScrollAnimation::none());
        }
        self.is_chosen |= response.clicked();
    }

    /// A button as an entry, if it matches the typed filter; returns true if it was chosen.
    pub(super) fn button(&mut self, ui: &mut Ui, text: &str, current: bool) -> bool {
        let button = egui::Button::selectable(current, text);
        let response = self.add(ui, text, current, button);
        response.is_some_and(|response| response.clicked())
    }

    /// A widget as an entry, if its text matches the typed filter.
    pub(super) fn add(
        &mut self,
        ui: &mut Ui,
        text: &str,
        current: bool,
        widget: impl egui::Widget,
    ) -> Option<Response> {
        if !self.shows(text) {
            return None;
        }
        let response = ui.push_id(text, |ui| ui.add(widget)).inner;
        self.entry(&response, current);
        Some(response)
    }

    /// The same, which can be chosen only if it is `enabled`; returns true if it was.
    pub(super) fn add_enabled(&mut self, ui: &mut Ui, enabled: bool, text: &str) -> bool {
        let add = |ui: &mut Ui| ui.add_enabled(enabled, egui::Button::new(text));
        let response = self.add(ui, text, false, add);
        response.is_some_and(|response| response.clicked())
    }

    /// A button as an entry, with a key that is not part of its name. `on` marks one that is in force.
    pub(super) fn keyed(
        &mut self,
        ui: &mut Ui,
        text: &str,
        key: RichText,
        (on, current): (bool, bool),
    ) -> Option<Response> {
        let button = egui::Button::selectable(on, text).right_text(key);
        let response = self.add(ui, text, current, button)?;
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, text));
        Some(response)
    }

    /// Many entries in rows; only those in sight are laid out.
    pub(super) fn list(
        &mut self,
        ui: &mut Ui,
        count: usize,
        current: Option<usize>,
        text: impl Fn(usize) -> String,
        mut add: impl FnMut(&mut Ui, usize) -> Option<Response>,
    ) {
        self.any_list = true;
        let all = 0..count;
        let shown: Vec<usize> = match self.open.typed.is_empty() {
            true => all.collect(),
            false => all.filter(|row| self.shows(&text(*row))).collect(),
        };
        let last = shown.len().saturating_sub(1);
        let chosen = || shown.iter().position(|row| Some(*row) == current);
        let before = self.open.at;
        let at = before.or_else(chosen).unwrap_or(0).min(last);
        let at = list::walked(ui, at, last);
        let moved = before != Some(at) || self.open.is_new;
        self.open.at = Some(at);
        ui.spacing_mut().item_spacing.y = 0.0;
        let height = ui.spacing().interact_size.y;
        #[expect(clippy::cast_precision_loss, reason = "there are 65,535 rows at most")]
        let rows = |count: usize| height * count as f32;
        let top = ui.cursor().top();
        let seen = ui.clip_rect().y_range();
        let row_at = |y: f32| {
            let above = ((y - top) / height).max(0.0);
            let row = usize::try_from(pixel(above)).unwrap_or(usize::MAX);
            row.min(shown.len())
        };
        let first = row_at(seen.min).saturating_sub(1);
        let end = row_at(seen.max).saturating_add(1).min(shown.len());
        ui.add_space(rows(first));
        for (place, row) in shown.iter().enumerate().take(end).skip(first) {
            let response = ui.push_id(row, |ui| add(ui, *row)).inner;
            let Some(response) = response else { continue };
            self.is_chosen |= response.clicked();
            if place == at && ui.is_enabled() && !response.has_focus() {
                response.request_focus();
            }
        }
        ui.add_space(rows(shown.len().saturating_sub(end)));
        if moved && !shown.is_empty() {
            let y = top + rows(at);
            let row = Rect::from_min_size(egui::pos2(ui.min_rect().left(), y), vec2(1.0, height));
            let align = self.open.is_new.then_some(egui::Align::Center);
            ui.scroll_to_rect_animation(row, align, ScrollAnimation::none());
        }
        if ui.is_enabled() {
            self.open.is_new = false;
        }
        if shown.is_empty() {
            list::nothing(ui);
        }
    }

    /// Ends a menu: the keyboard goes where it is to go. `close` closes it once something was chosen.
    pub(super) fn end(mut self, ui: &mut Ui, close: bool, state: &Panels<'_>) {
        if !self.any_list {
            self.walk(ui);
        }
        let is_over = close && self.is_chosen;
        // Tab leaves it after its last control.
        let focused = ui.memory(|memory| memory.focused());
        let control = focused.and_then(|id| ui.ctx().read_response(id));
        let is_inside = control.map(|control| control.layer_id == ui.layer_id());
        let is_left = is_inside == Some(false) && self.open.had_focus;
        self.open.had_focus |= is_inside == Some(true);
        if is_over || is_left {
            ui.close();
        }
        state.push_if(self.before.as_ref() != Some(&self.open), Keep::Menu(Some(self.open)));
    }

    /// Goes through entries that are all laid out.
    fn walk(&mut self, ui: &mut Ui) {
        if self.entries.is_empty() {
            if !self.open.typed.is_empty() {
                list::nothing(ui);
            }
            return;
        }
        if !ui.is_enabled() || ui.ctx().text_edit_focused() {
            return;
        }
        let last = self.entries.len().saturating_sub(1);
        let focused = ui.memory(|memory| memory.focused());
        let at = self.entries.iter().position(|(id, _)| Some(*id) == focused);
        let presses = |key| ui.input(|input| input.num_presses(key));
        let (down, up) = (presses(Key::ArrowDown), presses(Key::ArrowUp));
        let to = match at.filter(|_| !self.open.is_new) {
            None if self.open.is_new => self.current.unwrap_or(0).min(last),
            None if down == 0 && up == 0 => return,
            None => 0,
            Some(at) => list::walked(ui, at, last),
        };
        if let Some((id, rect)) = self.entries.get(to).filter(|_| at != Some(to)) {
            ui.memory_mut(|memory| memory.request_focus(*id));
            ui.scroll_to_rect_animation(*rect, None, ScrollAnimation::none());
        }
        self.open.is_new = false;
    }
}

/// Draws a list to choose from; `name` is for screen readers, `chosen` is shown, and `add` adds the entries.
pub(super) fn combo<'a>(
    ui: &mut Ui,
    state: &Panels<'_>,
    combo: ComboBox<'a>,
    (name, chosen): (&str, &'a str),
    add: impl FnOnce(&mut Ui, &mut Menu),
) -> Response {
    let shown = combo.selected_text(chosen).show_ui(ui, |ui| {
        let mut menu = Menu::begin(ui, state);
        add(ui, &mut menu);
        menu.end(ui, true, state);
    });
    let response = shown.response;
    let enabled = response.enabled();
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, enabled, name);
        info.current_text_value = Some(chosen.to_owned());
        info
    });
    response
}

/// Removes typed text from the events. Space is part of a filter that has begun; otherwise it presses an entry.
fn type_text(typed: &mut String, events: &mut Vec<Event>) {
    events.retain(|event| match event {
        Event::Text(text) => {
            if typed.is_empty() && text.trim().is_empty() {
                return true;
            }
            typed.extend(text.chars().filter(|letter| !letter.is_control()));
            false
        }
        Event::Key { key: Key::Backspace, pressed: true, .. } => typed.pop().is_none(),
        Event::Key { key: Key::Space, pressed: true, .. } => typed.is_empty(),
        _ => true,
    });
}
