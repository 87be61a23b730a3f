//! Coverage of pixels by outlines.

use super::outline::{Outline, Point};
use ab_glyph_rasterizer::{Rasterizer, point};

/// A picture of one line, a byte for each pixel.
#[derive(Debug)]
pub(super) struct Mask {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) bytes: Vec<u8>,
}

impl Mask {
    pub(super) fn new(width: u16, height: u16) -> Self {
        let [width, height] = [width, height].map(usize::from);
        Self {
            width,
            height,
            bytes: vec![0; width * height],
        }
    }

    /// Adds the area that an outline encloses, clipped to the picture.
    pub(super) fn add(&mut self, outline: &Outline, offset: Point) {
        let Some([low, high]) = outline.bounds() else {
            return;
        };
        let left = whole((low[0] + offset[0]).floor()).min(self.width);
        let right = whole((high[0] + offset[0]).ceil()).min(self.width);
        let top = whole((low[1] + offset[1]).floor()).min(self.height);
        let bottom = whole((high[1] + offset[1]).ceil()).min(self.height);
        if left >= right || top >= bottom {
            return;
        }
        let [width, height] = [right - left, bottom - top];
        // One column more, so that the right edge does not reach into the next row.
        let mut rasterizer = Rasterizer::new(width + 1, height);
        let origin = [left, top].map(small);
        let limit = small(width);
        for [from, to] in &outline.lines {
            let [from, to] = [from, to].map(|at| {
                let x = at[0] + offset[0] - origin[0];
                point(x.clamp(0.0, limit), at[1] + offset[1] - origin[1])
            });
            rasterizer.draw_line(from, to);
        }
        rasterizer.for_each_pixel(|index, cover| {
            let [x, y] = [index % (width + 1), index / (width + 1)];
            let pixel = self.bytes.get_mut((top + y) * self.width + left + x);
            if let Some(pixel) = pixel.filter(|_| x < width) {
                *pixel = pixel.saturating_add(byte(cover));
            }
        });
    }
}

/// A part of 1 as a part of 255.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "0 to 255"
)]
fn byte(part: f32) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// A whole number; 0 for negative ones.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole, and saturating is meant"
)]
fn whole(value: f32) -> usize {
    value as usize
}

/// A number below 2²⁴.
#[expect(clippy::cast_precision_loss, reason = "exact")]
fn small(value: usize) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(rectangles: &[[f32; 4]]) -> Vec<u8> {
        let mut mask = Mask::new(4, 2);
        for [left, top, right, bottom] in rectangles {
            let mut outline = Outline::default();
            outline.rectangle([*left, *top], [*right, *bottom], false);
            mask.add(&outline, [0.0, 0.0]);
        }
        mask.bytes
    }

    #[test]
    fn pixels_are_covered_in_part() {
        assert_eq!(
            picture(&[[1.0, 0.0, 2.5, 1.0]]),
            [0, 255, 128, 0, 0, 0, 0, 0]
        );
        assert_eq!(
            picture(&[[0.0, 0.0, 4.0, 1.5]]),
            [255, 255, 255, 255, 128, 128, 128, 128]
        );
    }

    #[test]
    fn what_lies_beyond_is_cut_off() {
        assert_eq!(
            picture(&[[-9.0, -9.0, 9.0, 1.0]]),
            [255, 255, 255, 255, 0, 0, 0, 0]
        );
        assert_eq!(picture(&[[3.0, 1.0, 9e9, 9e9]]), [0, 0, 0, 0, 0, 0, 0, 255]);
        assert_eq!(
            picture(&[[4.0, 0.0, 9.0, 2.0], [0.0, -5.0, 2.0, -1.0]]),
            [0; 8]
        );
    }

    #[test]
    fn neighbours_meet() {
        assert_eq!(
            picture(&[[0.0, 0.0, 1.5, 1.0], [1.5, 0.0, 3.0, 1.0]])[..4],
            [255, 255, 255, 0]
        );
    }
}
