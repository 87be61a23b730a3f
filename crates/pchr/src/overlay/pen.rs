//! Draws shapes as triangles.

use super::atlas::{Paint, Texel};
use super::letters::Letters;
use crate::document::ImageId;
use crate::scene::{MaskedVertex, Overlay, OverlayVertex};

/// A point or a direction in screen pixels, y down.
pub(super) type Point = [f32; 2];

/// Sixteen points of the unit circle.
const CIRCLE: [Point; 16] = {
    const A: f32 = 0.923_879_5;
    const B: f32 = 0.707_106_77;
    const C: f32 = 0.382_683_43;
    [
        [1.0, 0.0],
        [A, C],
        [B, B],
        [C, A],
        [0.0, 1.0],
        [-C, A],
        [-B, B],
        [-A, C],
        [-1.0, 0.0],
        [-A, -C],
        [-B, -B],
        [-C, -A],
        [0.0, -1.0],
        [C, -A],
        [B, -B],
        [A, -C],
    ]
};

/// Radius up to which corners of a circle are not noticeable, in design pixels.
const SMALL: f32 = 3.2;

/// Draws into an overlay. Shapes outside the picture are left out.
#[derive(Debug)]
pub(super) struct Pen<'a> {
    pub(super) out: &'a mut Overlay,
    /// Width and height of the picture.
    pub(super) size: Point,
    /// Screen pixels per design pixel: a whole number.
    pub(super) unit: f32,
    /// Names that the built-in font cannot write.
    pub(super) letters: Option<&'a Letters>,
}

impl Pen<'_> {
    /// Returns true if a rectangle between two corners is at least partly visible.
    pub(super) fn sees(&self, [x0, y0]: Point, [x1, y1]: Point) -> bool {
        let [width, height] = self.size;
        x0 < width && y0 < height && x1 > 0.0 && y1 > 0.0
    }

    /// Draws a convex polygon with positions on the atlas.
    fn textured(&mut self, corners: impl Iterator<Item = (Point, Texel)> + Clone) {
        let [min, max] = around(corners.clone().map(|(at, _)| at));
        if self.sees(min, max) {
            self.out.push(corners.map(|(position, texel)| OverlayVertex { position, texel }));
        }
    }

    /// Draws a triangle where an image is, with positions on the atlas and texture coordinates on the image.
    pub(super) fn masked(&mut self, image: ImageId, corners: [(Point, Texel, [f32; 2]); 3]) {
        let [min, max] = around(corners.into_iter().map(|(at, ..)| at));
        if self.sees(min, max) {
            let corner = |(position, texel, image_uv)| MaskedVertex {
                vertex: OverlayVertex { position, texel },
                image_uv,
            };
            self.out.push_masked(image, corners.map(corner));
        }
    }

    pub(super) fn polygon(
        &mut self,
        corners: impl IntoIterator<Item = Point, IntoIter: Clone>,
        ink: impl Paint,
    ) {
        let texel = ink.texel();
        self.textured(corners.into_iter().map(|corner| (corner, texel)));
    }

    pub(super) fn rectangle(&mut self, [x0, y0]: Point, [x1, y1]: Point, ink: impl Paint) {
        self.polygon([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], ink);
    }

    /// Draws a part of the atlas, upright.
    pub(super) fn image(
        &mut self,
        [[x0, y0], [x1, y1]]: [Point; 2],
        [[u0, v0], [u1, v1]]: [Texel; 2],
    ) {
        let corners = [
            ([x0, y0], [u0, v0]),
            ([x1, y0], [u1, v0]),
            ([x1, y1], [u1, v1]),
            ([x0, y1], [u0, v1]),
        ];
        self.textured(corners.into_iter());
    }

    /// Draws a line with a width in pixels, extended by `beyond` pixels at both ends. A line without a direction is left out.
    pub(super) fn line(
        &mut self,
        from: Point,
        to: Point,
        width: f32,
        beyond: f32,
        ink: impl Paint,
    ) {
        let Some((along, _)) = direction(from, to) else { return };
        let across = turned(along);
        let half = width / 2.0;
        let (start, end) = (offset(from, along, -beyond), offset(to, along, beyond));
        self.polygon(
            [
                offset(start, across, half),
                offset(end, across, half),
                offset(end, across, -half),
                offset(start, across, -half),
            ],
            ink,
        );
    }

    pub(super) fn disc(&mut self, [x, y]: Point, radius: f32, ink: impl Paint) {
        self.polygon(CIRCLE.map(|[cx, cy]| [x + cx * radius, y + cy * radius]), ink);
    }

    /// Draws a filled circle; a very small one is an octagon.
    pub(super) fn dot(&mut self, at: Point, radius: f32, ink: impl Paint) {
        if radius > SMALL * self.unit {
            return self.disc(at, radius, ink);
        }
        let [x, y] = at;
        // Two level sides, which cost nothing.
        let [_, a, _, b, _, c, _, d, _, e, _, f, _, g, _, h] = CIRCLE;
        let corners = [a, b, c, d, e, f, g, h];
        self.polygon(corners.map(|[cx, cy]| [x + cx * radius, y + cy * radius]), ink);
    }

    /// Draws the sides of an upright rectangle on whole pixels, so that they are crisp with one sample too.
    pub(super) fn frame(&mut self, min: Point, max: Point, width: f32, ink: impl Paint) {
        let ([left, top], [right, bottom]) = (snap(min, width), snap(max, width));
        let (inner_left, inner_top) = (left + width, top + width);
        let (outer_right, outer_bottom) = (right + width, bottom + width);
        self.rectangle([left, top], [outer_right, inner_top], ink);
        // A frame that is flatter than its sides is one bar.
        let below = bottom.max(inner_top);
        self.rectangle([left, below], [outer_right, outer_bottom], ink);
        self.rectangle([left, inner_top], [inner_left, below], ink);
        self.rectangle([right.max(inner_left), inner_top], [outer_right, below], ink);
    }
}

/// Returns the upper left and the lower right corner of the box around points.
pub(super) fn around(points: impl Iterator<Item = Point>) -> [Point; 2] {
    let nothing = [[f32::INFINITY; 2], [f32::NEG_INFINITY; 2]];
    points.fold(nothing, |[[x0, y0], [x1, y1]], [x, y]| {
        [[x0.min(x), y0.min(y)], [x1.max(x), y1.max(y)]]
    })
}

/// Returns the upper left corner of a square of whole pixels, `width` wide, around a point.
pub(super) fn snap(point: Point, width: f32) -> Point {
    point.map(|c| (c - width / 2.0 + 0.5).floor())
}

/// Returns the direction from a point to another, of length 1, and the distance; `None` if the points are equal.
pub(super) fn direction([x0, y0]: Point, [x1, y1]: Point) -> Option<(Point, f32)> {
    let (x, y) = (x1 - x0, y1 - y0);
    let length = (x * x + y * y).sqrt();
    (length.is_finite() && length > 1e-4).then(|| ([x / length, y / length], length))
}

/// Rotates a vector by a quarter turn.
pub(super) fn turned([x, y]: Point) -> Point {
    [-y, x]
}

/// Moves a point by `distance` along a direction.
pub(super) fn offset([x, y]: Point, [dx, dy]: Point, distance: f32) -> Point {
    [x + dx * distance, y + dy * distance]
}

#[cfg(test)]
mod tests {
    use super::super::colors::Ink;
    use super::*;

    fn drawn(draw: impl FnOnce(&mut Pen<'_>)) -> Overlay {
        let mut out = Overlay::default();
        draw(&mut Pen { out: &mut out, size: [100.0, 50.0], unit: 1.0, letters: None });
        out
    }

    fn positions(overlay: &Overlay) -> Vec<Point> {
        overlay.vertices().iter().map(|vertex| vertex.position).collect()
    }

    #[test]
    fn a_line_is_a_rectangle_around_its_ends() {
        let line = drawn(|pen| pen.line([10.0, 10.0], [20.0, 10.0], 4.0, 1.0, Ink::Wire));
        assert_eq!(positions(&line), [[9.0, 12.0], [21.0, 12.0], [21.0, 8.0], [9.0, 8.0]]);
        assert!(line.vertices().iter().all(|vertex| vertex.texel == Ink::Wire.texel()));
    }

    #[test]
    fn what_has_no_direction_or_lies_beside_the_picture_is_left_out() {
        let at = [10.0, 10.0];
        let nothing = drawn(|pen| {
            pen.line(at, at, 1.0, 0.0, Ink::Wire);
            pen.line(at, [f32::NAN, 0.0], 1.0, 0.0, Ink::Wire);
            pen.line(at, [f32::MAX, f32::MAX], 1.0, 0.0, Ink::Wire);
            pen.line([-9.0, 0.0], [-5.0, 50.0], 1.0, 0.0, Ink::Wire);
            pen.line([0.0, 51.0], [100.0, 55.0], 1.0, 0.0, Ink::Wire);
            pen.disc([104.0, 10.0], 3.0, Ink::Wire);
        });
        assert!(nothing.is_empty());
        assert!(!drawn(|pen| pen.disc([102.0, 10.0], 3.0, Ink::Wire)).is_empty());
    }

    #[test]
    fn a_frame_lies_on_whole_pixels_and_covers_each_once() {
        for (min, max) in
            [([3.2, 4.7], [20.9, 9.0]), ([5.0, 5.0], [5.0, 5.0]), ([5.0, 5.0], [5.0, 9.0])]
        {
            for (width, least) in [(1.0, 1), (2.0, 4), (3.0, 9)] {
                let overlay = drawn(|pen| pen.frame(min, max, width, Ink::Box));
                let mut covered = std::collections::BTreeSet::new();
                for quad in positions(&overlay).chunks(4) {
                    let ([x0, y0], [x1, y1]) = (quad[0], quad[2]);
                    assert_eq!([x0, y0, x1, y1].map(f32::fract), [0.0; 4]);
                    #[expect(clippy::cast_possible_truncation, reason = "small whole numbers")]
                    let whole = [x0, y0, x1, y1].map(|c| c as i32);
                    let [x0, y0, x1, y1] = whole;
                    for (x, y) in (y0..y1).flat_map(|y| (x0..x1).map(move |x| (x, y))) {
                        assert!(covered.insert((x, y)), "{x} {y} twice: {min:?} {max:?} {width}");
                    }
                }
                assert!(covered.len() >= least);
            }
        }
    }
}
