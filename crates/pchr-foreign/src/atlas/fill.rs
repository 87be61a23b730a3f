//! Use of pages.

use super::Atlas;

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
            let edges = [
                on(x, *width),
                on(top, *height),
                on(y, *width),
                on(bottom, *height),
            ];
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
    let mut line = Line::new(&columns);
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
struct Line<'a> {
    columns: &'a [u32],
    leaves: usize,
    /// Of each node: the number of rectangles over the whole of it, and the covered pixels in it.
    nodes: Vec<(i32, u64)>,
}

impl<'a> Line<'a> {
    fn new(columns: &'a [u32]) -> Self {
        let leaves = columns.len().saturating_sub(1).max(1).next_power_of_two();
        Self {
            columns,
            leaves,
            nodes: vec![(0, 0); leaves.saturating_mul(2)],
        }
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
        let below = [
            node.saturating_mul(2),
            node.saturating_mul(2).saturating_add(1),
        ];
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
    use crate::atlas::{Rect, Sprite};

    #[test]
    fn pixels_are_counted_once_and_on_the_page() {
        let sprite = |x, width, alias_of| Sprite {
            rect: Rect {
                x,
                y: -4,
                width,
                height: 8,
            },
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
