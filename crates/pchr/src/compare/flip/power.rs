//! Powers of positive numbers, eight at a time, with the same bits on every machine.
//!
//! The platform's `powf` differs in the last digits from one system to another. These are the minimax polynomials of Cephes'
//! `logf` and `exp2f`; relative error below 2e-6 for the bases and exponents that ꟻLIP has.

use fearless_simd::{Simd, f32x8, prelude::*, u32x8};

/// Least base, to which smaller ones are raised. It is a normal number, and every power of it that is used rounds to 0.
const LEAST: f32 = 1e-30;

/// Returns `base` to the power of `exponent`, and 0 where `base` is 0 or less. Lanes are finite; results are from 1e-38 to 1e38.
#[inline(always)]
pub(super) fn power<S: Simd>(simd: S, base: f32x8<S>, exponent: f32x8<S>) -> f32x8<S> {
    let zero = f32x8::splat(simd, 0.0);
    let result = exp2(
        simd,
        log2(simd, base.max(f32x8::splat(simd, LEAST))) * exponent,
    );
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
    let x = x
        .max(f32x8::splat(simd, -126.0))
        .min(f32x8::splat(simd, 126.0));
    let rounded = x + ROUND;
    let rest = x - (rounded - ROUND);
    let mut y = f32x8::splat(simd, 1.535_336_2e-4);
    for term in [
        1.339_887_4e-3,
        9.618_437e-3,
        5.550_332_5e-2,
        2.402_264_8e-1,
        6.931_472e-1,
        1.0,
    ] {
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
