//! From premultiplied pixels to a PNG with straight alpha.

use crate::image::{Pixels, multiply_255, unpremultiply};

/// What lies behind the character when it is not a colour that the renderer starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backdrop {
    /// Nothing more: the picture as it was drawn.
    #[default]
    None,
    /// A checkerboard of light and dark squares, 8 pixels wide.
    Checker,
}

/// Encodes pictures one after the other, keeping its memory.
#[derive(Debug, Default)]
pub struct Encoder {
    png: Vec<u8>,
}

impl Encoder {
    /// Encodes premultiplied `pixels`, which are left with straight alpha.
    ///
    /// The fastest setting is meant: the crate's default takes 60 times as long for a tenth less.
    ///
    /// # Errors
    /// The encoder's, which for pixels of the right length means that it ran out of room.
    pub fn png(
        &mut self,
        pixels: &mut Pixels,
        backdrop: Backdrop,
    ) -> Result<&[u8], png::EncodingError> {
        if backdrop == Backdrop::Checker {
            lay_checker(pixels);
        }
        unpremultiply(&mut pixels.rgba);
        self.png.clear();
        let mut encoder = png::Encoder::new(&mut self.png, pixels.width, pixels.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fastest);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels.rgba)?;
        writer.finish()?;
        Ok(&self.png)
    }
}

/// Lays the picture over a checkerboard.
fn lay_checker(pixels: &mut Pixels) {
    const SQUARE: usize = 8;
    let width = pixels.width.max(1) as usize;
    for (y, row) in pixels
        .rgba
        .as_chunks_mut::<4>()
        .0
        .chunks_mut(width)
        .enumerate()
    {
        for (x, pixel) in row.iter_mut().enumerate() {
            let behind = if (x / SQUARE + y / SQUARE).is_multiple_of(2) {
                204
            } else {
                153
            };
            let [r, g, b, a] = *pixel;
            let over = |c: u8| c.saturating_add(multiply_255(behind, 255 - a));
            *pixel = [over(r), over(g), over(b), 255];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_holds_straight_alpha() {
        let mut pixels = Pixels {
            width: 2,
            height: 1,
            rgba: vec![64, 0, 128, 128, 9, 9, 9, 0],
        };
        let png = Encoder::default()
            .png(&mut pixels, Backdrop::None)
            .unwrap()
            .to_vec();
        let mut reader = png::Decoder::new(std::io::Cursor::new(png))
            .read_info()
            .unwrap();
        let mut rgba = vec![0; 8];
        reader.next_frame(&mut rgba).unwrap();
        assert_eq!(rgba, [128, 0, 255, 128, 0, 0, 0, 0]);
    }

    #[test]
    fn a_checkerboard_shows_where_nothing_is_and_makes_the_picture_opaque() {
        let mut pixels = Pixels {
            width: 9,
            height: 1,
            rgba: vec![0; 36],
        };
        pixels.rgba[..4].copy_from_slice(&[255, 0, 0, 255]);
        lay_checker(&mut pixels);
        let pixel = |x: usize| &pixels.rgba[x * 4..x * 4 + 4];
        assert_eq!(pixel(0), [255, 0, 0, 255]);
        assert_eq!(pixel(1), [204, 204, 204, 255]);
        assert_eq!(pixel(8), [153, 153, 153, 255]);
    }
}
