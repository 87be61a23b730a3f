//! An opaque picture on which small pictures are laid and names are written: contact sheets and overviews.

use pchr::image::{Pixels, multiply_255};
use pchr::overlay::{needs_fonts, plain_line};

use crate::run::Failure;
use crate::typeface::{FontError, Fonts};

/// Height of a line of text in pixels.
pub(super) const LINE: u32 = 13;

/// The picture.
#[derive(Debug)]
pub(super) struct Paper(Pixels);

impl Paper {
    pub(super) fn new(size: [u32; 2], [r, g, b]: [u8; 3]) -> Self {
        let mut pixels = Pixels::empty();
        pixels.clear(size, [r, g, b, 255]);
        Self(pixels)
    }

    pub(super) fn into_pixels(self) -> Pixels {
        self.0
    }

    /// Lays a picture with straight alpha on it.
    pub(super) fn lay(&mut self, pixels: &Pixels, [left, top]: [u32; 2]) {
        for (row, y) in pixels.rgba.chunks_exact(pixels.width.max(1) as usize * 4).zip(top..) {
            for (pixel, x) in row.as_chunks::<4>().0.iter().zip(left..) {
                let [r, g, b, alpha] = *pixel;
                self.blend([x, y], [r, g, b], alpha);
            }
        }
    }

    /// Writes a line of text.
    pub(super) fn write(
        &mut self,
        text: &str,
        [left, top]: [u32; 2],
        color: [u8; 3],
        fonts: &mut Fonts,
    ) -> Result<(), Failure> {
        let (width, coverage) = line(text, fonts)?;
        for (row, y) in coverage.chunks_exact(usize::from(width.max(1))).zip(top..) {
            for (alpha, x) in row.iter().zip(left..) {
                self.blend([x, y], color, *alpha);
            }
        }
        Ok(())
    }

    /// Lays a colour over a pixel.
    fn blend(&mut self, [x, y]: [u32; 2], color: [u8; 3], alpha: u8) {
        if alpha == 0 || x >= self.0.width {
            return;
        }
        let at = (y as usize).saturating_mul(self.0.width as usize).saturating_add(x as usize);
        let Some(pixel) = self.0.rgba.as_chunks_mut::<4>().0.get_mut(at) else { return };
        for (there, over) in pixel.iter_mut().zip(color) {
            *there = multiply_255(*there, 255 - alpha).saturating_add(multiply_255(over, alpha));
        }
    }
}

/// Returns a line of text: its width, and the coverage of its pixels, row by row.
fn line(text: &str, fonts: &mut Fonts) -> Result<(u16, Vec<u8>), Failure> {
    if needs_fonts(text) {
        let height = u16::try_from(LINE).unwrap_or(13);
        let line = fonts.line(text, height).map_err(unusable)?;
        return Ok((line.width, line.mask));
    }
    let (width, lit) = plain_line(text);
    Ok((width, lit.into_iter().map(|lit| if lit { 255 } else { 0 }).collect()))
}

/// Returns a text without the end that is too long for a line.
pub(super) fn cut(text: &str, width: u32, fonts: &mut Fonts) -> Result<String, Failure> {
    let mut kept = text.to_owned();
    let mut shown = kept.clone();
    while u32::from(line(&shown, fonts)?.0) > width && kept.pop().is_some() {
        shown = format!("{}...", kept.trim_end());
    }
    Ok(shown)
}

/// The failure of a font.
pub(super) fn unusable(error: FontError) -> Failure {
    Failure::Running(anyhow::anyhow!("cannot use the font {error}"))
}
