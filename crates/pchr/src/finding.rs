//! Findings about files of any format: a rule, a place in terms of that format, and a message.
//!
//! Each format has a table of rules, made by `rules!`; [`Rule`] is a rule of any table. The message of a finding is formatted when
//! the finding is made, from the text that was read.
#![deny(clippy::arithmetic_side_effects)]

use std::collections::BTreeMap;
use std::fmt;

/// Severity of a broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is wrong with the file; only asked for.
    Note,
    /// The file is shown anyway.
    Warning,
    /// The file is not loaded.
    Error,
}

impl Severity {
    /// Returns the severity as a word, the same in all reports: `note`, `warning` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A rule for files of a format. Rules are ordered by id: errors before warnings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule(&'static RuleText);

/// Defines the texts of a rule, and a function of [`Rule`] for each.
macro_rules! texts {
    ($($(#[doc = $doc:literal])+ $text:ident: $type:ty,)+) => {
        /// Texts of a rule. Its id is a contract: it is never used for another rule.
        #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct RuleText {
            $($(#[doc = $doc])+ pub $text: $type,)+
        }

        impl Rule {
            $(
                $(#[doc = $doc])+
                #[must_use]
                pub const fn $text(self) -> $type {
                    self.0.$text
                }
            )+
        }
    };
}

texts! {
    /// The stable id, like `PCHR-E012`.
    id: &'static str,
    /// A readable name, like `bone-parent-order`. It is as stable as the id, and rules of several formats with the same requirement
    /// share it.
    name: &'static str,
    /// Severity. Errors stop the load.
    severity: Severity,
    /// The requirement, in one sentence.
    about: &'static str,
    /// An example finding, as path and message, about a file that breaks the rule.
    example: &'static str,
    /// Advice to the author of the file.
    advice: &'static str,
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.id)
    }
}

impl Rule {
    /// Returns the rule with these texts.
    #[must_use]
    pub const fn new(text: &'static RuleText) -> Self {
        Self(text)
    }
}

/// Defines the table of a format: an enum with a variant per rule, sorted by id, each of which is a [`Rule`].
#[doc(hidden)]
#[macro_export]
macro_rules! finding_rules {
    ($(#[doc = $of:literal])+ $table:ident $prefix:literal
    $($(#[doc = $doc:literal])+ $variant:ident = $severity:ident $number:literal $name:literal,
        example: $example:literal,
        advice: $advice:literal;
    )+) => {
        $(#[doc = $of])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $table {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl $table {
            /// Every rule, errors first.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the rule with its texts.
            #[must_use]
            pub const fn rule(self) -> $crate::finding::Rule {
                match self {
                    $(Self::$variant => {
                        const TEXT: $crate::finding::RuleText = $crate::finding::RuleText {
                            id: $crate::finding::rules!(@id $severity $prefix $number),
                            name: $name,
                            severity: $crate::finding::Severity::$severity,
                            about: concat!($($doc),+).trim_ascii(),
                            example: $example,
                            advice: $advice,
                        };
                        $crate::finding::Rule::new(&TEXT)
                    })+
                }
            }
        }

        impl From<$table> for $crate::finding::Rule {
            fn from(rule: $table) -> Self {
                rule.rule()
            }
        }

        impl PartialEq<$table> for $crate::finding::Rule {
            fn eq(&self, rule: &$table) -> bool {
                *self == rule.rule()
            }
        }
    };
    (@id Error $prefix:literal $number:literal) => { concat!($prefix, "-E", $number) };
    (@id Note $prefix:literal $number:literal) => { concat!($prefix, "-N", $number) };
    (@id Warning $prefix:literal $number:literal) => { concat!($prefix, "-W", $number) };
}

pub use finding_rules as rules;

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
        write!(f, "{id} {name}: {} at {}: {}", self.path, self.place(), self.message)
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

/// Text of a path or a message: known, or made by a function if it is needed.
pub trait Words {
    /// Returns the text.
    fn words(self) -> String;
}

impl Words for &str {
    fn words(self) -> String {
        self.to_owned()
    }
}

impl<F: FnOnce() -> String> Words for F {
    fn words(self) -> String {
        self()
    }
}

/// Findings in the order in which they were added. At most [`Findings::PER_RULE`] are kept for each rule; all are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    kept: Vec<Finding>,
    counts: BTreeMap<Rule, u64>,
}

impl Findings {
    /// Maximum number of findings of one rule that are kept.
    pub const PER_RULE: u64 = 100;

    /// Adds a finding. `path` and `message` are made only if it is kept, and cut to 600 bytes each.
    #[cold]
    pub fn add(
        &mut self,
        rule: impl Into<Rule>,
        offset: u64,
        path: impl Words,
        message: impl Words,
    ) {
        let rule = rule.into();
        if self.counts_as_kept(rule) {
            self.kept.push(Finding::new(rule, offset, &path.words(), &message.words()));
        }
    }

    /// Adds an existing finding.
    pub fn push(&mut self, finding: Finding) {
        if self.counts_as_kept(finding.rule) {
            self.kept.push(finding);
        }
    }

    /// Counts a finding. Returns true if it is to be kept.
    fn counts_as_kept(&mut self, rule: Rule) -> bool {
        let count = self.counts.entry(rule).or_default();
        *count = count.saturating_add(1);
        *count <= Self::PER_RULE
    }

    /// Adds other findings about the same file.
    pub fn extend(&mut self, other: Self) {
        for (rule, more) in other.counts {
            let count = self.counts.entry(rule).or_default();
            let room = Self::PER_RULE.saturating_sub(*count);
            *count = count.saturating_add(more);
            let of_rule = other.kept.iter().filter(|finding| finding.rule == rule);
            self.kept.extend(of_rule.take(usize::try_from(room).unwrap_or(usize::MAX)).cloned());
        }
    }

    /// Moves the findings of a rule to the front.
    pub fn put_first(&mut self, rule: impl Into<Rule>) {
        let rule = rule.into();
        self.kept.sort_by_key(|finding| finding.rule != rule);
    }

    /// Returns the same findings, with the kept ones reworded.
    #[must_use]
    pub fn with_kept(self, kept: Vec<Finding>) -> Self {
        Self { kept, counts: self.counts }
    }

    /// Returns the findings about a text, with their lines and columns in it. An offset that was counted in characters may be
    /// beyond the end, if they replaced bytes that are not UTF-8. It is set to the end then.
    #[must_use]
    pub fn in_text(mut self, text: &[u8]) -> Self {
        let offset = |finding: &Finding| usize::try_from(finding.offset).unwrap_or(usize::MAX);
        let offsets: Vec<usize> = self.kept.iter().map(offset).collect();
        let end = text.len() as u64;
        for (finding, place) in self.kept.iter_mut().zip(TextPlace::all(text, &offsets)) {
            finding.text = Some(place);
            finding.offset = finding.offset.min(end);
        }
        self
    }

    /// Returns the kept findings.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.kept.iter()
    }

    /// Returns the kept findings of one severity.
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.kept.iter().filter(move |finding| finding.rule.severity() == severity)
    }

    /// Returns how often a rule was broken, kept or not.
    #[must_use]
    pub fn count(&self, rule: impl Into<Rule>) -> u64 {
        self.counts.get(&rule.into()).copied().unwrap_or(0)
    }

    /// Returns the number of findings of a severity, kept or not.
    #[must_use]
    pub fn total(&self, severity: Severity) -> u64 {
        let of_severity = self.counts.iter().filter(|(rule, _)| rule.severity() == severity);
        of_severity.map(|(_, count)| count).sum()
    }

    /// Returns true if there are no findings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns the first error, which a program prints as its one line.
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

/// Findings of a file that cannot be loaded. At least one is an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Invalid(pub Findings);

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.0.first_error() else { return f.write_str("invalid file") };
        write!(f, "{first}")?;
        match self.0.total(Severity::Error).saturating_sub(1) {
            0 => Ok(()),
            more => write!(f, " (and {})", counted(more, "more error", "more errors")),
        }
    }
}

/// A place in a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// Line, from 1.
    pub line: u32,
    /// Byte in its line, from 1.
    pub column: u32,
    /// Character in its line, from 1.
    pub character: u32,
}

impl TextPlace {
    /// Start of a text.
    pub const START: Self = Self { line: 1, column: 1, character: 1 };

    /// Moves past a byte of a text in UTF-8.
    fn pass(&mut self, byte: u8) {
        if byte == b'\n' {
            *self = Self { line: self.line.saturating_add(1), ..Self::START };
            return;
        }
        self.column = self.column.saturating_add(1);
        let begins = byte & 0xc0 != 0x80; // the others go on with a character
        self.character = self.character.saturating_add(begins.into());
    }

    /// Returns the places of byte offsets in a text, in one pass.
    #[must_use]
    pub fn all(text: &[u8], offsets: &[usize]) -> Vec<Self> {
        let mut sorted: Vec<usize> = (0..offsets.len()).collect();
        let offset = |index: usize| offsets.get(index).copied().unwrap_or(0);
        sorted.sort_by_key(|index| offset(*index));
        let mut places = vec![Self::START; offsets.len()];
        let mut place = Self::START;
        let mut at = 0;
        for index in sorted {
            let end = offset(index).min(text.len());
            for byte in text.get(at..end).unwrap_or_default() {
                place.pass(*byte);
            }
            at = at.max(end);
            if let Some(found) = places.get_mut(index) {
                *found = place;
            }
        }
        places
    }
}

/// Returns the byte offset of a line and column, both from 1, as a parser reports them.
#[must_use]
pub fn offset_of(text: &[u8], line: usize, column: usize) -> usize {
    let newlines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let start = match line.saturating_sub(2) {
        _ if line < 2 => 0,
        before => newlines.map(|(at, _)| at).nth(before).map_or(0, |at| at.saturating_add(1)),
    };
    start.saturating_add(column.saturating_sub(1)).min(text.len())
}

/// Maximum number of characters shown of a name.
const LONGEST_NAME: usize = 120;

/// Formats a name in quotes, with escapes for invisible characters. A name of more than 120 characters ends in `…`.
pub fn quoted(name: &str) -> impl fmt::Display {
    fmt::from_fn(move |f| match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => write!(f, "{:?}…", name.get(..end).unwrap_or_default()),
        None => write!(f, "{name:?}"),
    })
}

/// Returns text of a file as one line of at most `most` bytes and `…`. Control characters and those that change the writing
/// direction are escaped.
#[must_use]
pub fn one_line(text: &str, most: usize) -> String {
    let mut line = String::with_capacity(text.len().min(most));
    for c in text.chars() {
        if line.len() >= most {
            line.push('…');
            break;
        }
        let direction = matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || direction || matches!(c, '\u{2028}' | '\u{2029}') {
            line.extend(c.escape_unicode());
        } else {
            line.push(c);
        }
    }
    line
}

/// Formats a whole number with its noun: `1 vertex`, `3 vertices`.
pub fn counted(count: impl fmt::Display, one: &str, many: &str) -> String {
    let count = count.to_string();
    let noun = if count == "1" { one } else { many };
    format!("{count} {noun}")
}

/// Formats a whole number with its noun as a clause: `there is 1 bone`, `there are 3 bones`.
pub fn there_are(count: impl fmt::Display, one: &str, many: &str) -> String {
    let counted = counted(count, one, many);
    let verb = if counted.starts_with("1 ") { "is" } else { "are" };
    format!("there {verb} {counted}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_lines_belong_together() {
        let text = "{\n  \"ä\": 1,\n\n  \"b\": 2\n}".as_bytes();
        let offsets = [0, 10, 19, 2, 23, 99];
        let places = TextPlace::all(text, &offsets);
        let lines: Vec<(u32, u32)> = places.iter().map(|p| (p.line, p.column)).collect();
        assert_eq!(lines, [(1, 1), (2, 9), (4, 6), (2, 1), (5, 1), (5, 2)]);
        let characters: Vec<u32> = places.iter().map(|place| place.character).collect();
        assert_eq!(characters, [1, 8, 6, 1, 1, 2]);
        for (offset, place) in offsets.into_iter().zip(places) {
            let back = offset_of(text, place.line as usize, place.column as usize);
            assert_eq!(back, offset.min(text.len()));
        }
    }

    #[test]
    fn text_of_a_file_is_one_line_of_bounded_length() {
        assert_eq!(one_line("a\n\u{1b}[31mé\u{202e}", 300), "a\\u{a}\\u{1b}[31mé\\u{202e}");
        assert_eq!(one_line(&"ä".repeat(1000), 300).chars().count(), 151);
        assert_eq!(quoted("a\n\"").to_string(), r#""a\n\"""#);
        let long = quoted(&"ä".repeat(1000)).to_string();
        assert!(long.ends_with("ä\"…") && long.chars().count() == 123, "{long}");
    }

    #[test]
    fn nouns_and_verbs_agree_with_the_count() {
        assert_eq!(counted(1_u8, "index", "indices"), "1 index");
        assert_eq!(counted(11, "index", "indices"), "11 indices");
        assert_eq!(there_are(0, "bone", "bones"), "there are 0 bones");
        assert_eq!(there_are(1_u64, "bone", "bones"), "there is 1 bone");
        assert_eq!(there_are(21, "bone", "bones"), "there are 21 bones");
    }
}
