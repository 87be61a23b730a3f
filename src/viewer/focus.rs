//! The control that has the keyboard focus: its keys, the ring around it, its tooltip, and the way back to it.
//!
//! Tab is egui's own: controls follow each other as they are laid out.

use core::time::Duration;

use egui::style::ScrollAnimation;
use egui::{
    Context, Event, Id, Key, LayerId, Order, Popup, Rect, Stroke, StrokeKind, Ui, WidgetRect,
};

use crate::viewer::theme;

/// Keys that a control uses while it has the keyboard focus. All others work as usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Uses {
    /// Space and Enter press it.
    #[default]
    Press,
    /// A row of a list: arrows, Home and End go to others.
    Rows,
    /// Frames from left to right: arrows, Home and End go to others.
    Frames,
    /// A picture in a card: + and − zoom it, Home shows all of it.
    Zoom,
    /// An edge between two parts of a panel: arrows move it, Enter puts it back.
    Edge,
    /// Content that is longer than its room: arrows, Page Up, Page Down, Home and End scroll it.
    Scroll,
}

impl Uses {
    /// Returns true for a key that is the control's while it has the keyboard focus.
    pub(crate) fn takes(self, key: Key) -> bool {
        let is_zoom = matches!(key, Key::Plus | Key::Equals | Key::Minus);
        let is_press = matches!(key, Key::Space | Key::Enter);
        let is_along = matches!(key, Key::ArrowLeft | Key::ArrowRight);
        let is_across = matches!(key, Key::ArrowUp | Key::ArrowDown);
        let is_end = matches!(key, Key::Home | Key::End);
        let is_used = match self {
            Self::Press => is_press,
            Self::Rows => {
                let is_page = matches!(key, Key::PageUp | Key::PageDown);
                is_press || is_along || is_across || is_end || is_page
            }
            Self::Frames => is_along || is_end,
            Self::Zoom => is_zoom || key == Key::Home,
            Self::Edge => is_along || is_across || key == Key::Enter,
            Self::Scroll => is_across || is_end || matches!(key, Key::PageUp | Key::PageDown),
        };
        is_used || key == Key::Escape
    }

    /// The same for a key with Shift: signs lie behind it on some keyboards.
    pub(crate) fn takes_shifted(self, key: Key) -> bool {
        let is_zoom = matches!(key, Key::Plus | Key::Equals | Key::Minus);
        self == Self::Zoom && is_zoom
    }
}

/// Known about the keyboard focus from frame to frame. The state keeps it; during a frame it lies beside egui's own focus.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FocusMemory {
    /// The control that had the keyboard focus at the end of the last frame.
    had: Option<Id>,
    /// Keys of the control that has it.
    uses: Option<(Id, Uses)>,
    /// The control that had it last, and its place: Tab goes on from there, even if it is gone.
    last: Option<(Id, Rect)>,
    /// The control that had it last outside of cards, menus, questions and sheets.
    outside: Option<Id>,
    /// True if a menu, a question or a sheet was open.
    was_over: bool,
    /// The control that Tab went to, and the time in seconds.
    arrived: Option<(Id, f64)>,
    /// True from a press of Tab to that of another key.
    is_tabbing: bool,
}

fn kept(context: &Context) -> FocusMemory {
    context.data(|data| data.get_temp(place())).unwrap_or_default()
}

fn edit(context: &Context, with: impl FnOnce(&mut FocusMemory)) {
    context.data_mut(|data| with(data.get_temp_mut_or_default(place())));
}

fn place() -> Id {
    Id::unique("keyboard focus")
}

fn focused(context: &Context) -> Option<Id> {
    context.memory(|memory| memory.focused())
}

/// Returns a control as it was laid out in the last frame.
fn before(context: &Context, id: Id) -> Option<WidgetRect> {
    context.viewport(|viewport| viewport.prev_pass.widgets.get(id).copied())
}

/// Returns a control as it was laid out in this frame.
fn now(context: &Context, id: Id) -> Option<WidgetRect> {
    context.viewport(|viewport| viewport.this_pass.widgets.get(id).copied())
}

fn can_focus(control: &WidgetRect) -> bool {
    control.enabled && control.sense.is_focusable()
}

/// Recalls what was known at the end of the last frame. To be called first.
pub(crate) fn recall(context: &Context, known: FocusMemory) {
    context.data_mut(|data| data.insert_temp(place(), known));
}

/// Begins a frame, before its keys are read: a key or a button of the pointer ends a tooltip.
pub(crate) fn begin(context: &Context) {
    let is_end = |event: &Event| {
        let is_key = matches!(event, Event::Key { pressed: true, .. });
        is_key || matches!(event, Event::PointerButton { pressed: true, .. })
    };
    if context.input(|input| input.events.iter().any(is_end)) {
        edit(context, |kept| {
            kept.arrived = None;
            kept.is_tabbing = false;
        });
    }
}

/// Lets Tab go on from the control that had the keyboard focus last, or from the nearest one. To be called before Tab is carried out.
pub(crate) fn go_on(context: &Context) {
    edit(context, |kept| kept.is_tabbing = true);
    let Some((last, place)) = kept(context).last.filter(|_| focused(context).is_none()) else {
        return;
    };
    let distance = |control: &WidgetRect| control.rect.center().distance(place.center());
    let nearest = || {
        context.viewport(|viewport| {
            let all = viewport.prev_pass.widgets.layers();
            let all = all.flat_map(|(_, controls)| controls);
            let all = all.filter(|control| can_focus(control));
            let nearest = all.min_by(|a, b| distance(a).total_cmp(&distance(b)));
            nearest.map(|control| control.id)
        })
    };
    let is_there = before(context, last).is_some_and(|control| can_focus(&control));
    if let Some(from) = Some(last).filter(|_| is_there).or_else(nearest) {
        context.memory_mut(|memory| memory.request_focus(from));
    }
}

/// Ends a frame that is laid out: gives the keyboard back to the control that had it before a menu, a question or a sheet which is gone,
/// and draws the ring. `over` is true while a question or a sheet is open. Returns what is to be recalled in the next frame.
pub(crate) fn end(ui: &Ui, over: bool) -> FocusMemory {
    let context = ui.ctx();
    let known = kept(context);
    let over = over || Popup::is_any_open(context);
    let (is_pressed, is_released, time) = context.input(|input| {
        let pointer = &input.pointer;
        (pointer.any_pressed(), pointer.any_released(), input.time)
    });
    let is_pointer = is_pressed || is_released;
    // An answer that was given is no longer laid out.
    let is_free = focused(context).is_none_or(|id| now(context, id).is_none());
    let back = known.outside.filter(|id| now(context, *id).is_some());
    if let Some(back) = back.filter(|_| known.was_over && !over && is_free && !is_pointer) {
        context.memory_mut(|memory| memory.request_focus(back));
    }
    let had = focused(context);
    let control = had.and_then(|id| now(context, id));
    edit(context, |kept| {
        if is_pressed {
            kept.last = None;
        }
        if let Some(control) = control {
            kept.last = Some((control.id, control.rect));
        }
        match control {
            Some(control) if control.layer_id.order == Order::Background => kept.outside = had,
            None if !over && !kept.was_over => kept.outside = None,
            _ => {}
        }
        if had != kept.had && kept.is_tabbing {
            kept.arrived = had.map(|id| (id, time));
        }
        kept.had = had;
        // An entry of a menu that was chosen is laid out once more.
        let is_closing = control.is_some_and(|control| control.layer_id.order == Order::Foreground);
        kept.was_over = over || kept.was_over && is_closing;
    });
    ring(ui);
    kept(context)
}

/// Returns true if Escape was pressed in a card, which is a separate layer and is closed by it. The keyboard goes back to where it was before.
pub(crate) fn leaves(context: &Context, card: LayerId) -> bool {
    let known = kept(context);
    let control = known.had.and_then(|id| before(context, id));
    let is_inside = control.is_some_and(|control| control.layer_id == card);
    let is_escape = context.input(|input| input.key_pressed(Key::Escape));
    let is_left = is_escape && is_inside && focused(context).is_none();
    if let Some(outside) = known.outside.filter(|_| is_left) {
        context.memory_mut(|memory| memory.request_focus(outside));
    }
    is_left
}

/// Brings the control that has got the keyboard focus into sight. To be called at the end of content that scrolls.
pub(crate) fn scroll(ui: &Ui) {
    let context = ui.ctx();
    let focused = focused(context);
    if focused == kept(context).had {
        return;
    }
    let control = focused.and_then(|id| now(context, id));
    let content = ui.min_rect();
    let cut = control.filter(|control| {
        let is_within =
            control.layer_id == ui.layer_id() && content.contains(control.rect.center());
        is_within && !control.interact_rect.contains_rect(control.rect)
    });
    if let Some(control) = cut {
        let at = control.rect.expand(4.0);
        ui.scroll_to_rect_animation(at, None, ScrollAnimation::none());
    }
}

/// Says which keys a control uses while it has the keyboard focus.
pub(crate) fn uses(context: &Context, id: Id, uses: Uses) {
    if context.memory(|memory| memory.has_focus(id)) {
        edit(context, |kept| kept.uses = Some((id, uses)));
    }
}

/// Keys of the control that has the keyboard focus; `None` if none has it.
pub(crate) fn used(context: &Context) -> Option<Uses> {
    let focused = focused(context)?;
    let known = kept(context).uses.filter(|(id, _)| *id == focused);
    Some(known.map_or(Uses::default(), |(_, uses)| uses))
}

/// Returns true if a control had the keyboard focus in the last frame. egui takes it away before Escape is read.
pub(crate) fn was(context: &Context) -> bool {
    kept(context).had.is_some()
}

/// Returns true if the control that has the keyboard focus lies in a card over the picture.
pub(crate) fn in_card(context: &Context) -> bool {
    let control = focused(context).and_then(|id| before(context, id));
    control.is_some_and(|control| is_in_card(control.layer_id))
}

/// Returns true for the layer of a card.
fn is_in_card(layer: LayerId) -> bool {
    layer.order == Order::Middle
}

/// Returns true if a control is to show its tooltip, since Tab went to it a while ago.
pub(crate) fn is_tip_due(context: &Context, id: Id) -> bool {
    let arrived = kept(context).arrived.filter(|(at, _)| *at == id);
    let is_here = context.memory(|memory| memory.has_focus(id));
    let Some((_, since)) = arrived.filter(|_| is_here && context.input(|input| input.focused))
    else {
        return false;
    };
    let delay = f64::from(context.global_style().interaction.tooltip_delay);
    let left = since + delay - context.input(|input| input.time);
    if left > 0.0 {
        context.request_repaint_after(Duration::from_secs_f64(left));
    }
    left <= 0.0
}

/// Draws a ring around the control that has the keyboard focus, above everything in its layer.
fn ring(ui: &Ui) {
    let context = ui.ctx();
    let Some(control) = focused(context).and_then(|id| now(context, id)) else { return };
    let seen = control.interact_rect;
    // In its first pass, a control may only be measured.
    let is_seen = control.visible && seen.is_positive();
    if !context.input(|input| input.focused) || !is_seen {
        return;
    }
    let colors = theme::of(ui);
    let painter = context.layer_painter(control.layer_id);
    let uses = used(context).unwrap_or_default();
    // A row goes from edge to edge and may be chosen: there the accent would not stand out.
    let (rect, color) = match uses {
        Uses::Rows => (seen, colors.text_strong),
        // In a card it lies beside the first letters, not on them.
        Uses::Scroll if is_in_card(control.layer_id) => (seen.expand(5.0), colors.accent),
        Uses::Scroll => (seen, colors.accent),
        Uses::Press | Uses::Frames | Uses::Zoom | Uses::Edge => (seen.expand(2.0), colors.accent),
    };
    let stroke = Stroke::new(colors.ring, color);
    painter.rect_stroke(rect, 5.0, stroke, StrokeKind::Inside);
}
