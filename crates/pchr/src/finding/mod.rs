//! Findings about files of any format: a rule, a place in terms of that format, and a message.
//!
//! Each format has a table of rules, made by `rules!`; [`Rule`] is a rule of any table. The message of a finding is formatted when
//! the finding is made, from the text that was read.

mod counted;
mod list;
mod place;
mod quoted;
mod rule;

use std::fmt;

pub use counted::{counted, there_are};
pub use list::{Findings, Invalid};
pub use place::{TextPlace, offset_of};
pub use quoted::{one_line, quoted};
pub use rule::rules;
pub use rule::{Rule, RuleText, Severity};

/// One place where a rule is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// Section and element in terms of the file's format, like `meshes[2].vertices[17].boneIds[1]`.
    pub path: String,
    /// Byte offset of the field in the file.
    pub offset: u64,
    /// The place in lines and columns, if the field is in text.
    pub text: Option<TextPlace>,
    /// Found and expected values.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (id, name) = (self.rule.id(), self.rule.name());
        write!(
            f,
            "{id} {name}: {} at {}: {}",
            self.path,
            self.place(),
            self.message
        )
    }
}

impl Finding {
    /// Maximum number of bytes of a path or a message. A file may contain names of any length.
    const LONGEST: usize = 600;

    /// Creates a finding in a binary file. Path and message are cut to 600 bytes each.
    #[must_use]
    pub fn new(rule: impl Into<Rule>, offset: u64, path: &str, message: &str) -> Self {
        Self {
            rule: rule.into(),
            path: one_line(path, Self::LONGEST),
            offset,
            text: None,
            message: one_line(message, Self::LONGEST),
        }
    }

    /// Formats the place of the finding.
    pub fn place(&self) -> impl fmt::Display {
        std::fmt::from_fn(move |f| match self.text {
            Some(TextPlace { line, column, .. }) => {
                write!(f, "line {line}, column {column} (byte {})", self.offset)
            }
            None => write!(f, "byte {} ({:#x})", self.offset, self.offset),
        })
    }
}
