//! Images of a subject: their description, their encoded bytes, and the findings about them.

use super::ImageId;
use crate::finding::Finding;

/// Encoding of an image's data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "json",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum ImageFormat {
    /// A PNG file.
    #[default]
    Png = 0,
    /// Straight-alpha RGBA, 8 bits each, top row first.
    Rgba8888 = 1,
}

impl ImageFormat {
    /// Returns the format's number in a file.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }
}

/// An image as stored: name, size and encoded bytes.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a> {
    pub(super) name: &'a [u8],
    pub(super) size: [u16; 2],
    pub(super) format: ImageFormat,
    pub(super) data: &'a [u8],
}

impl<'a> Image<'a> {
    /// Creates an image with its declared width and height. Raw pixels have exactly these.
    #[must_use]
    pub fn new(name: &'a str, size: [u16; 2], format: ImageFormat, data: &'a [u8]) -> Self {
        Self { name: name.as_bytes(), size, format, data }
    }

    /// Returns its name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        std::str::from_utf8(self.name).unwrap_or_default()
    }

    /// Returns the declared width in pixels. A PNG may have another width, which takes precedence.
    #[must_use]
    pub fn width(&self) -> u16 {
        self.size[0]
    }

    /// Returns the declared height in pixels. A PNG may have another height, which takes precedence.
    #[must_use]
    pub fn height(&self) -> u16 {
        self.size[1]
    }

    /// Returns the encoding of the data.
    #[must_use]
    pub fn format(&self) -> ImageFormat {
        self.format
    }

    /// Returns the encoded data.
    #[must_use]
    pub fn data(&self) -> &'a [u8] {
        self.data
    }
}

/// Kind of error that decoding an image finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageFault {
    /// Its pixels exceed the memory budget.
    Memory,
    /// Its data cannot be decoded.
    Data,
    /// Its data has another size than declared.
    Size,
}

/// The images of a subject: the interface for decoding them and reporting findings.
pub trait Images: Send + Sync {
    /// Returns the number of images.
    fn image_count(&self) -> usize;

    /// Returns one image; `None` if there is no such image.
    fn image(&self, id: ImageId) -> Option<Image<'_>>;

    /// Returns the colour that the texels of an image are multiplied by, as 0..=255 each of red, green and blue; white by default.
    fn tint(&self, id: ImageId) -> [u8; 3] {
        let _ = id;
        [u8::MAX; 3]
    }

    /// Returns the finding for a fault of an image, with the rule and the place in terms of the file's format.
    fn image_finding(&self, id: ImageId, fault: ImageFault, message: String) -> Finding;
}

impl dyn Images + '_ {
    /// Returns all images in order.
    pub fn images(&self) -> impl Iterator<Item = Image<'_>> + Clone {
        self.image_ids().filter_map(|id| self.image(id))
    }

    /// Returns the id of each image.
    pub fn image_ids(&self) -> impl Iterator<Item = ImageId> + Clone + use<> {
        (0..=u16::MAX).map(ImageId).take(self.image_count())
    }
}
