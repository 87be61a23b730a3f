//! Clusters of characters, each in one font.

use super::catalogue::{Catalogue, FaceId};
use super::clean::{OBJECT, is_ignorable};
use super::writing::{is_same_writing, script_of};
use std::ops::Range;
use unicode_script::Script;
use unicode_segmentation::UnicodeSegmentation as _;

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
        clusters.push(Cluster {
            range: start..start + cluster.len(),
            script,
            face: None,
        });
    }
    clusters
}
