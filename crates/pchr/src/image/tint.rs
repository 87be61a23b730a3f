//! Tinted layers: whole pictures that are composited over others as one.

use super::{Pixels, multiply_255, over};

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
            let (own, added) = (
                multiply_255(from, !self.share),
                multiply_255(multiply_255(to, a), self.share),
            );
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

    const HALF: Tint = Tint {
        color: [0, 0, 255],
        share: 128,
        opacity: 255,
    };

    #[test]
    fn a_tint_mixes_its_colour_in_and_then_fades() {
        assert_eq!(HALF.apply([255, 0, 0, 255]), [127, 0, 128, 255]);
        let faint = Tint {
            opacity: 51,
            ..HALF
        };
        assert_eq!(faint.apply([255, 0, 0, 255]), [25, 0, 26, 51]);
        assert_eq!(HALF.apply([0; 4]), [0; 4], "what is empty stays empty");
    }

    #[test]
    fn no_colour_exceeds_its_alpha() {
        for a in 0..=255 {
            for share in 0..=255 {
                let tint = Tint {
                    color: [255; 3],
                    share,
                    opacity: 255 - share / 3,
                };
                let [r, g, b, a] = tint.apply([a, a / 2, 0, a]);
                assert!(r <= a && g <= a && b <= a, "{a} {share}");
            }
        }
    }

    #[test]
    fn a_layer_lies_over_the_picture() {
        let picture = |rgba: [[u8; 4]; 2]| Pixels {
            width: 2,
            height: 1,
            rgba: rgba.concat(),
        };
        let mut out = picture([[0, 255, 0, 255], [9, 9, 9, 9]]);
        let tint = Tint {
            opacity: 51,
            ..HALF
        };
        tint.lay(&picture([[255, 0, 0, 255], [0; 4]]), &mut out);
        assert_eq!(out, picture([[25, 204, 26, 255], [9, 9, 9, 9]]));
    }
}
