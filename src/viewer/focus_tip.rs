//! Tooltip of the control that Tab went to: it comes after the usual delay and is gone with the next key.

use core::time::Duration;

use egui::{Context, Event, Id};

/// A control that Tab went to.
#[derive(Clone, Copy, Debug, Default)]
struct Arrival {
    at: Option<Id>,
    /// Time in seconds.
    since: f64,
}

fn arrival() -> Id {
    Id::unique("control that Tab went to")
}

/// Notes that Tab went to a control.
pub(super) fn arrived(context: &Context, id: Id) {
    let here = Arrival {
        at: Some(id),
        since: context.input(|input| input.time),
    };
    context.data_mut(|data| data.insert_temp(arrival(), here));
}

/// Ends the tooltip when a key or a button of the pointer is pressed.
pub(super) fn begin(context: &Context) {
    let is_end = |event: &Event| {
        let is_pressed = matches!(event, Event::Key { pressed: true, .. });
        is_pressed || matches!(event, Event::PointerButton { pressed: true, .. })
    };
    if context.input(|input| input.events.iter().any(is_end)) {
        context.data_mut(|data| data.remove_temp::<Arrival>(arrival()));
    }
}

/// Returns true if the control is to show its tooltip although the pointer is not over it.
pub(crate) fn is_due(context: &Context, id: Id) -> bool {
    if !context.memory(|memory| memory.has_focus(id)) {
        return false;
    }
    let known = context.data(|data| data.get_temp::<Arrival>(arrival()));
    let Some(here) = known.filter(|here| here.at == Some(id)) else {
        return false;
    };
    if !context.input(|input| input.focused) {
        return false;
    }
    let delay = f64::from(context.global_style().interaction.tooltip_delay);
    let left = here.since + delay - context.input(|input| input.time);
    if left > 0.0 {
        context.request_repaint_after(Duration::from_secs_f64(left));
    }
    left <= 0.0
}
