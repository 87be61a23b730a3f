//! Parts of a text that one face draws: clusters, and groups of them by face.

use std::ops::Range;

use unicode_bidi::{BidiInfo, Level};
use unicode_script::{Script, UnicodeScript as _};
use unicode_segmentation::UnicodeSegmentation as _;

use super::catalogue::{Catalogue, FaceId};
use super::face::{OBJECT, is_ignorable};

/// The script of a cluster of characters; `None` for digits, spaces and signs that all scripts share.
///
/// Signs of some scripts go with the cluster before where that is of one of these.
pub(super) fn script_of(cluster: &str, before: Option<Script>) -> Option<Script> {
    let first = cluster.chars().find(|character| character.script() != Script::Inherited);
    let Some(first) = first else {
        return before;
    };
    match first.script() {
        Script::Common => shared(first, before),
        Script::Unknown => None,
        script => Some(script),
    }
}

/// The script of a character that several scripts share.
fn shared(sign: char, before: Option<Script>) -> Option<Script> {
    let scripts = sign.script_extension();
    if scripts.is_common() || scripts.is_inherited() {
        return None;
    }
    before
        .filter(|script| scripts.contains_script(*script))
        .or_else(|| scripts.contains_script(Script::Han).then_some(Script::Han))
        .or_else(|| scripts.iter().next())
}

/// Returns true if one font should be used for both: texts mix these.
pub(super) fn is_same_writing(a: Script, b: Script) -> bool {
    let is_japanese = |script| matches!(script, Script::Han | Script::Hiragana | Script::Katakana);
    a == b || is_japanese(a) && is_japanese(b)
}

/// A unit that a reader sees as one character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cluster {
    /// Bytes of the text.
    pub(super) range: Range<usize>,
    pub(super) script: Option<Script>,
    /// None where no font draws it.
    pub(super) face: Option<FaceId>,
}

/// The clusters of a text, in its own order; neighbours of one script share a font if one draws them all.
pub(super) fn clusters(text: &str, catalogue: &mut Catalogue) -> Vec<Cluster> {
    let mut clusters = scripts(text);
    let is_together = |a: &Cluster, b: &Cluster| match (a.script, b.script) {
        (Some(a), Some(b)) => is_same_writing(a, b),
        _ => false,
    };
    for together in clusters.chunk_by_mut(is_together) {
        let (Some(first), Some(last)) = (together.first(), together.last()) else {
            continue;
        };
        let script = first.script;
        let whole = text.get(first.range.start..last.range.end);
        let shared = whole.and_then(|text| catalogue.choose_for_all(script, text));
        let mut before = None;
        for cluster in together {
            let own = text.get(cluster.range.clone()).unwrap_or_default();
            cluster.face = if own.starts_with(OBJECT) {
                None
            } else if own.chars().all(is_ignorable) {
                before.or_else(|| catalogue.choose(None, " "))
            } else {
                shared.or_else(|| catalogue.choose(cluster.script, own))
            };
            before = cluster.face;
        }
    }
    clusters
}

fn scripts(text: &str) -> Vec<Cluster> {
    let mut before = None;
    let mut clusters = Vec::new();
    for (start, cluster) in text.grapheme_indices(true) {
        let script = script_of(cluster, before);
        before = script.or(before);
        clusters.push(Cluster { range: start..start + cluster.len(), script, face: None });
    }
    clusters
}

/// Clusters of one font, one script and one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Bytes of the text.
    pub(super) range: Range<usize>,
    pub(super) script: Option<Script>,
    pub(super) face: Option<FaceId>,
    pub(super) is_rtl: bool,
}

/// The groups of a text in the order in which they are seen: Unicode's bidirectional algorithm.
pub(super) fn groups(text: &str, clusters: &[Cluster]) -> Vec<Group> {
    let order = BidiInfo::new(text, None);
    let mut groups = Vec::new();
    for paragraph in &order.paragraphs {
        let (levels, runs) = order.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let is_rtl = levels.get(run.start).is_some_and(Level::is_rtl);
            let start = clusters.partition_point(|cluster| cluster.range.start < run.start);
            let end = clusters.partition_point(|cluster| cluster.range.start < run.end);
            let first = groups.len();
            join(clusters.get(start..end).unwrap_or_default(), is_rtl, &mut groups);
            if let Some(run) = groups.get_mut(first..).filter(|_| is_rtl) {
                run.reverse();
            }
        }
    }
    groups
}

/// Adds the groups of a run in the text's own order.
fn join(clusters: &[Cluster], is_rtl: bool, groups: &mut Vec<Group>) {
    let first = groups.len();
    for cluster in clusters {
        let last = groups.get_mut(first..).and_then(<[Group]>::last_mut);
        if let Some(last) = last.filter(|last| is_joined(last, cluster)) {
            last.range.end = cluster.range.end;
            last.script = last.script.or(cluster.script);
        } else {
            groups.push(Group {
                range: cluster.range.clone(),
                script: cluster.script,
                face: cluster.face,
                is_rtl,
            });
        }
    }
}

fn is_joined(group: &Group, cluster: &Cluster) -> bool {
    let is_one_script = match (group.script, cluster.script) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    };
    group.face == cluster.face && is_one_script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_a_script_and_digits_have_none() {
        assert_eq!(script_of("ذ", None), Some(Script::Arabic));
        assert_eq!(script_of("骨", None), Some(Script::Han));
        assert_eq!(script_of("7", Some(Script::Arabic)), None);
        assert_eq!(script_of("_", Some(Script::Latin)), None);
        assert_eq!(script_of("🦊", None), None);
    }

    #[test]
    fn signs_of_some_scripts_go_with_the_text_before() {
        assert_eq!(script_of("ー", Some(Script::Katakana)), Some(Script::Katakana));
        assert_eq!(script_of("。", Some(Script::Hiragana)), Some(Script::Hiragana));
        assert_eq!(script_of("「", None), Some(Script::Han));
        assert_eq!(script_of("ـ", Some(Script::Arabic)), Some(Script::Arabic));
        assert_eq!(script_of("\u{301}", Some(Script::Greek)), Some(Script::Greek));
    }

    fn seen(text: &str) -> Vec<&str> {
        let clusters: Vec<Cluster> = text
            .grapheme_indices(true)
            .map(|(start, cluster)| Cluster {
                range: start..start + cluster.len(),
                script: None,
                face: Some(0),
            })
            .collect();
        groups(text, &clusters).iter().map(|group| &text[group.range.clone()]).collect()
    }

    #[test]
    fn groups_are_in_the_order_in_which_they_are_seen() {
        assert_eq!(seen("bone_ذراع_01"), ["bone_", "01", "ذراع_"]);
        assert_eq!(seen("ذراع_bone"), ["bone", "ذراع_"]);
        assert_eq!(seen("bone"), ["bone"]);
        assert_eq!(seen(""), [""; 0]);
    }

    #[test]
    fn no_character_is_lost_or_doubled() {
        for text in ["a\u{202e}b\u{2066}c", "\u{2069}\u{202c}", "א\u{202d}1\u{2067}ب", "\u{202e}"]
        {
            let mut ranges = seen(text);
            ranges.sort_by_key(|part| part.as_ptr());
            assert_eq!(ranges.concat(), text);
        }
    }
}
