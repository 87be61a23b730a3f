//! A run of pixels whose texels all lie within the image: what the kernels work on.

use super::sample::{ACROSS, weight_below, weight_right};

/// Pixels that are worked on at a time.
pub(super) const BLOCK: usize = 8;

/// How near to the edge, in 1/2^32 texel, a run may come: [`Block`] is exact to less than that.
pub(super) const MARGIN: i64 = 1 << 20;

/// Pixels of one row, from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    /// The texels that may be the upper of two.
    pub(super) upper: &'a [u8],
    /// The texels right below those: of the same length.
    pub(super) lower: &'a [u8],
    /// Texels a row.
    pub(super) stride: u32,
    /// Where the first pixel's centre lies, in 1/2^32 texel; texel centres are at whole numbers.
    pub(super) at: [i64; 2],
    /// How far it is from pixel to pixel.
    pub(super) dx: [i64; 2],
}

/// What is read for each pixel of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Bytes from the start of [`Run::upper`].
    pub(super) offset: [u32; BLOCK],
    /// Weights of the left (low half) and the right texels (high half).
    pub(super) across: [u32; BLOCK],
    /// Weights of the upper and the lower texels: two bytes, twice.
    pub(super) down: [u32; BLOCK],
}

impl Run<'_> {
    /// The first [`BLOCK`] pixels.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::indexing_slicing,
        reason = "coordinates of a run fit in 16.16 bits, and constant bounds let the loop become vectors"
    )]
    pub(super) fn block(&self) -> Block {
        let [u, v] = self.at.map(|c| (c >> 16) as i32);
        let [du, dv] = self.dx.map(|c| (c >> 16) as i32);
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

    /// Goes on by one block.
    #[inline(always)]
    pub(super) fn advance(&mut self) {
        for (at, dx) in self.at.iter_mut().zip(self.dx) {
            *at = at.wrapping_add(dx.wrapping_mul(BLOCK as i64));
        }
    }

    /// The two upper texels and the two lower ones at an offset.
    #[inline(always)]
    pub(super) fn texels(&self, offset: u32) -> [u64; 2] {
        let from = offset as usize;
        let pair = |row: &[u8]| {
            let bytes = row
                .get(from..from + 8)
                .and_then(|bytes| bytes.first_chunk());
            bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        [pair(self.upper), pair(self.lower)]
    }
}
