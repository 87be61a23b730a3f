//! Samples a colour at texture coordinates.
//!
//! Texels are blended from top to bottom with weights of 1/255 and from left to right with weights of 1/16448; the sum is
//! rounded once. Numbers are chosen so that nothing needs a division: 255 · 16448 is 2^22 less 64.

use std::ops::Range;

use super::run::{ACROSS, Factors, MARGIN, RunSource, TO_16, multiply, weight_below, weight_right};
use super::setup::{Corner, PART_BITS, Plane, TexelPlane, level_of_detail, texels};
use crate::image::{Pixels, multiply_255};
use crate::scene::Filter;

/// One pixel: RGBA, premultiplied.
pub(super) type Rgba = [u8; 4];

/// One size of an image.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Level<'a> {
    texels: &'a [Rgba],
    /// All rows but the last, and all rows but the first.
    pairs: [&'a [u8]; 2],
    width: u32,
    height: u32,
    /// Upper limits of a run's coordinates minus [`MARGIN`].
    room: [u64; 2],
}

/// An image, ready for the triangles of a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreparedTexels<'a> {
    pub(super) base: Level<'a>,
    /// Least distance of the mesh's texture coordinates from where texels beyond the edge are needed, in texels of the image; 0 or
    /// less if some need them.
    pub(super) margin: f64,
    pub(super) filter: Filter,
    /// Its smaller copies, if they are used.
    pub(super) smaller: &'a [Pixels],
    /// Factors of its colours, unless they change nothing.
    pub(super) tint: Option<Factors>,
}

/// Method that colours the pixels of one triangle.
#[derive(Clone, Copy, Debug)]
pub(super) enum TexelSampler<'a> {
    /// The same colour everywhere.
    Flat(Rgba),
    Nearest(&'a Level<'a>, TexelPlane),
    Linear(Linear<'a>),
    /// Two levels, and the part of the second in 1/256.
    Trilinear([(Level<'a>, TexelPlane); 2], u32),
    /// The nearest texel of the first level, or the linear one of two, times a tint.
    Tinted {
        levels: [(Level<'a>, TexelPlane); 2],
        part: u32,
        filter: Filter,
        tint: Factors,
    },
    /// The nearest texel, times the alpha of another image.
    Masked {
        colour: (&'a Level<'a>, TexelPlane),
        mask: (&'a Level<'a>, TexelPlane),
        filter: Filter,
    },
}

/// Bilinear sampling: four texels per pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linear<'a> {
    pub(super) level: &'a Level<'a>,
    pub(super) plane: TexelPlane,
    /// True if no pixel of the triangle needs texels beyond the image's edge, with a small margin.
    pub(super) inside: bool,
}

impl<'a> Linear<'a> {
    #[inline(always)]
    fn new(texture: &'a PreparedTexels<'a>, plane: &Plane, corners: &[Corner; 3]) -> Self {
        let level = &texture.base;
        // Pixels that are covered in part may have their centres outside the triangle.
        let [u, v] = plane.half_pixel(level.size());
        let inside = |margin: f64| u < margin && v < margin;
        Self {
            level,
            plane: plane.texels(level.size(), 0.5),
            inside: inside(texture.margin) || inside(level.margin(&UvBounds::of(corners))),
        }
    }

    /// Returns the pixels of a run of `count` from `at` on that a kernel can draw. The others lie on both sides of them.
    #[inline]
    pub(super) fn inside(&self, at: [i64; 2], count: usize) -> Range<usize> {
        let mut inside = 0..count;
        let holds = |i| self.level.holds(self.plane.right(at, i));
        while inside.start < inside.end && !holds(inside.start) {
            inside.start += 1;
        }
        while inside.start < inside.end && !holds(inside.end - 1) {
            inside.end -= 1;
        }
        inside
    }

    /// Returns the colour of pixel number `i` of a run from `at` on, wherever its texels are.
    #[inline(never)]
    pub(super) fn colour(&self, at: [i64; 2], i: usize) -> Rgba {
        self.level.linear(self.plane.right(at, i))
    }
}

impl<'a> TexelSampler<'a> {
    /// Chooses the sampler of a triangle. `area` is the area of the corners, and not 0.
    #[inline(always)]
    pub(super) fn new(texture: &'a PreparedTexels<'a>, corners: &[Corner; 3], area: i64) -> Self {
        if let Some(tint) = texture.tint {
            return Self::tinted(texture, &Plane::new(corners, area), tint);
        }
        let base = &texture.base;
        let plane = || Plane::new(corners, area);
        match texture.filter {
            Filter::Nearest => {
                let [a, b, c] = corners.each_ref().map(|corner| corner.uv);
                if a == b && b == c {
                    return Self::Flat(base.colour(a));
                }
                Self::Nearest(base, plane().texels(base.size(), 0.0))
            }
            Filter::Linear if texture.smaller.is_empty() => {
                Self::Linear(Linear::new(texture, &plane(), corners))
            }
            Filter::Linear => Self::with_smaller(texture, &plane(), corners),
        }
    }

    /// Returns the sampler of a triangle with the nearest texels of `texture`, visible where `mask` is, at `uvs`.
    pub(super) fn masked(
        texture: &'a PreparedTexels<'a>,
        corners: &[Corner; 3],
        mask: &'a PreparedTexels<'a>,
        uvs: [[f64; 2]; 3],
        area: i64,
    ) -> Self {
        let mut on_mask = *corners;
        for (corner, uv) in on_mask.iter_mut().zip(uvs) {
            corner.uv = uv;
        }
        let centre = match mask.filter {
            Filter::Nearest => 0.0,
            Filter::Linear => 0.5,
        };
        let (level, of_mask) = (&texture.base, &mask.base);
        let plane = Plane::new(corners, area).texels(level.size(), 0.0);
        let mask_plane = Plane::new(&on_mask, area).texels(of_mask.size(), centre);
        Self::Masked { colour: (level, plane), mask: (of_mask, mask_plane), filter: mask.filter }
    }

    #[inline(never)]
    fn tinted(texture: &'a PreparedTexels<'a>, plane: &Plane, tint: Factors) -> Self {
        let base = texture.base;
        let ((levels, part), filter) = match texture.filter {
            Filter::Linear => (texture.levels(plane), Filter::Linear),
            Filter::Nearest => {
                let level = (base, plane.texels(base.size(), 0.0));
                (([level; 2], 0), Filter::Nearest)
            }
        };
        Self::Tinted { levels, part, filter, tint }
    }

    fn with_smaller(texture: &'a PreparedTexels<'a>, plane: &Plane, corners: &[Corner; 3]) -> Self {
        let (whole, part) = level_of_detail(plane.largest_step_squared(texture.base.size()));
        if whole == 0 && part == 0 {
            return Self::Linear(Linear::new(texture, plane, corners));
        }
        Self::Trilinear(texture.two_levels(whole, plane), part)
    }
}

impl<'a> PreparedTexels<'a> {
    /// Returns the two levels between which a triangle's texels are, and the part of the second in 1/256.
    pub(super) fn levels(&self, plane: &Plane) -> ([(Level<'a>, TexelPlane); 2], u32) {
        let (whole, part) = level_of_detail(plane.largest_step_squared(self.base.size()));
        (self.two_levels(whole, plane), part)
    }

    fn two_levels(&self, whole: usize, plane: &Plane) -> [(Level<'a>, TexelPlane); 2] {
        // Beyond the smallest copy there is only the smallest copy.
        let last = self.smaller.len();
        let level = |number: usize| {
            let smaller = number.min(last).checked_sub(1).and_then(|i| self.smaller.get(i));
            let level = smaller.map_or(self.base, Level::new);
            (level, plane.texels(level.size(), 0.5))
        };
        [level(whole), level(whole.saturating_add(1))]
    }
}

/// Longest side of an image that runs can be drawn from.
const LONGEST: u32 = 0x7fff;

/// Smallest and largest texture coordinates of some corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct UvBounds {
    low: [f64; 2],
    high: [f64; 2],
}

impl UvBounds {
    pub(super) const NONE: Self = Self { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };

    /// Extends the bounds by another corner.
    #[inline(always)]
    pub(super) fn add(&mut self, uv: [f64; 2]) {
        for ((low, high), uv) in self.low.iter_mut().zip(&mut self.high).zip(uv) {
            *low = smaller(*low, uv);
            *high = -smaller(-*high, -uv);
        }
    }

    #[inline(always)]
    fn of(corners: &[Corner; 3]) -> Self {
        let mut bounds = Self::NONE;
        for corner in corners {
            bounds.add(corner.uv);
        }
        bounds
    }
}

/// Returns the smaller number, like [`f64::min`] without its rules for NaN.
#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Returns the length of the valid coordinate range along a side, without the margins.
#[inline]
fn room(side: u32) -> u64 {
    match side {
        2..=LONGEST => (u64::from(side - 1) << PART_BITS) - 2 * MARGIN.cast_unsigned(),
        _ => 0,
    }
}

impl<'a> Level<'a> {
    #[inline]
    pub(super) fn new(pixels: &'a Pixels) -> Self {
        let size = [pixels.width, pixels.height];
        let row = (pixels.width as usize).saturating_mul(4);
        let all = row.saturating_mul(pixels.height as usize);
        let rgba = pixels.rgba.get(..all).unwrap_or_default();
        let lower = rgba.get(row..).unwrap_or_default();
        let upper = rgba.get(..lower.len()).unwrap_or_default();
        Self {
            texels: rgba.as_chunks().0,
            pairs: [upper, lower],
            width: pixels.width,
            height: pixels.height,
            room: size.map(room),
        }
    }

    /// Returns the distance of texture coordinates within `bounds` from where texels beyond the edge are needed, in texels.
    #[inline]
    pub(super) fn margin(&self, bounds: &UvBounds) -> f64 {
        let mut margin = f64::INFINITY;
        for ((low, high), side) in bounds.low.into_iter().zip(bounds.high).zip(self.size()) {
            let texels = f64::from(side);
            // Half a texel, and the margin that a kernel needs.
            let room = smaller(low * texels, texels - high * texels) - 0.5 - 1.0 / 1024.0;
            margin = if side <= LONGEST { smaller(margin, room) } else { 0.0 };
        }
        margin
    }

    #[inline]
    pub(super) fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// Converts a position in texels to texture coordinates, 0..1.
    #[inline]
    pub(super) fn uv(&self, [x, y]: [f32; 2]) -> [f64; 2] {
        let [width, height] = self.size().map(f64::from);
        [f64::from(x) / width, f64::from(y) / height]
    }

    /// Returns true if a point keeps the margin that a run needs.
    #[inline(always)]
    pub(super) fn holds(&self, at: [i64; 2]) -> bool {
        let mut inside = at.into_iter().zip(self.room);
        inside.all(|(c, room)| c.wrapping_sub(MARGIN).cast_unsigned() < room)
    }

    /// Returns the source for runs of pixels that are `dx` apart. [`Self::holds`] must be true for each pixel.
    #[inline(always)]
    pub(super) fn source(&self, dx: [i64; 2]) -> RunSource<'a> {
        let [upper, lower] = self.pairs;
        RunSource { upper, lower, stride: self.width, dx }
    }

    #[inline]
    fn texel(&self, x: i64, y: i64) -> Rgba {
        let at = usize::try_from(y * i64::from(self.width) + x).ok();
        let texel = at.and_then(|at| self.texels.get(at)).copied();
        texel.unwrap_or_default()
    }

    /// Returns the last column and row.
    #[inline]
    fn last(&self) -> [i64; 2] {
        self.size().map(|side| i64::from(side) - 1)
    }

    /// Returns the texel that contains the point, or the nearest one at the edge.
    #[inline]
    pub(super) fn nearest(&self, [u, v]: [i64; 2]) -> Rgba {
        let [last_x, last_y] = self.last();
        self.texel((u >> PART_BITS).clamp(0, last_x), (v >> PART_BITS).clamp(0, last_y))
    }

    /// Returns the texel that contains the point and those right of it: `count` texels, if there are that many.
    #[inline]
    pub(super) fn run(&self, at: [i64; 2], count: usize) -> Option<&'a [Rgba]> {
        let [u, v] = at.map(|c| u32::try_from(c >> PART_BITS).ok());
        let (u, v) = (u? as usize, v? as usize);
        let width = self.width as usize;
        let row = self.texels.get(v.checked_mul(width)?..)?.get(..width)?;
        row.get(u..)?.get(..count)
    }

    /// Returns the colour of a triangle with the same texture coordinates everywhere.
    #[inline]
    pub(super) fn colour(&self, uv: [f64; 2]) -> Rgba {
        self.nearest(texels(uv, self.size()))
    }

    /// Blends the four texels around the point. Beyond the edge, the edge texels repeat.
    #[inline(never)]
    pub(super) fn linear(&self, [u, v]: [i64; 2]) -> Rgba {
        let [last_x, last_y] = self.last();
        let u = (u >> TO_16).clamp(0, last_x << 16);
        let v = (v >> TO_16).clamp(0, last_y << 16);
        let (x, y) = (u >> 16, v >> 16);
        let (right, below) = ((x + 1).min(last_x), (y + 1).min(last_y));
        #[expect(clippy::cast_sign_loss, reason = "sixteen bits")]
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

/// Mixes `part` / 256 of `b` with the rest of `a`, rounded.
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

/// Steps along a row, pixel by pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct TexelWalk<'a, 'b> {
    sampler: &'b TexelSampler<'a>,
    at: [i64; 2],
    below: [i64; 2],
}

impl<'a> TexelSampler<'a> {
    /// Starts at the pixel with this column and row.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a pixel of the picture")]
    pub(super) fn walk(&self, [x, y]: [i64; 2]) -> TexelWalk<'a, '_> {
        let start = |plane: &TexelPlane| plane.at(x as i32, y as i32);
        let (at, below) = match self {
            Self::Flat(_) => ([0; 2], [0; 2]),
            Self::Nearest(_, plane) | Self::Linear(Linear { plane, .. }) => (start(plane), [0; 2]),
            Self::Trilinear([(_, above), (_, below)], _)
            | Self::Tinted { levels: [(_, above), (_, below)], .. } => (start(above), start(below)),
            Self::Masked { colour, mask, .. } => (start(&colour.1), start(&mask.1)),
        };
        TexelWalk { sampler: self, at, below }
    }
}

impl TexelWalk<'_, '_> {
    /// Returns the colour of this pixel and moves to the next.
    #[inline]
    pub(super) fn next(&mut self) -> Rgba {
        match self.sampler {
            TexelSampler::Flat(colour) => *colour,
            TexelSampler::Nearest(level, plane) => level.nearest(step(&mut self.at, plane)),
            TexelSampler::Linear(Linear { level, plane, .. }) => {
                level.linear(step(&mut self.at, plane))
            }
            TexelSampler::Trilinear([(above, above_plane), (below, below_plane)], part) => mix(
                above.linear(step(&mut self.at, above_plane)),
                below.linear(step(&mut self.below, below_plane)),
                *part,
            ),
            TexelSampler::Tinted {
                levels: [(above, above_plane), (below, below_plane)],
                part,
                filter,
                tint,
            } => {
                let at = step(&mut self.at, above_plane);
                let colour = match filter {
                    Filter::Nearest => above.nearest(at),
                    Filter::Linear if *part == 0 => above.linear(at),
                    Filter::Linear => {
                        let below = below.linear(step(&mut self.below, below_plane));
                        mix(above.linear(at), below, *part)
                    }
                };
                multiply(colour, *tint)
            }
            TexelSampler::Masked { colour: (level, plane), mask: (mask, mask_plane), filter } => {
                let colour = level.nearest(step(&mut self.at, plane));
                let at = step(&mut self.below, mask_plane);
                let [.., alpha] = match filter {
                    Filter::Nearest => mask.nearest(at),
                    Filter::Linear => mask.linear(at),
                };
                colour.map(|channel| multiply_255(channel, alpha))
            }
        }
    }
}

#[inline]
fn step(at: &mut [i64; 2], plane: &TexelPlane) -> [i64; 2] {
    let before = *at;
    *at = plane.right(before, 1);
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: i64 = 1 << PART_BITS;

    /// Returns 3 x 2 texels of different greys.
    fn image() -> Pixels {
        Pixels {
            width: 3,
            height: 2,
            rgba: [0, 100, 200, 50, 150, 250]
                .into_iter()
                .flat_map(|c: u8| [c, c, c, 255])
                .collect(),
        }
    }

    fn grey([r, g, b, _]: Rgba) -> u8 {
        assert!(r == g && g == b);
        r
    }

    #[test]
    fn linear_takes_texels_at_whole_numbers_and_blends_between() {
        let image = image();
        let level = Level::new(&image);
        #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
        let at = |u: f64, v: f64| grey(level.linear([u, v].map(|c| (c * ONE as f64) as i64)));
        assert_eq!([at(0.0, 0.0), at(1.0, 0.0), at(2.0, 1.0)], [0, 100, 250]);
        assert_eq!([at(0.5, 0.0), at(0.25, 0.0), at(0.0, 0.5)], [50, 25, 25]);
        assert_eq!([at(1.5, 0.5), at(1.75, 1.0)], [175, 225]);
    }

    #[test]
    fn linear_goes_on_beyond_the_edge() {
        let image = image();
        let level = Level::new(&image);
        for far in [-ONE / 2, -5 * ONE, i64::MIN] {
            assert_eq!(grey(level.linear([far, 0])), 0);
            assert_eq!(grey(level.linear([2 * ONE, far])), 200);
        }
        for far in [5 * ONE / 2, 9 * ONE, i64::MAX] {
            assert_eq!((grey(level.linear([far, 0])), grey(level.linear([0, far]))), (200, 50));
        }
    }

    #[test]
    fn nearest_takes_the_texel_that_holds_the_point() {
        let image = image();
        let level = Level::new(&image);
        let at = |u: i64, v: i64| grey(level.nearest([u, v]));
        assert_eq!([at(0, 0), at(ONE - 1, 0), at(ONE, 0), at(3 * ONE - 1, ONE)], [0, 0, 100, 250]);
        assert_eq!([at(-1, -1), at(i64::MAX, i64::MAX)], [0, 250]);
    }

    #[test]
    fn blending_equal_texels_gives_them_back() {
        for c in 0..=255_u8 {
            for part in (0..=0xffff).step_by(257) {
                assert_eq!(blend_texels([[[c; 4]; 2]; 2], [part, 0xffff - part]), [c; 4]);
            }
        }
    }

    #[test]
    fn blending_is_within_one_of_exact_arithmetic() {
        let texels = [[[0, 255, 13, 255], [255, 0, 99, 0]], [[255, 7, 255, 128], [0, 254, 1, 64]]];
        for across in (0..=0xffff).step_by(771) {
            for down in (0..=0xffff).step_by(857) {
                let got = blend_texels(texels, [across, down]);
                for (channel, got) in got.iter().enumerate() {
                    let (s, t) = (f64::from(across) / 65_536.0, f64::from(down) / 65_536.0);
                    let texel = |row: [Rgba; 2]| {
                        row.map(|texel| f64::from(*texel.get(channel).unwrap_or(&0)))
                    };
                    let [[a, b], [c, d]] = texels.map(texel);
                    let wanted = (a * (1.0 - s) + b * s) * (1.0 - t) + (c * (1.0 - s) + d * s) * t;
                    assert!((f64::from(*got) - wanted).abs() < 1.05, "{got} {wanted}");
                }
            }
        }
    }
}
