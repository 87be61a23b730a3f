//! Poses one frame: samples, composes and skins in one pass over the bones.

use super::affine::{Affine, IDENTITY, multiply};
use super::bind::BindPose;
use super::block::{Affines, BoneBlock};
use super::sample::{Block, LANES, Record};
use super::skin::skin_mesh;
use crate::document::{Document, Frame, Mesh, PchrRule};
use crate::playback::FrameAt;

/// Blocks that go through each step together, so that intermediate values stay in the cache.
const BATCH: usize = 16;

/// The pose of a skeleton: two matrices per bone, in bone order. Reuses its memory for each frame.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// The identity, then `world_from_bone` of each bone. Parent `i` is at `i + 1`, and -1 at 0.
    world: Vec<Affine>,
    skin: Vec<Affine>,
    /// Number of bones. The vectors hold whole blocks.
    count: usize,
    at: Option<FrameAt>,
    skinned: bool,
}

impl Pose {
    /// Returns `world_from_bone`: maps a bone's local space (along its +Y) to the world (pixels, Y up).
    #[must_use]
    pub fn world_from_bone(&self) -> &[Affine] {
        debug_assert!(self.count == 0 || self.count < self.world.len());
        self.world.get(1..=self.count).unwrap_or_default()
    }

    /// Returns `world_from_bind`, the shader's palette: maps stored vertex positions to their positions in the frame.
    #[must_use]
    pub fn world_from_bind(&self) -> &[Affine] {
        debug_assert!(self.count <= self.skin.len());
        self.skin.get(..self.count).unwrap_or_default()
    }

    /// Returns the posed frame, which also determines order and visibility; `None` if there is none.
    #[must_use]
    pub fn at(&self) -> Option<FrameAt> {
        self.at
    }

    /// Returns true if the palette moves the vertices. Otherwise they are drawn as stored, regardless of their weights.
    #[must_use]
    pub fn is_skinned(&self) -> bool {
        self.skinned
    }

    /// Shows the vertices as stored, without bones.
    pub fn set_stored(&mut self, at: Option<FrameAt>) {
        self.count = 0;
        self.at = at;
        self.skinned = false;
    }

    /// Appends the world positions of a mesh's vertices to `out`.
    pub fn place(&self, mesh: &Mesh<'_>, out: &mut Vec<[f32; 2]>) {
        skin_mesh(mesh, self.world_from_bind(), self.skinned, out);
    }
}

/// Poses one frame.
///
/// `world_from_bone = world_from_parent · parent_from_bone`, scale inherited in full, and
/// `world_from_bind = world_from_bone · bone_from_bind`. Composition agrees with double precision within 1e-6 of the
/// skeleton's extent for each level of the hierarchy.
#[derive(Clone, Copy, Debug)]
pub struct PoseJob<'a> {
    /// The document of `bind` and `at`.
    pub document: &'a Document,
    /// The pose in which the vertices are stored.
    pub bind: &'a BindPose,
    /// The frame; `None` shows the vertices as stored.
    pub at: Option<FrameAt>,
}

impl PoseJob<'_> {
    /// Fills `pose`; allocates only while `pose` is smaller than the skeleton.
    pub fn run(&self, pose: &mut Pose) {
        pose.count = self.document.bones().len();
        pose.at = self.at.filter(|at| self.frame(at.frame).is_some());
        pose.skinned = pose.at.is_some();
        // Before all bones the roots' parent, behind them room for what lanes left over write.
        pose.world.resize(pose.count.saturating_add(2), IDENTITY);
        pose.skin.resize(pose.count.saturating_add(1), IDENTITY);
        match pose.at.and_then(|at| self.frame(at.frame)) {
            Some(frame) => self.sampled(frame, |blocks, maps| {
                compose(blocks, maps, &mut pose.world, &mut pose.skin);
            }),
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

    /// Fills `locals` with `parent_from_bone` of each bone, in bone order; with identities if there is no frame.
    pub fn locals(&self, locals: &mut Vec<Affine>) {
        let count = self.document.bones().len();
        locals.clear();
        // Behind all bones room for what lanes left over write.
        locals.resize(count.saturating_add(1), IDENTITY);
        if let Some(frame) = self.at.and_then(|at| self.frame(at.frame)) {
            self.sampled(frame, |blocks, maps| {
                for (bones, map) in blocks.iter().zip(maps) {
                    put(bones, 1, *map, locals);
                }
            });
        }
        locals.truncate(count);
    }

    /// Calls `each` with batches of blocks and their local matrices.
    fn sampled(&self, frame: Frame<'_>, mut each: impl FnMut(&[BoneBlock], &[Affines])) {
        let finite = self.document.warnings().count(PchrRule::TransformNotFinite) == 0;
        let mut scratch = [Affines::default(); BATCH];
        let next = self
            .at
            .filter(|at| at.blend > 0.0)
            .and_then(|at| Some((self.frame(at.next)?.records(), at.blend)));
        for blocks in self.bind.blocks().chunks(BATCH) {
            if finite {
                sample::<true>(blocks, frame.records(), next, &mut scratch);
            } else {
                sample::<false>(blocks, frame.records(), next, &mut scratch);
            }
            each(blocks, &scratch);
        }
    }
}

/// Computes local matrices, block by block.
fn sample<const FINITE: bool>(
    blocks: &[BoneBlock],
    records: &[Record],
    next: Option<(&[Record], f32)>,
    parent_from_bone: &mut [Affines],
) {
    let read = |bones: &BoneBlock, records: &[Record]| {
        let block = if bones.contiguous {
            let [first, ..] = bones.bones;
            let four: &[Record; LANES] = records.get(usize::from(first)..)?.first_chunk()?;
            Block::read(four.each_ref())
        } else {
            let [a, b, c, d] = bones.bones.map(|bone| records.get(usize::from(bone)));
            Block::read([a?, b?, c?, d?])
        };
        Some(if FINITE { block } else { block.neutralised() })
    };
    match next {
        None => {
            for (out, bones) in parent_from_bone.iter_mut().zip(blocks) {
                let Some(block) = read(bones, records) else {
                    return;
                };
                *out = block.parent_from_bone().into();
            }
        }
        Some((next, blend)) => {
            for (out, bones) in parent_from_bone.iter_mut().zip(blocks) {
                let (Some(block), Some(next)) = (read(bones, records), read(bones, next)) else {
                    return;
                };
                *out = block.blended(&next, blend).parent_from_bone().into();
            }
        }
    }
}

/// Computes world and skinning matrices from local ones.
fn compose(blocks: &[BoneBlock], maps: &[Affines], world: &mut [Affine], skins: &mut [Affine]) {
    for (bones, map) in blocks.iter().zip(maps) {
        let map = if bones.independent {
            let [a, b, c, d] = bones.parents.map(|parent| world.get(parent as usize));
            let (Some(a), Some(b), Some(c), Some(d)) = (a, b, c, d) else {
                return;
            };
            let map = Affines::from_lanes([a, b, c, d]).multiply(map);
            put(bones, 0, map, world);
            map
        } else {
            one_by_one(bones, map, world)
        };
        put(bones, 1, map.multiply(&bones.bone_from_bind), skins);
    }
}

/// Writes four bones' matrices to their places, which count from `first`.
#[inline(always)]
fn put(bones: &BoneBlock, first: usize, maps: Affines, out: &mut [Affine]) {
    let maps = maps.to_lanes();
    let [place, ..] = bones.places;
    if bones.contiguous {
        let place = (place as usize).wrapping_sub(first);
        if let Some(out) = out.get_mut(place..).and_then(<[_]>::first_chunk_mut) {
            *out = maps;
        }
    } else {
        for (place, map) in bones.places.iter().zip(maps) {
            if let Some(out) = out.get_mut((*place as usize).wrapping_sub(first)) {
                *out = map;
            }
        }
    }
}

/// Computes the world matrices of bones that depend on each other.
#[inline(never)]
fn one_by_one(bones: &BoneBlock, map: &Affines, world: &mut [Affine]) -> Affines {
    let [a, b, c, d] = map.to_lanes();
    let mut place = |lane: usize, local: &Affine| {
        let parent = bones
            .parents
            .get(lane)
            .and_then(|parent| world.get(*parent as usize));
        debug_assert!(parent.is_some(), "roots hang on the first matrix");
        let map = multiply(parent.unwrap_or(&IDENTITY), local);
        if let Some(out) = bones
            .places
            .get(lane)
            .and_then(|place| world.get_mut(*place as usize))
        {
            *out = map;
        }
        map
    };
    let lanes = [place(0, &a), place(1, &b), place(2, &c), place(3, &d)];
    Affines::from_lanes(lanes.each_ref())
}
