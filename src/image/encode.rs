//! Encodes pixels as a PNG file.

use super::Pixels;

/// Compression effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Least effort, for pictures that are made by the thousand.
    Least,
    /// Moderate effort, for files that are kept.
    Some,
}

/// Appends pixels with straight alpha to `png` as a PNG file of RGBA, 8 bits each.
///
/// # Errors
/// The encoder's error, for a side of 0, or `rgba` of the wrong length.
pub fn encode_png(
    pixels: &Pixels,
    effort: Effort,
    png: &mut Vec<u8>,
) -> Result<(), png::EncodingError> {
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
