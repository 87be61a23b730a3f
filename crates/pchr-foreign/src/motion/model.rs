//! The model of a motion. Every format is converted to and from it.

use std::borrow::Cow;

use super::keys::{Key, KeyFormat, Keys, Place, Precision, sweep};
use super::track::{PackedKeys, frame_after};
use super::{
    Channel, Channels, Conventions, IndexWidth, Name, RootMotion, Sampled, Target, TimedTrack,
    Track, TrackKeys,
};

/// Movement of bones over time, and notes. Its tracks have keys on frames or [at times](Track::timed), or all of them are
/// [sampled](Motion::sampled).
///
/// Two motions are equal if their contents are, bit for bit. Packing and offsets in a file are ignored, and a channel that is not
/// stored equals one without keys.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Frames per second, as stated in the file: any number. [`Motion::frames_per_second`] is always valid.
    pub rate: f32,
    /// Number of frames, as stated in the file. [`Motion::frames`] is always valid.
    pub frame_count: u32,
    /// True if the motion loops.
    pub looped: bool,
    /// Reference of the values, for all bones that no modifier reaches.
    pub animation_type: AnimationType,
    /// Bones that have another type, with all their descendants: of a bone itself and its ancestors the nearest counts.
    pub modifiers: Vec<Modifier>,
    /// Notes in the order of the file, which may be any.
    pub notes: Vec<Note>,
    /// Bytes of a custom block.
    pub custom: Option<Vec<u8>>,
    /// Axes, unit and chain of scales.
    pub conventions: Conventions,
    /// Reading of the values.
    pub dialect: Dialect,
    /// Other content of a SEAnim file.
    pub layout: SeanimLayout,
    /// Other content of a PXD file.
    pub pxd_layout: PxdLayout,
    channels: Channels,
    tracks: Vec<Track>,
    sampled: Option<Sampled>,
    root: Option<RootMotion>,
    /// Time of the last key of timed tracks.
    last_secs: Option<f32>,
    bytes: Cow<'static, [u8]>,
    pub(super) format: KeyFormat,
}

impl Motion {
    /// Frames per second if a file states no valid rate.
    pub const DEFAULT_RATE: f32 = 30.0;

    /// Creates a motion of one frame without tracks, at 30 frames per second.
    #[must_use]
    pub fn new(channels: Channels, precision: Precision) -> Self {
        Self {
            rate: Self::DEFAULT_RATE,
            frame_count: 1,
            channels,
            format: KeyFormat { frame: IndexWidth::U32, precision },
            ..Self::default()
        }
    }

    /// Creates a motion whose tracks are in `bytes`.
    pub(crate) fn packed(bytes: Cow<'static, [u8]>, channels: Channels, format: KeyFormat) -> Self {
        Self { channels, bytes, format, ..Self::default() }
    }

    pub(crate) fn reserve_tracks(&mut self, count: usize) {
        self.tracks.reserve_exact(count);
    }

    /// Adds a track whose keys lie in the bytes of the motion already: translation, rotation, scale.
    pub(crate) fn add_packed_track(
        &mut self,
        target: Target,
        flags: u8,
        offset: u64,
        places: [Place; 3],
    ) {
        let track = self.packed_track(target, flags, offset, places);
        self.tracks.push(track);
    }

    fn packed_track(&self, target: Target, flags: u8, offset: u64, places: [Place; 3]) -> Track {
        let [translation, rotation, scale] = places;
        let lists =
            [self.swept::<3>(translation), self.swept::<4>(rotation), self.swept::<3>(scale)];
        Track { flags, lists, ..Track::without_keys(target, offset) }
    }

    fn swept<const N: usize>(&self, place: Place) -> PackedKeys {
        let format = self.format;
        PackedKeys { place, swept: sweep::<N>(place.of(&self.bytes, format.stride(N)), format) }
    }

    /// Adds a track with keys, which are packed with the motion's precision.
    ///
    /// # Errors
    /// [`UnwritableKey`] if the motion does not store a channel that has keys, or has room for fewer.
    pub fn add_track(
        &mut self,
        target: impl Into<Target>,
        flags: u8,
        keys: TrackKeys<'_>,
    ) -> Result<(), UnwritableKey> {
        let places = self.pack_keys(keys)?;
        self.add_packed_track(target.into(), flags, 0, places);
        Ok(())
    }

    /// Sets the movement of the whole model, with keys.
    ///
    /// # Errors
    /// As [`Motion::add_track`].
    pub fn set_root_keys(&mut self, keys: TrackKeys<'_>) -> Result<(), UnwritableKey> {
        let places = self.pack_keys(keys)?;
        self.set_packed_root(0, places);
        Ok(())
    }

    /// Sets root motion whose keys are already in the bytes of the motion.
    pub(crate) fn set_packed_root(&mut self, offset: u64, places: [Place; 3]) {
        let track = self.packed_track(Target::Bone(0), 0, offset, places);
        self.root = Some(RootMotion::Keys(track));
    }

    /// Adds a track whose keys have times in seconds. They are local transforms, whatever the type of the motion.
    pub fn add_timed_track(&mut self, target: impl Into<Target>, keys: TimedTrack) {
        let track = self.timed_track(target.into(), keys);
        self.tracks.push(track);
    }

    /// Sets the movement of the whole model, with keys that have times in seconds.
    pub fn set_timed_root(&mut self, keys: TimedTrack) {
        let track = self.timed_track(Target::Bone(0), keys);
        self.root = Some(RootMotion::Keys(track));
    }

    fn timed_track(&mut self, target: Target, keys: TimedTrack) -> Track {
        let lasts = self.last_secs.into_iter().chain(keys.last_secs());
        self.last_secs = lasts.max_by(f32::total_cmp);
        Track { timed: Some(Box::new(keys)), ..Track::without_keys(target, 0) }
    }

    /// Makes the motion a sampled one, without keys: track for bone, in their order.
    pub fn set_sampled(&mut self, sampled: Sampled) {
        let track = |bone| Track::without_keys(Target::Bone(bone), sampled.offset);
        self.tracks = (0..sampled.tracks()).map(track).collect();
        self.sampled = Some(sampled);
    }

    /// Sets the movement of the whole model, sampled.
    pub fn set_sampled_root(&mut self, sampled: Sampled) {
        self.root = Some(RootMotion::Sampled(sampled));
    }

    fn pack_keys(&mut self, keys: TrackKeys<'_>) -> Result<[Place; 3], UnwritableKey> {
        let TrackKeys { translation, rotation, scale } = keys;
        let are_empty = [translation.is_empty(), rotation.is_empty(), scale.is_empty()];
        for channel in Channel::ALL {
            if !channel.of(are_empty) && !self.channels.has(channel) {
                return Err(UnwritableKey::Channel(channel));
            }
        }
        let start = self.bytes.len();
        let places = (|| Ok([self.pack(translation)?, self.pack(rotation)?, self.pack(scale)?]))();
        if places.is_err() {
            self.bytes.to_mut().truncate(start);
        }
        places
    }

    /// Packs keys behind the bytes that are there.
    fn pack<const N: usize>(&mut self, keys: &[Key<N>]) -> Result<Place, UnwritableKey> {
        let format = self.format;
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

    /// Returns the channels that the motion stores.
    #[must_use]
    pub fn channels(&self) -> Channels {
        self.channels
    }

    /// Returns the precision of all values.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.format.precision
    }

    /// Returns the tracks, in file order. In a [delta](AnimationType::Delta) motion the first moves the whole model.
    #[must_use]
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Returns true if tracks identify their bones by number, as in a skeleton.
    #[must_use]
    pub fn numbers_bones(&self) -> bool {
        let mut targets = self.tracks.iter().map(|track| &track.target);
        targets.any(|target| matches!(target, Target::Bone(_)))
    }

    /// Returns the samples of all tracks, in track order; `None` if tracks have keys.
    #[must_use]
    pub fn sampled(&self) -> Option<&Sampled> {
        self.sampled.as_ref()
    }

    /// Returns true if tracks have keys at times in seconds.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.last_secs.is_some()
    }

    /// Returns the movement of the whole model, in addition to that of its bones.
    #[must_use]
    pub fn root(&self) -> Option<&RootMotion> {
        self.root.as_ref()
    }

    /// Returns the translations of a track; `None` if the motion stores none, or the track belongs to another motion.
    #[must_use]
    pub fn translation(&self, track: &Track) -> Option<Keys<'_, 3>> {
        self.keys(track, Channel::Translation)
    }

    /// Returns the rotations of a track, as quaternions `x y z w`; of length 1 in valid files.
    #[must_use]
    pub fn rotation(&self, track: &Track) -> Option<Keys<'_, 4>> {
        self.keys(track, Channel::Rotation)
    }

    /// Returns the scales of a track; 1 is the bone's own size.
    #[must_use]
    pub fn scale(&self, track: &Track) -> Option<Keys<'_, 3>> {
        self.keys(track, Channel::Scale)
    }

    fn keys<const N: usize>(&self, track: &Track, channel: Channel) -> Option<Keys<'_, N>> {
        let format = self.format;
        let packed = track.list(channel).place.of(&self.bytes, format.stride(N));
        self.channels.has(channel).then(|| Keys::new(packed, format))
    }

    /// Returns the number of frames to play: all samples; else at least 1, and all frames with keys or notes.
    #[must_use]
    pub fn frames(&self) -> u32 {
        if let Some(sampled) = &self.sampled {
            return sampled.frames();
        }
        let root = self.root.as_ref().and_then(RootMotion::keys);
        let keys = self.tracks.iter().chain(root).map(Track::frames);
        let notes = self.notes.iter().map(|note| note.frame.saturating_add(1));
        let last = keys.chain(notes).max().unwrap_or(1);
        last.max(self.timed_frames()).max(self.frame_count).max(1)
    }

    /// Returns the number of frames up to the last key of timed tracks.
    fn timed_frames(&self) -> u32 {
        self.last_secs.map_or(0, |secs| {
            let last = frame_after(secs.into(), self.frames_per_second());
            last.unwrap_or(u32::MAX).saturating_add(1)
        })
    }

    /// Returns the frames per second to play: [`Motion::DEFAULT_RATE`] if the file states 0, less, or no number.
    #[must_use]
    pub fn frames_per_second(&self) -> f32 {
        if self.rate.is_finite() && self.rate > 0.0 { self.rate } else { Self::DEFAULT_RATE }
    }

    /// Returns the time from the first frame to the last, in seconds. Timed tracks end with their last key, unless frames or notes
    /// come after it.
    #[must_use]
    pub fn duration_secs(&self) -> f64 {
        let frames = self.frames();
        match self.last_secs.filter(|_| self.timed_frames() == frames) {
            Some(secs) => secs.max(0.0).into(),
            None => f64::from(frames.saturating_sub(1)) / f64::from(self.frames_per_second()),
        }
    }

    /// Returns the notes by frame, those of one frame in file order.
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
        let same_keys = |a: &Track, b: &Track| {
            a.timed == b.timed
                && same(self.translation(a), other.translation(b))
                && same(self.rotation(a), other.rotation(b))
                && same(self.scale(a), other.scale(b))
        };
        let has_same_root = match (&self.root, &other.root) {
            (Some(RootMotion::Keys(a)), Some(RootMotion::Keys(b))) => same_keys(a, b),
            (Some(RootMotion::Sampled(a)), Some(RootMotion::Sampled(b))) => a == b,
            (a, b) => a.is_none() && b.is_none(),
        };
        let mut tracks = self.tracks.iter().zip(&other.tracks);
        head(self) == head(other)
            && self.animation_type == other.animation_type
            && modifiers(self) == modifiers(other)
            && self.custom == other.custom
            && self.conventions == other.conventions
            && self.sampled == other.sampled
            && has_same_root
            && self.notes.len() == other.notes.len()
            && { notes }.all(|(a, b)| a.frame == b.frame && a.name == b.name)
            && self.tracks.len() == other.tracks.len()
            && tracks.all(|(a, b)| a.target == b.target && a.flags == b.flags && same_keys(a, b))
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

/// Reading of values that formats leave to the programs that use them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Rotations between keys turn at an even pace (slerp). The scale of an additive bone is the key's own and replaces that
    /// of the rest pose. A channel without keys rests.
    #[default]
    Seanim,
    /// Rotations between keys are blended number by number and normalised. Of additive bones the rest is scaled by the value, or by 1
    /// more where 0 stands for no change. Elsewhere a scale that is missing is 1; one of 0 stays 0, though the importer for Blender
    /// reads it as 1.
    Pxd,
}

/// Reference of a motion's values. `rest` is the bone's transform in its parent's space where nothing moves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnimationType {
    /// Translations are in the parent's space, and replace rest.
    #[default]
    Absolute,
    /// Applied on top of another motion, or of the rest pose.
    Additive,
    /// Translations are added to rest; rotations replace it.
    Relative,
    /// Like relative, but the first bone moves the whole model.
    Delta,
    /// A number from 4 on, which means nothing: shown as absolute.
    Unknown(u8),
}

impl AnimationType {
    /// Returns the type with a number in a file.
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

    /// Returns its number in a file.
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

/// Parts of a SEAnim file that mean nothing, kept so that the same bytes can be written again. Empty for a new motion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeanimLayout {
    /// Bytes of the header after its known fields.
    pub header_extra: Vec<u8>,
    /// Reserved bytes of the header: two in the middle, three behind the number of modifiers.
    pub reserved: [u8; 5],
    /// Reserved bits of `animFlags`, `dataPresenceFlags` and `dataPropertyFlags`.
    pub reserved_bits: [u8; 3],
    /// Width of frames and key counts, if an old writer used another than the number of frames requires.
    pub frame_width: Option<IndexWidth>,
    /// Width of bone indices, if a writer used another than the number of bones requires.
    pub bone_width: Option<IndexWidth>,
    /// True if the file announces notes but has none.
    pub announces_notes: bool,
    /// Bytes after the last block.
    pub trailing: Vec<u8>,
}

/// Parts of a PXD file that say nothing new, kept so that the same bytes can be written again. Empty for a new skeleton or motion.
#[derive(Clone, Debug, Default)]
pub struct PxdLayout {
    pub(crate) duration: Option<StatedDuration>,
    /// Bytes between two clips, if they are not those of the alignment.
    pub(crate) gap: Option<usize>,
    /// The offset table, if its entries are longer than necessary.
    pub(crate) offset_table: Vec<u8>,
}

impl PxdLayout {
    /// The duration in seconds that the file states.
    #[must_use]
    pub fn stated_secs(&self) -> Option<f32> {
        self.duration.map(|duration| duration.secs)
    }
}

/// Stated duration of a file, kept while rate and number of frames are unchanged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatedDuration {
    pub(crate) secs: f32,
    pub(crate) rate: f32,
    pub(crate) frame_count: u32,
}
