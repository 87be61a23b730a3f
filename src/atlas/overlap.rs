//! Sprites that share pixels of a page.

use std::collections::BTreeMap;

use super::{Atlas, Rect};

/// Comparisons after which the search ends: an atlas of heaps of sprites is odd enough.
const MOST_COMPARISONS: u32 = 20_000_000;

/// Pairs of sprites that overlap and are not at the same place, one for each two blocks or sprites of their own, by the index of the
/// second. Aliases and empty sprites have no pixels of their own.
pub(super) fn overlaps(atlas: &Atlas) -> Vec<[usize; 2]> {
    let mut left = MOST_COMPARISONS;
    let mut pairs = Vec::new();
    for mut groups in groups(atlas) {
        groups.sort_by_key(|group| group.bounds[0]);
        let mut open: Vec<&Group> = Vec::new();
        for group in &groups {
            open.retain(|other| other.bounds[2] > group.bounds[0]);
            for other in &open {
                let pair = meet(other.bounds, group.bounds)
                    .then(|| group.first_met(other, &mut left))
                    .flatten();
                pairs.extend(pair);
                left = left.saturating_sub(1);
                if left == 0 {
                    pairs.sort_by_key(|[a, b]| [*b, *a]);
                    return pairs;
                }
            }
            open.push(group);
        }
    }
    pairs.sort_by_key(|[a, b]| [*b, *a]);
    pairs
}

/// A block, or a sprite of its own.
struct Group {
    /// Edges around all of it.
    bounds: [i64; 4],
    sprites: Vec<(usize, Rect)>,
}

impl Group {
    /// The first two sprites of both that overlap, the earlier one first.
    fn first_met(&self, other: &Self, left: &mut u32) -> Option<[usize; 2]> {
        for (index, rect) in &self.sprites {
            if !meet(rect.edges(), other.bounds) {
                continue;
            }
            for (other, beside) in &other.sprites {
                *left = left.checked_sub(1)?;
                if rect != beside && meet(rect.edges(), beside.edges()) {
                    return Some([*index.min(other), *index.max(other)]);
                }
            }
        }
        None
    }
}

/// The groups of each page.
fn groups(atlas: &Atlas) -> impl Iterator<Item = Vec<Group>> {
    let mut pages: BTreeMap<u32, Vec<Group>> = BTreeMap::new();
    let mut blocks: BTreeMap<u32, usize> = BTreeMap::new();
    for (index, (_, sprite)) in atlas.named().enumerate() {
        let rect = sprite.covered();
        if sprite.alias_of.is_some() || rect.is_empty() {
            continue;
        }
        let groups = pages.entry(sprite.page).or_default();
        let known = sprite.block.and_then(|block| blocks.get(&block));
        match known.and_then(|known| groups.get_mut(*known)) {
            Some(group) => {
                group.bounds = around(group.bounds, rect.edges());
                group.sprites.push((index, rect));
            }
            None => {
                if let Some(block) = sprite.block {
                    blocks.insert(block, groups.len());
                }
                groups.push(Group {
                    bounds: rect.edges(),
                    sprites: vec![(index, rect)],
                });
            }
        }
    }
    pages.into_values()
}

fn meet(a: [i64; 4], b: [i64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn around(a: [i64; 4], b: [i64; 4]) -> [i64; 4] {
    [
        a[0].min(b[0]),
        a[1].min(b[1]),
        a[2].max(b[2]),
        a[3].max(b[3]),
    ]
}
