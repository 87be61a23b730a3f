//! Pixels of a subject's images. Decoding is separate from reading, so that a reader without use for pixels decodes none.
//!
//! Needs the feature `png`.
//!
//! Texels are premultiplied once, here, in sRGB-encoded space; both renderers and the mip chain work on those.
#![deny(clippy::arithmetic_side_effects)]

mod alpha;
mod cover_on_checker;
mod decode;
mod mips;
mod rect;

use std::fmt;

pub use alpha::{Tint, multiply, multiply_255, over, premultiply, unpremultiply};
pub use cover_on_checker::{CHECKER, cover};
pub use decode::{
    DEFAULT_BUDGET, DecodeError, ImageError, ImageRooms, check_png, decode, decode_all,
    decode_each, decode_picture, decode_straight, png_is_animated, png_size, png_text,
};
pub use mips::{Levels, mip_chain};
pub use rect::PixelRect;

#[cfg(feature = "json")]
pub(crate) use decode::decode_leased;

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
        Self { width: 0, height: 0, rgba: Vec::new() }
    }

    /// Replaces the contents by pixels of one colour, reusing its memory.
    pub fn clear(&mut self, size: [u32; 2], rgba: [u8; 4]) {
        let [width, height] = size;
        (self.width, self.height) = (width, height);
        let count = (width as usize).saturating_mul(height as usize);
        self.rgba.resize(count.saturating_mul(4), 0);
        self.rgba.as_chunks_mut().0.fill(rgba);
    }

    /// Encodes a premultiplied picture, such as a renderer draws, as a PNG file.
    ///
    /// # Errors
    /// The encoder's error, if memory runs out or there are no pixels.
    pub fn to_png(&self) -> Result<Vec<u8>, EncodeError> {
        let mut straight = self.clone();
        unpremultiply(&mut straight.rgba);
        let mut png = Vec::new();
        encode_png(&straight, Effort::Some, &mut png)?;
        Ok(png)
    }

    /// Returns one transparent pixel: the placeholder for an image without pixels.
    #[must_use]
    pub fn transparent() -> Self {
        Self { width: 1, height: 1, rgba: vec![0; 4] }
    }

    /// Checks that there are pixels, and four bytes for each.
    ///
    /// # Errors
    /// [`WrongLength`].
    pub fn check(&self) -> Result<(), WrongLength> {
        let found = WrongLength { size: [self.width, self.height], bytes: self.rgba.len() };
        match found.needed() {
            needed if needed > 0 && needed == found.bytes as u128 => Ok(()),
            _ => Err(found),
        }
    }
}

/// Pixels without an area, or whose bytes are not those of their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongLength {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Bytes that there are.
    pub bytes: usize,
}

impl WrongLength {
    /// Returns the bytes that the size needs: more than any memory has, for some sizes.
    fn needed(self) -> u128 {
        let [width, height] = self.size.map(u128::from);
        width.saturating_mul(height).saturating_mul(4)
    }

    /// Returns true if there are at least as many bytes as pixels need.
    pub(crate) fn has_enough(self) -> bool {
        self.needed() > 0 && self.bytes as u128 >= self.needed()
    }
}

impl fmt::Display for WrongLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.size;
        match self.needed() {
            0 => write!(f, "{width} x {height} pixels, expected at least 1 x 1"),
            needed => {
                write!(f, "{width} x {height} pixels in {} bytes, expected {needed}", self.bytes)
            }
        }
    }
}

impl std::error::Error for WrongLength {}

/// Returns the warning that a subject was given another number of images than it has.
#[cfg(any(feature = "raster", feature = "render"))]
pub(crate) fn images_given(has: usize, wants: usize) -> Option<String> {
    let so = match has < wants {
        true => "meshes of missing images are not drawn",
        false => "the last ones are not used",
    };
    (has != wants).then(|| format!("images: {has} given, expected {wants}; {so}"))
}

/// Compression effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Least effort, for thousands of pictures.
    Least,
    /// Moderate effort, for files that are kept.
    Some,
}

/// Failure to encode a picture: a side is 0, its pixels are of the wrong length, or it is too large for a PNG file.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// No pixels, or not as many bytes as they need.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// What the encoder says.
    #[error(transparent)]
    Png(#[from] png::EncodingError),
}

/// Appends pixels with straight alpha to `png` as a PNG file of RGBA, 8 bits each.
///
/// # Errors
/// [`EncodeError`], for a side of 0 or of 2³¹ and more, or `rgba` of the wrong length.
pub fn encode_png(pixels: &Pixels, effort: Effort, png: &mut Vec<u8>) -> Result<(), EncodeError> {
    encode(pixels, effort, None, png)
}

/// Appends pixels as [`encode_png`] does, with a text before them: its keyword (1 to 79 letters), and the text itself.
///
/// # Errors
/// As [`encode_png`], and for an invalid keyword.
pub fn encode_png_with_text(
    pixels: &Pixels,
    effort: Effort,
    text: (&str, &str),
    png: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    encode(pixels, effort, Some(text), png)
}

fn encode(
    pixels: &Pixels,
    effort: Effort,
    text: Option<(&str, &str)>,
    png: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    pixels.check()?;
    let mut encoder = png::Encoder::new(png, pixels.width, pixels.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    // The crate's default takes 60 times as long as the fastest for a tenth less.
    encoder.set_compression(match effort {
        Effort::Least => png::Compression::Fastest,
        Effort::Some => png::Compression::Fast,
    });
    if let Some((keyword, text)) = text {
        encoder.add_itxt_chunk(keyword.to_owned(), text.to_owned())?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels.rgba)?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_must_be_those_of_the_size() {
        let said = |width, height, bytes| {
            let pixels = Pixels { width, height, rgba: vec![0; bytes] };
            pixels.check().map_err(|fault| fault.to_string())
        };
        assert_eq!(said(2, 3, 24), Ok(()));
        for (width, height, bytes, wanted) in [
            (4, 4, 63, "4 x 4 pixels in 63 bytes, expected 64"),
            (4, 4, 65, "4 x 4 pixels in 65 bytes, expected 64"),
            (0, 0, 0, "0 x 0 pixels, expected at least 1 x 1"),
            (5, 0, 20, "5 x 0 pixels, expected at least 1 x 1"),
            (
                1 << 31,
                1 << 31,
                0,
                "2147483648 x 2147483648 pixels in 0 bytes, expected 18446744073709551616",
            ),
            (
                u32::MAX,
                u32::MAX,
                4,
                "4294967295 x 4294967295 pixels in 4 bytes, expected 73786976260478468100",
            ),
        ] {
            assert_eq!(said(width, height, bytes), Err(wanted.to_owned()));
        }
    }

    #[test]
    fn pixels_of_the_wrong_length_are_an_error_of_any_size() {
        for (width, height, bytes) in
            [(0, 0, 0), (2, 2, 15), (2, 2, 17), (1 << 31, 1 << 31, 0), (u32::MAX, u32::MAX, 4)]
        {
            let rgba = vec![0; bytes];
            let pixels = Pixels { width, height, rgba };
            let mut png = Vec::new();
            let error = encode_png(&pixels, Effort::Least, &mut png).unwrap_err();
            assert!(error.to_string().contains("expected"), "{error}");
            assert!(png.is_empty());
        }
    }
}
