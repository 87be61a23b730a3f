//! Lists of names on one line, with ranges and extension indices.

use super::name::{Ending, Name, ends_with_index};

/// Returns the names, separated by commas, in as few bytes as the format allows. All of them are valid in a list. `folder` returns
/// the text for a folder, with its slash.
pub(super) fn list(names: &[Name<'_>], folder: &impl Fn(&str) -> String) -> String {
    let mut endings: Vec<Option<Ending>> = vec![None];
    endings.extend(names.iter().filter_map(|name| name.ending).map(Some));
    endings.sort_unstable();
    endings.dedup();
    let lines = endings
        .into_iter()
        .filter_map(|ending| with_ending(names, ending, folder));
    lines.min_by_key(String::len).unwrap_or_default()
}

/// Returns one name in the form for its own record.
pub(super) fn one(name: Name<'_>, folder: &impl Fn(&str) -> String) -> String {
    let mut text = name.folder.map(folder).unwrap_or_default() + name.stem;
    push_ending(&mut text, name.ending);
    text
}

/// Returns the line in which names without a number of their own get `line`; `None` if one of them has no such extension.
fn with_ending(
    names: &[Name<'_>],
    line: Option<Ending>,
    folder: &impl Fn(&str) -> String,
) -> Option<String> {
    if line.is_some() && names.iter().any(|name| name.ending.is_none()) {
        return None;
    }
    let mut segments = Vec::with_capacity(names.len());
    let mut last = String::new();
    for name in names {
        let start = name.folder.map(folder).unwrap_or_default() + name.stem;
        last.clone_from(&start);
        if name.ending == line && (line.is_none() || !ends_with_index(name.stem)) {
            segments.push(Segment::Plain(start));
        } else {
            let mut text = start;
            push_ending(&mut text, name.ending);
            segments.push(Segment::Whole(text));
        }
    }
    // Without an extension of the line, a number at its end would become one.
    if line.is_none()
        && let (Some(Segment::Whole(text)), Some(name)) = (segments.last_mut(), names.last())
    {
        *text = last + name.ending.map_or("", Ending::text);
    }
    let mut text = joined(&segments);
    push_ending(&mut text, line);
    Some(text)
}

fn push_ending(text: &mut String, ending: Option<Ending>) {
    if let Some(ending) = ending {
        text.push('~');
        text.push(ending.digit());
    }
}

/// A name of a line.
enum Segment {
    /// A name that can be part of a range.
    Plain(String),
    /// A name with the number of its extension.
    Whole(String),
}

fn joined(segments: &[Segment]) -> String {
    let mut line = String::new();
    let mut rest = segments;
    while let Some((first, behind)) = rest.split_first() {
        if !line.is_empty() || rest.len() < segments.len() {
            line.push(',');
        }
        rest = behind;
        match first {
            Segment::Whole(text) => line.push_str(text),
            Segment::Plain(text) => match range(text, behind) {
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
fn range(first: &str, behind: &[Segment]) -> Option<(String, usize)> {
    let (prefix, digits) = number(first);
    let start: u32 = digits.parse().ok()?;
    let width = if digits.starts_with('0') {
        digits.len()
    } else {
        0
    };
    let mut last = digits.to_owned();
    let mut count = 0_usize;
    let mut literal = first.len();
    for (number, segment) in (start..MOST_NUMBER).skip(1).zip(behind) {
        let Segment::Plain(text) = segment else { break };
        let Some(end) = text.strip_prefix(prefix) else {
            break;
        };
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
    let digits = text
        .bytes()
        .rev()
        .take(9)
        .take_while(u8::is_ascii_digit)
        .count();
    let at = text.len().saturating_sub(digits);
    text.split_at_checked(at).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(names: &[&str]) -> String {
        let names: Vec<Name<'_>> = names.iter().map(|name| Name::new(name)).collect();
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
        assert_eq!(
            names(999_999_997, 1_000_000_001, 0),
            "a99999999#7-9,a100000000#0-1"
        );
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
        assert_eq!(
            line(&["a1.png", "a2.png", "a3.png", "x~1.png"]),
            "a#1-3,x~1~1~1"
        );
        assert_eq!(line(&["a~6", "a~7", "a~8"]), "a~#6-8");
    }
}
