//! From four samples a pixel to one colour.

use super::sample::Rgba;

/// The rounded mean of each channel.
#[inline(always)]
pub(super) fn resolve(samples: &[Rgba; 4]) -> Rgba {
    let mut out = [0; 4];
    for (channel, out) in out.iter_mut().enumerate() {
        let sum = samples
            .iter()
            .filter_map(|sample| sample.get(channel))
            .map(|c| u16::from(*c))
            .sum::<u16>();
        #[expect(clippy::cast_possible_truncation, reason = "a mean of bytes")]
        {
            *out = ((sum + 2) >> 2) as u8;
        }
    }
    out
}
