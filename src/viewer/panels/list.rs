//! Lists: rows that the keyboard goes through, the filter above them, what lies beside them, and the row that is dragged.

use std::ops::Range;

use egui::accesskit::{self, Node, NodeId};
use egui::scroll_area::ScrollAreaOutput;
use egui::style::ScrollAnimation;
use egui::{
    Align, Align2, ColorImage, CursorIcon, Event, Id, Key, LayerId, Order, Rect, RectAlign,
    Response, RichText, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, TextureOptions, Tooltip,
    Ui, vec2,
};
use lucide_icons::Icon;

use pchr::document::MeshId;

use super::widgets::{Look, cut, icon_button, icon_control, shown};
use super::{Panels, widgets};
use crate::viewer::action::{Action, PartAction};
use crate::viewer::focus::{self, Uses};
use crate::viewer::input;
use crate::viewer::kept::{ChoiceScroll, Keep, ListMemory, row_id};
use crate::viewer::state::State;
use crate::viewer::switch::{Destination, Tab};
use crate::viewer::theme;

/// Name of the list of animations. Its key differs from that of the list in front.
pub(super) const CLIPS: &str = "animations";

/// Side of the small picture in a row, in logical pixels.
pub(super) const PICTURE: f32 = 22.0;

/// Rows that Page Up and Page Down move by.
const PAGE: usize = 10;

/// A list of rows, each of which has its own number, wherever it is.
pub(super) struct RowList<'a> {
    pub name: &'static str,
    /// Name and text of its filter.
    pub filter: (&'static str, &'a str),
    pub count: usize,
    /// The chosen row, and its place if it is listed.
    pub chosen: Option<u64>,
    pub place: Option<usize>,
    /// The number of a row.
    pub number: &'a dyn Fn(usize) -> u64,
}

impl RowList<'_> {
    /// Lays out the rows in sight: `add` is called once, with their range.
    pub(super) fn show<R>(
        &self,
        ui: &mut Ui,
        state: &Panels<'_>,
        area: ScrollArea,
        add: impl FnOnce(&mut Ui, &mut Rows, Range<usize>) -> R,
    ) -> ScrollAreaOutput<R> {
        let (_, filter) = self.filter;
        if self.count == 0 && !filter.is_empty() {
            nothing(ui);
        }
        ui.spacing_mut().scroll.fade.strength = 0.0; // a faded row looks disabled
        let before = state.kept().lists.get(self.name);
        let mut rows = Rows::new(ui, state, self, before.cloned().unwrap_or_default());
        let mut area = area.id_salt(self.name);
        // A list is scrolled to the top when its filter changes.
        if rows.memory.filter.as_deref() != Some(filter) {
            if rows.memory.filter.is_some() {
                area = area.vertical_scroll_offset(0.0);
            }
            rows.memory.filter = Some(filter.to_owned());
        }
        let shown = area.show_rows(ui, theme::ROW, self.count, |ui, range| {
            rows.begin(ui, &range);
            rows.scroll_to_chosen(ui, self.chosen, self.place, range.start);
            add(ui, &mut rows, range)
        });
        state.push_if(before != Some(&rows.memory), Keep::List(self.name, rows.memory));
        shown
    }
}

/// Width of a name to keep in sight, in logical pixels.
const IN_SIGHT: f32 = 60.0;

/// Frames until the list has its final height, since a choice also shows details.
const SETTLING: u8 = 3;

/// The rows of a list while it is laid out.
#[derive(Debug)]
pub(super) struct Rows {
    name: &'static str,
    memory: ListMemory,
    /// Row that has the keyboard focus.
    at: Option<usize>,
    /// Row to scroll into view.
    reveal: Option<usize>,
    /// Row at which Tab stops: it passes by the others and their controls.
    stop: Option<usize>,
    /// Row that is laid out next.
    next: usize,
    /// Number of the chosen row.
    chosen: Option<u64>,
}

impl Rows {
    fn new(ui: &Ui, state: &State, list: &RowList<'_>, mut memory: ListMemory) -> Self {
        let RowList { name, count, place: chosen, number, .. } = *list;
        let focused = ui.memory(|memory| memory.focused());
        let row_of = |row: u64| (0..count).find(|at| number(*at) == row);
        let known = { memory.focused }.filter(|number| focused == Some(row_id(name, *number)));
        let at = known.and_then(row_of);
        let last = count.saturating_sub(1);
        // A choice made elsewhere takes the keyboard along.
        let now = chosen.map(number);
        let before = memory.listed.replace(now);
        let is_new = before.is_some_and(|before| before != now);
        let mut to = at.map(|at| chosen.filter(|_| is_new).unwrap_or(at));
        if let Some(row) = &mut to {
            *row = walked(ui, *row, last);
        }
        // A screen reader may go to any row.
        let asked = ui.input(|input| input.events.iter().find_map(asked_for));
        if let Some(asked) = asked {
            let is_it = |row: &usize| row_id(name, number(*row)).accesskit_id() == asked;
            to = (0..count).find(is_it).or(to);
        }
        let is_wanted = match state.looking().target {
            Some(Destination::List(_)) => name != CLIPS,
            Some(Destination::Animations) => name == CLIPS,
            _ => false,
        };
        if is_wanted && at.is_none() && count > 0 {
            to = chosen.or(Some(0));
        }
        // A later selection takes precedence.
        let left = memory.focused.filter(|_| memory.chosen_then == now);
        let left = left.and_then(row_of);
        if let Some(row) = to.filter(|_| to != at) {
            let number = number(row);
            memory.focused = Some(number);
            ui.memory_mut(|memory| memory.request_focus(row_id(name, number)));
        }
        if is_wanted && count == 0 {
            let (field, _) = list.filter;
            ui.memory_mut(|memory| memory.request_focus(filter_id(field)));
        }
        Self {
            name,
            memory,
            at: to,
            reveal: to.filter(|_| to != at),
            stop: to.or(left).or(chosen),
            next: 0,
            chosen: now,
        }
    }

    /// Scrolls to the row that has the keyboard focus, if it has gone to another; keeps it where it is not laid out. `range` are those that
    /// are.
    fn begin(&mut self, ui: &Ui, range: &Range<usize>) {
        self.next = range.start;
        let stop = self.stop.filter(|stop| range.contains(stop));
        self.stop = stop.or(Some(range.start));
        let Some(at) = self.at else { return };
        let row = place_of(ui, range.start, at);
        if self.reveal.is_some() {
            // At once: the way through ten thousand rows is not worth seeing.
            ui.scroll_to_rect_animation(row, None, ScrollAnimation::none());
            // Enter is for the row that is gone to, which may not be laid out yet.
            input::hold_keys(ui.ctx());
        }
        if let Some(number) = self.memory.focused.filter(|_| !range.contains(&at)) {
            let id = row_id(self.name, number);
            ui.interact(row, id, Sense::focusable_noninteractive());
            focus::uses(ui.ctx(), id, Uses::Rows);
        }
    }

    /// Scrolls to a new choice. A choice made elsewhere goes to the middle of the list; one made in the list stays in sight when its
    /// details appear, and one in sight stays there when its row moves or the list gets another height. `first` is the first row that
    /// is laid out.
    fn scroll_to_chosen(&mut self, ui: &Ui, chosen: Option<u64>, row: Option<usize>, first: usize) {
        let now = &mut self.memory.scroll;
        if now.chosen != chosen {
            now.chosen = chosen;
            now.left = SETTLING;
            now.align = Some(Align::Center);
        }
        let seen = ui.clip_rect();
        if let Some(row) = row {
            let has_moved = row != now.row || (seen.height() - now.height).abs() > 0.5;
            let mut at = place_of(ui, first, row);
            at.set_width(IN_SIGHT);
            let (from, to) = (seen.top() - 1.0, seen.bottom() + 1.0);
            let is_seen = at.top() >= from && at.bottom() <= to;
            let is_followed = has_moved && now.is_in_sight && !is_seen;
            // Matches of a typed filter are shown from the top.
            if is_followed && now.left == 0 && !ui.ctx().text_edit_focused() {
                now.left = SETTLING;
                now.align = Some(Align::Center);
            }
            // A list moves one frame after it was told to. Without an alignment, what is told in between would count twice.
            let is_due = now.align.is_some() || !now.left.is_multiple_of(2);
            if now.left > 0 && is_due {
                // At once: the way through ten thousand rows is not worth seeing.
                ui.scroll_to_rect_animation(at, now.align, ScrollAnimation::none());
            }
            now.is_in_sight = now.left > 0 || is_seen;
            now.row = row;
            now.height = seen.height();
        }
        if now.left > 0 && (row.is_some() || chosen.is_none()) {
            // Else it is folded away or filtered out, and may come.
            now.left = now.left.saturating_sub(1);
            // Tab goes on from where the row lies in the end.
            input::hold_keys(ui.ctx());
        }
    }

    /// Notes a choice made in the list itself. It is in sight already, and stays there.
    pub(super) fn choose(&mut self, chosen: Option<u64>) {
        self.memory.scroll =
            ChoiceScroll { chosen, left: SETTLING, is_in_sight: true, ..ChoiceScroll::default() };
    }

    /// Lays out a row that senses the pointer. Its controls can have the keyboard focus if its response senses that.
    pub(super) fn row(&mut self, ui: &mut Ui, number: u64, sense: Sense) -> (Rect, Response) {
        let is_stop = self.stop == Some(self.next);
        self.next = self.next.saturating_add(1);
        let sense = if is_stop { sense } else { sense - Sense::FOCUSABLE };
        let size = vec2(ui.available_width().max(ui.min_rect().width()), theme::ROW);
        let (_, rect) = ui.allocate_space(size);
        let id = row_id(self.name, number);
        let response = ui.interact(rect, id, sense);
        let offer = |node: &mut Node| node.add_action(accesskit::Action::Focus);
        ui.ctx().accesskit_node_builder(id, offer);
        if response.has_focus() {
            self.memory.focused = Some(number);
            self.memory.chosen_then = self.chosen;
            focus::uses(ui.ctx(), id, Uses::Rows);
        }
        if response.gained_focus() {
            ui.scroll_to_rect_animation(rect, None, ScrollAnimation::none());
        }
        (rect, response)
    }
}

/// Returns the row that the keys pressed in this frame lead to from another one. `last` is the last row.
pub(super) fn walked(ui: &Ui, from: usize, last: usize) -> usize {
    let presses = |key| ui.input(|input| input.num_presses(key));
    let page = |key| presses(key).saturating_mul(PAGE);
    let down = presses(Key::ArrowDown).saturating_add(page(Key::PageDown));
    let up = presses(Key::ArrowUp).saturating_add(page(Key::PageUp));
    match () {
        () if presses(Key::End) > 0 => last,
        () if presses(Key::Home) > 0 => 0,
        () => from.saturating_add(down).min(last).saturating_sub(up),
    }
}

/// Returns the height of so many rows in logical pixels.
pub(super) fn rows_high(rows: usize) -> f32 {
    theme::ROW * f32::from(u16::try_from(rows).unwrap_or(u16::MAX))
}

/// Returns the place of a row in a list that is laid out from its row `first` on.
fn place_of(ui: &Ui, first: usize, row: usize) -> Rect {
    let list = ui.max_rect();
    let top = list.top() - rows_high(first) + rows_high(row);
    Rect::from_min_size(egui::pos2(list.left(), top), vec2(1.0, theme::ROW))
}

/// Lights up the mesh of the row that the pointer is on; `None` where it is on no row.
pub(super) fn point_at(state: &Panels<'_>, row: Option<MeshId>) {
    // Over the picture it is on the mesh there.
    let is_new = state.pointer().is_none() && state.parts().pointed != row;
    state.push_if(is_new, PartAction::PointAt(row));
}

/// Fits the small picture of a mesh into a square, if there is one.
pub(super) fn picture(ui: &Ui, square: Rect, state: &State, mesh: MeshId) {
    let Some((serial, facts)) = state.mesh_facts() else { return };
    let Some([left, top, width, height]) = facts.place(mesh) else { return };
    let uv = Rect::from_min_size(egui::pos2(left, top), vec2(width, height));
    let options = TextureOptions::LINEAR;
    let texture = widgets::cached_texture(ui, "pictures of meshes", serial, options, || {
        let size = [facts.pictures.width, facts.pictures.height].map(|side| side as usize);
        ColorImage::from_rgba_premultiplied(size, &facts.pictures.rgba)
    });
    // Neither dark nor light pictures vanish on it.
    ui.painter().rect_filled(square, 3.0, theme::of(ui).text_weak.gamma_multiply(0.35));
    ui.painter().image(texture, square, uv, egui::Color32::WHITE);
}

/// Fills a row that is chosen, or that the pointer is on.
pub(super) fn fill_row(ui: &Ui, rect: Rect, chosen: bool, over: bool) {
    let colors = theme::of(ui);
    let fill = match (chosen, over) {
        (true, _) => colors.accent_fill,
        (false, true) => colors.row_hovered,
        (false, false) => return,
    };
    ui.painter().rect_filled(rect, 0.0, fill);
}

/// Returns the control that a screen reader asks to have the keyboard focus.
fn asked_for(event: &Event) -> Option<NodeId> {
    match event {
        Event::AccessKitActionRequest(request) if request.action == accesskit::Action::Focus => {
            Some(request.target_node)
        }
        _ => None,
    }
}

/// Returns true if Space was pressed on a row, which else does the same as Enter and a click.
pub(super) fn is_space(ui: &Ui, response: &Response) -> bool {
    response.has_focus() && ui.input(|input| input.key_pressed(Key::Space))
}

/// Returns true if the arrow was pressed that folds the row of a branch, or unfolds a `folded` one.
pub(super) fn is_fold(ui: &Ui, row: &Response, folded: bool) -> bool {
    let key = if folded { Key::ArrowRight } else { Key::ArrowLeft };
    row.has_focus() && ui.input(|input| input.key_pressed(key))
}

/// Name of the button that clears it.
const CLEAR: &str = "Clear the filter";

/// The filter of a list of the side panel.
pub(super) fn filter_field(ui: &mut Ui, tab: Tab, text: &str, state: &Panels<'_>) {
    let name = match tab {
        Tab::Meshes => "Filter meshes",
        Tab::Bones => "Filter bones",
        Tab::Motions => "Filter motions",
        Tab::Stage => "Filter characters",
    };
    if let Some(edited) = filter_text(ui, name, text, state) {
        state.push(PartAction::Filter(tab, edited));
    }
}

/// A field for the filter of that name, with a button that clears it. Returns its text if it was edited.
pub(super) fn filter_text(ui: &mut Ui, name: &str, text: &str, state: &State) -> Option<String> {
    let id = filter_id(name);
    let name = state.kind().words(name);
    let mut edited = text.to_owned();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let clear = if text.is_empty() { 0.0 } else { Look::SMALL.size.x + 4.0 };
        let field = TextEdit::singleline(&mut edited)
            .id(id)
            .hint_text(RichText::new(name).color(theme::of(ui).text_weak))
            .desired_width(ui.available_width() - clear);
        let response = ui.add(field);
        widgets::name_text(&response, (name, name), text, &edited);
        let cleared =
            !text.is_empty() && icon_button(ui, Icon::X, Look::SMALL, CLEAR, CLEAR).clicked();
        if cleared {
            edited.clear();
        }
    });
    (edited != text).then_some(edited)
}

fn filter_id(field: &str) -> Id {
    Id::unique(("filter", field))
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

/// Shows a tooltip to the left of a row, or else to the right of it.
pub(super) fn tip_beside(ui: &Ui, response: &Response, row: Rect, add: impl FnOnce(&mut Ui)) {
    // A row may be wider than what is seen of it.
    let row = row.intersect(ui.clip_rect());
    let mut tip = if focus::is_tip_due(ui.ctx(), response.id) {
        Tooltip::for_widget(response)
    } else {
        Tooltip::for_enabled(response)
    };
    tip.popup = tip
        .popup
        .anchor(row)
        .align(RectAlign::LEFT_START)
        .align_alternatives(&[RectAlign::LEFT_END, RectAlign::RIGHT_START]);
    tip.gap(6.0).show(add);
}

/// Does the same with a text.
pub(super) fn text_beside(ui: &Ui, response: &Response, row: Rect, text: &str) {
    tip_beside(ui, response, row, |ui| {
        ui.label(text);
    });
}

/// Draws a button for an action in a row, at which Tab stops if it stops at the row; `name` is for screen readers.
pub(super) fn button_beside(
    ui: &mut Ui,
    row: &Response,
    (icon, look): (Icon, Look),
    (name, tip): (&str, &str),
    action: impl Into<Action>,
    state: &Panels<'_>,
) {
    let look = Look { focusable: row.sense.is_focusable(), ..look };
    let response = icon_control(ui, icon, look, name);
    text_beside(ui, &response, row.rect, tip);
    state.push_if(response.clicked(), action);
}

/// Marks the edge of a row at which another one is dropped: it takes this row's place, below it when it comes from above.
pub(super) fn mark_drop(ui: &Ui, row: Rect, from_above: bool) {
    let stroke = Stroke::new(2.0, theme::of(ui).accent);
    let y = if from_above { row.bottom() } else { row.top() };
    let ring = row.left() + 8.0;
    ui.painter().hline(ring + 3.0..=row.right(), y, stroke);
    ui.painter().circle_stroke(egui::pos2(ring, y), 3.0, stroke);
}

/// Share of the row that hides what is below it.
const OPAQUE: f32 = 0.6;
/// Logical pixels to the left of the name.
const NAME: f32 = 10.0;
/// Logical pixels by which it begins to the right of the list, where the place to drop it is marked.
const INDENT: f32 = 24.0;

/// Draws the row with a name, as wide as its list.
pub(super) fn dragged_row(ui: &Ui, list: Rect, name: &str) {
    let (at, from) = ui.input(|input| {
        let pointer = &input.pointer;
        (pointer.latest_pos(), pointer.press_origin())
    });
    let Some((at, from)) = at.zip(from) else { return };
    let colors = theme::of(ui);
    let size = vec2(list.width() - INDENT, theme::ROW);
    let left = list.left() + INDENT + at.x - from.x;
    let row = Rect::from_min_size(egui::pos2(left, at.y - theme::ROW / 2.0).round(), size);
    let layer = LayerId::new(Order::Tooltip, Id::unique("row that is dragged"));
    let painter = ui.ctx().layer_painter(layer);
    let fill = colors.accent_fill.gamma_multiply(OPAQUE);
    let edge = Stroke::new(1.0, colors.accent);
    painter.rect(row, 4.0, fill, edge, StrokeKind::Inside);
    let name = shown(name);
    let name = cut(ui, &name, row.width() - 2.0 * NAME);
    let font = egui::TextStyle::Body.resolve(ui.style());
    let place = row.left_center() + vec2(NAME, 0.0);
    painter.text(place, Align2::LEFT_CENTER, name, font, colors.text_strong);
    ui.set_cursor_icon(CursorIcon::Grabbing);
}
