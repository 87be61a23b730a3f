//! Choice of an image's size by the step from pixel to pixel.

/// Returns the level whose texels are as large as pixels, and the part of the next one in 1/256: half the binary logarithm of
/// `step_squared`. It is computed bit by bit, so that every machine gets the same result.
pub(super) fn level_of_detail(step_squared: f64) -> (usize, u32) {
    if step_squared <= 1.0 || step_squared.is_nan() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_of_detail_is_the_logarithm_of_the_step() {
        for (step, wanted) in [
            (0.5, 0.0),
            (1.0, 0.0),
            (2.0, 1.0),
            (2.828_427_124_7, 1.5),
            (8.0, 3.0),
            (11.3, 3.498),
        ] {
            let (whole, part) = level_of_detail(step * step);
            let level = whole as f64 + f64::from(part) / 256.0;
            assert!((level - wanted).abs() <= 1.0 / 256.0, "{step}: {level}");
        }
        assert_eq!(level_of_detail(f64::NAN), (0, 0));
        assert!(level_of_detail(f64::INFINITY).0 > 1000);
    }
}
