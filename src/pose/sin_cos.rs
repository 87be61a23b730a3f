//! Sine and cosine of degrees, eight at a time, with the same bits on every machine.

/// Lanes of a block.
pub(super) const LANES: usize = 8;

/// `(sin, cos)` of finite angles in degrees; absolute error below 1.2e-7, exact at multiples of 90.
///
/// The nearest multiple of 90 is taken off exactly, and the rest, within ±45 degrees, goes through the minimax
/// polynomials of Cephes `sinf`/`cosf`. Written without branches so that it becomes vector code.
#[inline(always)]
pub(super) fn sin_cos_degrees(degrees: &[f32; LANES]) -> ([f32; LANES], [f32; LANES]) {
    /// Adding and taking off 1.5 · 2²³ rounds to the nearest integer and leaves it in the low bits.
    const ROUND: f32 = 12_582_912.0;
    /// Beyond this, quarter turns no longer round exactly and whole turns are taken off first.
    const LARGE: f32 = 1_000_000.0;

    let mut angles = *degrees;
    let largest = angles
        .iter()
        .fold(false, |large, angle| large | (angle.abs() > LARGE));
    if largest {
        angles = angles.map(|angle| angle % 360.0);
    }
    let mut sin = [0.0; LANES];
    let mut cos = [0.0; LANES];
    for ((sin, cos), angle) in sin.iter_mut().zip(&mut cos).zip(angles) {
        let rounded = angle * (1.0 / 90.0) + ROUND;
        let quarter = rounded.to_bits();
        let x = (angle - (rounded - ROUND) * 90.0) * (std::f32::consts::PI / 180.0);
        let x2 = x * x;
        let s = x + x * x2 * (-1.666_665_5e-1 + x2 * (8.332_161e-3 - x2 * 1.951_529_6e-4));
        let c = 1.0 - 0.5 * x2
            + x2 * x2 * (4.166_664_6e-2 + x2 * (-1.388_731_6e-3 + x2 * 2.443_315_7e-5));
        let swap = (quarter & 1).wrapping_neg();
        let (s, c) = (s.to_bits(), c.to_bits());
        *sin = f32::from_bits(((s & !swap) | (c & swap)) ^ ((quarter & 2) << 30));
        *cos = f32::from_bits(((c & !swap) | (s & swap)) ^ ((quarter.wrapping_add(1) & 2) << 30));
    }
    (sin, cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_within_its_stated_error_of_f64_and_exact_at_quarter_turns() {
        let mut worst: f64 = 0.0;
        for i in -400_000..400_000 {
            let degrees = i as f32 * 0.037;
            let (sin, cos) = sin_cos_degrees(&[degrees; LANES]);
            let (s, c) = f64::from(degrees).to_radians().sin_cos();
            worst = worst
                .max((f64::from(sin[3]) - s).abs())
                .max((f64::from(cos[3]) - c).abs());
        }
        assert!(worst < 1.2e-7, "{worst}");
        let (sin, cos) =
            sin_cos_degrees(&[0.0, 90.0, 180.0, 270.0, 360.0, -90.0, 360e6, 90.0 + 7200.0]);
        assert_eq!(sin, [0.0, 1.0, 0.0, -1.0, 0.0, -1.0, 0.0, 1.0]);
        assert_eq!(cos, [1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn large_angles_stay_within_one() {
        let (sin, cos) = sin_cos_degrees(&[
            f32::MAX,
            f32::MIN,
            1e30,
            -1e7,
            1e6,
            1e-38,
            123_456_790.0,
            1e9,
        ]);
        for (s, c) in sin.iter().zip(cos) {
            assert!((s * s + c * c - 1.0).abs() < 1e-6);
        }
    }
}
