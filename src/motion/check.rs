//! Faults of a motion, whatever its blocks look like.

use super::sweep::LENGTH_TOLERANCE;
use super::{Channel, Keys, Motion, Name, Note, SeanimRule, Track};
use crate::finding::{Findings, quoted};

/// Finds what is odd about rate, length, types, names, keys and notes.
pub fn check(motion: &Motion, found: &mut Findings) {
    modifiers(motion, found);
    names(motion, found);
    for (index, track) in motion.tracks().iter().enumerate() {
        if track.flags > 1 {
            let path = || format!("bones[{index}].flags");
            let message = || format!("{}: 0 (default) and 1 (cosmetic) are known", track.flags);
            found.add(SeanimRule::BoneFlags, track.offset, path, message);
        }
        let place = |channel| Place {
            index,
            track,
            channel,
            motion,
        };
        if let Some(keys) = motion.translation(track) {
            place(Channel::Translation).check(&keys, found);
        }
        if let Some(keys) = motion.rotation(track) {
            place(Channel::Rotation).check(&keys, found);
        }
        if let Some(keys) = motion.scale(track) {
            place(Channel::Scale).check(&keys, found);
        }
    }
    notes(motion, found);
}

fn modifiers(motion: &Motion, found: &mut Findings) {
    let mut seen = vec![false; motion.tracks().len()];
    for (index, modifier) in motion.modifiers.iter().enumerate() {
        let path = || format!("modifiers[{index}]");
        if modifier.animation_type.code() > 3 {
            let message = || {
                let code = modifier.animation_type.code();
                format!("type {code}, expected 0 to 3; shown as absolute")
            };
            found.add(SeanimRule::ModifierType, modifier.offset, path, message);
        }
        let track = usize::try_from(modifier.track).ok();
        let Some(seen) = track.and_then(|track| seen.get_mut(track)) else {
            continue;
        };
        if std::mem::replace(seen, true) {
            let message = || {
                let track = modifier.track;
                format!("bone {track} has a modifier already; the last one counts")
            };
            found.add(SeanimRule::ModifierTwice, modifier.offset, path, message);
        }
    }
}

fn names(motion: &Motion, found: &mut Findings) {
    for (index, track) in motion.tracks().iter().enumerate() {
        if let Some(name) = track.target.name() {
            utf8(name, track.offset, || format!("bones[{index}].name"), found);
        }
    }
    let mut sorted: Vec<(&Name, usize)> = motion
        .tracks()
        .iter()
        .zip(0..)
        .filter_map(|(track, index)| Some((track.target.name()?, index)))
        .collect();
    sorted.sort_unstable();
    let pairs = sorted.windows(2).filter_map(|pair| match pair {
        [(name, first), (other, second)] if name == other => Some((*second, *first)),
        _ => None,
    });
    let mut twice: Vec<(usize, usize)> = pairs.collect();
    twice.sort_unstable();
    for (index, first) in twice {
        let Some(track) = motion.tracks().get(index) else {
            continue;
        };
        let message = || {
            let name = track.target.name().map(Name::text).unwrap_or_default();
            let name = quoted(&name);
            format!("{name} is bone {first}, too; both are kept, SELibDotNet refuses such a file")
        };
        let path = || format!("bones[{index}].name");
        found.add(SeanimRule::NameDuplicate, track.offset, path, message);
    }
}

fn utf8(name: &Name, offset: u64, path: impl FnOnce() -> String, found: &mut Findings) {
    if let Some(fault) = name.fault() {
        let message = || {
            let byte = name.as_bytes().get(fault).copied().unwrap_or_default();
            let text = name.text();
            format!("byte {byte:#04x} is not UTF-8; shown as {}", quoted(&text))
        };
        let offset = offset.saturating_add(fault as u64);
        found.add(SeanimRule::NameUtf8, offset, path, message);
    }
}

/// A list of keys.
#[derive(Clone, Copy)]
struct Place<'a> {
    index: usize,
    track: &'a Track,
    channel: Channel,
    motion: &'a Motion,
}

impl Place<'_> {
    fn check<const N: usize>(self, keys: &Keys<'_, N>, found: &mut Findings) {
        let Some((start, last, is_odd)) = self.track.seen(self.channel) else {
            return;
        };
        let offset = |key: usize| {
            let stride = self.motion.format().stride(N);
            start.saturating_add(key.saturating_mul(stride) as u64)
        };
        let path = |key: usize| {
            let channel = match self.channel {
                Channel::Translation => "loc",
                Channel::Rotation => "rot",
                Channel::Scale => "scale",
            };
            format!("bones[{}].{channel}[{key}]", self.index)
        };
        let count = self.motion.frame_count;
        if last >= count && count > 0 {
            let key = keys.iter().position(|key| key.frame >= count).unwrap_or(0);
            let message = || {
                let frame = keys.get(key).map_or(last, |key| key.frame);
                format!("frame {frame}, but there are {count} frames; the motion is longer")
            };
            found.add(SeanimRule::KeyRange, offset(key), || path(key), message);
        }
        if !is_odd {
            return;
        }
        let frames = || keys.iter().map(|key| key.frame);
        if let Some(before) = { frames().zip(frames().skip(1)) }.position(|(a, b)| a > b) {
            let key = before.saturating_add(1);
            let message = || {
                let frame = |key| keys.get(key).map_or(0, |key: super::Key<N>| key.frame);
                let (frame, before) = (frame(key), frame(before));
                format!(
                    "frame {frame} comes behind {before}, as the Blender exporter writes it; sorted where it is played"
                )
            };
            found.add(SeanimRule::KeyOrder, offset(key), || path(key), message);
        }
        let mut sorted: Vec<(u32, usize)> = frames().zip(0..).collect();
        sorted.sort_unstable();
        let twice = sorted.windows(2).filter_map(|pair| match pair {
            [(frame, _), (other, key)] if frame == other => Some((*key, *frame)),
            _ => None,
        });
        if let Some((key, frame)) = twice.min() {
            let message = || format!("frame {frame} has a key already; the last one counts");
            found.add(SeanimRule::KeyDuplicate, offset(key), || path(key), message);
        }
        let is_wild = |key: &super::Key<N>| key.value.iter().any(|value| !value.is_finite());
        if let Some((key, wild)) = keys.iter().enumerate().find(|(_, key)| is_wild(key)) {
            let message = || format!("{:?} is not finite", wild.value);
            found.add(SeanimRule::NotFinite, offset(key), || path(key), message);
        }
        if self.channel != Channel::Rotation {
            return;
        }
        let squares = |key: &super::Key<N>| key.value.iter().map(|value| value * value).sum();
        let is_off = |key: &super::Key<N>| {
            let squares: f64 = squares(key);
            !is_wild(key) && (squares - 1.0).abs() > LENGTH_TOLERANCE
        };
        if let Some((index, key)) = keys.iter().enumerate().find(|(_, key)| is_off(key)) {
            let message = || {
                let length = squares(&key).sqrt();
                format!(
                    "a rotation of length {length:.4}, expected 1; it is normalised where it is played"
                )
            };
            found.add(
                SeanimRule::RotationLength,
                offset(index),
                || path(index),
                message,
            );
        }
    }
}

fn notes(motion: &Motion, found: &mut Findings) {
    let count = motion.frame_count;
    for (index, note) in motion.notes.iter().enumerate() {
        let path = || format!("notes[{index}]");
        let name = note
            .offset
            .saturating_add(motion.format().frame.bytes() as u64);
        utf8(&note.name, name, path, found);
        if note.frame >= count && count > 0 {
            let message = || {
                let frame = note.frame;
                format!("frame {frame}, but there are {count} frames; the motion is longer")
            };
            found.add(SeanimRule::NoteRange, note.offset, path, message);
        }
    }
    if let Some(index) = grouped(&motion.notes) {
        let offset = motion.notes.get(index).map_or(0, |note| note.offset);
        let message = || {
            "frames begin again with another name: notes are grouped by name, as SELib and WraithX write them; sorted where they are played".into()
        };
        found.add(
            SeanimRule::NoteOrder,
            offset,
            || format!("notes[{index}]"),
            message,
        );
    }
}

/// Index of the note that begins a group on an earlier frame than the one before, where notes are grouped by name: groups ascend, no name
/// has two, and one has several notes. Any other order is an author's own.
fn grouped(notes: &[Note]) -> Option<usize> {
    let groups: Vec<&[Note]> = notes.chunk_by(|a, b| a.name == b.name).collect();
    let is_ascending = |group: &&[Note]| group.is_sorted_by_key(|note| note.frame);
    let mut names: Vec<&Name> = groups
        .iter()
        .filter_map(|group| group.first())
        .map(|note| &note.name)
        .collect();
    names.sort_unstable();
    let is_grouped = groups.len() < notes.len()
        && groups.iter().all(is_ascending)
        && names.is_sorted_by(|a, b| a < b);
    let steps = notes.iter().zip(notes.iter().skip(1));
    let back = { steps }.position(|(a, b)| a.frame > b.frame)?;
    is_grouped.then(|| back.saturating_add(1))
}
