//! The field above a list: only what holds its text is listed.

use egui::{RichText, ScrollArea, TextEdit, Ui};

use super::icons::Icon;
use super::widgets::{Look, icon_button};
use super::words;
use crate::viewer::action::{Action, PartAction};
use crate::viewer::tab::Tab;
use crate::viewer::theme;

/// Tip of the button that clears it.
const CLEAR: &str = "Clear the filter";

/// The filter of a list of the side panel.
pub(super) fn ui(ui: &mut Ui, tab: Tab, text: &str, actions: &mut Vec<Action>) {
    let name = match tab {
        Tab::Meshes => "Filter meshes",
        Tab::Bones => "Filter bones",
        Tab::Motions => "Filter motions",
    };
    let name = words::fit(ui, name);
    if let Some(edited) = field(ui, &name, text) {
        actions.push(Action::Parts(PartAction::Filter(tab, edited)));
    }
}

/// A field with a button that clears it. Returns its text if it was edited.
pub(super) fn field(ui: &mut Ui, name: &str, text: &str) -> Option<String> {
    let mut edited = text.to_owned();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let clear = if text.is_empty() {
            0.0
        } else {
            Look::SMALL.size.x + 4.0
        };
        let field = TextEdit::singleline(&mut edited)
            .id_salt(name)
            .hint_text(RichText::new(name).color(theme::of(ui).text_weak))
            .desired_width(ui.available_width() - clear);
        let response = ui.add(field);
        ui.data_mut(|data| data.insert_temp(last_id(), response.id));
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::text_edit(true, text, edited.as_str(), name);
            info.label = Some(name.into());
            info
        });
        let cleared = !text.is_empty()
            && icon_button(ui, Icon::Close, Look::SMALL, "Clear the filter", CLEAR).clicked();
        if cleared {
            edited.clear();
        }
    });
    (edited != text).then_some(edited)
}

/// Gives the keyboard to the field that was laid out last, which is that of the list after it.
pub(super) fn go_to(ui: &Ui) {
    if let Some(field) = ui.data(|data| data.get_temp::<egui::Id>(last_id())) {
        ui.memory_mut(|memory| memory.request_focus(field));
    }
}

fn last_id() -> egui::Id {
    egui::Id::unique("filter that was laid out last")
}

/// A list of the filtered rows, scrolled to the top when the filter changes.
pub(super) fn list(ui: &Ui, area: ScrollArea, filter: &str) -> ScrollArea {
    let id = ui.scope_id().with("filter of the list");
    let before: Option<String> = ui.data(|data| data.get_temp(id));
    if before.as_deref() == Some(filter) {
        return area;
    }
    ui.data_mut(|data| data.insert_temp(id, filter.to_owned()));
    if before.is_none() {
        return area;
    }
    area.vertical_scroll_offset(0.0)
}

/// Returns true if a name contains the search text, ignoring case.
pub(super) fn holds(name: &str, filter: &str) -> bool {
    filter.is_empty() || name.to_lowercase().contains(&filter.trim().to_lowercase())
}

/// Says that the filter leaves nothing.
pub(super) fn nothing(ui: &mut Ui) {
    super::padded(ui, |ui| {
        ui.label(RichText::new("No results").color(theme::of(ui).text_weak));
    });
}
