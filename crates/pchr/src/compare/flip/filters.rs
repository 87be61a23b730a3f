//! The filters of ꟻLIP, over planes of a picture, for an observer who sees 67 pixels per degree, as from 0.7 m before a screen
//! of 0.7 m and 3840 pixels.
//!
//! All of them are products of a filter along x and one along y, or a sum of two such products. They are symmetric, or
//! change their sign: the arrays hold the centre and one side. A test recomputes them from the paper's equations.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};

use super::FlipRect;
use super::color::{linear_from_srgb, opponent};
use crate::image::{Pixels, multiply_255};

/// Radius of the largest filter in pixels. No pixel has an effect beyond it.
pub(super) const REACH: usize = 10;

/// Contrast sensitivity, achromatic (§4.1.1, table 1). The omitted part is less than 2⁻³⁰ of the sum.
pub(super) const ACHROMATIC: [f32; 7] = [
    0.385_879_04,
    0.241_708_52,
    0.059_403_8,
    0.005_728_197_7,
    2.167_221_2e-4,
    3.217_140_6e-6,
    1.873_778_8e-8,
];

/// Contrast sensitivity, red to green.
pub(super) const RED_GREEN: [f32; 7] = [
    0.363_381,
    0.239_994_96,
    0.069_138_8,
    0.008_688_033,
    4.762_125_3e-4,
    1.138_570_8e-5,
    1.187_405_6e-7,
];

/// Contrast sensitivity, blue to yellow: the wider of its two Gaussians.
pub(super) const BLUE_YELLOW_WIDE: [f32; 11] = [
    0.115_477_45,
    0.109_301_46,
    0.092_685_62,
    0.070_413_56,
    0.047_924_522,
    0.029_222_468,
    0.015_963_702,
    0.007_812_82,
    0.003_425_623_8,
    0.001_345_640_5,
    4.735_611_1e-4,
];

/// The narrower one.
pub(super) const BLUE_YELLOW_NARROW: [f32; 11] = [
    0.081_717_84,
    0.074_838_13,
    0.057_483_226,
    0.037_031_513,
    0.020_008_469,
    0.009_067_100_5,
    0.003_446_157_3,
    0.001_098_535,
    2.937_006e-4,
    6.585_79e-5,
    1.238_577_1e-5,
];

/// The Gaussian of the feature detectors (§4.2).
pub(super) const SMOOTH: [f32; 10] = [
    0.145_301_92,
    0.135_986_22,
    0.111_471_96,
    0.080_035_64,
    0.050_332_487,
    0.027_724_292,
    0.013_375_797,
    0.005_652_311,
    0.002_092_085_8,
    6.782_348_5e-4,
];

/// Its first derivative, which finds edges.
pub(super) const EDGE: [f32; 10] = [
    0.0,
    0.125_721_07,
    0.206_114_6,
    0.221_982_05,
    0.186_132_21,
    0.128_157_38,
    0.074_196_614,
    0.036_579_452,
    0.015_473_288_5,
    0.005_643_334,
];

/// Its second derivative, which finds points.
pub(super) const POINT: [f32; 10] = [
    -0.298_976_42,
    -0.242_727_94,
    -0.107_783_854,
    0.032_171_38,
    0.117_634_49,
    0.133_776_47,
    0.105_217_35,
    0.064_776_41,
    0.032_651_164,
    0.013_772_729,
];

/// Values filtered together.
pub(super) const LANES: usize = 8;
/// Values covered by a filter.
pub(super) const SPAN: usize = 2 * REACH + 1;

/// Eight values, and eight at each distance before and after them, the nearest first.
#[derive(Clone, Copy)]
pub(super) struct Around<S: Simd> {
    values: f32x8<S>,
    before: [f32x8<S>; REACH],
    behind: [f32x8<S>; REACH],
}

impl<S: Simd> Around<S> {
    /// Neighbours in a row: those from the eleventh on, with their left and right neighbours.
    #[inline(always)]
    pub(super) fn in_row(simd: S, row: &[f32; LANES + 2 * REACH]) -> Self {
        let windows = row.array_windows::<LANES>();
        Self::new(simd, windows.clone().take(REACH), windows.skip(REACH))
    }

    /// Neighbours in a column of such groups: the eleventh, with its upper and lower neighbours.
    #[inline(always)]
    pub(super) fn in_column(simd: S, column: &[[f32; LANES]; SPAN]) -> Self {
        let (before, from) = column.split_at(REACH);
        Self::new(simd, before.iter(), from.iter())
    }

    /// Collects the neighbours. `before` ends just before the centre values, and `from` begins with them.
    #[inline(always)]
    fn new<'a>(
        simd: S,
        before: impl DoubleEndedIterator<Item = &'a [f32; LANES]>,
        mut from: impl Iterator<Item = &'a [f32; LANES]>,
    ) -> Self {
        let zero = f32x8::splat(simd, 0.0);
        let values = from.next().map_or(zero, |values| (*values).simd_into(simd));
        let (mut befores, mut behinds) = ([zero; REACH], [zero; REACH]);
        for (value, before) in befores.iter_mut().zip(before.rev()) {
            *value = (*before).simd_into(simd);
        }
        for (value, behind) in behinds.iter_mut().zip(from) {
            *value = (*behind).simd_into(simd);
        }
        Self { values, before: befores, behind: behinds }
    }

    /// Applies a symmetric filter.
    #[inline(always)]
    pub(super) fn even<const LEN: usize>(&self, filter: &[f32; LEN]) -> f32x8<S> {
        let [center, sides @ ..] = &filter[..] else { return self.values };
        let mut sum = self.values * *center;
        for ((before, behind), weight) in self.before.iter().zip(&self.behind).zip(sides) {
            sum += (*before + *behind) * *weight;
        }
        sum
    }

    /// Applies an antisymmetric filter, which is 0 in the middle and positive behind it.
    #[inline(always)]
    pub(super) fn odd<const LEN: usize>(&self, filter: &[f32; LEN]) -> f32x8<S> {
        let mut sum = self.values * 0.0;
        for ((before, behind), weight) in
            self.before.iter().zip(&self.behind).zip(filter.iter().skip(1))
        {
            sum += (*behind - *before) * *weight;
        }
        sum
    }
}

/// Region under test: the pixels whose error is computed, over a grey.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) rect: FlipRect,
    pub(super) grey: u8,
}

/// Values of a window, filtered along x, in groups of [`LANES`]: column by column, each with a margin of [`REACH`] at both ends.
type FlipPlane = Vec<[f32; LANES]>;

#[derive(Debug, Default)]
pub(super) struct Filtered {
    pub(super) achromatic: FlipPlane,
    pub(super) red_green: FlipPlane,
    pub(super) blue_yellow: [FlipPlane; 2],
    pub(super) smooth: FlipPlane,
    pub(super) edge: FlipPlane,
    pub(super) point: FlipPlane,
}

#[derive(Debug, Default)]
pub(super) struct Planes {
    /// Planes of the expected and of the actual picture.
    pub(super) filtered: [Filtered; 2],
    /// Width and height of the window.
    pub(super) size: [usize; 2],
    /// Red, green and blue of a row in linear light; then the channels that are filtered.
    row: [Vec<f32>; 3],
}

impl Planes {
    /// Returns the number of groups in a row of the window.
    pub(super) fn columns(&self) -> usize {
        let [width, _] = self.size;
        width.div_ceil(LANES)
    }

    /// Filters both pictures along x.
    #[inline(always)]
    pub(super) fn filter<S: Simd>(&mut self, simd: S, pictures: [&Pixels; 2], window: Window) {
        self.size = window.rect.size();
        let light = linear_from_srgb(simd);
        let columns = self.columns();
        let [_, height] = self.size;
        let rows = height + 2 * REACH;
        let Self { filtered, row, .. } = self;
        for channel in row.iter_mut() {
            channel.resize((columns * LANES + 2 * REACH).next_multiple_of(LANES), 0.0);
        }
        for (filtered, pixels) in filtered.iter_mut().zip(pictures) {
            filtered.resize(columns * rows);
            let mut last: Option<u32> = None;
            for (i, y) in around(window.rect.y, pixels.height).enumerate() {
                // Beyond the picture, its edge is repeated.
                if last != Some(y) {
                    read(pixels, y, window, &light, row);
                    oppose(simd, row);
                    last = Some(y);
                }
                for column in 0..columns {
                    filtered.set(simd, row, column, column * rows + i);
                }
            }
        }
    }
}

/// Returns the columns or rows of a window with a margin of [`REACH`] on both sides. Beyond the picture the last one repeats.
fn around([from, to]: [u32; 2], side: u32) -> impl Iterator<Item = u32> {
    let reach = u32::try_from(REACH).unwrap_or_default();
    (from..to.saturating_add(2 * reach))
        .map(move |at| at.saturating_sub(reach).min(side.saturating_sub(1)))
}

/// Reads a row of a window: light of red, green and blue, over a grey.
fn read(pixels: &Pixels, y: u32, window: Window, light: &[f32; 256], row: &mut [Vec<f32>; 3]) {
    let texels = pixels.rgba.as_chunks::<4>().0;
    let start = (y as usize).saturating_mul(pixels.width as usize);
    let texels = texels.get(start..).unwrap_or_default();
    let of = |value: u8| light.get(usize::from(value)).copied().unwrap_or_default();
    let [red, green, blue] = row;
    let channels = red.iter_mut().zip(green).zip(blue);
    for (x, ((red, green), blue)) in around(window.rect.x, pixels.width).zip(channels) {
        let [r, g, b, a] = texels.get(x as usize).copied().unwrap_or_default();
        let [r, g, b] = match a {
            u8::MAX => [r, g, b],
            0 => [window.grey; 3],
            _ => {
                let behind = multiply_255(window.grey, u8::MAX - a);
                [r, g, b].map(|color| multiply_255(color, a).saturating_add(behind))
            }
        };
        (*red, *green, *blue) = (of(r), of(g), of(b));
    }
}

/// Converts light into the filtered channels.
#[inline(always)]
fn oppose<S: Simd>(simd: S, [red, green, blue]: &mut [Vec<f32>; 3]) {
    let rows = red.as_chunks_mut::<LANES>().0.iter_mut();
    let rows = rows.zip(green.as_chunks_mut::<LANES>().0).zip(blue.as_chunks_mut::<LANES>().0);
    for ((r, g), b) in rows {
        let rgb: [f32x8<S>; 3] = [(*r).simd_into(simd), (*g).simd_into(simd), (*b).simd_into(simd)];
        let [achromatic, red_green, blue_yellow] = opponent(rgb);
        (*r, *g, *b) = (achromatic.into(), red_green.into(), blue_yellow.into());
    }
}

impl Filtered {
    fn resize(&mut self, len: usize) {
        let Self { achromatic, red_green, blue_yellow: [wide, narrow], smooth, edge, point } = self;
        for plane in [achromatic, red_green, wide, narrow, smooth, edge, point] {
            plane.resize(len, [0.0; LANES]);
        }
    }

    /// Filters the pixels of a column in a row, and stores them as the planes' groups at an index.
    #[inline(always)]
    fn set<S: Simd>(&mut self, simd: S, row: &[Vec<f32>; 3], column: usize, index: usize) {
        let [achromatic, red_green, blue_yellow] = row;
        let (Some(achromatic), Some(red_green), Some(blue_yellow)) =
            (near(achromatic, column), near(red_green, column), near(blue_yellow, column))
        else {
            return;
        };
        let [wide, narrow] = &mut self.blue_yellow;
        let around = Around::in_row(simd, achromatic);
        put(&mut self.achromatic, index, around.even(&ACHROMATIC));
        put(&mut self.smooth, index, around.even(&SMOOTH));
        put(&mut self.edge, index, around.odd(&EDGE));
        put(&mut self.point, index, around.even(&POINT));
        let around = Around::in_row(simd, red_green);
        put(&mut self.red_green, index, around.even(&RED_GREEN));
        let around = Around::in_row(simd, blue_yellow);
        put(wide, index, around.even(&BLUE_YELLOW_WIDE));
        put(narrow, index, around.even(&BLUE_YELLOW_NARROW));
    }
}

/// Returns the pixels of a column in a row, with their neighbours.
#[inline(always)]
fn near(row: &[f32], column: usize) -> Option<&[f32; LANES + 2 * REACH]> {
    row.get(column * LANES..)?.first_chunk()
}

#[inline(always)]
fn put<S: Simd>(plane: &mut [[f32; LANES]], index: usize, values: f32x8<S>) {
    if let Some(place) = plane.get_mut(index) {
        *place = values.into();
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    const PIXELS_PER_DEGREE: f64 = 67.0;

    fn sides(side: impl Fn(f64) -> f64, radius: u32) -> Vec<f64> {
        (0..=radius).map(|x| side(x.into())).collect()
    }

    fn sum(filter: &[f64]) -> f64 {
        filter[0] + 2.0 * filter[1..].iter().sum::<f64>()
    }

    fn assert_close(filter: &[f32], exact: &[f64]) {
        for (i, exact) in exact.iter().enumerate() {
            let weight = filter.get(i).map_or(0.0, |weight| f64::from(*weight));
            assert!((weight - exact).abs() < 1e-8 + exact.abs() * 1e-6, "{i}: {weight} {exact}");
        }
    }

    /// Table 1: a √(π/b) exp(-π²x²/b), x in degrees. The root of the factor belongs to each axis.
    fn sensitivity(a: f64, b: f64) -> Vec<f64> {
        let factor = (a * (PI / b).sqrt()).sqrt();
        let at = |x: f64| factor * (-(PI * x / PIXELS_PER_DEGREE).powi(2) / b).exp();
        sides(at, 10)
    }

    #[test]
    fn the_filters_are_those_of_the_paper() {
        // The radius is three standard deviations of the widest Gaussian.
        let radius = 3.0 * (0.04 / (2.0 * PI * PI)).sqrt() * PIXELS_PER_DEGREE;
        assert_eq!(radius.ceil(), REACH as f64);
        for (filter, b) in [(ACHROMATIC, 0.0047), (RED_GREEN, 0.0053)] {
            let exact = sensitivity(1.0, b);
            let total = sum(&exact);
            assert_close(&filter, &exact.iter().map(|weight| weight / total).collect::<Vec<_>>());
        }
        let (wide, narrow) = (sensitivity(34.1, 0.04), sensitivity(13.5, 0.025));
        let total = (sum(&wide).powi(2) + sum(&narrow).powi(2)).sqrt();
        for (filter, exact) in [(BLUE_YELLOW_WIDE, wide), (BLUE_YELLOW_NARROW, narrow)] {
            assert_close(&filter, &exact.iter().map(|weight| weight / total).collect::<Vec<_>>());
        }
        // §4.2: the standard deviation is half of 0.082 degrees.
        let deviation = 0.5 * 0.082 * PIXELS_PER_DEGREE;
        let radius = 9;
        assert_eq!((3.0 * deviation).ceil(), f64::from(radius));
        let gauss = |x: f64| (-x * x / (2.0 * deviation * deviation)).exp();
        let smooth = sides(gauss, radius);
        let total = sum(&smooth);
        assert_close(&SMOOTH, &smooth.iter().map(|weight| weight / total).collect::<Vec<_>>());
        let edge = sides(|x| x * gauss(x), radius);
        let total: f64 = edge.iter().sum();
        assert_close(&EDGE, &edge.iter().map(|weight| weight / total).collect::<Vec<_>>());
        let point = sides(|x| (x * x / (deviation * deviation) - 1.0) * gauss(x), radius);
        let part = |sign: f64| {
            sum(&point.iter().map(|weight| (weight * sign).max(0.0)).collect::<Vec<_>>())
        };
        let totals = (part(1.0), part(-1.0));
        let scaled = |weight: &f64| weight / if *weight > 0.0 { totals.0 } else { totals.1 };
        assert_close(&POINT, &point.iter().map(scaled).collect::<Vec<_>>());
    }
}
