//! Poses one frame: samples, composes and skins in one pass over the bones.

use glam::Affine2;

use super::affine::{Affine, IDENTITY, affine2, multiply, transform_point};
use super::bind::{BindPose, BindSource};
use super::block::{Affines, BoneBlock};
use super::sample::{LANES, LocalPose, TransformBlock, TransformRecord};
use crate::document::{BoneId, BoneTransform, Document, Mesh, PchrRule, Vertex};
use crate::playback::{FrameAt, Mix};

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
    /// Memory for the poses of parts.
    part: Option<Box<Pose>>,
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

    /// Returns the posed frame, which also determines order and visibility; `None` if there is none. In a cross-fade it is the
    /// one with more weight.
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

    /// Poses the bones by transforms relative to their parents. Bones without a transform lie on their parents. Without a bind pose
    /// ([`BindSource::Absent`]) the bones move and the vertices stay as stored, here and below.
    ///
    /// There is no frame: see [`crate::scene::Frame::fill_with`] for the order and visibility of meshes.
    pub fn set_locals(&mut self, bind: &BindPose, locals: &LocalPose) {
        let on_parent = BoneTransform::default();
        let transform = |bone: u16| locals.get(BoneId(bone)).unwrap_or(&on_parent);
        self.set_maps(bind, |bones| {
            let block = TransformBlock::of(bones.bones.map(transform));
            block.parent_from_bone().into()
        });
    }

    /// Poses the bones by matrices, `parent_from_bone` of each in bone order. Bones without a matrix lie on their parents.
    pub fn set_local_matrices(&mut self, bind: &BindPose, parent_from_bone: &[Affine]) {
        let map = |bone: u16| parent_from_bone.get(usize::from(bone)).unwrap_or(&IDENTITY);
        self.set_maps(bind, |bones| Affines::from_lanes(bones.bones.map(map)));
    }

    /// Places the bones in the world, `world_from_bone` of each in bone order, as a physics engine does. Bones without a matrix
    /// lie at the origin. Children do not follow their parents.
    pub fn set_world_matrices(&mut self, bind: &BindPose, world_from_bone: &[Affine]) {
        self.begin(bind.bone_from_bind().len(), None);
        let bones = self.world.iter_mut().skip(1).zip(&mut self.skin);
        let given = world_from_bone.iter().chain(std::iter::repeat(&IDENTITY));
        for (((world, skin), given), inverse) in bones.zip(given).zip(bind.bone_from_bind()) {
            *world = *given;
            *skin = multiply(given, inverse);
        }
        self.hold(bind);
    }

    /// Begins a pose of several parts, which [`Self::add_part`] adds.
    pub fn begin_parts(&mut self, at: Option<FrameAt>) {
        self.count = 0;
        self.at = at;
        self.skinned = true;
        self.world.clear();
        self.world.push(IDENTITY);
        self.skin.clear();
    }

    /// Adds a part: a bone that holds it, and as many bones as it has, posed by `fill` and moved by `world_from_part`.
    ///
    /// Vertices follow the holder with the weight that they lack, so that it brings the part's origin; of a part whose vertices are
    /// shown as stored it moves these.
    pub fn add_part(
        &mut self,
        world_from_part: &Affine,
        bones: usize,
        fill: impl FnOnce(&mut Self),
    ) {
        let mut part = self.part.take().unwrap_or_default();
        fill(&mut part);
        let end = self.count.saturating_add(1).saturating_add(bones);
        let moved = |map: &Affine| multiply(world_from_part, map);
        self.world.push(*world_from_part);
        self.world.extend(part.world_from_bone().iter().map(moved));
        self.world.resize(end.saturating_add(1), *world_from_part);
        if part.skinned {
            self.skin.push(world_from_part.map(|[.., origin, _]| [0.0, 0.0, origin, 0.0]));
            self.skin.extend(part.world_from_bind().iter().map(moved));
        }
        self.skin.resize(end, *world_from_part);
        self.count = end;
        self.part = Some(part);
    }

    /// Composes the bones from the local matrices of each block.
    fn set_maps(&mut self, bind: &BindPose, maps: impl Fn(&BoneBlock) -> Affines) {
        self.begin(bind.bone_from_bind().len(), None);
        let mut scratch = [Affines::default(); BATCH];
        for blocks in bind.blocks().chunks(BATCH) {
            for (out, bones) in scratch.iter_mut().zip(blocks) {
                *out = maps(bones);
            }
            compose(blocks, &scratch, &mut self.world, &mut self.skin);
        }
        self.hold(bind);
    }

    /// Makes room for bones that are about to be posed.
    fn begin(&mut self, count: usize, at: Option<FrameAt>) {
        self.count = count;
        self.at = at;
        self.skinned = true;
        // The roots' parent comes before all bones; after them is room for the writes of unused lanes.
        self.world.resize(count.saturating_add(2), IDENTITY);
        self.skin.resize(count.saturating_add(1), IDENTITY);
    }

    /// Holds what bones without an inverse move where it is stored; everything, if there is no bind pose.
    fn hold(&mut self, bind: &BindPose) {
        if bind.source() == BindSource::Absent {
            self.skinned = false;
            self.skin.fill(IDENTITY);
            return;
        }
        for bone in bind.degenerate() {
            if let Some(skin) = self.skin.get_mut(bone.index()) {
                *skin = IDENTITY;
            }
        }
    }

    /// Returns the world matrix of a bone; `None` if there is no such bone.
    #[must_use]
    pub fn bone(&self, bone: BoneId) -> Option<Affine2> {
        self.world_from_bone().get(bone.index()).map(affine2)
    }

    /// Returns the world position of a point that is attached to a bone; `None` if there is no such bone. The point is in the
    /// bone's space.
    #[must_use]
    pub fn attached(&self, bone: BoneId, point: [f32; 2]) -> Option<[f32; 2]> {
        let map = self.world_from_bone().get(bone.index())?;
        Some(transform_point(map, point))
    }

    /// Returns the world position of a vertex; `None` if the mesh has no such vertex.
    #[must_use]
    pub fn vertex(&self, mesh: &Mesh<'_>, vertex: usize) -> Option<[f32; 2]> {
        let vertex = mesh.vertices().nth(vertex)?;
        if !self.skinned {
            return Some(vertex.position);
        }
        Some(skin_point(&vertex, self.world_from_bind()))
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
    /// The cross-fade from that frame to another; `None` shows the frame alone.
    pub mix: Option<Mix>,
}

impl PoseJob<'_> {
    /// Fills `pose`; allocates only while `pose` is smaller than the skeleton.
    pub fn run(&self, pose: &mut Pose) {
        let count = self.document.bones().len();
        let Some(sampled) = self.sampled() else {
            pose.begin(count, None);
            pose.skinned = false;
            pose.world.fill(IDENTITY);
            pose.skin.fill(IDENTITY);
            return;
        };
        pose.begin(count, Some(sampled.at));
        self.each(&sampled, |blocks, maps| {
            compose(blocks, maps, &mut pose.world, &mut pose.skin);
        });
        pose.hold(self.bind);
    }

    /// Fills `locals` with `parent_from_bone` of each bone, in bone order; with identities if there is no frame.
    pub fn locals(&self, locals: &mut Vec<Affine>) {
        let count = self.document.bones().len();
        locals.clear();
        // After all bones, room for the writes of unused lanes.
        locals.resize(count.saturating_add(1), IDENTITY);
        if let Some(sampled) = self.sampled() {
            self.each(&sampled, |blocks, maps| {
                for (bones, map) in blocks.iter().zip(maps) {
                    put(bones, 1, *map, locals);
                }
            });
        }
        locals.truncate(count);
    }

    /// Returns the records that are posed; `None` if there is no such frame.
    ///
    /// A cross-fade that is over is the moment it went to, bit for bit; one to a frame that does not exist has not begun.
    fn sampled(&self) -> Option<SampledBones<'_>> {
        let at = self.at?;
        let from = SampledClip::new(self.document, at)?;
        let mix = self.mix.filter(|mix| mix.amount > 0.0);
        let to = mix.and_then(|mix| Some((mix, SampledClip::new(self.document, mix.to)?)));
        Some(match to {
            None => SampledBones { at, from, to: None },
            Some((mix, to)) => {
                let at = mix.owner(at);
                match mix.amount < 1.0 {
                    true => SampledBones { at, from, to: Some((to, mix.amount)) },
                    false => SampledBones { at, from: to, to: None },
                }
            }
        })
    }

    /// Calls `each` with batches of blocks and their local matrices.
    fn each(&self, sampled: &SampledBones<'_>, mut each: impl FnMut(&[BoneBlock], &[Affines])) {
        let finite = self.document.warnings().count(PchrRule::TransformNotFinite) == 0;
        let mut scratch = [Affines::default(); BATCH];
        for blocks in self.bind.blocks().chunks(BATCH) {
            if finite {
                sampled.sample::<true>(blocks, &mut scratch);
            } else {
                sampled.sample::<false>(blocks, &mut scratch);
            }
            each(blocks, &scratch);
        }
    }
}

/// Records of a moment of one animation.
#[derive(Clone, Copy)]
struct SampledClip<'a> {
    records: &'a [TransformRecord],
    /// Records that they are blended towards, and by how much.
    next: Option<(&'a [TransformRecord], f32)>,
}

impl<'a> SampledClip<'a> {
    fn new(document: &'a Document, at: FrameAt) -> Option<Self> {
        let animation = document.animation(at.animation)?;
        let records = |frame| animation.frame(frame).map(|frame| frame.records());
        let next = records(at.next).filter(|_| at.blend > 0.0);
        Some(Self { records: records(at.frame)?, next: next.map(|next| (next, at.blend)) })
    }

    #[inline(always)]
    fn block<const FINITE: bool>(&self, bones: &BoneBlock) -> Option<TransformBlock> {
        let here = read::<FINITE>(bones, self.records)?;
        match self.next {
            None => Some(here),
            Some((next, blend)) => Some(here.blended(&read::<FINITE>(bones, next)?, blend)),
        }
    }
}

/// Records of the moment that is posed, and of a cross-fade.
#[derive(Clone, Copy)]
struct SampledBones<'a> {
    /// The moment that determines order and visibility.
    at: FrameAt,
    from: SampledClip<'a>,
    /// Records that they are faded to, and how far.
    to: Option<(SampledClip<'a>, f32)>,
}

impl SampledBones<'_> {
    /// Computes local matrices, block by block.
    fn sample<const FINITE: bool>(&self, blocks: &[BoneBlock], parent_from_bone: &mut [Affines]) {
        // The common cases have their own loops, so that they test nothing for each block.
        let Self { from, to, .. } = self;
        match (from.next, to) {
            (None, None) => {
                fill(blocks, parent_from_bone, |bones| read::<FINITE>(bones, from.records))
            }
            (Some((next, blend)), None) => fill(blocks, parent_from_bone, |bones| {
                let here = read::<FINITE>(bones, from.records)?;
                Some(here.blended(&read::<FINITE>(bones, next)?, blend))
            }),
            (_, Some((to, amount))) => fill(blocks, parent_from_bone, |bones| {
                let here = from.block::<FINITE>(bones)?;
                Some(here.blended(&to.block::<FINITE>(bones)?, *amount))
            }),
        }
    }
}

#[inline(always)]
fn fill(
    blocks: &[BoneBlock],
    parent_from_bone: &mut [Affines],
    block: impl Fn(&BoneBlock) -> Option<TransformBlock>,
) {
    for (out, bones) in parent_from_bone.iter_mut().zip(blocks) {
        let Some(block) = block(bones) else {
            return;
        };
        *out = block.parent_from_bone().into();
    }
}

/// Returns the transforms of a block's bones.
#[inline(always)]
fn read<const FINITE: bool>(
    bones: &BoneBlock,
    records: &[TransformRecord],
) -> Option<TransformBlock> {
    let block = if bones.contiguous {
        let [first, ..] = bones.bones;
        let four: &[TransformRecord; LANES] = records.get(usize::from(first)..)?.first_chunk()?;
        TransformBlock::read(four.each_ref())
    } else {
        let [a, b, c, d] = bones.bones.map(|bone| records.get(usize::from(bone)));
        TransformBlock::read([a?, b?, c?, d?])
    };
    Some(if FINITE { block } else { block.neutralised() })
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
        let parent = bones.parents.get(lane).and_then(|parent| world.get(*parent as usize));
        debug_assert!(parent.is_some(), "roots hang on the first matrix");
        let map = multiply(parent.unwrap_or(&IDENTITY), local);
        if let Some(out) = bones.places.get(lane).and_then(|place| world.get_mut(*place as usize)) {
            *out = map;
        }
        map
    };
    let lanes = [place(0, &a), place(1, &b), place(2, &c), place(3, &d)];
    Affines::from_lanes(lanes.each_ref())
}

/// Returns `T(x, y) · R(rotation) · S(scaleX, scaleY)` of a transform, with the bits that it has in a pose.
#[must_use]
pub fn parent_from_bone(transform: &BoneTransform) -> Affine {
    let block = TransformBlock::of([transform; LANES]);
    let [map, ..] = Affines::from(block.parent_from_bone()).to_lanes();
    map
}

/// Returns `Σ wᵢ · world_from_bindᵢ · v` over the slots with positive weight, never renormalised.
///
/// `world_from_bind` is the palette of [`super::Pose`]. The check made sure that ids of positive weights are within it.
#[must_use]
#[inline]
pub fn skin_point(vertex: &Vertex, world_from_bind: &[Affine]) -> [f32; 2] {
    let mut world = [0.0; 2];
    for (weight, id) in vertex.bone_weights.into_iter().zip(vertex.bone_ids) {
        if weight > 0.0
            && let Some(map) = world_from_bind.get(usize::from(id))
        {
            let [x, y] = transform_point(map, vertex.position);
            let [sum_x, sum_y] = &mut world;
            *sum_x += weight * x;
            *sum_y += weight * y;
        }
    }
    world
}

/// Appends the world positions of a mesh's vertices to `out`.
///
/// `moving` is false for a document without frames. Its vertices are drawn as stored, regardless of their weights.
pub fn skin_mesh(
    mesh: &Mesh<'_>,
    world_from_bind: &[Affine],
    moving: bool,
    out: &mut Vec<[f32; 2]>,
) {
    if moving {
        out.extend(mesh.vertices().map(|vertex| skin_point(&vertex, world_from_bind)));
    } else {
        out.extend(mesh.vertices().map(|vertex| vertex.position));
    }
}
