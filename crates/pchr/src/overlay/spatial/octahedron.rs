//! A bone as a solid in camera space, and its outline on the screen.

use glam::DVec3;

use super::super::colors::{Ink, Scale};
use super::super::pen::{Point, direction, offset};
use super::{SpaceStage, pixels};
use crate::scene::Seen;

/// Position of a bone's widest part, as a fraction of its length.
const WAIST: f64 = 0.14;
/// Half of the bone's greatest width, as a fraction of its length.
const HALF: f64 = 0.085;
/// Least and greatest half width in design pixels.
const HALF_PIXELS: [f64; 2] = [1.7, 15.0];
/// Least and greatest width of the dark rim in design pixels. With a constant rim small bones would be dark.
const RIM: [f64; 2] = [0.7, 1.2];
/// Least width of the rim on a light background, where the rims of many thin bones would be a dark mass.
const LIGHT_RIM: f64 = 0.3;
/// Shortest bone that is drawn, in design pixels. Of shorter ones only the joints are drawn.
const SHORTEST: f64 = 4.0;

/// Direction to the light in camera space, of length 1.
const LIGHT: DVec3 = DVec3::new(-0.48, 0.64, 0.6);
/// Light on sides that face away from the light.
const AMBIENT: f64 = 0.26;
/// Light on sides that face the light. It is less than 1 because most sides are oblique.
const DIFFUSE: f64 = 0.84;

/// A bone between two joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Octahedron {
    pub(super) from: Seen,
    pub(super) to: Seen,
    waist: [Seen; 4],
    /// Width of the dark rim in pixels.
    rim: f64,
}

impl Octahedron {
    /// Creates the solid of a bone. One edge is as near to the direction `side` as possible. The width is that of a bone of length
    /// `long`, times `wide`. Returns `None` if it is behind the camera or too short.
    pub(super) fn new(
        stage: &SpaceStage<'_>,
        ends: [Seen; 2],
        side: DVec3,
        [long, wide]: [f64; 2],
    ) -> Option<Self> {
        let [from, to] = ends;
        let [from, to] = stage.view.clip(from, to)?;
        let length = from.distance(to);
        let along = (to - from) / length;
        let middle = from + (to - from) * WAIST;
        let scale = stage.scale_at(middle)?;
        if !(along.is_finite() && length * scale >= SHORTEST * stage.unit) {
            return None;
        }
        let [least, most] = HALF_PIXELS.map(|pixels| pixels * stage.unit);
        // A thin bone that stands out is wider still.
        let least = least * wide * wide;
        let half = (length.min(long) * HALF * scale).clamp(least, most) * wide / scale;
        let half = half.min(length * 0.35);
        let [thinnest, thickest] = RIM.map(|pixels| pixels * stage.unit);
        let (thinnest, part) = match stage.job.options.light {
            true => (LIGHT_RIM * stage.unit, 0.2),
            false => (thinnest, 0.4),
        };
        let rim = (half * scale * part).clamp(thinnest, thickest);
        let side = across(along, side) * half;
        let up = along.cross(side);
        Some(Self {
            from,
            to,
            waist: [middle + side, middle + up, middle - side, middle - up],
            rim,
        })
    }

    /// Returns the corners on the screen: both ends and the waist; `None` if one is not visible.
    fn places(&self, stage: &SpaceStage<'_>) -> Option<[Point; 6]> {
        let [a, b, c, d] = self.waist.map(|corner| stage.place(corner));
        let [from, to] = [self.from, self.to].map(|end| stage.place(end));
        Some([from?, to?, a?, b?, c?, d?])
    }

    /// Returns the visible sides, with the light on each, 0..=1.
    fn sides(&self, places: [Point; 6]) -> impl Iterator<Item = ([Point; 3], f64)> {
        let [from, to, a, b, c, d] = places;
        let [a_seen, b_seen, c_seen, d_seen] = self.waist;
        let corners = [(a, a_seen), (b, b_seen), (c, c_seen), (d, d_seen), (a, a_seen)];
        let edges = corners.into_iter().zip(corners.into_iter().skip(1));
        let upper = edges.clone().map(move |(p, q)| [(to, self.to), p, q]);
        let lower = edges.map(move |(p, q)| [(from, self.from), q, p]);
        let all =
            upper.chain(lower).map(|side| (side.map(|(at, _)| at), side.map(|(_, seen)| seen)));
        // Those that turn away run the other way round.
        let facing = all.filter(|([p, q, r], _)| turn(*p, *q, *r) < 0.0);
        facing.map(|(corners, [p, q, r])| {
            let normal = (q - p).cross(r - p).normalize_or_zero();
            (corners, AMBIENT + DIFFUSE * normal.dot(LIGHT).max(0.0))
        })
    }

    /// Returns the corners of its outline on the screen; `None` if one is not visible.
    pub(super) fn outline(&self, stage: &SpaceStage<'_>) -> Option<SolidOutline> {
        self.places(stage).map(SolidOutline::around)
    }

    /// Draws it with a dark rim.
    pub(super) fn draw(&self, stage: &mut SpaceStage<'_>, scale: Scale) {
        let Some(places) = self.places(stage) else {
            // So large that its sides look like lines.
            let width = pixels(4.0 * stage.unit);
            stage.line(self.from, self.to, width, scale.at(0.7));
            return;
        };
        let rim = SolidOutline::around(places).grown(pixels(self.rim));
        stage.pen.polygon(rim.corners().iter().copied(), Ink::Rim);
        for (corners, light) in self.sides(places) {
            stage.pen.polygon(corners, scale.at(light));
        }
    }
}

/// Returns the part of a direction that is perpendicular to another, of length 1; any perpendicular direction if it is 0.
fn across(along: DVec3, wanted: DVec3) -> DVec3 {
    let crosswise = |axis: DVec3| {
        let axis = axis.normalize_or_zero();
        let part = axis - along * axis.dot(along);
        (part.length() > 1e-3).then(|| part.normalize_or_zero())
    };
    { [wanted, DVec3::X, DVec3::Y].into_iter() }.find_map(crosswise).unwrap_or(DVec3::ZERO)
}

/// Corners of a convex polygon, in order: at most `MOST`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners<const MOST: usize> {
    corners: [Point; MOST],
    count: usize,
}

impl<const MOST: usize> Corners<MOST> {
    pub(super) fn corners(&self) -> &[Point] {
        self.corners.get(..self.count).unwrap_or_default()
    }
}

/// The convex hull of points.
pub(super) type SolidOutline = Corners<6>;

impl SolidOutline {
    pub(super) fn around(points: [Point; 6]) -> Self {
        let leftmost = |a: Point, b: Point| if (b[0], b[1]) < (a[0], a[1]) { b } else { a };
        let first = points.into_iter().reduce(leftmost).unwrap_or_default();
        let mut outline = Self { corners: [first; 6], count: 0 };
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

    /// Returns the sides, from corner to corner.
    pub(super) fn sides(&self) -> impl Iterator<Item = [Point; 2]> + Clone {
        let corners = self.corners();
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(from, to)| [*from, *to])
    }

    /// Returns a polygon that is larger by a distance on all sides. Sharp corners are cut off at that distance.
    pub(super) fn grown(&self, by: f32) -> Corners<12> {
        let mut grown = Corners { corners: [[0.0; 2]; 12], count: 0 };
        let Some(last) = self.sides().last() else { return grown };
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
        let [a, b, c, d] = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        let outline = SolidOutline::around([a, [2.0, 1.0], b, c, [2.0, 4.0], d]);
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
        let line = SolidOutline::around([0.0, 1.0, 2.0, 3.0, 1.0, 2.0].map(|x| [x, x]));
        assert_eq!(line.corners(), [[0.0; 2], [3.0; 2]]);
        let point = SolidOutline::around([[5.0; 2]; 6]);
        assert_eq!(point.corners(), [[5.0; 2]]);
        assert!(point.grown(1.0).corners().iter().all(|corner| *corner == [5.0; 2]));
    }
}
