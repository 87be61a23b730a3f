//! Encodes pixels as a PNG file.

use super::Pixels;

/// Compression effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Least effort, for thousands of pictures.
    Least,
    /// Moderate effort, for files that are kept.
    Some,
}

/// Failure to encode a picture: a side is 0, or its pixels are of the wrong length.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct EncodeError(png::EncodingError);

/// Appends pixels with straight alpha to `png` as a PNG file of RGBA, 8 bits each.
///
/// # Errors
/// [`EncodeError`], for a side of 0, or `rgba` of the wrong length.
pub fn encode_png(pixels: &Pixels, effort: Effort, png: &mut Vec<u8>) -> Result<(), EncodeError> {
    encode(pixels, effort, png).map_err(EncodeError)
}

fn encode(pixels: &Pixels, effort: Effort, png: &mut Vec<u8>) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(png, pixels.width, pixels.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    // The crate's default takes 60 times as long as the fastest for a tenth less.
    encoder.set_compression(match effort {
        Effort::Least => png::Compression::Fastest,
        Effort::Some => png::Compression::Fast,
    });
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels.rgba)?;
    writer.finish()
}
