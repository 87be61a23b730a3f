//! What is wrong with a text, with line, column and the path in its own words.

use super::locate::locate;
use crate::document::{FileFormat, Finding, Findings, Rule, TextPlace};

/// A finding whose place in the text is still to be found.
pub(super) struct Pending {
    pub(super) rule: Rule,
    pub(super) path: String,
    pub(super) message: String,
    /// Byte offset in the text, where it is known.
    pub(super) at: Option<usize>,
}

/// Finds all places in one walk through the text. `before` is what lies before the text in its file.
pub(super) fn place(text: &[u8], before: u64, pending: Vec<Pending>) -> Vec<Finding> {
    let unknown: Vec<&str> = pending
        .iter()
        .filter(|p| p.at.is_none())
        .map(|p| p.path.as_str())
        .collect();
    let mut located = if unknown.is_empty() {
        Vec::new()
    } else {
        locate(text, &unknown)
    }
    .into_iter();
    let mut offsets = Vec::with_capacity(pending.len());
    for finding in &pending {
        offsets.push(finding.at.or_else(|| located.next()).unwrap_or(0));
    }
    let places = text_places(text, &offsets);
    let finding = |((pending, at), place): ((Pending, usize), TextPlace)| Finding {
        rule: pending.rule,
        path: pending.path,
        offset: before.saturating_add(at as u64),
        text: Some(place),
        message: pending.message,
    };
    pending
        .into_iter()
        .zip(offsets)
        .zip(places)
        .map(finding)
        .collect()
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
        at: None,
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
    const LISTS: [(&str, &str); 8] = [
        ("imageCount", "images"),
        ("boneCount", "bones"),
        ("meshCount", "meshes"),
        ("animationCount", "animations"),
        (".vertexCount", ".vertices"),
        (".indexCount", ".indices"),
        (".frameCount", ".frames"),
        (".dataLength", ".path"),
    ];
    const PACHARIO: [(&str, &str); 6] = [
        (".parent", ".parentIdx"),
        (".indices", ".triangles"),
        (".boneIds", ".bones"),
        (".boneWeights", ".bones"),
        (".visible", ".visible"),
        (".flags", ".loop"),
    ];
    let mut path = path.replace(".data", ".path");
    for (binary, text) in LISTS {
        path = path.replace(binary, text);
    }
    if dialect == FileFormat::PacharioJson {
        if path.starts_with("meshes") && path.ends_with(".image") {
            path.push_str("Idx");
        }
        for (binary, text) in PACHARIO {
            path = path.replace(binary, text);
        }
    }
    path
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
