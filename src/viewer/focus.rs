//! Controls that have the keyboard focus: their reading order, the way from one to the next, and the ring around the one that has it.
//!
//! Panels say where they lie while they are laid out; Tab goes through what was laid out last.

use egui::{
    Context, Id, Key, LayerId, Popup, Rect, Stroke, StrokeKind, Ui, WidgetRect, WidgetRects,
};

use super::{focus_tip, theme};

/// Part of the window, in reading order: its controls follow those of the parts before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Tools,
    Page,
    Strip,
    Picture,
    Side,
    /// Within the side panel.
    Details,
    TimeLine,
    /// Under the timeline.
    Curves,
    Status,
}

/// Number of parts.
const PARTS: usize = 9;
/// Maximum nesting of parts.
const DEEPEST: usize = 64;
/// Maximum number of lists at a time.
const LISTS: usize = 2;
/// Maximum number of contents that scroll at a time.
const SCROLLED: usize = 4;
/// Maximum number of borders that keys move.
const BORDERS: usize = 4;
/// Maximum number of columns of a menu.
const COLUMNS: usize = 2;

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
    /// The title of a card: arrows move it, with Shift they resize it, + and − zoom its content, Home resets it.
    Card,
    /// A button of a card: + and − zoom what is in the card.
    InCard,
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
            Self::Card => is_along || is_across || is_zoom || key == Key::Home,
            Self::InCard => is_press || is_zoom,
            Self::Edge => is_along || is_across || key == Key::Enter,
            Self::Scroll => is_across || is_end || matches!(key, Key::PageUp | Key::PageDown),
        };
        is_used || key == Key::Escape
    }

    /// The same for a key with Shift: signs lie behind it on some keyboards, and arrows resize a card.
    pub(crate) fn takes_shifted(self, key: Key) -> bool {
        let is_arrow = matches!(
            key,
            Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown
        );
        match self {
            Self::Card if is_arrow => true,
            Self::Card | Self::InCard => {
                matches!(key, Key::Plus | Key::Equals | Key::Minus) && self.takes(key)
            }
            Self::Press | Self::Rows | Self::Frames | Self::Edge | Self::Scroll => false,
        }
    }
}

/// Places of the controls that were laid out.
#[derive(Clone, Copy, Debug)]
struct Layout {
    parts: [Rect; PARTS],
    /// Lists with their layers, and the row of each at which Tab stops.
    lists: [Option<(LayerId, Rect, Rect)>; LISTS],
    /// The layer that has the keyboard focus for itself.
    owner: Option<LayerId>,
    /// The control that has the keyboard focus, and its keys.
    uses: Option<(Id, Uses)>,
    /// Content that scrolls, whose controls are stops out of sight, too.
    scroll: [Option<Id>; SCROLLED],
    /// Borders that keys move.
    borders: [Option<Id>; BORDERS],
    /// Content that keys scroll.
    scroller: [Option<Id>; SCROLLED],
    /// Columns of an open menu, from left to right.
    columns: [Rect; COLUMNS],
    /// The control that had the keyboard focus when the frame began.
    had: Option<Id>,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            parts: [Rect::NOTHING; PARTS],
            lists: [None; LISTS],
            owner: None,
            uses: None,
            scroll: [None; SCROLLED],
            borders: [None; BORDERS],
            scroller: [None; SCROLLED],
            columns: [Rect::NOTHING; COLUMNS],
            had: None,
        }
    }
}

/// Places of the controls laid out so far, and of those in the frame before.
#[derive(Clone, Copy, Debug, Default)]
struct Layouts {
    now: Layout,
    before: Layout,
    /// The control that had the keyboard focus last: Tab goes on from there, even if it is gone.
    last: Option<Stop>,
    /// The control that had the keyboard focus when a popup opened or a question came.
    opener: Option<Id>,
    /// True if one was there at the end of the last frame.
    popup: bool,
}

fn edit(context: &Context, with: impl FnOnce(&mut Layouts)) {
    let id = Id::unique("reading order");
    context.data_mut(|data| with(data.get_temp_mut_or_default(id)));
}

fn before(context: &Context) -> Layout {
    let mut found = Layout::default();
    edit(context, |layouts| found = layouts.before);
    found
}

/// Begins a frame: the layout recorded so far applies from now on.
pub(crate) fn begin(context: &Context) {
    focus_tip::begin(context);
    let had = context.memory(|memory| memory.focused());
    let control = context.viewport(|viewport| {
        had.and_then(|id| viewport.prev_pass.widgets.get(id))
            .copied()
    });
    let popup = Popup::is_any_open(context);
    let is_pressed = context.input(|input| input.pointer.any_pressed());
    edit(context, |layouts| {
        layouts.before = std::mem::take(&mut layouts.now);
        layouts.now.had = had;
        if is_pressed {
            layouts.last = None;
        }
        let is_over = popup || layouts.before.owner.is_some();
        if let Some(control) = control.filter(|_| !is_over) {
            let is_hidden = !control.interact_rect.is_positive();
            layouts.last = Some(Stop::new(&control, is_hidden, &layouts.before));
        }
        if !is_over {
            layouts.opener = had;
        }
    });
}

/// Leaves the keyboard with a control that was just disabled, where keys do nothing but Tab goes on, and gives it back to
/// the control that opened a popup which was closed. To be called once all is laid out.
pub(crate) fn keep(context: &Context) {
    give_back(context);
    let mut had = None;
    edit(context, |layouts| had = layouts.now.had);
    let is_lost = context.memory(|memory| memory.focused().is_none());
    let is_given_up = context.input(|input| input.pointer.any_pressed());
    let Some(had) = had.filter(|_| is_lost && !is_given_up) else {
        return;
    };
    let is_disabled = context.viewport(|viewport| {
        let control = viewport.this_pass.widgets.get(had);
        control.is_some_and(|control| !control.enabled && control.visible)
    });
    if is_disabled {
        context.memory_mut(|memory| memory.request_focus(had));
    }
}

/// Gives the keyboard back to the control that had it when a popup opened or a question came, if that is gone and nothing else
/// has it.
fn give_back(context: &Context) {
    let popup = Popup::is_any_open(context);
    let mut opener = None;
    edit(context, |layouts| {
        let popup = popup || layouts.now.owner.is_some();
        let was_open = std::mem::replace(&mut layouts.popup, popup);
        opener = layouts.opener.filter(|_| was_open && !popup);
    });
    let focused = context.memory(|memory| memory.focused());
    // An answer that was given is no longer laid out.
    let is_free = context.viewport(|viewport| {
        focused.is_none_or(|id| {
            let was_there = viewport.prev_pass.widgets.contains(id);
            was_there && !viewport.this_pass.widgets.contains(id)
        })
    });
    let is_pointer =
        context.input(|input| input.pointer.any_pressed() || input.pointer.any_released());
    let Some(opener) = opener.filter(|_| is_free && !is_pointer) else {
        return;
    };
    if context.viewport(|viewport| viewport.this_pass.widgets.contains(opener)) {
        context.memory_mut(|memory| memory.request_focus(opener));
    }
}

/// Says where a part of the window lies.
pub(crate) fn part(context: &Context, part: Part, rect: Rect) {
    edit(context, |layouts| {
        if let Some(place) = layouts.now.parts.get_mut(part as usize) {
            *place = rect;
        }
    });
}

/// Says where a list lies, and the row of it at which Tab stops: it passes by the others.
pub(crate) fn list(ui: &Ui, list: Rect, row: Rect) {
    let layer = ui.layer_id();
    edit(ui.ctx(), |layouts| {
        let free = layouts.now.lists.iter_mut().find(|place| place.is_none());
        if let Some(place) = free {
            *place = Some((layer, list, row));
        }
    });
}

/// Lets Tab stop at all controls of what scrolls, and brings the one that has the keyboard focus into sight. To be called at the end of the content.
pub(crate) fn scroll(ui: &Ui) {
    let (context, content) = (ui.ctx(), ui.unique_id());
    edit(context, |layouts| put(&mut layouts.now.scroll, content));
    let focused = context.memory(|memory| memory.focused());
    let id = Id::unique(("control with the keyboard in what scrolls", content));
    let before: Option<Id> = context
        .data(|data| data.get_temp::<Option<Id>>(id))
        .flatten();
    if focused == before {
        return;
    }
    context.data_mut(|data| data.insert_temp(id, focused));
    let place = context.viewport(|viewport| {
        let widgets = &viewport.this_pass.widgets;
        let widget = focused.and_then(|id| widgets.get(id));
        widget
            .filter(|widget| is_within(widgets, widget, content))
            .map(|widget| widget.rect)
    });
    if let Some(place) = place {
        let none = egui::style::ScrollAnimation::none();
        ui.scroll_to_rect_animation(place.expand(4.0), None, none);
    }
}

/// Returns true for a control within a part of the window.
fn is_within(widgets: &WidgetRects, widget: &WidgetRect, part: Id) -> bool {
    let mut at = *widget;
    for _ in 0..DEEPEST {
        if at.parent_id == part {
            return true;
        }
        match widgets.get(at.parent_id) {
            Some(parent) if parent.id != at.id => at = *parent,
            _ => return false,
        }
    }
    false
}

/// Puts an id in the first free place.
fn put(places: &mut [Option<Id>], id: Id) {
    if let Some(place) = places.iter_mut().find(|place| place.is_none()) {
        *place = Some(id);
    }
}

/// Says that keys move a border.
pub(crate) fn border(context: &Context, id: Id) {
    edit(context, |layouts| put(&mut layouts.now.borders, id));
}

/// Says that keys scroll some content. Tab stops at it.
pub(crate) fn scroller(context: &Context, id: Id) {
    edit(context, |layouts| put(&mut layouts.now.scroller, id));
}

/// Says where a column of an open menu lies: Tab goes through it before the next one.
pub(crate) fn column(context: &Context, rect: Rect) {
    edit(context, |layouts| {
        let mut columns = layouts.now.columns.iter_mut();
        if let Some(column) = columns.find(|column| !column.is_positive()) {
            *column = rect;
        }
    });
}

/// Gives the keyboard to a layer for itself.
pub(crate) fn own(ui: &Ui) {
    edit(ui.ctx(), |layouts| layouts.now.owner = Some(ui.layer_id()));
}

/// Returns true if a layer has the keyboard focus for itself, and its controls can be seen.
pub(crate) fn is_owned(context: &Context) -> bool {
    before(context).owner.is_some() && !stops(context).is_empty()
}

/// Says which keys a control uses while it has the keyboard focus.
pub(crate) fn uses(context: &Context, id: Id, uses: Uses) {
    if context.memory(|memory| memory.has_focus(id)) {
        edit(context, |layouts| layouts.now.uses = Some((id, uses)));
    }
}

/// Keys of the control that has the keyboard focus; `None` if none has it.
pub(crate) fn used(context: &Context) -> Option<Uses> {
    let focused = context.memory(|memory| memory.focused())?;
    let known = before(context).uses.filter(|(id, _)| *id == focused);
    Some(known.map_or(Uses::default(), |(_, uses)| uses))
}

/// Returns true if the control that has the keyboard focus lies in a card over the picture.
pub(crate) fn in_card(context: &Context) -> bool {
    let focused = context.memory(|memory| memory.focused());
    context.viewport(|viewport| {
        let control = focused.and_then(|id| viewport.prev_pass.widgets.get(id));
        control.is_some_and(|control| is_in_card(control.layer_id))
    })
}

/// Returns true for the layer of a card.
fn is_in_card(layer: LayerId) -> bool {
    layer.order == egui::Order::Middle
}

/// Gives the keyboard to the next control in reading order, or to the one before; from the last one to the first.
pub(crate) fn step(context: &Context, forward: bool) {
    let stops = stops(context);
    let focused = context.memory(|memory| memory.focused());
    let at = stops.iter().position(|stop| Some(stop.id) == focused);
    let last = stops.len().saturating_sub(1);
    let next = match (at, forward) {
        (Some(at), true) if at < last => at.saturating_add(1),
        (Some(at), false) => at.checked_sub(1).unwrap_or(last),
        (Some(_), true) => 0,
        (None, _) => from_last(context, &stops, forward),
    };
    if let Some(stop) = stops.get(next) {
        context.memory_mut(|memory| memory.request_focus(stop.id));
        focus_tip::arrived(context, stop.id);
    }
}

/// Returns the stop to go to while no control has the keyboard focus: beside the one that had it last.
fn from_last(context: &Context, stops: &[Stop], forward: bool) -> usize {
    let end = stops.len().saturating_sub(1);
    let popup = Popup::is_any_open(context);
    let mut known = None;
    edit(context, |layouts| {
        let is_whole = layouts.before.owner.is_none() && !popup;
        known = layouts.last.filter(|_| is_whole);
    });
    let Some(known) = known else {
        return if forward { 0 } else { end };
    };
    let at = stops.iter().position(|stop| stop.id == known.id);
    // A control that no longer exists was before the next remaining stop.
    let after = || stops.iter().position(|stop| stop.order(&known).is_ge());
    match (at, forward) {
        (Some(at), true) if at < end => at.saturating_add(1),
        (Some(_), true) => 0,
        (Some(at), false) => at.checked_sub(1).unwrap_or(end),
        (None, true) => after().unwrap_or(0),
        (None, false) => after().unwrap_or(0).checked_sub(1).unwrap_or(end),
    }
}

/// A control at which Tab stops.
#[derive(Clone, Copy, Debug)]
struct Stop {
    id: Id,
    part: usize,
    rect: Rect,
}

/// The controls of the frame before, in reading order.
fn stops(context: &Context) -> Vec<Stop> {
    let layout = before(context);
    let popup = Popup::is_any_open(context);
    let focused = context.memory(|memory| memory.focused());
    let mut stops: Vec<Stop> = context.viewport(|viewport| {
        let widgets = &viewport.prev_pass.widgets;
        let scrolls = |widget: &WidgetRect| {
            let is_within = |content| is_within(widgets, widget, content);
            layout.scroll.into_iter().flatten().any(is_within)
        };
        let all = widgets.layers().flat_map(|(_, widgets)| widgets);
        let stops = all.filter_map(|widget| {
            let is_hidden = !widget.interact_rect.is_positive() && scrolls(widget);
            let is_rest = !widget.enabled && widget.visible && Some(widget.id) == focused;
            let is_wanted = is_rest || is_stop(widget, is_hidden, &layout, popup);
            is_wanted.then(|| Stop::new(widget, is_hidden, &layout))
        });
        stops.collect()
    });
    // egui lists layers in no particular order.
    stops.sort_by(Stop::order);
    // Controls whose centres are side by side form a line, from left to right.
    let mut lines = stops.as_mut_slice();
    while let Some(first) = lines.first().copied() {
        let is_beside = |stop: &Stop| {
            let reach = first.rect.height().min(stop.rect.height()) / 2.0;
            stop.part == first.part && stop.rect.center().y - first.rect.center().y <= reach
        };
        let count = lines.iter().take_while(|stop| is_beside(stop)).count();
        let Some((line, rest)) = lines.split_at_mut_checked(count.max(1)) else {
            break;
        };
        line.sort_by(|a, b| a.rect.left().total_cmp(&b.rect.left()));
        lines = rest;
    }
    stops
}

impl Stop {
    /// Order by part, then from top to bottom, then from left to right.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let [a, b] = [self, other].map(|stop| (stop.part, stop.rect.center().y, stop.rect.left()));
        a.0.cmp(&b.0)
            .then(a.1.total_cmp(&b.1))
            .then(a.2.total_cmp(&b.2))
    }

    fn new(widget: &WidgetRect, is_hidden: bool, layout: &Layout) -> Self {
        let is_menu = widget.layer_id.order == egui::Order::Foreground;
        let middle = match is_hidden {
            true => widget.rect.center(),
            false => widget.interact_rect.center(),
        };
        let holds = |part: &Rect| part.contains(middle);
        // A part within another comes after it. A menu lies over several, and has parts of its own.
        let part = match is_menu {
            true => layout.columns.iter().position(holds),
            false => layout.parts.iter().rposition(holds),
        };
        let is_scroller = layout.scroller.contains(&Some(widget.id));
        let is_border = layout.borders.contains(&Some(widget.id));
        Self {
            id: widget.id,
            part: match is_hidden && !is_menu {
                true => Part::Details as usize,
                false => part.unwrap_or(PARTS),
            },
            rect: match is_scroller || is_border {
                true => widget.rect.with_max_y(widget.rect.top() + 1.0), // before what is in it
                false => widget.rect,
            },
        }
    }
}

fn is_stop(widget: &WidgetRect, is_hidden: bool, layout: &Layout, popup: bool) -> bool {
    let is_used = layout.uses.is_some_and(|(id, _)| id == widget.id);
    let is_there = widget.interact_rect.is_positive() || is_hidden;
    let is_scroller = layout.scroller.contains(&Some(widget.id));
    let is_seen = (widget.sense.senses_click() || is_scroller) && is_there;
    let is_control =
        widget.enabled && widget.visible && widget.sense.is_focusable() && (is_seen || is_used);
    let is_reachable = match layout.owner {
        Some(owner) => widget.layer_id == owner,
        None => !popup || widget.layer_id.order == egui::Order::Foreground,
    };
    let is_border = layout.borders.contains(&Some(widget.id));
    let is_passed = !is_hidden
        && !is_scroller
        && layout.lists.iter().flatten().any(|(layer, list, row)| {
            let middle = widget.interact_rect.center();
            let is_in = *layer == widget.layer_id && list.contains(middle);
            is_in && !row.contains(middle) && !is_used && !is_border
        });
    let is_thin = is_edge_of_panel(widget.rect) && !is_border;
    is_control && is_reachable && !is_passed && !is_thin
}

/// Logical pixels of the edge of a panel, which the pointer drags.
const EDGE: f32 = 10.5;

/// Returns true for a rectangle too thin to be a control.
fn is_edge_of_panel(rect: Rect) -> bool {
    rect.size().min_elem() < EDGE && rect.size().max_elem() > 100.0
}

/// Draws a ring around the control that has the keyboard focus, above everything in its layer.
pub(crate) fn ring(ui: &Ui) {
    let context = ui.ctx();
    let focused = context.memory(|memory| memory.focused());
    let Some(control) = focused.and_then(|id| context.read_response(id)) else {
        return;
    };
    let seen = control.interact_rect;
    // In its first pass, a control may only be measured.
    let is_seen = context.viewport(|viewport| {
        let control = viewport.this_pass.widgets.get(control.id);
        control.is_some_and(|control| control.visible && control.interact_rect.is_positive())
    });
    if !context.input(|input| input.focused) || !is_seen {
        return;
    }
    let colors = theme::of(ui);
    let painter = context.layer_painter(control.layer_id);
    let mut uses = Uses::default();
    edit(context, |layouts| {
        uses = layouts.now.uses.map_or(uses, |(_, uses)| uses);
    });
    // A row goes from edge to edge and may be chosen: there the accent would not stand out.
    let (rect, color) = match uses {
        Uses::Rows => (seen, colors.text_strong),
        // In a card it lies beside the first letters, not on them.
        Uses::Scroll if is_in_card(control.layer_id) => (seen.expand(5.0), colors.accent),
        Uses::Scroll => (seen, colors.accent),
        Uses::Press | Uses::Frames | Uses::Card | Uses::InCard | Uses::Edge => {
            (seen.expand(2.0), colors.accent)
        }
    };
    let stroke = Stroke::new(colors.ring, color);
    painter.rect_stroke(rect, 5.0, stroke, StrokeKind::Inside);
}
