//! Poses at any time, in the order of operations of ACL, so that every bit is as it has them.

use glam::Vec4;

use super::bits::{Bits, Rate};
use super::groups::{Group, LANES};
use super::lanes::{self, Vectors};
use super::segments::{Packed, Segment};
use super::transform::{Part, RotationFormat, Transform};
use super::{Clip, Formats};

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
        let blend = blend.map(Vec4::splat);
        let job = Job {
            first,
            second,
            blend,
            formats: self.formats(),
            is_ranged: self.segments().len() > 1,
        };
        let mut index = 0_usize;
        for part in Part::ALL {
            for group in self.groups(part) {
                match part {
                    Part::Rotation => job.rotations(index, group, out),
                    Part::Translation => job.vectors(part, index, group, out, |transform| {
                        &mut transform.translation
                    }),
                    Part::Scale => {
                        job.vectors(part, index, group, out, |transform| &mut transform.scale)
                    }
                }
                index = index.wrapping_add(1);
            }
        }
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

/// Place of a sample.
#[derive(Clone, Copy)]
struct Sample<'a> {
    segment: usize,
    packed: &'a [Packed],
    bits: Bits<'a>,
}

struct Job<'a> {
    first: Sample<'a>,
    /// The sample that it is blended with, if that is another one.
    second: Option<Sample<'a>>,
    /// Weight of the second sample; `None` leaves the first as it is.
    blend: Option<Vec4>,
    formats: Formats,
    is_ranged: bool,
}

impl Job<'_> {
    #[inline(always)]
    fn rotations(&self, index: usize, group: &Group, out: &mut [Transform]) {
        let [a, b] = match self.formats.rotation {
            RotationFormat::Full => self.both(index, |sample, packed| {
                lanes::by_component(sample.bits.floats_of_all(packed.offset))
            }),
            _ => self.three(Part::Rotation, index, group).map(lanes::with_w),
        };
        let blended = match self.blend {
            Some(weight) => lanes::blend(a, lanes::nearer(a, b), weight),
            None => lanes::unblended(a),
        };
        for (value, track) in lanes::normalised(blended).into_iter().zip(group.tracks) {
            if let Some(transform) = out.get_mut(usize::from(track)) {
                transform.rotation = value;
            }
        }
    }

    #[inline(always)]
    fn vectors(
        &self,
        part: Part,
        index: usize,
        group: &Group,
        out: &mut [Transform],
        place: impl Fn(&mut Transform) -> &mut [f32; 3],
    ) {
        let [a, b] = self.three(part, index, group);
        let [x, y, z] = match self.blend {
            Some(weight) => lanes::blend(a, b, weight),
            None => lanes::unblended(a),
        };
        let values = lanes::by_track([x, y, z, Vec4::ZERO]);
        for ([x, y, z, _], track) in values.into_iter().zip(group.tracks) {
            if let Some(transform) = out.get_mut(usize::from(track)) {
                *place(transform) = [x, y, z];
            }
        }
    }

    /// Three components of a group at both samples.
    #[inline(always)]
    fn three(&self, part: Part, index: usize, group: &Group) -> [Vectors; 2] {
        if !self.formats.is_variable(part) {
            return self.both(index, |sample, packed| {
                let tracks = sample.bits.floats_of_all::<3>(packed.offset);
                let [x, y, z, _] = lanes::by_component(tracks.map(|[x, y, z]| [x, y, z, 0.0]));
                [x, y, z]
            });
        }
        let is_ranged = self.is_ranged;
        let packed = self.first.packed.get(index).copied().unwrap_or_default();
        let Some(second) = self.second else {
            let [first] = variable([self.first.bits], &packed, group, is_ranged);
            return [first, first];
        };
        if second.segment == self.first.segment {
            return variable([self.first.bits, second.bits], &packed, group, is_ranged);
        }
        let [first] = variable([self.first.bits], &packed, group, is_ranged);
        let packed = second.packed.get(index).copied().unwrap_or_default();
        let [second] = variable([second.bits], &packed, group, is_ranged);
        [first, second]
    }

    /// Values of both samples.
    #[inline(always)]
    fn both<T: Copy>(&self, index: usize, value: impl Fn(&Sample<'_>, &Packed) -> T) -> [T; 2] {
        let of = |sample: &Sample<'_>| {
            let packed = sample.packed.get(index).copied().unwrap_or_default();
            value(sample, &packed)
        };
        let first = of(&self.first);
        [first, self.second.as_ref().map_or(first, of)]
    }
}

/// Reads whole numbers of `N` samples, and brings them into their ranges.
#[inline(always)]
fn variable<const N: usize>(
    samples: [Bits<'_>; N],
    packed: &Packed,
    group: &Group,
    is_ranged: bool,
) -> [Vectors; N] {
    let rates = packed.bits.map(Rate::of);
    let step = Vec4::from_array(rates.map(|rate| rate.step));
    let mut offset = packed.offset as usize;
    let offsets = packed.bits.map(|bits| {
        let start = offset;
        offset = offset.wrapping_add(usize::from(bits).wrapping_mul(3));
        start
    });
    let ([a, b, c, d], [at_a, at_b, at_c, at_d]) = (rates, offsets);
    let mut values = samples.map(|bits| {
        let [ax, ay, az] = bits.three(at_a, a);
        let [bx, by, bz] = bits.three(at_b, b);
        let [cx, cy, cz] = bits.three(at_c, c);
        let [dx, dy, dz] = bits.three(at_d, d);
        let components = [[ax, bx, cx, dx], [ay, by, cy, dy], [az, bz, cz, dz]];
        components.map(|numbers| lanes::steps(numbers, step))
    });
    if is_ranged {
        let min = packed.min.map(lanes::bytes);
        let extent = packed.extent.map(lanes::bytes);
        values = values.map(|value| lanes::in_range(value, min, extent));
    }
    values = values.map(|value| lanes::in_range(value, group.min, group.extent));
    if rates.iter().any(|rate| rate.mask == 0) {
        for (value, bits) in values.iter_mut().zip(samples) {
            special(value, bits, packed, group, offsets);
        }
    }
    values
}

/// Puts values of tracks that stand still, or have floats, in their place.
#[inline(never)]
fn special(
    value: &mut Vectors,
    bits: Bits<'_>,
    packed: &Packed,
    group: &Group,
    offsets: [usize; LANES],
) {
    let mut components = value.map(|component| component.to_array());
    for (lane, (count, offset)) in packed.bits.into_iter().zip(offsets).enumerate() {
        let three = match count {
            0 => still(packed, group, lane),
            32 => bits.floats::<3>(offset),
            _ => continue,
        };
        for (lanes, value) in components.iter_mut().zip(three) {
            if let Some(place) = lanes.get_mut(lane) {
                *place = value;
            }
        }
    }
    *value = components.map(Vec4::from_array);
}

/// Value of a track that stands still in a segment.
fn still(packed: &Packed, group: &Group, lane: usize) -> [f32; 3] {
    let byte = |lanes: [u8; LANES]| lanes.get(lane).copied().unwrap_or_default();
    let ([a, b, c], [d, e, f]) = (packed.min.map(byte), packed.extent.map(byte));
    let of_lane = |lanes: Vec4| lanes.to_array().get(lane).copied().unwrap_or_default();
    let mut ranges = { group.min.map(of_lane).into_iter() }.zip(group.extent.map(of_lane));
    [[a, b], [c, d], [e, f]].map(|pair| {
        let (min, extent) = ranges.next().unwrap_or_default();
        lanes::one_in_range(lanes::word(u16::from_be_bytes(pair)), min, extent)
    })
}
