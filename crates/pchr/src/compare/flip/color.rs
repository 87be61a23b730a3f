//! The colour spaces of ꟻLIP, for white as sRGB has it (D65).
//!
//! Filters work in YCxCz, whose channels are linear in light. Scales and offsets of its channels would cancel out, so they are
//! left out here: the three are `Y`, `X - Y` and `Y - Z`, all relative to white.

use fearless_simd::{Simd, f32x8, prelude::*};

use super::power::power;

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
    let rgb = [
        r.max(zero).min(one),
        g.max(zero).min(one),
        b.max(zero).min(one),
    ];
    let [x, y, z] = product(&XYZ_FROM_RGB, rgb);
    let [x, y, z] = [
        compressed(simd, x),
        compressed(simd, y),
        compressed(simd, z),
    ];
    let lightness = y * 116.0 - 16.0;
    let scale = lightness * 0.01;
    [
        lightness,
        scale * ((x - y) * 500.0),
        scale * ((y - z) * 200.0),
    ]
}

/// Returns CIELAB's cube root, which is a straight line near black.
#[inline(always)]
fn compressed<S: Simd>(simd: S, light: f32x8<S>) -> f32x8<S> {
    const DELTA: f32 = 6.0 / 29.0;
    let root = power(simd, light, f32x8::splat(simd, 1.0 / 3.0));
    let line = light * (1.0 / (3.0 * DELTA * DELTA)) + 4.0 / 29.0;
    light
        .simd_gt(f32x8::splat(simd, DELTA * DELTA * DELTA))
        .select(root, line)
}

/// Returns the HyAB distance of two CIELAB colours (equation 6): lightness, plus the distance in the a*b* plane.
#[inline(always)]
pub(super) fn distance<S: Simd>(one: Color<S>, other: Color<S>) -> f32x8<S> {
    let [[l, a, b], [of_l, of_a, of_b]] = [one, other];
    let (a, b) = (a - of_a, b - of_b);
    (l - of_l).abs() + (a * a + b * b).sqrt()
}

#[inline(always)]
fn product<S: Simd>(matrix: &[[f32; 3]; 3], [x, y, z]: Color<S>) -> Color<S> {
    matrix.map(|[a, b, c]| x * a + y * b + z * c)
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};

    use super::*;

    fn lab(rgb: [f32; 3]) -> [f32; 3] {
        dispatch!(Level::baseline(), simd => {
            let channels = rgb.map(|channel| f32x8::splat(simd, channel));
            hunt_lab(simd, opponent(channels)).map(|channel| channel[0])
        })
    }

    fn assert_close(found: [f32; 3], wanted: [f32; 3]) {
        let close = found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 2e-3);
        assert!(close, "{found:?} {wanted:?}");
    }

    #[test]
    fn known_colours_have_their_known_place() {
        assert_close(lab([0.0; 3]), [0.0; 3]);
        assert_close(lab([1.0; 3]), [100.0, 0.0, 0.0]);
        // CIELAB of sRGB green is 87.74, -86.18, 83.18; a and b scaled by 0.8774.
        let [l, a, b] = lab([0.0, 1.0, 0.0]);
        assert!((l - 87.74).abs() < 0.02 && (a + 75.6).abs() < 0.1 && (b - 73.0).abs() < 0.1);
    }

    #[test]
    fn light_is_that_of_srgb() {
        let light = dispatch!(Level::baseline(), simd => linear_from_srgb(simd));
        for (value, light) in (0..=255_u8).zip(light) {
            let value = f64::from(value) / 255.0;
            let exact = if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            };
            assert!(
                (f64::from(light) - exact).abs() < 2e-6,
                "{value}: {light} {exact}"
            );
        }
    }
}
