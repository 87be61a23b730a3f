//! The border between a list and the details below it, which can be moved.

use egui::{CursorIcon, Key, Rect, Role, Sense, Stroke, Ui, WidgetInfo};

use crate::viewer::action::{Action, LookAction};
use crate::viewer::focus::{self, Uses};
use crate::viewer::kind::Kind;
use crate::viewer::state::State;
use crate::viewer::theme;

/// Logical pixels of height that the details take.
const DETAILS: f32 = 216.0;
/// The same for a bone that moves in space.
const DETAILS_IN_SPACE: f32 = 344.0;
/// Share of the room that the details take in a high window.
const SHARE: f32 = 0.35;
/// Minimum height of the details: that of their title.
const LEAST: f32 = 28.0;
/// Height that the details have at least unless the border was moved, where the list keeps its rows.
const USUAL_LEAST: f32 = 72.0;
/// Height of the tabs and the filter above the rows of a list.
const ABOVE: f32 = 78.0;
/// The same in a low panel.
const ABOVE_LOW: f32 = 64.0;
/// Height of the buttons of a list, which lie beside its filter in a low panel.
const BUTTONS: f32 = 32.0;
/// Height of a hint in two lines.
const HINT: f32 = 44.0;
/// Height of the rows that the list always keeps.
const ROWS: f32 = 3.0 * theme::ROW;
/// Height of the part of a row that it usually has besides.
const MORE: f32 = 0.75 * theme::ROW;
/// Distance in logical pixels at which the border reacts.
const REACH: f32 = 4.0;
/// Distance in logical pixels that a key moves it.
const STEP: f32 = 16.0;

/// Room for a list and its details.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub height: f32,
    /// True in a low panel.
    pub low: bool,
    /// True if the list has buttons of its own.
    pub has_buttons: bool,
    /// True if a hint is above the list.
    pub has_hint: bool,
}

/// Height of the details in the room that there is for both.
pub(super) fn height(state: &State, room: Room) -> f32 {
    let usual = match state.kind() {
        Kind::Motion => DETAILS_IN_SPACE,
        Kind::Character | Kind::Atlas => DETAILS,
    };
    let usual = usual.max(room.height * SHARE);
    let most = most(room);
    // The list has more, in part to show that it goes on, where that leaves the details some lines.
    let more = if room.low { theme::ROW } else { MORE };
    let most_usual = (most - more).max(most.min(USUAL_LEAST));
    let usual = usual.min(room.height * 0.5).min(most_usual).max(LEAST);
    match state.details_height() {
        Some(height) if is_movable(room) => height.clamp(LEAST, most),
        _ => usual,
    }
}

/// Returns true if there is room to move it in.
fn is_movable(room: Room) -> bool {
    most(room) >= 2.0 * LEAST
}

/// Largest height of the details, which leaves the list its rows.
fn most(room: Room) -> f32 {
    let above = match room.low {
        true => ABOVE_LOW,
        false if room.has_buttons => ABOVE + BUTTONS,
        false => ABOVE,
    };
    let hint = if room.has_hint { HINT } else { 0.0 };
    (room.height - above - hint - ROWS).max(LEAST)
}

/// Senses the pointer and the keys on the border above the `details`.
pub(super) fn ui(ui: &mut Ui, state: &State, room: Room, details: Rect, actions: &mut Vec<Action>) {
    if !is_movable(room) {
        return;
    }
    let y = details.top();
    let rect = Rect::from_x_y_ranges(details.x_range(), y - REACH..=y + REACH);
    let id = ui.scope_id().with("border of the details");
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let name = "Border between list and details";
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::Splitter, true, name);
        info.value = Some(f64::from(details.height().round()));
        info
    });
    focus::uses(ui.ctx(), id, Uses::Edge);
    let lit = response.hovered() || response.dragged() || response.has_focus();
    if lit {
        ui.set_cursor_icon(CursorIcon::ResizeVertical);
        let stroke = Stroke::new(2.0, theme::of(ui).accent);
        ui.painter().hline(details.x_range(), y, stroke);
    }
    let height = |height: f32| {
        let height = height.clamp(LEAST, most(room)).round();
        Action::Looking(LookAction::Details(Some(height)))
    };
    let pressed = |key| f32::from(u8::from(ui.input(|input| input.key_pressed(key))));
    let by = pressed(Key::ArrowUp) - pressed(Key::ArrowDown);
    let is_put_back = response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if response.double_clicked() || is_put_back {
        actions.push(Action::Looking(LookAction::Details(None)));
    } else if response.dragged()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        let wanted = height(details.bottom() - pointer.y);
        let now = Action::Looking(LookAction::Details(state.details_height()));
        if wanted != now && !ui.input(|input| input.pointer.any_pressed()) {
            actions.push(wanted);
        }
    } else if response.has_focus() && by != 0.0 {
        actions.push(height(details.height() + by * STEP));
    }
    response.on_hover_text("Drag to resize the list and its details; double-click to reset");
}
