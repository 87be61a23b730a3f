//! The colour spaces of ꟻLIP, for white as sRGB has it (D65), and their powers without a platform's library.
//!
//! Filters work in YCxCz, whose channels are linear in light. Scales and offsets of its channels would cancel out, so they are
//! left out here: the three are `Y`, `X - Y` and `Y - Z`, all relative to white.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8, u32x8};

/// Linear RGB to X, Y, Z relative to white.
const XYZ_FROM_RGB: [[f32; 3]; 3] = [
    [0.433_895_4, 0.376_242_37, 0.189_862_24],
    [0.212_636_82, 0.715_183, 0.072_180_2],
    [0.017_752_423, 0.109_465_63, 0.872_781_95],
];

/// The inverse of [`XYZ_FROM_RGB`], with `X = Y + (X - Y)` and `Z = Y - (Y - Z)` put in.
const RGB_FROM_OPPONENT: [[f32; 3]; 3] = [
    [1.0, 3.080_342, 0.542_943],
    [1.0, -0.921_178_4, -0.045_248_41],
    [1.0, 0.052_881_293, -1.151_129_9],
];

/// A colour: three channels of eight pixels.
pub(super) type Color<S> = [f32x8<S>; 3];

/// Returns the linear light of each value of sRGB, 0 to 1.
#[inline(always)]
pub(super) fn linear_from_srgb<S: Simd>(simd: S) -> [f32; 256] {
    let mut light = [0.0; 256];
    for (i, light) in light.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let first = f32::from(u8::try_from(i * 8).unwrap_or(u8::MAX));
        let steps: f32x8<S> = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0].simd_into(simd);
        let value = (steps + first) / 255.0;
        let dark = value / 12.92;
        let other = power(simd, (value + 0.055) / 1.055, f32x8::splat(simd, 2.4));
        let is_dark = value.simd_le(f32x8::splat(simd, 0.04045));
        *light = is_dark.select(dark, other).into();
    }
    light
}

/// Converts linear RGB to the filtered channels: achromatic, red to green, blue to yellow.
#[inline(always)]
pub(super) fn opponent<S: Simd>(rgb: Color<S>) -> Color<S> {
    let [x, y, z] = product(&XYZ_FROM_RGB, rgb);
    [y, x - y, y - z]
}

/// Converts filtered channels to CIELAB. `a` and `b` are scaled with lightness, since dark colours look less colourful (Hunt;
/// equations 4 and 5).
#[inline(always)]
pub(super) fn hunt_lab<S: Simd>(simd: S, opponent: Color<S>) -> Color<S> {
    let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
    // Colours outside this range cannot be displayed.
    let [r, g, b] = product(&RGB_FROM_OPPONENT, opponent);
    let rgb = [r.max(zero).min(one), g.max(zero).min(one), b.max(zero).min(one)];
    let [x, y, z] = product(&XYZ_FROM_RGB, rgb);
    let [x, y, z] = [compressed(simd, x), compressed(simd, y), compressed(simd, z)];
    let lightness = y * 116.0 - 16.0;
    let scale = lightness * 0.01;
    [lightness, scale * ((x - y) * 500.0), scale * ((y - z) * 200.0)]
}

/// Returns CIELAB's cube root, which is a straight line near black.
#[inline(always)]
fn compressed<S: Simd>(simd: S, light: f32x8<S>) -> f32x8<S> {
    const DELTA: f32 = 6.0 / 29.0;
    let root = power(simd, light, f32x8::splat(simd, 1.0 / 3.0));
    let line = light * (1.0 / (3.0 * DELTA * DELTA)) + 4.0 / 29.0;
    light.simd_gt(f32x8::splat(simd, DELTA * DELTA * DELTA)).select(root, line)
}

/// Returns the HyAB distance of two CIELAB colours (equation 6): lightness, plus the distance in the a*b* plane.
#[inline(always)]
pub(super) fn distance<S: Simd>(one: Color<S>, other: Color<S>) -> f32x8<S> {
    let [[l, a, b], [of_l, of_a, of_b]] = [one, other];
    let (a, b) = (a - of_a, b - of_b);
    (l - of_l).abs() + (a * a + b * b).sqrt()
}

#[inline(always)]
fn product<S: Simd>([first, second, third]: &[[f32; 3]; 3], color: Color<S>) -> Color<S> {
    // A closure of `map` would be called instead of inlined, and so would each sum and product in it.
    [row(first, color), row(second, color), row(third, color)]
}

#[inline(always)]
fn row<S: Simd>([a, b, c]: &[f32; 3], [x, y, z]: Color<S>) -> f32x8<S> {
    x * *a + y * *b + z * *c
}

/// Least base, to which smaller ones are raised. It is a normal number, and every power of it that is used rounds to 0.
const LEAST: f32 = 1e-30;

/// Returns `base` to the power of `exponent`, and 0 where `base` is 0 or less. Lanes are finite; results are from 1e-38 to 1e38.
#[inline(always)]
pub(super) fn power<S: Simd>(simd: S, base: f32x8<S>, exponent: f32x8<S>) -> f32x8<S> {
    let zero = f32x8::splat(simd, 0.0);
    let result = exp2(simd, log2(simd, base.max(f32x8::splat(simd, LEAST))) * exponent);
    base.simd_gt(zero).select(result, zero)
}

/// Returns the logarithm to base 2 of normal, positive numbers.
#[inline(always)]
fn log2<S: Simd>(simd: S, x: f32x8<S>) -> f32x8<S> {
    /// Of 1/√2: below it, the mantissa is doubled and the exponent one less.
    const HALF_ROOT: u32 = 0x3f35_04f3;
    const MANTISSA: u32 = 0x007f_ffff;
    let offset = u32x8::splat(simd, HALF_ROOT);
    let bits = x.to_bits() - offset;
    // The exponent is biased here, so that it is positive for all that is normal.
    let biased = (bits + u32x8::splat(simd, 127 << 23)) >> 23;
    let exponent: f32x8<S> = biased.to_float();
    let exponent = exponent - 127.0;
    let mantissa = f32x8::from_bits((bits & u32x8::splat(simd, MANTISSA)) + offset);
    let x = mantissa - 1.0;
    let mut y = f32x8::splat(simd, 7.037_683_6e-2);
    for term in [
        -1.151_461e-1,
        1.167_699_9e-1,
        -1.242_014_1e-1,
        1.424_932_3e-1,
        -1.666_805_8e-1,
        2.000_071_5e-1,
        -2.499_999_4e-1,
        3.333_333e-1,
    ] {
        y = y * x + term;
    }
    let square = x * x;
    let natural = x + (y * x * square - square * 0.5);
    natural * std::f32::consts::LOG2_E + exponent
}

/// Returns 2 to the power of numbers from -126 to 126, to which exponents are clamped.
#[inline(always)]
fn exp2<S: Simd>(simd: S, x: f32x8<S>) -> f32x8<S> {
    /// Adding 1.5 · 2²³ rounds to the nearest integer and leaves it in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.max(f32x8::splat(simd, -126.0)).min(f32x8::splat(simd, 126.0));
    let rounded = x + ROUND;
    let rest = x - (rounded - ROUND);
    let mut y = f32x8::splat(simd, 1.535_336_2e-4);
    for term in [1.339_887_4e-3, 9.618_437e-3, 5.550_332_5e-2, 2.402_264_8e-1, 6.931_472e-1, 1.0] {
        y = y * rest + term;
    }
    // The low bits of `rounded` go to the exponent; the others are shifted out.
    let exponent = (rounded.to_bits() << 23) + u32x8::splat(simd, 127 << 23);
    y * f32x8::from_bits(exponent)
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};

    use super::*;

    #[test]
    fn light_is_that_of_srgb() {
        let light = dispatch!(Level::baseline(), simd => linear_from_srgb(simd));
        for (value, light) in (0..=255_u8).zip(light) {
            let value = f64::from(value) / 255.0;
            let exact =
                if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
            assert!((f64::from(light) - exact).abs() < 2e-6, "{value}: {light} {exact}");
        }
    }

    fn powers(bases: [f32; 8], exponent: f32) -> [f32; 8] {
        dispatch!(Level::baseline(), simd => {
            power(simd, bases.simd_into(simd), f32x8::splat(simd, exponent)).into()
        })
    }

    #[test]
    fn powers_are_those_of_the_platform_but_for_rounding() {
        for exponent in [2.4, 1.0 / 3.0, 0.7, 1.0, 0.25, 0.01] {
            for step in 0..4_000_u16 {
                // From 1e-9 to 1, and to 300.
                let base = |lane: u8| {
                    let part = (f32::from(step) + f32::from(lane) / 8.0) / 4_000.0;
                    10_f32.powf(part * 11.5 - 9.0)
                };
                let bases = [0, 1, 2, 3, 4, 5, 6, 7].map(base);
                for (base, power) in bases.into_iter().zip(powers(bases, exponent)) {
                    let exact = f64::from(base).powf(exponent.into());
                    let error = (f64::from(power) / exact - 1.0).abs();
                    assert!(error < 5e-6, "{base}^{exponent}: {power} {exact} {error:e}");
                }
            }
        }
    }

    #[test]
    fn nothing_to_any_power_is_nothing_and_one_is_one() {
        let bases = [0.0, -1.0, -0.0, 1.0, 0.0, 0.0, 1.0, 0.0];
        for exponent in [0.5, 0.0, 2.4] {
            let expected = bases.map(|base| if base > 0.0 { 1.0 } else { 0.0 });
            assert_eq!(powers(bases, exponent), expected);
        }
    }
}
