//! Findings about a text: their places, and their wording for the dialect.

use super::Text;
use super::locate::locate;
use super::path::Path;
use crate::document::{FileFormat, PchrRule};
use crate::finding::{Finding, Findings, Rule, Severity, TextPlace, one_line};

/// Maximum number of bytes shown of a message. It may quote values of any length.
const LONGEST: usize = 300;

/// A finding whose place in the text is not yet known.
#[derive(Debug)]
struct Pending {
    rule: Rule,
    path: Path,
    message: String,
    at: At,
}

/// Known part of a finding's place.
#[derive(Clone, Copy, Debug)]
pub(super) enum At {
    /// A byte offset in the text.
    Byte(usize),
    /// The value at its path or, if that cannot be found, a byte offset.
    PathOr(usize),
    /// The value at its path, or the innermost existing value around it.
    Path,
}

/// Findings about a text that is still being read. [`Findings::PER_RULE`] are kept of each rule, all are counted.
#[derive(Debug, Default)]
pub(super) struct Noted {
    pending: Vec<Pending>,
    counted: Findings,
}

impl Noted {
    /// Adds a finding; the other arguments are called only if it is kept.
    #[cold]
    pub(super) fn add(
        &mut self,
        rule: impl Into<Rule>,
        path: impl FnOnce() -> Path,
        message: impl FnOnce() -> String,
        at: impl FnOnce() -> At,
    ) {
        let rule = rule.into();
        self.counted.add(rule, 0, String::new, String::new);
        if self.counted.count(rule) <= Findings::PER_RULE {
            self.pending.push(Pending {
                rule,
                path: path(),
                message: one_line(&message(), LONGEST),
                at: at(),
            });
        }
    }

    /// Adds findings about the bytes that were packed from a text.
    pub(super) fn add_packed(&mut self, found: &Findings, dialect: FileFormat) {
        let pending = |finding: &Finding| Pending {
            rule: finding.rule,
            path: Path::of_packed(dialect, &finding.path),
            message: finding.message.clone(),
            at: At::Path,
        };
        self.pending.extend(found.iter().map(pending));
        self.counted.extend(found.clone());
    }

    /// Adds findings about the same text.
    pub(super) fn append(&mut self, other: Self) {
        self.pending.extend(other.pending);
        self.counted.extend(other.counted);
    }

    /// Returns the number of findings of a rule.
    pub(super) fn counted(&self, rule: PchrRule) -> u64 {
        self.counted.count(rule)
    }

    /// Returns true if there is an error among them.
    pub(super) fn any_error(&self) -> bool {
        self.counted.total(Severity::Error) > 0
    }

    /// Finds all places in one walk through the text.
    pub(super) fn place(self, text: Text<'_>) -> Findings {
        let Self { pending, counted } = self;
        let offsets = offsets(text.text, &pending);
        let places = text.places(&offsets);
        let finding = |(pending, (offset, place)): (Pending, (u64, TextPlace))| Finding {
            rule: pending.rule,
            path: pending.path.to_string(),
            offset,
            text: Some(place),
            message: pending.message,
        };
        let placed = pending.into_iter().zip(places).map(finding);
        counted.with_kept(placed.collect())
    }
}

/// Returns the places of the values at some paths, or of the values around them.
pub(super) fn places(text: Text<'_>, paths: &[Path]) -> Vec<(u64, TextPlace)> {
    let paths: Vec<&Path> = paths.iter().collect();
    let located = locate(text.text, &paths);
    let offsets: Vec<usize> = located.iter().map(|place| place.at).collect();
    text.places(&offsets)
}

impl Text<'_> {
    /// Converts byte offsets in the text to offsets in its file, with lines and columns.
    fn places(self, offsets: &[usize]) -> Vec<(u64, TextPlace)> {
        let in_file = |at: &usize| self.before.saturating_add(*at as u64);
        let places = TextPlace::all(self.text.as_bytes(), offsets);
        offsets.iter().map(in_file).zip(places).collect()
    }
}

/// Returns the byte offsets of findings in their text.
fn offsets(text: &str, pending: &[Pending]) -> Vec<usize> {
    let by_path = pending
        .iter()
        .filter(|pending| !matches!(pending.at, At::Byte(_)));
    let paths: Vec<&Path> = by_path.map(|pending| &pending.path).collect();
    let mut located = locate(text, &paths).into_iter();
    let mut located = || located.next().unwrap_or_default();
    pending
        .iter()
        .map(|finding| match finding.at {
            At::Byte(at) => at,
            At::PathOr(at) => Some(located())
                .filter(|place| place.exact)
                .map_or(at, |place| place.at),
            At::Path => located().at,
        })
        .collect()
}
