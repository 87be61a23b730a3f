//! Cut paper: sheets with a grain, a lit rim and a soft shadow, laid on one another.
//!
//! tiny-skia only says how much of a texel a path covers. Everything else is plain arithmetic here, so that the same
//! texels come out on every machine.

use tiny_skia::{FillRule, LineCap, LineJoin, Path, Stroke, Transform};

use super::palette::{BRASS, BRASS_DARK, BRASS_LIGHT, DUSK, Rgb, SHADOW, SUN, WHITE, mix};
use super::pen::oval;

/// Texels per design pixel.
pub(crate) const TEXELS: f64 = 2.0;
/// Room around a shape for its anti-aliased edge and its shadow, in design pixels.
pub(crate) const MARGIN: f64 = 6.0;
/// Distance of neighbouring shades, of 255.
const STEP: f32 = 3.0;
/// Tones of a paper from full shade to full light.
const TONES: f32 = 100.0;
const OVERSAMPLING: usize = 3;

/// How much of each texel is covered, 0..1.
#[derive(Clone)]
pub(crate) struct Mask {
    width: usize,
    height: usize,
    cover: Vec<f32>,
}

impl Mask {
    fn at(&self, x: isize, y: isize) -> f32 {
        match (usize::try_from(x), usize::try_from(y)) {
            (Ok(x), Ok(y)) if x < self.width && y < self.height => self.cover[y * self.width + x],
            _ => 0.0,
        }
    }

    /// Three box blurs in each direction: close to a Gaussian.
    fn blurred(&self, radius: usize) -> Self {
        let mut mask = self.clone();
        let (w, h) = (self.width, self.height);
        for _ in 0..3 {
            for y in 0..h {
                box_blur(&mut mask.cover, y * w, 1, w, radius);
            }
            for x in 0..w {
                box_blur(&mut mask.cover, x, w, h, radius);
            }
        }
        mask
    }

    /// Lowest and highest covered row.
    fn rows(&self) -> (usize, usize) {
        let covered = |y: &usize| {
            self.cover[y * self.width..(y + 1) * self.width]
                .iter()
                .any(|&c| c > 0.0)
        };
        (
            (0..self.height).find(covered).unwrap_or(0),
            (0..self.height).rev().find(covered).unwrap_or(0),
        )
    }
}

fn box_blur(values: &mut [f32], start: usize, step: usize, count: usize, radius: usize) {
    let line: Vec<f32> = (0..count).map(|i| values[start + i * step]).collect();
    let share = 1.0 / (2 * radius + 1) as f32;
    let mut sum: f32 = line.iter().take(radius).sum();
    for i in 0..count {
        sum += line.get(i + radius).copied().unwrap_or(0.0);
        values[start + i * step] = (sum * share).clamp(0.0, 1.0);
        if i >= radius {
            sum -= line[i - radius];
        }
    }
}

/// One kind of paper.
#[derive(Clone, Copy)]
pub(crate) struct Paper {
    pub(crate) color: Rgb,
    /// How much lighter the top is than the bottom, 0..1.
    pub(crate) slope: f32,
    /// How strongly its edge catches the light, 0..1.
    pub(crate) rim: f32,
    /// How dark a shadow it casts on what lies below, 0..1.
    pub(crate) shadow: f32,
}

impl Paper {
    pub(crate) const fn new(color: Rgb) -> Self {
        Self {
            color,
            slope: 0.13,
            rim: 0.75,
            shadow: 0.42,
        }
    }

    pub(crate) const fn thin(color: Rgb) -> Self {
        Self {
            color,
            slope: 0.08,
            rim: 0.5,
            shadow: 0.28,
        }
    }
}

/// One part of the puppet while it is made: texels over a rectangle of design space.
pub(crate) struct Canvas {
    left: f64,
    top: f64,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Premultiplied, sRGB-encoded.
    texels: Vec<[f32; 4]>,
}

impl Canvas {
    /// Covers the rectangle, grown to whole texels.
    pub(crate) fn new(left: f64, bottom: f64, right: f64, top: f64) -> Self {
        let (left, top) = (
            (left * TEXELS).floor() / TEXELS,
            (top * TEXELS).ceil() / TEXELS,
        );
        let width = ((right - left) * TEXELS).ceil() as usize;
        let height = ((top - bottom) * TEXELS).ceil() as usize;
        Self {
            left,
            top,
            width,
            height,
            texels: vec![[0.0; 4]; width * height],
        }
    }

    /// Covers the outlines and a margin.
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

    /// Texel coordinates of a design point; half texels are texel centres.
    pub(crate) fn texel_at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [(x - self.left) * TEXELS, (self.top - y) * TEXELS]
    }

    /// The design rectangle: left, bottom, right, top.
    pub(crate) fn bounds(&self) -> [f64; 4] {
        let right = self.left + self.width as f64 / TEXELS;
        [
            self.left,
            self.top - self.height as f64 / TEXELS,
            right,
            self.top,
        ]
    }

    /// Whether anything is drawn in the design rectangle.
    pub(crate) fn has_ink(&self, [left, bottom, right, top]: [f64; 4]) -> bool {
        let [x0, y0] = self
            .texel_at([left, top])
            .map(|v| (v.floor() - 1.0).max(0.0) as usize);
        let [x1, y1] = self
            .texel_at([right, bottom])
            .map(|v| (v.ceil() + 1.0).max(0.0) as usize);
        (y0..y1.min(self.height)).any(|y| {
            (x0..x1.min(self.width)).any(|x| self.texels[y * self.width + x][3] >= 0.5 / 255.0)
        })
    }

    /// Straight-alpha RGBA of one texel.
    pub(crate) fn rgba(&self, x: usize, y: usize) -> [u8; 4] {
        let [r, g, b, a] = self.texels[y * self.width + x];
        // Fewer shades than the eye can tell apart on paper make a much smaller PNG.
        let byte = |v: f32, step: f32| ((v * 255.0 / step).round() * step).clamp(0.0, 255.0) as u8;
        let alpha = if a > 0.998 { 255 } else { byte(a, 3.0) };
        if alpha == 0 {
            [0; 4]
        } else {
            [
                byte(r / a, STEP),
                byte(g / a, STEP),
                byte(b / a, STEP),
                alpha,
            ]
        }
    }

    fn fill(&self, path: &Path) -> Mask {
        let n = OVERSAMPLING;
        let s = (TEXELS * n as f64) as f32;
        let to_texels = Transform::from_row(
            s,
            0.0,
            0.0,
            -s,
            -(self.left as f32) * s,
            self.top as f32 * s,
        );
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

    fn stroke(&self, path: &Path, width: f64) -> Mask {
        let stroke = Stroke {
            width: width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        self.fill(&path.stroke(&stroke, 8.0).unwrap())
    }

    /// A sheet on top of everything, over its shadow on what is there.
    pub(crate) fn sheet(&mut self, path: &Path, paper: Paper) {
        let mask = self.fill(path);
        self.drop_shadow(&mask, paper.shadow);
        self.lay(&mask, paper, false);
        self.edge(path, &mask, paper.rim);
    }

    /// A sheet that is cut off where the sheets below end.
    pub(crate) fn inlay(&mut self, path: &Path, paper: Paper) {
        let mask = self.fill(path);
        self.drop_shadow(&mask, paper.shadow);
        self.lay(&mask, paper, true);
        self.edge(path, &mask, paper.rim);
    }

    /// Lights the outline again, after inlays covered it.
    pub(crate) fn rim(&mut self, path: &Path, strength: f32) {
        let mask = self.fill(path);
        self.edge(path, &mask, strength);
    }

    /// A line of ink on the sheets, with round ends.
    pub(crate) fn ink(&mut self, path: &Path, width: f64, color: Rgb, strength: f32) {
        let mask = self.stroke(path, width);
        self.tint(&mask, strength, |_, _| color);
    }

    /// A line that needs no sheet below it.
    pub(crate) fn cord(&mut self, path: &Path, width: f64, color: Rgb) {
        let mask = self.stroke(path, width);
        self.cover(&mask, |_, _| color);
    }

    /// A flat shape without shadow or rim.
    pub(crate) fn flat(&mut self, path: &Path, color: Rgb) {
        let mask = self.fill(path);
        self.cover(&mask, |_, _| color);
    }

    /// A soft stain on the sheets, `blur` design pixels wide at its edge.
    pub(crate) fn stain(&mut self, path: &Path, blur: f64, color: Rgb, strength: f32) {
        let mask = self.fill(path).blurred((blur * TEXELS / 2.0) as usize);
        self.tint(&mask, strength, |_, _| color);
    }

    /// A free-standing soft shape.
    pub(crate) fn haze(&mut self, path: &Path, blur: f64, color: Rgb, strength: f32) {
        let mut mask = self.fill(path).blurred((blur * TEXELS / 2.0) as usize);
        mask.cover.iter_mut().for_each(|c| *c *= strength);
        self.cover(&mask, |_, _| color);
    }

    /// The head of a brass split pin.
    pub(crate) fn pin(&mut self, x: f64, y: f64, radius: f64) {
        let mask = self.fill(&oval(x, y, radius, radius, 0.0));
        self.drop_shadow(&mask, 0.6);
        let [cx, cy] = self.texel_at([x, y]);
        let scale = 1.0 / (radius * TEXELS) as f32;
        self.cover(&mask, |tx, ty| {
            let (u, v) = (
                (tx as f32 + 0.5 - cx as f32) * scale,
                (ty as f32 + 0.5 - cy as f32) * scale,
            );
            let lit = -(u * 0.6 + v * 0.8);
            let edge = ((u * u + v * v).sqrt() - 0.62).max(0.0) * 1.7;
            let body = if lit > 0.0 {
                mix(BRASS, BRASS_LIGHT, lit * 0.75)
            } else {
                mix(BRASS, BRASS_DARK, -lit * 0.8)
            };
            mix(body, BRASS_DARK, edge)
        });
        let glint = oval(
            x - radius * 0.32,
            y + radius * 0.38,
            radius * 0.26,
            radius * 0.17,
            40.0,
        );
        self.stain(&glint, 1.0, WHITE, 0.9);
    }

    /// The shadow of the whole part on whatever will be below it. Call it last.
    pub(crate) fn cast(&mut self, strength: f32) {
        let alpha: Vec<f32> = self.texels.iter().map(|t| t[3]).collect();
        let soft = Mask {
            width: self.width,
            height: self.height,
            cover: alpha,
        }
        .blurred(2);
        for y in 0..self.height {
            for x in 0..self.width {
                let shade = soft.at(x as isize - 1, y as isize - 3) * strength;
                let t = &mut self.texels[y * self.width + x];
                let free = (1.0 - t[3]) * shade;
                *t = [
                    t[0] + SHADOW[0] * free,
                    t[1] + SHADOW[1] * free,
                    t[2] + SHADOW[2] * free,
                    t[3] + free,
                ];
            }
        }
    }

    fn drop_shadow(&mut self, mask: &Mask, strength: f32) {
        let soft = mask.blurred(3);
        for y in 0..self.height {
            for x in 0..self.width {
                let shade = soft.at(x as isize - 1, y as isize - 4) * strength;
                self.atop(x, y, SHADOW, shade);
            }
        }
    }

    fn lay(&mut self, mask: &Mask, paper: Paper, cut_off: bool) {
        let (first, last) = mask.rows();
        let rows = (last.max(first + 1) - first) as f32;
        let pillow = mask.blurred(7);
        let shade = |x: usize, y: usize| {
            let (xi, yi) = (x as isize, y as isize);
            let down = (y as f32 - first as f32) / rows;
            let bulge = pillow.at(xi + 4, yi + 6) - pillow.at(xi - 4, yi - 6);
            let light = (((0.5 - down) * paper.slope * 2.0 + bulge * 0.16 + grain(x, y)) * TONES)
                .round()
                / TONES;
            if light > 0.0 {
                mix(paper.color, SUN, light)
            } else {
                mix(paper.color, DUSK, -light)
            }
        };
        if cut_off {
            self.tint(mask, 1.0, shade)
        } else {
            self.cover(mask, shade)
        }
    }

    /// The cut edge: bright towards the light at the upper left, dim on the other side.
    fn edge(&mut self, path: &Path, mask: &Mask, strength: f32) {
        let ring = self.stroke(path, 2.2);
        let soft = mask.blurred(1);
        for y in 0..self.height {
            for x in 0..self.width {
                let cover = ring.cover[y * self.width + x] * mask.cover[y * self.width + x];
                if cover > 0.0 {
                    let (xi, yi) = (x as isize, y as isize);
                    let lit = soft.at(xi + 2, yi + 3) - soft.at(xi - 2, yi - 3);
                    if lit > -0.25 {
                        self.atop(
                            x,
                            y,
                            SUN,
                            cover * strength * (0.16 + 0.55 * (lit + 0.25)).min(0.72),
                        );
                    } else {
                        self.atop(x, y, DUSK, cover * strength * (-lit - 0.25) * 0.45);
                    }
                }
            }
        }
    }

    fn cover(&mut self, mask: &Mask, color: impl Fn(usize, usize) -> Rgb) {
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

    fn tint(&mut self, mask: &Mask, strength: f32, color: impl Fn(usize, usize) -> Rgb) {
        for y in 0..self.height {
            for x in 0..self.width {
                let a = mask.cover[y * self.width + x] * strength;
                if a > 0.0 {
                    self.atop(x, y, color(x, y), a);
                }
            }
        }
    }

    /// Changes the colour of what is there, not where it ends.
    fn atop(&mut self, x: usize, y: usize, color: Rgb, amount: f32) {
        let t = &mut self.texels[y * self.width + x];
        let alpha = t[3];
        for (channel, c) in t.iter_mut().zip(color) {
            *channel += (c * alpha - *channel) * amount;
        }
    }
}

/// The tooth of the paper: soft blotches and a fine, sparse grain.
fn grain(x: usize, y: usize) -> f32 {
    let blotch = |cell: usize, salt: u32| {
        let (cx, cy) = (x / cell, y / cell);
        let ease = |v: usize| {
            let t = (v % cell) as f32 / cell as f32;
            t * t * (3.0 - 2.0 * t)
        };
        let (u, v) = (ease(x), ease(y));
        let top = noise(cx, cy, salt) * (1.0 - u) + noise(cx + 1, cy, salt) * u;
        let bottom = noise(cx, cy + 1, salt) * (1.0 - u) + noise(cx + 1, cy + 1, salt) * u;
        top * (1.0 - v) + bottom * v
    };
    let fine = noise(x / 2, y, 3);
    let speck = if fine > 0.965 {
        0.035
    } else if fine < -0.965 {
        -0.03
    } else {
        0.0
    };
    blotch(23, 1) * 0.022 + blotch(7, 2) * 0.014 + speck
}

/// A fixed value in -1..1 for a lattice point.
fn noise(x: usize, y: usize, salt: u32) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1)
        ^ (y as u32).wrapping_mul(0x85EB_CA77)
        ^ salt.wrapping_mul(0xC2B2_AE3D);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    h ^= h >> 15;
    (h >> 8) as f32 / 8_388_607.5 - 1.0
}
