//! Straight and premultiplied alpha.

/// `round(a · b / 255)`, exactly.
#[must_use]
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the result is at most 255")]
pub fn multiply_255(a: u8, b: u8) -> u8 {
    let product = (a as u32).wrapping_mul(b as u32).wrapping_add(128);
    (product.wrapping_add(product >> 8) >> 8) as u8
}

/// Multiplies colour by alpha in place.
pub fn premultiply(rgba: &mut [u8]) {
    for pixel in rgba.as_chunks_mut::<4>().0 {
        let [r, g, b, a] = *pixel;
        *pixel = [
            multiply_255(r, a),
            multiply_255(g, a),
            multiply_255(b, a),
            a,
        ];
    }
}

/// Divides colour by alpha in place, rounding to the nearest; transparent pixels become 0.
pub fn unpremultiply(rgba: &mut [u8]) {
    for pixel in rgba.as_chunks_mut::<4>().0 {
        let [r, g, b, a] = *pixel;
        match a {
            255 => {}
            0 => *pixel = [0; 4],
            _ => {
                let half = u32::from(a) / 2;
                let divide = |c: u8| {
                    let scaled = u32::from(c).saturating_mul(255).saturating_add(half);
                    u8::try_from(scaled.checked_div(a.into()).unwrap_or(0)).unwrap_or(255)
                };
                *pixel = [divide(r), divide(g), divide(b), a];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_is_rounded_exactly() {
        for a in 0..=255_u8 {
            for b in 0..=255_u8 {
                let exact = (f64::from(a) * f64::from(b) / 255.0).round();
                assert_eq!(f64::from(multiply_255(a, b)), exact, "{a} {b}");
            }
        }
    }

    #[test]
    fn dividing_undoes_multiplying_as_far_as_eight_bits_can() {
        for a in 1..=255_u8 {
            for c in 0..=255_u8 {
                let mut premultiplied = [c, c, c, a];
                premultiply(&mut premultiplied);
                let mut again = premultiplied;
                unpremultiply(&mut again);
                premultiply(&mut again);
                assert_eq!(again, premultiplied, "{c} {a}");
            }
        }
    }
}
