//! Reads a refused text again, continuing after each error, so that all errors are found at once.
//!
//! Each value is taken as a slice of the text first, and then parsed separately, so that its errors stay within it.

use serde::de::Error as _;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::findings::{At, Noted};
use super::locate::locate;
use super::path::{Path, Step};
use crate::document::PchrRule;
use crate::finding::offset_of;

/// A value that is parsed separately, with its path tracked.
pub(super) type Value<'a, 'b, 'de> = serde_path_to_error::Deserializer<
    'a,
    'b,
    &'a mut serde_json::Deserializer<serde_json::de::StrRead<'de>>,
>;

/// Findings so far, and the current place.
#[derive(Debug)]
pub(super) struct Audit {
    /// The address of the text: values are slices of it.
    text: usize,
    /// Values around the current one: the steps to them, and their offsets.
    around: Vec<(Step, usize)>,
    /// Byte offset of the document.
    start: usize,
    /// Rule that the last refused value breaks, unless the parser refused it.
    pub(super) broken: Option<PchrRule>,
    pub(super) noted: Noted,
}

impl Audit {
    pub(super) fn new(text: &str) -> Self {
        let space = text.bytes().take_while(u8::is_ascii_whitespace).count();
        Self {
            text: text.as_ptr().addr(),
            around: Vec::new(),
            start: space,
            broken: None,
            noted: Noted::default(),
        }
    }

    /// Returns the byte offset of a slice of the text.
    fn offset(&self, part: &RawValue) -> usize {
        part.get().as_ptr().addr().saturating_sub(self.text)
    }

    /// Returns the path of the current value, and steps within it.
    fn path(&self, inner: &Path) -> Path {
        let around = self.around.iter().map(|(step, _)| step.clone());
        around.chain(inner.steps().iter().cloned()).collect()
    }

    /// Adds a finding about a refused value.
    fn refused(&mut self, value: &RawValue, error: &serde_json::Error, inner: Path) {
        let text = value.get();
        let start = self.offset(value);
        let parsed_to = || offset_of(text.as_bytes(), error.line(), error.column());
        let Refusal {
            rule,
            message,
            inner,
            at,
        } = Refusal::of(error, self.broken.take(), inner);
        let path = self.path(&inner);
        let at = || {
            let at = match at {
                Whence::Parser => parsed_to(),
                Whence::Path => match locate(text, &[&inner]).first() {
                    Some(place) if place.exact => place.at,
                    _ => parsed_to(),
                },
            };
            At::Byte(start.saturating_add(at))
        };
        self.noted.add(rule, || path, || message, at);
    }

    /// Adds a finding about a key of the current object.
    fn key(&mut self, rule: PchrRule, key: Option<&str>, at: usize, message: String) {
        let inner: Path = key
            .map(|key| Step::Key(key.to_owned().into()))
            .into_iter()
            .collect();
        let path = self.path(&inner);
        self.noted.add(rule, || path, || message, || At::Byte(at));
    }

    /// Adds a finding about an unknown key, with its value.
    pub(super) fn unknown(&mut self, key: &str, value: &RawValue, known: &'static [&'static str]) {
        let at = self.offset(value);
        let message = serde_json::Error::unknown_field(key, known).to_string();
        self.key(PchrRule::JsonKey, Some(key), at, message);
    }

    /// Adds a finding about a duplicate key, with its value.
    pub(super) fn duplicate(&mut self, key: &'static str, value: &RawValue) {
        let at = self.offset(value);
        let message = serde_json::Error::duplicate_field(key).to_string();
        self.key(PchrRule::JsonValue, None, at, message);
    }

    /// Adds a finding about a missing key.
    pub(super) fn missing(&mut self, key: &'static str) {
        let at = self.around.last().map_or(self.start, |(_, start)| *start);
        let message = serde_json::Error::missing_field(key).to_string();
        self.key(PchrRule::JsonValue, None, at, message);
    }

    /// Adds a finding about the whole document.
    pub(super) fn whole(&mut self, error: &serde_json::Error) {
        let Refusal { rule, message, .. } = Refusal::of(error, self.broken.take(), Path::default());
        let at = self.start;
        self.key(rule, None, at, message);
    }
}

/// Reads a value by itself, as part of `owner`; notes a refusal.
pub(super) fn value<'de, T: ?Sized>(
    owner: &mut T,
    audit: impl Fn(&mut T) -> Option<&mut Audit>,
    step: Step,
    value: &'de RawValue,
    read: impl FnOnce(&mut T, Value<'_, '_, 'de>) -> serde_json::Result<()>,
) {
    if let Some(audit) = audit(owner) {
        let start = audit.offset(value);
        audit.around.push((step, start));
    }
    let mut track = serde_path_to_error::Track::new();
    let mut json = serde_json::Deserializer::from_str(value.get());
    let tracked = serde_path_to_error::Deserializer::new(&mut json, &mut track);
    let result = read(owner, tracked);
    if let Some(audit) = audit(owner) {
        if let Err(error) = result {
            audit.refused(value, &error, Path::from(&track.path()));
        }
        audit.around.pop();
    }
}

/// Place of a refused value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whence {
    /// The place where the parser stopped.
    Parser,
    /// The value at its path.
    Path,
}

/// Reason why the parser, or the reader of its values, stopped.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) rule: PchrRule,
    pub(super) message: String,
    /// Steps to the refused value.
    pub(super) inner: Path,
    pub(super) at: Whence,
}

impl Refusal {
    /// Returns the finding for an error at a path. `broken` is the rule, where it was not the parser that stopped.
    pub(super) fn of(error: &serde_json::Error, broken: Option<PchrRule>, mut inner: Path) -> Self {
        let said = error.to_string();
        let message = said
            .rsplit_once(" at line ")
            .map_or(said.as_str(), |(message, _)| message);
        // The parser does not accept numbers that are too large.
        let is_value = error.classify() == Category::Data || message == "number out of range";
        let (rule, at) = if let Some(rule) = broken {
            (rule, Whence::Path)
        } else if let Some(key) = unknown_key(message) {
            // The parser may already have reported the key.
            let reported = matches!(inner.last(), Some(Step::Key(last)) if last == key);
            if !reported {
                inner.push(Step::Key(key.to_owned().into()));
            }
            (PchrRule::JsonKey, Whence::Path)
        } else if message.starts_with("duplicate field") {
            (PchrRule::JsonValue, Whence::Parser)
        } else if is_value {
            (PchrRule::JsonValue, Whence::Path)
        } else {
            (PchrRule::JsonSyntax, Whence::Parser)
        };
        let message = message.to_owned();
        Self {
            rule,
            message,
            inner,
            at,
        }
    }
}

/// Returns the key that a message calls unknown. It may contain the quotation mark that encloses it.
fn unknown_key(message: &str) -> Option<&str> {
    let quoted = message.strip_prefix("unknown field `")?;
    let end = quoted.rsplit_once("`, expected ");
    Some(end.map_or(quoted, |(key, _)| key))
}
