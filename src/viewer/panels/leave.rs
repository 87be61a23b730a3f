//! Escape in a card: it closes the card, and the keyboard goes back to the control that had it before.

use egui::{Context, Id, Key, LayerId};

/// Control that has the keyboard focus.
#[derive(Clone, Copy, Debug, Default)]
struct Focus {
    /// True if it is in the card.
    is_inside: bool,
    /// The last one outside the card.
    outside: Option<Id>,
}

/// Returns true if Escape was pressed in a card, which is a separate layer. Must be called in every frame in which the
/// card is shown.
pub(super) fn is_left(context: &Context, card: LayerId) -> bool {
    let id = Id::unique(("keyboard in a card", card.id));
    let known: Option<Focus> = context.data(|data| data.get_temp(id));
    let mut focus = known.unwrap_or_default();
    let focused = context.memory(|memory| memory.focused());
    let is_escape = context.input(|input| input.key_pressed(Key::Escape));
    if is_escape && focus.is_inside && focused.is_none() {
        context.data_mut(|data| data.remove_temp::<Focus>(id));
        if let Some(outside) = focus.outside {
            context.memory_mut(|memory| memory.request_focus(outside));
        }
        return true;
    }
    let layer = context.viewport(|viewport| {
        let widgets = &viewport.this_pass.widgets;
        let widget = focused.and_then(|id| widgets.get(id));
        widget.map(|widget| widget.layer_id)
    });
    focus.is_inside = layer == Some(card);
    if !focus.is_inside {
        focus.outside = focused;
    }
    context.data_mut(|data| data.insert_temp(id, focus));
    false
}
