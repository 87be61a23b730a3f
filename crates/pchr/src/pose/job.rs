//! Poses one frame: samples, composes and skins in one pass over the bones.

use fearless_simd::prelude::*;
use fearless_simd::{Level, f32x8};
use glam::Affine2;

use super::arithmetic::{
    self, Affine, IDENTITY, LANES, LaneWork, Lanes, affine2, multiply, transform_point,
};
use super::bind::{BindPose, BindSource};
use super::sample::{LocalPose, SampledClip, TransformRecord, Transforms, read};
use crate::document::{BoneId, BoneTransform, Document, Mesh, PchrRule, Vertex};
use crate::playback::{FrameAt, Mix};

/// Bones that go through each step together, so that their local matrices stay in the cache.
const BATCH: usize = 32;

/// The pose of a skeleton: two matrices per bone, in bone order. Reuses its memory for each frame.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// The identity, then `world_from_bone` of each bone. Parent `i` is at `i + 1`, and -1 at 0.
    world: Vec<Affine>,
    skin: Vec<Affine>,
    at: Option<FrameAt>,
    skinned: bool,
    /// Memory for the poses of parts.
    part: Option<Box<Pose>>,
}

impl Pose {
    /// Returns `world_from_bone`: maps a bone's local space (along its +Y) to the world (pixels, Y up).
    #[must_use]
    pub fn world_from_bone(&self) -> &[Affine] {
        self.world.get(1..).unwrap_or_default()
    }

    /// Returns `world_from_bind`, the shader's palette: maps stored vertex positions to their positions in the frame.
    #[must_use]
    pub fn world_from_bind(&self) -> &[Affine] {
        &self.skin
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
        self.world.clear();
        self.skin.clear();
        self.at = at;
        self.skinned = false;
    }

    /// Poses the bones by transforms relative to their parents. Bones without a transform lie on their parents. Without a bind pose
    /// ([`BindSource::Absent`]) the bones move and the vertices stay as stored, here and below.
    ///
    /// There is no frame: see [`crate::scene::Frame::fill_with`] for the order and visibility of meshes.
    pub fn set_locals(&mut self, bind: &BindPose, locals: &LocalPose) {
        self.begin(bind.bone_from_bind().len(), None);
        self.compose(bind, locals);
    }

    /// Poses the bones by matrices, `parent_from_bone` of each in bone order. Bones without a matrix lie on their parents.
    pub fn set_local_matrices(&mut self, bind: &BindPose, parent_from_bone: &[Affine]) {
        self.begin(bind.bone_from_bind().len(), None);
        self.compose(bind, parent_from_bone);
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

    /// Replaces the moment, for content that is posed as other content is at another moment.
    pub fn set_moment(&mut self, at: Option<FrameAt>) {
        self.at = at;
    }

    /// Begins a pose of several parts, which [`Self::add_part`] adds.
    pub fn begin_parts(&mut self, at: Option<FrameAt>) {
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
        let end = self.skin.len().saturating_add(1).saturating_add(bones);
        let moved = |map: &Affine| multiply(world_from_part, map);
        self.world.push(*world_from_part);
        self.world.extend(part.world_from_bone().iter().map(moved));
        self.world.resize(end.saturating_add(1), *world_from_part);
        if part.skinned {
            self.skin.push(world_from_part.map(|[.., origin, _]| [0.0, 0.0, origin, 0.0]));
            self.skin.extend(part.world_from_bind().iter().map(moved));
        }
        self.skin.resize(end, *world_from_part);
        self.part = Some(part);
    }

    /// Makes room for bones that are about to be posed.
    fn begin(&mut self, count: usize, at: Option<FrameAt>) {
        self.at = at;
        self.skinned = true;
        // The roots' parent comes before all bones.
        self.world.resize(count.saturating_add(1), IDENTITY);
        self.skin.resize(count, IDENTITY);
    }

    /// Computes both matrices of each bone from local ones.
    fn compose<T: Locals + ?Sized>(&mut self, bind: &BindPose, locals: &T) {
        let (world, skin) = (&mut self.world, &mut self.skin);
        arithmetic::run(Level::new(), Compose { bind, locals, world, skin });
        self.hold(bind);
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

    /// Appends the world positions of a mesh's vertices to `out`. Vertices shown as stored are so regardless of their weights.
    pub fn place(&self, mesh: &Mesh<'_>, out: &mut Vec<[f32; 2]>) {
        if self.skinned {
            let maps = self.world_from_bind();
            out.extend(mesh.vertices().map(|vertex| skin_point(&vertex, maps)));
        } else {
            out.extend(mesh.vertices().map(|vertex| vertex.position));
        }
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
        if let Some(records) = self.exact_records() {
            pose.begin(count, self.at);
            pose.compose(self.bind, records);
        } else if let Some(sampled) = self.sampled() {
            pose.begin(count, Some(sampled.at));
            pose.compose(self.bind, &sampled);
        } else {
            pose.begin(count, None);
            pose.skinned = false;
            pose.world.fill(IDENTITY);
            pose.skin.fill(IDENTITY);
        }
    }

    /// Fills `locals` with `parent_from_bone` of each bone, in bone order; with identities if there is no frame.
    pub fn locals(&self, locals: &mut Vec<Affine>) {
        locals.clear();
        locals.resize(self.document.bones().len(), IDENTITY);
        if let Some(sampled) = self.sampled() {
            arithmetic::run(Level::new(), Write { locals: &sampled, out: locals });
        }
    }

    /// Returns the records of a frame that is neither blended nor faded, and has no number that is not finite.
    #[inline(always)]
    fn exact_records(&self) -> Option<&[TransformRecord]> {
        let at = self.at.filter(|at| at.blend <= 0.0)?;
        if self.mix.is_some_and(|mix| mix.amount > 0.0) || !self.is_finite() {
            return None;
        }
        Some(self.document.animation(at.animation)?.frame(at.frame)?.records())
    }

    fn is_finite(&self) -> bool {
        self.document.warnings().count(PchrRule::TransformNotFinite) == 0
    }

    /// Returns the records that are posed; `None` if there is no such frame.
    ///
    /// A cross-fade that is over is the moment it went to, bit for bit; one to a frame that does not exist has not begun.
    #[inline(always)]
    fn sampled(&self) -> Option<SampledBones<'_>> {
        let at = self.at?;
        let from = SampledClip::new(self.document, at)?;
        let finite = self.is_finite();
        if let Some(mix) = self.mix.filter(|mix| mix.amount > 0.0)
            && let Some(to) = SampledClip::new(self.document, mix.to)
        {
            let at = mix.owner(at);
            return Some(match mix.amount < 1.0 {
                true => SampledBones { at, finite, from, to: Some((to, mix.amount)) },
                false => SampledBones { at, finite, from: to, to: None },
            });
        }
        Some(SampledBones { at, finite, from, to: None })
    }
}

trait Locals {
    /// Returns `parent_from_bone` of eight bones from `first`; anything for bones that do not exist.
    fn eight<L: Lanes>(&self, lanes: L, first: usize) -> Option<[Affine; LANES]>;
}

/// Records of the moment that is posed, and of a cross-fade.
#[derive(Clone, Copy)]
struct SampledBones<'a> {
    /// The moment that determines order and visibility.
    at: FrameAt,
    /// False if the records may hold numbers that are not finite.
    finite: bool,
    from: SampledClip<'a>,
    /// Records that they are faded to, and how far.
    to: Option<(SampledClip<'a>, f32)>,
}

impl Locals for SampledBones<'_> {
    #[inline(always)]
    fn eight<L: Lanes>(&self, lanes: L, first: usize) -> Option<[Affine; LANES]> {
        let mut fields = self.from.fields(lanes, first, self.finite)?;
        if let Some((to, amount)) = &self.to {
            let to = to.fields(lanes, first, self.finite)?;
            fields = fields.blended(&to, f32x8::splat(lanes.simd(), *amount));
        }
        Some(fields.parent_from_bone().rows(lanes))
    }
}

/// The common case has its own code, which tests nothing.
impl Locals for [TransformRecord] {
    #[inline(always)]
    fn eight<L: Lanes>(&self, lanes: L, first: usize) -> Option<[Affine; LANES]> {
        Some(read(lanes, self, first, true)?.parent_from_bone().rows(lanes))
    }
}

impl Locals for LocalPose {
    #[inline(always)]
    fn eight<L: Lanes>(&self, lanes: L, first: usize) -> Option<[Affine; LANES]> {
        let on_parent = BoneTransform::default();
        let transform = |lane| self.transforms().get(first.saturating_add(lane));
        let transforms = std::array::from_fn(|lane| transform(lane).unwrap_or(&on_parent));
        Some(Transforms::of(lanes.simd(), transforms).parent_from_bone().rows(lanes))
    }
}

impl Locals for [Affine] {
    #[inline(always)]
    fn eight<L: Lanes>(&self, _: L, first: usize) -> Option<[Affine; LANES]> {
        match self.get(first..).and_then(<[_]>::first_chunk) {
            Some(eight) => Some(*eight),
            None => Some(less_than_eight(self, first)),
        }
    }
}

#[cold]
#[inline(never)]
fn less_than_eight(maps: &[Affine], first: usize) -> [Affine; LANES] {
    std::array::from_fn(|lane| maps.get(first.saturating_add(lane)).copied().unwrap_or(IDENTITY))
}

struct Write<'a, T: ?Sized> {
    locals: &'a T,
    out: &'a mut [Affine],
}

impl<T: Locals + ?Sized> LaneWork for Write<'_, T> {
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        write(lanes, self.locals, 0, self.out);
    }
}

/// Writes the local matrices of the bones from `first`. The last eight overlap those before if they are not full.
#[inline(always)]
fn write<L: Lanes, T: Locals + ?Sized>(lanes: L, locals: &T, first: usize, out: &mut [Affine]) {
    let last = out.len().saturating_sub(LANES);
    let (eights, rest) = out.as_chunks_mut::<LANES>();
    for (out, at) in eights.iter_mut().zip((first..).step_by(LANES)) {
        let Some(maps) = locals.eight(lanes, at) else { return };
        *out = maps;
    }
    if !rest.is_empty()
        && let Some(maps) = locals.eight(lanes, first.saturating_add(last))
    {
        for (out, map) in out.iter_mut().skip(last).zip(maps) {
            *out = map;
        }
    }
}

/// Computes the world and skinning matrices of all bones.
struct Compose<'a, T: ?Sized> {
    bind: &'a BindPose,
    locals: &'a T,
    world: &'a mut [Affine],
    skin: &'a mut [Affine],
}

impl<T: Locals + ?Sized> LaneWork for Compose<'_, T> {
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { bind, locals, world, skin } = self;
        let bones = bind.parents.chunks(BATCH).zip(bind.bone_from_bind.chunks(BATCH));
        for (((parents, inverses), skins), first) in
            bones.zip(skin.chunks_mut(BATCH)).zip((0..).step_by(BATCH))
        {
            // Local matrices lie where skinning matrices will be.
            write(lanes, locals, first, skins);
            let Some(before) = world.get(first) else { return };
            // Of a bone that follows its parent, the parent's matrix needs no way through memory.
            let mut world_from_last = lanes.load(before);
            for (((parent, inverse), skin), place) in
                parents.iter().zip(inverses).zip(skins).zip(first..)
            {
                let parent = *parent as usize;
                if parent != place {
                    let Some(map) = world.get(parent) else { return };
                    world_from_last = lanes.load(map);
                }
                world_from_last = lanes.multiply(world_from_last, skin);
                if let Some(out) = world.get_mut(place + 1) {
                    lanes.store(world_from_last, out);
                }
                lanes.store(lanes.multiply(world_from_last, inverse), skin);
            }
        }
    }
}

/// Returns `T(x, y) · R(rotation) · S(scaleX, scaleY)` of a transform, with the bits that it has in a pose.
#[must_use]
pub fn parent_from_bone(transform: &BoneTransform) -> Affine {
    let mut map = [IDENTITY];
    let locals = LocalPose::of(vec![*transform]);
    arithmetic::run(Level::new(), Write { locals: &locals, out: &mut map });
    let [map] = map;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// World and skinning matrices of a skeleton, by the instructions of `level`.
    fn composed(level: Level, bind: &BindPose, locals: &LocalPose) -> [Vec<Affine>; 2] {
        let count = bind.parents.len();
        let (mut world, mut skin) = (vec![IDENTITY; count + 1], vec![IDENTITY; count]);
        arithmetic::run(level, Compose { bind, locals, world: &mut world, skin: &mut skin });
        [world, skin]
    }

    #[test]
    fn a_pose_has_the_same_bits_with_any_instructions() {
        let mut state = 1_u32;
        let mut random = |scale: f32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 8) as f32 / 8_388_608.0 - 1.0) * scale
        };
        for count in (0..20).chain([31, 32, 33, 64, 97]) {
            let parent = |bone: u32| if bone.is_multiple_of(7) { 0 } else { bone - bone % 3 };
            let map = |random: &mut dyn FnMut(f32) -> f32| {
                [
                    [random(2.0), random(2.0), random(90.0), 0.0],
                    [random(2.0), random(2.0), random(90.0), 0.0],
                ]
            };
            let bind = BindPose {
                source: BindSource::Disabled,
                parents: (0..count).map(parent).collect(),
                bone_from_bind: (0..count).map(|_| map(&mut random)).collect(),
                degenerate: Vec::new(),
            };
            let transform = |_| BoneTransform {
                x: random(100.0),
                y: random(100.0),
                rotation: random(720.0),
                scale_x: random(2.0),
                scale_y: random(2.0),
                ..BoneTransform::default()
            };
            let locals = LocalPose::of((0..count).map(transform).collect());
            let best = composed(Level::new(), &bind, &locals);
            let plain = composed(Level::baseline(), &bind, &locals);
            let bits = |maps: &[Vec<Affine>; 2]| -> Vec<u32> {
                maps.concat().as_flattened().as_flattened().iter().map(|x| x.to_bits()).collect()
            };
            assert_eq!(bits(&best), bits(&plain), "{count} bones");
            // And those of one bone after the other.
            let mut world = vec![IDENTITY];
            for (bone, local) in locals.transforms().iter().enumerate() {
                let map = multiply(&world[bind.parents[bone] as usize], &parent_from_bone(local));
                world.push(map);
            }
            let skin = world[1..].iter().zip(&bind.bone_from_bind).map(|(a, b)| multiply(a, b));
            assert_eq!(bits(&best), bits(&[world.clone(), skin.collect()]), "{count} bones");
        }
    }
}
