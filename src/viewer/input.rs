//! Translation of keys into actions, and what lies over the window and has the keyboard focus; keys and buttons that arrive faster than
//! frames are drawn, or are let go in another order than they were pressed in.
//!
//! Keys act before the panels are laid out, the pointer after that, and egui takes the keyboard from a control as soon as it sees
//! Escape. In a slow frame they would act in another order than they were pressed in, so another key waits for the next frame. So does
//! the release of a click: sliders follow a button that is held while a frame is laid out.

use std::sync::Arc;

use egui::{Context, Event, FocusDirection, Id, Key, Modifiers, Plugin, PointerButton, RawInput};

use pchr::document::MeshId;

use crate::viewer::action::{
    Action, Bindings, COMMANDS, CameraAction, Command, ExportAction, LookAction, PartAction,
};
use crate::viewer::focus::{self, Uses};
use crate::viewer::kept::{MESHES, row_id};
use crate::viewer::state::State;
use crate::viewer::switch::{ContentKind, Switch};

/// Returns the actions of the keys pressed since the last frame. Removes the keys from egui's input, so that they do
/// nothing else. While text is typed, only keys with Ctrl, Cmd or Alt count. While a control has the keyboard focus, it keeps
/// the keys that work it. Tab goes to the next control, unless it is bound to something else.
///
/// `over` lies over the window and has the keyboard focus. A key may mean something else for another `kind` of content. Keys that
/// hide or isolate the selected mesh select that of the `row` with the focus first.
pub(crate) fn of_keys(
    context: &Context,
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
        bindings: Bindings::installed(context),
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
                KeyMeaning::Control => return true,
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
        hold_keys(context);
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
pub(crate) fn focused_mesh(context: &Context, state: &State) -> Option<MeshId> {
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
    /// The key belongs to the control that has the keyboard focus, or the program does not know it.
    Control,
    /// Goes to the next control (true) or to the previous one.
    Step(bool),
    Command(&'static Command),
    /// Does nothing, and no control receives it.
    Nothing,
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
        command.map_or(KeyMeaning::Control, KeyMeaning::Command)
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
pub(crate) fn search_id() -> Id {
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
            keys.iter().any(|at| at.logical_key == key && modifiers.matches_exact(at.modifiers))
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

/// Maximum number of frames that keys wait for the focus to arrive.
const PATIENCE: u8 = 12;

/// Hands a context one key at a time, and lets a key mean what it meant when it went down, until it is let go.
pub(crate) fn install(context: &Context) {
    context.add_plugin(KeyOrder::default());
}

/// Holds keys back in the next frame: the focus is on its way to another control.
pub(crate) fn hold_keys(context: &Context) {
    context.data_mut(|data| data.insert_temp(hold_id(), ()));
    context.request_repaint();
}

fn hold_id() -> Id {
    Id::unique("keys wait for the focus")
}

#[derive(Debug, Default)]
struct KeyOrder {
    waiting: Vec<Event>,
    /// Number of frames in a row in which keys were held back.
    held: u8,
    /// True if a button was let go in the last frame. A number field that was clicked takes text only after the next one.
    is_released: bool,
    /// Time of the last frame, in seconds.
    time: Option<f64>,
    /// Place and sign of each key that is down. A key may produce another sign when it is let go than when it was pressed, since Shift
    /// was let go first; egui, which knows keys by their signs, would take one for held for ever.
    down: Vec<(Key, Key)>,
}

/// Input of a frame so far.
#[derive(Clone, Copy, Debug, Default)]
struct SeenInput {
    pointer: bool,
    /// Button that went down.
    pressed: Option<PointerButton>,
    key: Option<Key>,
    /// True for a key that may open something or go elsewhere, while text is typed: the others follow each other then.
    turns: bool,
    /// True while keys wait for the focus.
    hold: bool,
}

impl SeenInput {
    /// Returns true if the event must not be read in the same frame.
    fn excludes(self, event: &Event, typing: bool) -> bool {
        match event {
            // A repeating key must not fill the queue of a slow machine.
            Event::Key { pressed: true, repeat: true, .. } => false,
            Event::Key { key, .. } if is_modifier(*key) => false,
            Event::Key { key, pressed: true, .. } => {
                let is_other = self.key.is_some_and(|seen| seen != *key);
                self.hold || self.pointer || is_other && (!typing || self.turns || turns(*key))
            }
            Event::Text(_) | Event::Ime(_) => self.hold || self.key.is_some() && self.turns,
            Event::Copy | Event::Cut | Event::Paste(_) => self.hold || self.pointer,
            Event::PointerButton { pressed: true, .. } => self.key.is_some(),
            Event::PointerButton { button, .. } => self.pressed == Some(*button),
            _ => false,
        }
    }

    fn add(&mut self, event: &Event) {
        match event {
            Event::Key { key, pressed: true, repeat: false, modifiers, .. }
                if !is_modifier(*key) =>
            {
                self.key = Some(*key);
                self.turns |= turns(*key) || modifiers.command || modifiers.ctrl;
            }
            Event::PointerButton { button, pressed: true, .. } => {
                self.pointer = true;
                self.pressed = Some(*button);
            }
            Event::PointerMoved(_) | Event::PointerButton { .. } | Event::MouseWheel { .. } => {
                self.pointer = true;
            }
            _ => {}
        }
    }
}

/// Returns true for a button that is let go.
fn is_release(event: &Event) -> bool {
    matches!(event, Event::PointerButton { pressed: false, .. })
}

/// Returns true for a key that only changes what others mean.
fn is_modifier(key: Key) -> bool {
    use Key::{
        AltLeft, AltRight, ControlLeft, ControlRight, ShiftLeft, ShiftRight, SuperLeft, SuperRight,
    };
    let left = matches!(key, ShiftLeft | ControlLeft | AltLeft | SuperLeft);
    left || matches!(key, ShiftRight | ControlRight | AltRight | SuperRight)
}

/// Returns true for a key that goes elsewhere while text is typed.
fn turns(key: Key) -> bool {
    matches!(key, Key::Escape | Key::Enter | Key::Tab)
}

impl KeyOrder {
    /// Splits off what waits for the next frame.
    fn split(&mut self, events: &mut Vec<Event>, hold: bool, typing: bool) {
        self.waiting.append(events);
        let hold = hold || self.is_released;
        let mut seen = SeenInput { hold, ..SeenInput::default() };
        let is_now = |event: &&Event| {
            let is_now = !seen.excludes(event, typing);
            seen.add(event);
            is_now
        };
        let count = self.waiting.iter().take_while(is_now).count();
        events.extend(self.waiting.drain(..count));
        self.is_released = events.iter().any(is_release);
    }

    fn settle(&mut self, event: &mut Event) {
        match event {
            Event::Key { key, physical_key: Some(place), pressed, .. } => {
                let held = self.down.iter().position(|(at, _)| at == place);
                match held.and_then(|index| self.down.get(index)) {
                    Some((_, sign)) => *key = *sign,
                    None if *pressed => self.down.push((*place, *key)),
                    None => {}
                }
                if let Some(index) = held.filter(|_| !*pressed) {
                    self.down.swap_remove(index);
                }
            }
            // Keys released elsewhere are not reported here.
            Event::WindowFocused(false) => self.down.clear(),
            _ => {}
        }
    }
}

impl Plugin for KeyOrder {
    fn debug_name(&self) -> &'static str {
        "order of keys"
    }

    fn input_hook(&mut self, context: &Context, input: &mut RawInput) {
        for event in &mut input.events {
            self.settle(event);
        }
        let wanted = context.data_mut(|data| data.remove_temp::<()>(hold_id()).is_some());
        let hold = wanted && self.held < PATIENCE;
        self.held = if hold { self.held.saturating_add(1) } else { 0 };
        // A click takes as long as it took, however long the frame was that kept its release.
        if self.waiting.first().is_some_and(is_release) {
            input.time = self.time.or(input.time);
        }
        self.time = input.time;
        self.split(&mut input.events, hold, context.text_edit_focused());
        if !self.waiting.is_empty() {
            context.request_repaint();
        }
    }
}

#[cfg(test)]
mod tests;
