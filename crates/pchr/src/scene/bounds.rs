//! World rectangle that a picture must hold.

/// An upright rectangle in world pixels, Y up; `min` is not above `max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Left and lower edge.
    pub min: [f32; 2],
    /// Right and upper edge.
    pub max: [f32; 2],
}

impl Bounds {
    /// Returns the smallest bounds that hold both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let both = |pick: fn(f32, f32) -> f32, [ax, ay]: [f32; 2], [bx, by]: [f32; 2]| {
            [pick(ax, bx), pick(ay, by)]
        };
        Self {
            min: both(f32::min, self.min, other.min),
            max: both(f32::max, self.max, other.max),
        }
    }
}
