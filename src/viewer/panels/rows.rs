//! Rows of a list that has the keyboard focus: arrows go through all of them, also those that are not laid out.

use egui::style::ScrollAnimation;
use egui::{Id, Key, Pos2, Rect, Response, Sense, Ui, vec2};

use super::filter;
use crate::viewer::focus::{self, Uses};
use crate::viewer::one_at_a_time;
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
    /// Middle of the control that has the keyboard focus, which may be one of a row.
    focus: Option<Pos2>,
    /// Row at which Tab stops, and how good a place that is.
    stop: Option<(u8, Rect)>,
    /// Number of the row that had the keyboard focus last, or of which a control had it.
    left: Option<u64>,
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
        let chosen = chosen.map(&number);
        let left: Option<Left> = ui.data(|data| data.get_temp(id.with("left")));
        // A later selection takes precedence.
        let left = left.filter(|left| left.chosen == chosen);
        let control = focused.and_then(|id| ui.ctx().read_response(id));
        let control = control.filter(|control| control.layer_id == ui.layer_id());
        Self {
            id,
            focus: control.map(|control| control.rect.center()),
            at: to,
            reveal: to.filter(|_| to != at),
            stop: None,
            left: left.map(|left| left.row),
            chosen,
        }
    }

    /// Scrolls to the row that has the keyboard focus, if it has gone to another; keeps it where it is not laid out. `range` are those that
    /// are.
    pub(super) fn begin(&mut self, ui: &Ui, range: &std::ops::Range<usize>) {
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
            one_at_a_time::hold(ui.ctx());
        }
        if !range.contains(&at)
            && let Some(number) = ui.data(|data| data.get_temp::<u64>(self.id))
        {
            let id = self.id.with(number);
            ui.interact(row, id, Sense::focusable_noninteractive());
            focus::uses(ui.ctx(), id, Uses::Rows);
        }
    }

    /// Lays out a row that senses the pointer and takes its turn in the keyboard order.
    pub(super) fn row(
        &mut self,
        ui: &mut Ui,
        number: u64,
        chosen: bool,
        sense: Sense,
    ) -> (Rect, Response) {
        let size = vec2(ui.available_width().max(ui.min_rect().width()), theme::ROW);
        let (_, rect) = ui.allocate_space(size);
        let id = self.id.with(number);
        let response = ui.interact(rect, id, sense);
        let has_focus = response.has_focus();
        if has_focus {
            ui.data_mut(|data| data.insert_temp(self.id, number));
            focus::uses(ui.ctx(), id, Uses::Rows);
        }
        if response.gained_focus() {
            ui.scroll_to_rect_animation(rect, None, ScrollAnimation::none());
        }
        let is_within = |control: Pos2| rect.contains(control) && ui.clip_rect().contains(control);
        let holds_focus = has_focus || self.focus.is_some_and(is_within);
        if holds_focus {
            let left = Left {
                row: number,
                chosen: self.chosen,
            };
            ui.data_mut(|data| data.insert_temp(self.id.with("left"), left));
        }
        let is_left = self.left == Some(number);
        let is_whole = ui.clip_rect().y_range().contains(rect.top() + 1.0);
        let good = match (holds_focus, is_left, chosen, is_whole) {
            (true, ..) => 4,
            (false, true, _, true) => 3,
            (false, false, true, true) => 2,
            (false, false, false, true) => 1,
            (false, .., false) => 0,
        };
        if self.stop.is_none_or(|(other, _)| good > other) {
            self.stop = Some((good, rect));
        }
        (rect, response)
    }

    /// Says where Tab stops in the list, once all rows are laid out.
    pub(super) fn end(self, ui: &Ui, list: Rect) {
        if let Some((_, row)) = self.stop {
            focus::list(ui, list, row);
        }
    }
}

/// Returns true if Space was pressed on a row, which else does the same as Enter and a click.
pub(super) fn is_space(ui: &Ui, response: &Response) -> bool {
    response.has_focus() && ui.input(|input| input.key_pressed(Key::Space))
}
