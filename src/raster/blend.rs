//! Blends a colour over another, as the GPU's blend unit does.

use super::sample::Rgba;
use crate::image::multiply_255;

/// Returns `source + target · (255 − source alpha) / 255`, rounded to the nearest; both are premultiplied.
#[inline(always)]
pub(super) fn over(source: Rgba, target: Rgba) -> Rgba {
    let [.., alpha] = source;
    let mut out = source;
    for (out, target) in out.iter_mut().zip(target) {
        *out = out.saturating_add(multiply_255(target, 255 - alpha));
    }
    out
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
}
