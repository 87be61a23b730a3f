//! A part during its making: texels over a rectangle of design space.
//!
//! tiny-skia only computes how much of a texel a path covers. Everything else is plain arithmetic, so that the texels are the
//! same on every machine.

use tiny_skia::{FillRule, LineCap, LineJoin, Path, Stroke, Transform};

use super::mask::Mask;
use super::palette::Rgb;

/// Texels per design pixel.
pub(crate) const TEXELS: f64 = 2.0;
/// Space around a shape for its anti-aliased edge and its shadow, in design pixels.
pub(crate) const MARGIN: f64 = 6.0;
/// Step between neighbouring shades, out of 255.
const STEP: f32 = 3.0;
const OVERSAMPLING: usize = 3;

/// One part of the puppet during its making: texels over a rectangle of design space.
pub(crate) struct Canvas {
    left: f64,
    top: f64,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Premultiplied, sRGB-encoded.
    pub(crate) texels: Vec<[f32; 4]>,
}

impl Canvas {
    /// Creates a canvas over a rectangle, extended to whole texels.
    pub(crate) fn new(left: f64, bottom: f64, right: f64, top: f64) -> Self {
        let (left, top) = ((left * TEXELS).floor() / TEXELS, (top * TEXELS).ceil() / TEXELS);
        let width = ((right - left) * TEXELS).ceil() as usize;
        let height = ((top - bottom) * TEXELS).ceil() as usize;
        Self { left, top, width, height, texels: vec![[0.0; 4]; width * height] }
    }

    /// Creates a canvas over the outlines and a margin.
    pub(crate) fn around(paths: &[&Path]) -> Self {
        let bounds: Vec<_> = paths.iter().map(|path| path.bounds()).collect();
        let low = |f: fn(&tiny_skia::Rect) -> f32| bounds.iter().map(f).fold(f32::MAX, f32::min);
        let high = |f: fn(&tiny_skia::Rect) -> f32| bounds.iter().map(f).fold(f32::MIN, f32::max);
        // Y is up here, so tiny-skia's top is the lowest Y.
        Self::new(
            f64::from(low(|b| b.left())) - MARGIN,
            f64::from(low(|b| b.top())) - MARGIN - 2.0,
            f64::from(high(|b| b.right())) + MARGIN,
            f64::from(high(|b| b.bottom())) + MARGIN,
        )
    }

    /// Texel coordinates of a design point; texel centres are at half integers.
    pub(crate) fn texel_at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [(x - self.left) * TEXELS, (self.top - y) * TEXELS]
    }

    /// Bounds in design space: left, bottom, right, top.
    pub(crate) fn bounds(&self) -> [f64; 4] {
        let right = self.left + self.width as f64 / TEXELS;
        [self.left, self.top - self.height as f64 / TEXELS, right, self.top]
    }

    /// Returns true if anything is drawn in the design rectangle.
    pub(crate) fn has_ink(&self, [left, bottom, right, top]: [f64; 4]) -> bool {
        let [x0, y0] = self.texel_at([left, top]).map(|v| (v.floor() - 1.0).max(0.0) as usize);
        let [x1, y1] = self.texel_at([right, bottom]).map(|v| (v.ceil() + 1.0).max(0.0) as usize);
        (y0..y1.min(self.height)).any(|y| {
            (x0..x1.min(self.width)).any(|x| self.texels[y * self.width + x][3] >= 0.5 / 255.0)
        })
    }

    /// Straight-alpha RGBA of one texel.
    pub(crate) fn rgba(&self, x: usize, y: usize) -> [u8; 4] {
        let [r, g, b, a] = self.texels[y * self.width + x];
        // Fewer shades, too close to tell apart on paper, make a much smaller PNG.
        let byte = |v: f32, step: f32| ((v * 255.0 / step).round() * step).clamp(0.0, 255.0) as u8;
        let alpha = if a > 0.998 { 255 } else { byte(a, 3.0) };
        if alpha == 0 {
            [0; 4]
        } else {
            [byte(r / a, STEP), byte(g / a, STEP), byte(b / a, STEP), alpha]
        }
    }

    pub(crate) fn fill(&self, path: &Path) -> Mask {
        let n = OVERSAMPLING;
        let s = (TEXELS * n as f64) as f32;
        let to_texels =
            Transform::from_row(s, 0.0, 0.0, -s, -(self.left as f32) * s, self.top as f32 * s);
        let mut fine =
            tiny_skia::Mask::new((self.width * n) as u32, (self.height * n) as u32).unwrap();
        fine.fill_path(path, FillRule::Winding, true, to_texels);
        let fine_width = self.width * n;
        let mut sums = vec![0_u32; self.width * self.height];
        for (y, row) in fine.data().chunks_exact(fine_width).enumerate() {
            let out = &mut sums[(y / n) * self.width..(y / n + 1) * self.width];
            for (sum, group) in out.iter_mut().zip(row.chunks_exact(n)) {
                *sum += group.iter().map(|&c| u32::from(c)).sum::<u32>();
            }
        }
        let full = 1.0 / (255 * n * n) as f32;
        Mask {
            width: self.width,
            height: self.height,
            cover: sums.iter().map(|&c| c as f32 * full).collect(),
        }
    }

    pub(crate) fn stroke(&self, path: &Path, width: f64) -> Mask {
        let stroke = Stroke {
            width: width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        self.fill(&path.stroke(&stroke, 8.0).unwrap())
    }

    pub(crate) fn cover(&mut self, mask: &Mask, color: impl Fn(usize, usize) -> Rgb) {
        for y in 0..self.height {
            for x in 0..self.width {
                let a = mask.cover[y * self.width + x];
                if a > 0.0 {
                    let c = color(x, y);
                    let t = &mut self.texels[y * self.width + x];
                    let rest = 1.0 - a;
                    *t = [
                        c[0] * a + t[0] * rest,
                        c[1] * a + t[1] * rest,
                        c[2] * a + t[2] * rest,
                        a + t[3] * rest,
                    ];
                }
            }
        }
    }

    pub(crate) fn tint(&mut self, mask: &Mask, strength: f32, color: impl Fn(usize, usize) -> Rgb) {
        for y in 0..self.height {
            for x in 0..self.width {
                let a = mask.cover[y * self.width + x] * strength;
                if a > 0.0 {
                    self.atop(x, y, color(x, y), a);
                }
            }
        }
    }

    /// Changes the colour of a texel but not its alpha.
    pub(crate) fn atop(&mut self, x: usize, y: usize, color: Rgb, amount: f32) {
        let t = &mut self.texels[y * self.width + x];
        let alpha = t[3];
        for (channel, c) in t.iter_mut().zip(color) {
            *channel += (c * alpha - *channel) * amount;
        }
    }
}
