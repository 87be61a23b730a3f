//! One frame's pose: sample, compose and skin in one pass over the bones.

use super::affine::{Affine, IDENTITY, multiply};
use super::bind::BindPose;
use super::block::{Affines, BoneBlock};
use super::playback::FrameAt;
use super::sample::{Block, LANES, Record};
use crate::document::{Document, Frame, Rule};

/// Blocks that go through each step together, so that what lies between the steps stays in the cache.
const BATCH: usize = 16;

/// The pose of a skeleton: two matrices a bone, in bone order. Keeps its memory from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// The identity, then `world_from_bone` of each bone: parent `i` is found at `i + 1`, and -1 at 0.
    world: Vec<Affine>,
    skin: Vec<Affine>,
    /// Bones; the vectors hold whole blocks.
    count: usize,
    at: Option<FrameAt>,
}

impl Pose {
    /// `world_from_bone`: places a bone's local space (along its +Y) in the world (pixels, Y up).
    #[must_use]
    pub fn world_from_bone(&self) -> &[Affine] {
        self.world.get(1..=self.count).unwrap_or_default()
    }

    /// `world_from_bind`: moves stored vertex positions to where the frame has them. The shader's palette.
    #[must_use]
    pub fn world_from_bind(&self) -> &[Affine] {
        self.skin.get(..self.count).unwrap_or_default()
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
        let blocks = self.bind.blocks().len().saturating_mul(LANES);
        pose.count = self.document.bones().len();
        pose.at = self.at.filter(|at| self.frame(at.frame).is_some());
        pose.world.resize(blocks.saturating_add(1), IDENTITY);
        pose.skin.resize(blocks, IDENTITY);
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
        let finite = self.document.warnings().count(Rule::TransformNotFinite) == 0;
        let mut scratch = [Affines::default(); BATCH];
        let mut records = frame.records().chunks(BATCH * LANES);
        let mut next_records =
            next.map(|(next, blend)| (next.records().chunks(BATCH * LANES), blend));
        let skins = pose.skin.as_chunks_mut().0.chunks_mut(BATCH);
        let blocks = self.bind.blocks().chunks(BATCH).zip(skins);
        for ((blocks, skins), place) in blocks.zip((1..).step_by(BATCH * LANES)) {
            let Some(maps) = scratch.get_mut(..blocks.len()) else {
                return;
            };
            let next = next_records
                .as_mut()
                .and_then(|(next, blend)| Some((next.next()?, *blend)));
            let records = records.next().unwrap_or_default();
            if finite {
                sample::<true>(records, next, maps);
            } else {
                sample::<false>(records, next, maps);
            }
            compose(blocks, place, maps, &mut pose.world, skins);
        }
    }
}

/// Local matrices, four bones a block.
fn sample<const FINITE: bool>(
    records: &[Record],
    next: Option<(&[Record], f32)>,
    parent_from_bone: &mut [Affines],
) {
    let read = |records: &[Record; LANES]| {
        let block = Block::read(records);
        if FINITE { block } else { block.neutralised() }
    };
    let (whole, tail) = records.as_chunks();
    let tail = (!tail.is_empty()).then(|| padded(tail));
    match next {
        None => {
            for (out, records) in parent_from_bone.iter_mut().zip(whole.iter().chain(&tail)) {
                *out = read(records).parent_from_bone().into();
            }
        }
        Some((next, blend)) => {
            let (next_whole, next_tail) = next.as_chunks();
            let next_tail = (!next_tail.is_empty()).then(|| padded(next_tail));
            let pairs = whole
                .iter()
                .chain(&tail)
                .zip(next_whole.iter().chain(&next_tail));
            for (out, (records, next)) in parent_from_bone.iter_mut().zip(pairs) {
                *out = read(records)
                    .blended(&read(next), blend)
                    .parent_from_bone()
                    .into();
            }
        }
    }
}

/// World matrices from local ones, in place and into `world` from `place` on.
fn compose(
    blocks: &[BoneBlock],
    place: usize,
    maps: &[Affines],
    world: &mut [Affine],
    skins: &mut [[Affine; LANES]],
) {
    for (((bones, map), skin), place) in blocks
        .iter()
        .zip(maps)
        .zip(skins)
        .zip((place..).step_by(LANES))
    {
        let Some((done, rest)) = world.split_at_mut_checked(place) else {
            return;
        };
        let Some(out) = rest.first_chunk_mut::<LANES>() else {
            return;
        };
        if bones.independent {
            let [a, b, c, d] = bones.parents.map(|parent| done.get(usize::from(parent)));
            let (Some(a), Some(b), Some(c), Some(d)) = (a, b, c, d) else {
                return;
            };
            let parents = [a, b, c, d];
            let map = Affines::from_lanes(parents).multiply(map);
            *out = map.to_lanes();
            *skin = map.multiply(&bones.bone_from_bind).to_lanes();
        } else {
            let map = one_by_one(bones, place, map, world);
            *skin = map.multiply(&bones.bone_from_bind).to_lanes();
        }
    }
}

/// [`compose`] for bones that hang on each other.
fn one_by_one(bones: &BoneBlock, place: usize, map: &Affines, world: &mut [Affine]) -> Affines {
    let mut lanes = [IDENTITY; LANES];
    for (((parent, local), lane), place) in bones
        .parents
        .iter()
        .zip(map.to_lanes())
        .zip(&mut lanes)
        .zip(place..)
    {
        let world_from_parent = world.get(usize::from(*parent)).unwrap_or(&IDENTITY);
        *lane = multiply(world_from_parent, &local);
        if let Some(out) = world.get_mut(place) {
            *out = *lane;
        }
    }
    Affines::from_lanes(lanes.each_ref())
}

/// The last records of a frame, filled up with zeroes.
fn padded(tail: &[Record]) -> [Record; LANES] {
    let mut records = [[0; size_of::<Record>()]; LANES];
    for (to, from) in records.iter_mut().zip(tail) {
        *to = *from;
    }
    records
}
