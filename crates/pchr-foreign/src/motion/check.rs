//! Faults of a motion, independent of the layout of its blocks.

use pchr::finding::{Findings, Rule, quoted, there_are};

use super::keys::LENGTH_TOLERANCE;
use super::track::repeated;
use super::{Channel, Key, Keys, Motion, Name, Note, SeanimRule, Track};

/// Names of the channels in paths.
pub(crate) const SEANIM_CHANNELS: [&str; 3] = ["loc", "rot", "scale"];

const KEY_RULES: KeyRules<SeanimRule> = KeyRules {
    range: SeanimRule::KeyRange,
    order: SeanimRule::KeyOrder,
    unordered: ", as the Blender exporter writes it",
    duplicate: SeanimRule::KeyDuplicate,
    not_finite: SeanimRule::NotFinite,
    rotation_length: SeanimRule::RotationLength,
};

/// Finds faults in rate, length, types, names, keys and notes.
pub fn check(motion: &Motion, found: &mut Findings) {
    modifiers(motion, found);
    names(motion, found);
    for (index, track) in motion.tracks().iter().enumerate() {
        if track.flags > 1 {
            let path = || format!("bones[{index}].flags");
            let message = || format!("{}, expected 0 (default) or 1 (cosmetic)", track.flags);
            found.add(SeanimRule::BoneFlags, track.offset, path, message);
        }
        let path = |(channel, key): (Channel, usize)| {
            format!("bones[{index}].{}[{key}]", channel.of(SEANIM_CHANNELS))
        };
        let offset = |(channel, key): (Channel, usize), _| {
            let stride = motion.format.stride(channel.lanes());
            let keys = key.saturating_mul(stride) as u64;
            (track.list(channel).place.at as u64).saturating_add(keys)
        };
        check_keys(motion, track, &KEY_RULES, &path, &offset, found);
    }
    notes(motion, found);
}

fn modifiers(motion: &Motion, found: &mut Findings) {
    let mut seen = vec![false; motion.tracks().len()];
    for (index, modifier) in motion.modifiers.iter().enumerate() {
        let path = || format!("modifiers[{index}]");
        let code = modifier.animation_type.code();
        if code > 3 {
            let message = || format!("type {code}, expected 0 to 3; shown as absolute");
            found.add(SeanimRule::ModifierType, modifier.offset, path, message);
        }
        let track = modifier.track;
        let seen = seen.get_mut(track as usize);
        if seen.is_some_and(|seen| std::mem::replace(seen, true)) {
            let message = || format!("bone {track} already has a modifier; the last one is used");
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
    for (index, first) in repeated(motion.tracks().iter().map(|track| track.target.name())) {
        let Some(track) = motion.tracks().get(index) else { continue };
        let message = || {
            format!(
                "{} is also the name of bone {first}; both are kept, but SELibDotNet refuses the file",
                quoted(&track.target.text())
            )
        };
        let path = || format!("bones[{index}].name");
        found.add(SeanimRule::NameDuplicate, track.offset, path, message);
    }
}

fn utf8(name: &Name, offset: u64, path: impl FnOnce() -> String, found: &mut Findings) {
    if let Some(fault) = name.fault() {
        let offset = offset.saturating_add(fault as u64);
        found.add(SeanimRule::NameUtf8, offset, path, || name.fault_in_words(fault));
    }
}

fn notes(motion: &Motion, found: &mut Findings) {
    let count = motion.frame_count;
    for (index, note) in motion.notes.iter().enumerate() {
        let path = || format!("notes[{index}]");
        let name = note.offset.saturating_add(motion.format.frame.bytes() as u64);
        utf8(&note.name, name, path, found);
        if note.frame >= count && count > 0 {
            let message = || beyond(note.frame, count);
            found.add(SeanimRule::NoteRange, note.offset, path, message);
        }
    }
    if let Some(index) = grouped(&motion.notes) {
        let offset = motion.notes.get(index).map_or(0, |note| note.offset);
        let message = "notes are grouped by name, as SELib and WraithX write them, instead of ordered by frame; they are sorted for playback";
        found.add(SeanimRule::NoteOrder, offset, || format!("notes[{index}]"), message);
    }
}

fn beyond(frame: u32, count: u32) -> String {
    let there_are = there_are(count, "frame", "frames");
    format!("frame {frame}, but {there_are}; the motion is extended to it")
}

/// Returns the index of the note that begins a group on an earlier frame than the one before, if notes are grouped by name. Then
/// groups ascend, no name has two, and one has several notes. Any other order is the author's own.
fn grouped(notes: &[Note]) -> Option<usize> {
    let groups: Vec<&[Note]> = notes.chunk_by(|a, b| a.name == b.name).collect();
    let is_ascending = |group: &&[Note]| group.is_sorted_by_key(|note| note.frame);
    let mut names: Vec<&Name> =
        groups.iter().filter_map(|group| group.first()).map(|note| &note.name).collect();
    names.sort_unstable();
    let is_grouped = groups.len() < notes.len()
        && groups.iter().all(is_ascending)
        && names.is_sorted_by(|a, b| a < b);
    let steps = notes.iter().zip(notes.iter().skip(1));
    let back = { steps }.position(|(a, b)| a.frame > b.frame)?;
    is_grouped.then(|| back.saturating_add(1))
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyRules<R> {
    /// Keys lie within the motion.
    pub(crate) range: R,
    /// Keys ascend by frame.
    pub(crate) order: R,
    /// End of the message about unsorted keys, which names a writer of such keys; empty if none is known.
    pub(crate) unordered: &'static str,
    /// A frame has one key.
    pub(crate) duplicate: R,
    pub(crate) not_finite: R,
    /// A rotation has the length 1.
    pub(crate) rotation_length: R,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyPart {
    Frame,
    Value,
}

/// Place of a key: its channel, and index in the list.
type KeyAt = (Channel, usize);

/// Finds faults in the keys of a track. `path` and `offset` return the place of a key.
pub(crate) fn check_keys<R: Copy + Into<Rule>>(
    motion: &Motion,
    track: &Track,
    rules: &KeyRules<R>,
    path: &dyn Fn(KeyAt) -> String,
    offset: &dyn Fn(KeyAt, KeyPart) -> u64,
    found: &mut Findings,
) {
    let list = |channel| CheckedKeys { rules, motion, track, channel, path, offset };
    list(Channel::Translation).check(motion.translation(track), found);
    list(Channel::Rotation).check(motion.rotation(track), found);
    list(Channel::Scale).check(motion.scale(track), found);
}

struct CheckedKeys<'a, R> {
    rules: &'a KeyRules<R>,
    motion: &'a Motion,
    track: &'a Track,
    channel: Channel,
    path: &'a dyn Fn(KeyAt) -> String,
    offset: &'a dyn Fn(KeyAt, KeyPart) -> u64,
}

impl<R: Copy + Into<Rule>> CheckedKeys<'_, R> {
    fn add(
        &self,
        found: &mut Findings,
        rule: R,
        (key, part): (usize, KeyPart),
        message: impl FnOnce() -> String,
    ) {
        let at = (self.channel, key);
        found.add(rule, (self.offset)(at, part), || (self.path)(at), message);
    }

    fn check<const N: usize>(&self, keys: Option<Keys<'_, N>>, found: &mut Findings) {
        let (Some((last, is_odd)), Some(keys)) = (self.track.seen(self.channel), keys) else {
            return;
        };
        let (rules, count) = (self.rules, self.motion.frame_count);
        if last >= count && count > 0 {
            let key = keys.iter().position(|key| key.frame >= count).unwrap_or(0);
            let message = || beyond(keys.get(key).map_or(last, |key| key.frame), count);
            self.add(found, rules.range, (key, KeyPart::Frame), message);
        }
        if !is_odd {
            return;
        }
        let frames = || keys.iter().map(|key| key.frame);
        if let Some(before) = { frames().zip(frames().skip(1)) }.position(|(a, b)| a > b) {
            let key = before.saturating_add(1);
            let message = || {
                let frame = |key| keys.get(key).map_or(0, |key: Key<N>| key.frame);
                let (frame, before, writer) = (frame(key), frame(before), rules.unordered);
                format!("frame {frame} comes after frame {before}{writer}; sorted for playback")
            };
            self.add(found, rules.order, (key, KeyPart::Frame), message);
        }
        let mut sorted: Vec<(u32, usize)> = frames().zip(0..).collect();
        sorted.sort_unstable();
        let twice = sorted.windows(2).filter_map(|pair| match pair {
            [(frame, _), (other, key)] if frame == other => Some((*key, *frame)),
            _ => None,
        });
        if let Some((key, frame)) = twice.min() {
            let message = || format!("frame {frame} already has a key; the last one is used");
            self.add(found, rules.duplicate, (key, KeyPart::Frame), message);
        }
        let is_wild = |key: &Key<N>| key.value.iter().any(|value| !value.is_finite());
        if let Some((key, wild)) = keys.iter().enumerate().find(|(_, key)| is_wild(key)) {
            let message = || format!("{:?} is not finite", wild.value);
            self.add(found, rules.not_finite, (key, KeyPart::Value), message);
        }
        if self.channel != Channel::Rotation {
            return;
        }
        let squares = |key: &Key<N>| key.value.iter().map(|value| value * value).sum();
        let is_off = |key: &Key<N>| {
            let squares: f64 = squares(key);
            !is_wild(key) && (squares - 1.0).abs() > LENGTH_TOLERANCE
        };
        if let Some((index, key)) = keys.iter().enumerate().find(|(_, key)| is_off(key)) {
            let message = || {
                let length = squares(&key).sqrt();
                format!("rotation of length {length:.4}, expected 1; normalised for playback")
            };
            self.add(found, rules.rotation_length, (index, KeyPart::Value), message);
        }
    }
}
