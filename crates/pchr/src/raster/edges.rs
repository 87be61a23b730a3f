//! Samples that a triangle covers, in fixed-point numbers: the exact crossings of its sides with each row.
//!
//! A sample is covered when it lies inside, on a left side or on a level upper side, so that triangles that share a side
//! cover each sample once. A side going down from `(x₀, y₀)` crosses the height `y` at `x₀ + (y − y₀) · dx / dy`; the first
//! sample at or right of it has the column `⌈N / dy⌉` for a whole number `N` that grows by `dx` a row.
//!
//! That column is one more than the whole part of `N / dy − 1 / 2dy`, which is never nearer than `1 / 2dy` to a whole
//! number. It is walked in steps of 2^-32 columns, by addition: off by at most 1.2 steps a row, which is too little to
//! matter for [`RowEdge::reach`] rows. Then it is computed again.

use std::ops::Range;

use super::setup::{ONE, Point, nearest, to_fixed};

/// Position of the sample in the middle of a pixel, in 1/256 of a pixel.
pub(super) const CENTRE: i32 = ONE / 2;

/// The four samples of a pixel in the rotated grid of D3D, Vulkan and Metal: columns and rows in 1/256 of a pixel.
pub(super) const GRID_X: [i32; 4] = [96, 224, 32, 160];
pub(super) const GRID_Y: [i32; 4] = [32, 96, 160, 224];

/// Returns the first row whose sample, at height `sy` in its pixel, is not above `y`.
#[inline(always)]
pub(super) fn first_row(y: i32, sy: i32) -> i32 {
    (y - sy + (ONE - 1)) >> 8
}

/// Returns the rows whose centres lie between two heights.
#[inline(always)]
pub(super) fn centre_rows(heights: Range<i32>) -> Range<i32> {
    first_row(heights.start, CENTRE)..first_row(heights.end, CENTRE)
}

/// Returns the rows with any sample of the grid between two heights.
#[inline(always)]
pub(super) fn grid_rows(heights: Range<i32>) -> Range<i32> {
    let [highest, .., lowest] = GRID_Y;
    first_row(heights.start, lowest)..first_row(heights.end, highest)
}

/// Column at which a side crosses a row, in 2^-32 columns, slightly lowered. See [`column`].
pub(super) type Crossing = i64;

/// Returns the first column whose sample is not left of a crossing.
#[inline(always)]
pub(super) fn column(at: Crossing) -> i32 {
    (at >> 32) as i32 + 1
}

/// A side of a triangle that is not level.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowEdge {
    /// Its upper end.
    from: Point,
    dx: i32,
    dy: i32,
    /// 2^32 / dy.
    scale: f64,
}

impl RowEdge {
    /// Creates an edge. `to` is not above `from`.
    #[inline(always)]
    pub(super) fn new(from: Point, to: Point) -> Self {
        let ([x0, y0], [x1, y1]) = (from, to);
        let dy = y1 - y0;
        Self { from, dx: x1 - x0, dy, scale: 4_294_967_296.0 / f64::from(dy) }
    }

    /// Returns the heights of the upper and the lower end.
    #[inline(always)]
    fn heights(&self) -> Range<i32> {
        let [_, top] = self.from;
        top..top + self.dy
    }

    /// Returns the change of the crossing per row.
    #[inline(always)]
    pub(super) fn step(&self) -> Crossing {
        to_fixed(f64::from(self.dx) * self.scale)
    }

    /// Returns the crossing in a row, for samples at `(sx, sy)` in their pixels.
    ///
    /// Computed in doubles, but exact up to the last product: all values are whole numbers below 2^52, or 1/256 of such.
    #[inline(always)]
    pub(super) fn crossing(&self, row: i32, [sx, sy]: [i32; 2]) -> Crossing {
        let [x0, y0] = self.from;
        let y = f64::from(row) * f64::from(ONE) + f64::from(sy - y0);
        let n = f64::from(x0 - sx) * f64::from(self.dy) + y * f64::from(self.dx);
        // Rounded up to a multiple of 256, of which there is one within 127.5 of this.
        let n = nearest(n / f64::from(ONE) + 127.5 / 256.0);
        to_fixed((n - 0.5) * self.scale)
    }

    /// Returns the number of rows that [`Self::step`] may walk: all of a side up to 2,048 pixels high, 32 of a taller one.
    #[inline(always)]
    pub(super) fn reach(&self) -> usize {
        if self.dy <= 1 << 19 { usize::MAX } else { 32 }
    }
}

/// Rows between the same two sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trapezoid {
    pub(super) rows: Range32,
    pub(super) left: RowEdge,
    pub(super) right: RowEdge,
}

/// A range that is `Copy`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range32 {
    pub(super) start: i32,
    pub(super) end: i32,
}

/// Returns the parts of a triangle above and below its middle corner. A row counts by its centre, and only rows in `band` are
/// returned.
#[inline(always)]
pub(super) fn trapezoids(points: [Point; 3], band: &Range<i32>) -> [Trapezoid; 2] {
    let [top, middle, bottom] = sorted(points);
    let long = RowEdge::new(top, bottom);
    let (upper, lower) = (RowEdge::new(top, middle), RowEdge::new(middle, bottom));
    let ([_, y0], [_, y1], [_, y2]) = (top, middle, bottom);
    // True if the middle corner is to the right of the long side.
    let right = super::setup::area([top, middle, bottom]) > 0;
    let part = |edge: RowEdge, heights: Range<i32>| {
        let rows = centre_rows(heights);
        let (left, right) = if right { (long, edge) } else { (edge, long) };
        Trapezoid {
            rows: Range32 { start: rows.start.max(band.start), end: rows.end.min(band.end) },
            left,
            right,
        }
    };
    [part(upper, y0..y1), part(lower, y1..y2)]
}

/// Sorts points from top to bottom.
#[inline(always)]
fn sorted([a, b, c]: [Point; 3]) -> [Point; 3] {
    let key = |[x, y]: Point| (i64::from(y) << 32) | i64::from(x.cast_unsigned());
    #[expect(clippy::cast_possible_truncation, reason = "as it was put together")]
    let point = |key: i64| [key as i32, (key >> 32) as i32];
    let (a, b, c) = (key(a), key(b), key(c));
    let (a, b) = (a.min(b), a.max(b));
    let (b, c) = (b.min(c), b.max(c));
    let (a, b) = (a.min(b), a.max(b));
    [point(a), point(b), point(c)]
}

/// Columns of each sample in one row: the first covered one, and the one after the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSpan {
    pub(super) left: [i32; 4],
    pub(super) right: [i32; 4],
}

impl RowSpan {
    pub(super) const EMPTY: Self = Self { left: [i32::MAX; 4], right: [i32::MIN; 4] };
}

/// Finds the sample spans of a convex polygon with these sides. `spans` has an entry per row, from row `first` on, all empty at the
/// start.
#[inline(always)]
pub(super) fn grid_spans(
    sides: impl IntoIterator<Item = [Point; 2]>,
    clockwise: bool,
    first: i32,
    spans: &mut [RowSpan],
) {
    for [from, to] in sides {
        let ([_, from_y], [_, to_y]) = (from, to);
        if from_y < to_y {
            grid_side(&RowEdge::new(from, to), !clockwise, first, spans);
        } else if from_y > to_y {
            grid_side(&RowEdge::new(to, from), clockwise, first, spans);
        }
    }
}

#[inline(always)]
fn grid_side(edge: &RowEdge, left: bool, first: i32, spans: &mut [RowSpan]) {
    let last = first.saturating_add(i32::try_from(spans.len()).unwrap_or(i32::MAX));
    let heights = edge.heights();
    let any = grid_rows(heights.clone());
    let (start, end) = (any.start.max(first), any.end.min(last));
    let [from, to] = [start, end].map(|row| usize::try_from(row - first).unwrap_or(0));
    let rows = GRID_Y.map(|sy| first_row(heights.start, sy)..first_row(heights.end, sy));
    let step = edge.step();
    let mut row = start;
    for spans in spans.get_mut(from..to).unwrap_or_default().chunks_mut(edge.reach()) {
        let mut at = [0; 4];
        for ((at, sx), sy) in at.iter_mut().zip(GRID_X).zip(GRID_Y) {
            *at = edge.crossing(row, [sx, sy]);
        }
        for span in spans {
            let side = if left { &mut span.left } else { &mut span.right };
            // Only the first row and the last may have samples beyond the ends.
            if row == any.start || row + 1 == any.end {
                for ((side, at), rows) in side.iter_mut().zip(at).zip(&rows) {
                    if rows.contains(&row) {
                        *side = column(at);
                    }
                }
            } else {
                *side = at.map(column);
            }
            at = at.map(|at| at.wrapping_add(step));
            row += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::setup::{area, sides};

    /// Pixels that a triangle covers, by the definition: `(column, row)` of each.
    fn by_definition(points: [Point; 3], size: i32) -> Vec<[i32; 2]> {
        let all = (0..size).flat_map(|y| (0..size).map(move |x| [x, y]));
        all.filter(|[x, y]| covers(points, [x * ONE + CENTRE, y * ONE + CENTRE])).collect()
    }

    fn covers([a, b, c]: [Point; 3], at: Point) -> bool {
        let (b, c) = if area([a, b, c]) > 0 { (b, c) } else { (c, b) };
        if area([a, b, c]) == 0 {
            return false;
        }
        [(a, b), (b, c), (c, a)].into_iter().all(|(from, to)| {
            let ([x0, y0], [x1, y1]) = (from, to);
            let side = area([from, to, at]);
            let top = y0 == y1 && x1 > x0;
            let left = y1 < y0;
            side > 0 || (side == 0 && (top || left))
        })
    }

    fn by_walking(points: [Point; 3], size: i32) -> Vec<[i32; 2]> {
        let mut pixels = Vec::new();
        if area(points) == 0 {
            return pixels;
        }
        for part in trapezoids(points, &(0..size)) {
            let mut left = part.left.crossing(part.rows.start, [CENTRE; 2]);
            let mut right = part.right.crossing(part.rows.start, [CENTRE; 2]);
            for y in part.rows.start..part.rows.end {
                let (from, to) = (column(left).max(0), column(right).min(size));
                pixels.extend((from..to).map(|x| [x, y]));
                left += part.left.step();
                right += part.right.step();
            }
        }
        pixels
    }

    fn random_points(seed: &mut u64, most: u64) -> [Point; 3] {
        let mut next = || {
            *seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            i32::try_from((*seed >> 33) % most).unwrap_or(0) - 2 * ONE
        };
        [[0; 2]; 3].map(|point| point.map(|_| next()))
    }

    #[test]
    fn walking_covers_what_the_rule_says() {
        let mut seed = 1;
        for round in 0..3000 {
            // Coarse positions bring samples that lie on sides and corners.
            let grain = [1, 64, 128, 256][round % 4];
            let points =
                random_points(&mut seed, 20 * 256).map(|point| point.map(|c| c / grain * grain));
            let mut walked = by_walking(points, 16);
            walked.sort_by_key(|[x, y]| [*y, *x]);
            assert_eq!(walked, by_definition(points, 16), "{points:?}");
        }
    }

    #[test]
    fn tall_sides_are_exact_as_far_as_they_reach() {
        let mut seed = 3;
        for height in [600_000, 9_000_000, 1 << 25] {
            for _ in 0..100 {
                let [from, [x1, _], _] = random_points(&mut seed, 1 << 24);
                let [x0, y0] = from;
                let edge = RowEdge::new(from, [x1, y0 + height]);
                let start = first_row(y0, CENTRE);
                for start in [start, start + height / 512] {
                    let mut at = edge.crossing(start, [CENTRE; 2]);
                    for row in start..start + i32::try_from(edge.reach()).unwrap() {
                        let y = i64::from(row) * 256 + 128 - i64::from(y0);
                        let n = i128::from(x0 - 128) * i128::from(height)
                            + i128::from(y) * i128::from(x1 - x0);
                        let wanted = -((-n).div_euclid(256 * i128::from(height)));
                        assert_eq!(i128::from(column(at)), wanted, "{from:?} {x1} {height} {row}");
                        at += edge.step();
                    }
                }
            }
        }
    }

    #[test]
    fn the_grid_covers_each_sample_by_the_same_rule() {
        let mut seed = 11;
        for round in 0..1000 {
            let grain = [1, 32, 64, 256][round % 4];
            let points =
                random_points(&mut seed, 20 * 256).map(|point| point.map(|c| c / grain * grain));
            let turn = area(points);
            if turn == 0 {
                continue;
            }
            let mut spans = [RowSpan::EMPTY; 16];
            grid_spans(sides(&points), turn > 0, 0, &mut spans);
            for (y, span) in (0..).zip(&spans) {
                for x in 0..16 {
                    for s in 0..4 {
                        let at = [x * ONE + GRID_X[s], y * ONE + GRID_Y[s]];
                        let covered = span.left[s] <= x && x < span.right[s];
                        assert_eq!(covered, covers(points, at), "{points:?} {x} {y} {s}");
                    }
                }
            }
        }
    }
}
