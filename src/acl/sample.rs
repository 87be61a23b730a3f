//! Poses at any time.

use glam::Vec4;

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

    fn pose(&self, frames: [u32; 2], blend: Option<f32>, out: &mut Vec<Transform>) {
        out.clear();
        out.extend_from_slice(self.rest());
        let [before, after] = frames;
        let Some(first) = self.sample_at(before) else {
            return; // no tracks
        };
        let second = match after == before {
            true => None,
            false => self.sample_at(after),
        };
        let job = Job {
            first,
            second,
            blend: blend.map(Vec4::splat),
            formats: self.formats(),
            is_ranged: self.segments().len() > 1,
            groups: self.all_groups(),
        };
        self.path().run(&job, out);
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
