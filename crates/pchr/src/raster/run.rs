//! Runs of pixels whose texels all lie within the image: the input of the kernels.

use super::setup::PART_BITS;

/// Pixels processed at a time.
pub(super) const BLOCK: usize = 8;

/// Kernels count in 1/65536 texel: this many bits less than planes.
pub(super) const TO_16: u32 = PART_BITS - 16;

/// Least distance of a run from the image's edge: 1/4096 texel. [`Block`] is exact to half of that.
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
pub(super) struct Source<'a> {
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
pub(super) struct Block {
    /// Bytes from the start of [`Source::upper`].
    pub(super) offset: [u32; BLOCK],
    /// Weights of the left (low half) and the right texels (high half).
    pub(super) across: [u32; BLOCK],
    /// Weights of the upper and the lower texels: two bytes, twice.
    pub(super) down: [u32; BLOCK],
}

impl Source<'_> {
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
    pub(super) fn block(&self, at: [i64; 2]) -> Block {
        let [u, v] = at.map(|c| (c >> TO_16) as i32);
        let [du, dv] = self.dx.map(|c| (c >> TO_16) as i32);
        let mut block = Block {
            offset: [0; BLOCK],
            across: [0; BLOCK],
            down: [0; BLOCK],
        };
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
