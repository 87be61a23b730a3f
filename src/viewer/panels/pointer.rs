//! Presses and drags of the pointer on a control, also within one slow frame.

use egui::{Event, Modifiers, PointerButton, Pos2, Rect, Response, Ui, Vec2};

/// A button that went down on a control, up to now or up to its release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Press {
    pub button: PointerButton,
    /// Place where it went down.
    pub from: Pos2,
    /// Place of its last movement, or of its release.
    pub at: Pos2,
    /// Keys that were held when it went down.
    pub modifiers: Modifiers,
    /// True if it went down since the last frame.
    pub is_new: bool,
    /// True if it was let go since the last frame.
    pub is_over: bool,
}

impl Press {
    fn begin(pos: Pos2, button: PointerButton, modifiers: Modifiers) -> Self {
        Self {
            button,
            from: pos,
            at: pos,
            modifiers,
            is_new: true,
            is_over: false,
        }
    }
}

/// Returns the last press of one of the buttons on a control, but for places in `others`. Of a press that is held each frame has one, and so
/// has the frame in which it ends. To be asked for once a frame.
pub(super) fn press_of(
    ui: &Ui,
    response: &Response,
    buttons: &[PointerButton],
    others: &[Rect],
) -> Option<Press> {
    let id = response.id.with("press");
    let before: Option<Press> = ui.data(|data| data.get_temp(id));
    let mut held = before.map(|press| Press {
        is_new: false,
        ..press
    });
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
            Event::PointerButton {
                pos,
                button,
                pressed: false,
                ..
            } => {
                if let Some(press) = held.take_if(|press| press.button == button) {
                    last = Some(Press {
                        at: pos,
                        is_over: true,
                        ..press
                    });
                }
            }
            Event::PointerButton {
                pos,
                button,
                pressed: true,
                modifiers,
            } => {
                let is_free = held.is_none() && buttons.contains(&button);
                let is_other = others.iter().any(|other| other.contains(pos));
                if is_free && !is_other && is_hit(ui, response, pos) {
                    held = Some(Press::begin(pos, button, modifiers));
                    last = held;
                }
            }
            _ => {}
        }
    }
    // A release that went elsewhere ends it, too.
    let held = held.filter(|press| ui.input(|input| input.pointer.button_down(press.button)));
    if let Some(press) = last.as_mut().filter(|_| held.is_none()) {
        press.is_over = true;
    }
    match held {
        Some(press) => {
            ui.data_mut(|data| data.insert_temp(id, press));
        }
        None if before.is_some() => ui.data_mut(|data| data.remove::<Press>(id)),
        None => {}
    }
    last
}

/// Returns true if a press at a place is one on the control.
fn is_hit(ui: &Ui, response: &Response, pos: Pos2) -> bool {
    let layer = ui.ctx().layer_id_at(pos);
    let is_on_top = layer.is_none_or(|layer| layer == response.layer_id);
    ui.is_enabled() && is_on_top && response.interact_rect.contains(pos)
}

/// A drag with the first or the middle button.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drag {
    /// The button.
    pub button: PointerButton,
    /// Place where it went down.
    pub from: Pos2,
    /// Movement since the last frame, in points.
    pub by: Vec2,
    /// Keys that were held when the button went down.
    pub modifiers: Modifiers,
}

/// Returns the drag over a control. Movement counts once: to be called once per frame.
pub(super) fn drag_of(ui: &Ui, response: &Response) -> Option<Drag> {
    let id = response.id.with("place up to which a drag was reported");
    let press = press_of(
        ui,
        response,
        &[PointerButton::Primary, PointerButton::Middle],
        &[],
    )?;
    let known: Option<Pos2> = ui.data(|data| data.get_temp(id));
    let reported = known.filter(|_| !press.is_new).unwrap_or(press.from);
    let ctx = ui.ctx();
    let within = ctx.options(|it| it.input_options.max_click_dist);
    // egui does not report a drag that begins and ends within one frame.
    let mut others = ctx.dragged_id().into_iter().chain(ctx.drag_stopped_id());
    let is_free = others.all(|other| other == response.id);
    let is_stroke = press.is_over && is_free && press.from.distance(press.at) > within;
    let is_egui = response.dragged_by(press.button) || response.drag_stopped_by(press.button);
    let drag = (is_stroke || is_egui).then_some(Drag {
        button: press.button,
        from: press.from,
        by: press.at - reported,
        modifiers: press.modifiers,
    });
    if press.is_over {
        ui.data_mut(|data| data.remove::<Pos2>(id));
    } else {
        let reported = if drag.is_some() { press.at } else { reported };
        ui.data_mut(|data| data.insert_temp(id, reported));
    }
    drag
}

/// Returns true in the frame in which a drag of a control with the first button starts. Unlike egui's, it is the control that was pressed,
/// even if the pointer is on another one by then.
pub(super) fn drag_starts(ui: &Ui, response: &Response) -> bool {
    let id = response.id.with("drag started");
    let Some(press) = press_of(ui, response, &[PointerButton::Primary], &[]) else {
        return false;
    };
    let known = !press.is_new && ui.data(|data| data.get_temp(id).unwrap_or(false));
    let within = ui.ctx().options(|it| it.input_options.max_click_dist);
    let is_dragged = known || press.from.distance(press.at) > within;
    if press.is_over {
        ui.data_mut(|data| data.remove::<bool>(id));
    } else {
        ui.data_mut(|data| data.insert_temp(id, is_dragged));
    }
    is_dragged && !known
}
