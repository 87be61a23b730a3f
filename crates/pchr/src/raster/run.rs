//! Runs of pixels whose texels all lie within the image, and the factors of tints.

use super::setup::PART_BITS;

/// Pixels processed at a time.
pub(super) const BLOCK: usize = 8;

/// Kernels count in 1/65536 texel: this many bits less than planes.
pub(super) const TO_16: u32 = PART_BITS - 16;

/// Least distance of a run from the image's edge: 1/4096 texel. [`PixelBlock`] is exact to half of that.
pub(super) const MARGIN: i64 = 1 << (PART_BITS - 12);

/// Sum of the weights of the left and the right texels.
pub(super) const ACROSS: u32 = 16_448;

/// Returns the weight of the right texels, in 1/[`ACROSS`]; `part` is in 1/65536 of a texel.
#[inline(always)]
pub(super) fn weight_right(part: u32) -> u32 {
    (part + (part << 8)) >> 10
}

/// Returns the weight of the lower texels, in 1/255.
#[inline(always)]
pub(super) fn weight_below(part: u32) -> u32 {
    ((part << 8) - part + 0x8000) >> 16
}

/// Texels and step of the runs of a triangle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunSource<'a> {
    /// All rows but the last: the upper texels of each pair.
    pub(super) upper: &'a [u8],
    /// The texels right below `upper`, of the same length.
    pub(super) lower: &'a [u8],
    /// Texels per row.
    pub(super) stride: u32,
    /// Step from pixel to pixel, in 1/2^24 texel.
    pub(super) dx: [i64; 2],
}

/// Texel offsets and weights of each pixel of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct PixelBlock {
    /// Bytes from the start of [`RunSource::upper`].
    pub(super) offset: [u32; BLOCK],
    /// Weights of the left (low half) and the right texels (high half).
    pub(super) across: [u32; BLOCK],
    /// Weights of the upper and the lower texels: two bytes, twice.
    pub(super) down: [u32; BLOCK],
}

impl RunSource<'_> {
    /// Returns the source with another step from pixel to pixel.
    pub(super) fn with(self, dx: [i64; 2]) -> Self {
        Self { dx, ..self }
    }

    /// Returns the block of [`BLOCK`] pixels that starts at `at`.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::indexing_slicing,
        reason = "coordinates of a run fit in 16.16 bits, and constant bounds let the loop become vectors"
    )]
    pub(super) fn block(&self, at: [i64; 2]) -> PixelBlock {
        let [u, v] = at.map(|c| (c >> TO_16) as i32);
        let [du, dv] = self.dx.map(|c| (c >> TO_16) as i32);
        let mut block = PixelBlock { offset: [0; BLOCK], across: [0; BLOCK], down: [0; BLOCK] };
        for i in 0..BLOCK {
            let u = u.wrapping_add(du.wrapping_mul(i as i32)) as u32;
            let v = v.wrapping_add(dv.wrapping_mul(i as i32)) as u32;
            let texel = (v >> 16).wrapping_mul(self.stride).wrapping_add(u >> 16);
            block.offset[i] = texel << 2;
            let right = weight_right(u & 0xffff);
            block.across[i] = (ACROSS - right) | (right << 16);
            let below = weight_below(v & 0xffff);
            let pair = (255 - below) | (below << 8);
            block.down[i] = pair | (pair << 16);
        }
        block
    }

    /// Returns the coordinates one block after `at`.
    #[inline(always)]
    pub(super) fn next(&self, [u, v]: [i64; 2]) -> [i64; 2] {
        let [du, dv] = self.dx;
        [u.wrapping_add(du << 3), v.wrapping_add(dv << 3)]
    }

    /// Returns the two upper and the two lower texels at an offset.
    #[inline(always)]
    pub(super) fn texels(&self, offset: u32) -> Option<[u64; 2]> {
        let from = offset as usize;
        // Written so that one check does for both: they are of the same length.
        let (upper, lower) = (self.upper, self.lower.get(..self.upper.len())?);
        let upper = upper.get(from..from + 8)?.first_chunk()?;
        let lower = lower.get(from..from + 8)?.first_chunk()?;
        Some([u64::from_le_bytes(*upper), u64::from_le_bytes(*lower)])
    }
}

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
        let wanted = Some([32_768, 16_384, 131_072, 32_768]);
        assert_eq!(factors([1.0, 0.5, 4.0, 1.0], [1.0, 1.0, 1.0, 0.5]), wanted);
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
