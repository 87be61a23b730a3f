//! Keys that are held, by their places on the keyboard: a key may produce another character when it is released than when it was
//! pressed, since Shift was released first.

use egui::{Context, Event, Key, Plugin, RawInput};

/// Makes a key mean what it meant when it went down, until it is let go. egui, which knows keys by their signs, else takes one for
/// held for ever.
pub(crate) fn install(context: &Context) {
    context.add_plugin(HeldKeys::default());
}

#[derive(Debug, Default)]
struct HeldKeys {
    /// Place and sign of each key that is down.
    down: Vec<(Key, Key)>,
}

impl HeldKeys {
    fn settle(&mut self, event: &mut Event) {
        match event {
            Event::Key {
                key,
                physical_key: Some(place),
                pressed,
                ..
            } => {
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

impl Plugin for HeldKeys {
    fn debug_name(&self) -> &'static str {
        "held keys"
    }

    fn input_hook(&mut self, _: &Context, input: &mut RawInput) {
        for event in &mut input.events {
            self.settle(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(place: Key, key: Key, pressed: bool) -> Event {
        Event::Key {
            key,
            physical_key: Some(place),
            pressed,
            repeat: false,
            modifiers: Default::default(),
        }
    }

    fn key(event: &Event) -> Option<Key> {
        match event {
            Event::Key { key, .. } => Some(*key),
            _ => None,
        }
    }

    #[test]
    fn a_key_means_what_it_meant_when_it_went_down_until_it_is_let_go() {
        let mut keys = HeldKeys::default();
        let mut settled = |place, sign, pressed| {
            let mut event = event(place, sign, pressed);
            keys.settle(&mut event);
            key(&event)
        };
        let (slash, question) = (Key::Slash, Key::Questionmark);
        assert_eq!(settled(slash, question, true), Some(question));
        assert_eq!(settled(slash, slash, true), Some(question), "it is held");
        assert_eq!(settled(Key::B, Key::B, true), Some(Key::B));
        assert_eq!(settled(slash, slash, false), Some(question));
        assert_eq!(settled(slash, slash, true), Some(slash));
        assert_eq!(settled(slash, slash, false), Some(slash));
        assert_eq!(settled(slash, slash, false), Some(slash), "it was not down");
    }

    #[test]
    fn nothing_is_held_once_the_keyboard_is_elsewhere() {
        let mut keys = HeldKeys::default();
        keys.settle(&mut event(Key::Slash, Key::Questionmark, true));
        keys.settle(&mut Event::WindowFocused(false));
        let mut pressed = event(Key::Slash, Key::Slash, true);
        keys.settle(&mut pressed);
        assert_eq!(key(&pressed), Some(Key::Slash));
    }
}
