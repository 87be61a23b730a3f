//! Pixels of a subject's images. Decoding is separate from reading, so that a reader without use for pixels decodes none.
//!
//! Needs the feature `png`.
//!
//! Texels are premultiplied once, here, in sRGB-encoded space; both renderers and the mip chain work on those.
#![deny(clippy::arithmetic_side_effects)]

mod alpha;
mod cover;
mod decode;
mod each;
mod encode;
mod levels;
mod mips;
mod other;
mod tint;
mod wrong_length;

pub use alpha::{multiply_255, over, premultiply, unpremultiply};
pub use cover::{CHECKER, cover};
#[cfg(feature = "json")]
pub(crate) use decode::decode_leased;
pub use decode::{
    DEFAULT_BUDGET, DecodeError, ImageError, check_png, decode, decode_or_placeholder,
    decode_picture, decode_straight, png_is_animated, png_size, png_text,
};
pub use each::{ImageRooms, decode_all, decode_each};
pub use encode::{Effort, EncodeError, encode_png, encode_png_with_text};
pub use levels::Levels;
pub use mips::mip_chain;
pub use tint::Tint;
pub use wrong_length::WrongLength;
#[cfg(any(feature = "raster", feature = "render"))]
pub(crate) use wrong_length::images_given;

/// An image in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// RGBA, 8 bits each, sRGB-encoded, top row first. The function that makes the pixels states if alpha is premultiplied.
    pub rgba: Vec<u8>,
}

impl Pixels {
    /// Returns a picture without pixels, to be filled.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            width: 0,
            height: 0,
            rgba: Vec::new(),
        }
    }

    /// Replaces the contents by pixels of one colour, reusing its memory.
    pub fn clear(&mut self, size: [u32; 2], rgba: [u8; 4]) {
        let [width, height] = size;
        (self.width, self.height) = (width, height);
        let count = (width as usize).saturating_mul(height as usize);
        self.rgba.resize(count.saturating_mul(4), 0);
        self.rgba.as_chunks_mut().0.fill(rgba);
    }

    /// Returns one transparent pixel: the placeholder for an image without pixels.
    #[must_use]
    pub fn transparent() -> Self {
        Self {
            width: 1,
            height: 1,
            rgba: vec![0; 4],
        }
    }
}
