//! Which samples a triangle covers: where its sides cross each row, exactly.
//!
//! A sample is covered when it lies inside, on a left side or on a level upper side, so that triangles that share a side
//! cover each sample once. A side going down from `(x₀, y₀)` crosses the height `y` at `x₀ + (y − y₀) · dx / dy`; the first
//! sample at or right of it has the column `⌈N / dy⌉` for a whole number `N` that grows by `dx` a row.
//!
//! That column is one more than the whole part of `N / dy − 1 / 2dy`, which is never nearer than `1 / 2dy` to a whole
//! number. It is walked in steps of 2^-32 columns, by addition: off by at most 1.2 steps a row, which is too little to
//! matter for [`Edge::reach`] rows. Then it is worked out anew.

use std::ops::Range;

use super::project::{ONE, Point};

/// The sample of a pixel in the middle, in 1/256 of a pixel.
pub(super) const CENTRE: i32 = ONE / 2;

/// The four samples of a pixel in the rotated grid of D3D, Vulkan and Metal: columns and rows in 1/256 of a pixel.
pub(super) const GRID_X: [i32; 4] = [96, 224, 32, 160];
pub(super) const GRID_Y: [i32; 4] = [32, 96, 160, 224];

/// The first row whose sample, at height `sy` in its pixel, is not above `y`.
#[inline(always)]
pub(super) fn first_row(y: i32, sy: i32) -> i32 {
    (y - sy + (ONE - 1)) >> 8
}

/// Rows whose middles lie between two heights.
#[inline(always)]
pub(super) fn centre_rows(heights: Range<i32>) -> Range<i32> {
    first_row(heights.start, CENTRE)..first_row(heights.end, CENTRE)
}

/// Rows with any sample of the grid between two heights.
#[inline(always)]
pub(super) fn grid_rows(heights: Range<i32>) -> Range<i32> {
    let [highest, .., lowest] = GRID_Y;
    first_row(heights.start, lowest)..first_row(heights.end, highest)
}

/// Where a side crosses a row, in 2^-32 columns and a little lowered. See [`column`].
pub(super) type Crossing = i64;

/// The first column whose sample is not left of a crossing.
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "columns are within the guard band"
)]
pub(super) fn column(at: Crossing) -> i32 {
    (at >> 32) as i32 + 1
}

/// A side of a triangle that is not level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Its upper end.
    from: Point,
    dx: i32,
    dy: i32,
    /// 2^32 / dy.
    scale: f64,
}

impl Edge {
    /// `to` is not above `from`.
    #[inline(always)]
    pub(super) fn new(from: Point, to: Point) -> Self {
        let ([x0, y0], [x1, y1]) = (from, to);
        let dy = y1 - y0;
        Self {
            from,
            dx: x1 - x0,
            dy,
            scale: 4_294_967_296.0 / f64::from(dy),
        }
    }

    /// Upper and lower end.
    #[inline(always)]
    fn heights(&self) -> Range<i32> {
        let [_, top] = self.from;
        top..top + self.dy
    }

    /// From row to row.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "within the guard band")]
    pub(super) fn step(&self) -> Crossing {
        (f64::from(self.dx) * self.scale) as Crossing
    }

    /// In a row, for samples at `(sx, sy)` in their pixels.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "numbers below 2^52, and within the guard band"
    )]
    pub(super) fn crossing(&self, row: i32, [sx, sy]: [i32; 2]) -> Crossing {
        let [x0, y0] = self.from;
        let y = i64::from(row) * i64::from(ONE) + i64::from(sy - y0);
        let n = i64::from(x0 - sx) * i64::from(self.dy) + y * i64::from(self.dx);
        let n = (n + i64::from(ONE - 1)) >> 8;
        ((n as f64 - 0.5) * self.scale) as Crossing
    }

    /// How many rows may be walked by [`Self::step`]: all of a side of 2,048 pixels, fewer of a taller one.
    #[inline(always)]
    pub(super) fn reach(&self) -> usize {
        if self.dy <= 1 << 19 { usize::MAX } else { 32 }
    }
}

/// Some rows between the same two sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trapezoid {
    pub(super) rows: Range32,
    pub(super) left: Edge,
    pub(super) right: Edge,
}

/// A range that can be copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range32 {
    pub(super) start: i32,
    pub(super) end: i32,
}

/// The part of a triangle above its middle corner, and the one below it. Rows count by their middles, and only those
/// among `band` are given.
#[inline(always)]
pub(super) fn trapezoids(points: [Point; 3], band: &Range<i32>) -> [Trapezoid; 2] {
    let [top, middle, bottom] = sorted(points);
    let long = Edge::new(top, bottom);
    let (upper, lower) = (Edge::new(top, middle), Edge::new(middle, bottom));
    let ([_, y0], [_, y1], [_, y2]) = (top, middle, bottom);
    // Whether the middle corner is right of the long side.
    let right = super::setup::area([top, middle, bottom]) > 0;
    let part = |edge: Edge, heights: Range<i32>| {
        let rows = centre_rows(heights);
        let (left, right) = if right { (long, edge) } else { (edge, long) };
        Trapezoid {
            rows: Range32 {
                start: rows.start.max(band.start),
                end: rows.end.min(band.end),
            },
            left,
            right,
        }
    };
    [part(upper, y0..y1), part(lower, y1..y2)]
}

/// From top to bottom.
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

/// For one row: the first covered column of each sample, and the first that is no longer covered.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSpan {
    pub(super) left: [i32; 4],
    pub(super) right: [i32; 4],
}

impl RowSpan {
    pub(super) const EMPTY: Self = Self {
        left: [i32::MAX; 4],
        right: [i32::MIN; 4],
    };
}

/// Finds the spans of a triangle's samples. `spans` has an entry a row, from row `first` on; it is all empty.
#[inline(always)]
pub(super) fn grid_spans(points: [Point; 3], clockwise: bool, first: i32, spans: &mut [RowSpan]) {
    let [a, b, c] = points;
    for (from, to) in [(a, b), (b, c), (c, a)] {
        let ([_, from_y], [_, to_y]) = (from, to);
        if from_y < to_y {
            grid_side(&Edge::new(from, to), !clockwise, first, spans);
        } else if from_y > to_y {
            grid_side(&Edge::new(to, from), clockwise, first, spans);
        }
    }
}

fn grid_side(edge: &Edge, left: bool, first: i32, spans: &mut [RowSpan]) {
    let last = first.saturating_add(i32::try_from(spans.len()).unwrap_or(i32::MAX));
    let heights = edge.heights();
    let any = grid_rows(heights.clone());
    let (start, end) = (any.start.max(first), any.end.min(last));
    let [from, to] = [start, end].map(|row| usize::try_from(row - first).unwrap_or(0));
    let rows = GRID_Y.map(|sy| first_row(heights.start, sy)..first_row(heights.end, sy));
    let step = edge.step();
    let mut row = start;
    for spans in spans
        .get_mut(from..to)
        .unwrap_or_default()
        .chunks_mut(edge.reach())
    {
        let mut at = [0; 4];
        for ((at, sx), sy) in at.iter_mut().zip(GRID_X).zip(GRID_Y) {
            *at = edge.crossing(row, [sx, sy]);
        }
        for span in spans {
            let side = if left {
                &mut span.left
            } else {
                &mut span.right
            };
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
