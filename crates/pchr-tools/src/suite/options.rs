//! The options of a case: those of `capture`, by their long names.
//!
//! They are parsed as on the command line. Each value is passed to it as typed, and its errors are reported to the suite's author.

use std::collections::BTreeMap;

use clap::{ArgAction, CommandFactory as _, Parser};
use serde_json::Value;
use toml::de::DeValue;

use crate::run::input::InputArgs;
use crate::text::nearest;
use crate::view;

/// Options that a suite may not set, and the reasons.
const REFUSED: [(&str, &str); 3] = [
    ("output", "pictures go beside the suite, into baselines"),
    ("json", "it belongs on the command line"),
    ("jobs", "it belongs on the command line"),
];

/// Keys in addition to the options of `capture`.
const BESIDE_OPTIONS: [&str; 8] = [
    "baselines",
    "exact",
    "file",
    "ignore",
    "mask",
    "max_outliers",
    "name",
    "tolerance",
];

/// Pairs of options; a table may set only one of each. In a case, one of them replaces the other one of the defaults.
pub(super) const EITHER: [[&str; 2]; 3] = [
    ["frame", "time"],
    ["animation", "mix"],
    ["mix-frame", "mix-time"],
];

/// Options that mean nothing without a cross-fade.
const OF_MIX: [&str; 2] = ["mix-frame", "mix-time"];

/// Options whose values are parts with commas between them. A suite may write them as a list.
const IN_PARTS: [&str; 4] = ["center", "frame", "onion-tint", "view"];

/// Options that determine the view. A baseline's camera is used as long as they are unchanged.
pub(super) const OF_THE_VIEW: [&str; 10] = [
    "camera-of",
    "center",
    "fit",
    "fov",
    "in-place",
    "resolution",
    "up",
    "view",
    "y-down",
    "zoom",
];

/// Meaning of the options.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
pub(super) struct Parsed {
    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    pub(super) view: view::Options,
}

/// Options with their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    values: BTreeMap<String, Value>,
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
        let command = Parsed::command();
        let mut options = command.get_arguments();
        let Some(option) = options.find(|option| option.get_long() == Some(key)) else {
            return Err(unknown(key));
        };
        let kind = Kind::of(key, option.get_action());
        let value = plain(value, kind).map_err(|text| format!("{key}: {text}"))?;
        if key == "renderer" && !matches!(value.as_str(), Some("cpu" | "gpu")) {
            return Err("renderer: expected \"cpu\" or \"gpu\"".into());
        }
        let alone = Self {
            values: [(key.to_owned(), value.clone())].into(),
            lines: BTreeMap::new(),
        };
        alone.parse()?;
        self.values.insert(key.to_owned(), value);
        self.lines.insert(key.to_owned(), line);
        Ok(())
    }

    /// Returns the options of a case: those in `over` take precedence.
    pub(super) fn under(&self, over: &Self) -> Self {
        let mut all = self.clone();
        let replaced = EITHER
            .iter()
            .filter(|pair| pair.iter().any(|it| over.has(it)));
        for option in replaced.flatten() {
            all.values.remove(*option);
        }
        if over.has("animation") {
            OF_MIX.iter().for_each(|it| drop(all.values.remove(*it)));
        }
        all.values.extend(over.values.clone());
        all.lines.extend(over.lines.clone());
        all
    }

    /// Sets an option that the suite leaves open, or the command line overrides.
    pub(super) fn put(&mut self, key: &str, value: &str) {
        self.values.insert(key.to_owned(), value.into());
    }

    /// Returns the value of an option with one value.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.values.get(key)?.as_str()
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// Returns all options, as recorded.
    pub(super) fn values(&self) -> &BTreeMap<String, Value> {
        &self.values
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
        Parsed::try_parse_from(self.typed()).map_err(|error| in_words(&error.to_string()))
    }

    /// Returns the options as command line words.
    pub(super) fn typed(&self) -> Vec<String> {
        let mut typed = Vec::new();
        for (key, value) in &self.values {
            match value {
                Value::Bool(false) => {}
                Value::Bool(true) => typed.push(format!("--{key}")),
                Value::Array(values) => {
                    let texts = values.iter().filter_map(Value::as_str);
                    typed.extend(texts.map(|text| format!("--{key}={text}")));
                }
                value => typed.push(format!("--{key}={}", value.as_str().unwrap_or_default())),
            }
        }
        typed
    }
}

/// Returns the message about an unknown key.
fn unknown(key: &str) -> String {
    let names = names();
    let names = names.iter().map(String::as_str);
    let near = nearest(key, names.chain(BESIDE_OPTIONS));
    let near = match near.is_empty() {
        true => String::new(),
        false => format!("; closest: {}", near.join(", ")),
    };
    format!("unknown key {key:?}{near} (pchr schema suite lists all keys)")
}

/// Returns the names of all options that a suite may set.
pub(super) fn names() -> Vec<String> {
    let command = Parsed::command();
    let longs = command
        .get_arguments()
        .filter_map(|option| option.get_long());
    let refused = |name: &str| REFUSED.iter().any(|(refused, _)| *refused == name);
    let kept = longs.filter(|name| !refused(name) && !matches!(*name, "help" | "version"));
    kept.map(str::to_owned).collect()
}

/// Returns the name, the kind of value and the help of each option, for the suite's schema.
pub(super) fn described() -> Vec<(String, Kind, String)> {
    let command = Parsed::command();
    let names = names();
    let describe = |option: &clap::Arg| {
        let name = option
            .get_long()
            .filter(|name| names.iter().any(|known| known == name))?;
        let help = option
            .get_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        Some((name.to_owned(), Kind::of(name, option.get_action()), help))
    };
    command.get_arguments().filter_map(describe).collect()
}

/// Kind of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// On or off.
    Switch,
    /// A text or a number.
    One,
    /// A text or a number, or its parts as a list.
    Parts,
    /// A text or a number, or several of them.
    Several,
}

impl Kind {
    fn of(name: &str, action: &ArgAction) -> Self {
        match action {
            ArgAction::SetTrue => Self::Switch,
            ArgAction::Append => Self::Several,
            _ if IN_PARTS.contains(&name) => Self::Parts,
            _ => Self::One,
        }
    }
}

/// Converts a value of a suite to its recorded form: true or false for a switch, else a string, or a list of strings.
fn plain(value: &DeValue<'_>, kind: Kind) -> Result<Value, String> {
    let text = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        _ => None,
    };
    let texts = || -> Option<Vec<String>> {
        match value {
            DeValue::Array(values) => values.iter().map(|one| text(one.get_ref())).collect(),
            one => text(one).map(|text| vec![text]),
        }
    };
    let (value, wanted) = match (kind, value) {
        (Kind::Switch, DeValue::Boolean(on)) => (Some((*on).into()), ""),
        (Kind::Switch, _) => (None, "true or false"),
        (Kind::One, one) => (text(one).map(Value::from), "a string or a number"),
        (Kind::Parts, _) => (
            texts().map(|parts| parts.join(",").into()),
            "a string, a number, or a list of the parts between commas",
        ),
        (Kind::Several, DeValue::Array(_)) => (texts().map(Value::from), "a list of strings"),
        (Kind::Several, _) => (texts().map(Value::from), "a string or a list of strings"),
    };
    value.ok_or_else(|| format!("expected {wanted}"))
}

/// Rewords an error of the command line for suites. A value is named by its option.
fn in_words(complaint: &str) -> String {
    let mut lines = complaint.lines();
    let line = lines.next().unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    let value = line
        .strip_prefix("invalid value '")
        .and_then(|rest| rest.split_once("' for '--"));
    let Some((value, rest)) = value else {
        return line.to_owned();
    };
    let (option, why) = rest.split_once('\'').unwrap_or((rest, ""));
    let key = option.split([' ', '=']).next().unwrap_or(option);
    let why = match why.strip_prefix(": ") {
        Some(why) => why.to_owned(),
        // The possible values are on their own line.
        None => {
            let possible = lines
                .find_map(|line| line.trim().strip_prefix("[possible values: "))
                .map(|values| values.trim_end_matches(']'));
            format!(
                "invalid value {value:?}: expected one of {}",
                possible.unwrap_or_default()
            )
        }
    };
    format!("{key}: {why}")
}
