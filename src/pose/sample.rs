//! Decodes blocks of packed transforms into local matrices, with or without blending towards the next frame.

use super::affine::Affine;
use super::sin_cos::{LANES, sin_cos_degrees};
use crate::document::{BoneTransform, TRANSFORM_SIZE};

/// A packed transform.
pub(super) type Record = [u8; TRANSFORM_SIZE];

/// Eight transforms, field by field. Lanes beyond the end of a frame hold zeroes.
#[derive(Clone, Copy)]
struct Block {
    x: [f32; LANES],
    y: [f32; LANES],
    rotation: [f32; LANES],
    scale_x: [f32; LANES],
    scale_y: [f32; LANES],
}

/// What is not finite is read as its neutral value, as SEMANTICS has it and the check warned.
#[inline(always)]
fn finite_or(value: f32, neutral: f32) -> f32 {
    if value.abs() <= f32::MAX {
        value
    } else {
        neutral
    }
}

/// The local matrices of eight bones. With `next`, each is blended towards that frame's by a factor in 0..1.
#[inline(always)]
pub(super) fn parent_from_bone(
    records: &[Record; LANES],
    next: Option<(&[Record; LANES], f32)>,
) -> [Affine; LANES] {
    let mut block = Block::read(records);
    if let Some((next, blend)) = next {
        block.blend(&Block::read(next), blend);
    }
    block.parent_from_bone()
}

impl Block {
    #[inline(always)]
    fn read(records: &[Record; LANES]) -> Self {
        let records = records.each_ref().map(BoneTransform::from_record);
        Self {
            x: records.map(|t| finite_or(t.x, 0.0)),
            y: records.map(|t| finite_or(t.y, 0.0)),
            rotation: records.map(|t| finite_or(t.rotation, 0.0)),
            scale_x: records.map(|t| finite_or(t.scale_x, 1.0)),
            scale_y: records.map(|t| finite_or(t.scale_y, 1.0)),
        }
    }

    /// Moves towards `next` by `blend` in 0..1, rotation along the shorter arc.
    fn blend(&mut self, next: &Self, blend: f32) {
        let lerp = |from: &mut [f32; LANES], to: &[f32; LANES]| {
            for (from, to) in from.iter_mut().zip(to) {
                *from += (to - *from) * blend;
            }
        };
        lerp(&mut self.x, &next.x);
        lerp(&mut self.y, &next.y);
        lerp(&mut self.scale_x, &next.scale_x);
        lerp(&mut self.scale_y, &next.scale_y);
        for (from, to) in self.rotation.iter_mut().zip(next.rotation) {
            let turn = (to - *from) % 360.0;
            let arc = if turn > 180.0 {
                turn - 360.0
            } else if turn < -180.0 {
                turn + 360.0
            } else {
                turn
            };
            *from += arc * blend;
        }
    }

    /// `T(x, y) · R(rotation) · S(scaleX, scaleY)` of each lane.
    #[expect(
        clippy::indexing_slicing,
        reason = "every index is below the arrays' constant length"
    )]
    #[inline(always)]
    fn parent_from_bone(&self) -> [Affine; LANES] {
        let (sin, cos) = sin_cos_degrees(&self.rotation);
        let zip = |a: &[f32; LANES], b: &[f32; LANES]| -> [f32; LANES] {
            std::array::from_fn(|i| a[i] * b[i])
        };
        let (a, b) = (zip(&cos, &self.scale_x), zip(&sin, &self.scale_x));
        let (c, d) = (zip(&sin, &self.scale_y), zip(&cos, &self.scale_y));
        std::array::from_fn(|i| [[a[i], -c[i], self.x[i], 0.0], [b[i], d[i], self.y[i], 0.0]])
    }
}
