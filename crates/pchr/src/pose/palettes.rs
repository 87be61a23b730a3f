//! Skinning matrices of many figures of one skeleton, eight at a time.

use fearless_simd::prelude::*;
use fearless_simd::{Level, f32x8};

use super::arithmetic::{self, Affine, IDENTITY, LANES, LaneWork, Lanes};
use super::bind::{BindPose, BindSource};
use super::sample::{Affines, SampledClip, TransformRecord, Transforms, at_bone};
use crate::document::{Document, PchrRule};
use crate::playback::FrameAt;

/// Bones whose local matrices are computed before any is composed, which is faster than one bone after the other.
const BATCH: usize = 16;

/// Skinning matrices of many figures of one skeleton, such as all frames of a clip or a crowd. Reuses its memory.
///
/// Eight figures are posed together, one in each lane, which gives the numbers of [`super::PoseJob`].
#[derive(Clone, Debug, Default)]
pub struct Palettes {
    matrices: Vec<Affine>,
    bones: usize,
    /// `world_from_bone` of eight figures: the identity, then each bone.
    world: Vec<StoredAffines>,
}

/// The six numbers of eight maps, lane by lane.
type StoredAffines = [[f32; LANES]; 6];

const IDENTITIES: StoredAffines =
    [[1.0; LANES], [0.0; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES], [0.0; LANES]];

impl Palettes {
    /// Poses a figure at each moment. One that does not exist gets identities, which show the vertices as stored.
    pub fn fill(&mut self, document: &Document, bind: &BindPose, moments: &[FrameAt]) {
        let finite = document.warnings().count(PchrRule::TransformNotFinite) == 0;
        let eights = moments.chunks(LANES).map(|moments| {
            let clip = |lane| moments.get(lane).and_then(|at| SampledClip::new(document, *at));
            Records::new(std::array::from_fn(clip), finite)
        });
        self.pose(bind, moments.len(), eights);
    }

    /// Poses figures by matrices: `parent_from_bone` of each bone in bone order, figure by figure. Matrices beyond the last whole
    /// figure are left out.
    pub fn fill_local_matrices(&mut self, bind: &BindPose, parent_from_bone: &[Affine]) {
        let bones = bind.bone_from_bind().len().max(1);
        let eights = parent_from_bone.chunks(bones.saturating_mul(LANES)).map(|eight| {
            let mut figures = eight.chunks_exact(bones);
            Matrices::new(std::array::from_fn(|_| figures.next()))
        });
        self.pose(bind, parent_from_bone.len() / bones, eights);
    }

    fn pose<T: Locals>(
        &mut self,
        bind: &BindPose,
        figures: usize,
        eights: impl Iterator<Item = T>,
    ) {
        self.bones = bind.bone_from_bind().len();
        self.matrices.resize(self.bones.saturating_mul(figures), IDENTITY);
        self.world.resize(self.bones.saturating_add(1), IDENTITIES);
        if self.bones == 0 {
            return;
        }
        if bind.source() == BindSource::Absent {
            self.matrices.fill(IDENTITY);
            return;
        }
        let (level, world) = (Level::new(), self.world.as_mut_slice());
        for (locals, out) in eights.zip(self.matrices.chunks_mut(self.bones * LANES)) {
            arithmetic::run(level, Compose { bind, locals: &locals, world, out });
            for (lane, palette) in out.chunks_mut(self.bones).enumerate() {
                if !locals.exist(lane) {
                    palette.fill(IDENTITY);
                }
                for bone in bind.degenerate() {
                    if let Some(map) = palette.get_mut(bone.index()) {
                        *map = IDENTITY;
                    }
                }
            }
        }
    }

    /// Returns `world_from_bind` of each bone, figure by figure.
    #[must_use]
    pub fn matrices(&self) -> &[Affine] {
        &self.matrices
    }

    /// Returns the palette of each figure: `world_from_bind` of each bone.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Affine]> {
        self.matrices.chunks_exact(self.bones.max(1))
    }
}

/// Local matrices of up to eight figures.
trait Locals {
    /// Returns true if the figure of a lane has local matrices.
    fn exist(&self, lane: usize) -> bool;

    /// Stores `parent_from_bone` of the bones from `first`; `None` if there are no such bones.
    fn store<L: Lanes>(&self, lanes: L, first: usize, out: &mut [StoredAffines]) -> Option<()>;
}

/// Records of eight moments.
struct Records<'a> {
    exist: [bool; LANES],
    here: [&'a [TransformRecord]; LANES],
    /// Records that they are blended towards, and by how much.
    next: Option<([&'a [TransformRecord]; LANES], [f32; LANES])>,
    /// False if they may hold numbers that are not finite.
    finite: bool,
}

impl<'a> Records<'a> {
    fn new(clips: [Option<SampledClip<'a>>; LANES], finite: bool) -> Self {
        // Lanes without a moment repeat another one.
        let any = clips.into_iter().flatten().next();
        let here = clips.map(|clip| clip.or(any).map_or([].as_slice(), |clip| clip.records));
        let blends = clips.map(|clip| clip.and_then(|clip| clip.next));
        let mut next = None;
        if blends.iter().any(Option::is_some) {
            let mut records = here;
            for (records, blend) in records.iter_mut().zip(blends) {
                *records = blend.map_or(*records, |(next, _)| next);
            }
            next = Some((records, blends.map(|blend| blend.map_or(0.0, |(_, blend)| blend))));
        }
        Self { exist: clips.map(|clip| clip.is_some()), here, next, finite }
    }
}

impl Locals for Records<'_> {
    fn exist(&self, lane: usize) -> bool {
        self.exist.get(lane) == Some(&true)
    }

    #[inline(always)]
    fn store<L: Lanes>(&self, lanes: L, first: usize, out: &mut [StoredAffines]) -> Option<()> {
        let Self { here, next, finite, .. } = self;
        for (out, bone) in out.iter_mut().zip(first..) {
            let mut fields = Transforms::read_bone(lanes, here, bone, *finite)?;
            if let Some((next, blend)) = next {
                let next = Transforms::read_bone(lanes, next, bone, *finite)?;
                fields = fields.blended(&next, f32x8::simd_from(lanes.simd(), *blend));
            }
            fields.parent_from_bone().store(out);
        }
        Some(())
    }
}

/// Matrices of eight figures.
struct Matrices<'a> {
    exist: [bool; LANES],
    figures: [&'a [Affine]; LANES],
}

impl<'a> Matrices<'a> {
    fn new(figures: [Option<&'a [Affine]>; LANES]) -> Self {
        // Lanes without a figure repeat another one.
        let any = figures.into_iter().flatten().next().unwrap_or_default();
        let exist = figures.map(|figure| figure.is_some());
        Self { exist, figures: figures.map(|figure| figure.unwrap_or(any)) }
    }
}

impl Locals for Matrices<'_> {
    fn exist(&self, lane: usize) -> bool {
        self.exist.get(lane) == Some(&true)
    }

    #[inline(always)]
    fn store<L: Lanes>(&self, lanes: L, first: usize, out: &mut [StoredAffines]) -> Option<()> {
        for (out, bone) in out.iter_mut().zip(first..) {
            Affines::of(lanes, at_bone(&self.figures, bone)?).store(out);
        }
        Some(())
    }
}

/// Computes the skinning matrices of up to eight figures.
struct Compose<'a, T> {
    bind: &'a BindPose,
    locals: &'a T,
    world: &'a mut [StoredAffines],
    out: &'a mut [Affine],
}

impl<T: Locals> LaneWork for Compose<'_, T> {
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { bind, locals, world, out } = self;
        let simd = lanes.simd();
        let mut palettes = out.chunks_exact_mut(bind.bone_from_bind.len());
        let mut palettes: [_; LANES] = std::array::from_fn(|_| palettes.next().unwrap_or_default());
        let mut stored = [IDENTITIES; BATCH];
        let bones = bind.parents.chunks(BATCH).zip(bind.bone_from_bind.chunks(BATCH));
        for ((parents, inverses), first) in bones.zip((0..).step_by(BATCH)) {
            let stored = stored.split_at_mut(parents.len().min(BATCH)).0;
            if locals.store(lanes, first, stored).is_none() {
                return;
            }
            for (((parent, inverse), local), bone) in
                parents.iter().zip(inverses).zip(stored).zip(first..)
            {
                let Some(parent) = world.get(*parent as usize) else { return };
                let parent_from_bone = Affines::load(simd, local);
                let world_from_bone = Affines::load(simd, parent).multiply(&parent_from_bone);
                if let Some(out) = world.get_mut(bone + 1) {
                    world_from_bone.store(out);
                }
                let maps = world_from_bone.multiply(&Affines::splat(simd, inverse)).rows(lanes);
                for (palette, map) in palettes.iter_mut().zip(maps) {
                    if let Some(out) = palette.get_mut(bone) {
                        *out = map;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::AnimationId;
    use crate::pose::{BindChoice, Pose, PoseJob};

    #[test]
    fn palettes_are_those_of_single_poses() {
        let bytes = include_bytes!("../../../../assets/sample.pchr").as_slice();
        let document = crate::format::read(bytes).unwrap();
        let bind = BindPose::new(&document, BindChoice::Auto);
        let mut palettes = Palettes::default();
        let mut pose = Pose::default();
        for animation in document.animation_ids() {
            let count = document.animation(animation).unwrap().frame_count();
            // The last one does not exist.
            let mut moments: Vec<_> =
                (0..=count).map(|frame| FrameAt::exact(animation, frame)).collect();
            for blend in [0.0, 0.3] {
                for (at, of) in moments.iter_mut().zip([0.0, 1.0, 0.5].iter().cycle()) {
                    (at.next, at.blend) = ((at.frame + 1) % count, blend * of);
                }
                palettes.fill(&document, &bind, &moments);
                assert_eq!(palettes.iter().len(), moments.len());
                for (at, palette) in moments.iter().zip(palettes.iter()) {
                    let at = Some(*at);
                    PoseJob { document: &document, bind: &bind, at, mix: None }.run(&mut pose);
                    assert_eq!(palette, pose.world_from_bind(), "{at:?}");
                }
            }
        }
        palettes.fill(&document, &bind, &[FrameAt::exact(AnimationId(99), 0)]);
        assert!(palettes.matrices().iter().all(|map| *map == IDENTITY));
    }

    #[test]
    fn palettes_by_local_matrices_are_those_of_single_poses() {
        let bytes = include_bytes!("../../../../assets/sample.pchr").as_slice();
        let document = crate::format::read(bytes).unwrap();
        let bind = BindPose::new(&document, BindChoice::Auto);
        let animation = document.animation_ids().last().unwrap();
        let (mut palettes, mut pose) = (Palettes::default(), Pose::default());
        for figures in [0, 1, 7, 8, 19] {
            let (mut locals, mut all) = (Vec::new(), Vec::new());
            for frame in 0..figures {
                let at = Some(FrameAt::exact(animation, frame));
                PoseJob { document: &document, bind: &bind, at, mix: None }.locals(&mut locals);
                all.append(&mut locals);
            }
            // What is no whole figure.
            all.push(IDENTITY);
            palettes.fill_local_matrices(&bind, &all);
            assert_eq!(palettes.iter().len(), usize::from(figures));
            let bones = bind.bone_from_bind().len();
            for (locals, palette) in all.chunks_exact(bones).zip(palettes.iter()) {
                pose.set_local_matrices(&bind, locals);
                assert_eq!(palette, pose.world_from_bind());
            }
        }
        let absent = BindPose::new(&document, BindChoice::Frame(AnimationId(99), 0));
        palettes.fill_local_matrices(&absent, pose.world_from_bone());
        assert_eq!(palettes.matrices(), vec![IDENTITY; absent.bone_from_bind().len()]);
    }
}
