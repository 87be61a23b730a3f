//! Edges of panels, the border between a list and its details, and content that scrolls: keys move them too.

use std::ops::RangeInclusive;

use egui::containers::panel::PanelState;
use egui::style::ScrollAnimation;
use egui::{
    CursorIcon, Id, Key, Modifiers, Rect, Role, ScrollArea, Sense, Stroke, Ui, WidgetInfo, vec2,
};

use super::Panels;
use super::widgets::name_value;
use crate::viewer::action::LookAction;
use crate::viewer::focus::{self, Uses};
use crate::viewer::state::State;
use crate::viewer::switch::ContentKind;
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
const HINT: f32 = 72.0;
/// Height of the rows that the list always keeps.
const ROWS: f32 = 3.0 * theme::ROW;
/// Height of the part of a row that it usually has besides.
const MORE: f32 = 0.75 * theme::ROW;
/// Distance in logical pixels at which the border reacts.
const REACH: f32 = 4.0;
/// Distance in logical pixels that a key moves a border or an edge.
const STEP: f32 = 16.0;

/// Room for a list and its details.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideRoom {
    pub height: f32,
    /// True in a low panel.
    pub low: bool,
    /// True if the list has buttons of its own.
    pub has_buttons: bool,
    /// True if a hint is above the list.
    pub has_hint: bool,
}

/// Height of the details in the room that there is for both.
pub(super) fn details_height(state: &State, room: SideRoom) -> f32 {
    let usual = match state.kind() {
        ContentKind::Motion => DETAILS_IN_SPACE,
        ContentKind::Character | ContentKind::Atlas => DETAILS,
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
fn is_movable(room: SideRoom) -> bool {
    most(room) >= 2.0 * LEAST
}

/// Largest height of the details, which leaves the list its rows.
fn most(room: SideRoom) -> f32 {
    let above = match room.low {
        true => ABOVE_LOW,
        false if room.has_buttons => ABOVE + BUTTONS,
        false => ABOVE,
    };
    let hint = if room.has_hint { HINT } else { 0.0 };
    (room.height - above - hint - ROWS).max(LEAST)
}

/// Senses the pointer and the keys on the border above the `details`.
pub(super) fn border(ui: &mut Ui, state: &Panels<'_>, room: SideRoom, details: Rect) {
    if !is_movable(room) {
        return;
    }
    let border = Border {
        name: "Border between list and details",
        tip: "Drag to resize the list and its details; double-click to reset",
        of: details,
        is_below: false,
        heights: LEAST..=most(room),
        now: state.details_height(),
        moved: LookAction::Details,
    };
    border.show(ui, state);
}

/// A border that can be moved, above or below what it resizes.
#[derive(Debug)]
pub(super) struct Border {
    /// Name for assistive technology.
    pub name: &'static str,
    pub tip: &'static str,
    /// What it resizes.
    pub of: Rect,
    /// True if it lies below that.
    pub is_below: bool,
    /// Heights in logical pixels that it can be moved to.
    pub heights: RangeInclusive<f32>,
    /// Height that was chosen.
    pub now: Option<f32>,
    /// Chooses another height, or the usual one.
    pub moved: fn(Option<f32>) -> LookAction,
}

impl Border {
    /// Senses the pointer and the keys.
    pub(super) fn show(self, ui: &Ui, state: &Panels<'_>) {
        let Self { name, tip, of, is_below, heights, now, moved } = self;
        let y = if is_below { of.bottom() } else { of.top() };
        let rect = Rect::from_x_y_ranges(of.x_range(), y - REACH..=y + REACH);
        let id = ui.scope_id().with(name);
        let response = ui.interact(rect, id, Sense::click_and_drag());
        name_value(&response, Role::Splitter, name, of.height().round().into());
        focus::uses(ui.ctx(), id, Uses::Edge);
        if response.hovered() || response.dragged() || response.has_focus() {
            ui.set_cursor_icon(CursorIcon::ResizeVertical);
            let stroke = Stroke::new(2.0, theme::of(ui).accent);
            ui.painter().hline(of.x_range(), y, stroke);
        }
        let height = |height: f32| height.clamp(*heights.start(), *heights.end()).round();
        let ways =
            if is_below { [Key::ArrowDown, Key::ArrowUp] } else { [Key::ArrowUp, Key::ArrowDown] };
        let by = pressed_way(ui, ways);
        let is_put_back = response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if response.double_clicked() || is_put_back {
            state.push(moved(None));
        } else if response.dragged()
            && let Some(pointer) = response.interact_pointer_pos()
        {
            let size = if is_below { pointer.y - of.top() } else { of.bottom() - pointer.y };
            let size = Some(height(size));
            let is_new = size != now && !ui.input(|input| input.pointer.any_pressed());
            state.push_if(is_new, moved(size));
        } else if response.has_focus() && by != 0.0 {
            state.push(moved(Some(height(of.height() + by * STEP))));
        }
        response.on_hover_text(tip);
    }
}

/// Returns 1 if the first of two keys was pressed, -1 if the second was, and 0 for both or none.
pub(super) fn pressed_way(ui: &Ui, keys: [Key; 2]) -> f32 {
    let pressed = |key| f32::from(u8::from(ui.input(|input| input.key_pressed(key))));
    let [forth, back] = keys.map(pressed);
    forth - back
}

/// A side of the window that a panel lies at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

/// The edge of a panel that can be resized.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Salt of the panel's id.
    pub panel: &'static str,
    /// Name for assistive technology.
    pub name: &'static str,
    pub side: Side,
    /// Size in logical pixels that Enter goes back to.
    pub usual: f32,
}

impl Edge {
    /// Moves the edge by arrow keys while it has the keyboard focus. Its panel was laid out in `ui` just now, and keeps its range of sizes
    /// in the next frame.
    pub(super) fn keys(self, ui: &Ui) {
        let context = ui.ctx();
        let panel = ui.scope_id().with(self.panel);
        // As egui names it.
        let id = panel.with("__resize");
        let (Some(response), Some(mut state)) =
            (context.read_response(id), PanelState::load(context, panel))
        else {
            return;
        };
        let size = state.outer_rect.size();
        let size = match self.side {
            Side::Left | Side::Right => size.x,
            Side::Top | Side::Bottom => size.y,
        };
        name_value(&response, Role::Splitter, self.name, size.round().into());
        focus::uses(context, id, Uses::Edge);
        if !response.has_focus() {
            return;
        }
        let ways = match self.side {
            Side::Left => [Key::ArrowRight, Key::ArrowLeft],
            Side::Right => [Key::ArrowLeft, Key::ArrowRight],
            Side::Top => [Key::ArrowDown, Key::ArrowUp],
            Side::Bottom => [Key::ArrowUp, Key::ArrowDown],
        };
        let size = match pressed_way(ui, ways) {
            _ if ui.input(|input| input.key_pressed(Key::Enter)) => self.usual,
            0.0 => return,
            by => size + by * STEP,
        };
        let rect = &mut state.outer_rect;
        match self.side {
            Side::Left => rect.max.x = rect.min.x + size,
            Side::Right => rect.min.x = rect.max.x - size,
            Side::Top => rect.max.y = rect.min.y + size,
            Side::Bottom => rect.min.y = rect.max.y - size,
        }
        ui.data_mut(|data| data.insert_persisted(panel, state));
        context.request_repaint();
    }
}

/// Logical pixels that an arrow scrolls.
const SCROLL_STEP: f32 = 40.0;
/// Farther than any content is long.
const FAR: f32 = 1e5;

/// Shows content that scrolls, by keys, too: Tab stops at it where it is longer than its room, and at all of its controls. Returns
/// its id if it is longer.
pub(super) fn scrolled_by_keys(
    ui: &mut Ui,
    name: &str,
    area: ScrollArea,
    add: impl FnOnce(&mut Ui),
) -> Option<Id> {
    let id = ui.scope_id().with("scrolled by keys");
    let before = ui.ctx().read_response(id);
    let by = match before.filter(egui::Response::has_focus) {
        Some(before) => scroll_pressed(ui, before.rect.height() - SCROLL_STEP),
        None => 0.0,
    };
    let shown = area.show(ui, |ui| {
        if by != 0.0 {
            ui.scroll_with_delta_animation(vec2(0.0, by), ScrollAnimation::none());
        }
        add(ui);
        focus::scroll(ui);
    });
    let room = shown.inner_rect;
    let is_longer = shown.content_size.y > room.height() + 1.0;
    if is_longer {
        let response = ui.interact(room, id, Sense::focusable_noninteractive());
        response.widget_info(|| WidgetInfo::labeled(Role::ScrollView, true, name));
        focus::uses(ui.ctx(), id, Uses::Scroll);
    }
    is_longer.then_some(id)
}

/// Returns how far the keys that were pressed scroll, in logical pixels, and takes them out of the input. `page` is the
/// way of Page Up and Page Down.
pub(super) fn scroll_pressed(ui: &Ui, page: f32) -> f32 {
    let page = page.max(SCROLL_STEP);
    let ways = [
        (Key::ArrowUp, SCROLL_STEP),
        (Key::ArrowDown, -SCROLL_STEP),
        (Key::PageUp, page),
        (Key::PageDown, -page),
        (Key::Home, FAR),
        (Key::End, -FAR),
    ];
    ui.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        let ways = ways.into_iter().filter(|(key, _)| pressed(*key));
        ways.map(|(_, way)| way).sum()
    })
}
