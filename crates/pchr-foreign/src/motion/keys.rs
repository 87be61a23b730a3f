//! Keys of a channel, packed as in their file.

/// A kind of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Translations: `x y z`.
    Translation,
    /// Rotations: quaternions `x y z w`.
    Rotation,
    /// Scales: `x y z`.
    Scale,
}

impl Channel {
    /// All channels.
    pub const ALL: [Self; 3] = [Self::Translation, Self::Rotation, Self::Scale];

    /// Returns the numbers per value.
    #[must_use]
    pub const fn lanes(self) -> usize {
        self.of([3, 4, 3])
    }

    /// Returns the name in paths.
    pub(crate) const fn name(self) -> &'static str {
        self.of(["translation", "rotation", "scale"])
    }

    /// Returns the one of this channel among those of translation, rotation and scale.
    pub(crate) const fn of<T: Copy>(self, [translation, rotation, scale]: [T; 3]) -> T {
        match self {
            Self::Translation => translation,
            Self::Rotation => rotation,
            Self::Scale => scale,
        }
    }
}

/// Channels that a motion stores, the same for all tracks.
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
    /// Returns true if a channel is stored.
    #[must_use]
    pub const fn has(self, channel: Channel) -> bool {
        channel.of([self.translation, self.rotation, self.scale])
    }

    /// Returns true if no channel is stored.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        !self.translation && !self.rotation && !self.scale
    }
}

/// Precision of all values of a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 32-bit floats.
    #[default]
    Single,
    /// 64-bit floats.
    Double,
}

impl Precision {
    /// Returns the bytes per number.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Double => 8,
        }
    }
}

/// Width of an index or a count in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum IndexWidth {
    /// One byte.
    U8,
    /// Two bytes.
    U16,
    /// Four bytes.
    #[default]
    U32,
}

impl IndexWidth {
    /// Returns the width that SEAnim requires for a number of frames or bones.
    #[must_use]
    pub const fn of_count(count: u32) -> Self {
        match count {
            0..=0xff => Self::U8,
            0x100..=0xffff => Self::U16,
            _ => Self::U32,
        }
    }

    /// Returns the bytes per index.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 => 4,
        }
    }

    /// Returns the largest index.
    #[must_use]
    pub const fn most(self) -> u32 {
        match self {
            Self::U8 => 0xff,
            Self::U16 => 0xffff,
            Self::U32 => u32::MAX,
        }
    }
}

/// A key: a frame, and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key<const N: usize> {
    /// The frame, from 0.
    pub frame: u32,
    /// Value. It is exact, even if the file has 32 bits.
    pub value: [f64; N],
}

impl<const N: usize> Key<N> {
    /// Returns true if frame and value are equal, bit for bit.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.frame == other.frame && same_bits(self.value, other.value)
    }
}

/// Returns true if numbers are equal, bit for bit.
pub(crate) fn same_bits<const N: usize>(a: [f64; N], b: [f64; N]) -> bool {
    a.map(f64::to_bits) == b.map(f64::to_bits)
}

/// Packing of all keys of a motion: a frame, then its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyFormat {
    pub(crate) frame: IndexWidth,
    pub(crate) precision: Precision,
}

impl KeyFormat {
    /// Returns the bytes of a key of `lanes` numbers.
    pub(crate) const fn stride(self, lanes: usize) -> usize {
        let values = lanes.saturating_mul(self.precision.bytes());
        values.saturating_add(self.frame.bytes())
    }
}

/// Place of a list in the bytes of its motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// Offset of the first key.
    pub(crate) at: usize,
    pub(crate) count: u32,
}

impl Place {
    /// Returns the packed keys; empty if they are missing.
    pub(crate) fn of(self, bytes: &[u8], stride: usize) -> &[u8] {
        let length = usize::try_from(self.count).map(|count| count.saturating_mul(stride));
        let end = length.map_or(usize::MAX, |length| self.at.saturating_add(length));
        bytes.get(self.at..end).unwrap_or_default()
    }
}

/// Keys of a channel of a track, in the order of their file, which may be any.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a, const N: usize> {
    packed: &'a [u8],
    format: KeyFormat,
}

impl<'a, const N: usize> Keys<'a, N> {
    pub(crate) fn new(packed: &'a [u8], format: KeyFormat) -> Self {
        Self { packed, format }
    }

    pub(crate) fn packed(&self) -> (&'a [u8], KeyFormat) {
        (self.packed, self.format)
    }

    /// Returns the number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        let stride = self.format.stride(N);
        self.packed.len().checked_div(stride).unwrap_or(0)
    }

    /// Returns true if there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// Returns a key by its index in the list.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Key<N>> {
        let stride = self.format.stride(N);
        let start = index.checked_mul(stride)?;
        let key = self.packed.get(start..)?.get(..stride)?;
        key_of(key, self.format)
    }

    /// Returns the keys in order.
    pub fn iter(&self) -> impl Iterator<Item = Key<N>> + Clone + use<'a, N> {
        let format = self.format;
        self.packed.chunks_exact(format.stride(N)).filter_map(move |key| key_of(key, format))
    }

    /// Returns true if frames ascend without duplicates.
    #[must_use]
    pub fn is_sorted(&self) -> bool {
        self.iter().map(|key| key.frame).is_sorted_by(|a, b| a < b)
    }

    /// Returns the keys by frame, for sampling. Of several on one frame the last counts, as if keys were set one after another.
    #[must_use]
    pub fn sorted(&self) -> Vec<Key<N>> {
        let mut keys: Vec<Key<N>> = self.iter().collect();
        keys.sort_by_key(|key| key.frame);
        keys.reverse();
        keys.dedup_by_key(|key| key.frame);
        keys.reverse();
        keys
    }

    /// Returns true if another list has the same keys, bit for bit.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other.iter()).all(|(a, b)| a.is_same(&b))
    }
}

fn key_of<const N: usize>(bytes: &[u8], format: KeyFormat) -> Option<Key<N>> {
    let (frame, values) = bytes.split_at_checked(format.frame.bytes())?;
    let frame = number_of(frame);
    let mut value = [0.0; N];
    match format.precision {
        Precision::Single => {
            for (value, bytes) in value.iter_mut().zip(values.as_chunks().0) {
                *value = f32::from_le_bytes(*bytes).into();
            }
        }
        Precision::Double => {
            for (value, bytes) in value.iter_mut().zip(values.as_chunks().0) {
                *value = f64::from_le_bytes(*bytes);
            }
        }
    }
    Some(Key { frame, value })
}

/// Returns the number in little-endian bytes, at most four.
pub(crate) fn number_of(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number: u32, byte| (number << 8) | u32::from(*byte))
}

/// Largest distance of a rotation's squared length from 1.
pub(crate) const LENGTH_TOLERANCE: f64 = 0.01;

/// Result of checking a list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Swept {
    /// Largest frame.
    pub(super) last: u32,
    /// True if frames do not ascend, a number is not finite, or a rotation has another length than 1.
    pub(super) is_odd: bool,
}

/// Checks packed keys of `N` numbers; those of four are rotations.
pub(super) fn sweep<const N: usize>(packed: &[u8], format: KeyFormat) -> Swept {
    match (format.frame, format.precision) {
        (IndexWidth::U8, Precision::Single) => keys::<N, 1, 4>(packed),
        (IndexWidth::U16, Precision::Single) => keys::<N, 2, 4>(packed),
        (IndexWidth::U32, Precision::Single) => keys::<N, 4, 4>(packed),
        (IndexWidth::U8, Precision::Double) => keys::<N, 1, 8>(packed),
        (IndexWidth::U16, Precision::Double) => keys::<N, 2, 8>(packed),
        (IndexWidth::U32, Precision::Double) => keys::<N, 4, 8>(packed),
    }
}

/// Checks keys with frames of `W` bytes and numbers of `S` bytes.
fn keys<const N: usize, const W: usize, const S: usize>(packed: &[u8]) -> Swept {
    let mut swept = Swept::default();
    let mut before = None;
    for key in packed.chunks_exact(const { N.saturating_mul(S).saturating_add(W) }) {
        let Some((frame, values)) = key.split_first_chunk::<W>() else { break };
        let mut wide = [0; 4];
        for (wide, byte) in wide.iter_mut().zip(frame) {
            *wide = *byte;
        }
        let frame = u32::from_le_bytes(wide);
        let mut squares = 0.0;
        for value in values.as_chunks::<S>().0 {
            let value = number(value);
            squares += value * value; // infinite or NaN as soon as one number is
        }
        let is_odd = if N == 4 {
            let off = (squares - 1.0).abs();
            off.is_nan() || off > LENGTH_TOLERANCE
        } else {
            !squares.is_finite()
        };
        swept.is_odd |= is_odd | before.is_some_and(|before| frame <= before);
        swept.last = swept.last.max(frame);
        before = Some(frame);
    }
    swept
}

/// Reads a number of four or eight bytes.
fn number<const S: usize>(bytes: &[u8; S]) -> f64 {
    if let Some(single) = bytes.first_chunk::<4>().filter(|_| S == 4) {
        return f32::from_le_bytes(*single).into();
    }
    bytes.first_chunk::<8>().map_or(0.0, |double| f64::from_le_bytes(*double))
}
