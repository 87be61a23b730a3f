//! Keys that scroll: arrows, Page Up, Page Down, Home and End.

use egui::style::ScrollAnimation;
use egui::{Id, Key, Modifiers, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};

use crate::viewer::focus::{self, Uses};

/// Logical pixels that an arrow scrolls.
const STEP: f32 = 40.0;
/// Farther than any content is long.
const FAR: f32 = 1e5;

/// Shows content that scrolls, by keys, too: Tab stops at it where it is longer than its room, and at all of its controls. Returns
/// its id if it is longer.
pub(super) fn show(
    ui: &mut Ui,
    name: &str,
    area: ScrollArea,
    add: impl FnOnce(&mut Ui),
) -> Option<Id> {
    let id = ui.scope_id().with("scrolled by keys");
    let page = id.with("height");
    let by = match ui.memory(|memory| memory.has_focus(id)) {
        true => {
            let height: Option<f32> = ui.data(|data| data.get_temp(page));
            pressed(ui, height.unwrap_or(0.0) - STEP)
        }
        false => 0.0,
    };
    let shown = area.show(ui, |ui| {
        if by != 0.0 {
            ui.scroll_with_delta_animation(vec2(0.0, by), ScrollAnimation::none());
        }
        add(ui);
        focus::scroll(ui);
    });
    let room = shown.inner_rect;
    ui.data_mut(|data| data.insert_temp(page, room.height()));
    let is_longer = shown.content_size.y > room.height() + 1.0;
    if is_longer {
        let response = ui.interact(room, id, Sense::focusable_noninteractive());
        response.widget_info(|| WidgetInfo::labeled(Role::ScrollView, true, name));
        focus::uses(ui.ctx(), id, Uses::Scroll);
    }
    is_longer.then_some(id)
}

/// Returns how far the keys that were pressed scroll, in logical pixels, and takes them out of the input. `page` is the
/// way of Page Up and Page Down.
pub(super) fn pressed(ui: &Ui, page: f32) -> f32 {
    let page = page.max(STEP);
    let ways = [
        (Key::ArrowUp, STEP),
        (Key::ArrowDown, -STEP),
        (Key::PageUp, page),
        (Key::PageDown, -page),
        (Key::Home, FAR),
        (Key::End, -FAR),
    ];
    ui.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        let ways = ways.into_iter().filter(|(key, _)| pressed(*key));
        ways.map(|(_, way)| way).sum()
    })
}
