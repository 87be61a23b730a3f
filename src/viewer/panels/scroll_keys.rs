//! Keys that scroll: arrows, Page Up, Page Down, Home and End.

use egui::{Key, Modifiers, Ui};

/// Logical pixels that an arrow scrolls.
const STEP: f32 = 40.0;
/// Farther than any content is long.
const FAR: f32 = 1e5;

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
