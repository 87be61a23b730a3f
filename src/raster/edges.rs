//! Which pixels a triangle covers: the exact ends of its spans, row by row.
//!
//! A sample is covered when it lies inside, on a left edge or on a top edge, so that triangles that share an edge cover
//! each sample once. An edge `(x₀, y₀) → (x₁, y₁)` going down crosses the height `y` at `x₀ + (y − y₀) · dx / dy`; the
//! first sample at or right of it has the column `⌈N / dy⌉` for a whole number `N` that grows by `dx` a row. So each row
//! costs an addition and a comparison of a quotient and its remainder, and nothing is ever rounded.

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
    from: Point,
    dx: i32,
    dy: i32,
    left: bool,
}

impl Edge {
    /// The side from `a` to `b` of a triangle whose corners, in this direction, turn right on the screen when `clockwise`.
    /// None if it is level: such sides bound no row.
    #[inline(always)]
    pub(super) fn new(a: Point, b: Point, clockwise: bool) -> Option<Self> {
        let ([_, ay], [_, by]) = (a, b);
        let (from, to, down) = if ay < by { (a, b, true) } else { (b, a, false) };
        let ([x0, y0], [x1, y1]) = (from, to);
        (ay != by).then_some(Self {
            from,
            dx: x1 - x0,
            dy: y1 - y0,
            left: down != clockwise,
        })
    }

    /// Writes the ends of this side into `spans`, whose first entry is row `first`. Rows beyond `spans` are left out.
    #[inline(always)]
    pub(super) fn walk<const S: usize, P: Pattern<S>>(&self, first: i32, spans: &mut [RowSpan<S>]) {
        let Self {
            from: [x0, y0],
            dx,
            dy,
            left,
        } = *self;
        let last = first.saturating_add(i32::try_from(spans.len()).unwrap_or(i32::MAX));
        let all = rows::<S, P>(y0, y0 + dy);
        let (start, end) = (all.start.max(first), all.end.min(last));
        let divide = Divide::new(dy);
        let (step, step_rest) = divide.down(dx.into());
        let mut column = [0; S];
        let mut rest = [0; S];
        for (((column, rest), sx), sy) in column.iter_mut().zip(&mut rest).zip(P::X).zip(P::Y) {
            let y = i64::from(start) * i64::from(ONE) + i64::from(sy) - i64::from(y0);
            let n = i64::from(x0 - sx) * i64::from(dy) + y * i64::from(dx);
            // Rounded up: the negative of what is rounded down.
            let (quotient, remainder) = divide.down((-n) >> 8);
            (*column, *rest) = (-quotient, remainder);
        }
        let from = usize::try_from(start - first).unwrap_or(0);
        let to = usize::try_from(end - first).unwrap_or(0);
        for (row, span) in (start..).zip(spans.get_mut(from..to).unwrap_or_default()) {
            let side = if left {
                &mut span.left
            } else {
                &mut span.right
            };
            for (((side, column), rest), sy) in
                side.iter_mut().zip(&mut column).zip(&mut rest).zip(P::Y)
            {
                if S == 1 || (row >= first_row(y0, sy) && row < first_row(y0 + dy, sy)) {
                    *side = *column;
                }
                *rest -= step_rest;
                let carry = *rest >> 31;
                *rest += dy & carry;
                *column += step - carry;
            }
        }
    }
}

/// Divides by one number, exactly, without the slow instruction.
#[derive(Clone, Copy, Debug)]
struct Divide {
    by: i32,
    inverse: f64,
}

impl Divide {
    /// `by` is positive.
    #[inline(always)]
    fn new(by: i32) -> Self {
        Self {
            by,
            inverse: 1.0 / f64::from(by),
        }
    }

    /// `⌊n / by⌋`, which fits in 32 bits, and the rest in `0..by`. `n` is below 2^52.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "see above"
    )]
    fn down(self, n: i64) -> (i32, i32) {
        // At most one off, for the double is right to 51 bits.
        let guess = (n as f64 * self.inverse) as i32;
        let rest = (n - i64::from(guess) * i64::from(self.by)) as i32;
        let low = rest >> 31;
        let (guess, rest) = (guess + low, rest + (self.by & low));
        let high = -i32::from(rest >= self.by);
        (guess - high, rest - (self.by & high))
    }
}
