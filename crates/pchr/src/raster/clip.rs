//! Clips triangles that reach far beyond the picture to the range of the fixed-point arithmetic.

use super::project::{GUARD, snap_near};
use super::setup::Corner;

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
    let sides: [fn([f64; 2]) -> f64; 4] = [
        |[x, _]| GUARD - x,
        |[x, _]| GUARD + x,
        |[_, y]| GUARD - y,
        |[_, y]| GUARD + y,
    ];
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
            out.push(FarCorner {
                at: mix(a.at, b.at),
                uv: mix(a.uv, b.uv),
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(at: [[f64; 2]; 3]) -> Vec<[Corner; 3]> {
        clip(at.map(|at| FarCorner { at, uv: at }))
            .into_iter()
            .flatten()
            .collect()
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
}
