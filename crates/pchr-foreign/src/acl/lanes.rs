//! Arithmetic on four tracks at two samples, in the order of operations of ACL. No product is fused with a sum.
#![expect(clippy::arithmetic_side_effects, reason = "all numbers are floats")]

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, i32x8, u64x4};

use super::segments::Packed;

/// Four tracks at the first sample, then at the second.
pub(super) type Both<S> = f32x8<S>;

/// The numbers on top of words, in the ranges of their segments if there are any.
#[inline(always)]
pub(super) fn values<S: Simd>(
    simd: S,
    packed: [&Packed; 2],
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
fn numbers<S: Simd>(simd: S, packed: &Packed, words: [u64; 4]) -> [u64x4<S>; 3] {
    let all = |number| u64x4::splat(simd, number);
    let bits = simd.and_u64x4(u64x4::simd_from(simd, packed.bits), all(31));
    let mask = simd.sub_u64x4(simd.shlv_u64x4(all(1), bits), all(1));
    let triple = simd.add_u64x4(bits, simd.shl_u64x4(bits, 1));
    let unused = simd.and_u64x4(simd.sub_u64x4(all(64), triple), all(63));
    let z = simd.shrv_u64x4(u64x4::simd_from(simd, words), unused);
    let y = simd.shrv_u64x4(z, bits);
    let x = simd.shrv_u64x4(y, bits);
    [
        simd.and_u64x4(x, mask),
        simd.and_u64x4(y, mask),
        simd.and_u64x4(z, mask),
    ]
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

#[inline(always)]
fn splat<S: Simd>(simd: S, value: f32) -> f32x4<S> {
    f32x4::splat(simd, value)
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
        None => a + splat(a.simd, 0.0),
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
    let sign = splat(simd, 1.0).copysign(ax * bx + ay * by + az * bz + aw * bw);
    let x = between(ax, bx * sign, weight);
    let y = between(ay, by * sign, weight);
    let z = between(az, bz * sign, weight);
    let w = between(aw, bw * sign, weight);
    let factor = splat(simd, 1.0) / (x * x + y * y + z * z + w * w).sqrt();
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
