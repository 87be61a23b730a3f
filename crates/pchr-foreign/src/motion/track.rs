//! Tracks: what moves a bone, and which; keys at times, and samples.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use pchr::finding::quoted;

use super::Channel;
use super::keys::{Key, Place, Swept};
use crate::acl::Clip;

/// A name of a bone or a note: UTF-8 in valid files, any bytes in others, so that it can be written again.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Box<[u8]>);

impl Name {
    /// Returns the bytes of the name.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the name to show. Bytes that are not UTF-8 are replaced by U+FFFD.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Returns the index of the first byte that is not UTF-8.
    #[must_use]
    pub fn fault(&self) -> Option<usize> {
        std::str::from_utf8(&self.0).err().map(|error| error.valid_up_to())
    }

    /// Describes the byte that is not UTF-8, and the name that is shown.
    pub(crate) fn fault_in_words(&self, fault: usize) -> String {
        let byte = self.0.get(fault).copied().unwrap_or_default();
        format!("byte {byte:#04x} is not UTF-8; shown as {}", quoted(&self.text()))
    }
}

impl<B: AsRef<[u8]> + ?Sized> From<&B> for Name {
    fn from(bytes: &B) -> Self {
        Self(bytes.as_ref().into())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

/// Returns the names that equal an earlier one: the index of each, and of the first of them.
pub(crate) fn repeated<N: Eq + Hash>(
    names: impl Iterator<Item = Option<N>>,
) -> impl Iterator<Item = (usize, usize)> {
    let mut firsts = HashMap::new();
    names.enumerate().filter_map(move |(index, name)| {
        let first = *firsts.entry(name?).or_insert(index);
        (first != index).then_some((index, first))
    })
}

/// The bone that a track moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The bone of this name.
    Name(Name),
    /// The bone of this index in the skeleton that the motion is made for.
    Bone(u32),
}

impl Target {
    /// Returns the name, if the bone is identified by name.
    #[must_use]
    pub fn name(&self) -> Option<&Name> {
        match self {
            Self::Name(name) => Some(name),
            Self::Bone(_) => None,
        }
    }

    /// Returns the name to show; empty if there is none.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        self.name().map(Name::text).unwrap_or_default()
    }

    /// Returns the index, if the bone is identified by index.
    #[must_use]
    pub const fn bone(&self) -> Option<u32> {
        match self {
            Self::Name(_) => None,
            Self::Bone(bone) => Some(*bone),
        }
    }
}

impl From<Name> for Target {
    fn from(name: Name) -> Self {
        Self::Name(name)
    }
}

impl<B: AsRef<[u8]> + ?Sized> From<&B> for Target {
    fn from(name: &B) -> Self {
        Self::Name(name.into())
    }
}

impl From<u32> for Target {
    fn from(bone: u32) -> Self {
        Self::Bone(bone)
    }
}

/// A bone that is moved. [`Motion::translation`](super::Motion::translation) and the like return the keys on frames; where the
/// motion is [sampled](super::Motion::sampled), or the track is [timed](Track::timed), there are none.
#[derive(Clone, Debug)]
pub struct Track {
    /// The bone.
    pub target: Target,
    /// 0, or 1 for a cosmetic bone; other numbers mean nothing.
    pub flags: u8,
    /// Byte offset of the name or the record in the file that was read.
    pub offset: u64,
    pub(super) lists: [PackedKeys; 3],
    pub(super) timed: Option<Box<TimedTrack>>,
}

impl Track {
    pub(super) fn without_keys(target: Target, offset: u64) -> Self {
        Self { target, flags: 0, offset, lists: [PackedKeys::default(); 3], timed: None }
    }

    /// Returns the keys, if they have times in seconds.
    #[must_use]
    pub fn timed(&self) -> Option<&TimedTrack> {
        self.timed.as_deref()
    }

    pub(super) fn list(&self, channel: Channel) -> &PackedKeys {
        channel.of(self.lists.each_ref())
    }

    /// Returns the largest frame, and true if the keys must be checked one by one; `None` without keys.
    pub(super) fn seen(&self, channel: Channel) -> Option<(u32, bool)> {
        let PackedKeys { place, swept } = self.list(channel);
        (place.count > 0).then_some((swept.last, swept.is_odd))
    }

    /// Returns the number of frames that have keys.
    pub(super) fn frames(&self) -> u32 {
        let keyed = self.lists.iter().filter(|list| list.place.count > 0);
        let frames = keyed.map(|list| list.swept.last.saturating_add(1));
        frames.max().unwrap_or(0)
    }
}

/// A list of keys, and its properties.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PackedKeys {
    pub(super) place: Place,
    pub(super) swept: Swept,
}

/// Movement of the whole model, in the axes of its bones.
#[derive(Clone, Debug)]
pub enum RootMotion {
    /// Keys, returned by [`Track::timed`], or by [`Motion::translation`](super::Motion::translation) and the like.
    Keys(Track),
    /// Samples of one track.
    Sampled(Sampled),
}

impl RootMotion {
    /// Returns the track, if it has keys.
    #[must_use]
    pub fn keys(&self) -> Option<&Track> {
        match self {
            Self::Keys(track) => Some(track),
            Self::Sampled(_) => None,
        }
    }

    /// Returns the samples, if it is sampled.
    #[must_use]
    pub fn sampled(&self) -> Option<&Sampled> {
        match self {
            Self::Keys(_) => None,
            Self::Sampled(sampled) => Some(sampled),
        }
    }
}

/// Keys of a new track.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrackKeys<'a> {
    /// Translations.
    pub translation: &'a [Key<3>],
    /// Rotations.
    pub rotation: &'a [Key<4>],
    /// Scales.
    pub scale: &'a [Key<3>],
}

/// A clip of ACL, which stays compressed: transforms of all tracks on every frame.
///
/// Two are equal if the bytes of their clips are.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The clip.
    pub clip: Clip,
    /// Byte offset of the clip in the file that was read.
    pub offset: u64,
}

impl Sampled {
    /// Returns the number of tracks.
    #[must_use]
    pub fn tracks(&self) -> u32 {
        self.clip.track_count().into()
    }

    /// Returns the number of frames to play: at least 1, even without tracks.
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.clip.sample_count().max(1)
    }
}

impl PartialEq for Sampled {
    fn eq(&self, other: &Self) -> bool {
        self.clip.bytes() == other.clip.bytes()
    }
}

/// Course of the values between two keys, as in appendix C of glTF 2.0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Interpolation {
    /// A line; for rotations the shorter arc, at even speed.
    #[default]
    Linear,
    /// The value of the earlier key.
    Step,
    /// A cubic spline, by the tangents of both keys; rotations are normalised.
    CubicSpline,
}

impl Interpolation {
    /// Returns the values per key: three for a spline, whose tangents lie around the value.
    #[must_use]
    pub const fn values_per_key(self) -> usize {
        match self {
            Self::Step | Self::Linear => 1,
            Self::CubicSpline => 3,
        }
    }
}

/// Keys of a channel at times in seconds. There is one key at least. Before the first and after the last the value is constant.
#[derive(Clone, Debug)]
pub struct TimedKeys<const N: usize> {
    times: Arc<[f32]>,
    values: Arc<[[f32; N]]>,
    interpolation: Interpolation,
}

impl<const N: usize> TimedKeys<N> {
    /// Creates keys from times in seconds, and [as many values](Interpolation::values_per_key) for each: the value; for a spline
    /// the tangent in, the value, and the tangent out. `None` if there are no times, they are not finite or do not ascend, or the
    /// number of values is another.
    #[must_use]
    pub fn new(
        times: Arc<[f32]>,
        values: impl Into<Arc<[[f32; N]]>>,
        interpolation: Interpolation,
    ) -> Option<Self> {
        let values = values.into();
        let is_sound = times.iter().all(|time| time.is_finite())
            && times.is_sorted_by(|a, b| a < b)
            && !times.is_empty();
        let expected = times.len().checked_mul(interpolation.values_per_key())?;
        (is_sound && values.len() == expected).then_some(Self { times, values, interpolation })
    }

    /// Returns the times of the keys in seconds, ascending.
    #[must_use]
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// Returns the [values](TimedKeys::new) of all keys.
    #[must_use]
    pub fn values(&self) -> &[[f32; N]] {
        &self.values
    }

    /// Returns the course of the values between keys.
    #[must_use]
    pub const fn interpolation(&self) -> Interpolation {
        self.interpolation
    }
}

/// Bit for bit.
impl<const N: usize> PartialEq for TimedKeys<N> {
    fn eq(&self, other: &Self) -> bool {
        let bits = |keys: &Self| {
            let numbers = keys.times.iter().chain(keys.values.as_flattened());
            numbers.map(|number| number.to_bits()).collect::<Vec<u32>>()
        };
        self.interpolation == other.interpolation && bits(self) == bits(other)
    }
}

/// Keys of a bone at times in seconds: its local transform, which replaces rest. A channel without keys is at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimedTrack {
    /// Translations.
    pub translation: Option<TimedKeys<3>>,
    /// Rotations, as quaternions `x y z w`.
    pub rotation: Option<TimedKeys<4>>,
    /// Scales.
    pub scale: Option<TimedKeys<3>>,
}

impl TimedTrack {
    /// Returns the times of the keys of a channel, in seconds; empty without keys.
    #[must_use]
    pub fn times(&self, channel: Channel) -> &[f32] {
        let Self { translation, rotation, scale } = self;
        let rotation = rotation.as_ref().map(TimedKeys::times);
        let [translation, scale] = [translation, scale].map(|it| it.as_ref().map(TimedKeys::times));
        channel.of([translation, rotation, scale]).unwrap_or_default()
    }

    /// Returns true if no channel has keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.last_secs().is_none()
    }

    /// Returns the time of the last key in seconds; `None` without keys.
    #[must_use]
    pub fn last_secs(&self) -> Option<f32> {
        let lasts = Channel::ALL.into_iter().filter_map(|it| self.times(it).last());
        lasts.copied().max_by(f32::total_cmp)
    }
}

/// Returns the frame at a time, if it is one within the rounding of exporters.
pub(crate) fn frame_at(secs: f64, rate: f32) -> Option<u32> {
    /// Largest distance from a frame, in frames: that of a time with few decimals.
    const NEAR: f64 = 1e-3;
    /// Largest distance for the size of a frame: seconds are in single precision.
    const ROUNDED: f64 = 1.0 / (1 << 22) as f64;
    let frame = secs * f64::from(rate);
    let whole = frame.round();
    let near = (whole * ROUNDED).clamp(NEAR, 0.25);
    let is_near = (frame - whole).abs() <= near;
    is_near.then(|| whole_number(whole)).flatten()
}

/// Returns the last frame at or before a time; `None` if it has too large a number.
pub(crate) fn frame_before(secs: f64, rate: f32) -> Option<u32> {
    frame_at(secs, rate).or_else(|| whole_number((secs * f64::from(rate)).floor()))
}

/// Returns the first frame at or after a time; `None` if it has too large a number.
pub(crate) fn frame_after(secs: f64, rate: f32) -> Option<u32> {
    frame_at(secs, rate).or_else(|| whole_number((secs * f64::from(rate)).ceil()))
}

fn whole_number(number: f64) -> Option<u32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number in the range"
    )]
    let whole = number as u32;
    (f64::from(whole) == number && whole < u32::MAX).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_beyond_all_frames_have_none() {
        for secs in [1e30, f64::NAN, -1.0] {
            assert_eq!(frame_at(secs, 30.0), None);
            assert_eq!(frame_after(secs, 30.0), None);
        }
        assert_eq!((frame_before(0.99, 30.0), frame_after(0.99, 30.0)), (Some(29), Some(30)));
        assert_eq!((frame_before(0.0417, 24.0), frame_after(0.0417, 24.0)), (Some(1), Some(1)));
    }
}
