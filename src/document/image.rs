//! Images of a subject: their description, their encoded bytes, and the findings about them.

use super::ImageId;
use crate::finding::Finding;

/// Encoding of an image's data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ImageFormat {
    /// A PNG file.
    #[default]
    Png,
    /// Straight-alpha RGBA, 8 bits each, top row first.
    Rgba8888,
}

impl ImageFormat {
    /// The format's number in a file.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Png => 0,
            Self::Rgba8888 => 1,
        }
    }
}

/// An image as it is stored: name, size and encoded bytes.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a> {
    pub(super) name: &'a [u8],
    pub(super) size: [u16; 2],
    pub(super) format: ImageFormat,
    pub(super) data: &'a [u8],
}

impl<'a> Image<'a> {
    /// An image of the announced width and height. Raw pixels have exactly these.
    #[must_use]
    pub fn new(name: &'a str, size: [u16; 2], format: ImageFormat, data: &'a [u8]) -> Self {
        Self {
            name: name.as_bytes(),
            size,
            format,
            data,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        std::str::from_utf8(self.name).unwrap_or_default()
    }

    /// Width in pixels as announced; a PNG may disagree and then counts.
    #[must_use]
    pub fn width(&self) -> u16 {
        self.size[0]
    }

    /// Height in pixels as announced; a PNG may disagree and then counts.
    #[must_use]
    pub fn height(&self) -> u16 {
        self.size[1]
    }

    /// Encoding of the data.
    #[must_use]
    pub fn format(&self) -> ImageFormat {
        self.format
    }

    /// The encoded data.
    #[must_use]
    pub fn data(&self) -> &'a [u8] {
        self.data
    }
}

/// Kind of fault that decoding finds in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageFault {
    /// Its pixels do not fit in the memory that they may take.
    Memory,
    /// Its data does not decode.
    Data,
    /// Its data has another size than announced.
    Size,
}

/// The images of a subject. Decoding and its findings need no more.
pub trait Images: Send + Sync {
    /// Number of images.
    fn image_count(&self) -> usize;

    /// One image; `None` if there are not as many.
    fn image(&self, id: ImageId) -> Option<Image<'_>>;

    /// The finding about a fault of an image, with the rule and the place that the file's format has for it.
    fn image_finding(&self, id: ImageId, fault: ImageFault, message: String) -> Finding;
}

impl dyn Images + '_ {
    /// All images in order.
    pub fn images(&self) -> impl Iterator<Item = Image<'_>> + Clone {
        self.image_ids().filter_map(|id| self.image(id))
    }

    /// The id of each image.
    pub fn image_ids(&self) -> impl Iterator<Item = ImageId> + Clone + use<> {
        (0..=u16::MAX).map(ImageId).take(self.image_count())
    }
}
