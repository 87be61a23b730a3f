//! Clips triangles that reach far beyond the picture to the range of the fixed-point arithmetic, and cuts polygons.

use super::setup::{Corner, GUARD, Point, area, snap_near};

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
    fn a_triangle_around_everything_becomes_the_guard_band() {
        let pieces = pieces([[-1e9, -1e9], [1e9, -1e9], [0.0, 1e9]]);
        assert!(!pieces.is_empty() && pieces.len() <= 5);
        let whole = (2.0 * GUARD) * (2.0 * GUARD);
        assert!((area(&pieces) / whole - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_triangle_may_be_as_large_as_numbers_go() {
        let huge = f64::from(f32::MAX);
        assert!(pieces([[-huge, -huge], [huge, -huge], [0.0, huge]]).len() <= 5);
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
        assert_eq!(
            [triangle, [a, c, b]].map(|corners| clockwise(&corners)),
            [Some(true), Some(false)]
        );
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
