//! A colour over another, as the GPU's blend unit does it.

use super::sample::Rgba;
use crate::image::multiply_255;

/// `source + target · (255 − source alpha) / 255`, rounded to the nearest; both premultiplied.
#[inline(always)]
pub(super) fn over(source: Rgba, target: Rgba) -> Rgba {
    let [.., alpha] = source;
    let mut out = source;
    for (out, target) in out.iter_mut().zip(target) {
        *out = out.saturating_add(multiply_255(target, 255 - alpha));
    }
    out
}
