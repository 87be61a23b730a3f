//! The growing union, and its four sides.

use crate::pose::Affine;
use crate::scene::Bounds;

/// A union of points; nothing at first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    min: [f32; 2],
    max: [f32; 2],
}

impl Span {
    pub(super) const EMPTY: Self = Self {
        min: [f32::INFINITY; 2],
        max: [f32::NEG_INFINITY; 2],
    };

    /// Adds a point, if it is finite.
    #[inline]
    pub(super) fn add(&mut self, point: [f32; 2]) {
        let [x, y] = point;
        if x.is_finite() && y.is_finite() {
            let ([left, bottom], [right, top]) = (self.min, self.max);
            self.min = [left.min(x), bottom.min(y)];
            self.max = [right.max(x), top.max(y)];
        }
    }

    /// Returns whether a coordinate lies on the inner side of an edge, or on it. False for NaN.
    pub(super) fn holds(&self, side: Side, coordinate: f32) -> bool {
        let ([left, bottom], [right, top]) = (self.min, self.max);
        match side {
            Side::Left => coordinate >= left,
            Side::Right => coordinate <= right,
            Side::Bottom => coordinate >= bottom,
            Side::Top => coordinate <= top,
        }
    }

    /// Returns whether a rectangle lies within.
    pub(super) fn holds_all(&self, min: [f64; 2], max: [f64; 2]) -> bool {
        let within = |((low, high), (min, max)): ((f32, f32), (f64, f64))| {
            min >= f64::from(low) && max <= f64::from(high)
        };
        let own = self.min.into_iter().zip(self.max);
        own.zip(min.into_iter().zip(max)).all(within)
    }

    /// The union. A zero has no sign in it, so that it does not depend on the order of the points.
    pub(super) fn bounds(self) -> Option<Bounds> {
        let [left, _] = self.min;
        left.is_finite().then(|| Bounds {
            min: self.min.map(|edge| edge + 0.0),
            max: self.max.map(|edge| edge + 0.0),
        })
    }
}

/// A side of a rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Left,
    Right,
    Bottom,
    Top,
}

impl Side {
    pub(super) const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Bottom, Self::Top];

    /// Returns whether the side is reached by large coordinates.
    pub(super) fn is_upper(self) -> bool {
        matches!(self, Self::Right | Self::Top)
    }

    /// The row of a map that gives the coordinate.
    pub(super) fn row(self, [x, y]: &Affine) -> [f32; 4] {
        match self {
            Self::Left | Self::Right => *x,
            Self::Bottom | Self::Top => *y,
        }
    }
}
