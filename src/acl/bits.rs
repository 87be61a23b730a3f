//! Numbers in a stream of bits, the first bit of each byte on top.

/// Bits of a pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits<'a> {
    /// From the byte on that the pose begins in.
    bytes: &'a [u8],
    /// Bits of that byte that belong to the pose before.
    skipped: usize,
}

impl<'a> Bits<'a> {
    /// The bits from `start` on.
    pub(super) fn new(bytes: &'a [u8], start: u64) -> Self {
        let byte = usize::try_from(start / 8).unwrap_or(usize::MAX);
        Self {
            bytes: bytes.get(byte..).unwrap_or_default(),
            skipped: usize::try_from(start % 8).unwrap_or_default(),
        }
    }

    /// The bits from `offset` on, on top; at least 57 of them. 0 beyond the end.
    #[inline(always)]
    fn at(self, offset: usize) -> u64 {
        let offset = self.skipped.wrapping_add(offset);
        let from = offset >> 3;
        match self.bytes.get(from..from.wrapping_add(8)) {
            Some(&[a, b, c, d, e, f, g, h]) => {
                u64::from_be_bytes([a, b, c, d, e, f, g, h]) << (offset & 7)
            }
            _ => 0,
        }
    }

    /// Three numbers of as many bits as `rate` has.
    #[inline(always)]
    pub(super) fn three(self, offset: usize, rate: &Rate) -> [i32; 3] {
        let z = self.at(offset).wrapping_shr(rate.unused);
        let y = z.wrapping_shr(rate.bits);
        let x = y.wrapping_shr(rate.bits);
        [rate.number(x), rate.number(y), rate.number(z)]
    }

    /// `N` floats for each of four tracks.
    #[inline(always)]
    pub(super) fn floats_of_all<const N: usize>(self, offset: u32) -> [[f32; N]; 4] {
        let mut offset = offset as usize;
        std::array::from_fn(|_| {
            let floats = self.floats(offset);
            offset = offset.wrapping_add(N.wrapping_mul(32));
            floats
        })
    }

    /// `N` floats.
    #[inline(always)]
    pub(super) fn floats<const N: usize>(self, offset: usize) -> [f32; N] {
        let mut offset = offset;
        std::array::from_fn(|_| {
            let bits = (self.at(offset) >> 32) as u32;
            offset = offset.wrapping_add(32);
            f32::from_bits(bits)
        })
    }
}

/// Length of a step of bytes in a range of 1.
pub(super) const BYTE: f32 = 1.0 / 255.0;

/// A way to store three numbers of the same bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    /// Bits of a number.
    bits: u32,
    /// Bits of 64 that three numbers leave.
    unused: u32,
    /// The largest number; 0 for tracks that stand still, and for floats.
    mask: u32,
    /// Length of a step in a range of 1.
    pub(super) step: f32,
    /// Length of a step of smallest values in segments.
    pub(super) min_step: f32,
}

/// By bit count; floats are with 0.
static RATES: [Rate; 32] = {
    let mut all = [NONE; 32];
    let mut bits = 3;
    while bits < 20 {
        let mask = (1_u32 << bits).wrapping_sub(1);
        #[expect(clippy::indexing_slicing, reason = "worked out when it is compiled")]
        {
            all[bits as usize] = Rate {
                bits,
                unused: 64_u32.wrapping_sub(bits.wrapping_mul(3)),
                mask,
                step: 1.0 / mask as f32,
                min_step: BYTE,
            };
        }
        bits = bits.wrapping_add(1);
    }
    all
};

const NONE: Rate = Rate {
    bits: 0,
    unused: 0,
    mask: 0,
    step: 0.0,
    min_step: 1.0 / 65535.0,
};

impl Rate {
    /// The rate of a bit count.
    #[inline(always)]
    pub(super) fn of(bits: u8) -> &'static Self {
        RATES.get(usize::from(bits & 31)).unwrap_or(&NONE)
    }

    /// The lowest bits as a number.
    #[inline(always)]
    fn number(&self, bits: u64) -> i32 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the mask has at most 19 bits"
        )]
        (bits as u32 & self.mask).cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_at_any_bit_and_end_with_the_bytes() {
        let bytes = [0b0001_0110, 0b1011_1100, 0xff, 0, 0, 0, 0, 0, 0];
        let bits = Bits::new(&bytes, 3);
        assert_eq!(bits.three(0, Rate::of(3)), [0b101, 0b101, 0b011]);
        assert_eq!(bits.three(5, Rate::of(4)), [0b1011, 0b1100, 0b1111]);
        assert_eq!(Bits::new(&bytes, 999).three(0, Rate::of(19)), [0; 3]);
        assert_eq!(bits.three(usize::MAX, Rate::of(19)), [0; 3]);
        let one = [0, 0x3f, 0x80, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(Bits::new(&one, 0).floats::<2>(8), [1.0, 0.0]);
    }
}
