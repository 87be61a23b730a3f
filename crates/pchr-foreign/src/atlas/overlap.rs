//! Sprites that share pixels of a page.

use super::{Atlas, Sprite};

/// Comparisons after which the search ends: an atlas of heaps of sprites is odd enough.
const MOST_COMPARISONS: u32 = 20_000_000;

/// Pairs of sprites that overlap and are not at the same place, one for each two blocks or sprites of their own, by the index of the
/// second. Aliases and empty sprites have no pixels of their own.
pub(super) fn overlaps(atlas: &Atlas) -> Vec<[usize; 2]> {
    let sprites = own_places(atlas);
    let mut groups: Vec<Group<'_>> = Vec::new();
    let of_groups = sprites.chunk_by(|(_, a), (_, b)| a.block.is_some() && group(a) == group(b));
    groups.extend(of_groups.filter_map(Group::new));
    groups.sort_by_key(|group| (group.page, group.bounds[0]));
    let mut pairs = Vec::new();
    let mut left = MOST_COMPARISONS;
    // Groups of the page whose right edge was not passed.
    let mut open: Vec<&Group<'_>> = Vec::new();
    let mut page = 0;
    for group in &groups {
        if group.page != page {
            page = group.page;
            open.clear();
        }
        open.retain(|other| {
            let is_open = other.bounds[2] > group.bounds[0];
            if is_open && left > 0 && meet(other.bounds, group.bounds) {
                pairs.extend(group.first_met(other, &mut left));
            }
            left = left.saturating_sub(1);
            is_open
        });
        if left == 0 {
            break;
        }
        open.push(group);
    }
    pairs.sort_unstable_by_key(|[a, b]| [*b, *a]);
    pairs
}

/// Page and block of a sprite.
fn group(sprite: &Sprite) -> (u32, Option<u32>) {
    (sprite.page, sprite.block)
}

/// The sprites that have pixels of their own, each with its index, those of a group together.
fn own_places(atlas: &Atlas) -> Vec<(usize, &Sprite)> {
    let sprites = atlas.sprites.values().enumerate();
    let has_pixels = |sprite: &Sprite| sprite.alias_of.is_none() && !sprite.rect.is_empty();
    let mut own = Vec::with_capacity(sprites.len());
    own.extend(sprites.filter(|(_, sprite)| has_pixels(sprite)));
    if !own.is_sorted_by_key(|(_, sprite)| group(sprite)) {
        own.sort_by_key(|(_, sprite)| group(sprite));
    }
    own
}

/// A block, or a sprite of its own.
struct Group<'a> {
    page: u32,
    /// Edges around all of it.
    bounds: [i64; 4],
    sprites: &'a [(usize, &'a Sprite)],
}

impl<'a> Group<'a> {
    fn new(sprites: &'a [(usize, &'a Sprite)]) -> Option<Self> {
        let edges = sprites.iter().map(|(_, sprite)| sprite.covered().edges());
        Some(Self {
            page: sprites.first()?.1.page,
            bounds: edges.reduce(around)?,
            sprites,
        })
    }

    /// The first two sprites of both that overlap, the earlier one first.
    fn first_met(&self, other: &Self, left: &mut u32) -> Option<[usize; 2]> {
        for (index, sprite) in self.sprites {
            let rect = sprite.covered();
            if !meet(rect.edges(), other.bounds) {
                continue;
            }
            for (other, beside) in other.sprites {
                *left = left.checked_sub(1)?;
                let beside = beside.covered();
                if rect != beside && meet(rect.edges(), beside.edges()) {
                    return Some([*index.min(other), *index.max(other)]);
                }
            }
        }
        None
    }
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
