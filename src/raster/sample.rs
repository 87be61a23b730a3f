//! From texture coordinates to a colour.
//!
//! Texels are blended from top to bottom with weights of 1/255 and from left to right with weights of 1/16448; the sum is
//! rounded once. Numbers are chosen so that nothing needs a division: 255 · 16448 is 2^22 less a hair.

use super::run::{MARGIN, Run};
use super::setup::{Plane, TexelPlane};
use crate::image::Pixels;
use crate::scene::Filter;

/// One pixel: RGBA, premultiplied.
pub(super) type Rgba = [u8; 4];

/// Sum of the two weights from left to right.
pub(super) const ACROSS: u32 = 16_448;

/// One size of an image, and where the triangle's pixels lie on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level<'a> {
    texels: &'a [Rgba],
    /// All rows but the last, and all but the first.
    pairs: [&'a [u8]; 2],
    width: i64,
    height: i64,
    /// What [`Run`] may be given: coordinates less [`MARGIN`] below these.
    room: [u64; 2],
    pub(super) plane: TexelPlane,
}

/// How the pixels of one triangle are coloured.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sampler<'a> {
    Nearest(Level<'a>),
    Linear(Level<'a>),
    /// Part of the second, in 1/256.
    Trilinear(Level<'a>, Level<'a>, u32),
}

impl<'a> Sampler<'a> {
    /// Chooses the levels for a triangle; `levels` has one entry where no smaller copies are wanted.
    #[inline]
    pub(super) fn new(levels: &'a [Pixels], plane: &Plane, filter: Filter) -> Option<Self> {
        let (base, smaller) = levels.split_first()?;
        if filter == Filter::Nearest {
            return Some(Self::Nearest(Level::new(base, plane, 0.0)));
        }
        if smaller.is_empty() {
            return Some(Self::Linear(Level::new(base, plane, 0.5)));
        }
        let (whole, part) = level_of_detail(plane.largest_step_squared([base.width, base.height]));
        let level = |i: usize| levels.get(i).map(|pixels| Level::new(pixels, plane, 0.5));
        let above = level(whole.min(smaller.len()))?;
        Some(match level(whole + 1) {
            Some(below) if part > 0 => Self::Trilinear(above, below, part),
            _ => Self::Linear(above),
        })
    }
}

/// The level whose texels are as large as pixels, and the part of the next one in 1/256: half the binary logarithm of
/// `step_squared`. Taken bit by bit, so that no machine's logarithm has a say.
#[expect(
    clippy::cast_possible_truncation,
    reason = "an exponent has eleven bits"
)]
fn level_of_detail(step_squared: f64) -> (usize, u32) {
    if !(step_squared > 1.0) {
        return (0, 0);
    }
    if !step_squared.is_finite() {
        return (usize::MAX >> 1, 0);
    }
    let bits = step_squared.to_bits();
    let exponent = ((bits >> 52) as u32).saturating_sub(1023);
    // In 1..2; each squaring brings one more bit of its logarithm.
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    let mut log = exponent;
    for _ in 0..7 {
        mantissa *= mantissa;
        log <<= 1;
        if mantissa >= 2.0 {
            mantissa *= 0.5;
            log |= 1;
        }
    }
    // Of 1/128 in the logarithm of the square, of 1/256 in that of the step.
    ((log >> 8) as usize, log & 255)
}

/// How far coordinates may go along a side, less the margins. Sides of more than 15 bits do not fit in a run.
#[inline]
fn room(side: u32) -> u64 {
    match side {
        2..=0x7fff => (u64::from(side - 1) << 32) - 2 * MARGIN.cast_unsigned(),
        _ => 0,
    }
}

impl<'a> Level<'a> {
    #[inline]
    fn new(pixels: &'a Pixels, plane: &Plane, centre: f64) -> Self {
        let size = [pixels.width, pixels.height];
        let row = (pixels.width as usize).saturating_mul(4);
        let all = row.saturating_mul(pixels.height as usize);
        let rgba = pixels.rgba.get(..all).unwrap_or_default();
        let lower = rgba.get(row..).unwrap_or_default();
        let upper = rgba.get(..lower.len()).unwrap_or_default();
        Self {
            texels: rgba.as_chunks().0,
            pairs: [upper, lower],
            width: pixels.width.into(),
            height: pixels.height.into(),
            room: size.map(room),
            plane: plane.texels(size, centre),
        }
    }

    /// Whether a point keeps the margin that a run needs.
    #[inline(always)]
    pub(super) fn holds(&self, at: [i64; 2]) -> bool {
        let mut inside = at.into_iter().zip(self.room);
        inside.all(|(c, room)| c.wrapping_sub(MARGIN).cast_unsigned() < room)
    }

    /// The pixels from `at` on; all of them must be such that [`Self::holds`].
    #[inline(always)]
    pub(super) fn run(&self, at: [i64; 2]) -> Run<'a> {
        let [upper, lower] = self.pairs;
        Run {
            upper,
            lower,
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it came from there"
            )]
            stride: self.width as u32,
            at,
            dx: self.plane.dx,
        }
    }

    #[inline]
    fn texel(&self, x: i64, y: i64) -> Rgba {
        let at = usize::try_from(y * self.width + x).ok();
        at.and_then(|at| self.texels.get(at))
            .copied()
            .unwrap_or_default()
    }

    /// The texel that holds the point, or the nearest at the edge.
    #[inline]
    pub(super) fn nearest(&self, [u, v]: [i64; 2]) -> Rgba {
        self.texel(
            (u >> 32).clamp(0, self.width - 1),
            (v >> 32).clamp(0, self.height - 1),
        )
    }

    /// The four texels around the point, blended. Beyond the edge the texels of the edge go on.
    #[inline]
    pub(super) fn linear(&self, [u, v]: [i64; 2]) -> Rgba {
        let u = (u >> 16).clamp(0, (self.width - 1) << 16);
        let v = (v >> 16).clamp(0, (self.height - 1) << 16);
        let (x, y) = (u >> 16, v >> 16);
        let (right, below) = ((x + 1).min(self.width - 1), (y + 1).min(self.height - 1));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "sixteen bits"
        )]
        let part = |c: i64| (c & 0xffff) as u32;
        blend_texels(
            [
                [self.texel(x, y), self.texel(right, y)],
                [self.texel(x, below), self.texel(right, below)],
            ],
            [part(u), part(v)],
        )
    }
}

/// Weight of the right texels, in 1/[`ACROSS`]; `part` in 1/65536 of the way.
#[inline(always)]
pub(super) fn weight_right(part: u32) -> u32 {
    (part + (part << 8)) >> 10
}

/// Weight of the lower texels, in 1/255.
#[inline(always)]
pub(super) fn weight_below(part: u32) -> u32 {
    ((part << 8) - part + 0x8000) >> 16
}

#[inline]
fn blend_texels([[a, b], [c, d]]: [[Rgba; 2]; 2], [across, down]: [u32; 2]) -> Rgba {
    let (right, below) = (weight_right(across), weight_below(down));
    let mut out = [0; 4];
    for ((((out, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        let column =
            |upper: u8, lower: u8| u32::from(upper) * (255 - below) + u32::from(lower) * below;
        let sum = column(a, c) * (ACROSS - right) + column(b, d) * right;
        #[expect(clippy::cast_possible_truncation, reason = "at most 255")]
        {
            *out = ((sum + (1 << 21)) >> 22) as u8;
        }
    }
    out
}

/// `part` / 256 of `b`, the rest of `a`, rounded.
#[inline]
pub(super) fn mix(a: Rgba, b: Rgba, part: u32) -> Rgba {
    let mut out = [0; 4];
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        let sum = u32::from(a) * (256 - part) + u32::from(b) * part + 128;
        #[expect(clippy::cast_possible_truncation, reason = "at most 255")]
        {
            *out = (sum >> 8) as u8;
        }
    }
    out
}

/// Walks along a row, pixel by pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk<'a, 'b> {
    sampler: &'b Sampler<'a>,
    at: [i64; 2],
    below: [i64; 2],
}

impl<'a> Sampler<'a> {
    /// Starts at the pixel in column `x` of row `y`.
    #[inline]
    pub(super) fn walk(&self, x: i32, y: i32) -> Walk<'a, '_> {
        let (at, below) = match self {
            Self::Nearest(level) | Self::Linear(level) => (level.plane.at([x, y]), [0; 2]),
            Self::Trilinear(above, below, _) => (above.plane.at([x, y]), below.plane.at([x, y])),
        };
        Walk {
            sampler: self,
            at,
            below,
        }
    }
}

impl Walk<'_, '_> {
    /// The colour of this pixel; goes on to the next.
    #[inline]
    pub(super) fn next(&mut self) -> Rgba {
        match self.sampler {
            Sampler::Nearest(level) => level.nearest(step(&mut self.at, level)),
            Sampler::Linear(level) => level.linear(step(&mut self.at, level)),
            Sampler::Trilinear(above, below, part) => mix(
                above.linear(step(&mut self.at, above)),
                below.linear(step(&mut self.below, below)),
                *part,
            ),
        }
    }
}

#[inline]
fn step(at: &mut [i64; 2], level: &Level<'_>) -> [i64; 2] {
    let before = *at;
    for (c, dx) in at.iter_mut().zip(level.plane.dx) {
        *c = c.wrapping_add(dx);
    }
    before
}
