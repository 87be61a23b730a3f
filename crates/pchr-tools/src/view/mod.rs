//! The grammar of a picture's content: the options, their values, and the selected pictures of a subject.
//!
//! [`Shown`] is what a picture shows, and `option_table` has a row for each option; values are parsed from text and formatted to it.
//! `select` resolves their names in a subject, `plan` lists the pictures with their cameras and paths. No file is opened.

pub(crate) mod cameras;
mod choices;
pub mod element_names;
mod mixes;
pub(crate) mod option_rules;
mod option_table;
mod option_values;
pub(crate) mod plan;
pub(crate) mod reel_and_contact;
pub(crate) mod select;
pub(crate) mod settings;

use std::fmt;

pub use self::choices::{
    AdapterArgs, FilterArg, Fit, LoopArg, OverlayItem, OverlayList, SamplesArg, UpArg,
};
pub use self::option_table::{Playing, Shown, on};
pub use self::option_values::{
    FadeTime, ImageSwap, Mixing, Point, Section, Size, Tint, Tints, ViewDirection, ZOrder,
};
pub use self::select::Resolved;
pub use self::settings::{Setting, Settings};
pub use crate::capture::Background;

pub(crate) use self::cameras::{CameraOf, CameraReport};
pub(crate) use self::choices::{RendererArg, RendererArgs};
pub(crate) use self::option_table::{MARKS, Mark, PLAYING_MARKS};
pub(crate) use self::option_values::rate;
pub(crate) use crate::capture::Output;

/// An option that asks for what the subject does not have, or that does not apply to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewError {
    /// Long name of the option.
    pub option: &'static str,
    /// Value of the option; empty if the reason names it, `None` if the reason names the option, too.
    pub value: Option<String>,
    /// Reason, without the option.
    pub reason: String,
    /// Values that exist, in words.
    pub candidates: Option<String>,
}

impl ViewError {
    fn new(option: &'static str, reason: impl Into<String>) -> Self {
        Self { option, value: None, reason: reason.into(), candidates: None }
    }

    /// Names the value.
    fn of(self, value: impl fmt::Display) -> Self {
        Self { value: Some(value.to_string()), ..self }
    }

    /// Names the option, but not its value.
    fn of_option(self) -> Self {
        self.of("")
    }

    /// Lists the values that exist.
    fn among(self, candidates: String) -> Self {
        Self { candidates: Some(candidates), ..self }
    }

    /// Returns option, value and reason in words, for a list.
    #[must_use]
    pub fn in_a_line(&self) -> String {
        format!("{}: {}", self.option, Self { candidates: None, ..self.clone() }.why())
    }

    /// Returns value, reason and candidates in words, for a place that names the option already.
    pub(crate) fn why(&self) -> String {
        let value = self.value.as_ref().filter(|value| !value.is_empty());
        let value = value.map_or(String::new(), |value| format!("{value}: "));
        match &self.candidates {
            None => format!("{value}{}", self.reason),
            Some(candidates) => format!("{value}{}; {candidates}", self.reason),
        }
    }
}

/// Formats the error for a command line.
impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value.as_deref() {
            None => {}
            Some("") => write!(f, "--{}: ", self.option)?,
            Some(_) => write!(f, "--{} ", self.option)?,
        }
        f.write_str(&self.why())
    }
}

impl std::error::Error for ViewError {}
