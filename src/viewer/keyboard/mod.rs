//! The keyboard: its focus, and keys and buttons that arrive faster than frames are drawn, or are let go in another order than they
//! were pressed in.
//!
//! Keys act before the panels are laid out, the pointer after that, and egui takes the keyboard from a control as soon as it sees
//! Escape. In a slow frame they would act in another order than they were pressed in, so another key waits for the next frame. So does
//! the release of a click: sliders follow a button that is held while a frame is laid out.

pub(crate) mod focus;

use egui::{Context, Event, Id, Key, Plugin, PointerButton, RawInput};

/// Maximum number of frames that keys wait for the focus to arrive.
const PATIENCE: u8 = 12;

/// Hands a context one key at a time, and lets a key mean what it meant when it went down, until it is let go.
pub(crate) fn install(context: &Context) {
    context.add_plugin(KeyOrder::default());
}

/// Holds keys back in the next frame: the focus is on its way to another control.
pub(crate) fn hold(context: &Context) {
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
    use super::*;
    use egui::{Modifiers, Pos2};

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
