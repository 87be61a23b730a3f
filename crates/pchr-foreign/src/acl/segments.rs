//! Runs of samples, each with bit counts and ranges of its own.

use std::ops::Range;

use pchr::finding::Finding;

use super::AclRule;
use super::header::{ABSENT, AclHeader, Chunk, Part, TracksHeader, words};
use super::stored::{LANES, ValueGroup, put};

pub(super) const SEGMENT_HEADER: u64 = 16;
/// Bit count of floats.
pub(super) const FLOAT: u8 = 32;
/// Bytes of the range of a track in a segment.
const RANGE: u64 = 6;

/// Four animated tracks of a part in a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedRanges {
    /// Bits of a pose before those of the first track.
    pub(super) offset: u32,
    pub(super) has_floats: bool,
    /// Bits of a number of each track; 0 if it is constant, 32 if it is a float.
    pub(super) bits: [u64; LANES],
    /// Lengths of a step in a range of 1.
    pub(super) step: [f32; LANES],
    /// Smallest values in the segment, by component; for a constant track, its value.
    pub(super) min: [[f32; LANES]; 3],
    /// Lengths of the ranges in the segment, by component.
    pub(super) extent: [[f32; LANES]; 3],
}

/// A run of samples, and where its data is. Places are bytes from the start of the chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// First sample.
    pub start: u32,
    /// Number of samples.
    pub samples: u32,
    /// Bits of a pose.
    pub pose_bits: u32,
    /// Bits of its rotations, which come first.
    pub rotation_bits: u32,
    /// Bits of its translations, which follow.
    pub translation_bits: u32,
    /// Bit counts of variable tracks.
    pub formats: Range<u32>,
    /// Ranges of variable tracks; empty in a clip of one segment.
    pub ranges: Range<u32>,
    /// Poses, one after another, without gaps between them.
    pub poses: Range<u32>,
}

#[derive(Debug, Default)]
pub(super) struct Segments {
    pub(super) all: Box<[Segment]>,
    /// Groups of all segments: those of rotations, translations and scales of the first, then those of the next.
    pub(super) packed: Box<[PackedRanges]>,
}

pub(super) struct SegmentReading<'a> {
    pub(super) chunk: Chunk<'a>,
    pub(super) header: &'a AclHeader,
    pub(super) tracks: &'a TracksHeader,
    pub(super) groups: &'a [Box<[ValueGroup]>; 3],
}

impl SegmentReading<'_> {
    pub(super) fn read(&self) -> Result<Segments, Finding> {
        let starts = self.starts()?;
        let count = u64::from(self.tracks.segment_count);
        let size = count.saturating_mul(SEGMENT_HEADER);
        let what = || format!("{count} segments");
        let at = self.tracks.segments;
        let table = self.chunk.part(at, size, "segments", what)?;
        let mut all = Vec::with_capacity(starts.len());
        let mut packed = Vec::new();
        let mut end = 0;
        let ends = starts.iter().skip(1).copied();
        let ends = ends.chain([self.header.sample_count]);
        let mut fields = words(table);
        let mut next = || fields.next().unwrap_or_default();
        for (index, (start, stop)) in starts.iter().copied().zip(ends).enumerate() {
            let [pose_bits, rotation_bits, translation_bits, data] =
                [next(), next(), next(), next()];
            let samples = stop.saturating_sub(start);
            let at = at.saturating_add((index as u64).saturating_mul(SEGMENT_HEADER));
            let place = StreamPlace { index, at };
            let bits = u64::from(pose_bits).saturating_mul(samples.into());
            let [formats, ranges, poses] = self.data(bits, data, &mut end, place)?;
            let segment = Segment {
                start,
                samples,
                pose_bits,
                rotation_bits,
                translation_bits,
                formats,
                ranges,
                poses,
            };
            self.pack(&segment, place, &mut packed)?;
            all.push(segment);
        }
        Ok(Segments { all: all.into(), packed: packed.into() })
    }

    /// First samples of the segments.
    fn starts(&self) -> Result<Vec<u32>, Finding> {
        let count = u64::from(self.tracks.segment_count);
        if count == 1 {
            return Ok(vec![0]);
        }
        let size = count.saturating_add(1).saturating_mul(4);
        let what = || format!("first samples of {count} segments");
        let table = self.chunk.part(self.tracks.starts, size, "starts", what)?;
        let fault = |index: usize, message: &str| {
            let at = (index as u64).saturating_mul(4);
            let at = self.tracks.starts.saturating_add(at);
            let path = format!("segments[{index}].start");
            Err(self.chunk.finding(AclRule::SegmentStart, at, &path, message))
        };
        let mut starts: Vec<u32> = words(table).collect();
        let last = starts.pop();
        let samples = self.header.sample_count;
        let mut least = 0;
        for (index, start) in starts.iter().copied().enumerate() {
            let most = match index {
                0 => 0,
                _ => samples.saturating_sub(1),
            };
            if start < least || start > most {
                let message = format!("sample {start}, expected {least} to {most}");
                return fault(index, &message);
            }
            least = start.saturating_add(1);
        }
        if last != Some(ABSENT) {
            let message = format!("{}, expected the end of the table", last.unwrap_or(0));
            return fault(starts.len(), &message);
        }
        Ok(starts)
    }

    /// Places of a segment's formats, ranges and poses, which have a number of bits. `end` is the end of the segments before.
    fn data(
        &self,
        bits: u64,
        data: u32,
        end: &mut u64,
        place: StreamPlace,
    ) -> Result<[Range<u32>; 3], Finding> {
        let variable = u64::from(self.tracks.variable);
        let is_ranged = self.tracks.segment_count > 1;
        let range_size = if is_ranged { variable.saturating_mul(RANGE) } else { 0 };
        if variable == 0 && bits == 0 {
            return Ok([0..0, 0..0, 0..0]);
        }
        let at = super::header::HEADER.saturating_add(data.into());
        let formats = at..at.saturating_add(variable);
        let ranges = formats.end.next_multiple_of(2);
        let ranges = ranges..ranges.saturating_add(range_size);
        let poses = ranges.end.next_multiple_of(4);
        let poses = poses..poses.saturating_add(bits.div_ceil(8));
        if at < *end {
            let message =
                format!("begins at byte {at} of the chunk, but the segment before ends at {end}");
            let path = place.path("data");
            let rule = AclRule::SegmentOrder;
            return Err(self.chunk.finding(rule, place.at.saturating_add(12), &path, &message));
        }
        let parts = [
            (&formats, "formats", "bit counts"),
            (&ranges, "ranges", "ranges of tracks"),
            (&poses, "poses", "poses"),
        ];
        for (range, name, what) in parts {
            let length = range.end.saturating_sub(range.start);
            let path = place.path(name);
            self.chunk.part(range.start, length, &path, || what.into())?;
            *end = range.end;
        }
        let narrow = |range: Range<u64>| {
            let offset = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
            offset(range.start)..offset(range.end)
        };
        Ok([formats, ranges, poses].map(narrow))
    }

    /// Checks the bit counts of a segment, and appends its groups.
    fn pack(
        &self,
        segment: &Segment,
        place: StreamPlace,
        packed: &mut Vec<PackedRanges>,
    ) -> Result<(), Finding> {
        let part = |range: &Range<u32>| {
            let length = u64::from(range.end.saturating_sub(range.start));
            self.chunk.part(range.start.into(), length, "segments", || "bytes".into())
        };
        let (mut formats, mut ranges) = (part(&segment.formats)?, part(&segment.ranges)?);
        let mut formats_at = u64::from(segment.formats.start);
        let mut offset = 0_u64;
        let mut ends = [0; 3];
        for ((part, groups), end) in Part::ALL.into_iter().zip(self.groups).zip(&mut ends) {
            let is_variable = self.header.formats.is_variable(part);
            for (index, group) in groups.iter().enumerate() {
                let mut pack = PackedRanges {
                    offset: u32::try_from(offset).unwrap_or(u32::MAX),
                    ..PackedRanges::NONE
                };
                if !is_variable {
                    pack.bits = [FLOAT.into(); LANES];
                    let bits = u64::from(self.header.formats.full_bits(part));
                    offset = offset.saturating_add(bits.saturating_mul(group.len() as u64));
                    packed.push(pack);
                    continue;
                }
                let lanes = match part {
                    Part::Rotation => LANES, // padded
                    _ => group.len(),
                };
                let (bits, rest) = formats.split_at_checked(lanes).unwrap_or_default();
                formats = rest;
                let size = if ranges.is_empty() { 0 } else { lanes.saturating_mul(6) };
                let (range, rest) = ranges.split_at_checked(size).unwrap_or_default();
                ranges = rest;
                let counts = bits.iter().copied().take(group.len());
                for ((lane, bits), packed) in counts.enumerate().zip(&mut pack.bits) {
                    *packed = bits.into();
                    pack.has_floats |= bits == FLOAT;
                    if !matches!(bits, 3..=19 | 32) && (bits > 0 || self.tracks.segment_count == 1)
                    {
                        let none = if self.tracks.segment_count > 1 { "0, " } else { "" };
                        let message = format!("{bits} bits, expected {none}3 to 19, or 32");
                        let track = index.saturating_mul(LANES).saturating_add(lane);
                        let path = place.path(&format!("{}[{track}]", part.plural()));
                        let at = formats_at.saturating_add(lane as u64);
                        return Err(self.chunk.finding(AclRule::BitCount, at, &path, &message));
                    }
                    offset = offset.saturating_add(u64::from(bits).saturating_mul(3));
                }
                formats_at = formats_at.saturating_add(lanes as u64);
                pack.step = pack.bits.map(step);
                match part {
                    Part::Rotation => pack.by_component(range),
                    _ => pack.by_track(range),
                }
                packed.push(pack);
            }
            *end = offset;
        }
        let [rotations, translations, all] = ends;
        let sums = [
            ("rotationBits", segment.rotation_bits, rotations, 4, "rotations"),
            (
                "translationBits",
                segment.translation_bits,
                translations.saturating_sub(rotations),
                8,
                "translations",
            ),
            ("poseBits", segment.pose_bits, all, 0, "tracks"),
        ];
        for (name, stated, sum, field, what) in sums {
            if u64::from(stated) != sum {
                let message = format!("{stated}, but the {what} take {sum}");
                let at = place.at.saturating_add(field);
                return Err(self.chunk.finding(AclRule::PoseBits, at, &place.path(name), &message));
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct StreamPlace {
    index: usize,
    at: u64,
}

impl StreamPlace {
    fn path(self, name: &str) -> String {
        format!("segments[{}].{name}", self.index)
    }
}

impl PackedRanges {
    /// Place of an absent group. Data read for an absent track is discarded.
    pub(super) const NONE: Self = Self {
        offset: 0,
        has_floats: false,
        bits: [3; LANES],
        step: [0.0; LANES],
        min: [[0.0; LANES]; 3],
        extent: [[0.0; LANES]; 3],
    };

    /// Takes the ranges of four rotations: each component of all, smallest values first.
    fn by_component(&mut self, range: &[u8]) {
        let components = range.as_chunks::<LANES>().0;
        for lane in 0..LANES {
            let mut bytes = components.iter().filter_map(|lanes| lanes.get(lane).copied());
            let range = std::array::from_fn(|_| bytes.next().unwrap_or_default());
            self.set(lane, range, u16::from_be_bytes);
        }
    }

    /// Takes the ranges of vectors: all of each, smallest values first.
    fn by_track(&mut self, range: &[u8]) {
        for (lane, range) in range.as_chunks().0.iter().enumerate() {
            self.set(lane, *range, u16::from_le_bytes);
        }
    }

    /// Sets the range of a track, or its value if it is constant.
    fn set(&mut self, lane: usize, range: [u8; 6], word: fn([u8; 2]) -> u16) {
        let [a, b, c, d, e, f] = range;
        let byte = |byte: u8| f32::from(byte) * (1.0 / 255.0);
        let word = |a, b| f32::from(word([a, b])) * (1.0 / 65535.0);
        let (min, extent) = match self.bits.get(lane) {
            Some(0) => ([word(a, b), word(c, d), word(e, f)], [0.0; 3]),
            _ => ([byte(a), byte(b), byte(c)], [byte(d), byte(e), byte(f)]),
        };
        put(&mut self.min, lane, min);
        put(&mut self.extent, lane, extent);
    }
}

/// Length of a step of numbers in a range of 1; 0 for tracks that have none.
fn step(bits: u64) -> f32 {
    match bits {
        3..=19 => 1.0 / ((1_u32 << bits).wrapping_sub(1) as f32),
        _ => 0.0,
    }
}
