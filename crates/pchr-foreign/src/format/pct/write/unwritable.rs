//! Names that a PCT file cannot hold.

use std::fmt;

use thiserror::Error;

use pchr::finding::quoted;

use super::name::Name;

/// Names that a PCT file cannot hold.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}", summary(.0))]
pub struct UnwritableNames(pub Vec<Unwritable>);

/// A name that a PCT file cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The named item.
    pub subject: Subject,
    /// The whole name.
    pub name: String,
    /// The reason, as the end of a sentence: `has a line break`.
    pub reason: &'static str,
}

/// An item with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A page, by its file.
    Page,
    /// A sprite.
    Sprite,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Page => "page",
            Self::Sprite => "sprite",
        })
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = quoted(&self.name);
        write!(f, "{} {name}: {}", self.subject, self.reason)
    }
}

/// Returns the reason why a sprite's name cannot be written, if any: `has a line break`.
#[must_use]
pub fn unwritable_name(name: &str) -> Option<&'static str> {
    Name::new(name).problem()
}

fn summary(names: &[Unwritable]) -> String {
    match names {
        [] => String::new(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{first}; and {} more", rest.len()),
    }
}
