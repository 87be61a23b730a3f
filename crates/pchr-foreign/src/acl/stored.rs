//! Values of tracks that all samples share: their storage, constants, and ranges of animated groups.

use pchr::finding::{Finding, Findings, counted};

use super::AclRule;
use super::header::{
    AclHeader, Chunk, Part, RotationFormat, TracksHeader, Transform, floats, tracks_at, words,
};

/// Tracks that have something stored for a part, ascending.
#[derive(Debug, Default)]
pub(super) struct Stored {
    pub(super) constant: Vec<u16>,
    pub(super) animated: Vec<u16>,
}

/// Bytes that a part takes in the table: 16 tracks have a word.
pub(super) fn table_size(track_count: u16) -> u64 {
    u64::from(track_count).div_ceil(16).saturating_mul(4)
}

/// Reads the table of each part, and checks the header's counts against it.
pub(super) fn read_types(
    chunk: Chunk<'_>,
    header: &AclHeader,
    tracks: &TracksHeader,
) -> Result<[Stored; 3], Finding> {
    let mut all = <[Stored; 3]>::default();
    let size = table_size(header.track_count);
    for ((part, index), stored) in Part::ALL.into_iter().zip(0_u64..).zip(&mut all) {
        if header.formats.has(part) {
            let at = tracks.types.saturating_add(index.saturating_mul(size));
            let what = || format!("types of {} {}", header.track_count, part.plural());
            let table = chunk.part(at, size, "types", what)?;
            *stored = stored_in(table, header.track_count).map_err(|track| {
                let path = format!("types.{}[{track}]", part.plural());
                let message = "3, expected 0 (default), 1 (constant) or 2 (animated)";
                let at = at.saturating_add(u64::from(track / 16).saturating_mul(4));
                chunk.finding(AclRule::TrackCounts, at, &path, message)
            })?;
        }
        let counts = [
            ("animated", tracks_at::ANIMATED, tracks.animated, &stored.animated),
            ("constant", tracks_at::CONSTANT, tracks.constant, &stored.constant),
        ];
        for (name, at, stated, marked) in counts {
            let (stated, marked) = (part.of(stated), marked.len());
            if usize::try_from(stated) != Ok(marked) {
                let at = at.saturating_add(index.saturating_mul(4));
                let path = format!("{name}.{}", part.plural());
                let marked = counted(marked, "track is", "tracks are");
                let message = format!("{stated}, but {marked} marked as {name}");
                return Err(chunk.finding(AclRule::TrackCounts, at, &path, &message));
            }
        }
    }
    let bytes = Part::ALL.map(|part| tracks.format_bytes(&header.formats, part));
    let bytes = bytes.into_iter().fold(0, u64::saturating_add);
    let stated = tracks.variable;
    if u64::from(stated) != bytes {
        let message = format!("{stated}, but the variable tracks take {bytes}");
        let (at, path) = (tracks_at::VARIABLE, "formatBytes");
        return Err(chunk.finding(AclRule::TrackCounts, at, path, &message));
    }
    Ok(all)
}

/// Returns the tracks that a part's table marks, or the first track with an invalid mark.
fn stored_in(table: &[u8], track_count: u16) -> Result<Stored, u16> {
    let mut stored = Stored::default();
    // The mark of the first track in a word is on top.
    let mark = |word: u32, place: u32| word.wrapping_shl(place.wrapping_mul(2)) >> 30;
    let marks = words(table).flat_map(|word| (0..16).map(move |place| mark(word, place)));
    for (track, mark) in (0..track_count).zip(marks) {
        match mark {
            0 => {}
            1 => stored.constant.push(track),
            2 => stored.animated.push(track),
            _ => return Err(track),
        }
    }
    Ok(stored)
}

/// Bytes of the constant samples of a part.
pub(super) fn constant_size(header: &AclHeader, part: Part, count: u32) -> u64 {
    u64::from(count).saturating_mul(u64::from(header.formats.full_bits(part)) / 8)
}

/// Reads the pose of all that does not move: defaults and constant samples.
pub(super) fn read_rest(
    chunk: Chunk<'_>,
    header: &AclHeader,
    tracks: &TracksHeader,
    stored: &[Stored; 3],
    found: &mut Findings,
) -> Result<Box<[Transform]>, Finding> {
    let rest = Transform {
        rotation: [0.0, 0.0, 0.0, 1.0],
        translation: [0.0; 3],
        scale: [header.default_scale; 3],
    };
    let mut pose = vec![rest; usize::from(header.track_count)];
    let mut at = tracks.constants;
    for (part, Stored { constant, .. }) in Part::ALL.into_iter().zip(stored) {
        let size = constant_size(header, part, part.of(tracks.constant));
        let what = || format!("{} constant {}", constant.len(), part.plural());
        let bytes = chunk.part(at, size, "constants", what)?;
        warn_of_wild(chunk, at, bytes, "constants", part, found);
        at = at.saturating_add(size);
        let values: Vec<f32> = floats(bytes).collect();
        let tracks = constant.iter().copied().map(usize::from);
        let mut set = |track: usize, change: &dyn Fn(&mut Transform)| {
            pose.get_mut(track).into_iter().for_each(change);
        };
        let vectors = tracks.clone().zip(values.as_chunks().0);
        match (part, header.formats.rotation) {
            (Part::Rotation, RotationFormat::Full) => {
                let values = tracks.zip(values.as_chunks().0);
                values.for_each(|(track, value)| set(track, &|it| it.rotation = *value));
            }
            (Part::Rotation, _) => {
                let values = tracks.zip(by_component(&values).map(with_w));
                values.for_each(|(track, value)| set(track, &|it| it.rotation = value));
            }
            (Part::Translation, _) => {
                vectors.for_each(|(track, value)| set(track, &|it| it.translation = *value));
            }
            (Part::Scale, _) => {
                vectors.for_each(|(track, value)| set(track, &|it| it.scale = *value));
            }
        }
    }
    Ok(pose.into())
}

/// A rotation whose `w` was dropped; in the order of operations of ACL.
fn with_w([x, y, z]: [f32; 3]) -> [f32; 4] {
    let square = ((1.0 - x * x) - y * y) - z * z;
    [x, y, z, square.abs().sqrt()]
}

/// Values in groups of four, the last one smaller, that are stored component by component.
pub(super) fn by_component<const N: usize>(values: &[f32]) -> impl Iterator<Item = [f32; N]> {
    values.chunks(N.saturating_mul(4)).flat_map(|group| {
        let lanes = group.len().checked_div(N).unwrap_or(0);
        (0..lanes).map(move |lane| {
            let mut components = group.iter().skip(lane).step_by(lanes);
            std::array::from_fn(|_| components.next().copied().unwrap_or_default())
        })
    })
}

/// Warns of the first number that is not finite.
pub(super) fn warn_of_wild(
    chunk: Chunk<'_>,
    at: u64,
    bytes: &[u8],
    path: &str,
    part: Part,
    found: &mut Findings,
) {
    if let Some(place) = floats(bytes).position(|value| !value.is_finite()) {
        let at = at.saturating_add((place as u64).saturating_mul(4));
        let message = format!("one of the {} contains NaN or infinity", part.plural());
        found.push(chunk.finding(AclRule::NotFinite, at, path, &message));
    }
}

/// Tracks of a group.
pub(super) const LANES: usize = 4;
/// Bytes of a clip range.
const RANGE: u64 = 24;

/// Four animated tracks of a part, a lane each.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueGroup {
    /// The tracks; `u16::MAX`, which no clip has, where there is none.
    pub(super) tracks: [u16; LANES],
    /// Smallest values, by component.
    pub(super) min: [[f32; LANES]; 3],
    /// Lengths of the ranges, by component.
    pub(super) extent: [[f32; LANES]; 3],
}

impl ValueGroup {
    pub(super) fn len(&self) -> usize {
        let is_track = |track: &&u16| **track != u16::MAX;
        self.tracks.iter().filter(is_track).count()
    }
}

/// Bytes of the clip ranges of a part.
pub(super) fn range_size(header: &AclHeader, part: Part, count: u32) -> u64 {
    match header.formats.is_variable(part) {
        true => u64::from(count).saturating_mul(RANGE),
        false => 0,
    }
}

pub(super) fn read_groups(
    chunk: Chunk<'_>,
    header: &AclHeader,
    tracks: &TracksHeader,
    stored: &[Stored; 3],
    found: &mut Findings,
) -> Result<[Box<[ValueGroup]>; 3], Finding> {
    let mut all = <[Box<[ValueGroup]>; 3]>::default();
    let mut at = tracks.ranges;
    for ((part, Stored { animated, .. }), groups) in Part::ALL.into_iter().zip(stored).zip(&mut all)
    {
        let size = range_size(header, part, part.of(tracks.animated));
        let what = || format!("ranges of {} animated {}", animated.len(), part.plural());
        let bytes = chunk.part(at, size, "clipRanges", what)?;
        warn_of_wild(chunk, at, bytes, "clipRanges", part, found);
        at = at.saturating_add(size);
        let values: Vec<f32> = floats(bytes).collect();
        *groups = match part {
            Part::Rotation => grouped(animated, by_component(&values)),
            _ => grouped(animated, values.as_chunks().0.iter().copied()),
        };
    }
    Ok(all)
}

/// Groups of tracks, with a range for each track if there are any.
fn grouped(animated: &[u16], mut ranges: impl Iterator<Item = [f32; 6]>) -> Box<[ValueGroup]> {
    let group = |tracks: &[u16]| {
        let mut group = ValueGroup {
            tracks: [u16::MAX; LANES],
            min: [[0.0; LANES]; 3],
            extent: [[0.0; LANES]; 3],
        };
        for ((lane, track), place) in (0..).zip(tracks).zip(&mut group.tracks) {
            *place = *track;
            let [a, b, c, d, e, f] = ranges.next().unwrap_or_default();
            put(&mut group.min, lane, [a, b, c]);
            put(&mut group.extent, lane, [d, e, f]);
        }
        group
    };
    animated.chunks(LANES).map(group).collect()
}

/// Puts the components of a value into a lane.
#[inline(always)]
pub(super) fn put<const N: usize, const L: usize>(
    lanes: &mut [[f32; L]; N],
    lane: usize,
    value: [f32; N],
) {
    for (component, value) in lanes.iter_mut().zip(value) {
        component.get_mut(lane).into_iter().for_each(|it| *it = value);
    }
}
