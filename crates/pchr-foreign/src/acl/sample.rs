//! Samples of a clip: the transform of each track at a moment.

use fearless_simd::prelude::*;
use fearless_simd::{dispatch, f32x8};

use super::Clip;
use super::header::{Formats, Part, PerPart, RotationFormat, Transform};
use super::lanes::{self, Bits, Both};
use super::segments::{FLOAT, PackedRanges, Segment};
use super::stored::{LANES, ValueGroup, put};

impl Clip {
    /// Fills `out` with the pose at a time in seconds: a transform for each track. Times before the first sample or after the last are
    /// those. Between two samples both are blended, rotations on the shorter way. Nothing is allocated once `out` is large enough.
    pub fn sample(&self, seconds: f32, out: &mut Vec<Transform>) {
        let last = self.sample_count().saturating_sub(1);
        let place = seconds.max(0.0).min(self.duration()) * self.sample_rate();
        #[expect(clippy::cast_possible_truncation, reason = "saturates, and never negative")]
        let before = place as u32;
        let blend = place - before as f32;
        let before = before.min(last);
        let after = before.saturating_add(1).min(last);
        self.pose([before, after], Some(blend), out);
    }

    /// Fills `out` with the pose at a sample, counted from 0; beyond the end that is the last one. Rotations are normalised, as always.
    pub fn sample_frame(&self, frame: u32, out: &mut Vec<Transform>) {
        let frame = frame.min(self.sample_count().saturating_sub(1));
        self.pose([frame; 2], None, out);
    }

    fn pose(&self, frames: [u32; 2], weight: Option<f32>, out: &mut Vec<Transform>) {
        out.clear();
        out.extend_from_slice(&self.0.rest);
        if let Some(job) = self.job(frames, weight) {
            job.run(self.0.level, out);
        }
    }

    /// The work on a pose between two samples; `None` without tracks.
    fn job(&self, [before, after]: [u32; 2], weight: Option<f32>) -> Option<SampleJob<'_>> {
        let first = self.sample_at(before)?;
        Some(SampleJob {
            first,
            second: self.sample_at(after).unwrap_or(first),
            weight,
            formats: self.formats(),
            is_ranged: self.segments().len() > 1,
            groups: &self.0.groups,
        })
    }

    fn sample_at(&self, frame: u32) -> Option<Sample<'_>> {
        let segments = self.segments();
        let index = segments.partition_point(|segment| segment.start <= frame).checked_sub(1)?;
        let segment: &Segment = segments.get(index)?;
        let within = u64::from(frame.saturating_sub(segment.start));
        let start = within.saturating_mul(segment.pose_bits.into());
        let start = start.saturating_add(u64::from(segment.poses.start).saturating_mul(8));
        Some(Sample {
            segment: index,
            packed: self.packed(index),
            bits: Bits::new(&self.0.padded, start),
        })
    }
}

#[cfg(test)]
#[path = "../../../../tests/support/acl.rs"]
mod encoder;

/// Place of a sample.
#[derive(Clone, Copy)]
pub(super) struct Sample<'a> {
    pub(super) segment: usize,
    /// Groups of the segment.
    pub(super) packed: &'a [PackedRanges],
    pub(super) bits: Bits<'a>,
}

/// A pose between two samples.
#[derive(Clone, Copy)]
pub(super) struct SampleJob<'a> {
    pub(super) first: Sample<'a>,
    pub(super) second: Sample<'a>,
    /// Weight of the second sample; `None` leaves the first as it is.
    pub(super) weight: Option<f32>,
    pub(super) formats: Formats,
    /// Segments have ranges of their own.
    pub(super) is_ranged: bool,
    pub(super) groups: &'a PerPart<Box<[ValueGroup]>>,
}

impl SampleJob<'_> {
    /// Sets all animated parts of a pose. Any instructions give the same bits.
    pub(super) fn run(&self, level: fearless_simd::Level, out: &mut [Transform]) {
        dispatch!(level, simd => self.run_with(simd, out));
    }

    #[inline(always)]
    fn run_with<S: Simd>(&self, simd: S, out: &mut [Transform]) {
        let mut index = 0_usize;
        for group in &self.groups.rotation {
            self.rotations(simd, index, group, out);
            index = index.wrapping_add(1);
        }
        for group in &self.groups.translation {
            let set = |transform: &mut Transform, value| transform.translation = value;
            self.vectors(simd, Part::Translation, index, group, out, set);
            index = index.wrapping_add(1);
        }
        for group in &self.groups.scale {
            let set = |transform: &mut Transform, value| transform.scale = value;
            self.vectors(simd, Part::Scale, index, group, out, set);
            index = index.wrapping_add(1);
        }
    }

    #[inline(always)]
    fn rotations<S: Simd>(&self, simd: S, index: usize, group: &ValueGroup, out: &mut [Transform]) {
        let both = match self.formats.rotation {
            RotationFormat::Full => self.floats(simd, index),
            _ => lanes::with_w(self.three(simd, Part::Rotation, index, group)),
        };
        let values = lanes::by_track(lanes::blend_rotations(both, self.weight));
        for (value, track) in values.into_iter().zip(group.tracks) {
            if let Some(transform) = out.get_mut(usize::from(track)) {
                transform.rotation = value;
            }
        }
    }

    #[inline(always)]
    fn vectors<S: Simd>(
        &self,
        simd: S,
        part: Part,
        index: usize,
        group: &ValueGroup,
        out: &mut [Transform],
        set: impl Fn(&mut Transform, [f32; 3]),
    ) {
        let [x, y, z] = self.three(simd, part, index, group);
        let weight = self.weight;
        let (x, y) = (lanes::blend(x, weight), lanes::blend(y, weight));
        let z = lanes::blend(z, weight);
        for ([x, y, z, _], track) in lanes::by_track([x, y, z, z]).into_iter().zip(group.tracks) {
            if let Some(transform) = out.get_mut(usize::from(track)) {
                set(transform, [x, y, z]);
            }
        }
    }

    /// Three components of a group at both samples.
    #[inline(always)]
    fn three<S: Simd>(
        &self,
        simd: S,
        part: Part,
        index: usize,
        group: &ValueGroup,
    ) -> [Both<S>; 3] {
        if !self.formats.is_variable(part) {
            return self.floats(simd, index);
        }
        let (a, b) = self.packed(index);
        let words =
            [self.first.bits.words(a.offset, a.bits), self.second.bits.words(b.offset, b.bits)];
        let value = if self.first.segment == self.second.segment {
            lanes::values(simd, [a, a], words, self.is_ranged)
        } else {
            lanes::values(simd, [a, b], words, self.is_ranged)
        };
        let mut value = lanes::in_range(value, &group.min, &group.extent);
        if a.has_floats || b.has_floats {
            let [x, y, z] = value;
            let mut lanes = [x.into(), y.into(), z.into()];
            self.put_floats(index, &mut lanes);
            let [x, y, z] = lanes;
            value =
                [f32x8::simd_from(simd, x), f32x8::simd_from(simd, y), f32x8::simd_from(simd, z)];
        }
        value
    }

    /// A group at both samples.
    #[inline(always)]
    fn packed(&self, index: usize) -> (&PackedRanges, &PackedRanges) {
        (
            self.first.packed.get(index).unwrap_or(&PackedRanges::NONE),
            self.second.packed.get(index).unwrap_or(&PackedRanges::NONE),
        )
    }

    /// `N` components of a group that are floats for all tracks.
    #[inline(always)]
    fn floats<S: Simd, const N: usize>(&self, simd: S, index: usize) -> [Both<S>; N] {
        let (a, b) = self.packed(index);
        let mut lanes = [[0.0; 2 * LANES]; N];
        for (sample, packed, half) in [(&self.first, a, 0), (&self.second, b, LANES)] {
            for lane in 0..LANES {
                let offset = lane.wrapping_mul(N.wrapping_mul(32));
                let offset = offset.wrapping_add(packed.offset as usize);
                let lane = half.wrapping_add(lane);
                put(&mut lanes, lane, sample.bits.floats(offset));
            }
        }
        lanes.map(|component| f32x8::simd_from(simd, component))
    }

    /// Puts values of tracks that have floats in their place.
    #[inline(never)]
    fn put_floats(&self, index: usize, lanes: &mut [[f32; 2 * LANES]; 3]) {
        let (a, b) = self.packed(index);
        for (sample, packed, half) in [(&self.first, a, 0), (&self.second, b, LANES)] {
            let mut offset = packed.offset as usize;
            for (bits, lane) in packed.bits.into_iter().zip(half..) {
                if bits == u64::from(FLOAT) {
                    put(lanes, lane, sample.bits.floats(offset));
                }
                let bits = usize::try_from(bits).unwrap_or_default();
                offset = offset.wrapping_add(bits.wrapping_mul(3));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::encoder::busy;
    use super::*;
    use fearless_simd::Level;

    /// All instructions that this machine has.
    fn levels() -> Vec<Level> {
        let best = Level::new();
        let mut levels = vec![Level::baseline(), best];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            levels.extend(best.as_sse2().map(Level::Sse2));
            levels.extend(best.as_sse4_2().map(Level::Sse4_2));
            levels.extend(best.as_avx2().map(Level::Avx2));
        }
        levels
    }

    #[test]
    fn any_instructions_give_the_same_bits() {
        let bits = |part, track, segment| [3, 19, 0, 7, 32, 11, 13][(part + track + segment) % 7];
        let mut encoder = busy(23, 40, bits);
        encoder.has_scale = true;
        for track in &mut encoder.tracks {
            track.scale = track.translation.clone();
        }
        let (clip, _) = Clip::read(&encoder.chunk(), 0).unwrap();
        let pose = |job: &SampleJob<'_>, level| {
            let mut pose = clip.0.rest.to_vec();
            job.run(level, &mut pose);
            pose
        };
        for frame in 0..39 {
            for weight in [None, Some(0.0), Some(0.3)] {
                let job = clip.job([frame, frame + 1], weight).unwrap();
                let expected = pose(&job, Level::baseline());
                assert_ne!(expected, *clip.0.rest);
                for level in levels() {
                    assert_eq!(pose(&job, level), expected, "{frame} {level:?}");
                }
            }
        }
    }
}
