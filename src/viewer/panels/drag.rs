//! Drags over a control with the first or the middle button.

use egui::{Modifiers, PointerButton, Pos2, Response, Ui, Vec2};

use super::press;

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
pub(super) fn of(ui: &Ui, response: &Response) -> Option<Drag> {
    let id = response.id.with("place up to which a drag was reported");
    let press = press::of(
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
pub(super) fn starts(ui: &Ui, response: &Response) -> bool {
    let id = response.id.with("drag started");
    let Some(press) = press::of(ui, response, &[PointerButton::Primary], &[]) else {
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
