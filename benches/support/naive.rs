//! Posing in its simplest form: glam and the library's sine and cosine, one bone after the other. The reference.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::indexing_slicing,
    reason = "a reference as it is written first"
)]

use glam::{Affine2, Vec2};
use pchr::document::{AnimationId, BoneTransform, Document};
use pchr::pose::{BindChoice, BindPose};

/// A skeleton and one animation of it, unpacked once, so that `pose` starts from plain numbers.
#[derive(Debug)]
pub struct Naive {
    parents: Vec<Option<usize>>,
    bone_from_bind: Vec<Affine2>,
    frames: Vec<Vec<BoneTransform>>,
    world: Vec<Affine2>,
    skin: Vec<Affine2>,
}

impl Naive {
    pub fn new(document: &Document, animation: AnimationId) -> Self {
        let bind = BindPose::new(document, BindChoice::Auto);
        let column = |rows: &[[f32; 4]; 2], i: usize| Vec2::new(rows[0][i], rows[1][i]);
        let affine = |rows| Affine2::from_cols(column(rows, 0), column(rows, 1), column(rows, 2));
        let frames = document.animation(animation).map_or(Vec::new(), |animation| {
            (0..animation.frame_count())
                .filter_map(|frame| animation.frame(frame))
                .map(|frame| frame.records().iter().map(BoneTransform::from_record).collect())
                .collect()
        });
        Self {
            parents: document
                .bones()
                .map(|bone| bone.parent().map(|parent| parent.index()))
                .collect(),
            bone_from_bind: bind.bone_from_bind().iter().map(affine).collect(),
            frames,
            world: Vec::new(),
            skin: Vec::new(),
        }
    }

    /// Skinning matrices of a frame.
    pub fn pose(&mut self, frame: usize) -> &[Affine2] {
        self.world.clear();
        self.skin.clear();
        for (i, t) in self.frames[frame].iter().enumerate() {
            let (sin, cos) = sin_cos_degrees(t.rotation);
            let parent_from_bone = Affine2::from_cols(
                Vec2::new(cos, sin) * t.scale_x,
                Vec2::new(-sin, cos) * t.scale_y,
                Vec2::new(t.x, t.y),
            );
            let world_from_bone = match self.parents[i] {
                Some(parent) => self.world[parent] * parent_from_bone,
                None => parent_from_bone,
            };
            self.world.push(world_from_bone);
            self.skin.push(world_from_bone * self.bone_from_bind[i]);
        }
        &self.skin
    }
}

/// Sine and cosine as the library has them, for angles below a million degrees.
fn sin_cos_degrees(degrees: f32) -> (f32, f32) {
    const ROUND: f32 = 12_582_912.0;
    let degrees = if degrees.abs() < 1e-12 { 0.0 } else { degrees };
    let rounded = degrees * (1.0 / 90.0) + ROUND;
    let x = (degrees - (rounded - ROUND) * 90.0) * (std::f32::consts::PI / 180.0);
    let x2 = x * x;
    let s = x * (1.0 + x2 * (-1.666_665_5e-1 + x2 * (8.332_161e-3 - x2 * 1.951_529_6e-4)));
    let c = 1.0 - x2 * (0.5 - x2 * (4.166_664_6e-2 + x2 * (-1.388_731_6e-3 + x2 * 2.443_315_7e-5)));
    match rounded.to_bits() & 3 {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}
