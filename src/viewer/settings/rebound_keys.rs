//! Keys of the actions: shortcuts as text, and the user's own over the program's defaults.
//!
//! `Ctrl` is the command key: Cmd on macOS.

use std::sync::Arc;

use egui::{Id, Key, KeyboardShortcut, Modifiers};

use crate::viewer::action::COMMANDS;

/// Keys that a settings file gives to one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rebound {
    /// The action's id.
    pub id: String,
    /// Keys as written. An empty list unbinds the action.
    pub keys: Vec<String>,
    /// Line in the file, from 1.
    pub line: usize,
}

/// Keys of all actions, in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bindings {
    keys: Vec<(&'static str, Vec<KeyboardShortcut>)>,
}

impl Bindings {
    /// Applies the user's keys over the default ones. Returns the bindings and mistakes in the user's keys. A
    /// key given to one action is removed from all others.
    pub(crate) fn new<'a>(
        defaults: impl IntoIterator<Item = (&'static str, &'a [KeyboardShortcut])>,
        rebound: &[Rebound],
    ) -> (Self, Vec<String>) {
        let mut warnings = Vec::new();
        let mut keys: Vec<(&'static str, Vec<KeyboardShortcut>)> =
            defaults.into_iter().map(|(id, keys)| (id, keys.to_vec())).collect();
        let mut given: Vec<(KeyboardShortcut, &'static str)> = Vec::new();
        for Rebound { id, keys: texts, line } in rebound {
            let Some((id, own)) = keys.iter_mut().find(|(known, _)| known == id) else {
                warnings.push(format!("line {line}: unknown action {id:?}"));
                continue;
            };
            own.clear();
            for text in texts {
                match parse(text) {
                    Err(error) => warnings.push(format!("line {line}: {id}: {error}")),
                    Ok(key) => match given.iter().find(|(taken, _)| *taken == key) {
                        Some((_, other)) if other == id => {}
                        Some((_, other)) => warnings.push(format!(
                            "line {line}: {} is assigned to both {other} and {id}; {other} keeps it",
                            print(&key)
                        )),
                        None => {
                            own.push(key);
                            given.push((key, *id));
                        }
                    },
                }
            }
        }
        for (id, own) in &mut keys {
            own.retain(|key| {
                let taken = given.iter().find(|(taken, by)| taken == key && by != id);
                if let Some((_, by)) = taken {
                    warnings
                        .push(format!("{} is now assigned to {by}, no longer to {id}", print(key)));
                }
                taken.is_none()
            });
        }
        (Self { keys }, warnings)
    }

    /// Does the same for all commands of the program.
    pub(crate) fn of_commands(rebound: &[Rebound]) -> (Self, Vec<String>) {
        Self::new(COMMANDS.iter().map(|command| (command.id, command.keys)), rebound)
    }

    /// Returns the keys of an action. The first is the one to show.
    pub(crate) fn of(&self, id: &str) -> &[KeyboardShortcut] {
        let found = self.keys.iter().find(|(known, _)| *known == id);
        found.map(|(_, keys)| keys.as_slice()).unwrap_or_default()
    }
}

/// Installs the keys of a window.
pub(crate) fn install(context: &egui::Context, bindings: Arc<Bindings>) {
    context.data_mut(|data| data.insert_temp(Id::NULL, bindings));
}

/// Returns the keys of a window: the installed ones, or the program's own.
pub(crate) fn installed(context: &egui::Context) -> Arc<Bindings> {
    let found = context.data(|data| data.get_temp::<Arc<Bindings>>(Id::NULL));
    found.unwrap_or_else(|| {
        let own = Arc::new(Bindings::of_commands(&[]).0);
        install(context, Arc::clone(&own));
        own
    })
}

/// Parses a shortcut: `Ctrl+Shift+K`, `Space`, `[`, `F12`, `?`, `Plus`. Case does not matter.
///
/// # Errors
/// The unknown part, in words.
pub(crate) fn parse(text: &str) -> Result<KeyboardShortcut, String> {
    // `+` is a key, too: `Ctrl++`.
    let (before, name) = match text.trim().strip_suffix('+') {
        Some(before) => (before.strip_suffix('+').unwrap_or(before), "+"),
        None => text.trim().rsplit_once('+').unwrap_or(("", text.trim())),
    };
    let mut modifiers = Modifiers::NONE;
    for word in before.split('+').map(str::trim).filter(|word| !word.is_empty()) {
        modifiers |= match word.to_ascii_lowercase().as_str() {
            "ctrl" | "control" | "cmd" | "command" => Modifiers::COMMAND,
            "shift" => Modifiers::SHIFT,
            "alt" | "option" => Modifiers::ALT,
            _ => {
                return Err(format!(
                    "unknown modifier {word:?} in {text:?}: expected Ctrl, Shift or Alt"
                ));
            }
        };
    }
    let name = name.trim();
    let by_name = || {
        let same = |key: &&Key| key.name().eq_ignore_ascii_case(name);
        Key::ALL.iter().find(same).copied()
    };
    let key = Key::from_name(name).or_else(by_name);
    let key = key.ok_or_else(|| format!("unknown key {name:?}"))?;
    Ok(KeyboardShortcut::new(modifiers, key))
}

/// Returns a shortcut as text that [`parse`] accepts.
pub(crate) fn print(shortcut: &KeyboardShortcut) -> String {
    let Modifiers { alt, shift, command, ctrl, mac_cmd } = shortcut.modifiers;
    let mut text = String::new();
    for (pressed, name) in [(command || ctrl || mac_cmd, "Ctrl+"), (alt, "Alt+"), (shift, "Shift+")]
    {
        if pressed {
            text.push_str(name);
        }
    }
    text + shortcut.logical_key.name()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(key: Key) -> KeyboardShortcut {
        KeyboardShortcut::new(Modifiers::NONE, key)
    }

    fn rebound(id: &str, keys: &[&str], line: usize) -> Rebound {
        Rebound { id: id.into(), keys: keys.iter().map(|key| (*key).to_owned()).collect(), line }
    }

    const PLAY: &[KeyboardShortcut] = &[KeyboardShortcut::new(Modifiers::NONE, Key::Space)];
    const FIT: &[KeyboardShortcut] = &[KeyboardShortcut::new(Modifiers::NONE, Key::F)];
    const DEFAULTS: [(&str, &[KeyboardShortcut]); 3] =
        [("play", PLAY), ("fit", FIT), ("bones", &[])];

    #[test]
    fn shortcuts_are_read_however_they_are_written() {
        let with = |modifiers, key| Ok(KeyboardShortcut::new(modifiers, key));
        let command_shift = Modifiers::COMMAND | Modifiers::SHIFT;
        assert_eq!(parse("Ctrl+Shift+K"), with(command_shift, Key::K));
        assert_eq!(parse(" shift + cmd + k "), with(command_shift, Key::K));
        assert_eq!(parse("Space"), Ok(plain(Key::Space)));
        assert_eq!(parse("pagedown"), Ok(plain(Key::PageDown)));
        assert_eq!(parse("["), Ok(plain(Key::OpenBracket)));
        assert_eq!(parse("F12"), Ok(plain(Key::F12)));
        assert_eq!(parse("?"), Ok(plain(Key::Questionmark)));
        assert_eq!(parse("Plus"), Ok(plain(Key::Plus)));
        assert_eq!(parse("+"), Ok(plain(Key::Plus)));
        assert_eq!(parse("Ctrl++"), with(Modifiers::COMMAND, Key::Plus));
        assert_eq!(parse("Alt+Right"), with(Modifiers::ALT, Key::ArrowRight));
    }

    #[test]
    fn what_is_no_shortcut_is_named() {
        assert_eq!(parse("Ctrl+Spacebar"), Err("unknown key \"Spacebar\"".into()));
        assert_eq!(parse(""), Err("unknown key \"\"".into()));
        let error = parse("Hyper+K").unwrap_err();
        assert_eq!(error, "unknown modifier \"Hyper\" in \"Hyper+K\": expected Ctrl, Shift or Alt");
    }

    #[test]
    fn every_key_is_printed_as_it_is_read() {
        let all = [
            Modifiers::NONE,
            Modifiers::COMMAND,
            Modifiers::COMMAND | Modifiers::ALT | Modifiers::SHIFT,
        ];
        for modifiers in all {
            for key in Key::ALL {
                let shortcut = KeyboardShortcut::new(modifiers, *key);
                assert_eq!(parse(&print(&shortcut)), Ok(shortcut));
            }
        }
        let shortcut = KeyboardShortcut::new(Modifiers::COMMAND | Modifiers::SHIFT, Key::K);
        assert_eq!(print(&shortcut), "Ctrl+Shift+K");
    }

    #[test]
    fn without_wishes_all_stays_as_it_is() {
        let (bindings, warnings) = Bindings::new(DEFAULTS, &[]);
        assert_eq!(warnings, [""; 0]);
        assert_eq!(bindings.of("play"), PLAY);
        assert_eq!(bindings.of("bones"), []);
        assert_eq!(bindings.of("none such"), []);
    }

    #[test]
    fn a_wish_takes_the_place_of_the_programs_own_keys() {
        let wishes = [
            rebound("fit", &["Ctrl+F", "z"], 2),
            rebound("play", &[], 3),
            rebound("bones", &["Space"], 4),
        ];
        let (bindings, warnings) = Bindings::new(DEFAULTS, &wishes);
        assert_eq!(warnings, [""; 0]);
        let ctrl_f = KeyboardShortcut::new(Modifiers::COMMAND, Key::F);
        assert_eq!(bindings.of("fit"), [ctrl_f, plain(Key::Z)]);
        assert_eq!(bindings.of("play"), []);
        assert_eq!(bindings.of("bones"), [plain(Key::Space)]);
    }

    #[test]
    fn what_does_not_go_together_is_named_with_its_line() {
        let wishes = [
            rebound("bones", &["Space", "NoKey"], 5),
            rebound("fit", &["Space", "G"], 6),
            rebound("dance", &["D"], 7),
        ];
        let (bindings, warnings) = Bindings::new(DEFAULTS, &wishes);
        assert_eq!(
            warnings,
            [
                "line 5: bones: unknown key \"NoKey\"",
                "line 6: Space is assigned to both bones and fit; bones keeps it",
                "line 7: unknown action \"dance\"",
                "Space is now assigned to bones, no longer to play",
            ]
        );
        assert_eq!(bindings.of("bones"), [plain(Key::Space)]);
        assert_eq!(bindings.of("fit"), [plain(Key::G)]);
        assert_eq!(bindings.of("play"), []);
    }

    #[test]
    fn the_programs_own_keys_go_together_and_count_until_others_are_installed() {
        let (own, warnings) = Bindings::of_commands(&[]);
        assert_eq!(warnings, [""; 0]);
        let context = egui::Context::default();
        assert_eq!(*installed(&context), own);
        let (wished, _) = Bindings::of_commands(&[rebound("play", &["P"], 1)]);
        install(&context, Arc::new(wished));
        assert_eq!(installed(&context).of("play"), [plain(Key::P)]);
        assert_eq!(installed(&context).of("fit"), own.of("fit"));
    }
}
