//! The model of a motion. Every format is read to it and written from it.

use std::borrow::Cow;

use super::keys::{IndexWidth, Key, KeyFormat, Keys, Place, Precision};
use super::sweep::{Swept, sweep};
use super::{Name, SeanimLayout};

/// Keys of bones over time, and notes.
///
/// Two motions are equal if they mean the same, bit for bit: packing and places in a file do not count, and a channel that is not
/// stored equals one without keys.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Frames a second, as the file states it: any number. [`Motion::frames_per_second`] is sound.
    pub rate: f32,
    /// Number of frames, as the file states it. [`Motion::frames`] is sound.
    pub frame_count: u32,
    /// True if the motion begins again where it ends.
    pub looped: bool,
    /// Reference of the values, for all bones that no modifier reaches.
    pub animation_type: AnimationType,
    /// Bones that have another type, with all their descendants: of a bone itself and its ancestors the nearest counts.
    pub modifiers: Vec<Modifier>,
    /// Notes in the order of the file, which may be any.
    pub notes: Vec<Note>,
    /// Bytes of a program's own.
    pub custom: Option<Vec<u8>>,
    /// What a SEAnim file had besides.
    pub layout: SeanimLayout,
    channels: Channels,
    tracks: Vec<Track>,
    bytes: Cow<'static, [u8]>,
    format: Option<KeyFormat>,
}

impl Motion {
    /// Frames a second where a file states none that is sound.
    pub const DEFAULT_RATE: f32 = 30.0;

    /// A motion of one frame without tracks, 30 frames a second.
    #[must_use]
    pub fn new(channels: Channels, precision: Precision) -> Self {
        Self {
            rate: Self::DEFAULT_RATE,
            frame_count: 1,
            channels,
            format: Some(KeyFormat {
                frame: IndexWidth::U32,
                precision,
            }),
            ..Self::default()
        }
    }

    /// A motion whose tracks lie in `bytes`.
    pub(crate) fn packed(bytes: Cow<'static, [u8]>, channels: Channels, format: KeyFormat) -> Self {
        Self {
            channels,
            bytes,
            format: Some(format),
            ..Self::default()
        }
    }

    /// Makes room for tracks.
    pub(crate) fn reserve_tracks(&mut self, count: usize) {
        self.tracks.reserve_exact(count);
    }

    /// Adds a track whose keys lie in the bytes of the motion already: translation, rotation, scale.
    pub(crate) fn add_packed_track(
        &mut self,
        name: Name,
        flags: u8,
        offset: u64,
        places: [Place; 3],
    ) {
        let [translation, rotation, scale] = places;
        let format = self.format();
        let vector = |place: Place| List {
            place,
            swept: sweep::<3>(place.of(&self.bytes, format.stride(3)), format),
        };
        let rotation = List {
            place: rotation,
            swept: sweep::<4>(rotation.of(&self.bytes, format.stride(4)), format),
        };
        let lists = [vector(translation), rotation, vector(scale)];
        self.tracks.push(Track {
            name,
            flags,
            offset,
            lists,
        });
    }

    /// Adds a track with keys, which are packed with the motion's precision.
    ///
    /// # Errors
    /// [`UnwritableKey`] if the motion does not store a channel that has keys, or has room for fewer.
    pub fn add_track(
        &mut self,
        name: impl Into<Name>,
        flags: u8,
        keys: TrackKeys<'_>,
    ) -> Result<(), UnwritableKey> {
        let has = [
            (Channel::Translation, keys.translation.is_empty()),
            (Channel::Rotation, keys.rotation.is_empty()),
            (Channel::Scale, keys.scale.is_empty()),
        ];
        for (channel, is_empty) in has {
            if !is_empty && !self.channels.has(channel) {
                return Err(UnwritableKey::Channel(channel));
            }
        }
        let start = self.bytes.len();
        let places = (|| {
            Ok([
                self.pack(keys.translation)?,
                self.pack(keys.rotation)?,
                self.pack(keys.scale)?,
            ])
        })();
        match places {
            Ok(places) => {
                self.add_packed_track(name.into(), flags, 0, places);
                Ok(())
            }
            Err(error) => {
                self.bytes.to_mut().truncate(start);
                Err(error)
            }
        }
    }

    /// Packs keys behind the bytes that are there.
    fn pack<const N: usize>(&mut self, keys: &[Key<N>]) -> Result<Place, UnwritableKey> {
        let format = self.format();
        let count = u32::try_from(keys.len()).map_err(|_| UnwritableKey::Count)?;
        let bytes = self.bytes.to_mut();
        let at = bytes.len();
        for key in keys {
            if key.frame > format.frame.most() {
                return Err(UnwritableKey::Frame(key.frame));
            }
            pack_key(bytes, key, format);
        }
        Ok(Place { at, count })
    }

    /// Channels that the motion stores.
    #[must_use]
    pub fn channels(&self) -> Channels {
        self.channels
    }

    /// Precision of all values.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.format().precision
    }

    pub(crate) fn format(&self) -> KeyFormat {
        self.format.unwrap_or(KeyFormat {
            frame: IndexWidth::U32,
            precision: Precision::Single,
        })
    }

    /// The tracks, in the order of the file. In a [delta](AnimationType::Delta) motion the first moves the whole model.
    #[must_use]
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Translations of a track; `None` if the motion stores none, or the track is another motion's.
    #[must_use]
    pub fn translation(&self, track: &Track) -> Option<Keys<'_, 3>> {
        self.keys(track, Channel::Translation)
    }

    /// Rotations of a track, as quaternions `x y z w`; of length 1 in sound files.
    #[must_use]
    pub fn rotation(&self, track: &Track) -> Option<Keys<'_, 4>> {
        self.keys(track, Channel::Rotation)
    }

    /// Scales of a track; 1 is the bone's own size.
    #[must_use]
    pub fn scale(&self, track: &Track) -> Option<Keys<'_, 3>> {
        self.keys(track, Channel::Scale)
    }

    fn keys<const N: usize>(&self, track: &Track, channel: Channel) -> Option<Keys<'_, N>> {
        let format = self.format();
        let packed = track.list(channel).place.of(&self.bytes, format.stride(N));
        self.channels
            .has(channel)
            .then(|| Keys::new(packed, format))
    }

    /// Number of frames to play: at least 1, and all that have keys or notes.
    #[must_use]
    pub fn frames(&self) -> u32 {
        let keys = self.tracks.iter().flat_map(|track| &track.lists);
        let keys = keys.filter(|list| list.place.count > 0);
        let keys = keys.map(|list| list.swept.last.saturating_add(1));
        let notes = self.notes.iter().map(|note| note.frame.saturating_add(1));
        let last = keys.chain(notes).max().unwrap_or(1);
        last.max(self.frame_count).max(1)
    }

    /// Frames a second to play: [`Motion::DEFAULT_RATE`] where the file states 0, less, or no number.
    #[must_use]
    pub fn frames_per_second(&self) -> f32 {
        if self.rate.is_finite() && self.rate > 0.0 {
            self.rate
        } else {
            Self::DEFAULT_RATE
        }
    }

    /// Time from the first frame to the last, in seconds.
    #[must_use]
    pub fn duration_secs(&self) -> f64 {
        f64::from(self.frames().saturating_sub(1)) / f64::from(self.frames_per_second())
    }

    /// The notes by frame, those of one frame in the order of the file.
    #[must_use]
    pub fn notes_by_frame(&self) -> Vec<&Note> {
        let mut notes: Vec<&Note> = self.notes.iter().collect();
        notes.sort_by_key(|note| note.frame);
        notes
    }
}

impl PartialEq for Motion {
    fn eq(&self, other: &Self) -> bool {
        fn same<const N: usize>(a: Option<Keys<'_, N>>, b: Option<Keys<'_, N>>) -> bool {
            match (a, b) {
                (Some(a), Some(b)) => a.is_same(&b),
                (Some(keys), None) | (None, Some(keys)) => keys.is_empty(),
                (None, None) => true,
            }
        }
        let head = |motion: &Self| {
            let rate = motion.rate.to_bits();
            (rate, motion.frame_count, motion.looped, motion.precision())
        };
        let modifiers = |motion: &Self| -> Vec<(u32, AnimationType)> {
            let modifiers = motion.modifiers.iter();
            modifiers.map(|it| (it.track, it.animation_type)).collect()
        };
        let notes = self.notes.iter().zip(&other.notes);
        let mut tracks = self.tracks.iter().zip(&other.tracks);
        head(self) == head(other)
            && self.animation_type == other.animation_type
            && modifiers(self) == modifiers(other)
            && self.custom == other.custom
            && self.notes.len() == other.notes.len()
            && { notes }.all(|(a, b)| a.frame == b.frame && a.name == b.name)
            && self.tracks.len() == other.tracks.len()
            && tracks.all(|(a, b)| {
                a.name == b.name
                    && a.flags == b.flags
                    && same(self.translation(a), other.translation(b))
                    && same(self.rotation(a), other.rotation(b))
                    && same(self.scale(a), other.scale(b))
            })
    }
}

/// Appends a key, whose frame fits.
pub(crate) fn pack_key<const N: usize>(bytes: &mut Vec<u8>, key: &Key<N>, format: KeyFormat) {
    bytes.extend(key.frame.to_le_bytes().iter().take(format.frame.bytes()));
    for value in key.value {
        match format.precision {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "single precision was chosen for the motion"
            )]
            Precision::Single => bytes.extend((value as f32).to_le_bytes()),
            Precision::Double => bytes.extend(value.to_le_bytes()),
        }
    }
}

/// Reference of a motion's values. `rest` is the bone's transform in its parent's space where nothing moves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnimationType {
    /// Translations are in the parent's space, and replace rest.
    #[default]
    Absolute,
    /// Laid over another motion, or over rest.
    Additive,
    /// Translations are added to rest; rotations replace it.
    Relative,
    /// As relative; the first bone moves the whole model.
    Delta,
    /// A number from 4 on, which means nothing: shown as absolute.
    Unknown(u8),
}

impl AnimationType {
    /// The type of a number in a file.
    #[must_use]
    pub const fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Absolute,
            1 => Self::Additive,
            2 => Self::Relative,
            3 => Self::Delta,
            _ => Self::Unknown(code),
        }
    }

    /// Its number in a file.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Absolute => 0,
            Self::Additive => 1,
            Self::Relative => 2,
            Self::Delta => 3,
            Self::Unknown(code) => code,
        }
    }
}

/// Another type for a bone and its descendants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifier {
    /// Index of the bone's track; there are as many.
    pub track: u32,
    /// Its type.
    pub animation_type: AnimationType,
    /// Byte offset of the record in the file that was read.
    pub offset: u64,
}

/// A named frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The frame, from 0.
    pub frame: u32,
    /// The name; may be empty.
    pub name: Name,
    /// Byte offset of the record in the file that was read.
    pub offset: u64,
}

/// A kind of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Places: `x y z`.
    Translation,
    /// Turns: quaternions `x y z w`.
    Rotation,
    /// Scales: `x y z`.
    Scale,
}

/// Channels that a motion stores, for all tracks alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channels {
    /// Translations are stored.
    pub translation: bool,
    /// Rotations are stored.
    pub rotation: bool,
    /// Scales are stored.
    pub scale: bool,
}

impl Channels {
    /// Returns whether a channel is stored.
    #[must_use]
    pub const fn has(self, channel: Channel) -> bool {
        match channel {
            Channel::Translation => self.translation,
            Channel::Rotation => self.rotation,
            Channel::Scale => self.scale,
        }
    }

    /// Returns whether none is stored.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        !self.translation && !self.rotation && !self.scale
    }
}

/// Keys of a bone; [`Motion::translation`] and its like give them.
#[derive(Clone, Debug)]
pub struct Track {
    /// Name of the bone.
    pub name: Name,
    /// 0, or 1 for a cosmetic bone; other numbers mean nothing.
    pub flags: u8,
    /// Byte offset of the name in the file that was read.
    pub offset: u64,
    lists: [List; 3],
}

impl Track {
    fn list(&self, channel: Channel) -> &List {
        let [translation, rotation, scale] = &self.lists;
        match channel {
            Channel::Translation => translation,
            Channel::Rotation => rotation,
            Channel::Scale => scale,
        }
    }

    /// Byte offset of the first key, the largest frame, and whether the keys want a closer look; `None` without keys.
    pub(super) fn seen(&self, channel: Channel) -> Option<(u64, u32, bool)> {
        let List { place, swept } = self.list(channel);
        (place.count > 0).then_some((place.at as u64, swept.last, swept.is_odd))
    }
}

/// A list of keys, and what is known of it.
#[derive(Clone, Copy, Debug)]
struct List {
    place: Place,
    swept: Swept,
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

/// A key that a motion has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnwritableKey {
    /// Keys of a channel that the motion does not store.
    #[error("the motion stores no {0:?}")]
    Channel(Channel),
    /// A frame beyond the width that the motion's file uses.
    #[error("frame {0} does not fit")]
    Frame(u32),
    /// More keys in a list than 32 bits count.
    #[error("too many keys")]
    Count,
}
