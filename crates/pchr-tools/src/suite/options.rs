//! The options of a case: those of `capture`, by their long names.
//!
//! They are parsed as on the command line. Each value is passed to it as typed, and its errors are reported to the suite's author.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use clap::{Args, Command};
use toml::de::DeValue;

use crate::run::input::InputArgs;
use crate::text::nearest;
use crate::view::grammar::{self, form, merged};
use crate::view::settings::{Form, Misread, Setting, Settings};
use crate::view::{RendererArgs, Shown};

/// Options that a suite may not set, and the reasons.
const REFUSED: [(&str, &str); 3] = [
    ("output", "pictures go beside the suite, into baselines"),
    ("json", "it belongs on the command line"),
    ("jobs", "it belongs on the command line"),
];

/// Keys in addition to the options of `capture`.
const BESIDE_OPTIONS: [&str; 9] = [
    "baselines",
    "exact",
    "file",
    "ignore",
    "mask",
    "max_outliers",
    "name",
    "session",
    "tolerance",
];

/// Meaning of the options.
#[derive(Debug, Args)]
pub(super) struct Parsed {
    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    pub(super) shown: Shown,
    #[command(flatten)]
    pub(super) by: RendererArgs,
}

/// The grammar of all options.
fn grammar() -> &'static Command {
    static GRAMMAR: OnceLock<Command> = OnceLock::new();
    GRAMMAR.get_or_init(|| {
        let mut grammar = Parsed::augment_args(
            Command::new("")
                .no_binary_name(true)
                .disable_help_flag(true),
        );
        grammar.build();
        grammar
    })
}

/// Pairs of options; a table may set only one of each. In a case, one of them replaces the other one of the defaults.
pub(super) fn either() -> impl Iterator<Item = [&'static str; 2]> {
    grammar::either(grammar())
}

/// Options with their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    settings: Settings,
    /// Lines of the suite that set them.
    lines: BTreeMap<String, usize>,
}

impl Options {
    /// Sets an option to the value in a line of the suite.
    ///
    /// # Errors
    /// Reason why the value is invalid.
    pub(super) fn set(
        &mut self,
        key: &str,
        value: &DeValue<'_>,
        line: usize,
    ) -> Result<(), String> {
        if let Some((_, why)) = REFUSED.iter().find(|(name, _)| *name == key) {
            return Err(format!("{key} cannot be set in a suite: {why}"));
        }
        let mut options = grammar().get_arguments();
        let Some(option) = options.find(|option| option.get_long() == Some(key)) else {
            return Err(unknown(key));
        };
        let setting =
            Setting::read(value, form(option)).map_err(|text| format!("{key}: {text}"))?;
        if key == "renderer"
            && !matches!(&setting, Setting::One(text) if matches!(text.as_str(), "cpu" | "gpu"))
        {
            return Err("renderer: expected \"cpu\" or \"gpu\"".into());
        }
        let mut alone = Self::default();
        alone.settings.put(key, setting.clone());
        alone.parse()?;
        self.settings.put(key, setting);
        self.lines.insert(key.to_owned(), line);
        Ok(())
    }

    /// Returns the options of a case: those in `over` take precedence.
    pub(super) fn under(&self, over: &Self) -> Self {
        let mut lines = self.lines.clone();
        lines.extend(over.lines.clone());
        Self {
            settings: merged(&self.settings, &over.settings, grammar()),
            lines,
        }
    }

    /// Returns options that a line of the suite sets together.
    pub(super) fn of(settings: Settings, line: usize) -> Self {
        let names = settings.names().map(|name| (name.to_owned(), line));
        Self {
            lines: names.collect(),
            settings,
        }
    }

    /// Sets an option that the suite leaves open, or the command line overrides.
    pub(super) fn put(&mut self, key: &str, value: &str) {
        self.settings.put(key, Setting::One(value.to_owned()));
    }

    /// Returns the value of an option with one value.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        match self.settings.get(key)? {
            Setting::One(text) => Some(text),
            Setting::Switch(_) | Setting::Several(_) => None,
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.settings.has(key)
    }

    /// Returns all options, as recorded.
    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the line of the suite that sets an option.
    pub(super) fn line(&self, key: &str) -> Option<usize> {
        self.lines.get(key).copied()
    }

    /// Parses the options.
    ///
    /// # Errors
    /// The invalid option.
    pub(super) fn parse(&self) -> Result<Parsed, String> {
        let parsed = self.settings.parse(grammar());
        parsed.map_err(|Misread { option, why }| format!("{option}: {why}"))
    }
}

/// Returns the message about an unknown key.
fn unknown(key: &str) -> String {
    let near = nearest(key, names().chain(BESIDE_OPTIONS));
    let near = match near.is_empty() {
        true => String::new(),
        false => format!("; closest: {}", near.join(", ")),
    };
    format!("unknown key {key:?}{near} (pchr schema suite lists all keys)")
}

/// Returns the names of all options that a suite may set.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    described().map(|(name, ..)| name)
}

/// Returns the name, the form of values and the help of each option, for the suite's schema.
pub(super) fn described() -> impl Iterator<Item = (&'static str, Form, String)> {
    let options = grammar().get_arguments();
    options.filter_map(|option| {
        let help = option.get_help().map(ToString::to_string);
        Some((option.get_long()?, form(option), help.unwrap_or_default()))
    })
}
