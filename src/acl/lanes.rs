//! Arithmetic on four tracks at a time, in the order of operations of ACL. No product is fused with a sum.
#![expect(clippy::arithmetic_side_effects, reason = "all numbers are floats")]

use glam::{IVec4, Mat4, Vec4};

/// Three components, each of four tracks.
pub(super) type Vectors = [Vec4; 3];
/// Quaternions of four tracks, by component.
pub(super) type Rotations = [Vec4; 4];

/// Length of a step of a byte in a range of 1.
const BYTE: f32 = 1.0 / 255.0;
/// The same of 16 bits.
const WORD: f32 = 1.0 / 65535.0;

/// Whole numbers as multiples of a step.
#[inline(always)]
pub(super) fn steps(numbers: [i32; 4], step: Vec4) -> Vec4 {
    IVec4::from_array(numbers).as_vec4() * step
}

/// Bytes as parts of 1.
#[inline(always)]
pub(super) fn bytes(numbers: [u8; 4]) -> Vec4 {
    Vec4::from_array(numbers.map(f32::from)) * BYTE
}

/// A number as a part of 1.
pub(super) fn word(number: u16) -> f32 {
    f32::from(number) * WORD
}

/// Values from 0 to 1 in a range.
#[inline(always)]
pub(super) fn in_range(value: Vectors, min: Vectors, extent: Vectors) -> Vectors {
    let ([x, y, z], [min_x, min_y, min_z]) = (value, min);
    let [extent_x, extent_y, extent_z] = extent;
    [
        x * extent_x + min_x,
        y * extent_y + min_y,
        z * extent_z + min_z,
    ]
}

/// Rotations whose `w` was dropped.
#[inline(always)]
pub(super) fn with_w([x, y, z]: Vectors) -> Rotations {
    let square = ((Vec4::ONE - x * x) - y * y) - z * z;
    [x, y, z, sqrt(square.abs())]
}

#[inline(always)]
fn sqrt(lanes: Vec4) -> Vec4 {
    Vec4::from_array(lanes.to_array().map(f32::sqrt))
}

/// From `a` to `b`.
#[inline(always)]
pub(super) fn blend<const N: usize>(a: [Vec4; N], b: [Vec4; N], weight: Vec4) -> [Vec4; N] {
    let mut b = b.into_iter();
    a.map(|a| {
        let b = b.next().unwrap_or_default();
        b * weight + (a - a * weight)
    })
}

/// Blended with themselves at weight 0, which only takes the sign from zeros.
#[inline(always)]
pub(super) fn unblended<const N: usize>(a: [Vec4; N]) -> [Vec4; N] {
    a.map(|a| a + Vec4::ZERO)
}

/// `b`, or the same rotations with all signs changed where they are nearer to `a`.
#[inline(always)]
pub(super) fn nearer(a: Rotations, b: Rotations) -> Rotations {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    let sign = Vec4::ONE.copysign(ax * bx + ay * by + az * bz + aw * bw);
    b.map(|b| b * sign)
}

/// Rotations of length 1, one a track.
#[inline(always)]
pub(super) fn normalised([x, y, z, w]: Rotations) -> [[f32; 4]; 4] {
    let factor = Vec4::ONE / sqrt(x * x + y * y + z * z + w * w);
    by_track([x * factor, y * factor, z * factor, w * factor])
}

/// Four components of each track.
#[inline(always)]
pub(super) fn by_track([x, y, z, w]: Rotations) -> [[f32; 4]; 4] {
    let all = Mat4::from_cols(x, y, z, w).transpose();
    [all.x_axis, all.y_axis, all.z_axis, all.w_axis].map(|track| track.to_array())
}

/// Four tracks of each component.
#[inline(always)]
pub(super) fn by_component(tracks: [[f32; 4]; 4]) -> Rotations {
    let [a, b, c, d] = tracks.map(Vec4::from_array);
    let all = Mat4::from_cols(a, b, c, d).transpose();
    [all.x_axis, all.y_axis, all.z_axis, all.w_axis]
}

/// A number of one track, in its range.
pub(super) fn one_in_range(value: f32, min: f32, extent: f32) -> f32 {
    value * extent + min
}
