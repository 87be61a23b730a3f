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
mod tests {
    use egui::Pos2;

    use super::*;

    fn event(key: Key, modifiers: Modifiers, pressed: bool) -> Event {
        Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }
    }

    fn input(events: impl Into<Vec<Event>>) -> egui::RawInput {
        egui::RawInput { events: events.into(), ..Default::default() }
    }

    /// Returns the input for a key that is pressed, and released unless `held`.
    fn press(key: Key, modifiers: Modifiers, held: bool) -> egui::RawInput {
        let up = (!held).then(|| event(key, modifiers, false));
        input(std::iter::once(event(key, modifiers, true)).chain(up).collect::<Vec<_>>())
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
        install(&context);
        context
    }

    #[test]
    fn a_key_does_its_action_and_holding_it_only_where_that_is_meant() {
        let context = context();
        let mut text = String::new();
        let command = Modifiers::CTRL | Modifiers::COMMAND;
        for (key, modifiers, held, wanted) in [
            (Key::Space, Modifiers::NONE, true, &["Play or pause"][..]),
            (Key::Space, Modifiers::NONE, true, &[]),
            (Key::Period, Modifiers::NONE, true, &["Step forward"]),
            (Key::Period, Modifiers::NONE, true, &["Step forward"]),
            (Key::V, Modifiers::SHIFT, false, &[]),
            (Key::Q, Modifiers::NONE, false, &[]),
            (Key::Q, command, false, &["Quit"]),
            // A key that is bound with Shift is not taken for the one without.
            (Key::OpenBracket, Modifiers::NONE, false, &["Slower"]),
            (Key::OpenBracket, Modifiers::SHIFT, false, &["Start the loop range here"]),
            (Key::B, Modifiers::SHIFT, false, &["Bone names"]),
        ] {
            assert_eq!(names(&context, press(key, modifiers, held), &mut text), wanted);
        }
    }

    #[test]
    fn no_single_key_acts_while_text_is_typed() {
        let context = context();
        let mut text = "typing".to_owned();
        let _ = names(&context, egui::RawInput::default(), &mut text);
        for (key, modifiers, wanted) in [
            (Key::F, Modifiers::NONE, &[][..]),
            (Key::Space, Modifiers::NONE, &[]),
            (Key::Q, Modifiers::CTRL | Modifiers::COMMAND, &["Quit"]),
        ] {
            assert_eq!(names(&context, press(key, modifiers, false), &mut text), wanted);
        }
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
    }

    /// Shift and the key left of it, let go in either order.
    fn shifted(plain: Key, sign: Key, shift_first: bool) -> [Event; 2] {
        let event = |key, pressed, modifiers| Event::Key {
            key,
            physical_key: Some(plain),
            pressed,
            repeat: false,
            modifiers,
        };
        let end = if shift_first { (plain, Modifiers::NONE) } else { (sign, Modifiers::SHIFT) };
        [event(sign, true, Modifiers::SHIFT), event(end.0, false, end.1)]
    }

    #[test]
    fn a_sign_behind_shift_counts_each_time_whichever_of_both_is_let_go_first() {
        let context = context();
        let mut text = String::new();
        for (plain, sign, name) in [
            (Key::Slash, Key::Questionmark, "All keys"),
            (Key::OpenBracket, Key::OpenCurlyBracket, "Start the loop range here"),
            (Key::CloseBracket, Key::CloseCurlyBracket, "End the loop range here"),
            // As on German keyboards, where egui does not report the key's character without Shift.
            (Key::Minus, Key::Questionmark, "All keys"),
        ] {
            for round in 0..10 {
                for shift_first in [true, false] {
                    let [down, up] = shifted(plain, sign, shift_first);
                    let mut done = Vec::new();
                    for event in [down.clone(), down, up] {
                        done.extend(names(&context, input([event]), &mut text));
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
            assert_eq!(names(&context, input(events), &mut text), ["Fit the animation"]);
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
                let _ = names(&context, input([event(up, Modifiers::NONE, false)]), &mut text);
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

    fn key(place: Key, sign: Key, pressed: bool) -> Event {
        Event::Key {
            key: sign,
            physical_key: Some(place),
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        }
    }

    fn sign(event: &Event) -> Option<Key> {
        match event {
            Event::Key { key, .. } => Some(*key),
            _ => None,
        }
    }

    /// Returns the numbers of events in each frame.
    fn frames(events: Vec<Event>, typing: bool) -> Vec<usize> {
        let (mut order, mut events) = (KeyOrder::default(), events);
        let mut frames = Vec::new();
        loop {
            order.split(&mut events, false, typing);
            frames.push(std::mem::take(&mut events).len());
            if order.waiting.is_empty() {
                return frames;
            }
        }
    }

    #[test]
    fn a_frame_has_one_key_and_a_text_flows() {
        let down = |pressed| key(pressed, pressed, true);
        let text = || Event::Text("a".into());
        let [click, release] = [true, false].map(|pressed| Event::PointerButton {
            pos: Pos2::ZERO,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        let moved = Event::PointerMoved(Pos2::ZERO);
        let keys = [Key::A, Key::B, Key::Escape, Key::ControlLeft];
        let [a, b, escape, control] = keys.map(down);
        for (events, plain, typing) in [
            (vec![a.clone(), b.clone()], vec![1, 1], vec![2]),
            (vec![a.clone(), a.clone()], vec![2], vec![2]),
            (vec![a.clone(), text(), b.clone(), text()], vec![2, 2], vec![4]),
            (vec![a.clone(), escape.clone(), b.clone()], vec![1, 1, 1], vec![1, 1, 1]),
            (vec![escape, text()], vec![1, 1], vec![1, 1]),
            (vec![a.clone(), click.clone()], vec![1, 1], vec![1, 1]),
            (vec![click.clone(), moved.clone(), a.clone()], vec![2, 1], vec![2, 1]),
            // A click takes two frames, and keys wait for the frame after that.
            (vec![click.clone(), release.clone(), moved.clone()], vec![1, 2], vec![1, 2]),
            (
                vec![click.clone(), release.clone(), click, release.clone()],
                vec![1, 2, 1],
                vec![1, 2, 1],
            ),
            (vec![release, a.clone(), text()], vec![1, 0, 2], vec![1, 0, 2]),
            (vec![moved, a.clone()], vec![1, 1], vec![1, 1]),
            // Modifiers take no frame of their own.
            (vec![control.clone(), a.clone(), control.clone(), a], vec![4], vec![4]),
        ] {
            assert_eq!(frames(events.clone(), false), plain, "{events:?}");
            assert_eq!(frames(events.clone(), true), typing, "{events:?}");
        }
    }

    #[test]
    fn a_key_means_what_it_meant_when_it_went_down_until_it_is_let_go() {
        let mut keys = KeyOrder::default();
        let mut settled = |place, sign_now, pressed| {
            let mut event = key(place, sign_now, pressed);
            keys.settle(&mut event);
            sign(&event)
        };
        let (slash, question) = (Key::Slash, Key::Questionmark);
        assert_eq!(settled(slash, question, true), Some(question));
        assert_eq!(settled(slash, slash, true), Some(question), "it is held");
        assert_eq!(settled(Key::B, Key::B, true), Some(Key::B));
        assert_eq!(settled(slash, slash, false), Some(question));
        assert_eq!(settled(slash, slash, true), Some(slash));
        keys.settle(&mut Event::WindowFocused(false));
        let mut pressed = key(slash, question, true);
        keys.settle(&mut pressed);
        assert_eq!(sign(&pressed), Some(question), "nothing is held elsewhere");
    }
}
