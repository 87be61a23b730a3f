//! Findings about a text: their places, and their wording for the dialect.

use std::collections::BTreeMap;

use serde_json::error::Category;

use super::path::{PathStep, TextPath, locate, words};
use super::{JsonText, text_of};
use crate::bytes::WriteError;
use crate::document::{FileFormat, PchrRule};
use crate::finding::{Finding, Findings, Rule, Severity, TextPlace, offset_of, one_line};

/// Maximum number of bytes shown of a message. It may quote values of any length.
const LONGEST: usize = 300;

/// A finding whose place in the text is not yet known.
#[derive(Debug)]
struct Pending {
    rule: Rule,
    path: TextPath,
    message: String,
    at: FoundAt,
}

/// Known part of a finding's place.
#[derive(Clone, Copy, Debug)]
pub(super) enum FoundAt {
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
        path: impl FnOnce() -> TextPath,
        message: impl FnOnce() -> String,
        at: impl FnOnce() -> FoundAt,
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

    /// Adds the reason why `part` of a text, which starts at byte `start`, was refused. `path` leads to the refused value.
    pub(super) fn refused(
        &mut self,
        part: &str,
        start: usize,
        error: &serde_json::Error,
        mut path: TextPath,
    ) {
        let message = words(error);
        let at = offset_of(part.as_bytes(), error.line(), error.column());
        let parser = FoundAt::Byte(start.saturating_add(at));
        let value = FoundAt::PathOr(start.saturating_add(at));
        // The parser does not accept numbers that are too large.
        let is_value = error.classify() == Category::Data || message == "number out of range";
        let (rule, place) = if let Some(key) = unknown_key(&message) {
            // The parser may already have reported the key.
            if !matches!(path.last(), Some(PathStep::Key(last)) if last == key) {
                path.push(PathStep::Key(key.to_owned().into()));
            }
            (PchrRule::JsonKey, value)
        } else if message.starts_with("duplicate field") {
            (PchrRule::JsonValue, parser)
        } else if is_value {
            (PchrRule::JsonValue, value)
        } else {
            let message = || at_damage(part, at, message);
            return self.add(PchrRule::JsonSyntax, || path, message, || parser);
        };
        self.add(rule, || path, || message, || place);
    }

    /// Adds findings about the bytes that were packed from a text.
    pub(super) fn add_packed(&mut self, found: &Findings, dialect: FileFormat) {
        let pending = |finding: &Finding| Pending {
            rule: finding.rule,
            path: TextPath::of_packed(dialect, &finding.path),
            message: finding.message.clone(),
            at: FoundAt::Path,
        };
        self.pending.extend(found.iter().map(pending));
        self.counted.extend(found.clone());
    }

    /// Adds a finding about a count that has no room in the packed file.
    pub(super) fn add_unwritable(&mut self, error: &WriteError, dialect: FileFormat) {
        let path = || TextPath::of_packed(dialect, &error.path);
        let message = || match error.path.rsplit_once('.') {
            Some((_, "name")) => does_not_fit(error.found, "bytes of a name"),
            Some((_, what)) => does_not_fit(error.found, what),
            None => does_not_fit(error.found, &error.path),
        };
        self.add(PchrRule::JsonValue, path, message, || FoundAt::Path);
    }

    /// Adds findings about the same text.
    pub(super) fn append(&mut self, other: Self) {
        self.pending.extend(other.pending);
        self.counted.extend(other.counted);
    }

    pub(super) fn any_of(&self, rules: &[PchrRule]) -> bool {
        rules.iter().any(|rule| self.counted.count(*rule) > 0)
    }

    pub(super) fn any_error(&self) -> bool {
        self.counted.total(Severity::Error) > 0
    }

    /// Finds all places in one walk through the text.
    pub(super) fn place(self, text: JsonText<'_>) -> Findings {
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

impl JsonText<'_> {
    /// Converts byte offsets in the text to offsets in its file, with lines and columns.
    fn places(self, offsets: &[usize]) -> Vec<(u64, TextPlace)> {
        let in_file = |at: &usize| self.before.saturating_add(*at as u64);
        let places = TextPlace::all(self.text.as_bytes(), offsets);
        offsets.iter().map(in_file).zip(places).collect()
    }
}

/// Returns the byte offsets of findings in their text.
fn offsets(text: &str, pending: &[Pending]) -> Vec<usize> {
    let by_path = pending.iter().filter(|pending| !matches!(pending.at, FoundAt::Byte(_)));
    let paths: Vec<&TextPath> = by_path.map(|pending| &pending.path).collect();
    let mut located = locate(text, &paths).into_iter();
    let mut located = || located.next().unwrap_or_default();
    pending
        .iter()
        .map(|finding| match finding.at {
            FoundAt::Byte(at) => at,
            FoundAt::PathOr(at) => {
                Some(located()).filter(|place| place.exact).map_or(at, |place| place.at)
            }
            FoundAt::Path => located().at,
        })
        .collect()
}

/// Returns the message for a list that is longer than its count can say.
pub(super) fn does_not_fit(found: u64, what: &str) -> String {
    format!("{found} {what} do not fit, expected at most {}", u16::MAX)
}

/// Returns the key that a message calls unknown. It may contain the quotation mark that encloses it.
fn unknown_key(message: &str) -> Option<&str> {
    let quoted = message.strip_prefix("unknown field `")?;
    let end = quoted.rsplit_once("`, expected ");
    Some(end.map_or(quoted, |(key, _)| key))
}

/// Returns the message for damage at a byte of a text, better than the parser's where other languages have a number that JSON lacks.
pub fn at_damage(text: &str, at: usize, said: String) -> String {
    let rest = text.get(at..).unwrap_or_default();
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    let mut names = ["NaN", "Infinity"].into_iter();
    let name = names.find(|name| rest.starts_with(name));
    name.map_or(said, |name| format!("{name} is not a number in JSON"))
}

/// Fields in which decoding an image can find faults.
const FIELDS: [&str; 2] = ["data", "width"];

/// Places of these fields in all images, by their paths in the binary format.
#[derive(Debug, Default)]
pub(in crate::format) struct ImagePlaces {
    places: BTreeMap<String, (u64, TextPlace)>,
}

impl ImagePlaces {
    /// Finds the places of `count` images in a file, in one walk through its text.
    pub(in crate::format) fn find(file: &[u8], source: FileFormat, count: usize) -> Self {
        let Some((text, dialect)) = text_of(file, source) else { return Self::default() };
        let of_image = |i| FIELDS.map(|field| format!("images[{i}].{field}"));
        let packed: Vec<String> = (0..count).flat_map(of_image).collect();
        let paths: Vec<TextPath> =
            packed.iter().map(|path| TextPath::of_packed(dialect, path)).collect();
        let located = locate(text.text, &paths.iter().collect::<Vec<_>>());
        let offsets: Vec<usize> = located.iter().map(|place| place.at).collect();
        Self { places: packed.into_iter().zip(text.places(&offsets)).collect() }
    }

    /// Returns the findings in terms of a text, if all of them are about these fields.
    pub(in crate::format) fn place(
        &self,
        found: &Findings,
        source: FileFormat,
    ) -> Option<Findings> {
        let placed = |finding: &Finding| {
            let (offset, place) = self.places.get(&finding.path)?;
            Some(Finding {
                path: TextPath::of_packed(source.dialect(), &finding.path).to_string(),
                offset: *offset,
                text: Some(*place),
                ..finding.clone()
            })
        };
        let placed: Option<Vec<Finding>> = found.iter().map(placed).collect();
        Some(found.clone().with_kept(placed?))
    }
}
