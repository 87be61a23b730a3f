//! Visibility of a difference: ꟻLIP (Andersson et al., "FLIP: A Difference Evaluator for Alternating Images", 2020), which
//! models an observer who sees two pictures take turns on a screen. Sections and equations are cited from there.
//!
//! ```text
//! two windows of pictures ─planes─► filtered planes ─error─► the error of each pixel
//!                           └─ color, filters               └─ color, power
//! ```
//!
//! Only `+ - * /` and square roots are used, never fused: the same error on every machine.

mod color;
mod filters;

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x8};

use self::color::{Color, distance, hunt_lab, power};
use self::filters::{
    ACHROMATIC, Around, BLUE_YELLOW_NARROW, BLUE_YELLOW_WIDE, EDGE, Filtered, LANES, POINT, Planes,
    REACH, RED_GREEN, SMOOTH, SPAN, Window,
};
use super::Pair;
use crate::image::{Pixels, run_all};

/// Side of the squares in which pictures are processed.
const TILE: u32 = 64;

impl Pair<'_> {
    /// Returns the mean ꟻLIP error of the compared pixels, 0 (equal) to 1: the visibility of the difference.
    ///
    /// ꟻLIP does not support alpha: both pictures are placed on black and on white, and the larger mean counts. The observer sees
    /// 67 pixels per degree: 70 cm from a 32" screen of 3840 pixels. The result is the same on every machine.
    ///
    /// Only pixels within 10 pixels of a difference are processed, in squares of 64 pixels, so memory does not grow with the
    /// pictures.
    #[must_use]
    pub fn mean_flip(&self) -> f64 {
        mean_at(Level::new(), self)
    }
}

/// Computes [`Pair::mean_flip`] with the instructions of a level. The result is the same with all levels. Pixels further than
/// [`REACH`] from a difference have no error, so only nearer ones are processed.
fn mean_at(level: Level, pair: &Pair<'_>) -> f64 {
    let [width, height] = pair.size();
    let counted = pair.counted();
    if counted == 0 || pair.is_equal() {
        return 0.0;
    }
    let starts = |side: u32| (0..side).step_by(TILE as usize);
    let tiles = starts(height).flat_map(|y| starts(width).map(move |x| [x, y]));
    let errors = |scratch: &mut FlipScratch, tile| scratch.tile(pair, tile);
    let errors = run_all(tiles.collect(), true, || FlipScratch::new(level), errors);
    // Added in order, so that the number of threads does not show.
    let sums = errors.into_iter().fold([0.0; 2], |[black, white], [on_black, on_white]| {
        [black + on_black, white + on_white]
    });
    #[expect(clippy::cast_precision_loss, reason = "pictures have less than 2^53 pixels")]
    let [black, white] = sums.map(|sum: f64| sum / counted as f64);
    black.max(white)
}

/// A rectangle of a picture: columns and rows, the ends excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FlipRect {
    x: [u32; 2],
    y: [u32; 2],
}

impl FlipRect {
    /// Returns the rectangle with `by` more pixels on each side, within the picture.
    fn grown(self, by: u32, [width, height]: [u32; 2]) -> Self {
        let grown = |[from, to]: [u32; 2], side: u32| {
            [from.saturating_sub(by), to.saturating_add(by).min(side)]
        };
        Self { x: grown(self.x, width), y: grown(self.y, height) }
    }

    /// Returns the intersection with another rectangle.
    fn within(self, other: Self) -> Self {
        let within =
            |[from, to]: [u32; 2], [least, most]: [u32; 2]| [from.max(least), to.min(most)];
        Self { x: within(self.x, other.x), y: within(self.y, other.y) }
    }

    fn size(self) -> [usize; 2] {
        [self.x, self.y].map(|[from, to]| to.saturating_sub(from) as usize)
    }

    /// Returns the rows of a picture, from column to column, with their indices.
    fn rows(self, pixels: &Pixels) -> impl Iterator<Item = (u32, &[[u8; 4]])> {
        let rows = pixels.rgba.as_chunks::<4>().0;
        let rows = rows.chunks_exact((pixels.width as usize).max(1));
        let [left, right] = self.x.map(|x| x as usize);
        let [top, bottom] = self.y;
        let rows = (0..).zip(rows).skip(top as usize);
        rows.take(bottom.saturating_sub(top) as usize)
            .map(move |(y, row)| (y, row.get(left..right).unwrap_or_default()))
    }
}

/// Memory that is reused for each square.
#[derive(Debug)]
struct FlipScratch {
    level: Level,
    planes: filters::Planes,
    errors: Vec<[f32; LANES]>,
}

impl FlipScratch {
    fn new(level: Level) -> Self {
        Self { level, planes: filters::Planes::default(), errors: Vec::new() }
    }

    /// Returns the sums of the errors of a square's pixels, over black and over white.
    fn tile(&mut self, pair: &Pair<'_>, [x, y]: [u32; 2]) -> [f64; 2] {
        let size = pair.size();
        let [width, height] = size;
        let tile = FlipRect {
            x: [x, x.saturating_add(TILE).min(width)],
            y: [y, y.saturating_add(TILE).min(height)],
        };
        let reach = u32::try_from(REACH).unwrap_or_default();
        let Some(differing) = differing(pair, tile.grown(reach, size)) else {
            return [0.0; 2];
        };
        let rect = differing.grown(reach, size).within(tile);
        let on_black = self.sum(pair, rect, 0);
        let [expected, actual] = pair.pictures();
        let opaque = |pixels: &Pixels| {
            let mut rows = rect.grown(reach, size).rows(pixels);
            rows.all(|(_, row)| row.iter().all(|[.., alpha]| *alpha == u8::MAX))
        };
        if opaque(expected) && opaque(actual) {
            return [on_black; 2];
        }
        [on_black, self.sum(pair, rect, u8::MAX)]
    }

    /// Returns the sum of the errors over a grey.
    fn sum(&mut self, pair: &Pair<'_>, rect: FlipRect, grey: u8) -> f64 {
        let Self { level, planes, errors } = self;
        let window = Window { rect, grey };
        let pictures = pair.pictures();
        dispatch!(*level, simd => {
            planes.filter(simd, pictures, window);
            self::run(simd, planes, errors);
        });
        added(pair, rect, errors)
    }
}

/// Returns the smallest rectangle with all differing pixels of another.
fn differing(pair: &Pair<'_>, within: FlipRect) -> Option<FlipRect> {
    let [expected, actual] = pair.pictures();
    let [left, right] = within.x;
    let mut found: Option<FlipRect> = None;
    for ((y, expected), (_, actual)) in within.rows(expected).zip(within.rows(actual)) {
        if expected == actual {
            continue;
        }
        let pixels = || expected.iter().zip(actual).map(|(a, b)| a != b);
        let equal =
            |count: Option<usize>| u32::try_from(count.unwrap_or_default()).unwrap_or_default();
        let first = left.saturating_add(equal(pixels().position(|differ| differ)));
        let end = right.saturating_sub(equal(pixels().rev().position(|differ| differ)));
        let FlipRect { x: [from, to], y: [top, _] } =
            found.unwrap_or(FlipRect { x: [first, end], y: [y, y] });
        found = Some(FlipRect { x: [from.min(first), to.max(end)], y: [top, y.saturating_add(1)] });
    }
    found
}

/// Returns the sum of the errors of pixels that count, by columns of groups.
fn added(pair: &Pair<'_>, rect: FlipRect, errors: &[[f32; LANES]]) -> f64 {
    let ([left, right], [top, bottom]) = (rect.x, rect.y);
    let mut errors = errors.iter();
    let mut sum = 0.0;
    for left in (left..right).step_by(LANES) {
        for (y, group) in (top..bottom).zip(&mut errors) {
            for (x, error) in (left..right).zip(group) {
                if !pair.ignores([x, y]) {
                    sum += f64::from(*error);
                }
            }
        }
    }
    sum
}

/// Exponent of colour differences (§4.1.3).
const COLOR_POWER: f32 = 0.7;
/// The largest colour difference to that power: from green to blue.
const MOST: f32 = 41.276_1;
/// The part of it up to which errors are spread over the most of the range, and how much of the range that is.
const KNEE: f32 = 0.4 * MOST;
const KNEE_ERROR: f32 = 0.95;

/// Filtered values of eight pixels.
struct SeenPicture<S: Simd> {
    color: Color<S>,
    edge: f32x8<S>,
    point: f32x8<S>,
}

/// Computes the error of each pixel of the window. Errors are in columns of groups, as in the planes, but without the margin of
/// [`REACH`].
#[inline(always)]
fn run<S: Simd>(simd: S, planes: &Planes, errors: &mut Vec<[f32; LANES]>) {
    let [_, height] = planes.size;
    errors.clear();
    let [expected, actual] = &planes.filtered;
    for column in 0..planes.columns() {
        let from = column * (height + 2 * REACH);
        let [expected, actual] = [expected, actual].map(|planes| Windows { planes, at: from });
        for (expected, actual) in expected.zip(actual).take(height) {
            let (expected, actual) = (seen(simd, &expected), seen(simd, &actual));
            errors.push(error(simd, &expected, &actual).into());
        }
    }
}

/// Rows that a filter along y covers, in each plane.
struct Covered<'a> {
    achromatic: &'a [[f32; LANES]; SPAN],
    red_green: &'a [[f32; LANES]; SPAN],
    wide: &'a [[f32; LANES]; SPAN],
    narrow: &'a [[f32; LANES]; SPAN],
    smooth: &'a [[f32; LANES]; SPAN],
    edge: &'a [[f32; LANES]; SPAN],
    point: &'a [[f32; LANES]; SPAN],
}

/// From one pixel of a column to the next.
struct Windows<'a> {
    planes: &'a Filtered,
    at: usize,
}

impl<'a> Iterator for Windows<'a> {
    type Item = Covered<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Covered<'a>> {
        let Filtered { achromatic, red_green, blue_yellow: [wide, narrow], smooth, edge, point } =
            self.planes;
        let covered = |plane: &'a [[f32; LANES]]| plane.get(self.at..)?.first_chunk();
        let covered = Covered {
            achromatic: covered(achromatic)?,
            red_green: covered(red_green)?,
            wide: covered(wide)?,
            narrow: covered(narrow)?,
            smooth: covered(smooth)?,
            edge: covered(edge)?,
            point: covered(point)?,
        };
        self.at += 1;
        Some(covered)
    }
}

#[inline(always)]
fn seen<S: Simd>(simd: S, covered: &Covered<'_>) -> SeenPicture<S> {
    let around = |column| Around::in_column(simd, column);
    let opponent = [
        around(covered.achromatic).even(&ACHROMATIC),
        around(covered.red_green).even(&RED_GREEN),
        around(covered.wide).even(&BLUE_YELLOW_WIDE)
            + around(covered.narrow).even(&BLUE_YELLOW_NARROW),
    ];
    let length = |x: f32x8<S>, y: f32x8<S>| (x * x + y * y).sqrt();
    let smooth = around(covered.smooth);
    SeenPicture {
        color: hunt_lab(simd, opponent),
        edge: length(around(covered.edge).even(&SMOOTH), smooth.odd(&EDGE)),
        point: length(around(covered.point).even(&SMOOTH), smooth.even(&POINT)),
    }
}

/// Equations 7 to 10: a difference of colour, raised where edges or points differ, too.
#[inline(always)]
fn error<S: Simd>(simd: S, expected: &SeenPicture<S>, actual: &SeenPicture<S>) -> f32x8<S> {
    let splat = |value: f32| f32x8::splat(simd, value);
    let apart = distance(expected.color, actual.color);
    let apart = power(simd, apart, splat(COLOR_POWER));
    let near = apart * (KNEE_ERROR / KNEE);
    let far = (apart - KNEE) * ((1.0 - KNEE_ERROR) / (MOST - KNEE)) + KNEE_ERROR;
    let color = apart.simd_lt(splat(KNEE)).select(near, far);
    let edge = (expected.edge - actual.edge).abs();
    let point = (expected.point - actual.point).abs();
    let feature = (edge.max(point) * std::f32::consts::FRAC_1_SQRT_2).sqrt();
    // Rounding must not exceed the maximum.
    power(simd, color, splat(1.0) - feature).min(splat(1.0))
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::cast_possible_truncation,
        reason = "the numbers are small, or cut to make them so"
    )]

    use super::*;
    use crate::compare::{Ignored, Region};

    /// xorshift32: the same numbers on every machine.
    struct Noise(u32);

    impl Noise {
        fn next(&mut self) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 17;
            self.0 ^= self.0 << 5;
            self.0
        }
    }

    fn picture(width: u32, height: u32, mut pixel: impl FnMut(u32, u32) -> [u8; 4]) -> Pixels {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Pixels { width, height, rgba: places.flat_map(|(x, y)| pixel(x, y)).collect() }
    }

    fn noise(width: u32, height: u32, seed: u32) -> Pixels {
        let mut noise = Noise(seed);
        picture(width, height, |_, _| {
            let [r, g, b, _] = noise.next().to_le_bytes();
            [r, g, b, 255]
        })
    }

    fn plain(width: u32, height: u32, color: [u8; 4]) -> Pixels {
        picture(width, height, |_, _| color)
    }

    fn ramp(x: u32, y: u32) -> [u8; 4] {
        [(x % 251) as u8, (y * 3 % 256) as u8, (x ^ y) as u8, 255]
    }

    /// Returns a disc on a transparent background; the pixels at its edge are half transparent.
    fn disc(size: u32, at: [i64; 2], radius: i64, [r, g, b]: [u8; 3]) -> Pixels {
        picture(size, size, |x, y| {
            let [x, y] = [i64::from(x) - at[0], i64::from(y) - at[1]];
            let distance = x * x + y * y;
            if distance <= radius * radius {
                [r, g, b, 255]
            } else if distance <= (radius + 1) * (radius + 1) {
                [r, g, b, 128]
            } else {
                [0; 4]
            }
        })
    }

    fn with(mut pixels: Pixels, places: &[([u32; 2], [u8; 4])]) -> Pixels {
        for ([x, y], color) in places {
            pixels.rgba.as_chunks_mut::<4>().0[(y * pixels.width + x) as usize] = *color;
        }
        pixels
    }

    /// Pairs of pictures, and the mean that the authors' program in C++ (version 1.2) has for them: the larger of those over black
    /// and over white. Its features are square roots of small differences, so its rounding is seen in the fifth digit.
    fn known() -> Vec<(&'static str, [Pixels; 2], f64)> {
        let (wide, high) = (281, 130);
        let ramps = || picture(wide, high, ramp);
        let bars = |bar: u32| {
            picture(
                96,
                64,
                move |x, _| if x == bar { [0, 0, 0, 255] } else { [128, 128, 128, 255] },
            )
        };
        let checks = |odd: u32| {
            picture(80, 80, move |x, y| match (x / 4 + y / 4 + odd) % 2 {
                0 => [0, 0, 0, 255],
                _ => [255; 4],
            })
        };
        let lines = noise(96, 64, 1);
        let mut a_little = lines.clone();
        for pixel in a_little.rgba.as_chunks_mut::<4>().0.iter_mut().step_by(20) {
            *pixel = [pixel[0] ^ 1, pixel[1] ^ 1, pixel[2] ^ 1, 255];
        }
        let fox = |at: i64| disc(96, [at, 48], 30, [226, 120, 50]);
        vec![
            ("black and white", [plain(1, 1, [0, 0, 0, 255]), plain(1, 1, [255; 4])], 0.967_391_8),
            (
                "blue and green",
                [plain(40, 24, [0, 0, 255, 255]), plain(40, 24, [0, 255, 0, 255])],
                1.0,
            ),
            ("two noises", [noise(96, 64, 1), noise(96, 64, 2)], 0.445_132_8),
            ("a noise, a level more or less", [lines, a_little], 0.005_116_9),
            (
                "a ramp and another",
                [ramps(), picture(wide, high, |x, y| ramp(x, y + 40))],
                0.953_545_1,
            ),
            (
                "around the corner of four tiles",
                [ramps(), with(ramps(), &[([127, 63], [255, 0, 255, 255]), ([129, 66], [255; 4])])],
                0.000_348_2,
            ),
            (
                "beyond the edge of a tile",
                [
                    ramps(),
                    with(ramps(), &[([118, 60], [0, 255, 0, 255]), ([266, 60], [0, 255, 0, 255])]),
                ],
                0.000_445_9,
            ),
            (
                "a pixel in a corner",
                [ramps(), with(ramps(), &[([280, 129], [255, 255, 0, 255])])],
                0.000_406_6,
            ),
            ("a line that moved", [bars(40), bars(43)], 0.020_405_7),
            ("checks and their negative", [checks(0), checks(1)], 0.556_480_9),
            ("a disc that moved by a pixel", [fox(48), fox(49)], 0.054_013_5),
            ("a disc that moved far", [fox(35), fox(60)], 0.419_498_7),
            (
                "a disc in another colour",
                [fox(48), disc(96, [48, 48], 30, [220, 118, 60])],
                0.066_016_7,
            ),
            (
                "a dark disc and nothing",
                [disc(96, [48, 48], 30, [12, 10, 20]), plain(96, 96, [0; 4])],
                0.355_594_7,
            ),
            ("a column", [noise(1, 300, 7), noise(1, 300, 8)], 0.701_757_4),
            ("a row", [noise(300, 1, 9), noise(300, 1, 10)], 0.702_709_8),
        ]
    }

    fn mean_of([expected, actual]: &[Pixels; 2]) -> f64 {
        Pair::new(expected, actual).unwrap().mean_flip()
    }

    #[test]
    fn means_are_those_of_the_authors_program_with_all_instructions() {
        for (name, pictures, theirs) in known() {
            let ours = mean_of(&pictures);
            assert!((ours - theirs).abs() < 1e-4, "{name}: {ours} {theirs}");
            let [expected, actual] = &pictures;
            let pair = Pair::new(expected, actual).unwrap();
            for level in [Level::new(), Level::baseline()] {
                assert_eq!(mean_at(level, &pair).to_bits(), ours.to_bits(), "{name}");
            }
            assert_eq!(mean_of(&[expected.clone(), expected.clone()]), 0.0, "{name}");
        }
    }

    #[test]
    fn what_is_seen_over_one_background_only_counts() {
        let nothing = || plain(1, 1, [0; 4]);
        for color in [[255; 4], [0, 0, 0, 255]] {
            assert!(mean_of(&[nothing(), plain(1, 1, color)]) > 0.9);
        }
        assert_eq!(mean_of(&[nothing(), plain(1, 1, [255, 255, 255, 0])]), 0.0);
    }

    #[test]
    fn ignored_pixels_have_no_error_and_are_not_counted() {
        let (black, white) = ([0, 0, 0, 255], [255; 4]);
        let expected = plain(200, 10, black);
        let mut actual = picture(200, 10, |x, _| if x < 40 { white } else { black });
        let region = Region { x: 0, y: 0, width: 100, height: 10 };
        let ignored = Ignored::new([200, 10], &[region], None).unwrap().unwrap();
        let mean =
            |actual: &Pixels| Pair::ignoring(&expected, actual, &ignored).unwrap().mean_flip();
        assert_eq!(mean(&actual), 0.0);
        // Far from there, half of the picture is compared: the error is twice that of the whole picture.
        actual = with(expected.clone(), &[([180, 5], white)]);
        let whole = mean_of(&[expected.clone(), actual.clone()]);
        assert!(whole > 0.0 && (mean(&actual) - 2.0 * whole).abs() < 1e-12);
    }
}
