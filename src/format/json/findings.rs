//! What is wrong with a text, with line, column and the path in its own words.

use super::locate::locate;
use crate::document::{FileFormat, Finding, Findings, Rule, TextPlace};

/// A finding whose place in the text is still to be found.
pub(super) struct Pending {
    pub(super) rule: Rule,
    pub(super) path: String,
    pub(super) message: String,
    pub(super) at: At,
}

/// What is known of a finding's place: a byte offset in the text, or the path alone.
#[derive(Clone, Copy, Debug)]
pub(super) enum At {
    /// Here.
    Byte(usize),
    /// Where its path leads to or, if that value cannot be found, here.
    PathOr(usize),
    /// Where its path leads to, or to what is around that.
    Path,
}

/// Finds all places in one walk through the text. `before` is what lies before the text in its file.
pub(super) fn place(text: &[u8], before: u64, pending: Vec<Pending>) -> Vec<Finding> {
    let by_path = |pending: &&Pending| !matches!(pending.at, At::Byte(_));
    let paths: Vec<&str> = pending
        .iter()
        .filter(by_path)
        .map(|p| p.path.as_str())
        .collect();
    let located = if paths.is_empty() {
        Vec::new()
    } else {
        locate(text, &paths)
    };
    let mut located = located.into_iter();
    let mut offsets = Vec::with_capacity(pending.len());
    for finding in &pending {
        let mut located = || located.next().unwrap_or_default();
        offsets.push(match finding.at {
            At::Byte(at) => at,
            At::PathOr(at) => Some(located())
                .filter(|place| place.exact)
                .map_or(at, |place| place.at),
            At::Path => located().at,
        });
    }
    let places = text_places(text, &offsets);
    let finding = |((pending, at), place): ((Pending, usize), TextPlace)| Finding {
        rule: pending.rule,
        path: presentable(&pending.path),
        offset: before.saturating_add(at as u64),
        text: Some(place),
        message: presentable(&pending.message),
    };
    pending
        .into_iter()
        .zip(offsets)
        .zip(places)
        .map(finding)
        .collect()
}

/// Keys and values of a text may hold anything, and be of any length: what is quoted of them is one line that a terminal
/// can be given.
fn presentable(text: &str) -> String {
    const MOST: usize = 300;
    let mut line = String::with_capacity(text.len().min(MOST));
    for c in text.chars() {
        if line.len() >= MOST {
            line.push('…');
            break;
        }
        let direction = matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || direction || matches!(c, '\u{2028}' | '\u{2029}') {
            line.extend(c.escape_unicode());
        } else {
            line.push(c);
        }
    }
    line
}

/// Lines and columns of byte offsets; each line is counted once.
fn text_places(text: &[u8], offsets: &[usize]) -> Vec<TextPlace> {
    let mut sorted: Vec<usize> = (0..offsets.len()).collect();
    let offset = |index: usize| offsets.get(index).copied().unwrap_or(0);
    sorted.sort_by_key(|index| offset(*index));
    let mut places = vec![TextPlace { line: 1, column: 1 }; offsets.len()];
    let (mut line, mut line_start, mut at): (usize, usize, usize) = (1, 0, 0);
    for index in sorted {
        let end = offset(index).min(text.len());
        for (step, byte) in text.get(at..end).unwrap_or_default().iter().enumerate() {
            if *byte == b'\n' {
                line = line.saturating_add(1);
                line_start = at.saturating_add(step).saturating_add(1);
            }
        }
        at = at.max(end);
        if let Some(place) = places.get_mut(index) {
            let column = end.saturating_sub(line_start).saturating_add(1);
            let fit = |count| u32::try_from(count).unwrap_or(u32::MAX);
            *place = TextPlace {
                line: fit(line),
                column: fit(column),
            };
        }
    }
    places
}

/// Byte offset of a line and column, both from 1, as a parser gives them.
pub(super) fn offset_of(text: &[u8], line: usize, column: usize) -> usize {
    let newlines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let start = match line.saturating_sub(2) {
        _ if line < 2 => 0,
        before => newlines
            .map(|(at, _)| at)
            .nth(before)
            .map_or(0, |at| at.saturating_add(1)),
    };
    start
        .saturating_add(column.saturating_sub(1))
        .min(text.len())
}

/// Findings about the bytes that were packed from a text, as findings about the text.
pub(super) fn of_packed(found: &Findings, dialect: FileFormat) -> Vec<Pending> {
    let pending = |finding: &Finding| Pending {
        rule: finding.rule,
        path: in_words_of(dialect, &finding.path),
        message: finding.message.clone(),
        at: At::Path,
    };
    found.iter().map(pending).collect()
}

/// The path of a key that was skipped.
pub(super) fn ignored_path(path: &serde_ignored::Path<'_>) -> String {
    use serde_ignored::Path;
    match path {
        Path::Root => String::new(),
        Path::Seq { parent, index } => format!("{}[{index}]", ignored_path(parent)),
        Path::Map { parent, key } => match ignored_path(parent) {
            parent if parent.is_empty() => key.clone(),
            parent => format!("{parent}.{key}"),
        },
        Path::Some { parent }
        | Path::NewtypeStruct { parent }
        | Path::NewtypeVariant { parent } => ignored_path(parent),
    }
}

/// A path of the binary format in the words of a dialect.
fn in_words_of(dialect: FileFormat, path: &str) -> String {
    let pachario = dialect == FileFormat::PacharioJson;
    let section = path.split(['.', '[']).next().unwrap_or_default();
    let word = |step: &str| {
        let (name, index) = step.split_at(step.find('[').unwrap_or(step.len()));
        let name = match name {
            "imageCount" => "images",
            "boneCount" => "bones",
            "meshCount" => "meshes",
            "animationCount" => "animations",
            "vertexCount" => "vertices",
            "frameCount" => "frames",
            "data" | "dataLength" => "path",
            "end of file" => "trailing",
            "indices" | "indexCount" if pachario => "triangles",
            "indexCount" => "indices",
            "boneIds" | "boneWeights" if pachario => "bones",
            "parent" if pachario => "parentIdx",
            "image" if pachario => "imageIdx",
            "flags" if pachario && section == "animations" => "loop",
            name => name,
        };
        format!("{name}{index}")
    };
    path.split('.').map(word).collect::<Vec<String>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_lines_belong_together() {
        let text = b"{\n  \"a\": 1,\n\n  \"b\": 2\n}";
        let offsets = [0, 9, 18, 2, 22, 99];
        let places = text_places(text, &offsets);
        let lines: Vec<(u32, u32)> = places.iter().map(|p| (p.line, p.column)).collect();
        assert_eq!(lines, [(1, 1), (2, 8), (4, 6), (2, 1), (5, 1), (5, 2)]);
        for (offset, place) in offsets.into_iter().zip(places) {
            let back = offset_of(text, place.line as usize, place.column as usize);
            assert_eq!(back, offset.min(text.len()));
        }
    }

    #[test]
    fn what_is_quoted_is_one_line_of_bounded_length() {
        assert_eq!(
            presentable("a\n\u{1b}[31mé\u{202e}"),
            "a\\u{a}\\u{1b}[31mé\\u{202e}"
        );
        assert_eq!(presentable(&"ä".repeat(1000)).chars().count(), 151);
    }

    #[test]
    fn paths_are_given_in_the_words_of_the_file() {
        let pachario = |path| in_words_of(FileFormat::PacharioJson, path);
        assert_eq!(pachario("bones[1].parent"), "bones[1].parentIdx");
        assert_eq!(pachario("meshes[0].image"), "meshes[0].imageIdx");
        assert_eq!(pachario("meshes[0].indices[2]"), "meshes[0].triangles[2]");
        assert_eq!(pachario("meshes[0].indexCount"), "meshes[0].triangles");
        assert_eq!(
            pachario("meshes[0].vertices[3].boneIds[1]"),
            "meshes[0].vertices[3].bones[1]"
        );
        assert_eq!(pachario("images[0].data"), "images[0].path");
        assert_eq!(pachario("imageCount"), "images");
        let pchr = |path| in_words_of(FileFormat::PchrJson, path);
        assert_eq!(pchr("meshes[0].indexCount"), "meshes[0].indices");
        assert_eq!(
            pchr("meshes[0].vertices[3].boneIds[1]"),
            "meshes[0].vertices[3].boneIds[1]"
        );
        assert_eq!(pchr("animations[0].frameCount"), "animations[0].frames");
    }
}
