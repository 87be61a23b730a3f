//! Rows of a list that has the keyboard focus: arrows go through all of them, also those that are not laid out.

use egui::accesskit::{Action, Node, NodeId};
use egui::style::ScrollAnimation;
use egui::{Event, Id, Key, Rect, Response, Sense, Ui, vec2};

use super::filter;
use crate::viewer::focus::{self, Uses};
use crate::viewer::key_order;
use crate::viewer::state::State;
use crate::viewer::target::Target;
use crate::viewer::theme;

/// Name of the list of animations. Its key differs from that of the list in front.
pub(super) const CLIPS: &str = "animations";

/// Rows that Page Up and Page Down move by.
const PAGE: usize = 10;

/// The row of a list that had the keyboard focus last, from frame to frame.
#[derive(Clone, Copy, Debug)]
struct Left {
    row: u64,
    /// The row that was chosen then.
    chosen: Option<u64>,
}

/// The rows of a list. Each has its own number, which identifies it wherever it is.
#[derive(Debug)]
pub(super) struct Rows {
    id: Id,
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
    /// The rows of a list of that name; `number` is that of a row, `chosen` the row to begin with.
    pub(super) fn new(
        ui: &Ui,
        state: &State,
        (name, count): (&'static str, usize),
        chosen: Option<usize>,
        number: impl Fn(usize) -> u64,
    ) -> Self {
        let id = Id::unique(("row of", name));
        let known: Option<u64> = ui.data(|data| data.get_temp(id));
        let focused = ui.memory(|memory| memory.focused());
        let known = known.filter(|number| focused == Some(id.with(number)));
        let at = known.and_then(|known| (0..count).find(|row| number(*row) == known));
        let last = count.saturating_sub(1);
        // A choice made elsewhere takes the keyboard along.
        let now = chosen.map(&number);
        let chosen_id = id.with("chosen");
        let before: Option<Option<u64>> = ui.data(|data| data.get_temp(chosen_id));
        if before != Some(now) {
            ui.data_mut(|data| data.insert_temp(chosen_id, now));
        }
        let is_new = before.is_some_and(|before| before != now);
        let mut to = at.map(|at| chosen.filter(|_| is_new).unwrap_or(at));
        if let Some(row) = &mut to {
            let presses = |key| ui.input(|input| input.num_presses(key));
            let page = |key| presses(key).saturating_mul(PAGE);
            let down = presses(Key::ArrowDown).saturating_add(page(Key::PageDown));
            let up = presses(Key::ArrowUp).saturating_add(page(Key::PageUp));
            *row = row.saturating_add(down).min(last).saturating_sub(up);
            if presses(Key::Home) > 0 {
                *row = 0;
            }
            if presses(Key::End) > 0 {
                *row = last;
            }
        }
        // A screen reader may go to any row.
        let asked = ui.input(|input| input.events.iter().find_map(asked_for));
        if let Some(asked) = asked {
            let is_it = |row: &usize| id.with(number(*row)).accesskit_id() == asked;
            to = (0..count).find(is_it).or(to);
        }
        let is_wanted = match state.looking().target {
            Some(Target::List(_)) => name != CLIPS,
            Some(Target::Animations) => name == CLIPS,
            _ => false,
        };
        if is_wanted && at.is_none() && count > 0 {
            to = chosen.or(Some(0));
        }
        if let Some(row) = to.filter(|_| to != at) {
            let number = number(row);
            ui.data_mut(|data| data.insert_temp(id, number));
            ui.memory_mut(|memory| memory.request_focus(id.with(number)));
        }
        if is_wanted && count == 0 {
            filter::go_to(ui);
        }
        let row_of = |row: u64| (0..count).find(|at| number(*at) == row);
        let left: Option<Left> = ui.data(|data| data.get_temp(id.with("left")));
        // A later selection takes precedence.
        let left = left.filter(|left| left.chosen == now);
        let left = left.and_then(|left| row_of(left.row));
        Self {
            id,
            at: to,
            reveal: to.filter(|_| to != at),
            stop: to.or(left).or(chosen),
            next: 0,
            chosen: now,
        }
    }

    /// Scrolls to the row that has the keyboard focus, if it has gone to another; keeps it where it is not laid out. `range` are those that
    /// are.
    pub(super) fn begin(&mut self, ui: &Ui, range: &std::ops::Range<usize>) {
        self.next = range.start;
        let stop = self.stop.filter(|stop| range.contains(stop));
        self.stop = stop.or(Some(range.start));
        let Some(at) = self.at else {
            return;
        };
        let list = ui.max_rect();
        let rows = |count: usize| theme::ROW * f32::from(u16::try_from(count).unwrap_or(u16::MAX));
        let top = list.top() - rows(range.start) + rows(at);
        let row = Rect::from_min_size(egui::pos2(list.left(), top), vec2(1.0, theme::ROW));
        if self.reveal.is_some() {
            // At once: the way through ten thousand rows is not worth seeing.
            ui.scroll_to_rect_animation(row, None, ScrollAnimation::none());
            // Enter is for the row that is gone to, which may not be laid out yet.
            key_order::hold(ui.ctx());
        }
        if !range.contains(&at)
            && let Some(number) = ui.data(|data| data.get_temp::<u64>(self.id))
        {
            let id = self.id.with(number);
            ui.interact(row, id, Sense::focusable_noninteractive());
            focus::uses(ui.ctx(), id, Uses::Rows);
        }
    }

    /// Lays out a row that senses the pointer. Its controls can have the keyboard focus if its response senses that.
    pub(super) fn row(&mut self, ui: &mut Ui, number: u64, sense: Sense) -> (Rect, Response) {
        let is_stop = self.stop == Some(self.next);
        self.next = self.next.saturating_add(1);
        let sense = if is_stop {
            sense
        } else {
            sense - Sense::FOCUSABLE
        };
        let size = vec2(ui.available_width().max(ui.min_rect().width()), theme::ROW);
        let (_, rect) = ui.allocate_space(size);
        let id = self.id.with(number);
        let response = ui.interact(rect, id, sense);
        let offer = |node: &mut Node| node.add_action(Action::Focus);
        ui.ctx().accesskit_node_builder(id, offer);
        if response.has_focus() {
            let left = Left {
                row: number,
                chosen: self.chosen,
            };
            ui.data_mut(|data| data.insert_temp(self.id, number));
            ui.data_mut(|data| data.insert_temp(self.id.with("left"), left));
            focus::uses(ui.ctx(), id, Uses::Rows);
        }
        if response.gained_focus() {
            ui.scroll_to_rect_animation(rect, None, ScrollAnimation::none());
        }
        (rect, response)
    }
}

/// Returns the control that a screen reader asks to have the keyboard focus.
fn asked_for(event: &Event) -> Option<NodeId> {
    match event {
        Event::AccessKitActionRequest(request) if request.action == Action::Focus => {
            Some(request.target_node)
        }
        _ => None,
    }
}

/// Returns true if Space was pressed on a row, which else does the same as Enter and a click.
pub(super) fn is_space(ui: &Ui, response: &Response) -> bool {
    response.has_focus() && ui.input(|input| input.key_pressed(Key::Space))
}
