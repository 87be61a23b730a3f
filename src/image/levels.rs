//! An image and its smaller copies, ready to be uploaded.

use super::{Pixels, mip_chain};

/// An image, premultiplied, with the smaller copies that were made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    base: Pixels,
    smaller: Vec<Pixels>,
}

impl Levels {
    /// `base` with all smaller copies down to one texel: [`mip_chain`].
    #[must_use]
    pub fn with_mipmaps(base: Pixels) -> Self {
        let smaller = mip_chain(&base);
        Self { base, smaller }
    }

    /// One transparent pixel: what stands for an image that is not decoded yet.
    #[must_use]
    pub fn transparent() -> Self {
        Self {
            base: Pixels::transparent(),
            smaller: Vec::new(),
        }
    }

    /// The image in its full size.
    #[must_use]
    pub fn base(&self) -> &Pixels {
        &self.base
    }

    /// The smaller copies, each half as large as the one before.
    #[must_use]
    pub fn smaller(&self) -> &[Pixels] {
        &self.smaller
    }
}
