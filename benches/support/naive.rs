//! Posing in its simplest form: glam, the platform's sine and cosine, one bone after the other. The reference.
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
            let (sin, cos) = t.rotation.to_radians().sin_cos();
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
