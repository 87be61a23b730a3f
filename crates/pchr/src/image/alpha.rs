//! Straight and premultiplied alpha, and tints of whole layers.

use super::Pixels;

/// Returns `round(a · b / 255)`, exactly.
#[must_use]
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the result is at most 255")]
pub fn multiply_255(a: u8, b: u8) -> u8 {
    let product = (a as u32).wrapping_mul(b as u32).wrapping_add(128);
    (product.wrapping_add(product >> 8) >> 8) as u8
}

/// Returns a pixel over another one, as a GPU's blend unit does it: `source + target · (255 − source alpha) / 255`, rounded to the
/// nearest; both premultiplied. For a byte `!alpha` is `255 − alpha`.
#[must_use]
#[inline(always)]
pub fn over(source: [u8; 4], target: [u8; 4]) -> [u8; 4] {
    let [.., alpha] = source;
    let mut out = source;
    for (out, target) in out.iter_mut().zip(target) {
        *out = out.saturating_add(multiply_255(target, !alpha));
    }
    out
}

/// Bytes of a group of eight pixels.
const BLOCK: usize = 8 * 4;

/// Multiplies colour by alpha in place.
///
/// Most of an atlas is opaque or empty: groups of eight pixels that are all one or the other skip the multiplication.
pub fn premultiply(rgba: &mut [u8]) {
    let (blocks, rest) = rgba.as_chunks_mut::<BLOCK>();
    for block in blocks {
        match alphas(block) {
            (_, 0) => *block = [0; BLOCK],
            (u8::MAX, _) => {}
            _ => premultiply_block(block),
        }
    }
    for pixel in rest.as_chunks_mut::<4>().0 {
        let [r, g, b, a] = *pixel;
        *pixel = [multiply_255(r, a), multiply_255(g, a), multiply_255(b, a), a];
    }
}

/// As [`multiply_255`] for each channel, in loops that become vectors.
fn premultiply_block(block: &mut [u8; BLOCK]) {
    let mut factors = [[0; 4]; BLOCK / 4];
    for (factors, pixel) in factors.iter_mut().zip(block.as_chunks().0) {
        let alpha = u32::from_le_bytes(*pixel) >> 24;
        // 255 takes the place of alpha, which stays as it is.
        *factors = (alpha | (alpha << 8) | (alpha << 16) | 0xff00_0000).to_le_bytes();
    }
    for (channel, factor) in block.iter_mut().zip(factors.as_flattened()) {
        // At most 255 * 255 + 128 + 254.
        let product = u16::from(*channel).wrapping_mul((*factor).into()).wrapping_add(128);
        let [_, quotient] = product.wrapping_add(product >> 8).to_le_bytes();
        *channel = quotient;
    }
}

/// Multiplies the colour of each pixel by another one in place: RGBA by RGB.
pub fn multiply(rgba: &mut [u8], tint: [u8; 3]) {
    if tint == [u8::MAX; 3] {
        return;
    }
    let [by_red, by_green, by_blue] = tint;
    for [red, green, blue, _] in rgba.as_chunks_mut::<4>().0 {
        *red = multiply_255(*red, by_red);
        *green = multiply_255(*green, by_green);
        *blue = multiply_255(*blue, by_blue);
    }
}

/// Divides colour by alpha in place, rounding to the nearest; transparent pixels become 0.
///
/// Groups of eight pixels that are all opaque or empty skip the division, as in [`premultiply`].
pub fn unpremultiply(rgba: &mut [u8]) {
    let (blocks, rest) = rgba.as_chunks_mut::<BLOCK>();
    for block in blocks {
        match alphas(block) {
            (_, 0) => *block = [0; BLOCK],
            (u8::MAX, _) => {}
            _ => unpremultiply_each(block),
        }
    }
    unpremultiply_each(rest);
}

#[inline(always)]
fn unpremultiply_each(rgba: &mut [u8]) {
    for pixel in rgba.as_chunks_mut::<4>().0 {
        let [r, g, b, a] = *pixel;
        let (half, inverse) = (u64::from(a / 2), inverse(a));
        let divide = |c: u8| {
            let scaled = u64::from(c).wrapping_mul(255).wrapping_add(half);
            let quotient = scaled.wrapping_mul(inverse) >> 24;
            u8::try_from(quotient).unwrap_or(u8::MAX)
        };
        *pixel = [divide(r), divide(g), divide(b), a];
    }
}

/// Returns the bits that all alphas of a group have, and those that any has.
#[inline(always)]
fn alphas(block: &[u8; BLOCK]) -> (u8, u8) {
    let alphas = block.as_chunks().0.iter().map(|[.., a]: &[u8; 4]| *a);
    alphas.fold((u8::MAX, 0), |(all, any), a| (all & a, any | a))
}

/// Returns the factor that divides by a number: a product with it, in 1/2²⁴, is the exact quotient of every number below 2²⁴ / 255.
/// That of 0 is 0.
#[inline(always)]
fn inverse(of: u8) -> u64 {
    #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
    static INVERSES: [u32; 256] = {
        let mut inverses = [0; 256];
        let (mut i, mut number) = (1, 1_u32);
        while i < inverses.len() {
            inverses[i] = (1_u32 << 24).div_ceil(number);
            (i, number) = (i + 1, number + 1);
        }
        inverses
    };
    INVERSES.get(usize::from(of)).copied().unwrap_or_default().into()
}

/// Colour and opacity that a layer gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tint {
    /// RGB, sRGB-encoded.
    pub color: [u8; 3],
    /// Share of this colour in the layer's, in 1/255.
    pub share: u8,
    /// Opacity of the layer, in 1/255.
    pub opacity: u8,
}

impl Tint {
    /// Returns a pixel of a layer in this tint. Both are premultiplied. The shader `ghost.wgsl` has the same arithmetic.
    #[must_use]
    #[inline(always)]
    pub fn apply(self, [r, g, b, a]: [u8; 4]) -> [u8; 4] {
        let [to_r, to_g, to_b] = self.color;
        let mix = |from: u8, to: u8| {
            let (own, added) =
                (multiply_255(from, !self.share), multiply_255(multiply_255(to, a), self.share));
            multiply_255(own.saturating_add(added).min(a), self.opacity)
        };
        let alpha = multiply_255(a, self.opacity);
        [mix(r, to_r), mix(g, to_g), mix(b, to_b), alpha]
    }

    /// Lays `layer`, in this tint, over a picture of the same size.
    pub fn lay(self, layer: &Pixels, out: &mut Pixels) {
        debug_assert!(
            [layer.width, layer.height] == [out.width, out.height],
            "layers have the size of their picture"
        );
        let pixels = out.rgba.as_chunks_mut().0.iter_mut();
        for (pixel, source) in pixels.zip(layer.rgba.as_chunks::<4>().0) {
            if *source != [0; 4] {
                *pixel = over(self.apply(*source), *pixel);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blending_is_rounded_to_the_nearest() {
        for alpha in 0..=255_u8 {
            for target in 0..=255_u8 {
                let source = alpha / 3;
                let rest = f64::from(target) * f64::from(255 - alpha) / 255.0;
                let wanted = f64::from(source) + rest.round();
                let [red, ..] = over([source, 0, 0, alpha], [target, 0, 0, 255]);
                assert_eq!(f64::from(red), wanted, "{alpha} {target}");
            }
        }
    }

    #[test]
    fn transparent_changes_nothing_and_opaque_replaces() {
        for c in 0..=255 {
            assert_eq!(over([0; 4], [c, 1, 2, c]), [c, 1, 2, c]);
            assert_eq!(over([c, 3, 4, 255], [9; 4]), [c, 3, 4, 255]);
        }
    }

    #[test]
    fn colours_above_their_alpha_do_not_wrap() {
        assert_eq!(over([255, 255, 0, 1], [255; 4]), [255, 255, 254, 255]);
    }

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
    fn whole_images_are_multiplied_as_single_values_are() {
        let low = |i: u32| i.to_le_bytes()[0];
        let pixel = |i: u32| [low(i >> 8), low(i >> 5), low(i >> 3), low(i)];
        // Every colour with every alpha, and long runs of opaque and of empty pixels.
        let pixels =
            (0..0x1_0000).map(pixel).chain((0..99).map(|i| [i, 255 - i, 7, 255 * (i / 50)]));
        let mut rgba: Vec<u8> = pixels.clone().flatten().collect();
        premultiply(&mut rgba);
        for ([r, g, b, a], out) in pixels.zip(rgba.as_chunks::<4>().0) {
            assert_eq!(*out, [multiply_255(r, a), multiply_255(g, a), multiply_255(b, a), a]);
        }
    }

    #[test]
    fn the_quotient_is_rounded_exactly() {
        for a in 1..=255_u8 {
            for c in 0..=255_u8 {
                let exact = (u32::from(c) * 255 + u32::from(a) / 2) / u32::from(a);
                let mut pixel = [c, 0, 255, a];
                unpremultiply(&mut pixel);
                assert_eq!(u32::from(pixel[0]), exact.min(255), "{c} {a}");
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

    const HALF: Tint = Tint { color: [0, 0, 255], share: 128, opacity: 255 };

    #[test]
    fn a_tint_mixes_its_colour_in_and_then_fades() {
        assert_eq!(HALF.apply([255, 0, 0, 255]), [127, 0, 128, 255]);
        let faint = Tint { opacity: 51, ..HALF };
        assert_eq!(faint.apply([255, 0, 0, 255]), [25, 0, 26, 51]);
        assert_eq!(HALF.apply([0; 4]), [0; 4], "what is empty stays empty");
    }

    #[test]
    fn no_colour_exceeds_its_alpha() {
        for a in 0..=255 {
            for share in 0..=255 {
                let tint = Tint { color: [255; 3], share, opacity: 255 - share / 3 };
                let [r, g, b, a] = tint.apply([a, a / 2, 0, a]);
                assert!(r <= a && g <= a && b <= a, "{a} {share}");
            }
        }
    }

    #[test]
    fn a_layer_lies_over_the_picture() {
        let picture = |rgba: [[u8; 4]; 2]| Pixels { width: 2, height: 1, rgba: rgba.concat() };
        let mut out = picture([[0, 255, 0, 255], [9, 9, 9, 9]]);
        let tint = Tint { opacity: 51, ..HALF };
        tint.lay(&picture([[255, 0, 0, 255], [0; 4]]), &mut out);
        assert_eq!(out, picture([[25, 204, 26, 255], [9, 9, 9, 9]]));
    }
}
