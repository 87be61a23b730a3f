//! Input that arrives faster than frames are drawn.
//!
//! Keys act before the panels are laid out, the pointer after that, and egui takes the keyboard from a control as soon as it sees
//! Escape. In a slow frame they would act in another order than they were pressed in, so what comes later waits for the next
//! frame.

use egui::{Context, Event, Id, Key, Plugin, RawInput};

/// Maximum number of frames that keys wait for the focus to arrive.
const PATIENCE: u8 = 12;

/// Holds input back for the next frame if it must not be handled together with earlier input.
pub(crate) fn install(context: &Context) {
    context.add_plugin(OneAtATime::default());
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
struct OneAtATime {
    waiting: Vec<Event>,
    /// Number of frames in a row in which keys were held back.
    held: u8,
}

/// Kinds of input seen in a frame.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    pointer: bool,
    key: bool,
    escape: bool,
    /// A key with Ctrl or Cmd, which may open something that takes the keys after it.
    command: bool,
    /// True while keys wait for the focus.
    hold: bool,
}

impl Seen {
    /// Returns true if the event must not be read in the same frame.
    fn excludes(self, event: &Event) -> bool {
        match event {
            Event::Key {
                key: Key::Escape,
                pressed: true,
                ..
            } => self.pointer || self.key || self.escape || self.hold,
            // A repeating key must not fill the queue of a slow machine.
            Event::Key {
                pressed: true,
                repeat,
                ..
            } => self.escape || ((self.pointer || self.command || self.hold) && !repeat),
            Event::Text(_) | Event::Ime(_) => self.escape || self.hold || self.command,
            Event::PointerButton { pressed: true, .. } => self.key || self.escape,
            _ => false,
        }
    }

    fn add(&mut self, event: &Event) {
        match event {
            Event::Key {
                key: Key::Escape,
                pressed: true,
                ..
            } => self.escape = true,
            Event::Key {
                pressed: true,
                repeat: false,
                modifiers,
                ..
            } => {
                self.key = true;
                self.command |= modifiers.command || modifiers.ctrl;
            }
            Event::PointerMoved(_) | Event::PointerButton { .. } | Event::MouseWheel { .. } => {
                self.pointer = true;
            }
            _ => {}
        }
    }
}

impl OneAtATime {
    /// Splits off what waits for the next frame.
    fn split(&mut self, events: &mut Vec<Event>, hold: bool) {
        self.waiting.append(events);
        let mut seen = Seen {
            hold,
            ..Seen::default()
        };
        let count = self
            .waiting
            .iter()
            .take_while(|event| {
                let is_now = !seen.excludes(event);
                seen.add(event);
                is_now
            })
            .count();
        events.extend(self.waiting.drain(..count));
    }
}

impl Plugin for OneAtATime {
    fn debug_name(&self) -> &'static str {
        "one at a time"
    }

    fn input_hook(&mut self, context: &Context, input: &mut RawInput) {
        let wanted = context.data_mut(|data| data.remove_temp::<()>(hold_id()).is_some());
        let hold = wanted && self.held < PATIENCE;
        self.held = if hold { self.held.saturating_add(1) } else { 0 };
        self.split(&mut input.events, hold);
        if !self.waiting.is_empty() {
            context.request_repaint();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Modifiers, PointerButton, Pos2, pos2};

    const AT: Pos2 = pos2(3.0, 4.0);

    fn key(key: Key, repeat: bool) -> Event {
        Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat,
            modifiers: Modifiers::NONE,
        }
    }

    fn button(pressed: bool) -> Event {
        Event::PointerButton {
            pos: AT,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        }
    }

    /// Number of events in each of the frames that read them.
    fn frames(events: &[Event]) -> Vec<usize> {
        let mut order = OneAtATime::default();
        let mut read = Vec::new();
        let mut frames = Vec::new();
        let mut now = events.to_vec();
        loop {
            order.split(&mut now, false);
            frames.push(now.len());
            read.append(&mut now);
            if order.waiting.is_empty() {
                assert_eq!(read, events);
                return frames;
            }
        }
    }

    #[test]
    fn a_key_waits_for_the_pointer_before_it_and_a_click_for_the_key() {
        let (moved, plus) = (Event::PointerMoved(AT), key(Key::Plus, false));
        assert_eq!(frames(&[]), [0]);
        assert_eq!(
            frames(&[moved.clone(), moved.clone(), plus.clone()]),
            [2, 1]
        );
        assert_eq!(frames(&[plus.clone(), moved.clone(), plus.clone()]), [2, 1]);
        assert_eq!(frames(&[plus.clone(), button(true), button(false)]), [1, 2]);
        assert_eq!(frames(&[moved.clone(), button(true), button(false)]), [3]);
        assert_eq!(frames(&[plus.clone(), plus.clone()]), [2]);
    }

    #[test]
    fn escape_has_a_frame_of_its_own_among_keys() {
        let (space, escape) = (key(Key::Space, false), key(Key::Escape, false));
        assert_eq!(frames(&[space.clone(), escape.clone()]), [1, 1]);
        assert_eq!(frames(&[escape.clone(), Event::Text("b".into())]), [1, 1]);
        assert_eq!(frames(&[escape.clone(), escape.clone(), space]), [1, 1, 1]);
    }

    #[test]
    fn keys_wait_for_what_a_command_opens_and_for_the_focus() {
        let command = Event::Key {
            key: Key::G,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::CTRL,
        };
        let (text, enter) = (Event::Text("12".into()), key(Key::Enter, false));
        assert_eq!(frames(&[command, text.clone(), enter.clone()]), [1, 2]);
        let mut order = OneAtATime::default();
        let mut events = vec![Event::PointerMoved(AT), text.clone(), enter.clone()];
        order.split(&mut events, true);
        assert_eq!(events, [Event::PointerMoved(AT)]);
        events.clear();
        order.split(&mut events, false);
        assert_eq!(events, [text, enter]);
    }

    #[test]
    fn held_keys_wait_for_no_pointer() {
        let held = key(Key::Period, true);
        let moved = Event::PointerMoved(AT);
        let mixed = [moved.clone(), held.clone(), moved, held];
        assert_eq!(frames(&mixed), [4]);
    }
}
