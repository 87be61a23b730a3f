//! Cut paper: sheets with a grain, a lit rim and a soft shadow, laid on top of each other.

use tiny_skia::Path;

use super::canvas::{Canvas, TEXELS};
use super::grain::grain;
use super::mask::Mask;
use super::palette::{BRASS, BRASS_DARK, BRASS_LIGHT, DUSK, Rgb, SHADOW, SUN, WHITE, mix};
use super::pen::oval;

/// Number of tones of a paper from full shade to full light.
const TONES: f32 = 100.0;

/// One kind of paper.
#[derive(Clone, Copy)]
pub(crate) struct Paper {
    pub(crate) color: Rgb,
    /// Difference in lightness between top and bottom, 0..1.
    pub(crate) slope: f32,
    /// Brightness of its lit edge, 0..1.
    pub(crate) rim: f32,
    /// Darkness of its shadow on the sheets below, 0..1.
    pub(crate) shadow: f32,
}

impl Paper {
    pub(crate) const fn new(color: Rgb) -> Self {
        Self { color, slope: 0.13, rim: 0.75, shadow: 0.42 }
    }

    pub(crate) const fn thin(color: Rgb) -> Self {
        Self { color, slope: 0.08, rim: 0.5, shadow: 0.28 }
    }
}

impl Canvas {
    /// Draws a sheet on top of everything, with its shadow on the sheets below.
    pub(crate) fn sheet(&mut self, path: &Path, paper: Paper) {
        let mask = self.fill(path);
        self.drop_shadow(&mask, paper.shadow);
        self.lay(&mask, paper, false);
        self.edge(path, &mask, paper.rim);
    }

    /// Draws a sheet that is cut off at the edge of the sheets below.
    pub(crate) fn inlay(&mut self, path: &Path, paper: Paper) {
        let mask = self.fill(path);
        self.drop_shadow(&mask, paper.shadow);
        self.lay(&mask, paper, true);
        self.edge(path, &mask, paper.rim);
    }

    /// Lights the outline again after inlays covered it.
    pub(crate) fn rim(&mut self, path: &Path, strength: f32) {
        let mask = self.fill(path);
        self.edge(path, &mask, strength);
    }

    /// Draws a line of ink on the sheets, with round ends.
    pub(crate) fn ink(&mut self, path: &Path, width: f64, color: Rgb, strength: f32) {
        let mask = self.stroke(path, width);
        self.tint(&mask, strength, |_, _| color);
    }

    /// Draws a line that needs no sheet below it.
    pub(crate) fn cord(&mut self, path: &Path, width: f64, color: Rgb) {
        let mask = self.stroke(path, width);
        self.cover(&mask, |_, _| color);
    }

    /// Draws a flat shape without shadow or rim.
    pub(crate) fn flat(&mut self, path: &Path, color: Rgb) {
        let mask = self.fill(path);
        self.cover(&mask, |_, _| color);
    }

    /// Draws a soft stain on the sheets, with an edge `blur` design pixels wide.
    pub(crate) fn stain(&mut self, path: &Path, blur: f64, color: Rgb, strength: f32) {
        let mask = self.fill(path).blurred((blur * TEXELS / 2.0) as usize);
        self.tint(&mask, strength, |_, _| color);
    }

    /// Draws a soft shape that needs no sheet below it.
    pub(crate) fn haze(&mut self, path: &Path, blur: f64, color: Rgb, strength: f32) {
        let mut mask = self.fill(path).blurred((blur * TEXELS / 2.0) as usize);
        mask.cover.iter_mut().for_each(|c| *c *= strength);
        self.cover(&mask, |_, _| color);
    }

    /// Draws the head of a brass split pin.
    pub(crate) fn pin(&mut self, x: f64, y: f64, radius: f64) {
        let mask = self.fill(&oval(x, y, radius, radius, 0.0));
        self.drop_shadow(&mask, 0.6);
        let [cx, cy] = self.texel_at([x, y]);
        let scale = 1.0 / (radius * TEXELS) as f32;
        self.cover(&mask, |tx, ty| {
            let (u, v) =
                ((tx as f32 + 0.5 - cx as f32) * scale, (ty as f32 + 0.5 - cy as f32) * scale);
            let lit = -(u * 0.6 + v * 0.8);
            let edge = ((u * u + v * v).sqrt() - 0.62).max(0.0) * 1.7;
            let body = if lit > 0.0 {
                mix(BRASS, BRASS_LIGHT, lit * 0.75)
            } else {
                mix(BRASS, BRASS_DARK, -lit * 0.8)
            };
            mix(body, BRASS_DARK, edge)
        });
        let glint = oval(x - radius * 0.32, y + radius * 0.38, radius * 0.26, radius * 0.17, 40.0);
        self.stain(&glint, 1.0, WHITE, 0.9);
    }

    /// The shadow of the whole part on anything that will be below it. Call it last.
    pub(crate) fn cast(&mut self, strength: f32) {
        let alpha: Vec<f32> = self.texels.iter().map(|t| t[3]).collect();
        let soft = Mask { width: self.width, height: self.height, cover: alpha }.blurred(2);
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
            if light > 0.0 { mix(paper.color, SUN, light) } else { mix(paper.color, DUSK, -light) }
        };
        if cut_off { self.tint(mask, 1.0, shade) } else { self.cover(mask, shade) }
    }

    /// Draws the cut edge: bright towards the light at the upper left, dim on the other side.
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
}
