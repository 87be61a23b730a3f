//! Outlines of glyphs, as straight lines in pixels.

use super::effort::Effort;
use skrifa::outline::OutlinePen;

/// A point: right and down, in pixels.
pub(super) type Point = [f32; 2];

/// Lines that enclose the drawing.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    pub(super) lines: Vec<[Point; 2]>,
}

impl Outline {
    /// The least and the greatest of all points.
    pub(super) fn bounds(&self) -> Option<[Point; 2]> {
        let mut points = self.lines.iter().flatten().copied();
        let first = points.next()?;
        Some(points.fold([first, first], |[low, high], [x, y]| {
            [
                [low[0].min(x), low[1].min(y)],
                [high[0].max(x), high[1].max(y)],
            ]
        }))
    }

    /// The edge of a rectangle; its inside on the right of `to` if `is_hole`.
    pub(super) fn rectangle(&mut self, [left, top]: Point, [right, bottom]: Point, is_hole: bool) {
        let corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
        let next = [[right, top], [right, bottom], [left, bottom], [left, top]];
        for (from, to) in corners.into_iter().zip(next) {
            self.lines
                .push(if is_hole { [to, from] } else { [from, to] });
        }
    }
}

/// A pen that takes a glyph in units of its font.
#[derive(Debug)]
pub(super) struct Pen<'a> {
    outline: &'a mut Outline,
    /// Of the glyph's origin.
    origin: Point,
    /// Pixels per unit.
    scale: f32,
    /// Lines that a curve becomes.
    steps: u16,
    start: Point,
    at: Point,
    effort: &'a Effort,
}

impl<'a> Pen<'a> {
    pub(super) fn new(
        outline: &'a mut Outline,
        origin: Point,
        scale: f32,
        steps: u16,
        effort: &'a Effort,
    ) -> Self {
        Self {
            outline,
            origin,
            scale,
            steps,
            start: origin,
            at: origin,
            effort,
        }
    }

    fn place(&self, x: f32, y: f32) -> Point {
        let [left, top] = self.origin;
        [left + x * self.scale, top - y * self.scale]
    }

    fn line(&mut self, to: Point) {
        let is_line = to != self.at && to.iter().chain(&self.at).all(|value| value.is_finite());
        if is_line && self.effort.spend(1) {
            self.outline.lines.push([self.at, to]);
        }
        self.at = to;
    }

    /// Lines along a curve: `point` returns the end of a part.
    fn curve(&mut self, end: Point, point: impl Fn(f32) -> Point) {
        for step in 1..self.steps {
            self.line(point(f32::from(step) / f32::from(self.steps)));
        }
        self.line(end);
    }
}

impl OutlinePen for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.close();
        self.start = self.place(x, y);
        self.at = self.start;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.line(self.place(x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let [a, b, c] = [self.at, self.place(cx, cy), self.place(x, y)];
        self.curve(c, |part| mix(mix(a, b, part), mix(b, c, part), part));
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        let [a, b] = [self.at, self.place(cx0, cy0)];
        let [c, d] = [self.place(cx1, cy1), self.place(x, y)];
        self.curve(d, |part| {
            let [ab, bc, cd] = [mix(a, b, part), mix(b, c, part), mix(c, d, part)];
            mix(mix(ab, bc, part), mix(bc, cd, part), part)
        });
    }

    fn close(&mut self) {
        self.line(self.start);
    }
}

fn mix(a: Point, b: Point, part: f32) -> Point {
    let between = |a: f32, b: f32| a + (b - a) * part;
    [between(a[0], b[0]), between(a[1], b[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_are_closed() {
        let mut outline = Outline::default();
        let effort = Effort::new(6);
        let mut pen = Pen::new(&mut outline, [10.0, 20.0], 0.5, 4, &effort);
        pen.move_to(0.0, 0.0);
        pen.line_to(4.0, 0.0);
        pen.quad_to(4.0, 8.0, 0.0, 8.0);
        pen.close();
        let [low, high] = outline.bounds().unwrap();
        assert_eq!([low, high], [[10.0, 16.0], [12.0, 20.0]]);
        assert_eq!(outline.lines.len(), 1 + 4 + 1);
        assert_eq!(outline.lines.last().unwrap()[1], outline.lines[0][0]);
        assert_eq!(effort.check(None), Ok(()), "six lines");
    }

    #[test]
    fn lines_are_collected_as_long_as_steps_are_left() {
        let mut outline = Outline::default();
        let effort = Effort::new(2);
        let mut pen = Pen::new(&mut outline, [0.0; 2], 1.0, 4, &effort);
        pen.quad_to(4.0, 8.0, 0.0, 8.0);
        assert_eq!(outline.lines.len(), 2);
        assert!(effort.check(None).is_err());
    }
}
