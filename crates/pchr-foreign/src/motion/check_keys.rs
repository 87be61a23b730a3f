//! Faults of lists of keys, in every format.

use pchr::finding::{Findings, Rule, there_are};

use super::sweep::LENGTH_TOLERANCE;
use super::{Channel, Key, Keys, Motion, Track};

/// Rules for keys.
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
    /// Values are finite.
    pub(crate) not_finite: R,
    /// A rotation has the length 1.
    pub(crate) rotation_length: R,
}

/// A part of a key.
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
    let list = |channel| {
        let (last, is_odd) = track.seen(channel)?;
        Some(List {
            rules,
            frame_count: motion.frame_count,
            channel,
            last,
            is_odd,
            path,
            offset,
        })
    };
    if let (Some(list), Some(keys)) = (list(Channel::Translation), motion.translation(track)) {
        list.check(&keys, found);
    }
    if let (Some(list), Some(keys)) = (list(Channel::Rotation), motion.rotation(track)) {
        list.check(&keys, found);
    }
    if let (Some(list), Some(keys)) = (list(Channel::Scale), motion.scale(track)) {
        list.check(&keys, found);
    }
}

/// A list of keys.
struct List<'a, R> {
    rules: &'a KeyRules<R>,
    frame_count: u32,
    channel: Channel,
    /// Largest frame.
    last: u32,
    /// True if the keys must be checked one by one.
    is_odd: bool,
    path: &'a dyn Fn(KeyAt) -> String,
    offset: &'a dyn Fn(KeyAt, KeyPart) -> u64,
}

impl<R: Copy + Into<Rule>> List<'_, R> {
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

    fn check<const N: usize>(&self, keys: &Keys<'_, N>, found: &mut Findings) {
        let (rules, count) = (self.rules, self.frame_count);
        if self.last >= count && count > 0 {
            let key = keys.iter().position(|key| key.frame >= count).unwrap_or(0);
            let message = || {
                let frame = keys.get(key).map_or(self.last, |key| key.frame);
                let there_are = there_are(count, "frame", "frames");
                format!("frame {frame}, but {there_are}; the motion is extended to it")
            };
            self.add(found, rules.range, (key, KeyPart::Frame), message);
        }
        if !self.is_odd {
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
            self.add(
                found,
                rules.rotation_length,
                (index, KeyPart::Value),
                message,
            );
        }
    }
}
