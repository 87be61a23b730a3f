//! Drags over a control, as far as the button was held down. Within one slow frame a button may go down, be dragged and be let go, and the
//! pointer may go on; egui reports only where it is in the end.

use egui::{Event, PointerButton, Pos2, Response, Ui, Vec2};

/// A drag with the first or the middle button.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drag {
    /// The button.
    pub button: PointerButton,
    /// Place where it went down.
    pub from: Pos2,
    /// Movement since the last frame, in points.
    pub by: Vec2,
}

/// A button that went down on a control.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Held {
    button: PointerButton,
    from: Pos2,
    /// Place up to which movement was reported.
    told: Pos2,
    /// Place of the last movement.
    at: Pos2,
}

/// Returns the drag over a control. Movement counts once: to be asked for once a frame.
pub(super) fn of(ui: &Ui, response: &Response) -> Option<Drag> {
    let id = response.id.with("drag");
    let mut held: Option<Held> = ui.data(|data| data.get_temp(id));
    let is_new = held.is_none();
    let mut ended: Option<Held> = None;
    let is_of_pointer =
        |event: &&Event| matches!(event, Event::PointerMoved(_) | Event::PointerButton { .. });
    let events: Vec<Event> = ui.input(|input| {
        let events = input.events.iter().filter(is_of_pointer);
        events.cloned().collect()
    });
    for event in events {
        match (event, &mut held) {
            (Event::PointerMoved(pos), Some(held)) => held.at = pos,
            (
                Event::PointerButton {
                    pos,
                    button,
                    pressed: false,
                    ..
                },
                Some(of),
            ) if of.button == button => {
                of.at = pos;
                ended = held.take();
            }
            (
                Event::PointerButton {
                    pos,
                    button: button @ (PointerButton::Primary | PointerButton::Middle),
                    pressed: true,
                    ..
                },
                None,
            ) if is_hit(ui, response, pos) => {
                held = Some(Held {
                    button,
                    from: pos,
                    told: pos,
                    at: pos,
                });
            }
            _ => {}
        }
    }
    let mut held = held.filter(|held| ui.input(|it| it.pointer.button_down(held.button)));
    let is_over = ended.is_some();
    let mut drag = None;
    if let Some(held) = ended.as_mut().or(held.as_mut()) {
        let within = ui.ctx().options(|it| it.input_options.max_click_dist);
        // One that goes far and is over within a frame is none of egui's.
        let ctx = ui.ctx();
        let mut others = ctx.dragged_id().into_iter().chain(ctx.drag_stopped_id());
        let is_free = others.all(|other| other == response.id);
        let is_stroke = is_over && is_free && held.from.distance(held.at) > within;
        let by = |of: PointerButton| response.dragged_by(of) || response.drag_stopped_by(of);
        if is_stroke || by(held.button) {
            let by = held.at - held.told;
            held.told = held.at;
            drag = Some(Drag {
                button: held.button,
                from: held.from,
                by,
            });
        }
    }
    match held {
        Some(held) => {
            ui.data_mut(|data| data.insert_temp(id, held));
        }
        None if !is_new => ui.data_mut(|data| data.remove::<Held>(id)),
        None => {}
    }
    drag
}

/// Returns true if a press at a place is one on the control.
fn is_hit(ui: &Ui, response: &Response, pos: Pos2) -> bool {
    let layer = ui.ctx().layer_id_at(pos);
    let is_on_top = layer.is_none_or(|layer| layer == response.layer_id);
    ui.is_enabled() && is_on_top && response.interact_rect.contains(pos)
}
