//! Cards that float over the picture: they are moved by their titles, dock at its corners and edges, and stay within it.

use egui::{
    Align, Area, AreaState, CursorIcon, Frame, Id, Key, Layout, Margin, Modifiers, Order, Rect,
    Response, Role, Sense, Stroke, StrokeKind, TextStyle, TextWrapMode, Ui, Vec2, WidgetInfo,
    WidgetText, pos2, vec2,
};
use lucide_icons::Icon;

use super::pointer;
use super::widgets::{Look, cut, icon_button, tip};
use crate::viewer::action::{Action, InterfaceAction};
use crate::viewer::focus::{self, Uses};
use crate::viewer::interface::{Card, Place};
use crate::viewer::state::State;
use crate::viewer::switch::Switch;
use crate::viewer::theme;

/// Logical pixels between a card and the edges of the picture.
pub(super) const SPACE: f32 = 12.0;
/// Distance in logical pixels at which a card docks.
const SNAP: f32 = 20.0;
/// Logical pixels that an arrow moves a card.
const STEP: f32 = 16.0;
/// Margin within a card.
pub(super) const MARGIN: f32 = 10.0;
/// Height of the title.
const TITLE: f32 = 22.0;
/// Logical pixels that everything around the content takes.
pub(super) const AROUND: Vec2 = vec2(2.0 * MARGIN, 2.0 * MARGIN + TITLE + 4.0);
/// Side of the corner that resizes a card, in logical pixels.
const GRIP: f32 = 16.0;
/// Logical pixels of the content at least.
const LEAST: f32 = 60.0;

/// A card to be drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floating<'a> {
    pub state: &'a State,
    pub card: Card,
    pub title: &'a str,
    /// Of the button that closes it.
    pub close: &'static str,
    /// The switch that shows it.
    pub switch: Switch,
    pub place: Place,
    /// Room for the card while it is not moved.
    pub room: Rect,
    /// Part of it that is clear of messages.
    pub free: Rect,
    /// Size of the content, if it can be chosen.
    pub content: Option<Vec2>,
    pub picture: Rect,
}

/// Keys for the content of a card that has the keyboard focus.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pressed {
    /// Steps of zoom.
    pub zoom: f32,
    /// True if the card went back to its first place.
    pub home: bool,
}

impl Floating<'_> {
    /// Draws it with its content. Returns its rectangle.
    pub(super) fn show(
        &self,
        ui: &Ui,
        actions: &mut Vec<Action>,
        add: impl FnOnce(&mut Ui, Pressed, &mut Vec<Action>),
    ) -> Rect {
        let id = Id::unique(("card", self.card as u8));
        let known = AreaState::load(ui.ctx(), id).and_then(|area| area.size);
        let size = match self.content {
            Some(content) => content + AROUND,
            None => known.unwrap_or(vec2(230.0, 240.0)),
        };
        let rect = within(self.place.rect(size, self.room), self.free);
        let colors = theme::of(ui);
        let shown = Area::new(id)
            .order(Order::Middle)
            .constrain(false)
            .fixed_pos(rect.min)
            .show(ui.ctx(), |area| {
                let frame = Frame::new()
                    .fill(colors.floating())
                    .stroke(Stroke::new(1.0, colors.line))
                    .corner_radius(8)
                    .inner_margin(Margin::same(9));
                let content = frame.show(area, |ui| {
                    if let Some(content) = self.content {
                        ui.set_width(content.x);
                    }
                    ui.spacing_mut().item_spacing.y = 4.0;
                    let (title, close) = self.title(ui, actions);
                    let pressed = self.keys(ui, [&title, &close], rect, actions);
                    ui.scope(|ui| {
                        ui.set_min_height(self.content.map_or(0.0, |content| content.y));
                        add(ui, pressed, actions);
                    });
                    title
                });
                self.drag(ui, &content.inner, rect, actions);
                if let Some(content) = self.content {
                    self.resize(area, rect, content, actions);
                }
            });
        if focus::leaves(ui.ctx(), shown.response.layer_id) {
            actions.push(Action::Toggle(self.switch));
        }
        shown.response.rect
    }

    /// Draws the title, by which the card is moved, and the button that closes it.
    fn title(&self, ui: &mut Ui, actions: &mut Vec<Action>) -> (Response, Response) {
        let width = match self.content {
            Some(content) => content.x,
            None => ui.available_width().min(WIDTH),
        };
        let (rect, _) = ui.allocate_exact_size(vec2(width, TITLE), Sense::hover());
        let handle = rect.with_max_x(rect.max.x - TITLE - 4.0);
        let id = ui.scope_id().with("title");
        let response = ui.interact(handle, id, Sense::click_and_drag());
        let name = match self.card {
            Card::Atlas => "Move the atlas page",
            Card::Statistics => "Move the statistics",
        };
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Button, true, name);
            let says_more = self.card == Card::Atlas;
            info.current_text_value = says_more.then(|| self.title.to_owned());
            info
        });
        focus::uses(ui.ctx(), id, Uses::Card);
        if response.hovered() || response.dragged() {
            let icon = if response.dragged() {
                CursorIcon::Grabbing
            } else {
                CursorIcon::Grab
            };
            ui.ctx().set_cursor_icon(icon);
        }
        let mut title = ui.new_child(
            egui::UiBuilder::new()
                .max_rect(rect)
                .layout(Layout::right_to_left(Align::Center)),
        );
        let action = Action::Toggle(self.switch);
        let close_tip = tip(ui, &action, "");
        let close = icon_button(&mut title, Icon::X, Look::SMALL, self.close, &close_tip);
        focus::uses(ui.ctx(), close.id, Uses::InCard);
        if close.clicked() {
            actions.push(action);
        }
        // Not a label: the handle has its words.
        let text = cut(ui, self.title, handle.width()).into_owned();
        let galley = WidgetText::from(text).into_galley(
            ui,
            Some(TextWrapMode::Extend),
            f32::INFINITY,
            TextStyle::Body,
        );
        let at = handle.left_center() - vec2(0.0, galley.size().y / 2.0);
        ui.painter().galley(at, galley, theme::of(ui).text);
        let more = match self.card {
            Card::Atlas => {
                "Drag to move; arrows move it, Shift+arrows resize it, + and − zoom, Home puts it back"
            }
            Card::Statistics => "Drag to move; arrows move it, Home puts it back",
        };
        (response.on_hover_text(more), close)
    }

    /// Moves the card by keys, and returns those that are for its content.
    fn keys(
        &self,
        ui: &Ui,
        [title, close]: [&Response; 2],
        rect: Rect,
        actions: &mut Vec<Action>,
    ) -> Pressed {
        if !title.has_focus() && !close.has_focus() {
            return Pressed::default();
        }
        let presses = |held: Modifiers, keys: &[Key]| {
            let count = |key: &Key| ui.input_mut(|input| input.count_and_consume_key(held, *key));
            let count: usize = keys.iter().map(count).sum();
            f32::from(u8::try_from(count).unwrap_or(u8::MAX))
        };
        let [shift, none] = [Modifiers::SHIFT, Modifiers::NONE];
        let zoom = presses(none, &[Key::Plus, Key::Equals]) - presses(none, &[Key::Minus]);
        if !title.has_focus() {
            return Pressed { zoom, home: false };
        }
        let arrows = |held: Modifiers| {
            let x = presses(held, &[Key::ArrowRight]) - presses(held, &[Key::ArrowLeft]);
            let y = presses(held, &[Key::ArrowDown]) - presses(held, &[Key::ArrowUp]);
            vec2(x, y) * STEP
        };
        // Those with Shift first, since they are arrows, too.
        let [resized, moved] = [shift, none].map(arrows);
        let home = presses(none, &[Key::Home]) > 0.0;
        if home {
            self.put(self.card.usual(), actions);
        } else if resized != Vec2::ZERO {
            if let Some(content) = self.content {
                let most = (self.free().size() - AROUND).max(Vec2::splat(LEAST));
                let wanted = content + resized;
                let size = Some(wanted.max(Vec2::splat(LEAST)).min(most).into());
                self.put(Place { size, ..self.place }, actions);
            }
        } else if moved != Vec2::ZERO {
            let room = self.free();
            let place = Place::of(rect.translate(moved), room, self.place.size);
            let within = place.rect(rect.size(), room);
            self.put(Place::of(within, room, self.place.size), actions);
        }
        Pressed { zoom, home }
    }

    /// Moves the card with the pointer, and docks it.
    fn drag(&self, ui: &Ui, title: &Response, rect: Rect, actions: &mut Vec<Action>) {
        let press = pointer::press_of(ui, self.state, title, &[], Some(rect.min), actions);
        let is_drag = title.dragged() || title.drag_stopped();
        let Some(press) = press.filter(|_| is_drag) else {
            return;
        };
        let room = self.free();
        let wanted = Rect::from_min_size(press.at - press.grip, rect.size());
        let place = Place::of(wanted, room, self.place.size);
        let within = place.rect(rect.size(), room);
        let place = Place::of(within, room, self.place.size);
        let docked = place.docked(SNAP);
        if title.drag_stopped() {
            let place = if docked.is_docked() { docked } else { place };
            self.put(place, actions);
            return;
        }
        self.put(place, actions);
        if docked.is_docked() {
            let target = docked.rect(rect.size(), room);
            let accent = theme::of(ui).accent;
            let painter = ui.painter();
            painter.rect_filled(target, 8.0, accent.gamma_multiply(0.2));
            let stroke = Stroke::new(2.0, accent);
            painter.rect_stroke(target.expand(2.0), 9.0, stroke, StrokeKind::Inside);
        }
    }

    /// Resizes the card by its lower right corner.
    fn resize(&self, ui: &Ui, rect: Rect, content: Vec2, actions: &mut Vec<Action>) {
        let corner = Rect::from_min_max(rect.max - Vec2::splat(GRIP), rect.max);
        let response = ui.interact(corner, ui.scope_id().with("corner"), Sense::DRAG);
        let is_lit = response.hovered() || response.dragged();
        if is_lit {
            ui.ctx().set_cursor_icon(CursorIcon::ResizeNwSe);
        }
        let colors = theme::of(ui);
        let color = if is_lit {
            colors.text
        } else {
            colors.text_weak
        };
        for length in [4.0, 8.0] {
            let corner = rect.max - vec2(3.0, 3.0);
            let ends = [corner - vec2(length, 0.0), corner - vec2(0.0, length)];
            ui.painter().line_segment(ends, Stroke::new(1.0, color));
        }
        if response.dragged()
            && let Some(pointer) = response.interact_pointer_pos()
        {
            let room = self.free();
            let around = rect.size() - content;
            let least = rect.min + around + Vec2::splat(LEAST);
            let to = Rect::from_min_max(rect.min, pointer.min(room.max).max(least));
            let size = (to.size() - around).into();
            self.put(Place::of(to, room, Some(size)), actions);
        }
    }

    /// Returns where it can be moved to.
    fn free(&self) -> Rect {
        inner(self.picture)
    }

    fn put(&self, place: Place, actions: &mut Vec<Action>) {
        if place != self.place {
            let action = InterfaceAction::Card(self.card, place);
            actions.push(Action::Interface(action));
        }
    }
}

/// Width of the content of a card whose size cannot be chosen.
pub(super) const WIDTH: f32 = 224.0;

/// Returns the room for cards within a picture, or a part of it.
pub(super) fn inner(picture: Rect) -> Rect {
    let shrunk = picture.shrink(SPACE);
    if shrunk.is_positive() {
        shrunk
    } else {
        picture
    }
}

/// Rectangles of messages over the picture, from above.
pub(super) type TakenRects = [Option<Rect>; 3];

/// Returns the part of `room` for a card that would lie at `card`, clear of what is taken above and below; `None` if too
/// little is left.
pub(super) fn clear(room: Rect, card: Rect, taken: &TakenRects) -> Option<Rect> {
    let mut free = room;
    for taken in taken.iter().flatten() {
        if !taken.x_range().expand(SPACE).intersects(card.x_range()) {
            continue;
        }
        if taken.center().y <= room.center().y {
            free.min.y = free.min.y.max(taken.bottom() + SPACE);
        } else {
            free.max.y = free.max.y.min(taken.top() - SPACE);
        }
    }
    (free == room || free.height() >= AROUND.y + LEAST).then_some(free)
}

/// Returns a card, moved up or down and cut so that it lies within `free`.
pub(super) fn within(card: Rect, free: Rect) -> Rect {
    let height = card.height().min(free.height());
    let top = card.top().min(free.bottom() - height).max(free.top());
    Rect::from_min_size(pos2(card.left(), top), vec2(card.width(), height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_lies_clear_of_messages_above_and_below_or_not_at_all() {
        let room = Rect::from_min_max(pos2(0.0, 0.0), pos2(500.0, 400.0));
        let card = Rect::from_min_max(pos2(300.0, 0.0), pos2(500.0, 200.0));
        let bar = |top, bottom| Some(Rect::from_min_max(pos2(0.0, top), pos2(320.0, bottom)));
        let free = clear(room, card, &[None, bar(0.0, 100.0), bar(350.0, 400.0)]).unwrap();
        assert_eq!((free.top(), free.bottom()), (112.0, 338.0));
        assert_eq!(within(card, free).top(), 112.0);
        assert_eq!(within(card, free).height(), 200.0);
        let low = card.translate(vec2(0.0, 200.0));
        assert_eq!(within(low, free).bottom(), 338.0);
        assert_eq!(clear(room, card, &[None, bar(0.0, 320.0), None]), None);
        // Nothing beside it is occupied.
        let aside = card.translate(vec2(40.0, 0.0));
        assert_eq!(
            clear(room, aside, &[None, bar(0.0, 320.0), None]),
            Some(room)
        );
    }
}
