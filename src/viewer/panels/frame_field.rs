//! The current frame as a field: a click or Enter opens it, a frame is typed, and Enter goes there.

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{
    Align2, CornerRadius, Id, Key, RichText, Sense, TextEdit, Tooltip, Ui, WidgetInfo, vec2,
};

use pchr::playback::Timeline;

use crate::viewer::action::{Action, LookAction, PlaybackAction};
use crate::viewer::frame_entry::{self, FORMS};
use crate::viewer::key_order;
use crate::viewer::state::State;
use crate::viewer::target::Target;
use crate::viewer::theme;

use super::widgets::tip;

/// Logical pixels on either side of the text.
pub(super) const PADDING: f32 = 6.0;

/// A frame that is being typed.
#[derive(Clone, Debug, Default)]
struct Entry {
    text: String,
    /// True until the field has the keyboard focus: the press that opened it may take that away again.
    is_new: bool,
    /// True if its control had the keyboard focus, which then returns to it.
    by_key: bool,
    is_wrong: bool,
}

/// Draws the field. `text` is the current frame, `size` that of the text and its padding.
pub(super) fn ui(
    ui: &mut Ui,
    state: &State,
    timeline: &Timeline,
    (text, size): (&str, egui::Vec2),
    actions: &mut Vec<Action>,
) {
    let id = Id::unique("frame that is typed");
    let mut entry: Option<Entry> = ui.data(|data| data.get_temp(id));
    let position = state.playback().position(state.timelines());
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let is_wanted = state.looking().target == Some(Target::Frame);
    if entry.is_none() && (response.clicked() || is_wanted) {
        let whole = position.floor();
        entry = Some(Entry {
            text: format!("{whole:.0}"),
            is_new: true,
            by_key: response.has_focus(),
            is_wrong: false,
        });
    }
    let Some(mut open) = entry else {
        shown(ui, &response, rect, text);
        return;
    };
    let opener = response.id;
    let field_id = id.with("field");
    if is_wanted {
        let mut state = TextEditState::load(ui.ctx(), field_id).unwrap_or_default();
        state.cursor.set_char_range(Some(all_of(&open.text)));
        state.store(ui.ctx(), field_id);
    }
    let colors = theme::of(ui);
    let before = open.text.clone();
    let color = match open.is_wrong {
        true => colors.error,
        false => colors.text_strong,
    };
    let field = TextEdit::singleline(&mut open.text)
        .id(field_id)
        .font(egui::TextStyle::Monospace)
        .text_color(color)
        .align(Align2::LEFT_CENTER)
        .margin(vec2(PADDING, 0.0))
        .desired_width(rect.width());
    let builder = egui::UiBuilder::new().max_rect(rect.shrink2(vec2(0.0, 2.0)));
    let field = ui.scope_builder(builder, |ui| field.show(ui)).inner;
    let response = field.response.response;
    response.widget_info(|| {
        let name = "Go to a frame";
        let mut info = WidgetInfo::text_edit(true, &*before, &*open.text, name);
        info.label = Some(name.into());
        info
    });
    open.is_wrong &= before == open.text;
    if open.is_new && response.has_focus() {
        open.is_new = false;
    } else if open.is_new {
        response.request_focus();
        let mut state = field.state;
        state.cursor.set_char_range(Some(all_of(&open.text)));
        state.store(ui.ctx(), response.id);
    }
    if open.is_new {
        key_order::hold(ui.ctx());
    }
    let mut is_open = true;
    if response.lost_focus() && !open.is_new {
        let enter = ui.input(|input| input.key_pressed(Key::Enter));
        match frame_entry::parse(&open.text, position, timeline).filter(|_| enter) {
            Some(frame) => actions.push(Action::Playback(PlaybackAction::GoTo(frame))),
            None if enter => {
                open.is_wrong = true;
                response.request_focus();
            }
            None => {}
        }
        is_open = open.is_wrong && enter;
    }
    if is_open {
        let forms =
            Tooltip::always_open(ui.ctx().clone(), response.layer_id, response.id, &response);
        forms.show(|ui| ui.label(RichText::new(format!("Try  {FORMS}")).monospace()));
        ui.data_mut(|data| data.insert_temp(id, open));
        return;
    }
    ui.data_mut(|data| data.remove::<Entry>(id));
    if open.by_key {
        ui.memory_mut(|memory| memory.request_focus(opener));
    }
}

/// Returns the selection of a whole text.
fn all_of(text: &str) -> CCursorRange {
    CCursorRange::two(CCursor::default(), CCursor::new(text.chars().count()))
}

/// Draws the current frame, which a click opens.
fn shown(ui: &mut Ui, response: &egui::Response, rect: egui::Rect, text: &str) {
    let colors = theme::of(ui);
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(egui::Role::Button, ui.is_enabled(), "Go to a frame");
        info.current_text_value = Some(text.trim().to_owned());
        info
    });
    let lit = response.hovered() || response.has_focus();
    let [fill, line] = if lit {
        [colors.button_hovered, colors.outline]
    } else {
        [colors.button, colors.outline]
    };
    let frame = rect.shrink2(vec2(0.0, 2.0));
    let stroke = egui::Stroke::new(1.0, line);
    let radius = CornerRadius::same(4);
    ui.painter()
        .rect(frame, radius, fill, stroke, egui::StrokeKind::Inside);
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    ui.painter().text(
        rect.right_center() - vec2(PADDING, 0.0),
        Align2::RIGHT_CENTER,
        text,
        font,
        colors.text_strong,
    );
    let go_to = Action::Looking(LookAction::GoTo(Target::Frame));
    let more = format!("Current and last frame. Click to type, for example\n{FORMS}");
    let tip = tip(ui, &go_to, &more);
    if lit {
        ui.set_cursor_icon(egui::CursorIcon::Text);
    }
    response.clone().on_hover_text(tip);
}
