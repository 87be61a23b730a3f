//! The parts of a document that both dialects share: lists read element by element, and what is checked once all is read.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};

use super::path::TextPath;
use crate::document::{AnimationParts, BoneTransform, DocumentParts, FileFormat};

/// An error, and the path to it in a value.
pub(super) type Fault = (serde_json::Error, TextPath);

/// Returns the fault of a value.
pub(super) fn fault<'t, T: Deserialize<'t>>(value: &'t str) -> Option<Fault> {
    let mut track = serde_path_to_error::Track::new();
    let mut json = serde_json::Deserializer::from_str(value);
    let tracked = serde_path_to_error::Deserializer::new(&mut json, &mut track);
    let error = T::deserialize(tracked).err()?;
    Some((error, TextPath::from(&track.path())))
}

/// A document in a dialect.
pub(super) trait DialectDocument<'de>: Deserialize<'de> {
    const FORMAT: FileFormat;
    /// True if an unknown key is an error; else it is a warning.
    const STRICT: bool;

    /// Returns the fault of an element of one of the four lists, and the path to it.
    fn fault(list: &str, element: &'de str) -> Option<Fault>;

    fn load(self) -> DialectParts;
}

/// A document whose images and frames are not yet checked.
#[derive(Default)]
pub(super) struct DialectParts {
    pub(super) version: u16,
    /// The parts, without the images' data and the numbers of frames.
    pub(super) parts: DocumentParts,
    /// Path of each image.
    pub(super) paths: Vec<String>,
    /// Number of transforms in each frame of each animation.
    pub(super) frames: Vec<Vec<usize>>,
    /// Influences without room in each mesh.
    pub(super) dropped: Vec<Vec<Dropped>>,
}

impl DialectParts {
    pub(super) fn add_animation<T>(&mut self, name: String, flags: u8, frames: Frames<T>) {
        self.frames.push(frames.lengths);
        self.parts.animations.push(AnimationParts {
            name,
            flags,
            frame_count: 0,
            transforms: frames.transforms,
        });
    }
}

/// Influences of a vertex that have no room in its record.
pub(super) struct Dropped {
    pub(super) vertex: usize,
    pub(super) count: u32,
    /// Sum of their weights.
    pub(super) weight: f32,
}

/// A list that takes elements of a text.
pub(super) trait Take<T> {
    fn take(&mut self, element: T);
}

impl<T: Into<U>, U> Take<T> for Vec<U> {
    #[inline]
    fn take(&mut self, element: T) {
        self.push(element.into());
    }
}

/// Reads an array whose elements are converted one by one.
pub(super) fn list<'de, D, T, L>(value: D) -> Result<L, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
    L: Take<T> + Default,
{
    let mut list = L::default();
    Onto(&mut list, PhantomData::<T>).deserialize(value)?;
    Ok(list)
}

/// Appends the elements of an array to a list, and returns their number.
struct Onto<'a, T, L>(&'a mut L, PhantomData<T>);

impl<'de, T: Deserialize<'de>, L: Take<T>> DeserializeSeed<'de> for Onto<'_, T, L> {
    type Value = usize;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<usize, D::Error> {
        value.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>, L: Take<T>> Visitor<'de> for Onto<'_, T, L> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<usize, A::Error> {
        let mut count: usize = 0;
        while let Some(element) = seq.next_element()? {
            self.0.take(element);
            count = count.saturating_add(1);
        }
        Ok(count)
    }
}

/// The transforms of all frames of an animation, and their number in each frame.
pub(super) struct Frames<T> {
    pub(super) transforms: Vec<BoneTransform>,
    pub(super) lengths: Vec<usize>,
    element: PhantomData<T>,
}

impl<'de, T: Deserialize<'de> + Into<BoneTransform>> Deserialize<'de> for Frames<T> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        let frames = Self {
            transforms: Vec::new(),
            lengths: Vec::new(),
            element: PhantomData,
        };
        value.deserialize_seq(frames)
    }
}

impl<'de, T: Deserialize<'de> + Into<BoneTransform>> Visitor<'de> for Frames<T> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Self, A::Error> {
        while let Some(length) =
            seq.next_element_seed(Onto(&mut self.transforms, PhantomData::<T>))?
        {
            self.lengths.push(length);
        }
        self.transforms.shrink_to_fit();
        Ok(self)
    }
}

/// Reads pairs of hexadecimal digits.
pub(super) fn hex<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<u8>, D::Error> {
    let digits = String::deserialize(value)?;
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let digit = |digit: u8| {
        char::from(digit)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? << 4) | digit(*low)?);
    let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
    bytes
        .filter(|_| rest.is_empty())
        .ok_or_else(|| D::Error::custom("expected two hexadecimal digits for each byte"))
}
