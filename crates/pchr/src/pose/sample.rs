//! Decodes blocks of packed transforms into local matrices, with or without blending towards the next frame.

use glam::{Mat4, Vec4};

use super::sin_cos::sin_cos_degrees;
use crate::document::{BoneTransform, TRANSFORM_SIZE};

/// Bones that are posed together, one in each lane of a vector.
pub(super) const LANES: usize = 4;

/// A packed transform.
pub(super) type Record = [u8; TRANSFORM_SIZE];

/// Local matrices of four bones, lane by lane: rows `(a, -c, x)` and `(b, d, y)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Locals {
    pub(super) a: Vec4,
    pub(super) b: Vec4,
    pub(super) minus_c: Vec4,
    pub(super) d: Vec4,
    pub(super) x: Vec4,
    pub(super) y: Vec4,
}

/// Four transforms, field by field.
#[derive(Clone, Copy)]
pub(super) struct Block {
    x: Vec4,
    y: Vec4,
    rotation: Vec4,
    scale_x: Vec4,
    scale_y: Vec4,
}

impl Block {
    #[inline(always)]
    pub(super) fn read(records: [&Record; LANES]) -> Self {
        let [a, b, c, d] = records;
        let head = |r: &Record| Vec4::new(float(r, 0), float(r, 4), float(r, 8), float(r, 12));
        let heads = Mat4::from_cols(head(a), head(b), head(c), head(d)).transpose();
        Self {
            x: heads.x_axis,
            y: heads.y_axis,
            rotation: heads.z_axis,
            scale_x: heads.w_axis,
            scale_y: Vec4::new(float(a, 16), float(b, 16), float(c, 16), float(d, 16)),
        }
    }

    /// Returns the block of four transforms.
    #[inline(always)]
    pub(super) fn of(transforms: [&BoneTransform; LANES]) -> Self {
        let field = |field: fn(&BoneTransform) -> f32| Vec4::from_array(transforms.map(field));
        Self {
            x: field(|transform| transform.x),
            y: field(|transform| transform.y),
            rotation: field(|transform| transform.rotation),
            scale_x: field(|transform| transform.scale_x),
            scale_y: field(|transform| transform.scale_y),
        }
    }

    /// Replaces values that are not finite by their neutral value, as SEMANTICS defines. The check warned about them.
    #[cold]
    pub(super) fn neutralised(mut self) -> Self {
        let finite_or = |value: &mut Vec4, neutral: Vec4| {
            *value = Vec4::select(value.abs().cmple(Vec4::splat(f32::MAX)), *value, neutral);
        };
        finite_or(&mut self.x, Vec4::ZERO);
        finite_or(&mut self.y, Vec4::ZERO);
        finite_or(&mut self.rotation, Vec4::ZERO);
        finite_or(&mut self.scale_x, Vec4::ONE);
        finite_or(&mut self.scale_y, Vec4::ONE);
        self
    }

    /// Blends towards `next` by `blend` in 0..1, with rotation along the shorter arc.
    #[inline(always)]
    pub(super) fn blended(mut self, next: &Self, blend: f32) -> Self {
        let blend = Vec4::splat(blend);
        let lerp = |from: &mut Vec4, to: Vec4| *from += (to - *from) * blend;
        lerp(&mut self.x, next.x);
        lerp(&mut self.y, next.y);
        lerp(&mut self.scale_x, next.scale_x);
        lerp(&mut self.scale_y, next.scale_y);
        let mut turn = next.rotation - self.rotation;
        if turn.abs().cmpgt(Vec4::splat(180.0)).any() {
            turn = Vec4::from_array(turn.to_array().map(shorter));
        }
        self.rotation += turn * blend;
        self
    }

    /// Returns `T(x, y) · R(rotation) · S(scaleX, scaleY)` of each lane.
    #[inline(always)]
    pub(super) fn parent_from_bone(&self) -> Locals {
        let (sin, cos) = sin_cos_degrees(self.rotation);
        Locals {
            a: cos * self.scale_x,
            b: sin * self.scale_x,
            minus_c: -(sin * self.scale_y),
            d: cos * self.scale_y,
            x: self.x,
            y: self.y,
        }
    }
}

/// Returns the same rotation within ±180 degrees.
pub(super) fn shorter(turn: f32) -> f32 {
    if turn.abs() <= 180.0 {
        return turn;
    }
    let turn = turn % 360.0;
    if turn > 180.0 {
        turn - 360.0
    } else if turn < -180.0 {
        turn + 360.0
    } else {
        turn
    }
}

/// Returns the number at a byte of a record.
#[inline(always)]
fn float(record: &Record, at: usize) -> f32 {
    let bytes = record.get(at..).and_then(<[u8]>::first_chunk);
    bytes.copied().map_or(0.0, f32::from_le_bytes)
}
