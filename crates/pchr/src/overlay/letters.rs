//! Names that the built-in font cannot write, as pictures on the atlas.

use std::collections::HashMap;

use super::atlas::{Lettering, SIZE, Texel, atlas, is_known};
use crate::image::{PixelRect, Pixels, multiply_255, over};

/// Largest side of an atlas, which all GPUs support.
const LARGEST: u16 = 2048;

/// A name as a coverage mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenName<'a> {
    /// The name.
    pub name: &'a str,
    /// Width and height in pixels.
    pub size: [u16; 2],
    /// Rows above the baseline.
    pub baseline: u16,
    /// Coverage of each pixel, row by row.
    pub coverage: &'a [u8],
}

/// The atlas of some names, and their positions on it.
#[derive(Clone, Debug)]
pub struct Letters {
    atlas: Pixels,
    /// Positions of each name: plain, and selected.
    names: HashMap<Box<str>, [NamePiece; 2]>,
}

/// A piece of the atlas that shows a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NamePiece {
    /// Upper left and lower right corner.
    pub(super) texels: [Texel; 2],
    /// Width and height in pixels, with the rim.
    pub(super) size: [f32; 2],
    /// Rows above the baseline, with the rim.
    pub(super) baseline: f32,
}

/// Returns true for a name that the built-in font cannot write.
#[must_use]
pub fn needs_fonts(name: &str) -> bool {
    !name.chars().all(is_known)
}

impl Letters {
    /// Creates the atlas with these names. They are rendered for `light` and `scale`, as in [`super::OverlayOptions`]. Names
    /// without room are left out.
    #[must_use]
    pub fn new<'a>(
        written: impl IntoIterator<Item = WrittenName<'a>>,
        light: bool,
        scale: u16,
    ) -> Self {
        let rim = scale.clamp(1, 8);
        let mut shelves = Shelves::default();
        let mut placed = Vec::new();
        let mut names = HashMap::new();
        for line in written {
            let sound = usize::from(line.size[0]) * usize::from(line.size[1]);
            let size = line.size.map(|side| side.saturating_add(2 * rim));
            if sound == 0 || line.coverage.len() != sound || names.contains_key(line.name) {
                continue;
            }
            let before = shelves;
            let Some((plain, chosen)) = shelves.put(size).zip(shelves.put(size)) else {
                shelves = before;
                continue;
            };
            placed.push((line, [plain, chosen]));
            let pieces = [plain, chosen].map(|at| {
                let ([left, top], [width, height]) = (at.map(f32::from), size.map(f32::from));
                NamePiece {
                    texels: [[left, top], [left + width, top + height]],
                    size: [width, height],
                    baseline: line.baseline.saturating_add(rim).into(),
                }
            });
            names.insert(line.name.into(), pieces);
        }
        let mut atlas = atlas().cut(PixelRect { offset: [0; 2], size: shelves.size() });
        for (line, places) in placed {
            for (at, is_chosen) in places.into_iter().zip([false, true]) {
                let lettering = Lettering::new(light, is_chosen);
                paint(&line, rim, lettering, at, &mut atlas);
            }
        }
        Self { atlas, names }
    }

    /// Returns the texture of overlays with these letters: premultiplied.
    #[must_use]
    pub fn atlas(&self) -> &Pixels {
        &self.atlas
    }

    /// Returns true if no name has a picture.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the picture of a name, if it has one.
    pub(super) fn piece(&self, name: &str, is_chosen: bool) -> Option<NamePiece> {
        let [plain, chosen] = *self.names.get(name)?;
        Some(if is_chosen { chosen } else { plain })
    }
}

/// Allocates positions side by side, row by row, below the fixed part of every atlas.
#[derive(Clone, Copy, Debug)]
struct Shelves {
    /// Upper left corner of the next position.
    next: [u16; 2],
    /// Height of the row.
    high: u16,
    /// Width of all rows: the first free column.
    width: u16,
}

impl Default for Shelves {
    fn default() -> Self {
        let [width, height] = SIZE;
        Self { next: [0, height], high: 0, width }
    }
}

impl Shelves {
    /// Allocates a rectangle of a size; `None` if there is no room.
    fn put(&mut self, [width, height]: [u16; 2]) -> Option<[u16; 2]> {
        let [mut left, mut top] = self.next;
        if width > LARGEST - left {
            (left, top) = (0, top.checked_add(self.high)?);
            self.high = 0;
        }
        if width > LARGEST || height > LARGEST.checked_sub(top)? {
            return None;
        }
        self.next = [left + width, top];
        self.high = self.high.max(height);
        self.width = self.width.max(left + width);
        Some([left, top])
    }

    /// Returns the width and height that hold everything: powers of two.
    fn size(self) -> [u32; 2] {
        let [_, top] = self.next;
        [self.width, top + self.high].map(|side| side.next_power_of_two().into())
    }
}

/// Paints a name with its rim, `rim` pixels wide.
fn paint(
    line: &WrittenName<'_>,
    rim: u16,
    lettering: Lettering,
    [left, top]: [u16; 2],
    atlas: &mut Pixels,
) {
    let rim = usize::from(rim);
    let [width, height] = line.size.map(usize::from);
    let [text, around] = lettering.rgba();
    let grown = grown(line, rim);
    let columns = width + 2 * rim;
    let stride = atlas.width as usize;
    let texels: &mut [[u8; 4]] = atlas.rgba.as_chunks_mut().0;
    for (y, row) in grown.chunks_exact(columns).enumerate() {
        let start = (usize::from(top) + y) * stride + usize::from(left);
        let Some(out) = texels.get_mut(start..start + columns) else { return };
        let letters = y.checked_sub(rim).filter(|y| *y < height);
        let letters = letters.and_then(|y| line.coverage.get(y * width..(y + 1) * width));
        for (x, (out, around_it)) in out.iter_mut().zip(row).enumerate() {
            let covered = x.checked_sub(rim).and_then(|x| letters?.get(x));
            let below = faded(around, stronger(*around_it, 4));
            *out = over(faded(text, stronger(covered.copied().unwrap_or(0), 2)), below);
        }
    }
}

/// Returns the coverage of everything at most `rim` pixels away along both axes. The mask has the size of the name with its rim.
fn grown(line: &WrittenName<'_>, rim: usize) -> Vec<u8> {
    let [width, height] = line.size.map(usize::from);
    let columns = width + 2 * rim;
    let most = |around: &[u8]| around.iter().copied().max().unwrap_or(0);
    let mut wide = vec![0; columns * height];
    for (to, from) in wide.chunks_exact_mut(columns).zip(line.coverage.chunks_exact(width.max(1))) {
        for (x, to) in to.iter_mut().enumerate() {
            let around = x.saturating_sub(2 * rim)..(x + 1).min(width);
            *to = most(from.get(around).unwrap_or_default());
        }
    }
    let mut grown = vec![0; columns * (height + 2 * rim)];
    for (y, to) in grown.chunks_exact_mut(columns).enumerate() {
        let rows = y.saturating_sub(2 * rim)..(y + 1).min(height);
        for from in wide.chunks_exact(columns).take(rows.end).skip(rows.start) {
            for (to, from) in to.iter_mut().zip(from) {
                *to = (*to).max(*from);
            }
        }
    }
    grown
}

/// Returns a coverage raised by a number of quarters, up to whole: thin strokes would fade into the picture.
fn stronger(coverage: u8, quarters: u16) -> u8 {
    let raised = u16::from(coverage) * (4 + quarters) / 4;
    u8::try_from(raised).unwrap_or(u8::MAX)
}

/// Returns a colour that covers a part of a texel: premultiplied.
fn faded([r, g, b, a]: [u8; 4], coverage: u8) -> [u8; 4] {
    let alpha = multiply_255(a, coverage);
    let [r, g, b] = [r, g, b].map(|c| multiply_255(c, alpha));
    [r, g, b, alpha]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coverage([width, height]: [u16; 2], lit: impl Fn(u16, u16) -> u8) -> Vec<u8> {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        places.map(|(x, y)| lit(x, y)).collect()
    }

    fn written<'a>(name: &'a str, size: [u16; 2], coverage: &'a [u8]) -> WrittenName<'a> {
        WrittenName { name, size, baseline: size[1], coverage }
    }

    fn texel(letters: &Letters, [x, y]: [f32; 2]) -> [u8; 4] {
        let atlas = letters.atlas();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole")]
        atlas.rgba.as_chunks().0[y as usize * atlas.width as usize + x as usize]
    }

    #[test]
    fn a_line_has_a_rim_and_stands_out_when_chosen() {
        let dot = coverage([3, 3], |x, y| if (x, y) == (1, 1) { 255 } else { 0 });
        let letters = Letters::new([written("ö", [3, 3], &dot)], false, 1);
        let plain = letters.piece("ö", false).unwrap();
        assert_eq!((plain.size, plain.baseline), ([5.0, 5.0], 4.0));
        let [[left, top], _] = plain.texels;
        assert_eq!(texel(&letters, [left + 2.0, top + 2.0]), [255; 4]);
        for (x, y) in [(1.0, 1.0), (3.0, 3.0), (1.0, 3.0)] {
            assert_eq!(texel(&letters, [left + x, top + y])[3], 215, "the rim");
        }
        for (x, y) in [(0.0, 0.0), (4.0, 2.0), (2.0, 4.0)] {
            assert_eq!(texel(&letters, [left + x, top + y]), [0; 4], "beyond it");
        }
        assert_ne!(plain.texels, letters.piece("ö", true).unwrap().texels);
        assert_eq!(letters.piece("o", false), None);
    }

    #[test]
    fn lines_lie_apart_and_the_rest_of_the_atlas_stays() {
        let bar = coverage([300, 20], |_, _| 128);
        let names: Vec<_> = (0..200).map(|i| format!("名{i}")).collect();
        let all = names.iter().map(|name| written(name, [300, 20], &bar));
        let letters = Letters::new(all, true, 2);
        let pieces = |name: &String| [false, true].map(|chosen| letters.piece(name, chosen));
        let pieces = names.iter().flat_map(pieces).flatten();
        let corners: Vec<_> = pieces.map(|piece| piece.texels).collect();
        // 6 a row of 2048, 74 rows of 24 pixels below the first 256.
        assert_eq!(corners.len(), 2 * 200);
        for (i, [[x0, y0], [x1, y1]]) in corners.iter().enumerate() {
            assert!(*y0 >= 256.0 && *x1 <= 2048.0 && *y1 <= 2048.0);
            for [[left, top], [right, bottom]] in &corners[..i] {
                assert!(x0 >= right || left >= x1 || y0 >= bottom || top >= y1);
            }
        }
        let plain = atlas();
        let wide = letters.atlas();
        for y in 0..256 {
            let row = |of: &Pixels| of.rgba[y * of.width as usize * 4..][..2048].to_vec();
            assert_eq!(row(wide), row(&plain));
        }
    }

    #[test]
    fn what_has_no_room_or_no_pixels_is_left_out() {
        let huge = coverage([2044, 1000], |_, _| 9);
        let names = [
            written("一", [2044, 1000], &huge),
            written("二", [2044, 1000], &huge),
            written("三", [0, 4], &[]),
            written("四", [4, 4], &[1; 3]),
        ];
        let letters = Letters::new(names, false, 1);
        assert!(letters.piece("一", true).is_none(), "two of them do not fit");
        assert!(letters.is_empty());
        assert_eq!(*letters.atlas(), atlas());
    }

    #[test]
    fn names_in_latin_letters_need_no_fonts() {
        assert!(!needs_fonts("Hüfte_links ÿ"));
        assert!(needs_fonts("бедро") && needs_fonts("bone_足") && needs_fonts("a\u{301}"));
    }
}
