//! PNG files of pixels.

use super::{Pixels, WrongLength};

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
#[error(transparent)]
pub struct EncodeError(#[from] EncodeFault);

#[derive(Debug, thiserror::Error)]
enum EncodeFault {
    #[error(transparent)]
    Length(#[from] WrongLength),
    #[error(transparent)]
    Png(#[from] png::EncodingError),
}

/// Appends pixels with straight alpha to `png` as a PNG file of RGBA, 8 bits each.
///
/// # Errors
/// [`EncodeError`], for a side of 0 or of 2³¹ and more, or `rgba` of the wrong length.
pub fn encode_png(pixels: &Pixels, effort: Effort, png: &mut Vec<u8>) -> Result<(), EncodeError> {
    Ok(encode(pixels, effort, None, png)?)
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
    Ok(encode(pixels, effort, Some(text), png)?)
}

fn encode(
    pixels: &Pixels,
    effort: Effort,
    text: Option<(&str, &str)>,
    png: &mut Vec<u8>,
) -> Result<(), EncodeFault> {
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
    fn pixels_of_the_wrong_length_are_an_error_of_any_size() {
        for (width, height, bytes) in
            [(0, 0, 0), (2, 2, 15), (2, 2, 17), (1 << 31, 1 << 31, 0), (u32::MAX, u32::MAX, 4)]
        {
            let pixels = Pixels { width, height, rgba: vec![0; bytes] };
            let mut png = Vec::new();
            let error = encode_png(&pixels, Effort::Least, &mut png).unwrap_err();
            assert!(error.to_string().contains("expected"), "{error}");
            assert!(png.is_empty());
        }
    }
}
