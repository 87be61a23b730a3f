//! Sprites on their pages: faults of their layout, overlaps, and the pixels that they cover.

use pchr::finding::{Findings, Words, quoted};

use super::{Atlas, Page, PctRule, Rect, Sprite, Trim};

/// Finds sprites that are empty, leave their page or their source, or overlap.
pub fn check(atlas: &Atlas, found: &mut Findings) {
    if atlas.pages.is_empty() {
        found.add(PctRule::PagesNone, 0, "pages", "no pages; nothing can be drawn");
    }
    if atlas.sprites.is_empty() {
        found.add(PctRule::SpritesNone, 0, "sprites", "no sprites; nothing plays");
    }
    for (name, sprite) in atlas.sprites.iter() {
        if name == "__proto__" {
            let message = "Phaser loses sprites with this name";
            add(found, PctRule::NameJavaScript, (name, sprite), message);
        }
        if sprite.alias_of.is_some() {
            continue; // its original is reported
        }
        let page = atlas.pages.get(sprite.page as usize);
        // A page that states no size holds any sprite.
        let leaves_page =
            |page: &Page| page.size != [0, 0] && leaves(sprite.covered(), page.size.map(i64::from));
        let leaves_source = |Trim { source, offset: [x, y] }: Trim| {
            leaves(Rect { x, y, ..sprite.rect }, source.map(i64::from))
        };
        if sprite.rect.is_empty() {
            let message = || format!("{} pixels cannot be drawn", size_of(sprite));
            add(found, PctRule::SpriteEmpty, (name, sprite), message);
        } else if let Some(page) = page.filter(|page| leaves_page(page)) {
            let message = || {
                let (Rect { x, y, .. }, [width, height]) = (sprite.rect, page.size);
                let (size, index, file) = (size_of(sprite), sprite.page, quoted(&page.file));
                format!(
                    "{size} at {x},{y} lies partly outside page {index} {file} ({width} x {height})"
                )
            };
            add(found, PctRule::SpriteOutside, (name, sprite), message);
        }
        if sprite.trim.is_some_and(leaves_source) {
            let message = || {
                let ([x, y], [width, height]) = (sprite.source_offset(), sprite.source_size());
                let size = size_of(sprite);
                format!("{size} at {x},{y} lies partly outside its source of {width} x {height}")
            };
            add(found, PctRule::TrimOutside, (name, sprite), message);
        }
    }
    for [first, second] in overlaps(atlas) {
        let (Some((first, _)), Some((name, sprite))) =
            (atlas.sprites.get_index(first), atlas.sprites.get_index(second))
        else {
            continue;
        };
        let message = || format!("overlaps {} on page {}", quoted(first), sprite.page);
        add(found, PctRule::SpriteOverlap, (name, sprite), message);
    }
}

fn add(found: &mut Findings, rule: PctRule, (name, sprite): (&str, &Sprite), message: impl Words) {
    let path = || format!("sprite {}", quoted(name));
    found.add(rule, sprite.offset, path, message);
}

fn size_of(sprite: &Sprite) -> String {
    format!("{} x {}", sprite.rect.width, sprite.rect.height)
}

/// Returns whether a rectangle is not whole in a picture.
fn leaves(rect: Rect, [width, height]: [i64; 2]) -> bool {
    let [left, top, right, bottom] = rect.edges();
    left < 0 || top < 0 || right > width || bottom > height
}

/// Comparisons after which the search ends: an atlas of heaps of sprites is odd enough.
const MOST_COMPARISONS: u32 = 20_000_000;

/// Pairs of sprites that overlap and are not at the same place, one for each two blocks or sprites of their own, by the index of the
/// second. Aliases and empty sprites have no pixels of their own.
pub(super) fn overlaps(atlas: &Atlas) -> Vec<[usize; 2]> {
    let sprites = own_places(atlas);
    let mut groups: Vec<OverlapGroup<'_>> = Vec::new();
    let of_groups = sprites.chunk_by(|(_, a), (_, b)| a.block.is_some() && group(a) == group(b));
    groups.extend(of_groups.filter_map(OverlapGroup::new));
    groups.sort_by_key(|group| (group.page, group.bounds[0]));
    let mut pairs = Vec::new();
    let mut left = MOST_COMPARISONS;
    // Groups of the page whose right edge was not passed.
    let mut open: Vec<&OverlapGroup<'_>> = Vec::new();
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
struct OverlapGroup<'a> {
    page: u32,
    /// Edges around all of it.
    bounds: [i64; 4],
    sprites: &'a [(usize, &'a Sprite)],
}

impl<'a> OverlapGroup<'a> {
    fn new(sprites: &'a [(usize, &'a Sprite)]) -> Option<Self> {
        let edges = sprites.iter().map(|(_, sprite)| sprite.covered().edges());
        Some(Self { page: sprites.first()?.1.page, bounds: edges.reduce(around)?, sprites })
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
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

/// Pixels of each page that sprites cover, those of several counted once. `sizes` are the pages' widths and heights.
#[must_use]
pub fn covered_pixels(atlas: &Atlas, sizes: &[[u32; 2]]) -> Vec<u64> {
    let mut places: Vec<Vec<[u32; 4]>> = vec![Vec::new(); sizes.len()];
    for sprite in atlas.sprites.values() {
        let page = sprite.page as usize;
        if let Some((place, size)) = places.get_mut(page).zip(sizes.get(page))
            && sprite.alias_of.is_none()
        {
            let [left, top, right, bottom] = sprite.covered().edges();
            let on = |edge: i64, side: u32| u32::try_from(edge.clamp(0, side.into())).unwrap_or(0);
            let ([width, height], [x, y]) = (size, [left, right]);
            let edges = [on(x, *width), on(top, *height), on(y, *width), on(bottom, *height)];
            if edges[0] < edges[2] && edges[1] < edges[3] {
                place.push(edges);
            }
        }
    }
    places.iter().map(|places| union(places)).collect()
}

/// Pixels of a union of rectangles, each with left, top, right and bottom edge: a line sweeps over it from top to bottom.
fn union(places: &[[u32; 4]]) -> u64 {
    let mut columns: Vec<u32> = places.iter().flat_map(|[l, _, r, _]| [*l, *r]).collect();
    columns.sort_unstable();
    columns.dedup();
    let column = |x: &u32| columns.binary_search(x).unwrap_or_default();
    let mut edges: Vec<(u32, i32, [usize; 2])> = Vec::with_capacity(places.len().saturating_mul(2));
    for [left, top, right, bottom] in places {
        let across = [column(left), column(right)];
        edges.extend([(*top, 1, across), (*bottom, -1, across)]);
    }
    edges.sort_unstable();
    let mut line = SweepLine::new(&columns);
    let (mut area, mut y) = (0_u64, 0);
    for (at, by, across) in edges {
        let rows = u64::from(at.saturating_sub(y));
        area = area.saturating_add(line.covered().saturating_mul(rows));
        y = at;
        line.add(1, [0, line.leaves], across, by);
    }
    area
}

/// The part of a line that is covered, as a binary tree over its columns.
struct SweepLine<'a> {
    columns: &'a [u32],
    leaves: usize,
    /// Of each node: the number of rectangles over the whole of it, and the covered pixels in it.
    nodes: Vec<(i32, u64)>,
}

impl<'a> SweepLine<'a> {
    fn new(columns: &'a [u32]) -> Self {
        let leaves = columns.len().saturating_sub(1).max(1).next_power_of_two();
        Self { columns, leaves, nodes: vec![(0, 0); leaves.saturating_mul(2)] }
    }

    fn covered(&self) -> u64 {
        self.nodes.get(1).map_or(0, |(_, covered)| *covered)
    }

    fn pixels(&self, [from, to]: [usize; 2]) -> u64 {
        let at = |column: usize| self.columns.get(column).or(self.columns.last());
        let [from, to] = [from, to].map(|column| at(column).copied().unwrap_or_default());
        to.saturating_sub(from).into()
    }

    /// Adds a rectangle between two columns, or takes it away, below a node that covers `all` of these columns.
    fn add(&mut self, node: usize, all: [usize; 2], across: [usize; 2], by: i32) {
        let ([from, to], [start, end]) = (all, across);
        if end <= from || to <= start {
            return;
        }
        let below = [node.saturating_mul(2), node.saturating_mul(2).saturating_add(1)];
        let whole = start <= from && to <= end;
        if !whole {
            let middle = usize::midpoint(from, to);
            self.add(below[0], [from, middle], across, by);
            self.add(below[1], [middle, to], across, by);
        }
        let inner = below.map(|node| self.nodes.get(node).map_or(0, |(_, covered)| *covered));
        let pixels = self.pixels(all);
        if let Some((count, covered)) = self.nodes.get_mut(node) {
            *count = count.saturating_add(if whole { by } else { 0 });
            *covered = match *count > 0 {
                true => pixels,
                false => inner[0].saturating_add(inner[1]),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_counted_once_and_on_the_page() {
        let sprite = |x, width, alias_of| Sprite {
            rect: Rect { x, y: -4, width, height: 8 },
            alias_of,
            ..Sprite::default()
        };
        let mut atlas = Atlas::default();
        for (name, sprite) in [
            ("a", sprite(0, 10, None)),
            ("b", sprite(0, 10, None)),
            ("c", sprite(0, 10, Some(0))),
            ("d", sprite(95, 10, None)),
            ("e", sprite(0, -10, None)),
        ] {
            atlas.sprites.insert(name, sprite);
        }
        assert_eq!(covered_pixels(&atlas, &[[100, 100], [8, 8]]), [60, 0]);
        assert_eq!(covered_pixels(&atlas, &[[1, 2]]), [2]);
    }

    #[test]
    fn a_union_is_what_counting_its_pixels_gives() {
        let mut seed = 1_u32;
        let mut below = |most: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % most
        };
        for count in 0..40 {
            let mut place = |_| {
                let (x, y) = (below(40), below(40));
                [x, y, x + 1 + below(12), y + 1 + below(12)]
            };
            let places: Vec<[u32; 4]> = (0..count).map(&mut place).collect();
            let holds = |x: u32, y: u32| {
                let inside =
                    |[l, t, r, b]: &[u32; 4]| (*l..*r).contains(&x) && (*t..*b).contains(&y);
                places.iter().any(inside)
            };
            let pixels = (0..60).flat_map(|y| (0..60).map(move |x| (x, y)));
            let counted = pixels.filter(|(x, y)| holds(*x, *y)).count();
            assert_eq!(union(&places), counted as u64, "{places:?}");
        }
    }
}
