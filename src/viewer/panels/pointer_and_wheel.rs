//! Presses and drags of the pointer on a control, also within one slow frame, and zooming by wheel and pinch.

use egui::{Event, Modifiers, PointerButton, Pos2, Rect, Response, Ui, Vec2};

use super::Panels;
use crate::viewer::kept::{Keep, Press};
use crate::viewer::state::State;

/// A press in a frame, and as it goes on.
struct Followed {
    before: Option<Press>,
    last: Press,
    held: Option<Press>,
}

impl Followed {
    /// Follows the last press of one of the buttons on a control, but for places in `others`. `item` is the place of what is held.
    fn new(
        ui: &Ui,
        state: &State,
        response: &Response,
        buttons: &[PointerButton],
        (others, item): (&[Rect], Option<Pos2>),
    ) -> Option<Self> {
        let kept = state.kept().press;
        let before = kept.filter(|press| press.control == response.id);
        let mut held = before.map(|press| Press { is_new: false, ..press });
        let mut last = held;
        let is_of_pointer =
            |event: &&Event| matches!(event, Event::PointerMoved(_) | Event::PointerButton { .. });
        let events: Vec<Event> = ui.input(|input| {
            let events = input.events.iter().filter(is_of_pointer);
            events.cloned().collect()
        });
        for event in events {
            match event {
                Event::PointerMoved(pos) => {
                    if let Some(press) = &mut held {
                        press.at = pos;
                        last = held;
                    }
                }
                Event::PointerButton { pos, button, pressed: false, .. } => {
                    if let Some(press) = held.take_if(|press| press.button == button) {
                        last = Some(Press { at: pos, is_over: true, ..press });
                    }
                }
                Event::PointerButton { pos, button, pressed: true, modifiers } => {
                    let is_free = held.is_none() && buttons.contains(&button);
                    let is_other = others.iter().any(|other| other.contains(pos));
                    let layer = ui.ctx().layer_id_at(pos);
                    let is_on_top = layer.is_none_or(|layer| layer == response.layer_id);
                    let is_inside = ui.is_enabled() && response.interact_rect.contains(pos);
                    if is_free && !is_other && is_on_top && is_inside {
                        held = Some(Press {
                            control: response.id,
                            button,
                            from: pos,
                            at: pos,
                            modifiers,
                            is_new: true,
                            is_over: false,
                            grip: item.map_or(Vec2::ZERO, |item| pos - item),
                            is_dragged: false,
                            reported: pos,
                        });
                        last = held;
                    }
                }
                _ => {}
            }
        }
        // A release that went elsewhere ends it, too.
        let held = held.filter(|press| ui.input(|input| input.pointer.button_down(press.button)));
        let mut last = last?;
        last.is_over |= held.is_none();
        Some(Self { before, last, held })
    }

    /// Keeps the press for the next frame.
    fn keep(self, state: &Panels<'_>) {
        state.push_if(self.held != self.before, Keep::Press(self.held));
    }

    /// Returns true if it has moved farther than a click does.
    fn is_far(&self, ui: &Ui) -> bool {
        let within = ui.ctx().options(|it| it.input_options.max_click_dist);
        self.last.from.distance(self.last.at) > within
    }
}

/// Returns the last press of the first button on a control, but for places in `others`. Of a press that is held each frame has one, and so
/// has the frame in which it ends. `item` is the place of what is held. To be asked for once a frame.
pub(super) fn press_of(
    ui: &Ui,
    state: &Panels<'_>,
    response: &Response,
    others: &[Rect],
    item: Option<Pos2>,
) -> Option<Press> {
    let buttons = [PointerButton::Primary];
    let followed = Followed::new(ui, state, response, &buttons, (others, item))?;
    let press = followed.last;
    followed.keep(state);
    Some(press)
}

/// A drag with the first or the middle button.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drag {
    pub button: PointerButton,
    /// Place where it went down.
    pub from: Pos2,
    pub to: Pos2,
    /// Movement since the last frame, in points.
    pub by: Vec2,
    /// Keys that were held when the button went down.
    pub modifiers: Modifiers,
    /// True in its first frame.
    pub is_new: bool,
}

/// Returns the drag over a control. Movement counts once: to be called once per frame.
pub(super) fn drag_of(ui: &Ui, state: &Panels<'_>, response: &Response) -> Option<Drag> {
    let buttons = [PointerButton::Primary, PointerButton::Middle];
    let mut followed = Followed::new(ui, state, response, &buttons, (&[], None))?;
    let press = followed.last;
    let ctx = ui.ctx();
    // egui does not report a drag that begins and ends within one frame.
    let mut others = ctx.dragged_id().into_iter().chain(ctx.drag_stopped_id());
    let is_free = others.all(|other| other == response.id);
    let is_stroke = press.is_over && is_free && followed.is_far(ui);
    let is_egui = response.dragged_by(press.button) || response.drag_stopped_by(press.button);
    let drag = (is_stroke || is_egui).then_some(Drag {
        button: press.button,
        from: press.from,
        to: press.at,
        by: press.at - press.reported,
        modifiers: press.modifiers,
        is_new: !press.is_dragged,
    });
    if let Some(held) = followed.held.as_mut().filter(|_| drag.is_some()) {
        held.is_dragged = true;
        held.reported = press.at;
    }
    followed.keep(state);
    drag
}

/// Returns true in the frame in which a drag of a control with the first button starts. Unlike egui's, it is the control that was pressed,
/// even if the pointer is on another one by then.
pub(super) fn drag_starts(ui: &Ui, state: &Panels<'_>, response: &Response) -> bool {
    let buttons = [PointerButton::Primary];
    let Some(mut followed) = Followed::new(ui, state, response, &buttons, (&[], None)) else {
        return false;
    };
    let starts = !followed.last.is_dragged && followed.is_far(ui);
    if let Some(held) = &mut followed.held {
        held.is_dragged |= starts;
    }
    followed.keep(state);
    starts
}

/// Returns where the pointer was released in this frame. In a slow frame it may have moved on since.
pub(super) fn released_at(ui: &Ui) -> Option<Pos2> {
    let released = |event: &Event| match event {
        Event::PointerButton { pos, button: PointerButton::Primary, pressed: false, .. } => {
            Some(*pos)
        }
        _ => None,
    };
    ui.input(|input| input.events.iter().rev().find_map(released))
}

/// Zoom per point of scrolling; one notch of a wheel zooms by a fifth.
pub(super) const ZOOM_PER_POINT: f64 = 0.004;

/// Returns the factor by which the wheel or a pinch zooms in this frame.
pub(super) fn zoom_of(ui: &Ui) -> f64 {
    let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
    (f64::from(scroll) * ZOOM_PER_POINT).exp() * f64::from(pinch)
}

/// Returns a point in screen pixels from a picture's upper left corner.
pub(super) fn on_screen(origin: Pos2, at: Pos2, pixels_per_point: f32) -> [f64; 2] {
    let at = (at - origin) * pixels_per_point;
    [at.x, at.y].map(f64::from)
}
