//! Tints of colours.

/// Factors of the channels of a premultiplied colour, in 1/65536.
pub(super) type Factors = [u32; 4];

/// Returns the factors of a tint times another's; `None` if they change nothing. Factors are clamped to 0 to 255; NaN becomes 0.
pub(super) fn factors(a: [f32; 4], b: [f32; 4]) -> Option<Factors> {
    let mut tint = [0.0; 4];
    for ((tint, a), b) in tint.iter_mut().zip(a).zip(b) {
        *tint = a.max(0.0) * b.max(0.0); // 0 for NaN
    }
    if tint == [1.0; 4] {
        return None;
    }
    let [r, g, b, a] = tint.map(f64::from);
    Some([r * a, g * a, b * a, a].map(|factor| {
        // In this order NaN becomes 0.
        let factor = if factor > 0.0 { factor } else { 0.0 };
        let factor = if factor < 255.0 { factor } else { 255.0 };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 255 * 65,536"
        )]
        {
            (factor * 65_536.0 + 0.5) as u32
        }
    }))
}

/// Multiplies a premultiplied colour, rounded; more than 255 is 255.
#[inline]
pub(super) fn multiply(colour: [u8; 4], factors: Factors) -> [u8; 4] {
    let mut out = [0; 4];
    for ((out, channel), factor) in out.iter_mut().zip(colour).zip(factors) {
        // At most 255 * 255 * 65,536 and a half.
        let product = (u32::from(channel) * factor + 32_768) >> 16;
        *out = u8::try_from(product).unwrap_or(u8::MAX);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_are_no_tint_and_what_is_no_number_is_nothing() {
        assert_eq!(factors([1.0; 4], [1.0; 4]), None);
        assert_eq!(factors([2.0; 4], [0.5; 4]), None);
        assert_eq!(
            factors([1.0, 0.5, 4.0, 1.0], [1.0, 1.0, 1.0, 0.5]),
            Some([32_768, 16_384, 131_072, 32_768])
        );
        assert_eq!(factors([-1.0; 4], [-1.0; 4]), Some([0; 4]));
        let odd = [f32::NAN, -1.0, f32::INFINITY, 1.0];
        assert_eq!(factors(odd, [1.0; 4]), Some([0, 0, 255 << 16, 1 << 16]));
    }

    #[test]
    fn a_product_is_rounded_and_at_most_255() {
        let tint = factors([1.0, 0.5, 255.0, 1.0], [1.0; 4]).expect("a tint");
        assert_eq!(multiply([255; 4], tint), [255, 128, 255, 255]);
        assert_eq!(multiply([7, 7, 0, 9], tint), [7, 4, 0, 9]);
    }
}
