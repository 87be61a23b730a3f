//! Translation of keys into actions, and what lies over the window and has the keyboard focus.

use std::sync::Arc;

use egui::{Event, FocusDirection, Key, Modifiers};

use pchr::document::MeshId;

use crate::viewer::action::{
    Action, COMMANDS, CameraAction, Command, ExportAction, LookAction, PartAction,
};
use crate::viewer::kept::{MESHES, row_id};
use crate::viewer::keyboard::focus::Uses;
use crate::viewer::keyboard::{self, focus};
use crate::viewer::settings::rebound_keys;
use crate::viewer::settings::rebound_keys::Bindings;
use crate::viewer::state::State;
use crate::viewer::switch::{ContentKind, Switch};

/// Returns the actions of the keys pressed since the last frame. Removes the keys from egui's input, so that they do
/// nothing else. While text is typed, only keys with Ctrl, Cmd or Alt count. While a control has the keyboard focus, it keeps
/// the keys that work it. Tab goes to the next control, unless it is bound to something else.
///
/// `over` lies over the window and has the keyboard focus. A key may mean something else for another `kind` of content. Keys that
/// hide or isolate the selected mesh select that of the `row` with the focus first.
pub(crate) fn of_keys(
    context: &egui::Context,
    over: Option<Over>,
    kind: ContentKind,
    row: Option<MeshId>,
) -> Vec<Action> {
    focus::begin(context);
    if let Some(Over::Sheet(_)) = over {
        // Before the first control of the layout reads the typed text.
        context.memory_mut(|memory| memory.request_focus(search_id()));
    }
    let keyboard = Keyboard {
        over,
        typing: matches!(over, Some(Over::Sheet(_))) || context.text_edit_focused(),
        uses: focus::used(context),
        in_card: focus::in_card(context),
        popup: egui::Popup::is_any_open(context),
        had_focus: focus::was(context),
        bindings: rebound_keys::installed(context),
        kind,
    };
    let mut actions = Vec::new();
    let mut step = None;
    let mut is_going = false;
    let mut is_leaving = false;
    context.input_mut(|input| {
        let held = input.modifiers;
        let mut is_command = false;
        input.events.retain(|event| {
            let Some((key, modifiers, repeat)) = pressed(event, held) else {
                // The sign of a key that opens a sheet is not searched for.
                return !(is_command && matches!(event, Event::Text(_)));
            };
            match keyboard.meaning(key, modifiers, repeat) {
                KeyMeaning::Unknown | KeyMeaning::Control => return true,
                KeyMeaning::Nothing => {}
                KeyMeaning::Step(forward) => step = Some(forward),
                KeyMeaning::Command(command) => {
                    is_command = true;
                    is_going |= matches!(command.action, Action::Looking(LookAction::GoTo(_)));
                    is_leaving |= matches!(command.action, Action::Files(_));
                    if command.repeats || !repeat {
                        let is_of_row = matches!(
                            command.action,
                            Action::Parts(PartAction::ToggleChosen | PartAction::SoloChosen)
                        );
                        let row = row.filter(|_| is_of_row);
                        let choose = |mesh| Action::Parts(PartAction::ChooseMesh(Some(mesh)));
                        actions.extend(row.map(choose));
                        actions.push(command.action.clone());
                    }
                }
            }
            false
        });
    });
    if step.is_some() {
        focus::go_on(context);
    }
    if is_going {
        keyboard::hold(context);
    }
    if is_leaving {
        egui::Popup::close_all(context); // menus of another file
    }
    // The arrows do not go to a control as well.
    let way = match step {
        Some(true) => FocusDirection::Next,
        Some(false) => FocusDirection::Previous,
        None => FocusDirection::None,
    };
    context.memory_mut(|memory| memory.move_focus(way));
    actions
}

/// Returns the mesh whose row has the focus.
pub(crate) fn focused_mesh(context: &egui::Context, state: &State) -> Option<MeshId> {
    let focused = context.memory(|memory| memory.focused());
    let list = state.kept().lists.get(MESHES)?;
    let row = list.focused?;
    let mesh = u16::try_from(row).ok().map(MeshId);
    mesh.filter(|_| focused == Some(row_id(MESHES, row)))
}

/// Owner of the keyboard, and the bindings of its keys.
#[derive(Debug)]
struct Keyboard {
    over: Option<Over>,
    /// True while text is typed.
    typing: bool,
    /// Keys of the control that has the keyboard focus.
    uses: Option<Uses>,
    /// True if that lies in a card over the picture.
    in_card: bool,
    /// True while a menu is open.
    popup: bool,
    had_focus: bool,
    bindings: Arc<Bindings>,
    kind: ContentKind,
}

/// Effect of a key that went down.
#[derive(Debug)]
enum KeyMeaning {
    /// The key belongs to the control that has the keyboard focus.
    Control,
    /// Goes to the next control (true) or to the previous one.
    Step(bool),
    Command(&'static Command),
    /// Does nothing, and no control receives it.
    Nothing,
    /// The program does not know the key.
    Unknown,
}

impl Keyboard {
    fn meaning(&self, key: Key, modifiers: Modifiers, repeat: bool) -> KeyMeaning {
        let is_function = (Key::F1..=Key::F35).contains(&key); // of no use in a menu or while text is typed
        let single = (!modifiers.any() || modifiers.shift_only()) && !is_function;
        if self.over == Some(Over::Question) && single && key != Key::Escape {
            return of_question(key, repeat);
        }
        let command = command_of(&self.bindings, self.kind, key, modifiers);
        if self.over == Some(Over::Dialog) {
            return self.of_dialog(key, modifiers, command);
        }
        if key == Key::Tab && single && command.is_none() {
            return match self.over {
                Some(_) => KeyMeaning::Nothing,
                None => KeyMeaning::Step(!modifiers.shift),
            };
        }
        // What is open over the window keeps the keyboard.
        let is_behind_it = command.is_some_and(|command| {
            let goes = matches!(command.action, Action::Looking(LookAction::GoTo(_)));
            goes && matches!(self.over, Some(Over::Sheet(_)))
        });
        if is_behind_it {
            return KeyMeaning::Nothing;
        }
        let text = single || edits_text(key);
        let works = self.uses.is_some_and(|uses| match modifiers.shift_only() {
            true => uses.takes_shifted(key),
            false => !modifiers.any() && uses.takes(key),
        });
        let leaves = key == Key::Escape && self.had_focus;
        let is_kept = (self.typing && text) || (self.popup && single) || works || leaves;
        let puts_away = key == Key::Escape && self.over.is_some();
        if is_kept && !puts_away {
            return KeyMeaning::Control;
        }
        let is_of_picture = command.is_some_and(|command| is_of_picture(&command.action));
        let is_behind = self.in_card && single && is_way(key);
        if self.uses.is_some() && !modifiers.any() && is_of_picture || is_behind {
            return KeyMeaning::Nothing;
        }
        command.map_or(KeyMeaning::Unknown, KeyMeaning::Command)
    }

    /// Returns the effect of a key in the dialog: its controls keep the keyboard.
    fn of_dialog(
        &self,
        key: Key,
        modifiers: Modifiers,
        command: Option<&'static Command>,
    ) -> KeyMeaning {
        let single = !modifiers.any() || modifiers.shift_only();
        if key == Key::Tab && single {
            return KeyMeaning::Step(!modifiers.shift);
        }
        let is_left = key == Key::Escape && (self.typing || self.popup);
        let closes = command.filter(|command| {
            matches!(command.action, Action::Dismiss | Action::Export(ExportAction::Dialog))
        });
        match closes {
            Some(command) if !is_left => KeyMeaning::Command(command),
            _ if single || self.typing && edits_text(key) => KeyMeaning::Control,
            _ => KeyMeaning::Nothing,
        }
    }
}

/// Returns true for actions of the arrows that only the picture has.
fn is_of_picture(action: &Action) -> bool {
    matches!(action, Action::Camera(CameraAction::Nudge(_)))
}

/// Returns true for keys that move through a text. In a card, they do not act on what lies behind it.
fn is_way(key: Key) -> bool {
    let is_arrow = matches!(key, Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown);
    let is_far = matches!(key, Key::Home | Key::End | Key::PageUp | Key::PageDown);
    is_arrow || is_far
}

/// Returns the effect of a key on a question, which reads Tab and the arrows itself. Enter and Space only count when they are
/// first pressed.
fn of_question(key: Key, repeat: bool) -> KeyMeaning {
    match key {
        Key::Tab | Key::ArrowRight | Key::ArrowDown | Key::ArrowLeft | Key::ArrowUp => {
            KeyMeaning::Control
        }
        Key::Enter | Key::Space if !repeat => KeyMeaning::Control,
        _ => KeyMeaning::Nothing,
    }
}

/// Returns the id of a sheet's search field.
pub(crate) fn search_id() -> egui::Id {
    egui::Id::unique("looked for in a sheet")
}

/// Returns the key that went down, its modifiers, and true if it is held. Clipboard events become their usual keys.
fn pressed(event: &Event, held: Modifiers) -> Option<(Key, Modifiers, bool)> {
    let clipboard = |key| Some((key, held | Modifiers::COMMAND | Modifiers::CTRL, false));
    match event {
        Event::Key { key, pressed: true, repeat, modifiers, .. } => {
            Some((*key, *modifiers, *repeat))
        }
        Event::Copy => clipboard(Key::C),
        Event::Cut => clipboard(Key::X),
        Event::Paste(_) | Event::PasteImage(_) => clipboard(Key::V),
        _ => None,
    }
}

/// Returns true if the key with Ctrl edits the text being typed.
fn edits_text(key: Key) -> bool {
    let edits = [Key::A, Key::C, Key::V, Key::X, Key::Z, Key::Y, Key::Backspace, Key::Delete];
    let is_page = matches!(key, Key::PageUp | Key::PageDown);
    edits.contains(&key) || is_way(key) && !is_page
}

fn command_of(
    bindings: &Bindings,
    kind: ContentKind,
    key: Key,
    modifiers: Modifiers,
) -> Option<&'static Command> {
    let of = |modifiers: Modifiers| {
        let does = |keys: &[egui::KeyboardShortcut]| {
            keys.iter().any(|at| at.logical_key == key && matches(modifiers, at.modifiers))
        };
        COMMANDS
            .iter()
            .filter(|command| command.action.concerns(kind))
            .find(|command| does(bindings.of(command.id)))
    };
    // The characters typed with Shift depend on the keyboard layout.
    let without_shift = Modifiers { shift: false, ..modifiers };
    of(modifiers).or_else(|| of(without_shift).filter(|_| modifiers.shift && is_sign(key)))
}

pub(super) fn matches(pressed: Modifiers, wanted: Modifiers) -> bool {
    if wanted.any() { pressed.matches_exact(wanted) } else { !pressed.any() }
}

/// Returns true for signs, and for digits, which need Shift on some keyboards.
fn is_sign(key: Key) -> bool {
    let others = [Key::Backslash, Key::Pipe, Key::Backtick, Key::Quote];
    (Key::Colon..=Key::Num9).contains(&key) && !others.contains(&key)
}

/// Something that lies over the window, has the keyboard focus, and is put away by Escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// A sheet with a field to type in.
    Sheet(Switch),
    /// A question with a button for each answer.
    Question,
    /// The dialog of exports.
    Dialog,
}

impl Over {
    /// The topmost layer over the window.
    pub(crate) fn of(state: &State) -> Option<Self> {
        let sheets = [Switch::Palette, Switch::Keys];
        let sheet = sheets.into_iter().find(|sheet| state.is_on(*sheet));
        let question = state.question().map(|_| Self::Question);
        let dialog = state.exports().is_open.then_some(Self::Dialog);
        let gallery = state.is_on(Switch::Gallery).then_some(Self::Sheet(Switch::Gallery));
        dialog.or(sheet.map(Self::Sheet)).or(question).or(gallery)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::switch::Switch;

    fn event(key: Key, modifiers: Modifiers, pressed: bool) -> Event {
        Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }
    }

    /// Returns the input for a key that is pressed, and released unless `held`.
    fn press(key: Key, modifiers: Modifiers, held: bool) -> egui::RawInput {
        let mut events = vec![event(key, modifiers, true)];
        if !held {
            events.push(event(key, modifiers, false));
        }
        egui::RawInput { events, ..Default::default() }
    }

    fn names(
        context: &egui::Context,
        input: egui::RawInput,
        text: &mut String,
    ) -> Vec<&'static str> {
        let mut actions = Vec::new();
        let output = context.run_ui(input, |ui| {
            actions.extend(of_keys(ui.ctx(), None, ContentKind::default(), None));
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
        keyboard::install(&context);
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
        assert_eq!(press(Key::V, Modifiers::SHIFT, false), [""; 0]);
        assert_eq!(press(Key::Q, Modifiers::NONE, false), [""; 0]);
        assert_eq!(press(Key::Q, Modifiers::CTRL | Modifiers::COMMAND, false), ["Quit"]);
    }

    #[test]
    fn signs_do_the_same_whether_or_not_they_lie_behind_shift() {
        let context = context();
        let mut text = String::new();
        let mut press = |key, modifiers| names(&context, press(key, modifiers, false), &mut text);
        for modifiers in [Modifiers::NONE, Modifiers::SHIFT] {
            assert_eq!(press(Key::OpenCurlyBracket, modifiers), ["Start the loop range here"]);
            assert_eq!(press(Key::Questionmark, modifiers), ["All keys"]);
            assert_eq!(press(Key::Plus, modifiers), ["Zoom in"]);
            assert_eq!(press(Key::Period, modifiers), ["Step forward"]);
        }
        // A key that is bound with Shift is not taken for the one without.
        assert_eq!(press(Key::OpenBracket, Modifiers::NONE), ["Slower"]);
        assert_eq!(press(Key::OpenBracket, Modifiers::SHIFT), ["Start the loop range here"]);
        assert_eq!(press(Key::B, Modifiers::SHIFT), ["Bone names"]);
    }

    /// Shift and the key left of it, let go in either order.
    fn shifted(place: Key, plain: Key, sign: Key, shift_first: bool) -> [Event; 2] {
        let event = |key, pressed, modifiers| Event::Key {
            key,
            physical_key: Some(place),
            pressed,
            repeat: false,
            modifiers,
        };
        let (end, modifiers) = match shift_first {
            true => (plain, Modifiers::NONE),
            false => (sign, Modifiers::SHIFT),
        };
        [event(sign, true, Modifiers::SHIFT), event(end, false, modifiers)]
    }

    #[test]
    fn a_sign_behind_shift_counts_each_time_whichever_of_both_is_let_go_first() {
        let context = context();
        let mut text = String::new();
        let signs = [
            (Key::Slash, Key::Slash, Key::Questionmark, "All keys"),
            (
                Key::OpenBracket,
                Key::OpenBracket,
                Key::OpenCurlyBracket,
                "Start the loop range here",
            ),
            (
                Key::CloseBracket,
                Key::CloseBracket,
                Key::CloseCurlyBracket,
                "End the loop range here",
            ),
            // As on German keyboards, where egui does not report the key's character without Shift.
            (Key::Minus, Key::Minus, Key::Questionmark, "All keys"),
        ];
        for (place, plain, sign, name) in signs {
            for round in 0..10 {
                for shift_first in [true, false] {
                    let [down, up] = shifted(place, plain, sign, shift_first);
                    let mut done = Vec::new();
                    for event in [down.clone(), down, up] {
                        let input = egui::RawInput { events: vec![event], ..Default::default() };
                        done.extend(names(&context, input, &mut text));
                    }
                    assert_eq!(done, [name], "{round}, {shift_first}");
                }
            }
        }
    }

    #[test]
    fn what_opens_a_sheet_gives_it_the_keyboard_at_once() {
        let context = context();
        let mut text = String::new();
        let key = |key, modifiers| event(key, modifiers, true);
        let typed = |text: &str| Event::Text(text.into());
        let openers = [
            vec![key(Key::K, Modifiers::CTRL | Modifiers::COMMAND)],
            vec![key(Key::Questionmark, Modifiers::SHIFT), typed("?")],
        ];
        for (mut events, name) in openers.into_iter().zip(["All actions", "All keys"]) {
            // A letter before it is a shortcut as usual, letters after it are not.
            events.insert(0, key(Key::F, Modifiers::NONE));
            events.extend([key(Key::B, Modifiers::NONE), typed("b")]);
            let input = egui::RawInput { events, ..Default::default() };
            assert_eq!(names(&context, input, &mut text), ["Fit the animation"]);
            assert_eq!(names(&context, egui::RawInput::default(), &mut text), [name]);
            let mut left = Vec::new();
            let output = context.run_ui(egui::RawInput::default(), |ui| {
                let sheet = Some(Over::Sheet(Switch::Palette));
                assert_eq!(of_keys(ui.ctx(), sheet, ContentKind::default(), None), []);
                left.extend(ui.input(|input| input.events.clone()));
            });
            output.drop_without_applying_deltas();
            assert_eq!(left.len(), 2, "{left:?}");
            assert_eq!(left[1], typed("b"));
            for up in [Key::F, Key::K, Key::B, Key::Questionmark] {
                let up = event(up, Modifiers::NONE, false);
                let input = egui::RawInput { events: vec![up], ..Default::default() };
                let _ = names(&context, input, &mut text);
            }
        }
    }

    #[test]
    fn nothing_behind_a_sheet_takes_the_keyboard() {
        let context = context();
        let sheet = Some(Over::Sheet(Switch::Palette));
        for bare in [Key::G, Key::Num1, Key::Num4] {
            let input = press(bare, Modifiers::CTRL | Modifiers::COMMAND, false);
            let output = context.run_ui(input, |ui| {
                assert_eq!(of_keys(ui.ctx(), sheet, ContentKind::default(), None), [], "{bare:?}");
            });
            output.drop_without_applying_deltas();
        }
    }

    #[test]
    fn no_single_key_acts_while_text_is_typed() {
        let context = context();
        let mut text = "typing".to_owned();
        let _ = names(&context, egui::RawInput::default(), &mut text);
        assert_eq!(names(&context, press(Key::F, Modifiers::NONE, false), &mut text), [""; 0]);
        assert_eq!(names(&context, press(Key::Space, Modifiers::NONE, false), &mut text), [""; 0]);
        let quit = press(Key::Q, Modifiers::CTRL | Modifiers::COMMAND, false);
        assert_eq!(names(&context, quit, &mut text), ["Quit"]);
    }
}
