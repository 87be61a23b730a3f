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

/// Multiplies colour by alpha in place.
///
/// Most of an atlas is opaque or empty: groups of eight pixels that are all one or the other skip the multiplication.
pub fn premultiply(rgba: &mut [u8]) {
    const BLOCK: usize = 8 * 4;
    let (blocks, rest) = rgba.as_chunks_mut::<BLOCK>();
    for block in blocks {
        let alphas = block.as_chunks().0.iter().map(|[_, _, _, a]: &[u8; 4]| a);
        let (all, any) = alphas.fold((255, 0), |(all, any), a| (all & a, any | a));
        if any == 0 {
            *block = [0; BLOCK];
        } else if all != 255 {
            premultiply_each(block);
        }
    }
    premultiply_each(rest);
}

fn premultiply_each(rgba: &mut [u8]) {
    /// Every other byte of a pixel, each with room for a product.
    const LANES: u32 = 0x00ff_00ff;
    for pixel in rgba.as_chunks_mut::<4>().0 {
        let [r, g, b, a] = *pixel;
        // As `multiply_255`, two bytes at a time. 255 takes the place of alpha, and becomes alpha again.
        let multiply = |lanes: u32| {
            let products = lanes.wrapping_mul(a.into()).wrapping_add(0x0080_0080);
            (products.wrapping_add((products >> 8) & LANES) >> 8) & LANES
        };
        let [r, _, b, _] = multiply(u32::from_le_bytes([r, 0, b, 0])).to_le_bytes();
        let [g, _, a, _] = multiply(u32::from_le_bytes([g, 0, 255, 0])).to_le_bytes();
        *pixel = [r, g, b, a];
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
