//! Projects stored vertices to points on the screen, clips triangles that reach far beyond the picture to the range of the fixed-point
//! arithmetic, and computes sides and texture coordinate planes from three corners, and levels of detail.

use std::ops::Range;

use glam::Affine2;

use crate::document::Vertex;
use crate::pose::{Affine, Pose, from_affine2, skin_point, transform_point};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    /// Position on the screen.
    pub(super) at: Point,
    /// Texture coordinate, 0..1.
    pub(super) uv: [f64; 2],
}

/// Fraction bits of a texel coordinate.
pub(super) const PART_BITS: u32 = 24;
const PARTS: f64 = (1_u64 << PART_BITS) as f64;

/// Returns twice the area in 1/65536 of a pixel: positive if the corners turn right on the screen (Y down), 0 if they do not turn.
#[inline(always)]
pub(super) fn area([a, b, c]: [Point; 3]) -> i64 {
    let [[ax, ay], [bx, by], [cx, cy]] = [a, b, c].map(|point| point.map(i64::from));
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// Texture coordinates of rows, in 1/2^24 texel.
#[derive(Clone, Copy, Debug)]
pub(super) struct TexelRows {
    /// Value in column 0 of the first row.
    pub(super) start: [i64; 2],
    /// Change per row.
    pub(super) down: [i64; 2],
}

/// Texture coordinates over the screen, as an affine function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// The pixel of the first corner.
    origin: Point,
    /// Value at the centre of that pixel.
    start: [f64; 2],
    /// Change per column.
    dx: [f64; 2],
    /// Change per row.
    dy: [f64; 2],
}

/// [`Plane`] in texels of one image, as whole numbers of 1/2^[`PART_BITS`] texel.
#[derive(Clone, Copy, Debug)]
pub(super) struct TexelPlane {
    origin: Point,
    start: [i64; 2],
    pub(super) dx: [i64; 2],
    dy: [i64; 2],
}

impl Plane {
    /// Computes the plane. `area` is not 0.
    #[inline(always)]
    pub(super) fn new(corners: &[Corner; 3], area: i64) -> Self {
        let [a, b, c] = corners;
        let edge = |to: &Corner| {
            let ([x, y], [x0, y0]) = (to.at, a.at);
            let ([u, v], [u0, v0]) = (to.uv, a.uv);
            [f64::from(x - x0), f64::from(y - y0), u - u0, v - v0]
        };
        let ([bx, by, bu, bv], [cx, cy, cu, cv]) = (edge(b), edge(c));
        #[expect(clippy::cast_precision_loss, reason = "an area is below 2^52")]
        let pixel = f64::from(ONE) / area as f64;
        let dx = [(bu * cy - cu * by) * pixel, (bv * cy - cv * by) * pixel];
        let dy = [(cu * bx - bu * cx) * pixel, (cv * bx - bv * cx) * pixel];
        let [x, y] = a.at.map(|c| f64::from((c & !(ONE - 1)) + ONE / 2 - c) / f64::from(ONE));
        let ([u, v], [ux, vx], [uy, vy]) = (a.uv, dx, dy);
        Self {
            origin: a.at.map(|c| c >> 8),
            start: [u + x * ux + y * uy, v + x * vx + y * vy],
            dx,
            dy,
        }
    }

    /// Converts to texels of an image of `size`. Texel centres are at half integers; `centre` is subtracted, so that 0.5 puts them
    /// at whole numbers.
    #[inline(always)]
    pub(super) fn texels(&self, size: [u32; 2], centre: f64) -> TexelPlane {
        let [w, h] = size.map(|side| f64::from(side) * PARTS);
        let half = centre * PARTS;
        let fixed = |[u, v]: [f64; 2]| [to_fixed(u * w), to_fixed(v * h)];
        let [u, v] = self.start;
        TexelPlane {
            origin: self.origin,
            start: [to_fixed(u * w - half), to_fixed(v * h - half)],
            dx: fixed(self.dx),
            dy: fixed(self.dy),
        }
    }

    /// Returns the largest change of the texture coordinates within half a pixel in x and y, in texels of an image of `size`.
    #[inline(always)]
    pub(super) fn half_pixel(&self, size: [u32; 2]) -> [f64; 2] {
        let ([ux, vx], [uy, vy], [w, h]) = (self.dx, self.dy, size.map(f64::from));
        [0.5 * w * (ux.abs() + uy.abs()), 0.5 * h * (vx.abs() + vy.abs())]
    }

    /// Returns the square of the larger step from a pixel to the next one right or down, in texels of an image of `size`.
    pub(super) fn largest_step_squared(&self, size: [u32; 2]) -> f64 {
        let [w, h] = size.map(f64::from);
        let squared = |[u, v]: [f64; 2]| (u * w) * (u * w) + (v * h) * (v * h);
        let (x, y) = (squared(self.dx), squared(self.dy));
        if x > y { x } else { y }
    }
}

/// Converts texture coordinates to texels of an image of `size`, as whole numbers of 1/2^[`PART_BITS`] texel.
#[inline(always)]
pub(super) fn texels([u, v]: [f64; 2], size: [u32; 2]) -> [i64; 2] {
    let [w, h] = size.map(|side| f64::from(side) * PARTS);
    [to_fixed(u * w), to_fixed(v * h)]
}

impl TexelPlane {
    /// Plane that returns columns and rows instead of texture coordinates.
    pub(super) const NUMBERS: Self = Self { origin: [0; 2], start: [0; 2], dx: [1, 0], dy: [0, 1] };

    /// Returns true if a pixel to the right is a texel to the right.
    #[inline]
    pub(super) fn is_one_to_one(&self) -> bool {
        self.dx == [1 << PART_BITS, 0]
    }

    /// Returns the coordinates from row `first` on.
    #[inline(always)]
    pub(super) fn rows(&self, first: i32) -> TexelRows {
        TexelRows { start: self.at(0, first), down: self.dy }
    }

    /// Returns the coordinates at the centre of a pixel.
    #[inline(always)]
    pub(super) fn at(&self, x: i32, y: i32) -> [i64; 2] {
        let [x0, y0] = self.origin.map(i64::from);
        let (x, y) = (i64::from(x) - x0, i64::from(y) - y0);
        let ([u, v], [ux, vx], [uy, vy]) = (self.start, self.dx, self.dy);
        let along = |start: i64, dx: i64, dy: i64| {
            start.wrapping_add(x.wrapping_mul(dx)).wrapping_add(y.wrapping_mul(dy))
        };
        [along(u, ux, uy), along(v, vx, vy)]
    }

    /// Returns the coordinates `count` pixels to the right of `at`.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "a number of columns")]
    pub(super) fn right(&self, [u, v]: [i64; 2], count: usize) -> [i64; 2] {
        let ([ux, vx], count) = (self.dx, count as i64);
        [u.wrapping_add(ux.wrapping_mul(count)), v.wrapping_add(vx.wrapping_mul(count))]
    }
}

/// Returns the level whose texels are as large as pixels, and the part of the next one in 1/256: half the binary logarithm of
/// `step_squared`. It is computed bit by bit, so that every machine gets the same result.
pub(super) fn level_of_detail(step_squared: f64) -> (usize, u32) {
    if step_squared <= 1.0 || step_squared.is_nan() {
        return (0, 0);
    }
    if !step_squared.is_finite() {
        return (usize::MAX >> 1, 0);
    }
    let bits = step_squared.to_bits();
    let exponent = ((bits >> 52) as u32).saturating_sub(1023);
    // In 1..2; each squaring brings one more bit of its logarithm.
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    let mut log = exponent;
    for _ in 0..7 {
        mantissa *= mantissa;
        log <<= 1;
        if mantissa >= 2.0 {
            mantissa *= 0.5;
            log |= 1;
        }
    }
    // Of 1/128 in the logarithm of the square, of 1/256 in that of the step.
    ((log >> 8) as usize, log & 255)
}

/// Sub-pixel positions along a pixel's side.
pub(super) const ONE: i32 = 256;
/// Largest distance of screen coordinates from the origin, in pixels. A triangle that reaches farther is clipped first.
///
/// At this size every product of the edge arithmetic stays below 2^52, so that a double holds it exactly.
const GUARD: f64 = 65_536.0;

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
        Self {
            world_from_bind: pose.world_from_bind(),
            moving: pose.is_skinned(),
            world_from_model: (placement != Affine2::IDENTITY).then(|| from_affine2(&placement)),
            screen_from_world,
        }
    }

    /// Returns the screen position of a vertex, in pixels.
    #[inline]
    pub(super) fn place(&self, vertex: &Vertex) -> [f32; 2] {
        let posed =
            if self.moving { skin_point(vertex, self.world_from_bind) } else { vertex.position };
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
    if x.abs() <= GUARD && y.abs() <= GUARD { [snap_near(x), snap_near(y)] } else { OUTSIDE }
}

/// Returns the nearest sub-pixel position of a coordinate within [`GUARD`], ties to even.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "at most 2^24")]
fn snap_near(pixels: f64) -> i32 {
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
    (number + MAGIC).to_bits().wrapping_sub(MAGIC.to_bits()).cast_signed()
}

/// A corner before snapping: position in pixels, and texture coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FarCorner {
    pub(super) at: [f64; 2],
    pub(super) uv: [f64; 2],
}

/// Maximum number of corners of a clipped triangle: three, and at most one more for each of the four sides.
const MOST: usize = 7;

#[derive(Clone, Copy, Debug, Default)]
struct Polygon {
    corners: [FarCorner; MOST],
    len: usize,
}

impl Polygon {
    fn push(&mut self, corner: FarCorner) {
        if let Some(slot) = self.corners.get_mut(self.len) {
            *slot = corner;
            self.len += 1;
        }
    }

    fn corners(&self) -> &[FarCorner] {
        self.corners.get(..self.len).unwrap_or_default()
    }
}

/// Clips a triangle to the guard band, into pieces. A triangle with a corner that is not finite is dropped.
#[cold]
pub(super) fn clip(corners: [FarCorner; 3]) -> [Option<[Corner; 3]>; MOST - 2] {
    let mut pieces = [None; MOST - 2];
    let finite = |corner: &FarCorner| corner.at.iter().chain(&corner.uv).all(|c| c.is_finite());
    if !corners.iter().all(finite) {
        return pieces;
    }
    let mut polygon = Polygon::default();
    for corner in corners {
        polygon.push(corner);
    }
    // Distance of a corner inside each side of the guard band.
    let sides: [fn([f64; 2]) -> f64; 4] =
        [|[x, _]| GUARD - x, |[x, _]| GUARD + x, |[_, y]| GUARD - y, |[_, y]| GUARD + y];
    for inside in sides {
        polygon = cut(&polygon, inside);
    }
    let snapped = |corner: &FarCorner| Corner {
        // Rounding may have put it a little beyond the side that it was cut by.
        at: corner.at.map(|c| snap_near(c.clamp(-GUARD, GUARD))),
        uv: corner.uv,
    };
    if let Some((first, rest)) = polygon.corners().split_first() {
        for (piece, (second, third)) in pieces.iter_mut().zip(rest.iter().zip(rest.iter().skip(1)))
        {
            *piece = Some([snapped(first), snapped(second), snapped(third)]);
        }
    }
    pieces
}

fn cut(polygon: &Polygon, inside: fn([f64; 2]) -> f64) -> Polygon {
    let mut out = Polygon::default();
    let corners = polygon.corners();
    for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let (at_a, at_b) = (inside(a.at), inside(b.at));
        if at_a >= 0.0 {
            out.push(*a);
        }
        if (at_a >= 0.0) != (at_b >= 0.0) {
            let t = at_a / (at_a - at_b);
            let mix =
                |[ax, ay]: [f64; 2], [bx, by]: [f64; 2]| [ax + (bx - ax) * t, ay + (by - ay) * t];
            out.push(FarCorner { at: mix(a.at, b.at), uv: mix(a.uv, b.uv) });
        }
    }
    out
}

/// Returns the sides of a polygon, from corner to corner, the last corner first.
#[inline(always)]
pub(super) fn sides(corners: &[Point]) -> impl Iterator<Item = [Point; 2]> {
    let mut from = corners.last().copied().unwrap_or_default();
    corners.iter().map(move |to| [std::mem::replace(&mut from, *to), *to])
}

/// Returns true if the corners of a convex polygon turn right on the screen (Y down); `None` if it is not convex, or has no area.
pub(super) fn clockwise(corners: &[Point]) -> Option<bool> {
    if let [a, b, c] = *corners {
        let area = area([a, b, c]);
        return (area != 0).then_some(area > 0);
    }
    let way = |[x0, y0]: Point, [x1, y1]: Point| {
        [[x0, x1], [y0, y1]].map(|[from, to]| i64::from(to) - i64::from(from))
    };
    let is_way = |way: &[i64; 2]| *way != [0; 2];
    // Leaves out the last side, which has no length if no other side has one.
    let pairs = corners.iter().zip(corners.iter().skip(1));
    let mut backwards = pairs.rev().map(|(from, to)| way(*from, *to));
    let (mut before, mut turn, mut halves) = (backwards.find(is_way)?, 0, 0);
    let mut from = *corners.last()?;
    for to in corners {
        let next = way(from, *to);
        from = *to;
        if !is_way(&next) {
            continue;
        }
        let ([x0, y0], [x1, y1]) = (before, next);
        match (x0 * y1 - y0 * x1).signum() {
            0 if x0 * x1 + y0 * y1 < 0 => return None,
            0 => {}
            sign if turn == 0 => turn = sign,
            sign if turn != sign => return None,
            _ => {}
        }
        halves += u32::from(is_down(before) != is_down(next));
        before = next;
    }
    // One turn enters and leaves each half of the directions exactly once.
    (turn != 0 && halves == 2).then_some(turn > 0)
}

/// Returns true if a direction points down, or level to the right.
fn is_down([x, y]: [i64; 2]) -> bool {
    y > 0 || (y == 0 && x > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_of_detail_is_the_logarithm_of_the_step() {
        for (step, wanted) in
            [(0.5, 0.0), (1.0, 0.0), (2.0, 1.0), (2.828_427_124_7, 1.5), (8.0, 3.0), (11.3, 3.498)]
        {
            let (whole, part) = level_of_detail(step * step);
            let level = whole as f64 + f64::from(part) / 256.0;
            assert!((level - wanted).abs() <= 1.0 / 256.0, "{step}: {level}");
        }
        assert_eq!(level_of_detail(f64::NAN), (0, 0));
        assert!(level_of_detail(f64::INFINITY).0 > 1000);
    }

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

    fn pieces(at: [[f64; 2]; 3]) -> Vec<[Corner; 3]> {
        clip(at.map(|at| FarCorner { at, uv: at })).into_iter().flatten().collect()
    }

    fn area(pieces: &[[Corner; 3]]) -> f64 {
        let doubled = |[a, b, c]: &[Corner; 3]| {
            let [[ax, ay], [bx, by], [cx, cy]] = [a, b, c].map(|corner| corner.at.map(f64::from));
            (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        };
        pieces.iter().map(doubled).sum::<f64>() / 2.0 / 65_536.0
    }

    #[test]
    fn a_triangle_around_everything_becomes_the_guard_band_however_large_it_is() {
        let huge = f64::from(f32::MAX);
        assert!(pieces([[-huge, -huge], [huge, -huge], [0.0, huge]]).len() <= 5);
        let pieces = pieces([[-1e9, -1e9], [1e9, -1e9], [0.0, 1e9]]);
        assert!(!pieces.is_empty() && pieces.len() <= 5);
        let whole = (2.0 * GUARD) * (2.0 * GUARD);
        assert!((area(&pieces) / whole - 1.0).abs() < 1e-6);
    }

    #[test]
    fn what_lies_beyond_or_is_not_finite_is_dropped() {
        assert!(pieces([[1e6, 0.0], [2e6, 0.0], [1e6, 1.0]]).is_empty());
        assert!(pieces([[f64::NAN, 0.0], [1.0, 0.0], [0.0, 1.0]]).is_empty());
        assert!(pieces([[f64::INFINITY, 0.0], [1.0, 0.0], [0.0, 1.0]]).is_empty());
    }

    #[test]
    fn texture_coordinates_are_cut_with_the_corners() {
        for piece in pieces([[0.0, 0.0], [1e7, 0.0], [0.0, 100.0]]) {
            for corner in piece {
                for (at, uv) in corner.at.iter().zip(corner.uv) {
                    assert!((f64::from(*at) / 256.0 - uv).abs() < 0.01);
                }
            }
        }
    }

    #[test]
    fn convex_polygons_turn_right_or_left() {
        let right = [[0, 0], [9, 0], [9, 0], [9, 5], [9, 9], [0, 9]];
        let mut left = right;
        left.reverse();
        assert_eq!([right, left].map(|corners| clockwise(&corners)), [Some(true), Some(false)]);
        let triangle = [[0, 0], [9, 0], [9, 9]];
        let [a, b, c] = triangle;
        let wanted = [Some(true), Some(false)];
        assert_eq!([triangle, [a, c, b]].map(|corners| clockwise(&corners)), wanted);
    }

    #[test]
    fn others_are_no_convex_polygons() {
        let dent = [[0, 0], [9, 0], [4, 1], [9, 9], [0, 9]];
        let behind_a_double = [[0, 0], [9, 0], [4, 1], [4, 1], [9, 9], [0, 9]];
        let line = [[0, 0], [9, 3], [6, 2]];
        let spike = [[0, 0], [9, 0], [9, 9], [9, 3], [0, 9]];
        let star = [[0, 3], [9, 3], [1, 9], [5, 0], [8, 9]];
        for corners in [
            &dent[..],
            &behind_a_double,
            &line,
            &spike,
            &star,
            &[[0, 0], [4, 2], [8, 4]],
            &[[5, 5]; 3],
            &[],
        ] {
            assert_eq!(clockwise(corners), None, "{corners:?}");
        }
    }
}
