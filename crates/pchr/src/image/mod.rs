//! Pixels of a subject's images. Decoding is separate from reading, so that a reader without use for pixels decodes none.
//!
//! Needs the feature `png`.
//!
//! Texels are premultiplied once, here, in sRGB-encoded space; both renderers and the mip chain work on those.
#![deny(clippy::arithmetic_side_effects)]

mod alpha;
mod decode;
mod mips;

use std::fmt;

pub use alpha::{CHECKER, Tint, cover, multiply, multiply_255, over, premultiply, unpremultiply};
pub use decode::{
    DEFAULT_BUDGET, DecodeError, ImageError, ImageRooms, check_png, decode, decode_all,
    decode_each, decode_picture, decode_straight, png_is_animated, png_size, png_text,
};
pub use mips::{Levels, mip_chain};

#[cfg(feature = "json")]
pub(crate) use decode::decode_leased;
#[cfg(feature = "raster")]
pub(crate) use decode::run_all;

/// An image in memory; by default without pixels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
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

/// A part of a picture, in pixels from its top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PixelRect {
    /// Its left and top.
    pub offset: [u32; 2],
    /// Its width and height.
    pub size: [u32; 2],
}

impl PixelRect {
    /// Returns the smallest rectangle with both in it.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let [right, bottom] = self.end();
        let [other_right, other_bottom] = other.end();
        let ([x, y], [other_x, other_y]) = (self.offset, other.offset);
        let (left, top) = (x.min(other_x), y.min(other_y));
        let width = right.max(other_right).saturating_sub(left);
        let height = bottom.max(other_bottom).saturating_sub(top);
        Self { offset: [left, top], size: [width, height] }
    }

    /// Returns true if all of `other` is in it.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.union(other) == self
    }

    /// Returns the smallest rectangle around all pixels for which `counts` is true, row by row of a picture of this width; `None` if
    /// there are none.
    pub fn around(width: u32, counts: impl IntoIterator<Item = bool>) -> Option<Self> {
        let (mut x, mut y) = (0_u32, 0_u32);
        let mut around: Option<[u32; 4]> = None;
        for counts in counts {
            if counts {
                let [left, top, right, _] = around.unwrap_or([x, y, x, y]);
                around = Some([left.min(x), top, right.max(x), y]);
            }
            x = x.saturating_add(1);
            if x >= width {
                (x, y) = (0, y.saturating_add(1));
            }
        }
        let [left, top, right, bottom] = around?;
        let along = |first: u32, last: u32| last.saturating_sub(first).saturating_add(1);
        Some(Self { offset: [left, top], size: [along(left, right), along(top, bottom)] })
    }

    /// Returns the column and row after its last ones.
    fn end(self) -> [u32; 2] {
        let ([x, y], [width, height]) = (self.offset, self.size);
        [x.saturating_add(width), y.saturating_add(height)]
    }
}

impl Pixels {
    /// Returns all of the picture.
    #[must_use]
    pub fn rect(&self) -> PixelRect {
        PixelRect { offset: [0, 0], size: [self.width, self.height] }
    }

    /// Returns the smallest rectangle with all pixels that are not fully transparent; `None` if there are none.
    #[must_use]
    pub fn visible(&self) -> Option<PixelRect> {
        let texels = self.rgba.as_chunks::<4>().0.iter();
        PixelRect::around(self.width, texels.map(|[.., alpha]| *alpha != 0))
    }

    /// Returns the smallest rectangle with all pixels that differ from those of a picture of the same size; `None` if there are none.
    #[must_use]
    pub fn changed(&self, before: &Self) -> Option<PixelRect> {
        let texels = self.rgba.as_chunks::<4>().0.iter();
        let texels = texels.zip(before.rgba.as_chunks::<4>().0);
        PixelRect::around(self.width, texels.map(|(texel, before)| texel != before))
    }

    /// Returns the picture with this many transparent pixels on each side.
    #[must_use]
    pub fn padded(&self, pad: u32) -> Self {
        let size = [self.width, self.height];
        let size = size.map(|side| side.saturating_add(pad.saturating_mul(2)));
        self.moved([0, 0], [pad, pad], size)
    }

    /// Returns a part. Pixels outside of the picture are transparent.
    #[must_use]
    pub fn cut(&self, rect: PixelRect) -> Self {
        self.moved(rect.offset, [0, 0], rect.size)
    }

    /// Returns a picture of a size that shows this one from a pixel on, at another pixel; the rest is transparent.
    fn moved(&self, [from_x, from_y]: [u32; 2], [to_x, to_y]: [u32; 2], size: [u32; 2]) -> Self {
        let mut moved = Self::empty();
        moved.clear(size, [0; 4]);
        let width = moved.width.max(1) as usize;
        let rows = self.rgba.as_chunks::<4>().0.chunks_exact(self.width.max(1) as usize);
        let to_rows = moved.rgba.as_chunks_mut::<4>().0.chunks_exact_mut(width);
        for (row, to_row) in rows.skip(from_y as usize).zip(to_rows.skip(to_y as usize)) {
            let pixels = row.iter().skip(from_x as usize);
            for (pixel, to) in pixels.zip(to_row.iter_mut().skip(to_x as usize)) {
                *to = *pixel;
            }
        }
        moved
    }
}

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
    encode_png_with_text(pixels, effort, None, png)
}

/// Appends pixels as [`encode_png`] does, with a text before them, if there is one: its keyword (1 to 79 letters), and the text itself.
///
/// # Errors
/// As [`encode_png`], and for an invalid keyword.
pub fn encode_png_with_text(
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
            let mut png = Vec::new();
            let encoded = encode_png(&pixels, Effort::Least, &mut png);
            assert_eq!(png.is_empty(), encoded.is_err());
            let fault = pixels.check().map_err(|fault| fault.to_string());
            assert_eq!(encoded.map_err(|error| error.to_string()), fault);
            fault
        };
        assert_eq!(said(2, 3, 24), Ok(()));
        for (width, height, bytes, expected) in [
            (4, 4, 63, "64"),
            (4, 4, 65, "64"),
            (1 << 31, 1 << 31, 0, "18446744073709551616"),
            (u32::MAX, u32::MAX, 4, "73786976260478468100"),
        ] {
            let wanted = format!("{width} x {height} pixels in {bytes} bytes, expected {expected}");
            assert_eq!(said(width, height, bytes), Err(wanted));
        }
        for (width, height, bytes) in [(0, 0, 0), (5, 0, 20)] {
            let wanted = format!("{width} x {height} pixels, expected at least 1 x 1");
            assert_eq!(said(width, height, bytes), Err(wanted));
        }
    }

    /// A picture of 4 x 3 pixels, transparent but for these.
    fn picture(set: &[[u32; 2]]) -> Pixels {
        let mut pixels = Pixels::empty();
        pixels.clear([4, 3], [0; 4]);
        for [x, y] in set {
            let row = pixels.rgba.chunks_exact_mut(16).nth(*y as usize).unwrap();
            row.chunks_exact_mut(4).nth(*x as usize).unwrap()[3] = 9;
        }
        pixels
    }

    #[test]
    fn rectangles_hold_what_is_visible_and_what_changes() {
        let rect = |offset, size| Some(PixelRect { offset, size });
        assert_eq!(picture(&[]).visible(), None);
        assert_eq!(picture(&[[2, 1]]).visible(), rect([2, 1], [1, 1]));
        assert_eq!(picture(&[[3, 0], [0, 2]]).visible(), rect([0, 0], [4, 3]));
        assert_eq!(picture(&[[1, 0], [2, 0]]).visible(), rect([1, 0], [2, 1]));
        let (before, after) = (picture(&[[0, 0], [1, 1]]), picture(&[[0, 0], [2, 2]]));
        assert_eq!(after.changed(&before), rect([1, 1], [2, 2]));
        assert_eq!(after.changed(&after), None);
    }

    #[test]
    fn parts_are_cut_out_and_transparent_beyond_the_picture() {
        let whole = picture(&[[1, 1], [3, 2]]);
        let part = whole.cut(PixelRect { offset: [1, 1], size: [2, 2] });
        assert_eq!((part.width, part.height), (2, 2));
        assert_eq!(part.visible(), Some(PixelRect { offset: [0, 0], size: [1, 1] }));
        let over = whole.cut(PixelRect { offset: [3, 2], size: [2, 2] });
        assert_eq!(over.visible(), Some(PixelRect { offset: [0, 0], size: [1, 1] }));
        assert_eq!(whole.cut(whole.rect()), whole);
        let padded = whole.padded(2);
        assert_eq!((padded.width, padded.height), (8, 7));
        assert_eq!(padded.cut(PixelRect { offset: [2, 2], size: [4, 3] }), whole);
        assert_eq!(padded.visible(), Some(PixelRect { offset: [3, 3], size: [3, 2] }));
    }

    #[test]
    fn unions_hold_both() {
        let [a, b] = [[0, 2], [3, 1]].map(|offset| PixelRect { offset, size: [2, 1] });
        assert_eq!(a.union(b), PixelRect { offset: [0, 1], size: [5, 2] });
        assert!(a.union(b).contains(b) && !a.contains(b));
    }
}
