//! Names as they are shown, sorted and suggested, paths that are the same on every system, and numbers as people read and type them.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Display;
use std::path::{MAIN_SEPARATOR, Path};

use indicatif::HumanCount;

/// Returns whether a character is invisible, ends the line, moves the cursor or reorders the text around it. A name with such a
/// character can pass for another name, or for more than a name.
///
/// Emoji keep their variation selectors, and spaces of any width stay: both are seen.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || u32::from(c) & 0xfffe == 0xfffe // U+FFFE, U+FFFF and the like. XML forbids these two
        || matches!(c,
            '\u{ad}' | '\u{34f}' // soft hyphen, grapheme joiner
            | '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' // direction
            | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{3164}' | '\u{ffa0}' // empty letters
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' // joiners, spaces without width
            | '\u{2028}'..='\u{2029}' // line and paragraph separators
            | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{fdd0}'..='\u{fdef}' // no characters
            | '\u{e0000}'..='\u{e0fff}' // tags and what follows them
        )
}

/// The text with hidden characters escaped, like `\u{202e}` or `\n`: it stays one line and reads as it is.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    let mut visible = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' | '\n' | '\r' => visible.extend(c.escape_default()),
            c if is_hidden(c) => visible.extend(c.escape_unicode()),
            c => visible.push(c),
        }
    }
    visible.into()
}

/// Maximum number of names that are listed in full; from longer lists, only the closest are offered.
const SUGGESTED: usize = 8;
const OFFERED: usize = 3;
/// Names that are looked at, and characters of each: files may hold many long ones.
const LOOKED_AT: (usize, usize) = (10_000, 60);
/// The least similarity, as for options of the command line.
const SIMILAR: f64 = 0.7;

/// The names closest to a mistyped one: at most three, the best first.
#[must_use]
pub fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let (count, length) = LOOKED_AT;
    let start = |name: &str| name.to_lowercase().chars().take(length).collect::<String>();
    let typed = start(typed);
    let similar = |name: &'a str| {
        let start = start(name);
        // A part of a name is a good guess, too.
        let part = typed.chars().count() > 2 && start.contains(&typed);
        let similarity = strsim::jaro_winkler(&typed, &start);
        Some((similarity.max(if part { SIMILAR } else { 0.0 }), name))
            .filter(|(similarity, _)| *similarity >= SIMILAR)
    };
    let mut near: Vec<(f64, &str)> = names.take(count).filter_map(similar).collect();
    near.sort_by(|(a, _), (b, _)| b.total_cmp(a)); // stable: of equals the first
    near.dedup_by_key(|(_, name)| *name);
    near.into_iter().map(|(_, name)| name).take(OFFERED).collect()
}

/// `; closest: walk, run` for a mistyped name; nothing if no name is close.
pub(crate) fn closest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> String {
    match nearest(typed, names) {
        near if near.is_empty() => String::new(),
        near => format!("; closest: {}", near.join(", ")),
    }
}

/// Lists the choices: all of a few names, else the closest ones and the count.
#[must_use]
pub fn there_are<'a>(
    what: &str,
    typed: &str,
    names: impl ExactSizeIterator<Item = &'a str> + Clone,
) -> String {
    let count = names.len();
    if count == 0 {
        return format!("the file has no {what}");
    }
    let near = if count > SUGGESTED { nearest(typed, names.clone()) } else { Vec::new() };
    if near.is_empty() {
        return format!("available: {}", few(names.map(short), SUGGESTED, count));
    }
    let near: Vec<String> = near.into_iter().map(short).collect();
    format!("closest of {count} {what}: {}", near.join(", "))
}

/// The first few of `total` names, and the number of the others: `a, b and 3 more`.
pub(crate) fn few<T: Display>(names: impl Iterator<Item = T>, most: usize, total: usize) -> String {
    let first: Vec<String> = names.take(most).map(|name| name.to_string()).collect();
    let more = match total.saturating_sub(first.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    first.join(", ") + &more
}

/// A name in quotes; a long one is cut.
fn short(name: &str) -> String {
    let (_, length) = LOOKED_AT;
    match name.char_indices().nth(length) {
        None => format!("{name:?}"),
        Some((end, _)) => format!("{:?}…", name.get(..end).unwrap_or_default()),
    }
}

/// Key by which people list a name: numbers by their value, letters without case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Natural {
    name: String,
    folded: String,
}

impl Natural {
    /// The key of a name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { folded: name.to_lowercase(), name: name.to_owned() }
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        let folded = alphanumeric_sort::compare_str(&self.folded, &other.folded);
        folded.then_with(|| self.name.cmp(&other.name)) // the order is total
    }
}

/// A path with `/` between folders.
#[must_use]
pub fn slashed(path: &Path) -> String {
    separated_by(MAIN_SEPARATOR, &path.to_string_lossy())
}

/// On systems that separate folders by `/`, a backslash is a part of a name.
fn separated_by(separator: char, path: &str) -> String {
    path.replace(separator, "/")
}

/// `1,200`.
pub(crate) fn number(number: impl TryInto<u64>) -> String {
    HumanCount(number.try_into().unwrap_or(u64::MAX)).to_string()
}

/// `1 bone`, `1,200 bones`.
#[must_use]
pub fn count(count: impl TryInto<u64>, one: &str, many: &str) -> String {
    match count.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {one}"),
        count => format!("{} {many}", HumanCount(count)),
    }
}

/// Names and the like that are listed.
const LISTED: usize = 10;

/// The first few of `total`, and the number of the others: `a; b; and 3 more`.
pub(crate) fn listed<T: Display>(
    items: impl Iterator<Item = T>,
    total: impl TryInto<u64>,
) -> String {
    let first: Vec<String> = items.take(LISTED).map(|item| item.to_string()).collect();
    let total = total.try_into().unwrap_or(u64::MAX);
    let more = match total.saturating_sub(first.len() as u64) {
        0 => String::new(),
        more => format!("; and {} more", HumanCount(more)),
    };
    first.join("; ") + &more
}

/// A line for each of the first few, and one for the others: that before it, and how many more.
pub(crate) fn each<T>(items: &[T], line: impl Fn(&T) -> String) -> Vec<String> {
    let mut lines: Vec<String> = items.iter().take(LISTED).map(line).collect();
    if let more @ 1.. = items.len().saturating_sub(LISTED)
        && let Some(last) = lines.last_mut()
    {
        *last += &format!("; and {} more", number(more));
    }
    lines
}

/// Formats a share in percent. It is 0 or 100 only if the part is nothing or everything.
pub(crate) fn share(part: u64, whole: u64) -> String {
    if part == 0 {
        return "0%".into();
    }
    if part >= whole {
        return "100%".into();
    }
    let percent = part as f64 / whole as f64 * 100.0;
    if percent < 0.1 {
        "<0.1%".into()
    } else if percent > 99.9 {
        ">99.9%".into()
    } else {
        format!("{percent:.1}%")
    }
}

/// A text as TOML writes it, in quotes.
pub(crate) fn toml_text(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// Reads a time in seconds; it may be negative.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let value = text.trim().parse::<f64>().ok();
    let value = value.filter(|value| value.is_finite());
    value.ok_or_else(|| format!("invalid time {text:?}: expected seconds, like 0.5"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hidden_characters_are_escaped() {
        for text in ["größe \"1\"\\.pchr", "e\u{301} नी ❤\u{fe0f} 日\u{3000}本", ""] {
            assert_eq!(visible(text), text);
        }
        for (text, shown) in [
            ("a\u{1b}[31m\nb\u{9b}", r"a\u{1b}[31m\nb\u{9b}"),
            ("\t\r\0", r"\t\r\u{0}"),
            ("gpj.\u{202e}rhcp", r"gpj.\u{202e}rhcp"),
            ("a\u{2066}b\u{2069}\u{200f}\u{61c}", r"a\u{2066}b\u{2069}\u{200f}\u{61c}"),
            ("\u{feff}a\u{200b}\u{ad}", r"\u{feff}a\u{200b}\u{ad}"),
            ("a\u{2028}b", r"a\u{2028}b"),
            ("\u{fffe}\u{ffff}\u{1ffff}\u{fdd0}", r"\u{fffe}\u{ffff}\u{1ffff}\u{fdd0}"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn the_three_nearest_are_offered_of_many_and_all_of_a_few() {
        let few = ["walk", "run"];
        assert_eq!(there_are("animations", "wlak", few.into_iter()), r#"available: "walk", "run""#);
        assert_eq!(there_are("animations", "x", [].into_iter()), "the file has no animations");
        let many: Vec<String> = (0..300).map(|i| format!("clip {i}")).collect();
        let many = || many.iter().map(String::as_str);
        let wanted = r#"closest of 300 animations: "clip 27", "clip 127", "clip 207""#;
        assert_eq!(there_are("animations", "clpi 27", many()), wanted);
        let none = there_are("animations", "zzz", many());
        assert!(
            none.starts_with(r#"available: "clip 0", "#) && none.ends_with(" and 292 more"),
            "{none}"
        );
        let long = "a".repeat(1 << 16);
        let long = there_are("bones", "b", [long.as_str()].into_iter());
        assert!(long.chars().count() < 80, "{long}");
    }

    #[test]
    fn case_parts_and_swapped_letters_are_near() {
        let names = ["hand_left", "hand_right", "foot", "HEAD", "tail"];
        let near = |typed| nearest(typed, names.into_iter());
        assert_eq!(near("head").first(), Some(&"HEAD"));
        assert_eq!(near("right"), ["hand_right"]);
        assert_eq!(near("tial"), ["tail"]);
        assert_eq!(near("xyz"), [""; 0]);
    }

    #[test]
    fn only_what_separates_folders_becomes_a_slash() {
        assert_eq!(separated_by('\\', r"c\malformed\x.pchr"), "c/malformed/x.pchr");
        assert_eq!(separated_by('\\', "a/b"), "a/b");
        assert_eq!(separated_by('/', r"a/b\c"), r"a/b\c");
        assert_eq!(slashed(&Path::new("art").join("hero.pchr")), "art/hero.pchr");
    }

    #[test]
    fn times_are_finite() {
        assert_eq!([seconds("-0.5"), seconds(" 2e3")], [Ok(-0.5), Ok(2000.0)]);
        for text in ["nan", "inf", "", "1s", "0,5"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
