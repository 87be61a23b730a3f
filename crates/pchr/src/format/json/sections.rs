//! The parts of a document that both dialects share: lists read element by element, images read from the files beside the text, and what is
//! checked once all is read.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};

use super::path::TextPath;
use crate::bytes::{Budget, Lease};
use crate::document::{
    AnimationParts, BoneTransform, DocumentParts, FileFormat, ImageFormat, ImageParts, PchrRule,
};
use crate::finding::quoted;
use crate::format::{SidecarError, Sidecars};
use crate::image::{ImageError, decode_leased};

/// An error, and the path to it in a value.
pub(super) type Fault = (serde_json::Error, TextPath);

pub(super) fn fault<'t, T: Deserialize<'t>>(value: &'t str) -> Option<Fault> {
    let mut track = serde_path_to_error::Track::new();
    let mut json = serde_json::Deserializer::from_str(value);
    let tracked = serde_path_to_error::Deserializer::new(&mut json, &mut track);
    let error = T::deserialize(tracked).err()?;
    Some((error, TextPath::from(&track.path())))
}

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
    pub(super) paths: Vec<String>,
    /// Number of transforms in each frame of each animation.
    pub(super) frames: Vec<Vec<usize>>,
    /// Influences without room in each mesh.
    pub(super) dropped: Vec<Vec<Dropped>>,
}

impl DialectParts {
    pub(super) fn add_animation<T>(&mut self, name: String, flags: u8, frames: Frames<T>) {
        let Frames { transforms, lengths, .. } = frames;
        self.frames.push(lengths);
        self.parts.animations.push(AnimationParts { name, flags, frame_count: 0, transforms });
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
    const EXPECTED: &'static str = "an array";

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
        f.write_str(L::EXPECTED)
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
        let frames = Self { transforms: Vec::new(), lengths: Vec::new(), element: PhantomData };
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
    let digit =
        |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? << 4) | digit(*low)?);
    let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
    bytes
        .filter(|_| rest.is_empty())
        .ok_or_else(|| D::Error::custom("expected two hexadecimal digits for each byte"))
}

/// Image files beside a text, and their memory budgets.
pub(super) struct ImageFiles<'a> {
    sidecars: &'a mut dyn Sidecars,
    /// Memory of the encoded files.
    files: Lease<'a>,
    /// Memory of the pixels of images that become raw.
    pixels: Lease<'a>,
}

impl<'a> ImageFiles<'a> {
    /// Files from `sidecars`. They draw on one budget, decoded pixels on the other.
    pub(super) fn new(
        sidecars: &'a mut dyn Sidecars,
        files: &'a Budget,
        pixels: &'a Budget,
    ) -> Self {
        Self { sidecars, files: files.lease(), pixels: pixels.lease() }
    }

    /// Keeps the charges of the budgets, because a document has the memory.
    pub(super) fn keep(self) {
        self.files.keep();
        self.pixels.keep();
    }

    /// Reads an image's data: the file unchanged or, for rgba8888, its pixels. An image that cannot be read becomes a PNG without
    /// data, which causes no other findings.
    ///
    /// # Errors
    /// The broken rule, and the message.
    pub(super) fn fill(
        &mut self,
        image: &mut ImageParts,
        path: &str,
    ) -> Result<(), (PchrRule, String)> {
        image.data = self.data(image, path).map_err(|(rule, message)| {
            image.format = ImageFormat::Png;
            let (name, path) = (quoted(&image.name), quoted(path));
            (rule, format!("image {name}, path {path}: {message}"))
        })?;
        Ok(())
    }

    fn data(&mut self, image: &ImageParts, path: &str) -> Result<Vec<u8>, (PchrRule, String)> {
        let file = self.file(path)?;
        let empty = image.width == 0 || image.height == 0;
        if image.format == ImageFormat::Png || (empty && file.is_empty()) {
            return Ok(file);
        }
        let refused = |error: ImageError| {
            let rule = match error {
                ImageError::Budget(_) => PchrRule::Limit,
                _ => PchrRule::SidecarPixels,
            };
            (rule, error.to_string())
        };
        let (decoded, lease) = decode_leased(&file, self.pixels.budget()).map_err(refused)?;
        self.pixels.join(lease);
        let (width, height) = (u32::from(image.width), u32::from(image.height));
        if (width, height) != (decoded.width, decoded.height) {
            let message = format!(
                "declared as {width} x {height}, but the PNG is {} x {}",
                decoded.width, decoded.height
            );
            return Err((PchrRule::SidecarPixels, message));
        }
        Ok(decoded.rgba)
    }

    fn file(&mut self, path: &str) -> Result<Vec<u8>, (PchrRule, String)> {
        let file = self.sidecars.read(path).map_err(|error| {
            let rule = match error {
                SidecarError::Outside => PchrRule::SidecarPath,
                SidecarError::Unreadable(_) | SidecarError::Failed(_) => PchrRule::SidecarMissing,
                SidecarError::NotOne => PchrRule::LegacyImages,
            };
            (rule, error.to_string())
        })?;
        // Many images may name one file, so the size of the files does not limit the memory that a text needs.
        self.files
            .take(file.len() as u64, 1)
            .map_err(|error| (PchrRule::Limit, format!("image files: {error}")))?;
        Ok(file)
    }
}
