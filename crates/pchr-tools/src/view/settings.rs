//! Options as text, by their long names: the form that command lines, suites and sessions share.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::fmt;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Command};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use toml::de::DeValue;

/// Value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Setting {
    /// On or off.
    Switch(bool),
    /// A text, or a number as it is typed.
    One(String),
    /// Texts of an option that can be repeated.
    Several(Vec<String>),
}

/// Form of an option's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// On or off.
    Switch,
    /// A text or a number.
    One,
    /// A text or a number, or its parts as a list.
    Parts,
    /// A text or a number, or several of them.
    Several,
}

impl Form {
    pub(crate) fn schema(self) -> Map<String, Value> {
        let schema = match self {
            Self::Switch => json!({"type": "boolean"}),
            Self::Parts | Self::Several => {
                json!({"type": ["string", "number", "array"], "items": {"type": ["string", "number"]}})
            }
            Self::One => json!({"type": ["string", "number"]}),
        };
        schema.as_object().cloned().unwrap_or_default()
    }
}

/// Options with their values, by long name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Settings(BTreeMap<String, Setting>);

/// Option that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misread {
    /// Long name of the option.
    pub(crate) option: String,
    /// Reason, with the wrong value and the expected one.
    pub(crate) why: String,
}

impl Settings {
    pub(crate) fn put(&mut self, name: &str, setting: Setting) {
        self.0.insert(name.to_owned(), setting);
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Returns an option.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Setting> {
        self.0.get(name)
    }

    /// Takes over other options; they replace those of the same name.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.0.extend(other.0.clone());
    }

    /// Names and values, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Setting)> {
        self.0.iter().map(|(name, setting)| (name.as_str(), setting))
    }

    /// Names of the options, in alphabetical order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns each value as one word, `--name=value`, in alphabetical order.
    pub(crate) fn assignments(&self) -> impl Iterator<Item = String> {
        self.0.iter().flat_map(|(name, setting)| {
            let value = |text: &String| format!("--{name}={text}");
            match setting {
                Setting::Switch(true) => vec![format!("--{name}")],
                Setting::Switch(false) => vec![format!("--{name}=false")],
                Setting::One(text) => vec![value(text)],
                Setting::Several(texts) => texts.iter().map(value).collect::<Vec<_>>(),
            }
        })
    }

    /// Parses the options by the grammar of these arguments: [`Shown`], alone or beside others.
    pub(crate) fn parse<T: Args>(&self, grammar: &Command) -> Result<T, Misread> {
        let mut given = self.clone();
        let flags = grammar.get_arguments().filter(|arg| !arg.get_action().takes_values());
        for flag in flags.filter_map(|flag| flag.get_long()) {
            if self.get(flag) == Some(&Setting::Switch(false)) {
                given.remove(flag); // it takes no value
            }
        }
        let matches = grammar.clone().try_get_matches_from(given.assignments());
        let parsed = matches.and_then(|matches| T::from_arg_matches(&matches));
        parsed.map_err(|error| Misread::new(&error))
    }
}

/// Formats a value as JSON.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl Setting {
    /// Reads a value of a TOML file. Numbers are taken as texts.
    pub(crate) fn read(value: &DeValue<'_>, form: Form) -> Result<Self, String> {
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
        let (setting, wanted) = match (form, value) {
            (Form::Switch, DeValue::Boolean(on)) => (Some(Self::Switch(*on)), ""),
            (Form::Switch, _) => (None, "true or false"),
            (Form::One, one) => (text(one).map(Self::One), "a string or a number"),
            (Form::Parts, _) => (
                texts().map(|parts| Self::One(parts.join(","))),
                "a string, a number, or a list of the parts between commas",
            ),
            (Form::Several, DeValue::Array(_)) => (texts().map(Self::Several), "a list of strings"),
            (Form::Several, _) => (texts().map(Self::Several), "a string or a list of strings"),
        };
        setting.ok_or_else(|| format!("expected {wanted}"))
    }
}

impl Misread {
    /// Takes an error of the command line's parser apart.
    fn new(error: &clap::Error) -> Self {
        let text = |kind| match error.get(kind) {
            Some(ContextValue::String(text)) => text.clone(),
            _ => String::new(),
        };
        let option = |kind| {
            let usage = text(kind); // such as "--zoom <PIXELS_PER_UNIT>"
            let name = usage.trim_start_matches("--").split([' ', '=', '[']).next();
            name.unwrap_or_default().to_owned()
        };
        let name = option(ContextKind::InvalidArg);
        let why = match (error.kind(), error.get(ContextKind::ValidValue)) {
            (ErrorKind::InvalidValue, Some(ContextValue::Strings(valid))) => {
                let value = text(ContextKind::InvalidValue);
                format!("invalid value {value:?}: expected one of {}", valid.join(", "))
            }
            (ErrorKind::ArgumentConflict, _) => {
                format!("cannot be combined with {}", option(ContextKind::PriorArg))
            }
            (kind, _) => match error.source() {
                Some(why) => why.to_string(),
                None => kind.to_string(),
            },
        };
        Self { option: name, why }
    }
}
