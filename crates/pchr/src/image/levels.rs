//! An image and its smaller copies, ready to be uploaded.

use super::{Pixels, mip_chain};

/// An image and its smaller copies, premultiplied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    base: Pixels,
    smaller: Vec<Pixels>,
}

impl Levels {
    /// Returns `base` with all smaller copies down to one texel: [`mip_chain`].
    #[must_use]
    pub fn with_mipmaps(base: Pixels) -> Self {
        let smaller = mip_chain(&base);
        Self { base, smaller }
    }

    /// Returns one transparent pixel: the placeholder for an image that is not decoded yet.
    #[must_use]
    pub fn transparent() -> Self {
        Self {
            base: Pixels::transparent(),
            smaller: Vec::new(),
        }
    }

    /// Returns the image in full size.
    #[must_use]
    pub fn base(&self) -> &Pixels {
        &self.base
    }

    /// Returns the smaller copies, each half as large as the one before.
    #[must_use]
    pub fn smaller(&self) -> &[Pixels] {
        &self.smaller
    }
}
