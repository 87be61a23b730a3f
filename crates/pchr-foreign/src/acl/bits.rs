//! Numbers in a stream of bits, the first bit of each byte on top.

/// Bytes that are looked at for four tracks: the fourth begins at most 36 bytes behind the first.
const WINDOW: usize = 72;
/// Bytes behind a chunk that may be looked at.
pub(super) const PADDING: usize = WINDOW;

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

    /// Words that begin with the numbers of four tracks, at least 57 bits of each. 0 beyond the end.
    #[inline(always)]
    pub(super) fn words(self, offset: u32, bits: [u64; 4]) -> [u64; 4] {
        let offset = self.skipped.wrapping_add(offset as usize);
        let window = self.bytes.get(offset >> 3..);
        let Some(window) = window.and_then(<[u8]>::first_chunk::<WINDOW>) else {
            return [0; 4];
        };
        let word = |at: usize| {
            let from = (at >> 3) & 63;
            let bytes = window.get(from..from.wrapping_add(8));
            let bytes = bytes.and_then(<[u8]>::first_chunk::<8>);
            u64::from_be_bytes(bytes.copied().unwrap_or_default()) << (at & 7)
        };
        let after = |at: usize, bits: u64| {
            let bits = usize::try_from(bits).unwrap_or_default();
            at.wrapping_add(bits.wrapping_mul(3))
        };
        let [first, second, third, _] = bits;
        let a = offset & 7;
        let b = after(a, first);
        let c = after(b, second);
        [word(a), word(b), word(c), word(after(c, third))]
    }

    /// `N` floats.
    #[inline(always)]
    pub(super) fn floats<const N: usize>(self, offset: usize) -> [f32; N] {
        let mut at = self.skipped.wrapping_add(offset);
        std::array::from_fn(|_| {
            let from = at >> 3;
            let bytes = self.bytes.get(from..from.wrapping_add(8));
            let bytes = bytes.and_then(<[u8]>::first_chunk::<8>);
            let word = u64::from_be_bytes(bytes.copied().unwrap_or_default()) << (at & 7);
            at = at.wrapping_add(32);
            f32::from_bits((word >> 32) as u32)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_at_any_bit_and_end_with_the_bytes() {
        let mut bytes = [0; 80];
        bytes[..3].copy_from_slice(&[0b0001_0110, 0b1011_1100, 0xff]);
        let bits = Bits::new(&bytes, 3);
        let tops = |words: [u64; 4], count: u32| words.map(|word| word >> (64 - count));
        assert_eq!(tops(bits.words(0, [1; 4]), 3), [0b101, 0b101, 0b011, 0b110]);
        assert_eq!(tops(bits.words(5, [3; 4]), 4), [0b1011, 0b1111, 0, 0]);
        assert_eq!(Bits::new(&bytes, 999).words(0, [19; 4]), [0; 4]);
        assert_eq!(bits.words(u32::MAX, [19; 4]), [0; 4]);
        let one = [0, 0x3f, 0x80, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(Bits::new(&one, 0).floats::<2>(8), [1.0, 0.0]);
    }
}
