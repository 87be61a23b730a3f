//! Animated tracks, four at a time, with the ranges that they keep to in the whole clip.

use pchr::finding::{Finding, Findings};

use super::chunk::{Chunk, floats};
use super::header::{Header, TracksHeader};
use super::rest::{by_component, warn_of_wild};
use super::transform::{Part, PerPart};
use super::types::Stored;

/// Tracks of a group.
pub(super) const LANES: usize = 4;
/// Bytes of a clip range.
const RANGE: u64 = 24;

/// Four animated tracks of a part, a lane each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The tracks; `u16::MAX`, which no clip has, where there is none.
    pub(super) tracks: [u16; LANES],
    /// Smallest values, by component.
    pub(super) min: [[f32; LANES]; 3],
    /// Lengths of the ranges, by component.
    pub(super) extent: [[f32; LANES]; 3],
}

impl Group {
    /// Number of tracks.
    pub(super) fn len(&self) -> usize {
        let is_track = |track: &&u16| **track != u16::MAX;
        self.tracks.iter().filter(is_track).count()
    }
}

/// Bytes of the clip ranges of a part.
pub(super) fn range_size(header: &Header, part: Part, count: u32) -> u64 {
    match header.formats.is_variable(part) {
        true => u64::from(count).saturating_mul(RANGE),
        false => 0,
    }
}

/// Reads the clip ranges.
pub(super) fn read(
    chunk: Chunk<'_>,
    header: &Header,
    tracks: &TracksHeader,
    stored: &PerPart<Stored>,
    found: &mut Findings,
) -> Result<PerPart<Box<[Group]>>, Finding> {
    let mut all = PerPart::default();
    let mut at = tracks.ranges;
    for part in Part::ALL {
        let animated = &stored.get(part).animated;
        let size = range_size(header, part, *tracks.animated.get(part));
        let what = || format!("ranges of {} animated {}", animated.len(), part.plural());
        let bytes = chunk.part(at, size, "clipRanges", what)?;
        warn_of_wild(chunk, at, bytes, "clipRanges", part, found);
        at = at.saturating_add(size);
        let values: Vec<f32> = floats(bytes).collect();
        let groups = match part {
            Part::Rotation => grouped(animated, by_component(&values)),
            _ => grouped(animated, values.as_chunks().0.iter().copied()),
        };
        match part {
            Part::Rotation => all.rotation = groups,
            Part::Translation => all.translation = groups,
            Part::Scale => all.scale = groups,
        }
    }
    Ok(all)
}

/// Groups of tracks, with a range for each track if there are any.
fn grouped(animated: &[u16], mut ranges: impl Iterator<Item = [f32; 6]>) -> Box<[Group]> {
    let group = |tracks: &[u16]| {
        let mut group = Group {
            tracks: [u16::MAX; LANES],
            min: [[0.0; LANES]; 3],
            extent: [[0.0; LANES]; 3],
        };
        for ((lane, track), place) in (0..).zip(tracks).zip(&mut group.tracks) {
            *place = *track;
            let range = ranges.next().unwrap_or_default();
            let components = group.min.iter_mut().chain(&mut group.extent);
            for (lanes, value) in components.zip(range) {
                if let Some(place) = lanes.get_mut::<usize>(lane) {
                    *place = value;
                }
            }
        }
        group
    };
    animated.chunks(LANES).map(group).collect()
}
