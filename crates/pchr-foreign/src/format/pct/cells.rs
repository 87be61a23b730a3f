//! Positions of the sprites in a block.

use crate::atlas::Rect;

/// Cells of a grid, row by row: equal rectangles with the page's padding on each side.
pub(super) struct Cells {
    first: Rect,
    columns: i64,
    /// Distance from one cell to the next.
    step: [i64; 2],
    /// Column and corner of the next cell.
    column: i64,
    corner: [i64; 2],
    left: i64,
}

impl Cells {
    /// Returns the cells of a grid whose corner is that of `first`.
    pub(super) fn new(first: Rect, columns: i64, padding: i32) -> Self {
        let padding = i64::from(padding);
        let start = |at: i32| i64::from(at).saturating_add(padding);
        let step = |size: i32| padding.saturating_mul(2).saturating_add(size.into());
        Self {
            first,
            columns,
            step: [step(first.width), step(first.height)],
            column: 0,
            corner: [start(first.x), start(first.y)],
            left: start(first.x),
        }
    }

    /// Returns the rectangle of the next cell; `None` if it does not fit in 32 bits.
    pub(super) fn next_rect(&mut self) -> Option<Rect> {
        // Steps are sums of three numbers of 32 bits: billions of them fit in 64.
        let [x, y] = self.corner;
        self.column = self.column.wrapping_add(1);
        self.corner = if self.column < self.columns {
            [x.wrapping_add(self.step[0]), y]
        } else {
            self.column = 0;
            [self.left, y.wrapping_add(self.step[1])]
        };
        let (x, y) = (i32::try_from(x).ok()?, i32::try_from(y).ok()?);
        Some(Rect { x, y, ..self.first })
    }
}
