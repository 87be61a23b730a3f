//! Names and values, one below the other.

use egui::{Grid, RichText, Ui};

use pchr_tools::text::visible;

use crate::viewer::theme;

/// Names on the left, values on the right.
pub(super) fn table(ui: &mut Ui, id: &str, add: impl FnOnce(&mut Ui)) {
    ui.spacing_mut().interact_size.y = 16.0;
    Grid::new(id)
        .num_columns(2)
        .min_col_width(64.0)
        .spacing([10.0, 3.0])
        .show(ui, add);
}

/// A name and its value.
pub(super) fn line(ui: &mut Ui, name: &str, value: String) {
    let value = visible(&value);
    ui.label(RichText::new(name).color(theme::of(ui).text_weak));
    ui.add(
        egui::Label::new(RichText::new(value).monospace())
            .selectable(true)
            .truncate(),
    );
    ui.end_row();
}
