//! Convex polygons of one colour, filled as a whole. They cover the same samples as a fan of triangles, each once.

use super::project::Point;
use super::setup::area;

/// Returns the sides of a polygon, from corner to corner, the last corner first.
#[inline(always)]
pub(super) fn sides(corners: &[Point]) -> impl Iterator<Item = [Point; 2]> {
    let mut from = corners.last().copied().unwrap_or_default();
    corners
        .iter()
        .map(move |to| [std::mem::replace(&mut from, *to), *to])
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
    fn convex_polygons_turn_right_or_left() {
        let right = [[0, 0], [9, 0], [9, 0], [9, 5], [9, 9], [0, 9]];
        let mut left = right;
        left.reverse();
        assert_eq!(
            [right, left].map(|corners| clockwise(&corners)),
            [Some(true), Some(false)]
        );
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
