//! From the window's events to actions.

use egui::{Key, KeyboardShortcut, Modifiers};
use winit::event::WindowEvent;

use crate::viewer::action::{Action, FileAction};
use crate::viewer::input::matches;
use crate::viewer::keys::Bindings;

/// Action of an event of the window itself.
pub(crate) fn of_window(event: &WindowEvent) -> Option<Action> {
    match event {
        WindowEvent::CloseRequested => Some(Action::Quit),
        WindowEvent::HoveredFile(path) => {
            Some(Action::Files(FileAction::Hover(Some(path.clone()))))
        }
        WindowEvent::HoveredFileCancelled => Some(Action::Files(FileAction::Hover(None))),
        _ => None,
    }
}

/// Returns true if an event is the key that opens the clipboard's paths, and nobody is typing.
pub(crate) fn pastes_files(
    context: &egui::Context,
    bindings: &Bindings,
    event: &WindowEvent,
) -> bool {
    let WindowEvent::KeyboardInput {
        event,
        is_synthetic: false,
        ..
    } = event
    else {
        return false;
    };
    let is_v = matches!(&event.logical_key, winit::keyboard::Key::Character(key) if key.eq_ignore_ascii_case("v"));
    let pressed = is_v && event.state.is_pressed() && !event.repeat;
    let held = context.input(|input| input.modifiers);
    let paste = KeyboardShortcut::new(Modifiers::COMMAND, Key::V);
    pressed
        && matches(held, paste.modifiers)
        && bindings.of("paste-path").contains(&paste)
        && !context.text_edit_focused()
}
