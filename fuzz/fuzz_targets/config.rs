//! Reads any text as the user's settings: faults are reported, and nothing panics.
#![no_main]
#![allow(dead_code, reason = "only the parser is fuzzed")]

use libfuzzer_sys::fuzz_target;

// The window is not fuzzed, so its parser is included alone, with the two types that it needs.
mod viewer {
    pub(crate) mod settings {
        pub(crate) mod rebound_keys {
            #[derive(Clone, Debug, PartialEq)]
            pub(crate) struct Rebound {
                pub id: String,
                pub keys: Vec<String>,
                pub line: usize,
            }
        }
    }
    pub(crate) mod theme {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum ThemeChoice {
            System,
            Light,
            Dark,
        }
    }
}

#[path = "../../src/viewer/settings/config.rs"]
mod config;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let lines = text.matches('\n').count() + 1;
    let mut warnings = 0;
    let config = config::Config::parse(text, |warning| {
        assert!(!warning.is_empty());
        warnings += 1;
    });
    assert!(warnings + config.keys.len() <= text.len(), "each is about something");
    assert!(config.keys.iter().all(|key| (1..=lines).contains(&key.line)));
});
