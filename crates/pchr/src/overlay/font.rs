//! The letters of overlays: a bitmap font with the characters of ISO 8859-1.

use std::ops::Range;
use std::sync::LazyLock;

use embedded_graphics::geometry::{OriginDimensions as _, Point};
use embedded_graphics::image::GetPixel as _;
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::mono_font::iso_8859_1::FONT_6X13;
use embedded_graphics::pixelcolor::BinaryColor;

use super::ink::Ink;

const FONT: MonoFont<'static> = FONT_6X13;

/// Width and height of every glyph, in texels.
pub(super) const GLYPH_SIZE: [u16; 2] = [6, 13];

/// Rows above the baseline.
pub(super) const BASELINE: u16 = 10;

/// Number of glyphs: two runs of printable characters, and the box.
pub(super) const GLYPHS: u16 = LOWER + UPPER + 1;
/// Number of characters from the space to the tilde.
const LOWER: u16 = 0x7f - 0x20;
/// Number of characters from the no-break space on.
const UPPER: u16 = 0x100 - 0xa0;
/// Glyph for characters that the font lacks.
const BOX: u16 = LOWER + UPPER;

pub(super) fn glyph(character: char) -> u16 {
    match u16::try_from(u32::from(character)) {
        Ok(code @ 0x20..=0x7e) => code - 0x20,
        Ok(code @ 0xa0..=0xff) => code - 0xa0 + LOWER,
        _ => BOX,
    }
}

pub(super) fn is_known(character: char) -> bool {
    glyph(character) != BOX
}

/// Returns true if a texel of a glyph is part of the letter.
pub(super) fn is_lit(glyph: u16, [x, y]: [u16; 2]) -> bool {
    let code = match glyph {
        BOX => return is_box([x, y]),
        LOWER.. => glyph - LOWER + 0xa0,
        _ => glyph + 0x20,
    };
    let character = char::from_u32(code.into()).unwrap_or(' ');
    let Ok(index) = i32::try_from(FONT.glyph_mapping.index(character)) else {
        return false;
    };
    let [width, height] = GLYPH_SIZE.map(i32::from);
    let columns = i32::try_from(FONT.image.size().width).unwrap_or(width) / width;
    let at =
        Point::new(index % columns * width + i32::from(x), index / columns * height + i32::from(y));
    FONT.image.pixel(at) == Some(BinaryColor::On)
}

/// Returns a line of text in the built-in font, which is the same on every machine: its width, and which of its pixels are set, row by
/// row. It is 13 pixels high; a character that the font lacks is a box.
#[must_use]
pub fn plain_line(text: &str) -> (u16, Vec<bool>) {
    let [across, down] = GLYPH_SIZE;
    let glyphs: Vec<u16> = text.chars().map(glyph).take(usize::from(u16::MAX / across)).collect();
    let rows = (0..down).flat_map(|y| {
        let row = glyphs.iter().flat_map(move |glyph| (0..across).map(move |x| (*glyph, [x, y])));
        row.map(|(glyph, at)| is_lit(glyph, at))
    });
    (u16::try_from(glyphs.len()).unwrap_or(0).saturating_mul(across), rows.collect())
}

/// Returns the rows of a glyph that have a lit texel; none of a space.
pub(super) fn lit_rows(glyph: u16) -> Range<u16> {
    static ROWS: LazyLock<Vec<Range<u16>>> = LazyLock::new(|| (0..GLYPHS).map(find_rows).collect());
    { ROWS.get(usize::from(glyph)) }.cloned().unwrap_or_default()
}

fn find_rows(glyph: u16) -> Range<u16> {
    let [width, height] = GLYPH_SIZE;
    let is_row = |y: &u16| (0..width).any(|x| is_lit(glyph, [x, *y]));
    let first = (0..height).find(is_row).unwrap_or(0);
    let last = (0..height).rev().find(is_row);
    first..last.map_or(first, |last| last + 1)
}

/// Returns true for a texel of the box, a frame as high as a capital letter.
fn is_box([x, y]: [u16; 2]) -> bool {
    let (columns, rows) = (0..=4, 2..=BASELINE);
    let within = columns.contains(&x) && rows.contains(&y);
    let edge = [x, y]
        .iter()
        .zip([columns, rows])
        .any(|(at, range)| at == range.start() || at == range.end());
    within && edge
}

/// Colours of text and its rim, for a background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Lettering {
    OnDark,
    OnLight,
    /// Name of the selected element.
    ChosenOnDark,
    ChosenOnLight,
}

impl Lettering {
    /// All letterings, in numeric order.
    pub(super) const ALL: [Self; 4] =
        [Self::OnDark, Self::OnLight, Self::ChosenOnDark, Self::ChosenOnLight];

    pub(super) fn new(is_light: bool, is_chosen: bool) -> Self {
        match (is_light, is_chosen) {
            (false, false) => Self::OnDark,
            (true, false) => Self::OnLight,
            (false, true) => Self::ChosenOnDark,
            (true, true) => Self::ChosenOnLight,
        }
    }

    /// Returns true for the name of a selected element.
    pub(super) fn is_chosen(self) -> bool {
        matches!(self, Self::ChosenOnDark | Self::ChosenOnLight)
    }

    /// Returns the colours of text and rim: straight RGBA, sRGB-encoded.
    pub(super) fn rgba(self) -> [[u8; 4]; 2] {
        let dark_rim = Ink::Halo.rgba();
        let light_rim = [255, 255, 255, 225];
        match self {
            Self::OnDark => [[255, 255, 255, 255], dark_rim],
            Self::OnLight => [[22, 24, 36, 255], light_rim],
            Self::ChosenOnDark => [[255, 150, 214, 255], dark_rim],
            Self::ChosenOnLight => [[176, 20, 116, 255], light_rim],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(character: char) -> Vec<String> {
        let glyph = glyph(character);
        let [width, height] = GLYPH_SIZE;
        let row = |y| (0..width).map(move |x| if is_lit(glyph, [x, y]) { '#' } else { '.' });
        (0..height).map(|y| row(y).collect()).collect()
    }

    #[test]
    fn the_font_is_as_large_as_its_cells() {
        let size = FONT.character_size;
        assert_eq!([size.width, size.height], GLYPH_SIZE.map(u32::from));
        assert_eq!(FONT.character_spacing, 0);
        assert_eq!(FONT.baseline, u32::from(BASELINE));
    }

    #[test]
    fn rows_without_lit_texels_are_known() {
        assert!(lit_rows(glyph(' ')).is_empty());
        assert_eq!(lit_rows(glyph('骨')), 2..BASELINE + 1);
        let dash = lit_rows(glyph('-'));
        assert_eq!(dash.len(), 1, "{dash:?}");
        for glyph in 0..GLYPHS {
            let lit = picture_rows(glyph);
            let rows = lit_rows(glyph);
            assert!((0..13).all(|y| !lit[usize::from(y)] || rows.contains(&y)), "{glyph}");
        }
    }

    fn picture_rows(glyph: u16) -> Vec<bool> {
        let [width, height] = GLYPH_SIZE;
        { 0..height }.map(|y| (0..width).any(|x| is_lit(glyph, [x, y]))).collect()
    }

    #[test]
    fn the_last_column_is_empty() {
        let [width, height] = GLYPH_SIZE;
        let lit: Vec<u16> = (0..GLYPHS)
            .filter(|glyph| (0..height).any(|y| is_lit(*glyph, [width - 1, y])))
            .collect();
        assert!(lit.is_empty(), "{lit:?}");
    }

    #[test]
    fn letters_are_letters_and_what_is_not_there_is_a_box() {
        assert_eq!(picture(' '), vec!["......"; 13]);
        let i = picture('l').concat();
        assert!(i.matches('#').count() > 8, "{i}");
        assert_ne!(picture('a'), picture('b'));
        assert_ne!(picture('u'), picture('ü'));
        assert_ne!(picture('?'), picture('骨'));
        for missing in ['骨', '\u{7f}', '\n', '\u{1f98a}', '\u{80}'] {
            assert_eq!(glyph(missing), BOX);
        }
        assert_eq!(picture('骨')[2], "#####.");
        assert_eq!(picture('骨')[3], "#...#.");
    }
}
