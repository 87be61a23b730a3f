//! Packed numbers: bits, and lanes of them.
#![expect(clippy::arithmetic_side_effects, reason = "all numbers are floats")]

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, i32x8, u64x4};

use super::segments::PackedRanges;

/// Bytes that are looked at for four tracks: the fourth begins at most 36 bytes behind the first.
const WINDOW: usize = 72;
/// Bytes behind a chunk that may be looked at.
pub(super) const PADDING: usize = WINDOW;

#[derive(Clone, Copy, Debug)]
pub(super) struct Bits<'a> {
    /// From the byte on that the pose begins in.
    bytes: &'a [u8],
    /// Bits of that byte that belong to the pose before.
    skipped: usize,
}

impl<'a> Bits<'a> {
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

/// Four tracks at the first sample, then at the second.
pub(super) type Both<S> = f32x8<S>;

/// The numbers on top of words, in the ranges of their segments if there are any.
#[inline(always)]
pub(super) fn values<S: Simd>(
    simd: S,
    packed: [&PackedRanges; 2],
    words: [[u64; 4]; 2],
    is_ranged: bool,
) -> [Both<S>; 3] {
    let ([first, second], [a, b]) = (packed, words);
    let ([ax, ay, az], [bx, by, bz]) = (numbers(simd, first, a), numbers(simd, second, b));
    let step = both(simd, &first.step, &second.step);
    let (x, y) = (steps(ax, bx) * step, steps(ay, by) * step);
    let z = steps(az, bz) * step;
    if !is_ranged {
        return [x, y, z];
    }
    let ([ax, ay, az], [bx, by, bz]) = (&first.extent, &second.extent);
    let ([min_ax, min_ay, min_az], [min_bx, min_by, min_bz]) = (&first.min, &second.min);
    [
        x * both(simd, ax, bx) + both(simd, min_ax, min_bx),
        y * both(simd, ay, by) + both(simd, min_ay, min_by),
        z * both(simd, az, bz) + both(simd, min_az, min_bz),
    ]
}

/// Three numbers on top of each word; 0 for floats and for constant tracks.
#[inline(always)]
fn numbers<S: Simd>(simd: S, packed: &PackedRanges, words: [u64; 4]) -> [u64x4<S>; 3] {
    let all = |number| u64x4::splat(simd, number);
    let bits = simd.and_u64x4(u64x4::simd_from(simd, packed.bits), all(31));
    let mask = simd.sub_u64x4(simd.shlv_u64x4(all(1), bits), all(1));
    let triple = simd.add_u64x4(bits, simd.shl_u64x4(bits, 1));
    let unused = simd.and_u64x4(simd.sub_u64x4(all(64), triple), all(63));
    let z = simd.shrv_u64x4(u64x4::simd_from(simd, words), unused);
    let y = simd.shrv_u64x4(z, bits);
    let x = simd.shrv_u64x4(y, bits);
    [simd.and_u64x4(x, mask), simd.and_u64x4(y, mask), simd.and_u64x4(z, mask)]
}

#[inline(always)]
fn steps<S: Simd>(a: u64x4<S>, b: u64x4<S>) -> Both<S> {
    let numbers = a.simd.narrow_u64x4(a, b).bitcast::<i32x8<S>>();
    a.simd.cvt_f32_i32x8(numbers)
}

#[inline(always)]
fn both<S: Simd>(simd: S, first: &[f32; 4], second: &[f32; 4]) -> Both<S> {
    let four = |value: &[f32; 4]| f32x4::simd_from(simd, *value);
    simd.combine_f32x4(four(first), four(second))
}

/// Values from 0 to 1 in ranges that are the same at both samples.
#[inline(always)]
pub(super) fn in_range<S: Simd>(
    value: [Both<S>; 3],
    min: &[[f32; 4]; 3],
    extent: &[[f32; 4]; 3],
) -> [Both<S>; 3] {
    let ([x, y, z], [min_x, min_y, min_z]) = (value, min);
    let [extent_x, extent_y, extent_z] = extent;
    let simd = x.simd;
    [
        x * both(simd, extent_x, extent_x) + both(simd, min_x, min_x),
        y * both(simd, extent_y, extent_y) + both(simd, min_y, min_y),
        z * both(simd, extent_z, extent_z) + both(simd, min_z, min_z),
    ]
}

/// Rotations whose `w` was dropped.
#[inline(always)]
pub(super) fn with_w<S: Simd>([x, y, z]: [Both<S>; 3]) -> [Both<S>; 4] {
    let one = Both::splat(x.simd, 1.0);
    let square = ((one - x * x) - y * y) - z * z;
    [x, y, z, square.abs().sqrt()]
}

/// From the first sample to the second. Without a weight, the first as it would be at weight 0, which only takes the sign from zeros.
#[inline(always)]
pub(super) fn blend<S: Simd>(both: Both<S>, weight: Option<f32>) -> f32x4<S> {
    let simd = both.simd;
    let (a, b) = simd.split_f32x8(both);
    between(a, b, weight)
}

#[inline(always)]
fn between<S: Simd>(a: f32x4<S>, b: f32x4<S>, weight: Option<f32>) -> f32x4<S> {
    match weight {
        Some(weight) => b * weight + (a - a * weight),
        None => a + f32x4::splat(a.simd, 0.0),
    }
}

/// The same for rotations: on the shorter way, and of length 1.
#[inline(always)]
pub(super) fn blend_rotations<S: Simd>(
    [x, y, z, w]: [Both<S>; 4],
    weight: Option<f32>,
) -> [f32x4<S>; 4] {
    let simd = x.simd;
    let ((ax, bx), (ay, by)) = (simd.split_f32x8(x), simd.split_f32x8(y));
    let ((az, bz), (aw, bw)) = (simd.split_f32x8(z), simd.split_f32x8(w));
    let sign = f32x4::splat(simd, 1.0).copysign(ax * bx + ay * by + az * bz + aw * bw);
    let x = between(ax, bx * sign, weight);
    let y = between(ay, by * sign, weight);
    let z = between(az, bz * sign, weight);
    let w = between(aw, bw * sign, weight);
    let factor = f32x4::splat(simd, 1.0) / (x * x + y * y + z * z + w * w).sqrt();
    [x * factor, y * factor, z * factor, w * factor]
}

/// Four components of each track.
#[inline(always)]
pub(super) fn by_track<S: Simd>([x, y, z, w]: [f32x4<S>; 4]) -> [[f32; 4]; 4] {
    let simd = x.simd;
    let (xz, yw) = (simd.zip_low_f32x4(x, z), simd.zip_low_f32x4(y, w));
    let (a, b) = (simd.zip_low_f32x4(xz, yw), simd.zip_high_f32x4(xz, yw));
    let (xz, yw) = (simd.zip_high_f32x4(x, z), simd.zip_high_f32x4(y, w));
    let (c, d) = (simd.zip_low_f32x4(xz, yw), simd.zip_high_f32x4(xz, yw));
    [a.into(), b.into(), c.into(), d.into()]
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
