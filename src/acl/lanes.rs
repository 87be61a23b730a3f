//! Arithmetic on four tracks at a time, in the order of operations of ACL. No product is fused with a sum.
#![expect(clippy::arithmetic_side_effects, reason = "all numbers are floats")]

use glam::{IVec4, Mat4, Vec4};

/// Three components, each of four tracks.
pub(super) type Vectors = [Vec4; 3];
/// Quaternions of four tracks, by component.
pub(super) type Rotations = [Vec4; 4];

/// Whole numbers as multiples of a step.
#[inline(always)]
pub(super) fn steps(numbers: [i32; 4], step: Vec4) -> Vec4 {
    IVec4::from_array(numbers).as_vec4() * step
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
    let [a, b, c, d] = lanes.to_array();
    Vec4::new(a.sqrt(), b.sqrt(), c.sqrt(), d.sqrt())
}

/// From `a` to `b`.
#[inline(always)]
pub(super) fn blend([ax, ay, az]: Vectors, [bx, by, bz]: Vectors, weight: Vec4) -> Vectors {
    [
        one(ax, bx, weight),
        one(ay, by, weight),
        one(az, bz, weight),
    ]
}

#[inline(always)]
fn one(a: Vec4, b: Vec4, weight: Vec4) -> Vec4 {
    b * weight + (a - a * weight)
}

/// From `a` to `b` on the shorter way.
#[inline(always)]
pub(super) fn blend_rotations(a: Rotations, b: Rotations, weight: Vec4) -> Rotations {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    let sign = Vec4::ONE.copysign(ax * bx + ay * by + az * bz + aw * bw);
    let ([x, y, z], w) = (
        blend([ax, ay, az], [bx * sign, by * sign, bz * sign], weight),
        one(aw, bw * sign, weight),
    );
    [x, y, z, w]
}

/// Blended with themselves at weight 0, which only takes the sign from zeros.
#[inline(always)]
pub(super) fn unblended([x, y, z]: Vectors) -> Vectors {
    [x + Vec4::ZERO, y + Vec4::ZERO, z + Vec4::ZERO]
}

/// The same for rotations.
#[inline(always)]
pub(super) fn unblended_rotations([x, y, z, w]: Rotations) -> Rotations {
    let [x, y, z] = unblended([x, y, z]);
    [x, y, z, w + Vec4::ZERO]
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
    let tracks = (all.x_axis, all.y_axis, all.z_axis, all.w_axis);
    let (a, b, c, d) = tracks;
    [a.to_array(), b.to_array(), c.to_array(), d.to_array()]
}

/// Four tracks of each component.
#[inline(always)]
pub(super) fn by_component(tracks: [[f32; 4]; 4]) -> Rotations {
    let [a, b, c, d] = tracks;
    let (a, b) = (Vec4::from_array(a), Vec4::from_array(b));
    let all = Mat4::from_cols(a, b, Vec4::from_array(c), Vec4::from_array(d)).transpose();
    [all.x_axis, all.y_axis, all.z_axis, all.w_axis]
}
