//! Skinning matrices of many moments of one skeleton, eight at a time.

use fearless_simd::prelude::*;
use fearless_simd::{Level, f32x8};

use super::affine::{Affine, IDENTITY};
use super::bind::{BindPose, BindSource};
use super::lanes::{self, LANES, LaneWork, Lanes};
use super::sample::{Affines, SampledClip, Transforms};
use crate::document::{Document, PchrRule};
use crate::playback::FrameAt;

/// Skinning matrices of many moments of one skeleton, such as all frames of a clip or the figures of a crowd. Reuses its memory.
///
/// Eight moments are posed together, one in each lane, which gives the numbers of [`super::PoseJob`].
#[derive(Clone, Debug, Default)]
pub struct Palettes {
    matrices: Vec<Affine>,
    bones: usize,
    /// `world_from_bone` of eight moments: the identity, then each bone.
    world: Vec<WorldRow>,
}

/// The six numbers of eight maps, lane by lane.
type WorldRow = [[f32; LANES]; 6];

const IDENTITIES: WorldRow =
    [[1.0; LANES], [0.0; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES], [0.0; LANES]];

impl Palettes {
    /// Poses moments of a document. One that does not exist gets identities, which show the vertices as stored.
    pub fn fill(&mut self, document: &Document, bind: &BindPose, moments: &[FrameAt]) {
        self.bones = document.bones().len();
        self.matrices.resize(self.bones * moments.len(), IDENTITY);
        self.world.resize(self.bones + 1, IDENTITIES);
        if self.bones == 0 {
            return;
        }
        if bind.source() == BindSource::Absent {
            self.matrices.fill(IDENTITY);
            return;
        }
        let finite = document.warnings().count(PchrRule::TransformNotFinite) == 0;
        let level = Level::new();
        let outs = self.matrices.chunks_mut(self.bones * LANES);
        for (moments, out) in moments.chunks(LANES).zip(outs) {
            let found: [_; LANES] = std::array::from_fn(|lane| {
                moments.get(lane).and_then(|at| SampledClip::new(document, *at))
            });
            if let Some(any) = found.into_iter().flatten().next() {
                // Lanes without a moment repeat another one.
                let clips = found.map(|clip| clip.unwrap_or(any));
                lanes::run(level, Eight { bind, clips, finite, world: &mut self.world, out });
            }
            for (clip, palette) in found.iter().zip(out.chunks_mut(self.bones)) {
                if clip.is_none() {
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

    /// Returns `world_from_bind` of each bone, moment by moment.
    #[must_use]
    pub fn matrices(&self) -> &[Affine] {
        &self.matrices
    }

    /// Returns the palette of each moment: `world_from_bind` of each bone.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Affine]> {
        self.matrices.chunks_exact(self.bones.max(1))
    }
}

struct Eight<'a> {
    bind: &'a BindPose,
    clips: [SampledClip<'a>; LANES],
    finite: bool,
    world: &'a mut [WorldRow],
    /// Palettes of up to eight moments.
    out: &'a mut [Affine],
}

impl LaneWork for Eight<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { bind, clips, finite, world, out } = self;
        let simd = lanes.simd();
        let bones = bind.bone_from_bind.len();
        let mut palettes = out.chunks_exact_mut(bones);
        let mut palettes: [_; LANES] = std::array::from_fn(|_| palettes.next().unwrap_or_default());
        let here = clips.map(|clip| clip.records);
        let next = clips.map(|clip| clip.next.map_or(clip.records, |(records, _)| records));
        let blend = clips.map(|clip| clip.next.map_or(0.0, |(_, blend)| blend));
        let blends = blend != [0.0; LANES];
        let blend = f32x8::simd_from(simd, blend);
        for (bone, (parent, inverse)) in bind.parents.iter().zip(&bind.bone_from_bind).enumerate() {
            let Some(fields) = Transforms::read_bone(lanes, &here, bone, finite) else {
                return;
            };
            let fields = match Transforms::read_bone(lanes, &next, bone, finite) {
                Some(next) if blends => fields.blended(&next, blend),
                _ => fields,
            };
            let Some(parent) = world.get(*parent as usize) else {
                return;
            };
            let world_from_bone = Affines::load(simd, parent).multiply(&fields.parent_from_bone());
            if let Some(row) = world.get_mut(bone + 1) {
                world_from_bone.store(row);
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
}
