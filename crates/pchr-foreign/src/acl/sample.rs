//! Poses at any time.

use super::Clip;
use super::bits::Bits;
use super::job::{Job, Sample};
use super::segments::Segment;
use super::transform::Transform;

impl Clip {
    /// Fills `out` with the pose at a time in seconds: a transform for each track. Times before the first sample or after the last are
    /// those. Between two samples both are blended, rotations on the shorter way. Nothing is allocated once `out` is large enough.
    pub fn sample(&self, seconds: f32, out: &mut Vec<Transform>) {
        let last = self.sample_count().saturating_sub(1);
        let place = seconds.max(0.0).min(self.duration()) * self.sample_rate();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "saturates, and never negative"
        )]
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
        out.extend_from_slice(self.rest());
        if let Some(job) = self.job(frames, weight) {
            job.run(self.level(), out);
        }
    }

    /// The work on a pose between two samples; `None` without tracks.
    fn job(&self, [before, after]: [u32; 2], weight: Option<f32>) -> Option<Job<'_>> {
        let first = self.sample_at(before)?;
        Some(Job {
            first,
            second: self.sample_at(after).unwrap_or(first),
            weight,
            formats: self.formats(),
            is_ranged: self.segments().len() > 1,
            groups: self.all_groups(),
        })
    }

    fn sample_at(&self, frame: u32) -> Option<Sample<'_>> {
        let segments = self.segments();
        let index = segments
            .partition_point(|segment| segment.start <= frame)
            .checked_sub(1)?;
        let segment: &Segment = segments.get(index)?;
        let within = u64::from(frame.saturating_sub(segment.start));
        let start = within.saturating_mul(segment.pose_bits.into());
        let start = start.saturating_add(u64::from(segment.poses.start).saturating_mul(8));
        Some(Sample {
            segment: index,
            packed: self.packed(index),
            bits: Bits::new(self.padded(), start),
        })
    }
}

#[cfg(test)]
#[path = "../../../../tests/support/acl.rs"]
mod encoder;

#[cfg(test)]
mod tests {
    use fearless_simd::Level;

    use super::encoder::busy;
    use super::*;

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
        let pose = |job: &Job<'_>, level| {
            let mut pose = clip.rest().to_vec();
            job.run(level, &mut pose);
            pose
        };
        for frame in 0..39 {
            for weight in [None, Some(0.0), Some(0.3)] {
                let job = clip.job([frame, frame + 1], weight).unwrap();
                let expected = pose(&job, Level::baseline());
                assert_ne!(expected, clip.rest());
                for level in levels() {
                    assert_eq!(pose(&job, level), expected, "{frame} {level:?}");
                }
            }
        }
    }
}
