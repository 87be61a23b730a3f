//! A clip that was read and checked.

use std::sync::Arc;

use fearless_simd::Level;

use pchr::finding::{Finding, Findings, Invalid};

use super::header::{
    AclHeader, Chunk, Formats, HEADER, Part, PerPart, Storage, TracksHeader, Transform,
};
use super::lanes::PADDING;
use super::metadata::{self, Metadata};
use super::segments::{PackedRanges, SEGMENT_HEADER, Segment, SegmentReading, Segments};
use super::stored::{self, ValueGroup};

/// A compressed clip: tracks of transforms, sampled at a steady rate. Samples stay compressed, and clones share them.
#[derive(Clone, Debug)]
pub struct Clip(pub(super) Arc<ClipData>);

#[derive(Debug)]
pub(super) struct ClipData {
    /// The chunk, followed by zeros.
    pub(super) padded: Box<[u8]>,
    header: AclHeader,
    duration: f32,
    /// Pose of all that does not move.
    pub(super) rest: Box<[Transform]>,
    types: u64,
    pub(super) groups: PerPart<Box<[ValueGroup]>>,
    segments: Segments,
    /// Groups of all parts.
    group_count: usize,
    sizes: Sizes,
    metadata: metadata::MetadataPlaces,
    /// The instructions for this machine.
    pub(super) level: Level,
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
        if !self.formats().has(part) || track >= self.track_count() {
            return Storage::Default;
        }
        let size = stored::table_size(self.track_count());
        let at = self.0.types.saturating_add(size.saturating_mul(part as u64));
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        stored::storage(self.0.padded.get(at..).unwrap_or_default(), track)
    }

    /// Bits of a number of an animated track in a segment: 3 to 19, 32 for floats, 0 if the track is constant.
    #[must_use]
    pub fn bit_count(&self, part: Part, track: u16, segment: usize) -> Option<u8> {
        let groups = self.0.groups.get(part);
        let last = |group: &ValueGroup| group.tracks.into_iter().rfind(|track| *track != u16::MAX);
        let index = groups.partition_point(|group| last(group) < Some(track));
        let mut tracks = groups.get(index)?.tracks.iter();
        let lane = tracks.position(|other| *other == track && track != u16::MAX)?;
        let before = Part::ALL.iter().take_while(|before| **before != part);
        let before = before.map(|part| self.0.groups.get(*part).len());
        let before = before.fold(0, usize::saturating_add);
        let packed = self.packed(segment).get(before.checked_add(index)?)?;
        packed.bits.get(lane).and_then(|bits| u8::try_from(*bits).ok())
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
    pub(super) fn packed(&self, segment: usize) -> &[PackedRanges] {
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
        types: 0,
        groups: PerPart::default(),
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
        inner.types = tracks.types;
        inner.group_count = { Part::ALL.iter() }
            .map(|part| inner.groups.get(*part).len())
            .fold(0, usize::saturating_add);
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
        constants: sum(&|part| stored::constant_size(header, part, *tracks.constant.get(part))),
        clip_ranges: sum(&|part| stored::range_size(header, part, *tracks.animated.get(part))),
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
