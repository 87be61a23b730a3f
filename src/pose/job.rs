//! One frame's pose: sample, compose and skin in one pass over the bones.

use super::affine::{Affine, IDENTITY, multiply};
use super::bind::BindPose;
use super::playback::FrameAt;
use super::sample::{Record, parent_from_bone};
use super::sin_cos::LANES;
use crate::document::{BoneId, Document, Frame};

/// The pose of a skeleton: two matrices a bone, in bone order. Keeps its memory from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// The identity, then `world_from_bone` of each bone: parent `i` is found at `i + 1`, and -1 at 0.
    world: Vec<Affine>,
    skin: Vec<Affine>,
    at: Option<FrameAt>,
}

impl Pose {
    /// `world_from_bone`: places a bone's local space (along its +Y) in the world (pixels, Y up).
    #[must_use]
    pub fn world_from_bone(&self) -> &[Affine] {
        self.world.get(1..).unwrap_or_default()
    }

    /// `world_from_bind`: moves stored vertex positions to where the frame has them. The shader's palette.
    #[must_use]
    pub fn world_from_bind(&self) -> &[Affine] {
        &self.skin
    }

    /// The frame that was posed, which order and visibility come from; `None` if there is none to pose.
    #[must_use]
    pub fn at(&self) -> Option<FrameAt> {
        self.at
    }
}

/// Poses one frame.
///
/// `world_from_bone = world_from_parent · parent_from_bone`, scale inherited in full, and
/// `world_from_bind = world_from_bone · bone_from_bind`. Composition agrees with double precision within 1e-6 of the
/// skeleton's extent for each level of the hierarchy.
#[derive(Clone, Copy, Debug)]
pub struct PoseJob<'a> {
    /// The document that the other two were made for.
    pub document: &'a Document,
    /// The pose that vertices are stored in.
    pub bind: &'a BindPose,
    /// The frame; `None` shows the vertices as they are stored.
    pub at: Option<FrameAt>,
}

impl PoseJob<'_> {
    /// Fills `pose`; allocates only while `pose` is smaller than the skeleton.
    pub fn run(&self, pose: &mut Pose) {
        let count = self.document.bones().len();
        pose.at = self.at.filter(|at| self.frame(at.frame).is_some());
        pose.world.resize(count.wrapping_add(1), IDENTITY);
        pose.skin.resize(count, IDENTITY);
        let next = pose
            .at
            .filter(|at| at.blend > 0.0)
            .and_then(|at| Some((self.frame(at.next)?, at.blend)));
        match pose.at.and_then(|at| self.frame(at.frame)) {
            Some(frame) => self.chain(frame, next, pose),
            None => {
                pose.world.fill(IDENTITY);
                pose.skin.fill(IDENTITY);
            }
        }
        for bone in self.bind.degenerate() {
            if let Some(skin) = pose.skin.get_mut(bone.index()) {
                *skin = IDENTITY;
            }
        }
    }

    fn frame(&self, frame: u16) -> Option<Frame<'_>> {
        self.at
            .and_then(|at| self.document.animation(at.animation))
            .and_then(|animation| animation.frame(frame))
    }

    fn chain(&self, frame: Frame<'_>, next: Option<(Frame<'_>, f32)>, pose: &mut Pose) {
        let mut bones = self.document.bones();
        let mut inverses = self.bind.bone_from_bind().iter();
        let mut skins = pose.skin.iter_mut();
        let (blocks, tail) = frame.records().as_chunks::<LANES>();
        let mut done = 0;
        let mut block = |records: &[Record; LANES], next: Option<(&[Record; LANES], f32)>| {
            let locals = parent_from_bone(records, next);
            for (((local, bone), inverse), skin) in locals
                .iter()
                .zip(&mut bones)
                .zip(&mut inverses)
                .zip(&mut skins)
            {
                // Parents come before children: the check saw to it. A root's parent is the identity at 0.
                let parent = bone
                    .parent()
                    .map_or(0, |BoneId(parent)| usize::from(parent).wrapping_add(1));
                let world_from_parent = pose.world.get(parent).copied().unwrap_or(IDENTITY);
                let world_from_bone = multiply(&world_from_parent, local);
                *skin = multiply(&world_from_bone, inverse);
                done = usize::wrapping_add(done, 1);
                if let Some(world) = pose.world.get_mut(done) {
                    *world = world_from_bone;
                }
            }
        };
        let next_blocks = next.map(|(next, blend)| (next.records().as_chunks::<LANES>(), blend));
        for (i, records) in blocks.iter().enumerate() {
            let next = next_blocks.and_then(|((next, _), blend)| Some((next.get(i)?, blend)));
            block(records, next);
        }
        if !tail.is_empty() {
            let next = next_blocks.map(|((_, next), blend)| (padded(next), blend));
            block(
                &padded(tail),
                next.as_ref().map(|(next, blend)| (next, *blend)),
            );
        }
    }
}

/// The last records of a frame, filled up with zeroes.
fn padded(tail: &[Record]) -> [Record; LANES] {
    let mut records = [[0; size_of::<Record>()]; LANES];
    for (to, from) in records.iter_mut().zip(tail) {
        *to = *from;
    }
    records
}
