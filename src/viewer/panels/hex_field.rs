//! A field for a colour as `#rrggbb`. Invalid text stays, with a red frame and a line that says so.

use egui::text::{CCursor, CCursorRange};
use egui::{Align2, Id, Key, RichText, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo};

use super::widgets::tipped;
use crate::viewer::settings::hex;
use crate::viewer::theme;

/// Digits of a colour.
const DIGITS: usize = 6;

/// A text that is being typed.
#[derive(Clone, Debug, Default)]
struct Entry {
    text: String,
    /// The background when it was typed. Another one takes its place.
    color: Option<[u8; 3]>,
    /// True if the field is to have the keyboard focus, and the cursor its place behind the text.
    is_new: bool,
    /// True once it was to be done, and was no colour.
    is_wrong: bool,
    /// The pass that it was laid out in last.
    pass: u64,
}

impl Entry {
    fn is_error(&self) -> bool {
        self.is_wrong || cannot_be(&self.text)
    }
}

fn id() -> Id {
    Id::unique("background colour")
}

/// Begins with a text that was typed elsewhere, and goes to the field.
pub(super) fn begin(ui: &Ui, typed: &str) {
    let text = match typed.starts_with('#') {
        true => typed.to_owned(),
        false => format!("#{typed}"),
    };
    let entry = Entry {
        text,
        is_new: true,
        ..Entry::default()
    };
    ui.data_mut(|data| data.insert_temp(id(), entry));
}

/// Draws the field. Returns the colour that was typed.
pub(super) fn ui(ui: &mut Ui, color: Option<[u8; 3]>) -> Option<[u8; 3]> {
    let pass = ui.ctx().cumulative_pass_nr();
    let is_of_now = |entry: &Entry| entry.color == color && entry.pass.saturating_add(1) >= pass;
    let kept: Option<Entry> = ui.data(|data| data.get_temp(id()));
    let kept = kept.filter(|entry| entry.is_new || is_of_now(entry));
    let mut entry = kept.unwrap_or_else(|| Entry {
        text: color.map_or_else(|| "#".to_owned(), hex::text),
        ..Entry::default()
    });
    let field = TextEdit::singleline(&mut entry.text)
        .id(id().with("field"))
        .align(Align2::LEFT_CENTER)
        .desired_width(ui.available_width() - 8.0)
        .show(ui);
    let response = tipped(field.response.response, "A colour as #rrggbb");
    response.widget_info(|| {
        let mut info = WidgetInfo::text_edit(true, "", entry.text.as_str(), "#rrggbb");
        info.label = Some("Background colour".into());
        info
    });
    if std::mem::take(&mut entry.is_new) {
        let end = CCursor::new(entry.text.chars().count());
        let mut state = field.state;
        state.cursor.set_char_range(Some(CCursorRange::one(end)));
        state.store(ui.ctx(), response.id);
        response.request_focus();
    }
    let typed = hex::parse(&entry.text);
    if response.changed() {
        entry.is_wrong = false;
    }
    if response.lost_focus() {
        let digits = entry.text.trim().trim_start_matches('#');
        entry.is_wrong = typed.is_none() && !digits.is_empty();
        if entry.is_wrong && ui.input(|input| input.key_pressed(Key::Enter)) {
            response.request_focus();
        }
    }
    if entry.is_error() {
        let stroke = Stroke::new(1.5, theme::of(ui).error);
        ui.painter()
            .rect_stroke(response.rect, 4.0, stroke, StrokeKind::Inside);
    }
    // The last digit and Enter may come in one frame.
    let is_typed = response.has_focus() || response.lost_focus();
    let made = typed.filter(|typed| is_typed && Some(*typed) != color);
    if response.has_focus() || entry.is_wrong {
        entry.color = made.or(color);
        entry.pass = pass;
        ui.data_mut(|data| data.insert_temp(id(), entry));
    } else {
        ui.data_mut(|data| data.remove_temp::<Entry>(id()));
    }
    made
}

/// Returns true for a text that becomes no colour by typing on.
fn cannot_be(text: &str) -> bool {
    let text = text.trim();
    let digits = text.strip_prefix('#').unwrap_or(text);
    digits.len() > DIGITS || !digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Draws the line below the field, if its text is not a colour.
pub(super) fn problem(ui: &mut Ui) {
    let entry: Option<Entry> = ui.data(|data| data.get_temp(id()));
    if entry.is_some_and(|entry| entry.is_error()) {
        let text = RichText::new("Not a colour: six digits, 0–9 and a–f").small();
        ui.label(text.color(theme::of(ui).error));
    }
}
