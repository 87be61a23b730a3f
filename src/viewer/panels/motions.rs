//! The files of motions that can be walked through.

use std::path::PathBuf;

use egui::{Color32, ScrollArea, Sense, Ui, UiBuilder};

use super::beside;
use super::filter::{self, holds};
use super::rows::Rows;
use super::widgets::{cut, row_text, scroll_to_chosen};
use crate::viewer::action::{Action, FileAction};
use crate::viewer::loaded::Source;
use crate::viewer::state::State;
use crate::viewer::tab::Tab;
use crate::viewer::theme;

/// Returns whether there are several.
pub(super) fn any(state: &State) -> bool {
    state.listed_files().0.len() > 1
}

pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let filter = &state.looking().motion_filter;
    super::padded(ui, |ui| filter::ui(ui, Tab::Motions, filter, actions));
    ui.spacing_mut().item_spacing.y = 0.0;
    let (files, shown) = state.listed_files();
    let name = |path: &PathBuf| Source::File(path.clone()).name();
    let listed: Vec<usize> = if filter.is_empty() {
        (0..files.len()).collect()
    } else {
        let files = files.iter().enumerate();
        let held = files.filter(|(_, path)| holds(&name(path), filter));
        held.map(|(index, _)| index).collect()
    };
    if listed.is_empty() {
        filter::nothing(ui);
    }
    let area = filter::list(
        ui,
        ScrollArea::vertical().id_salt("motions").auto_shrink(false),
        filter,
    );
    let row_of_shown = listed.iter().position(|index| Some(*index) == shown);
    let number = |row: usize| listed.get(row).map_or(0, |index| *index as u64);
    let mut rows = Rows::new(ui, state, ("motions", listed.len()), row_of_shown, number);
    area.show_rows(ui, theme::ROW, listed.len(), |ui, range| {
        rows.begin(ui, &range);
        scroll_to_chosen(ui, shown, row_of_shown.map(|row| (row, 0.0)), range.start);
        for index in listed.iter().skip(range.start).take(range.len()) {
            let Some(path) = files.get(*index) else {
                continue;
            };
            let on = shown == Some(*index);
            let number = *index as u64;
            let row = |ui: &mut Ui| row(ui, &mut rows, number, &name(path), on);
            if ui.push_id(index, row).inner {
                actions.push(Action::Files(FileAction::Show(*index)));
            }
        }
    });
}

/// A file; returns whether it was clicked.
fn row(ui: &mut Ui, rows: &mut Rows, number: u64, name: &str, on: bool) -> bool {
    let colors = theme::of(ui);
    let (rect, response) = rows.row(ui, number, Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, on, name));
    let fill = match (on, response.hovered()) {
        (true, _) => colors.accent_fill,
        (false, true) => colors.row_hovered,
        (false, false) => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, 0.0, fill);
    let color = if on { colors.text_strong } else { colors.text };
    let mut at = rect;
    at.min.x += f32::from(theme::MARGIN);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.scope_builder(UiBuilder::new().max_rect(at).layout(layout), |ui| {
        row_text(ui, name, color);
    });
    if cut(ui, name, at.width()) != name {
        beside::text(ui, &response, rect, name);
    }
    response.clicked()
}
