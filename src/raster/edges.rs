//! Which pixels a triangle covers: the exact ends of its spans, row by row.
//!
//! A sample is covered when it lies inside, on a left edge or on a top edge, so that triangles that share an edge cover
//! each sample once. An edge `(x₀, y₀) → (x₁, y₁)` going down crosses the height `y` at `x₀ + (y − y₀) · dx / dy`; the
//! first sample at or right of it has the column `⌈N / dy⌉` for a whole number `N` that grows by `dx` a row.

use std::ops::Range;

use super::project::{ONE, Point};

/// Where the samples of a pixel lie, in 1/256 of a pixel from its upper left corner.
pub(super) trait Pattern<const S: usize> {
    /// Columns.
    const X: [i32; S];
    /// Rows.
    const Y: [i32; S];
}

/// One sample in the middle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Center;

impl Pattern<1> for Center {
    const X: [i32; 1] = [128];
    const Y: [i32; 1] = [128];
}

/// The rotated grid of D3D, Vulkan and Metal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid;

impl Pattern<4> for Grid {
    const X: [i32; 4] = [96, 224, 32, 160];
    const Y: [i32; 4] = [32, 96, 160, 224];
}

/// For one row: the first covered column of each sample, and the first that is no longer covered.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSpan<const S: usize> {
    pub(super) left: [i32; S],
    pub(super) right: [i32; S],
}

impl<const S: usize> RowSpan<S> {
    pub(super) const EMPTY: Self = Self {
        left: [i32::MAX; S],
        right: [i32::MIN; S],
    };
}

/// The first row whose sample, at `offset` in its pixel, is not above `y`.
#[inline(always)]
pub(super) fn first_row(y: i32, offset: i32) -> i32 {
    (y - offset + (ONE - 1)) >> 8
}

/// Rows with any sample in `top..bottom`.
#[inline(always)]
pub(super) fn rows<const S: usize, P: Pattern<S>>(top: i32, bottom: i32) -> Range<i32> {
    let lowest = P::Y.iter().copied().max().unwrap_or(0);
    let highest = P::Y.iter().copied().min().unwrap_or(0);
    first_row(top, lowest)..first_row(bottom, highest)
}

/// One side of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// One of its ends.
    from: Point,
    /// Its upper and its lower end.
    top: i32,
    bottom: i32,
    /// From its upper to its lower end.
    dx: i32,
    dy: i32,
    left: bool,
}

/// Sides that are taller than this, in 1/256 pixels, are walked with a division a row: see [`Edge::walk`].
const TALL: i32 = 1 << 19;

/// Parts of a column that a walk steps in.
const PARTS: f64 = 4_294_967_296.0;

impl Edge {
    /// The side from `a` to `b` of a triangle whose corners, in this direction, turn right on the screen when `clockwise`.
    #[inline(always)]
    pub(super) fn new(a: Point, b: Point, clockwise: bool) -> Self {
        let ([ax, ay], [bx, by]) = (a, b);
        let (dx, dy) = (bx - ax, by - ay);
        let up = dy >> 31;
        Self {
            from: a,
            top: ay.min(by),
            bottom: ay.max(by),
            dx: (dx ^ up) - up,
            dy: (dy ^ up) - up,
            left: (dy > 0) != clockwise,
        }
    }

    /// Writes where this side is into `spans`, whose first entry is row `first`. Rows beyond `spans` are left out.
    ///
    /// With `N / dy` a little lowered, its whole part is one less than the column. It is walked in parts of 2^-32: off by
    /// at most 1.2 parts a row, while `N / dy - 1 / 2dy` is never nearer than `1 / 2dy` to a whole number. So the whole
    /// part is exact as long as the side is not taller than [`TALL`].
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "numbers below 2^52; columns within the guard band"
    )]
    pub(super) fn walk<const S: usize, P: Pattern<S>>(&self, first: i32, spans: &mut [RowSpan<S>]) {
        let last = first.saturating_add(i32::try_from(spans.len()).unwrap_or(i32::MAX));
        let all = rows::<S, P>(self.top, self.bottom);
        let (start, end) = (all.start.max(first), all.end.min(last));
        if start >= end {
            return;
        }
        let from = usize::try_from(start - first).unwrap_or(0);
        let to = usize::try_from(end - first).unwrap_or(0);
        let spans = spans.get_mut(from..to).unwrap_or_default();
        if self.dy > TALL {
            self.walk_tall::<S, P>(start, spans);
            return;
        }
        let parts = PARTS / f64::from(self.dy);
        let step = (f64::from(self.dx) * parts) as i64;
        let mut at = [0; S];
        for ((at, sx), sy) in at.iter_mut().zip(P::X).zip(P::Y) {
            *at = ((self.dividend(start, sx, sy) as f64 - 0.5) * parts) as i64;
        }
        for (row, span) in (start..).zip(spans) {
            let side = if self.left {
                &mut span.left
            } else {
                &mut span.right
            };
            for ((side, at), sy) in side.iter_mut().zip(&mut at).zip(P::Y) {
                if S == 1 || self.reaches(row, sy) {
                    *side = (*at >> 32) as i32 + 1;
                }
                *at = at.wrapping_add(step);
            }
        }
    }

    #[cold]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "columns are within the guard band"
    )]
    fn walk_tall<const S: usize, P: Pattern<S>>(&self, start: i32, spans: &mut [RowSpan<S>]) {
        for (row, span) in (start..).zip(spans) {
            let side = if self.left {
                &mut span.left
            } else {
                &mut span.right
            };
            for ((side, sx), sy) in side.iter_mut().zip(P::X).zip(P::Y) {
                if self.reaches(row, sy) {
                    let n = self.dividend(row, sx, sy);
                    *side = -((-n).div_euclid(self.dy.into()) as i32);
                }
            }
        }
    }

    /// `N`, rounded up to whole numbers: the column is `⌈N / dy⌉`.
    #[inline(always)]
    fn dividend(&self, row: i32, sx: i32, sy: i32) -> i64 {
        let [x0, y0] = self.from;
        let y = i64::from(row) * i64::from(ONE) + i64::from(sy) - i64::from(y0);
        let n = i64::from(x0 - sx) * i64::from(self.dy) + y * i64::from(self.dx);
        (n + i64::from(ONE - 1)) >> 8
    }

    /// Whether the sample at height `sy` of a row lies between the ends.
    #[inline(always)]
    fn reaches(&self, row: i32, sy: i32) -> bool {
        row >= first_row(self.top, sy) && row < first_row(self.bottom, sy)
    }
}
