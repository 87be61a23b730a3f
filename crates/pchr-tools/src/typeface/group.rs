//! Parts of a text that are shaped at once, from left to right.

use super::catalogue::FaceId;
use super::cluster::Cluster;
use std::ops::Range;
use unicode_bidi::{BidiInfo, Level};
use unicode_script::Script;

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
            join(
                clusters.get(start..end).unwrap_or_default(),
                is_rtl,
                &mut groups,
            );
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
    use unicode_segmentation::UnicodeSegmentation as _;

    fn seen(text: &str) -> Vec<&str> {
        let clusters: Vec<Cluster> = text
            .grapheme_indices(true)
            .map(|(start, cluster)| Cluster {
                range: start..start + cluster.len(),
                script: None,
                face: Some(0),
            })
            .collect();
        let groups = groups(text, &clusters);
        groups
            .iter()
            .map(|group| &text[group.range.clone()])
            .collect()
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
        for text in [
            "a\u{202e}b\u{2066}c",
            "\u{2069}\u{202c}",
            "א\u{202d}1\u{2067}ب",
            "\u{202e}",
        ] {
            let mut ranges = seen(text);
            ranges.sort_by_key(|part| part.as_ptr());
            assert_eq!(ranges.concat(), text);
        }
    }
}
