//! Options that cannot be followed.

use std::fmt;

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
    pub(super) fn new(option: &'static str, reason: impl Into<String>) -> Self {
        Self { option, value: None, reason: reason.into(), candidates: None }
    }

    /// Names the value.
    pub(super) fn of(self, value: impl fmt::Display) -> Self {
        Self { value: Some(value.to_string()), ..self }
    }

    /// Names the option, but not its value.
    pub(super) fn of_option(self) -> Self {
        self.of("")
    }

    /// Lists the values that exist.
    pub(super) fn among(self, candidates: String) -> Self {
        Self { candidates: Some(candidates), ..self }
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
