//! The outline of several points on the screen.

use super::super::pen::{Point, direction, offset};

/// Corners of the convex hull of points, in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    corners: [Point; 6],
    count: usize,
}

impl Outline {
    /// Returns the outline of points.
    pub(super) fn around(points: [Point; 6]) -> Self {
        let leftmost = |a: Point, b: Point| if (b[0], b[1]) < (a[0], a[1]) { b } else { a };
        let first = points.into_iter().reduce(leftmost).unwrap_or_default();
        let mut outline = Self {
            corners: [first; 6],
            count: 0,
        };
        let mut at = first;
        for corner in &mut outline.corners {
            *corner = at;
            outline.count += 1;
            let others = points.into_iter().filter(|point| *point != at);
            let next = others.reduce(|best, point| match turn(at, best, point) {
                turn if turn > 0.0 => point,
                0.0 if square(at, point) > square(at, best) => point,
                _ => best,
            });
            match next {
                Some(next) if next != first => at = next,
                _ => break,
            }
        }
        outline
    }

    /// Returns the corners.
    pub(super) fn corners(&self) -> &[Point] {
        self.corners.get(..self.count).unwrap_or_default()
    }

    /// Returns the sides, from corner to corner.
    pub(super) fn sides(&self) -> impl Iterator<Item = [Point; 2]> + Clone {
        let corners = self.corners();
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(from, to)| [*from, *to])
    }

    /// Returns a polygon that is larger by a distance on all sides. Sharp corners are cut off at that distance.
    pub(super) fn grown(&self, by: f32) -> Grown {
        let mut grown = Grown {
            corners: [[0.0; 2]; 12],
            count: 0,
        };
        let Some(last) = self.sides().last() else {
            return grown;
        };
        let mut free = grown.corners.iter_mut();
        let mut before = outward(last);
        for side in self.sides() {
            let ([corner, _], after) = (side, outward(side));
            let ways = around([before, after]).into_iter().flatten();
            // At most two per corner.
            for (way, free) in ways.zip(free.by_ref()) {
                *free = offset(corner, way, by);
                grown.count += 1;
            }
            before = after;
        }
        grown
    }
}

/// An enlarged outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grown {
    corners: [Point; 12],
    count: usize,
}

impl Grown {
    /// Returns the corners, in order.
    pub(super) fn corners(&self) -> &[Point] {
        self.corners.get(..self.count).unwrap_or_default()
    }
}

/// Least cosine of a turn whose corner is not cut off: 60 degrees.
const BLUNT: f32 = 0.5;

/// Returns the offsets from a corner to the one or two corners that replace it in an outline larger by 1. The arguments are the outward
/// directions of the two sides that meet there.
fn around([first, last]: [Point; 2]) -> [Option<Point>; 2] {
    let ([x0, y0], [x1, y1]) = (first, last);
    let Some((middle, _)) = direction([0.0; 2], [x0 + x1, y0 + y1]) else {
        return [Some(first), Some(last)];
    };
    let [x, y] = middle;
    let cosine = x0 * x + y0 * y;
    if x0 * x1 + y0 * y1 > BLUNT {
        return [Some([x / cosine, y / cosine]), None];
    }
    // Points where the larger sides meet a line across the middle, 1 away.
    [first, last].map(|[out_x, out_y]| {
        let scale = 1.0 + cosine;
        Some([(x + out_x) / scale, (y + out_y) / scale])
    })
}

/// Returns the outward direction of a side, of length 1.
fn outward([from, to]: [Point; 2]) -> Point {
    let [x, y] = direction(from, to).map_or([0.0; 2], |(along, _)| along);
    [-y, x]
}

/// Returns twice the signed area of a triangle.
fn turn([x0, y0]: Point, [x1, y1]: Point, [x2, y2]: Point) -> f32 {
    (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
}

fn square([x0, y0]: Point, [x1, y1]: Point) -> f32 {
    let (x, y) = (x1 - x0, y1 - y0);
    x * x + y * y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_holds_all_points_and_no_more_corners_than_it_needs() {
        let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        let [a, b, c, d] = square;
        let outline = Outline::around([a, [2.0, 1.0], b, c, [2.0, 4.0], d]);
        assert_eq!(outline.corners(), [a, d, c, b]);
        let grown = outline.grown(1.0);
        let grown = grown.corners();
        assert_eq!(grown.len(), 8);
        let spans = [0, 1].map(|axis| {
            let of = grown.iter().map(|point| point[axis]);
            (of.clone().fold(9.0, f32::min), of.fold(-9.0, f32::max))
        });
        assert_eq!(spans, [(-1.0, 5.0); 2]);
    }

    #[test]
    fn points_on_a_line_and_on_each_other_have_an_outline() {
        let line = Outline::around([0.0, 1.0, 2.0, 3.0, 1.0, 2.0].map(|x| [x, x]));
        assert_eq!(line.corners(), [[0.0; 2], [3.0; 2]]);
        let point = Outline::around([[5.0; 2]; 6]);
        assert_eq!(point.corners(), [[5.0; 2]]);
        assert!(
            point
                .grown(1.0)
                .corners()
                .iter()
                .all(|corner| *corner == [5.0; 2])
        );
    }
}
