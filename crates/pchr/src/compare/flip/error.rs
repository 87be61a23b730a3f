//! Filtering along y, and the error of each pixel.

use fearless_simd::{Simd, f32x8, prelude::*};

use super::color::{Color, distance, hunt_lab, power};
use super::filters::{
    ACHROMATIC, Around, BLUE_YELLOW_NARROW, BLUE_YELLOW_WIDE, EDGE, Filtered, LANES, POINT, Planes,
    REACH, RED_GREEN, SMOOTH, SPAN,
};

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
pub(super) fn run<S: Simd>(simd: S, planes: &Planes, errors: &mut Vec<[f32; LANES]>) {
    let [_, height] = planes.size;
    errors.clear();
    let [expected, actual] = &planes.filtered;
    for column in 0..planes.columns() {
        let from = column * (height + 2 * REACH);
        let [expected, actual] = [expected, actual].map(|planes| Windows::of(planes, from));
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

impl<'a> Windows<'a> {
    fn of(planes: &'a Filtered, at: usize) -> Self {
        Self { planes, at }
    }
}

impl<'a> Iterator for Windows<'a> {
    type Item = Covered<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Covered<'a>> {
        let Filtered {
            achromatic,
            red_green,
            blue_yellow: [wide, narrow],
            smooth,
            edge,
            point,
        } = self.planes;
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
