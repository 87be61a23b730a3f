//! What was found wrong with a file, and where.

use std::fmt;

use super::{Rule, Severity, one_line};

/// A place in a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// The line, from 1.
    pub line: u32,
    /// The byte in its line, from 1.
    pub column: u32,
    /// The character in its line, from 1.
    pub character: u32,
}

impl TextPlace {
    /// The beginning of a text.
    pub const START: Self = Self {
        line: 1,
        column: 1,
        character: 1,
    };

    /// Goes on behind a byte of a text in UTF-8.
    pub fn pass(&mut self, byte: u8) {
        if byte == b'\n' {
            *self = Self {
                line: self.line.saturating_add(1),
                ..Self::START
            };
            return;
        }
        self.column = self.column.saturating_add(1);
        let begins = byte & 0xc0 != 0x80; // the others go on with a character
        self.character = self.character.saturating_add(begins.into());
    }
}

/// One place where a rule is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// Section and element in the file's own words, like `meshes[2].vertices[17].boneIds[1]`.
    pub path: String,
    /// Byte offset of the field in the file.
    pub offset: u64,
    /// The same place for people, if the field lies in text.
    pub text: Option<TextPlace>,
    /// What was found and what was expected.
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
    /// Bytes of a path or a message that are kept: a file may name things as it likes.
    const LONGEST: usize = 600;

    /// A finding in a file that is no text; path and message are cut to 600 bytes each.
    #[must_use]
    pub fn new(rule: Rule, offset: u64, path: &str, message: &str) -> Self {
        Self {
            rule,
            path: one_line(path, Self::LONGEST),
            offset,
            text: None,
            message: one_line(message, Self::LONGEST),
        }
    }

    /// Where it is, in words.
    pub fn place(&self) -> impl fmt::Display {
        std::fmt::from_fn(move |f| match self.text {
            Some(TextPlace { line, column, .. }) => {
                write!(f, "line {line}, column {column} (byte {})", self.offset)
            }
            None => write!(f, "byte {} ({:#x})", self.offset, self.offset),
        })
    }
}

/// Findings in the order they were met. At most [`Findings::PER_RULE`] are kept for each rule; all are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    kept: Vec<Finding>,
    counts: std::collections::BTreeMap<Rule, u64>,
}

impl Findings {
    /// How many findings of one rule are kept.
    pub const PER_RULE: u64 = 100;

    /// Adds a finding; `path` and `message` are made only if it is kept, and cut to 600 bytes each.
    #[cold]
    pub fn add(
        &mut self,
        rule: Rule,
        offset: u64,
        path: impl FnOnce() -> String,
        message: impl FnOnce() -> String,
    ) {
        if self.counts_as_kept(rule) {
            self.kept
                .push(Finding::new(rule, offset, &path(), &message()));
        }
    }

    /// Adds a finding that was made elsewhere.
    pub fn push(&mut self, finding: Finding) {
        if self.counts_as_kept(finding.rule) {
            self.kept.push(finding);
        }
    }

    /// Counts a finding; returns whether it is to be kept.
    fn counts_as_kept(&mut self, rule: Rule) -> bool {
        let count = self.counts.entry(rule).or_default();
        *count = count.saturating_add(1);
        *count <= Self::PER_RULE
    }

    /// Adds what was found elsewhere in the same file.
    pub fn extend(&mut self, other: Self) {
        for (rule, more) in other.counts {
            let count = self.counts.entry(rule).or_default();
            let room = Self::PER_RULE.saturating_sub(*count);
            *count = count.saturating_add(more);
            let of_rule = other.kept.iter().filter(|finding| finding.rule == rule);
            self.kept.extend(
                of_rule
                    .take(usize::try_from(room).unwrap_or(usize::MAX))
                    .cloned(),
            );
        }
    }

    /// The same findings, those that were kept said in other words.
    #[must_use]
    #[cfg_attr(
        not(feature = "json"),
        expect(dead_code, reason = "only text has other words")
    )]
    pub(crate) fn with_kept(self, kept: Vec<Finding>) -> Self {
        Self {
            kept,
            counts: self.counts,
        }
    }

    /// The findings that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.kept.iter()
    }

    /// The kept findings of one severity.
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.kept
            .iter()
            .filter(move |finding| finding.rule.severity() == severity)
    }

    /// How often a rule was broken, kept or not.
    #[must_use]
    pub fn count(&self, rule: Rule) -> u64 {
        self.counts.get(&rule).copied().unwrap_or(0)
    }

    /// How many findings of a severity there are, kept or not.
    #[must_use]
    pub fn total(&self, severity: Severity) -> u64 {
        let of_severity = self
            .counts
            .iter()
            .filter(|(rule, _)| rule.severity() == severity);
        of_severity.map(|(_, count)| count).sum()
    }

    /// Whether there is nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The first error, the one a program prints on its one line.
    #[must_use]
    pub fn first_error(&self) -> Option<&Finding> {
        self.of(Severity::Error).next()
    }
}

impl<'a> IntoIterator for &'a Findings {
    type Item = &'a Finding;
    type IntoIter = std::slice::Iter<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A file that cannot be loaded: at least one finding is an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Invalid(pub Findings);

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.0.first_error() else {
            return f.write_str("invalid file");
        };
        write!(f, "{first}")?;
        match self.0.total(Severity::Error).saturating_sub(1) {
            0 => Ok(()),
            1 => f.write_str(" (and 1 more error)"),
            more => write!(f, " (and {more} more errors)"),
        }
    }
}
