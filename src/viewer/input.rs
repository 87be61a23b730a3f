//! From keys to actions.

use egui::{Event, Key, Modifiers};

use super::action::{Action, COMMANDS, Command};
use super::keys::{self, Bindings};
use super::kind::Kind;

/// What the keys mean that were pressed since the last frame. They are taken out of egui's input, so that they do
/// nothing else. While text is typed, only keys with Ctrl, Cmd or Alt count; while a control has the keyboard, it keeps
/// the keys that work it.
///
/// `over` says whether a sheet lies over everything that Escape puts away; a key may mean something else for another `kind` of
/// content.
pub(crate) fn of_keys(context: &egui::Context, over: bool, kind: Kind) -> Vec<Action> {
    let typing = context.text_edit_focused();
    let focused = context.egui_wants_keyboard_input();
    let popup = egui::Popup::is_any_open(context);
    // Escape has taken the keyboard from a control before we see it, and does no more than that.
    let had_focus: bool = context
        .data(|data| data.get_temp(focus_id()))
        .unwrap_or_default();
    let bindings = keys::installed(context);
    let mut actions = Vec::new();
    context.input_mut(|input| {
        let held = input.modifiers;
        input.events.retain(|event| {
            let Some((key, modifiers, repeat)) = pressed(event, held) else {
                return true;
            };
            let single = !modifiers.any() || modifiers.shift_only();
            let text = single || edits_text(key);
            let works = works_controls(key) || (focused && key == Key::Tab);
            let leaves = key == Key::Escape && had_focus && !over;
            if (typing && text) || (popup && single) || (focused && single && works) || leaves {
                return true;
            }
            let Some(command) = command_of(&bindings, kind, key, modifiers) else {
                return true;
            };
            if command.repeats || !repeat {
                actions.push(command.action.clone());
            }
            false
        });
    });
    if !actions.is_empty() {
        // Tab and the arrows have been taken: they do not go to a control as well.
        context.memory_mut(|memory| memory.move_focus(egui::FocusDirection::None));
    }
    actions
}

/// Remembers whether a control has the keyboard; after the panels are laid out.
pub(crate) fn remember_focus(context: &egui::Context) {
    let focused = context.memory(|memory| memory.focused().is_some());
    context.data_mut(|data| data.insert_temp(focus_id(), focused));
}

fn focus_id() -> egui::Id {
    egui::Id::unique("a control had the keyboard")
}

/// Which key went down, with what, and whether it is held. The clipboard's keys come as what they usually mean.
fn pressed(event: &Event, held: Modifiers) -> Option<(Key, Modifiers, bool)> {
    let clipboard = |key| Some((key, held | Modifiers::COMMAND | Modifiers::CTRL, false));
    match event {
        Event::Key {
            key,
            pressed: true,
            repeat,
            modifiers,
            ..
        } => Some((*key, *modifiers, *repeat)),
        Event::Copy => clipboard(Key::C),
        Event::Cut => clipboard(Key::X),
        Event::Paste(_) | Event::PasteImage(_) => clipboard(Key::V),
        _ => None,
    }
}

/// Keys that with Ctrl do something to the text that is typed.
fn edits_text(key: Key) -> bool {
    matches!(
        key,
        Key::A
            | Key::C
            | Key::V
            | Key::X
            | Key::Z
            | Key::Y
            | Key::Backspace
            | Key::Delete
            | Key::Home
            | Key::End
            | Key::ArrowLeft
            | Key::ArrowRight
            | Key::ArrowUp
            | Key::ArrowDown
    )
}

/// Keys by which a focused control is used.
fn works_controls(key: Key) -> bool {
    matches!(
        key,
        Key::Space
            | Key::Enter
            | Key::Escape
            | Key::ArrowLeft
            | Key::ArrowRight
            | Key::ArrowUp
            | Key::ArrowDown
            | Key::Home
            | Key::End
    )
}

/// What a key does.
fn command_of(
    bindings: &Bindings,
    kind: Kind,
    key: Key,
    modifiers: Modifiers,
) -> Option<&'static Command> {
    let of = |modifiers: Modifiers| {
        let does = |keys: &[egui::KeyboardShortcut]| {
            keys.iter()
                .any(|at| at.logical_key == key && matches(modifiers, at.modifiers))
        };
        COMMANDS
            .iter()
            .filter(|command| command.action.concerns(kind))
            .find(|command| does(bindings.of(command.id)))
    };
    // Which signs lie behind Shift depends on the keyboard.
    let without_shift = Modifiers {
        shift: false,
        ..modifiers
    };
    of(modifiers).or_else(|| of(without_shift).filter(|_| modifiers.shift && is_sign(key)))
}

pub(super) fn matches(pressed: Modifiers, wanted: Modifiers) -> bool {
    if wanted.any() {
        pressed.matches_exact(wanted)
    } else {
        !pressed.any()
    }
}

/// Signs, and digits, which lie behind Shift on some keyboards.
fn is_sign(key: Key) -> bool {
    matches!(
        key,
        Key::Questionmark
            | Key::Exclamationmark
            | Key::Plus
            | Key::Equals
            | Key::Minus
            | Key::Period
            | Key::Comma
            | Key::Colon
            | Key::Semicolon
            | Key::Slash
            | Key::OpenBracket
            | Key::CloseBracket
            | Key::OpenCurlyBracket
            | Key::CloseCurlyBracket
            | Key::Num0
            | Key::Num1
            | Key::Num2
            | Key::Num3
            | Key::Num4
            | Key::Num5
            | Key::Num6
            | Key::Num7
            | Key::Num8
            | Key::Num9
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(key: Key, modifiers: Modifiers, pressed: bool) -> Event {
        Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers,
        }
    }

    /// A key that is pressed, and let go or held.
    fn press(key: Key, modifiers: Modifiers, held: bool) -> egui::RawInput {
        let mut events = vec![event(key, modifiers, true)];
        if !held {
            events.push(event(key, modifiers, false));
        }
        egui::RawInput {
            events,
            ..Default::default()
        }
    }

    fn names(
        context: &egui::Context,
        input: egui::RawInput,
        text: &mut String,
    ) -> Vec<&'static str> {
        let mut actions = Vec::new();
        let output = context.run_ui(input, |ui| {
            actions.extend(of_keys(ui.ctx(), false, Kind::default()));
            let field = ui.text_edit_singleline(text);
            if text == "typing" {
                field.request_focus();
            }
        });
        output.drop_without_applying_deltas();
        actions.iter().map(Action::name).collect()
    }

    fn context() -> egui::Context {
        let context = egui::Context::default();
        super::super::theme::install(&context);
        context
    }

    #[test]
    fn a_key_does_its_action_and_holding_it_only_where_that_is_meant() {
        let context = context();
        let mut text = String::new();
        let mut press =
            |key, modifiers, held| names(&context, press(key, modifiers, held), &mut text);
        assert_eq!(press(Key::Space, Modifiers::NONE, true), ["Play or pause"]);
        assert_eq!(press(Key::Space, Modifiers::NONE, true), [""; 0]);
        assert_eq!(press(Key::Period, Modifiers::NONE, true), ["Step forward"]);
        assert_eq!(press(Key::Period, Modifiers::NONE, true), ["Step forward"]);
        assert_eq!(press(Key::F, Modifiers::SHIFT, false), [""; 0]);
        assert_eq!(press(Key::Q, Modifiers::NONE, false), [""; 0]);
        assert_eq!(
            press(Key::Q, Modifiers::CTRL | Modifiers::COMMAND, false),
            ["Quit"]
        );
    }

    #[test]
    fn a_sign_counts_whether_or_not_it_lies_behind_shift() {
        let context = context();
        let mut text = String::new();
        for modifiers in [Modifiers::NONE, Modifiers::SHIFT] {
            for (key, name) in [
                (Key::OpenCurlyBracket, "Start the section here"),
                (Key::CloseCurlyBracket, "End the section here"),
                (Key::Questionmark, "All keys"),
                (Key::Plus, "Zoom in"),
            ] {
                let pressed = press(key, modifiers, false);
                assert_eq!(names(&context, pressed, &mut text), [name], "{modifiers:?}");
            }
        }
    }

    #[test]
    fn signs_do_the_same_whether_or_not_they_lie_behind_shift() {
        let context = context();
        let mut text = String::new();
        let mut press = |key, modifiers| names(&context, press(key, modifiers, false), &mut text);
        for modifiers in [Modifiers::NONE, Modifiers::SHIFT] {
            let start = press(Key::OpenCurlyBracket, modifiers);
            assert_eq!(start, ["Start the section here"]);
            assert_eq!(press(Key::Questionmark, modifiers), ["All keys"]);
            assert_eq!(press(Key::Plus, modifiers), ["Zoom in"]);
            assert_eq!(press(Key::Period, modifiers), ["Step forward"]);
        }
        // A key that is bound with Shift is not taken for the one without.
        assert_eq!(press(Key::OpenBracket, Modifiers::NONE), ["Slower"]);
        let shifted = press(Key::OpenBracket, Modifiers::SHIFT);
        assert_eq!(shifted, ["Start the section here"]);
        assert_eq!(press(Key::B, Modifiers::SHIFT), ["Bone names"]);
    }

    #[test]
    fn no_single_key_acts_while_text_is_typed() {
        let context = context();
        let mut text = "typing".to_owned();
        let _ = names(&context, egui::RawInput::default(), &mut text);
        assert_eq!(
            names(&context, press(Key::F, Modifiers::NONE, false), &mut text),
            [""; 0]
        );
        assert_eq!(
            names(
                &context,
                press(Key::Space, Modifiers::NONE, false),
                &mut text
            ),
            [""; 0]
        );
        let quit = press(Key::Q, Modifiers::CTRL | Modifiers::COMMAND, false);
        assert_eq!(names(&context, quit, &mut text), ["Quit"]);
    }
}
