//! All animated tracks of a pose, four at a time, in the order of operations of ACL, so that every bit is as it has them.

use glam::Vec4;

use super::bits::{BYTE, Bits, Rate};
use super::groups::{Group, LANES};
use super::lanes::{self, Vectors};
use super::segments::Packed;
use super::transform::{Formats, Part, PerPart, RotationFormat, Transform};

/// Bit count of floats.
const FLOAT: u8 = 32;

/// Place of a sample.
#[derive(Clone, Copy)]
pub(super) struct Sample<'a> {
    pub(super) segment: usize,
    /// Groups of the segment.
    pub(super) packed: &'a [Packed],
    pub(super) bits: Bits<'a>,
}

/// A pose between two samples.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) first: Sample<'a>,
    /// The sample that it is blended with, if that is another one.
    pub(super) second: Option<Sample<'a>>,
    /// Weight of the second sample; `None` leaves the first as it is.
    pub(super) blend: Option<Vec4>,
    pub(super) formats: Formats,
    /// Segments have ranges of their own.
    pub(super) is_ranged: bool,
    pub(super) groups: &'a PerPart<Box<[Group]>>,
}

impl Job<'_> {
    /// Sets all animated parts of a pose.
    #[inline(always)]
    pub(super) fn run(&self, out: &mut [Transform]) {
        let mut index = 0_usize;
        for group in &self.groups.rotation {
            self.rotations(index, group, out);
            index = index.wrapping_add(1);
        }
        for group in &self.groups.translation {
            let place = |transform: &mut Transform, value| transform.translation = value;
            self.vectors(Part::Translation, index, group, out, place);
            index = index.wrapping_add(1);
        }
        for group in &self.groups.scale {
            let place = |transform: &mut Transform, value| transform.scale = value;
            self.vectors(Part::Scale, index, group, out, place);
            index = index.wrapping_add(1);
        }
    }

    #[inline(always)]
    fn rotations(&self, index: usize, group: &Group, out: &mut [Transform]) {
        let (a, b) = match self.formats.rotation {
            RotationFormat::Full => {
                let (a, b) = self.packed(index);
                let first = self.first.bits.floats_of_all(a.offset);
                let second = self.second.map(|it| it.bits.floats_of_all(b.offset));
                let second = lanes::by_component(second.unwrap_or(first));
                (lanes::by_component(first), second)
            }
            _ => {
                let (a, b) = self.three(Part::Rotation, index, group);
                (lanes::with_w(a), lanes::with_w(b))
            }
        };
        let blended = match self.blend {
            Some(weight) => lanes::blend_rotations(a, b, weight),
            None => lanes::unblended_rotations(a),
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
        set: impl Fn(&mut Transform, [f32; 3]),
    ) {
        let (a, b) = self.three(part, index, group);
        let [x, y, z] = match self.blend {
            Some(weight) => lanes::blend(a, b, weight),
            None => lanes::unblended(a),
        };
        let values = lanes::by_track([x, y, z, Vec4::ZERO]);
        for ([x, y, z, _], track) in values.into_iter().zip(group.tracks) {
            if let Some(transform) = out.get_mut(usize::from(track)) {
                set(transform, [x, y, z]);
            }
        }
    }

    /// Three components of a group at both samples.
    #[inline(always)]
    fn three(&self, part: Part, index: usize, group: &Group) -> (Vectors, Vectors) {
        let (a, b) = self.packed(index);
        if !self.formats.is_variable(part) {
            let first = self.first.bits.floats_of_all::<3>(a.offset);
            let second = self.second.map(|it| it.bits.floats_of_all::<3>(b.offset));
            let three = |[a, b, c, d]: [[f32; 3]; LANES]| {
                let four = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
                let [x, y, z, _] = lanes::by_component([four(a), four(b), four(c), four(d)]);
                [x, y, z]
            };
            return (three(first), three(second.unwrap_or(first)));
        }
        let layout = Layout::of(a);
        let ranges = Ranges::of(a, &layout, self.is_ranged);
        let first = variable(self.first.bits, a, &layout, &ranges, group);
        let Some(second) = self.second else {
            return (first, first);
        };
        if second.segment == self.first.segment {
            let second = variable(second.bits, a, &layout, &ranges, group);
            return (first, second);
        }
        let layout = Layout::of(b);
        let ranges = Ranges::of(b, &layout, self.is_ranged);
        let second = variable(second.bits, b, &layout, &ranges, group);
        (first, second)
    }

    /// A group at both samples.
    #[inline(always)]
    fn packed(&self, index: usize) -> (&Packed, &Packed) {
        let first = self.first.packed.get(index).unwrap_or(&Packed::NONE);
        match self.second {
            Some(second) => (first, second.packed.get(index).unwrap_or(&Packed::NONE)),
            None => (first, first),
        }
    }
}

/// Places of the numbers of a group in each pose of a segment.
struct Layout {
    rates: [&'static Rate; LANES],
    offsets: [usize; LANES],
    step: Vec4,
    min_step: Vec4,
    /// A track has floats.
    has_floats: bool,
}

impl Layout {
    #[inline(always)]
    fn of(packed: &Packed) -> Self {
        let [a, b, c, d] = packed.bits;
        let after =
            |offset: usize, bits: u8| offset.wrapping_add(usize::from(bits).wrapping_mul(3));
        let at_a = packed.offset as usize;
        let at_b = after(at_a, a);
        let at_c = after(at_b, b);
        let at_d = after(at_c, c);
        let (a, b, c, d) = (Rate::of(a), Rate::of(b), Rate::of(c), Rate::of(d));
        Self {
            rates: [a, b, c, d],
            offsets: [at_a, at_b, at_c, at_d],
            step: Vec4::new(a.step, b.step, c.step, d.step),
            min_step: Vec4::new(a.min_step, b.min_step, c.min_step, d.min_step),
            has_floats: packed.bits.iter().any(|bits| *bits == FLOAT),
        }
    }
}

/// Ranges of a group in a segment, if there are several.
struct Ranges(Option<(Vectors, Vectors)>);

impl Ranges {
    #[inline(always)]
    fn of(packed: &Packed, layout: &Layout, is_ranged: bool) -> Self {
        if !is_ranged {
            return Self(None);
        }
        let min = |[a, b, c, d]: [u16; LANES]| {
            lanes::steps([a.into(), b.into(), c.into(), d.into()], layout.min_step)
        };
        let extent = |[a, b, c, d]: [u8; LANES]| {
            lanes::steps([a.into(), b.into(), c.into(), d.into()], Vec4::splat(BYTE))
        };
        let ([a, b, c], [d, e, f]) = (packed.min, packed.extent);
        Self(Some((
            [min(a), min(b), min(c)],
            [extent(d), extent(e), extent(f)],
        )))
    }
}

/// Reads whole numbers, and brings them into their ranges.
#[inline(always)]
fn variable(
    bits: Bits<'_>,
    packed: &Packed,
    layout: &Layout,
    ranges: &Ranges,
    group: &Group,
) -> Vectors {
    let ([a, b, c, d], [at_a, at_b, at_c, at_d]) = (layout.rates, layout.offsets);
    let [ax, ay, az] = bits.three(at_a, a);
    let [bx, by, bz] = bits.three(at_b, b);
    let [cx, cy, cz] = bits.three(at_c, c);
    let [dx, dy, dz] = bits.three(at_d, d);
    let mut value = [
        lanes::steps([ax, bx, cx, dx], layout.step),
        lanes::steps([ay, by, cy, dy], layout.step),
        lanes::steps([az, bz, cz, dz], layout.step),
    ];
    if let Ranges(Some((min, extent))) = ranges {
        value = lanes::in_range(value, *min, *extent);
    }
    value = lanes::in_range(value, group.min, group.extent);
    if layout.has_floats {
        put_floats(&mut value, bits, packed, layout.offsets);
    }
    value
}

/// Puts values of tracks that have floats in their place.
#[inline(never)]
fn put_floats(value: &mut Vectors, bits: Bits<'_>, packed: &Packed, offsets: [usize; LANES]) {
    let mut components = value.map(|component| component.to_array());
    for (lane, (count, offset)) in packed.bits.into_iter().zip(offsets).enumerate() {
        if count != FLOAT {
            continue;
        }
        for (lanes, value) in components.iter_mut().zip(bits.floats::<3>(offset)) {
            lanes.get_mut(lane).into_iter().for_each(|it| *it = value);
        }
    }
    *value = components.map(Vec4::from_array);
}
