//! Projects stored vertices to points on the screen.

use std::ops::Range;

use glam::Affine2;

use crate::document::Vertex;
use crate::pose::{Affine, Pose, skin_point, transform_point};

/// Sub-pixel positions along a pixel's side.
pub(super) const ONE: i32 = 256;
/// Largest distance of screen coordinates from the origin, in pixels. A triangle that reaches farther is clipped first.
///
/// At this size every product of the edge arithmetic stays below 2^52, so that a double holds it exactly.
pub(super) const GUARD: f64 = 65_536.0;

/// [`GUARD`] in 1/256 of a pixel.
pub(super) const FARTHEST: i32 = 1 << 24;

/// A point of the screen in 1/256 of a pixel, Y down.
pub(super) type Point = [i32; 2];

/// Marks a point beyond [`GUARD`], or one that is not finite.
pub(super) const OUTSIDE: Point = [i32::MIN; 2];

/// Projects vertices to the screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection<'a> {
    world_from_bind: &'a [Affine],
    moving: bool,
    /// `None` for the identity, which changes no bit.
    world_from_model: Option<Affine>,
    screen_from_world: Affine,
}

impl<'a> Projection<'a> {
    pub(super) fn new(pose: &'a Pose, placement: Affine2, screen_from_world: Affine) -> Self {
        let [[a, b], [c, d]] = placement.matrix2.to_cols_array_2d();
        let [x, y] = placement.translation.to_array();
        let world_from_model = [[a, c, x, 0.0], [b, d, y, 0.0]];
        Self {
            world_from_bind: pose.world_from_bind(),
            moving: pose.is_skinned(),
            world_from_model: (placement != Affine2::IDENTITY).then_some(world_from_model),
            screen_from_world,
        }
    }

    /// Returns the screen position of a vertex, in pixels.
    #[inline]
    pub(super) fn place(&self, vertex: &Vertex) -> [f32; 2] {
        let posed = if self.moving {
            skin_point(vertex, self.world_from_bind)
        } else {
            vertex.position
        };
        let world = match &self.world_from_model {
            Some(world_from_model) => transform_point(world_from_model, posed),
            None => posed,
        };
        transform_point(&self.screen_from_world, world)
    }
}

/// Returns the nearest sub-pixel position, ties to even; [`OUTSIDE`] if it is too far away.
#[inline]
pub(super) fn snap([x, y]: [f32; 2]) -> Point {
    let [x, y] = [f64::from(x), f64::from(y)];
    if x.abs() <= GUARD && y.abs() <= GUARD {
        [snap_near(x), snap_near(y)]
    } else {
        OUTSIDE
    }
}

/// Returns the nearest sub-pixel position of a coordinate within [`GUARD`], ties to even.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "at most 2^24")]
pub(super) fn snap_near(pixels: f64) -> i32 {
    to_fixed(pixels * f64::from(ONE)) as i32
}

/// Returns the lowest and the highest row of some points, in 1/256 pixels.
pub(super) fn heights(points: &[Point]) -> Range<i32> {
    let (mut top, mut bottom) = (i32::MAX, i32::MIN);
    for [_, y] in points {
        (top, bottom) = (top.min(*y), bottom.max(*y));
    }
    top..bottom
}

/// 1.5 · 2^52. A sum with it is rounded to a whole number without rounding instructions, and its low bits are that number.
const MAGIC: f64 = 6_755_399_441_055_744.0;

/// Returns the nearest whole number, ties to even, of a number below 2^51.
#[inline(always)]
pub(super) fn nearest(number: f64) -> f64 {
    number + MAGIC - MAGIC
}

/// Returns the nearest whole number, ties to even, of a number at most 2^51 from 0.
#[inline(always)]
pub(super) fn to_fixed(number: f64) -> i64 {
    const MOST: f64 = 2_251_799_813_685_247.0;
    let number = if number < MOST { number } else { MOST };
    let number = if number > -MOST { number } else { -MOST };
    (number + MAGIC)
        .to_bits()
        .wrapping_sub(MAGIC.to_bits())
        .cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_snap_to_the_nearest_of_256_positions() {
        let step = 1.0 / 256.0;
        assert_eq!(snap([1.0, -1.0]), [256, -256]);
        assert_eq!(snap([0.4 * step, 0.6 * step]), [0, 1]);
        assert_eq!(snap([-0.4 * step, -0.6 * step]), [0, -1]);
        assert_eq!(snap([0.5 * step, 1.5 * step]), [0, 2]);
        assert_eq!(snap([65_536.0, -65_536.0]), [1 << 24, -(1 << 24)]);
    }

    #[test]
    fn what_is_too_far_or_not_finite_is_outside() {
        for x in [f32::NAN, f32::INFINITY, -f32::INFINITY, 1e30, 65_537.0] {
            assert_eq!(snap([x, 0.0]), OUTSIDE, "{x}");
            assert_eq!(snap([0.0, x]), OUTSIDE, "{x}");
        }
    }
}
