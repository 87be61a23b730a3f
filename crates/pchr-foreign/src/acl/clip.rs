//! A clip that was read and checked, and its samples: the transform of each track at a moment.

use std::sync::Arc;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8};

use pchr::finding::{Finding, Findings, Invalid};

use super::header::{
    AclHeader, Chunk, Formats, HEADER, Part, RotationFormat, Storage, TracksHeader, Transform,
};
use super::lanes::{self, Bits, Both, PADDING};
use super::metadata::{self, Metadata};
use super::segments::{FLOAT, PackedRanges, SEGMENT_HEADER, Segment, SegmentReading, Segments};
use super::stored::{self, LANES, Stored, ValueGroup, put};

/// A compressed clip: tracks of transforms, sampled at a steady rate. Samples stay compressed, and clones share them.
#[derive(Clone, Debug)]
pub struct Clip(Arc<ClipData>);

#[derive(Debug)]
struct ClipData {
    /// The chunk, followed by zeros.
    padded: Box<[u8]>,
    header: AclHeader,
    duration: f32,
    /// Pose of all that does not move.
    rest: Box<[Transform]>,
    /// The tracks of each part that have something stored.
    stored: [Stored; 3],
    /// Groups of the animated tracks of each part.
    groups: [Box<[ValueGroup]>; 3],
    segments: Segments,
    /// Groups of all parts.
    group_count: usize,
    sizes: Sizes,
    metadata: metadata::MetadataPlaces,
    /// The instructions for this machine.
    level: Level,
}

/// Bytes of the parts of a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The whole chunk.
    pub chunk: u64,
    /// Both headers.
    pub headers: u64,
    /// Tables of segments.
    pub segments: u64,
    /// Storage of each part of each track.
    pub types: u64,
    /// Constant samples.
    pub constants: u64,
    /// Ranges of animated tracks in the clip.
    pub clip_ranges: u64,
    /// Bit counts of animated tracks in all segments.
    pub formats: u64,
    /// Ranges of animated tracks in all segments.
    pub segment_ranges: u64,
    /// Animated samples.
    pub samples: u64,
}

impl Clip {
    /// Version of the format, the only one that is read: that of ACL 2.0.
    pub const VERSION: u16 = 7;

    /// Reads the chunk at the start of `bytes`, with warnings about it; more bytes may follow. `base` is its place in its file, from
    /// which offsets of findings count. The clip keeps a copy of the chunk.
    ///
    /// # Errors
    /// [`Invalid`] with every finding, if one of them is an error.
    pub fn read(bytes: &[u8], base: u64) -> Result<(Self, Findings), Invalid> {
        let mut found = Findings::default();
        match read(Chunk { bytes, base }, &mut found) {
            Ok(inner) => Ok((Self(Arc::new(inner)), found)),
            Err(fault) => {
                found.push(fault);
                Err(Invalid(found))
            }
        }
    }

    /// The chunk.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        let size = usize::try_from(self.0.sizes.chunk).unwrap_or(usize::MAX);
        self.0.padded.get(..size).unwrap_or_default()
    }

    /// Number of tracks.
    #[must_use]
    pub fn track_count(&self) -> u16 {
        self.0.header.track_count
    }

    /// Number of samples of each track; 0 only without tracks.
    #[must_use]
    pub fn sample_count(&self) -> u32 {
        self.0.header.sample_count
    }

    /// Samples per second: a number above 0.
    #[must_use]
    pub fn sample_rate(&self) -> f32 {
        self.0.header.rate
    }

    /// Seconds from the first sample to the last.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.0.duration
    }

    /// Formats of the three parts.
    #[must_use]
    pub fn formats(&self) -> Formats {
        self.0.header.formats
    }

    /// Scale of tracks that store none: 1, or 0 in clips that are added to others.
    #[must_use]
    pub fn default_scale(&self) -> f32 {
        self.0.header.default_scale
    }

    /// Storage of a part of a track.
    #[must_use]
    pub fn storage(&self, part: Part, track: u16) -> Storage {
        let Stored { constant, animated } = part.of(self.0.stored.each_ref());
        let is_in = |tracks: &[u16]| tracks.binary_search(&track).is_ok();
        match (is_in(animated), is_in(constant)) {
            (true, _) => Storage::Animated,
            (false, true) => Storage::Constant,
            (false, false) => Storage::Default,
        }
    }

    /// Bits of a number of an animated track in a segment: 3 to 19, 32 for floats, 0 if the track is constant.
    #[must_use]
    pub fn bit_count(&self, part: Part, track: u16, segment: usize) -> Option<u8> {
        let Stored { animated, .. } = part.of(self.0.stored.each_ref());
        let index = animated.binary_search(&track).ok()?;
        let before = self.0.groups.iter().take(part as usize);
        let before = before.map(|groups| groups.len()).fold(0, usize::saturating_add);
        let packed = self.packed(segment).get(before.checked_add(index / LANES)?)?;
        packed.bits.get(index % LANES).and_then(|bits| u8::try_from(*bits).ok())
    }

    /// Number of tracks whose part has this storage.
    #[must_use]
    pub fn count(&self, part: Part, storage: Storage) -> usize {
        let tracks = 0..self.track_count();
        tracks.filter(|track| self.storage(part, *track) == storage).count()
    }

    /// The segments in their order; none only without tracks.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.0.segments.all
    }

    /// Bytes of the parts of the chunk.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        self.0.sizes
    }

    /// Size of all samples without compression, in bytes.
    #[must_use]
    pub fn raw_size(&self) -> u64 {
        let samples = u64::from(self.sample_count()).saturating_mul(self.track_count().into());
        samples.saturating_mul(Transform::SIZE)
    }

    /// Names, parents and precisions, where they are stored.
    #[must_use]
    pub fn metadata(&self) -> Metadata<'_> {
        Metadata { bytes: self.bytes(), places: self.0.metadata }
    }

    /// Groups of all parts in a segment.
    fn packed(&self, segment: usize) -> &[PackedRanges] {
        let start = segment.saturating_mul(self.0.group_count);
        let from = self.0.segments.packed.get(start..).unwrap_or_default();
        from.get(..self.0.group_count).unwrap_or_default()
    }
}

fn read(file: Chunk<'_>, found: &mut Findings) -> Result<ClipData, Finding> {
    let (header, chunk) = AclHeader::read(file, found)?;
    let mut inner = ClipData {
        padded: Box::default(),
        duration: duration(&header),
        header,
        rest: Box::default(),
        stored: Default::default(),
        groups: Default::default(),
        segments: Segments::default(),
        group_count: 0,
        sizes: Sizes { chunk: chunk.bytes.len() as u64, headers: HEADER, ..Sizes::default() },
        metadata: metadata::MetadataPlaces::default(),
        level: level(),
    };
    if header.track_count > 0 {
        let tracks = TracksHeader::read(chunk)?;
        let stored = stored::read_types(chunk, &header, &tracks)?;
        inner.rest = stored::read_rest(chunk, &header, &tracks, &stored, found)?;
        inner.groups = stored::read_groups(chunk, &header, &tracks, &stored, found)?;
        let reading =
            SegmentReading { chunk, header: &header, tracks: &tracks, groups: &inner.groups };
        inner.segments = reading.read()?;
        inner.stored = stored;
        let groups = inner.groups.iter().map(|groups| groups.len());
        inner.group_count = groups.fold(0, usize::saturating_add);
        inner.metadata = metadata::read(chunk, &header, found);
        inner.sizes = sizes(&inner, &tracks);
    }
    let mut padded = Vec::with_capacity(chunk.bytes.len().saturating_add(PADDING));
    padded.extend_from_slice(chunk.bytes);
    padded.extend([0; PADDING]);
    inner.padded = padded.into();
    Ok(inner)
}

/// In 32-bit floats, as ACL has it.
fn duration(header: &AclHeader) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "at most 2^24 samples")]
    let steps = header.sample_count.saturating_sub(1) as f32;
    steps / header.rate
}

fn sizes(inner: &ClipData, tracks: &TracksHeader) -> Sizes {
    let header = &inner.header;
    let sum = |of: &dyn Fn(Part) -> u64| {
        let parts = Part::ALL.into_iter().filter(|part| header.formats.has(*part));
        parts.map(of).fold(0, u64::saturating_add)
    };
    let in_segments = |of: fn(&Segment) -> &std::ops::Range<u32>| {
        let ranges = inner.segments.all.iter().map(of);
        let lengths = ranges.map(|range| u64::from(range.end.saturating_sub(range.start)));
        lengths.fold(0, u64::saturating_add)
    };
    let segment_count = u64::from(tracks.segment_count);
    let starts = match segment_count {
        1 => 0,
        count => count.saturating_add(1).saturating_mul(4),
    };
    Sizes {
        chunk: inner.sizes.chunk,
        headers: tracks.starts,
        segments: segment_count.saturating_mul(SEGMENT_HEADER).saturating_add(starts),
        types: sum(&|_| stored::table_size(header.track_count)),
        constants: sum(&|part| stored::constant_size(header, part, part.of(tracks.constant))),
        clip_ranges: sum(&|part| stored::range_size(header, part, part.of(tracks.animated))),
        formats: in_segments(|segment| &segment.formats),
        segment_ranges: in_segments(|segment| &segment.ranges),
        samples: in_segments(|segment| &segment.poses),
    }
}

/// The instructions that are used. Vectors wider than those of AVX2 gain nothing here.
fn level() -> Level {
    let level = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let level = level.as_avx2().map_or(level, Level::Avx2);
    level
}

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
struct Sample<'a> {
    segment: usize,
    /// Groups of the segment.
    packed: &'a [PackedRanges],
    bits: Bits<'a>,
}

/// A pose between two samples.
#[derive(Clone, Copy)]
struct SampleJob<'a> {
    first: Sample<'a>,
    second: Sample<'a>,
    /// Weight of the second sample; `None` leaves the first as it is.
    weight: Option<f32>,
    formats: Formats,
    /// Segments have ranges of their own.
    is_ranged: bool,
    groups: &'a [Box<[ValueGroup]>; 3],
}

impl SampleJob<'_> {
    /// Sets all animated parts of a pose. Any instructions give the same bits.
    fn run(&self, level: Level, out: &mut [Transform]) {
        dispatch!(level, simd => self.run_with(simd, out));
    }

    #[inline(always)]
    fn run_with<S: Simd>(&self, simd: S, out: &mut [Transform]) {
        let mut index = 0_usize;
        let [rotations, translations, scales] = self.groups;
        for group in rotations {
            self.rotations(simd, index, group, out);
            index = index.wrapping_add(1);
        }
        for group in translations {
            let set = |transform: &mut Transform, value| transform.translation = value;
            self.vectors(simd, Part::Translation, index, group, out, set);
            index = index.wrapping_add(1);
        }
        for group in scales {
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
