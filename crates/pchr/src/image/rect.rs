//! Rectangles of a picture: parts that are visible, that change, and that are cut out.

use super::Pixels;

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
        let side = |side: u32| side.saturating_add(pad.saturating_mul(2));
        let mut padded = Self::empty();
        padded.clear([side(self.width), side(self.height)], [0; 4]);
        let width = padded.width.max(1) as usize;
        let rows = padded.rgba.as_chunks_mut::<4>().0.chunks_exact_mut(width);
        let own = self.rgba.as_chunks::<4>().0.chunks_exact(self.width.max(1) as usize);
        for (row, own) in rows.skip(pad as usize).zip(own) {
            for (pixel, own) in row.iter_mut().skip(pad as usize).zip(own) {
                *pixel = *own;
            }
        }
        padded
    }

    /// Returns a part. Pixels outside of the picture are transparent.
    #[must_use]
    pub fn cut(&self, rect: PixelRect) -> Self {
        let ([x, y], [width, height]) = (rect.offset, rect.size);
        let mut part = Self::empty();
        part.clear(rect.size, [0; 4]);
        let rows = self.rgba.as_chunks::<4>().0.chunks_exact(self.width.max(1) as usize);
        let parts = part.rgba.as_chunks_mut::<4>().0.chunks_exact_mut(width.max(1) as usize);
        for (row, part) in rows.skip(y as usize).zip(parts).take(height as usize) {
            for (pixel, part) in row.iter().skip(x as usize).zip(part) {
                *part = *pixel;
            }
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
