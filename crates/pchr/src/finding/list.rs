//! All findings about a file, and a file that is refused for them.

use std::collections::BTreeMap;
use std::fmt;

use super::TextPlace;
use super::{Finding, Rule, Severity};

/// Findings in the order in which they were added. At most [`Findings::PER_RULE`] are kept for each rule; all are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    kept: Vec<Finding>,
    counts: BTreeMap<Rule, u64>,
}

impl Findings {
    /// Maximum number of findings of one rule that are kept.
    pub const PER_RULE: u64 = 100;

    /// Adds a finding. `path` and `message` are called only if it is kept, and cut to 600 bytes each.
    #[cold]
    pub fn add(
        &mut self,
        rule: impl Into<Rule>,
        offset: u64,
        path: impl FnOnce() -> String,
        message: impl FnOnce() -> String,
    ) {
        let rule = rule.into();
        if self.counts_as_kept(rule) {
            self.kept
                .push(Finding::new(rule, offset, &path(), &message()));
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
            self.kept.extend(
                of_rule
                    .take(usize::try_from(room).unwrap_or(usize::MAX))
                    .cloned(),
            );
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
        Self {
            kept,
            counts: self.counts,
        }
    }

    /// Returns the findings about a text, with their lines and columns in it. An offset that was counted in characters may be
    /// beyond the end, if they replaced bytes that are not UTF-8. It is set to the end then.
    #[must_use]
    pub fn in_text(self, text: &[u8]) -> Self {
        let offset = |finding: &Finding| usize::try_from(finding.offset).unwrap_or(usize::MAX);
        let offsets: Vec<usize> = self.kept.iter().map(offset).collect();
        let places = TextPlace::all(text, &offsets).into_iter().map(Some);
        let kept = self.kept.into_iter().zip(places);
        let end = text.len() as u64;
        Self {
            kept: kept
                .map(|(finding, text)| Finding {
                    text,
                    offset: finding.offset.min(end),
                    ..finding
                })
                .collect(),
            counts: self.counts,
        }
    }

    /// Returns the kept findings.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.kept.iter()
    }

    /// Returns the kept findings of one severity.
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.kept
            .iter()
            .filter(move |finding| finding.rule.severity() == severity)
    }

    /// Returns how often a rule was broken, kept or not.
    #[must_use]
    pub fn count(&self, rule: impl Into<Rule>) -> u64 {
        self.counts.get(&rule.into()).copied().unwrap_or(0)
    }

    /// Returns the number of findings of a severity, kept or not.
    #[must_use]
    pub fn total(&self, severity: Severity) -> u64 {
        let of_severity = self
            .counts
            .iter()
            .filter(|(rule, _)| rule.severity() == severity);
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
