//! Colours to choose: egui's picker, and a field for a colour as `#rrggbb`.

use egui::color_picker::{Alpha, color_picker_color32};
use egui::{Color32, Id, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo};

use super::widgets::tipped;
use crate::viewer::settings::hex;
use crate::viewer::theme;

/// Width of a picker in logical pixels.
pub(super) const WIDTH: f32 = 160.0;

/// Draws a picker. Returns the new colour when it is changed.
pub(super) fn picker(ui: &mut Ui, [r, g, b]: [u8; 3]) -> Option<[u8; 3]> {
    let mut color = Color32::from_rgb(r, g, b);
    ui.spacing_mut().slider_width = WIDTH;
    ui.spacing_mut().item_spacing.x = 4.0;
    let is_changed = color_picker_color32(ui, &mut color, Alpha::Opaque);
    is_changed.then(|| [color.r(), color.g(), color.b()])
}

fn id() -> Id {
    Id::unique("background colour")
}

/// Begins the field with a text that was typed elsewhere, and goes to it.
pub(super) fn begin(ui: &Ui, typed: &str) {
    let text = format!("#{}", typed.trim_start_matches('#'));
    ui.data_mut(|data| data.insert_temp(id(), text));
    ui.memory_mut(|memory| memory.request_focus(id()));
}

/// Draws the field; a text that is no colour has a red frame, and is forgotten on leaving. Returns the colour that was typed.
pub(super) fn field(ui: &mut Ui, color: Option<[u8; 3]>) -> Option<[u8; 3]> {
    let shown = color.map_or_else(|| "#".to_owned(), hex::text);
    let is_typed = ui.memory(|memory| memory.has_focus(id()));
    let draft: Option<String> = ui.data_mut(|data| data.remove_temp(id()));
    let mut text = draft.filter(|_| is_typed).unwrap_or(shown);
    let response = ui.add(
        TextEdit::singleline(&mut text)
            .id(id())
            .desired_width(100.0),
    );
    let response = tipped(response, "A colour as #rrggbb");
    response.widget_info(|| {
        let mut info = WidgetInfo::text_edit(true, "", text.as_str(), "#rrggbb");
        info.label = Some("Background colour".into());
        info
    });
    let typed = hex::parse(&text);
    if response.has_focus() {
        if typed.is_none() && text.len() > 1 {
            let stroke = Stroke::new(1.5, theme::of(ui).error);
            let frame = response.rect;
            ui.painter()
                .rect_stroke(frame, 4.0, stroke, StrokeKind::Inside);
        }
        ui.data_mut(|data| data.insert_temp(id(), text));
    }
    // The last digit and Enter may come in one frame.
    let is_done = response.has_focus() || response.lost_focus();
    typed.filter(|typed| is_done && Some(*typed) != color)
}
