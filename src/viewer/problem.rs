//! What went wrong, in the words and pieces that the window shows.

use super::loaded::{LoadError, Source};
use crate::finding::{Finding, Severity};
use crate::text::visible;

/// One failure, shown until it is dismissed or something else is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// What could not be done.
    pub title: String,
    /// Why, in a sentence.
    pub message: String,
    /// The finding behind it, if the file is at fault.
    pub finding: Option<Box<Finding>>,
    /// How many more errors were found.
    pub more: u64,
    /// The file that it is about, if it is about one.
    pub source: Option<Source>,
}

impl Problem {
    /// A failure that no file is to blame for.
    pub(crate) fn new(title: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            title: visible(&title.into()).into_owned(),
            message: visible(&message.into()).into_owned(),
            finding: None,
            more: 0,
            source: None,
        }
    }

    /// The same, told in several lines.
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

    /// A finding that does not keep a file from being shown.
    pub(crate) fn of_finding(title: impl Into<String>, finding: &Finding, more: u64) -> Self {
        Self {
            title: title.into(),
            message: visible(&finding.message).into_owned(),
            finding: Some(Box::new(finding.clone())),
            more,
            source: None,
        }
    }

    /// The same about a file.
    pub(crate) fn of(self, source: &Source) -> Self {
        Self {
            source: Some(source.clone()),
            ..self
        }
    }

    /// A file that could not be opened.
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

    /// Why, and where, on one line.
    pub(crate) fn detail(&self) -> String {
        match &self.finding {
            Some(finding) => visible(&finding.to_string()).into_owned(),
            None => self.message.clone(),
        }
    }

    /// Everything on one line each, for the clipboard.
    pub(crate) fn text(&self) -> String {
        let detail = self.detail();
        match self.more {
            0 => format!("{}\n{detail}\n", self.title),
            more => format!("{}\n{detail}\nand {more} more\n", self.title),
        }
    }
}
