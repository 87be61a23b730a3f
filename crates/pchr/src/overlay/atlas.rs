//! The texture of all overlays: inks, the glyphs of a bitmap font with the characters of ISO 8859-1, and the ramp of colours for weights.
//!
//! ```text
//! row 0       the ramp of weights, 256 texels
//! row 1       inks, one texel each; from texel 64 on, tones; from texel 256 on, colours of overdraw
//! row 2..     glyphs: with a rim in each lettering, then without
//! ```
//!
//! Its sides are powers of two, so that texture coordinates are exact in binary.

use std::ops::Range;
use std::sync::LazyLock;

use embedded_graphics::geometry::{OriginDimensions as _, Point};
use embedded_graphics::image::GetPixel as _;
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::mono_font::iso_8859_1::FONT_6X13;
use embedded_graphics::pixelcolor::BinaryColor;

use super::colors::{Heat, Ink, Tone};
use crate::image::{Pixels, premultiply};

/// Width and height in texels.
pub(super) const SIZE: [u16; 2] = [512, 256];
/// Straight RGBA of text.
const TEXT: [u8; 4] = [255, 255, 255, 255];

/// Cells of one size, row by row.
#[derive(Clone, Copy, Debug)]
struct AtlasGrid {
    /// Its first row of texels.
    top: u16,
    width: u16,
    height: u16,
}

/// Glyphs with a rim, one texel more on each side: those of each lettering in turn.
const RIMMED: AtlasGrid = AtlasGrid { top: 2, width: GLYPH_SIZE[0] + 2, height: GLYPH_SIZE[1] + 2 };
const FACES: AtlasGrid =
    AtlasGrid { top: RIMMED.end(4 * GLYPHS), width: GLYPH_SIZE[0], height: GLYPH_SIZE[1] };
const _: () = assert!(FACES.end(GLYPHS) <= SIZE[1], "the glyphs fit");

impl AtlasGrid {
    const fn columns(self) -> u16 {
        SIZE[0] / self.width
    }

    /// Returns the row of texels after that of the last of some cells.
    const fn end(self, cells: u16) -> u16 {
        self.top + cells.div_ceil(self.columns()) * self.height
    }

    /// Returns the upper left texel of a cell.
    fn cell(self, number: u16) -> [u16; 2] {
        let (row, column) = (number / self.columns(), number % self.columns());
        [column * self.width, self.top + row * self.height]
    }

    /// Returns the upper left and lower right corner of a cell.
    fn corners(self, number: u16) -> [Texel; 2] {
        let [x, y] = self.cell(number);
        [[x, y], [x + self.width, y + self.height]].map(|corner| corner.map(f32::from))
    }
}

/// A position on the atlas, in texels from its upper left corner.
pub(super) type Texel = [f32; 2];

/// A colour of the atlas.
pub(super) trait Paint: Copy {
    /// Returns the middle of its texel.
    fn texel(self) -> Texel;
}

impl Paint for Ink {
    fn texel(self) -> Texel {
        [f32::from(self as u8) + 0.5, 1.5]
    }
}

/// Texels in the row of inks before the tones.
const BEFORE_TONES: u8 = 64;

impl Paint for Tone {
    fn texel(self) -> Texel {
        let texel = BEFORE_TONES.saturating_add(self.number());
        [f32::from(texel) + 0.5, 1.5]
    }
}

/// First texel of the colours of overdraw in the row of inks.
const FIRST_HEAT: u16 = 256;

impl Paint for Heat {
    fn texel(self) -> Texel {
        let texel = FIRST_HEAT.saturating_add(self.0.saturating_sub(1).into());
        [f32::from(texel) + 0.5, 1.5]
    }
}

/// Returns the position of a weight, 0..=1, on the ramp.
pub(super) fn ramp_texel(weight: f32) -> Texel {
    // NaN included.
    let weight = if weight > 0.0 { weight.min(1.0) } else { 0.0 };
    [0.5 + 255.0 * weight, 0.5]
}

/// Returns the colour of a texel of the ramp: straight RGBA. It is most transparent at weight 0.
fn ramp_rgba(texel: u8) -> [u8; 4] {
    const MOST: u8 = 225;
    const LEAST: u8 = 72;
    let [r, g, b] = ramp(f32::from(texel) / 255.0);
    [r, g, b, LEAST.saturating_add(texel.saturating_mul(4)).min(MOST)]
}

/// Returns the upper left and lower right corner of a glyph without a rim.
pub(super) fn face(glyph: u16) -> [Texel; 2] {
    FACES.corners(glyph)
}

/// Returns the corners of a glyph with its rim, which is one texel larger on each side.
pub(super) fn rimmed(glyph: u16, lettering: Lettering) -> [Texel; 2] {
    RIMMED.corners(lettering.first_cell() + glyph)
}

/// Replaces the colours of the ghosts of bones in space on an atlas of this module: before, after and pinned, as of
/// [`OverlayOptions::tints`](super::OverlayOptions::tints).
pub fn tint_ghosts(atlas: &mut Pixels, tints: [[u8; 3]; 3]) {
    let width = atlas.width as usize;
    let texels = atlas.rgba.as_chunks_mut::<4>().0;
    for (tones, [r, g, b]) in Tone::of_ghosts().into_iter().zip(tints) {
        for tone in tones {
            let x = usize::from(BEFORE_TONES.saturating_add(tone.number()));
            let [.., alpha] = tone.rgba();
            let mut rgba = [r, g, b, alpha];
            premultiply(&mut rgba);
            if let Some(texel) = texels.get_mut(width.saturating_add(x)) {
                *texel = rgba;
            }
        }
    }
}

/// Returns the texture of the [`crate::scene::Overlay`]s of this module: premultiplied, 512 x 256 texels.
#[must_use]
pub fn atlas() -> Pixels {
    let [width, height] = SIZE.map(usize::from);
    let mut texels = vec![[0; 4]; width * height];
    let mut put = |x: u16, y: u16, rgba: [u8; 4]| {
        if let Some(texel) = texels.get_mut(usize::from(y) * width + usize::from(x)) {
            *texel = rgba;
        }
    };
    for texel in 0..=u8::MAX {
        put(texel.into(), 0, ramp_rgba(texel));
    }
    for (x, ink) in (0..).zip(Ink::ALL) {
        put(x, 1, ink.rgba());
    }
    for (x, tone) in (u16::from(BEFORE_TONES)..).zip(Tone::all()) {
        put(x, 1, tone.rgba());
    }
    for (x, heat) in (FIRST_HEAT..).zip(Heat::all()) {
        put(x, 1, heat.rgba());
    }
    for glyph in 0..GLYPHS {
        let [left, top] = FACES.cell(glyph);
        let [width, height] = GLYPH_SIZE;
        let lit = (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
        let lit = lit.filter(|at| is_lit(glyph, *at));
        for [x, y] in lit.clone() {
            put(left + x, top + y, TEXT);
        }
        for lettering in Lettering::ALL {
            let [left, top] = RIMMED.cell(lettering.first_cell() + glyph);
            let [text, rim] = lettering.rgba();
            for [x, y] in lit.clone() {
                for (dx, dy) in (0..3).flat_map(|dy| (0..3).map(move |dx| (dx, dy))) {
                    put(left + x + dx, top + y + dy, rim);
                }
            }
            for [x, y] in lit.clone() {
                put(left + x + 1, top + y + 1, text);
            }
        }
    }
    let mut rgba = texels.into_flattened();
    premultiply(&mut rgba);
    Pixels { width: SIZE[0].into(), height: SIZE[1].into(), rgba }
}

/// Returns the colour of a weight, 0..=1: sRGB-encoded, from dark violet to yellow. Lightness grows evenly, and the ramp is
/// readable with colour blindness ("viridis").
#[must_use]
pub fn ramp(weight: f32) -> [u8; 3] {
    let weight = if weight > 0.0 { weight.min(1.0) } else { 0.0 };
    let color = colorous::VIRIDIS.eval_continuous(weight.into());
    [color.r, color.g, color.b]
}

const FONT: MonoFont<'static> = FONT_6X13;

/// Width and height of every glyph, in texels.
pub(super) const GLYPH_SIZE: [u16; 2] = [6, 13];

/// Rows above the baseline.
pub(super) const BASELINE: u16 = 10;

/// Number of glyphs: two runs of printable characters, and the box.
const GLYPHS: u16 = LOWER + UPPER + 1;
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
fn is_lit(glyph: u16, [x, y]: [u16; 2]) -> bool {
    let code = match glyph {
        BOX => return is_box([x, y]),
        LOWER.. => glyph - LOWER + 0xa0,
        _ => glyph + 0x20,
    };
    let character = char::from_u32(code.into()).unwrap_or(' ');
    let Ok(index) = i32::try_from(FONT.glyph_mapping.index(character)) else { return false };
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
pub(super) struct Lettering {
    is_light: bool,
    /// True for the name of a selected element.
    pub(super) is_chosen: bool,
}

impl Lettering {
    /// All letterings.
    pub(super) const ALL: [Self; 4] = [
        Self::new(false, false),
        Self::new(true, false),
        Self::new(false, true),
        Self::new(true, true),
    ];

    pub(super) const fn new(is_light: bool, is_chosen: bool) -> Self {
        Self { is_light, is_chosen }
    }

    /// Returns the cell of its first glyph.
    fn first_cell(self) -> u16 {
        GLYPHS * (u16::from(self.is_light) + 2 * u16::from(self.is_chosen))
    }

    /// Returns the colours of text and rim: straight RGBA, sRGB-encoded.
    pub(super) fn rgba(self) -> [[u8; 4]; 2] {
        match (self.is_chosen, self.is_light) {
            (false, false) => [[255, 255, 255, 255], Ink::Halo.rgba()],
            (false, true) => [[22, 24, 36, 255], [255, 255, 255, 225]],
            (true, false) => [[255, 150, 214, 255], Ink::Halo.rgba()],
            (true, true) => [[176, 20, 116, 255], [255, 255, 255, 225]],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the texel at a position.
    fn texel(atlas: &Pixels, texel: Texel) -> [u8; 4] {
        let [x, y] = texel.map(f32::floor);
        assert!((0.0..512.0).contains(&x) && (0.0..256.0).contains(&y));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        atlas.rgba.as_chunks().0[y as usize * 512 + x as usize]
    }

    #[test]
    fn every_ink_is_found_at_its_place() {
        let atlas = atlas();
        for ink in Ink::ALL {
            let mut wanted = ink.rgba();
            premultiply(&mut wanted);
            assert_eq!(texel(&atlas, ink.texel()), wanted, "{ink:?}");
        }
        for tone in Tone::all() {
            let mut wanted = tone.rgba();
            premultiply(&mut wanted);
            assert_eq!(texel(&atlas, tone.texel()), wanted, "{tone:?}");
        }
        for heat in Heat::all() {
            assert_eq!(texel(&atlas, heat.texel()), heat.rgba(), "{heat:?}");
        }
    }

    #[test]
    fn only_ghosts_are_tinted() {
        let mut tinted = atlas();
        tint_ghosts(&mut tinted, super::super::OverlayOptions::NOTHING.tints());
        assert_eq!(tinted, atlas());
        tint_ghosts(&mut tinted, [[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
        let plain = atlas();
        let changed = tinted.rgba.as_chunks::<4>().0.iter();
        let count = changed.zip(plain.rgba.as_chunks::<4>().0).filter(|(a, b)| a != b).count();
        assert_eq!(count, 33, "three scales, whose first tones are clear");
    }

    #[test]
    fn the_ramp_goes_from_no_weight_to_a_whole_one() {
        let atlas = atlas();
        let wanted = [(-1.0, 0), (0.0, 0), (0.2, 51), (1.0, 255), (7.0, 255), (f32::NAN, 0)];
        for (weight, number) in wanted {
            let mut wanted = ramp_rgba(number);
            premultiply(&mut wanted);
            assert_eq!(texel(&atlas, ramp_texel(weight)), wanted, "{weight}");
        }
    }

    #[test]
    fn glyphs_lie_apart_from_each_other_and_within() {
        let mut owners = vec![None; 512 * 256];
        for (kind, (grid, glyphs)) in [(RIMMED, 4 * GLYPHS), (FACES, GLYPHS)].iter().enumerate() {
            for glyph in 0..*glyphs {
                let [left, top] = grid.cell(glyph);
                for (x, y) in (0..grid.height).flat_map(|y| (0..grid.width).map(move |x| (x, y))) {
                    let at = usize::from(top + y) * 512 + usize::from(left + x);
                    let before = owners[at].replace((kind, glyph));
                    assert_eq!(before, None, "{kind} {glyph}");
                }
            }
        }
        assert!(owners[..1024].iter().all(Option::is_none), "ramp and inks");
    }

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
