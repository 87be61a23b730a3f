//! Names as records hold them: parts, lists, and replacements of those that no record can hold.

use std::collections::BTreeSet;
use std::fmt;

use thiserror::Error;

use pchr::finding::quoted;

use crate::atlas::{Atlas, Sprites};
use crate::format::pct::names::ENDINGS;

/// Starts of a line that turn it into another record.
const RECORDS: [&str; 4] = ["P:", "F:", "B:", "A:"];

/// A sprite's name in its parts: `folder/stem.ending`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SpriteName<'a> {
    /// Text before the last slash; `None` without a slash, or if nothing is before it.
    pub(super) folder: Option<&'a str>,
    /// The rest without the extension.
    pub(super) stem: &'a str,
    pub(super) ending: Option<Ending>,
}

/// An extension that has a number: the digit after `~`, and its text with the dot.
pub(super) type Ending = (char, &'static str);

impl<'a> SpriteName<'a> {
    /// Returns the parts of a whole name.
    pub(super) fn new(whole: &'a str) -> Self {
        let (folder, rest) = match whole.rsplit_once('/') {
            Some(("", _)) | None => (None, whole),
            Some((folder, rest)) => (Some(folder), rest),
        };
        let ending = ('1'..).zip(ENDINGS).find(|(_, ending)| rest.ends_with(*ending));
        let stem = ending.and_then(|(_, ending)| rest.strip_suffix(ending));
        Self { folder, stem: stem.unwrap_or(rest), ending }
    }

    /// Returns true if it is valid on its own line.
    pub(super) fn fits_line(self) -> bool {
        let begins = |record: &str| self.stem.starts_with(record);
        let is_record = self.stem.starts_with('#') || RECORDS.iter().any(|record| begins(record));
        self.fits() && !self.stem.contains('|') && !(self.folder.is_none() && is_record)
    }

    /// Returns true if it is valid in a list: in a block or after an alias.
    pub(super) fn fits_list(self) -> bool {
        let is_empty = self.folder.is_none() && self.stem.is_empty();
        self.fits() && !is_empty && !self.stem.contains([',', '#'])
    }

    /// Returns true if aliases can refer to it.
    pub(super) fn fits_original(self) -> bool {
        self.fits() && !self.stem.contains('=')
    }

    /// Returns the reason why no record can hold it, if none can.
    pub(super) fn problem(self) -> Option<&'static str> {
        if self.has_line_break() {
            return Some("has a line break");
        }
        if self.ends_as_ending() {
            return Some("ends with \"~\" and a digit from 1 to 5, which stand for an extension");
        }
        if self.fits_line() || self.fits_list() {
            return None;
        }
        let has = |c| self.stem.contains(c);
        Some(match (has(','), has('#'), has('|')) {
            (true, _, true) => "contains both \",\" and \"|\"",
            (_, true, true) => "contains both \"#\" and \"|\"",
            _ if self.stem.starts_with('#') => "begins with \"#\", which selects a page",
            _ => "begins like a record and contains \",\" or \"#\"",
        })
    }

    fn fits(self) -> bool {
        !self.has_line_break() && !self.ends_as_ending()
    }

    fn has_line_break(self) -> bool {
        let breaks = |text: &str| text.contains(['\n', '\r']);
        breaks(self.stem) || self.folder.is_some_and(breaks)
    }

    fn ends_as_ending(self) -> bool {
        self.ending.is_none() && ends_with_index(self.stem)
    }
}

/// Returns true if a text ends like an extension index.
fn ends_with_index(text: &str) -> bool {
    matches!(text.as_bytes(), [.., b'~', b'1'..=b'5'])
}

/// Returns true if a folder must be in the dictionary, because its name would be misread elsewhere.
pub(super) fn is_awkward(folder: &str) -> bool {
    let first = folder.split('/').next().unwrap_or_default();
    let is_index = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    is_index
        || folder.contains([',', '#', '|', '='])
        || RECORDS.iter().any(|record| folder.starts_with(record))
}

/// Returns the names, separated by commas, in as few bytes as the format allows. All of them are valid in a list. `folder` returns
/// the text for a folder, with its slash.
pub(super) fn list(names: &[SpriteName<'_>], folder: &impl Fn(&str) -> String) -> String {
    let mut endings: Vec<Option<Ending>> = vec![None];
    endings.extend(names.iter().filter_map(|name| name.ending).map(Some));
    endings.sort_unstable();
    endings.dedup();
    let lines = endings.into_iter().filter_map(|ending| with_ending(names, ending, folder));
    lines.min_by_key(String::len).unwrap_or_default()
}

/// Returns one name in the form for its own record.
pub(super) fn one(name: SpriteName<'_>, folder: &impl Fn(&str) -> String) -> String {
    let mut text = name.folder.map(folder).unwrap_or_default() + name.stem;
    push_ending(&mut text, name.ending);
    text
}

/// Returns the line in which names without a number of their own get `line`; `None` if one of them has no such extension.
fn with_ending(
    names: &[SpriteName<'_>],
    line: Option<Ending>,
    folder: &impl Fn(&str) -> String,
) -> Option<String> {
    if line.is_some() && names.iter().any(|name| name.ending.is_none()) {
        return None;
    }
    let mut segments = Vec::with_capacity(names.len());
    let mut last = String::new();
    for name in names {
        let mut text = name.folder.map(folder).unwrap_or_default() + name.stem;
        last.clone_from(&text);
        if name.ending == line && (line.is_none() || !ends_with_index(name.stem)) {
            segments.push(ListSegment::Plain(text));
        } else {
            push_ending(&mut text, name.ending);
            segments.push(ListSegment::Whole(text));
        }
    }
    // Without an extension of the line, a number at its end would become one.
    if line.is_none()
        && let (Some(ListSegment::Whole(text)), Some(name)) = (segments.last_mut(), names.last())
    {
        *text = last + name.ending.map_or("", |(_, ending)| ending);
    }
    let mut text = joined(&segments);
    push_ending(&mut text, line);
    Some(text)
}

fn push_ending(text: &mut String, ending: Option<Ending>) {
    if let Some((digit, _)) = ending {
        text.extend(['~', digit]);
    }
}

enum ListSegment {
    /// A name that can be part of a range.
    Plain(String),
    /// A name with the number of its extension.
    Whole(String),
}

fn joined(segments: &[ListSegment]) -> String {
    let mut line = String::new();
    let mut rest = segments;
    while let Some((first, behind)) = rest.split_first() {
        if !line.is_empty() || rest.len() < segments.len() {
            line.push(',');
        }
        rest = behind;
        match first {
            ListSegment::Whole(text) => line.push_str(text),
            ListSegment::Plain(text) => match range(text, behind) {
                Some((range, more)) => {
                    line.push_str(&range);
                    rest = behind.get(more..).unwrap_or_default();
                }
                None => line.push_str(text),
            },
        }
    }
    line
}

/// Returns the range that begins with `first`, and the number of `behind` in it; `None` if it saves nothing.
fn range(first: &str, behind: &[ListSegment]) -> Option<(String, usize)> {
    let (prefix, digits) = number(first);
    let start: u32 = digits.parse().ok()?;
    let width = if digits.starts_with('0') { digits.len() } else { 0 };
    let mut last = digits.to_owned();
    let mut count = 0_usize;
    let mut literal = first.len();
    for (number, segment) in (start..MOST_NUMBER).skip(1).zip(behind) {
        let ListSegment::Plain(text) = segment else { break };
        let Some(end) = text.strip_prefix(prefix) else { break };
        let expected = format!("{number:0width$}");
        if end != expected {
            break;
        }
        last = expected;
        count = count.saturating_add(1);
        literal = literal.saturating_add(text.len()).saturating_add(1);
    }
    let (start, end) = (digits, last.as_str());
    // Digits that all numbers share are part of the prefix.
    let shared = |(a, b): &(u8, u8)| a == b;
    let shared = match start.len() == end.len() {
        true => start.bytes().zip(end.bytes()).take_while(shared).count(),
        false => 0,
    };
    let cut = |digits: &'_ str| digits.get(shared..).unwrap_or_default().to_owned();
    let common = start.get(..shared).unwrap_or_default();
    let text = format!("{prefix}{common}#{}-{}", cut(start), cut(end));
    (count > 0 && text.len() < literal).then_some((text, count))
}

/// One more than the highest number of a range. A number has at most nine digits.
const MOST_NUMBER: u32 = 1_000_000_000;

/// Splits off the digits at the end of a text, at most nine.
fn number(text: &str) -> (&str, &str) {
    let digits = text.bytes().rev().take(9).take_while(u8::is_ascii_digit).count();
    let at = text.len().saturating_sub(digits);
    text.split_at_checked(at).unwrap_or((text, ""))
}

/// Renames only the sprites that a PCT file cannot name; names stay unique. Returns old and new names.
///
/// A rotated sprite can only have a name without `|`.
pub fn safe_names(atlas: &mut Atlas) -> Vec<(String, String)> {
    let is_safe = |name: &str, rotated: bool| {
        let name = SpriteName::new(name);
        name.problem().is_none() && (!rotated || name.fits_line())
    };
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for (name, sprite) in atlas.sprites.iter() {
        if is_safe(name, sprite.rotated) {
            taken.insert(name.to_owned());
        }
    }
    let mut changed = Vec::new();
    let mut sprites = Sprites::default();
    for (name, sprite) in atlas.sprites.iter() {
        if is_safe(name, sprite.rotated) {
            sprites.insert(name, sprite.clone());
            continue;
        }
        let safe = safe(name, sprite.rotated);
        let numbered = (2_u64..).map(|number| with_number(&safe, number));
        let mut names = std::iter::once(safe.clone()).chain(numbered);
        let new = names.find(|name| taken.insert(name.clone()));
        let new = new.unwrap_or(safe);
        sprites.insert(&new, sprite.clone());
        changed.push((name.to_owned(), new));
    }
    atlas.sprites = sprites;
    changed
}

/// Returns a name with `_` in place of special characters of the format.
fn safe(name: &str, rotated: bool) -> String {
    let name = name.replace(['\n', '\r'], "_");
    let rest = name.rfind('/').map_or(0, |slash| slash.saturating_add(1));
    let (folder, rest) = name.split_at_checked(rest).unwrap_or(("", &name));
    let mut safe = folder.to_owned() + &rest.replace([',', '#', '|'], "_");
    if SpriteName::new(&safe).problem().is_some() {
        safe.push('_'); // behind what looks like the number of an extension
    }
    if rotated && !SpriteName::new(&safe).fits_line() {
        safe = safe.replacen(':', "_", 1); // of what looks like another record
    }
    safe
}

fn with_number(name: &str, number: u64) -> String {
    let ending = SpriteName::new(name).ending.map_or("", |(_, ending)| ending);
    let stem = name.strip_suffix(ending).unwrap_or(name);
    format!("{stem}_{number}{ending}")
}

/// Names that a PCT file cannot hold.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}", summary(.0))]
pub struct UnwritableNames(pub Vec<UnwritableName>);

/// A name that a PCT file cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnwritableName {
    /// The kind of the named item: `page`, which has the name of its file, or `sprite`.
    pub subject: &'static str,
    /// The whole name.
    pub name: String,
    /// The reason, as the end of a sentence: `has a line break`.
    pub reason: &'static str,
}

impl fmt::Display for UnwritableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = quoted(&self.name);
        write!(f, "{} {name}: {}", self.subject, self.reason)
    }
}

/// Returns the reason why a sprite's name cannot be written, if any: `has a line break`.
#[must_use]
pub fn unwritable_name(name: &str) -> Option<&'static str> {
    SpriteName::new(name).problem()
}

fn summary(names: &[UnwritableName]) -> String {
    match names {
        [] => String::new(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{first}; and {} more", rest.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atlas::Sprite;

    #[test]
    fn names_have_parts() {
        let parts = |name| {
            let SpriteName { folder, stem, ending } = SpriteName::new(name);
            (folder, stem, ending.map_or("", |(_, ending)| ending))
        };
        assert_eq!(parts("a/b/c.png"), (Some("a/b"), "c", ".png"));
        assert_eq!(parts("/c.jpeg"), (None, "/c", ".jpeg"));
        assert_eq!(parts("//c"), (Some("/"), "c", ""));
        assert_eq!(parts("d/"), (Some("d"), "", ""));
        assert_eq!(parts("x.PNG"), (None, "x.PNG", ""));
        assert_eq!(SpriteName::new("a.gif").ending.unwrap().0, '5');
    }

    #[test]
    fn names_that_no_record_can_hold_are_known() {
        let problem = |name| SpriteName::new(name).problem();
        for name in ["a\nb", "a\r", "d\n/a", "a~1", "d/a~5", "a,b|c", "a#|", "#a", "P:a,b", "A:#"] {
            assert!(problem(name).is_some(), "{name:?}");
        }
        assert_eq!(problem(""), None);
        let names =
            ".png d/ a,b a#b a|b P:a A: 12/a d/#a d#/a|b a~1.png a~6 /#a k=v ~ ~1x a,b/P:c,d";
        for name in names.split(' ') {
            assert_eq!(problem(name), None, "{name:?}");
        }
    }

    fn line(names: &[&str]) -> String {
        let names: Vec<SpriteName<'_>> = names.iter().map(|name| SpriteName::new(name)).collect();
        list(&names, &|folder| format!("{}/", folder.len()))
    }

    #[test]
    fn numbers_in_a_row_are_a_range() {
        let names = |first: u32, last: u32, width: usize| -> String {
            let names: Vec<String> = (first..=last).map(|n| format!("a{n:0width$}")).collect();
            line(&names.iter().map(String::as_str).collect::<Vec<_>>())
        };
        assert_eq!(names(1, 24, 2), "a#01-24");
        assert_eq!(names(1, 8, 2), "a0#1-8");
        assert_eq!(names(8, 12, 0), "a#8-12");
        assert_eq!(names(98, 1002, 3), "a#098-1002");
        assert_eq!(names(1000, 1012, 0), "a10#00-12");
        assert_eq!(names(0, 3, 0), "a#0-3");
        assert_eq!(names(999_999_997, 1_000_000_001, 0), "a99999999#7-9,a100000000#0-1");
        assert_eq!(names(1, 2, 0), "a1,a2");
        assert_eq!(line(&["a9", "a10", "a011", "b12"]), "a9,a10,a011,b12");
        assert_eq!(line(&["1", "2", "3"]), "#1-3");
        assert_eq!(line(&["f/1", "f/2", "f/3", "gg/4"]), "1/#1-3,2/4");
    }

    #[test]
    fn an_ending_stands_once() {
        assert_eq!(line(&["a1.png", "a2.png", "a3.png"]), "a#1-3~1");
        assert_eq!(line(&["a.png", "b", "c.jpg"]), "a~1,b,c.jpg");
        assert_eq!(line(&["a.png", "b.png", "c.jpg"]), "a,b,c~3~1");
        assert_eq!(line(&["a.jpg", "b.png", "c.png", "d.png"]), "a~3,b,c,d~1");
        assert_eq!(line(&["a.png", "b.png", "d.png", "c.gif"]), "a,b,d,c~5~1");
        assert_eq!(line(&["x~1.png"]), "x~1.png");
        assert_eq!(line(&["a1.png", "a2.png", "a3.png", "x~1.png"]), "a#1-3,x~1~1~1");
        assert_eq!(line(&["a~6", "a~7", "a~8"]), "a~#6-8");
    }

    #[test]
    fn only_names_that_cannot_be_written_change() {
        let mut atlas = Atlas::default();
        let names = "a,b|c a_b_c a\r\nb.png a__b.png x~1 #a P:a,b k|v a,b/c\n fine a#|_c";
        let count = names.split(' ').count();
        for name in names.split(' ') {
            atlas.sprites.insert(name, Sprite::default());
        }
        atlas.sprites.insert("r|s", Sprite { rotated: true, ..Sprite::default() });
        let changed = safe_names(&mut atlas);
        let changed: Vec<_> = changed.iter().map(|(old, new)| format!("{old} {new}")).collect();
        let wanted = "a,b|c a_b_c_2; a\r\nb.png a__b_2.png; x~1 x~1_; #a _a; P:a,b P:a_b; \
                      a,b/c\n a,b/c_; a#|_c a___c; r|s r_s";
        assert_eq!(changed.join("; "), wanted);
        assert_eq!(atlas.sprites.len(), count + 1);
        assert_eq!(atlas.sprites.get_index(5).unwrap().0, "_a");
        assert_eq!(safe_names(&mut atlas), []);
    }
}
