//! Tracks: what moves a bone, and which.

use std::borrow::Cow;

use super::keys::{Key, Place};
use super::sweep::Swept;
use super::{Channel, Name, Sampled, TimedTrack};

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

impl From<&str> for Target {
    fn from(name: &str) -> Self {
        Self::Name(name.into())
    }
}

impl From<&[u8]> for Target {
    fn from(name: &[u8]) -> Self {
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
    pub(super) lists: [List; 3],
    pub(super) timed: Option<Box<TimedTrack>>,
}

impl Track {
    /// Returns the keys, if they have times in seconds.
    #[must_use]
    pub fn timed(&self) -> Option<&TimedTrack> {
        self.timed.as_deref()
    }

    pub(super) fn list(&self, channel: Channel) -> &List {
        let [translation, rotation, scale] = &self.lists;
        match channel {
            Channel::Translation => translation,
            Channel::Rotation => rotation,
            Channel::Scale => scale,
        }
    }

    /// Returns the offset of the first key in the bytes of the motion.
    pub(super) fn keys_at(&self, channel: Channel) -> u64 {
        self.list(channel).place.at as u64
    }

    /// Returns the largest frame, and true if the keys must be checked one by one; `None` without keys.
    pub(super) fn seen(&self, channel: Channel) -> Option<(u32, bool)> {
        let List { place, swept } = self.list(channel);
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
pub(super) struct List {
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
