//! The table that says how each part of each track is stored.

use pchr::finding::{Finding, counted};

use super::AclRule;
use super::chunk::{Chunk, words};
use super::header::{Header, TracksHeader, tracks_at};
use super::transform::{Part, PerPart, Storage};

/// Tracks in a word of the table.
const PER_WORD: usize = 16;

/// Tracks that have something stored for a part, in order.
#[derive(Debug, Default)]
pub(super) struct Stored {
    pub(super) constant: Vec<u16>,
    pub(super) animated: Vec<u16>,
}

/// Bytes that a part takes in the table.
pub(super) fn table_size(track_count: u16) -> u64 {
    u64::from(track_count)
        .div_ceil(PER_WORD as u64)
        .saturating_mul(4)
}

/// Reads the table, and checks the header's counts against it.
pub(super) fn read(
    chunk: Chunk<'_>,
    header: &Header,
    tracks: &TracksHeader,
) -> Result<PerPart<Stored>, Finding> {
    let mut all = PerPart::default();
    let size = table_size(header.track_count);
    for (part, index) in Part::ALL.into_iter().zip(0_u64..) {
        let stored = match part {
            Part::Rotation => &mut all.rotation,
            Part::Translation => &mut all.translation,
            Part::Scale => &mut all.scale,
        };
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
            (
                "animated",
                tracks_at::ANIMATED,
                &tracks.animated,
                &stored.animated,
            ),
            (
                "constant",
                tracks_at::CONSTANT,
                &tracks.constant,
                &stored.constant,
            ),
        ];
        for (name, at, stated, marked) in counts {
            let (stated, marked) = (*stated.get(part), marked.len());
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

/// Storage of a track in a part's table.
pub(super) fn storage(table: &[u8], track: u16) -> Storage {
    let word = words(table).nth(usize::from(track) / PER_WORD);
    match mark(word.unwrap_or_default(), u32::from(track % 16)) {
        1 => Storage::Constant,
        2 => Storage::Animated,
        _ => Storage::Default,
    }
}

/// Mark of a track in its word; the first one is on top.
fn mark(word: u32, place: u32) -> u32 {
    word.wrapping_shl(place.wrapping_mul(2)) >> 30
}
