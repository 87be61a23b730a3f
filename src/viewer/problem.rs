//! A failure, in the words and parts that the window shows.

use super::loaded::{LoadError, Source};
use crate::finding::{Finding, Severity};
use crate::text::visible;

/// One failure, shown until it is dismissed or something else is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Failed operation, in words.
    pub title: String,
    /// Reason, in a sentence.
    pub message: String,
    /// Finding behind it, if the file is at fault.
    pub finding: Option<Box<Finding>>,
    /// Number of further errors.
    pub more: u64,
    /// File with the failure, if any.
    pub source: Option<Source>,
}

impl Problem {
    /// Creates a failure that no file is to blame for.
    pub(crate) fn new(title: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            title: visible(&title.into()).into_owned(),
            message: visible(&message.into()).into_owned(),
            finding: None,
            more: 0,
            source: None,
        }
    }

    /// Does the same with a message of several lines.
    pub(crate) fn of_lines<'a>(
        title: impl Into<String>,
        lines: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let lines: Vec<_> = lines.into_iter().map(visible).collect();
        Self {
            message: lines.join("\n"),
            ..Self::new(title, "")
        }
    }

    /// Creates a problem from a finding that does not keep a file from being shown.
    pub(crate) fn of_finding(title: impl Into<String>, finding: &Finding, more: u64) -> Self {
        Self {
            title: title.into(),
            message: visible(&finding.message).into_owned(),
            finding: Some(Box::new(finding.clone())),
            more,
            source: None,
        }
    }

    /// Gives it another title.
    pub(crate) fn titled(self, title: impl Into<String>) -> Self {
        Self {
            title: visible(&title.into()).into_owned(),
            ..self
        }
    }

    /// Names the file with the failure.
    pub(crate) fn of(self, source: &Source) -> Self {
        Self {
            source: Some(source.clone()),
            ..self
        }
    }

    /// Creates the problem of a file that could not be opened.
    pub(crate) fn of_load(source: &Source, error: &LoadError) -> Self {
        let title = format!("{} could not be opened", source.name());
        let problem = match error {
            LoadError::Io(message) => Self::new(title, message),
            LoadError::Invalid(invalid) => match invalid.0.first_error() {
                None => Self::new(title, invalid.to_string()),
                Some(first) => {
                    let more = invalid.0.total(Severity::Error).saturating_sub(1);
                    Self::of_finding(title, first, more)
                }
            },
        };
        problem.of(source)
    }

    /// Returns reason and place on one line.
    pub(crate) fn detail(&self) -> String {
        match &self.finding {
            Some(finding) => visible(&finding.to_string()).into_owned(),
            None => self.message.clone(),
        }
    }

    /// Returns everything for the clipboard, one line each.
    pub(crate) fn text(&self) -> String {
        let detail = self.detail();
        match self.more {
            0 => format!("{}\n{detail}\n", self.title),
            more => format!("{}\n{detail}\nand {more} more\n", self.title),
        }
    }
}
