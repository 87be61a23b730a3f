//! A picture without the empty pixels around it.

use pchr::image::Pixels;

/// A picture that is to be packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The name of its sprite.
    pub(super) name: String,
    /// Width and height before it was trimmed.
    pub(super) source: [u32; 2],
    /// The part of the source that is kept.
    pub(super) part: Part,
    /// Pixels of that part, with straight alpha.
    pub(super) pixels: Pixels,
    /// True if there is nothing to see.
    pub(super) is_empty: bool,
}

/// A part of a picture, in pixels from its top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) offset: [u32; 2],
    pub(super) size: [u32; 2],
}

impl Part {
    /// The smallest part with both in it.
    pub(super) fn union(self, other: Self) -> Self {
        let end = |axis: usize| self.end(axis).max(other.end(axis));
        let offset = |axis: usize| at(self.offset, axis).min(at(other.offset, axis));
        let along = |axis: usize| (offset(axis), end(axis) - offset(axis));
        let ((x, width), (y, height)) = (along(0), along(1));
        Self {
            offset: [x, y],
            size: [width, height],
        }
    }

    /// Returns whether all of `other` is in it.
    pub(super) fn contains(self, other: Self) -> bool {
        self.union(other) == self
    }

    fn end(self, axis: usize) -> u32 {
        at(self.offset, axis) + at(self.size, axis)
    }
}

fn at([x, y]: [u32; 2], axis: usize) -> u32 {
    if axis == 0 { x } else { y }
}

impl Picture {
    /// A picture without the transparent pixels around it. `pixels` have straight alpha.
    #[must_use]
    pub fn trimmed(name: impl Into<String>, pixels: Pixels) -> Self {
        let source = [pixels.width, pixels.height];
        let part = visible(&pixels);
        let is_empty = part.is_none();
        let part = part.unwrap_or(Part {
            offset: [0, 0],
            size: [1, 1],
        });
        let pixels = if part.size == source {
            pixels
        } else {
            cut(&pixels, part)
        };
        Self {
            name: name.into(),
            source,
            part,
            pixels,
            is_empty,
        }
    }

    /// A picture with all its pixels. `pixels` have straight alpha.
    #[must_use]
    pub fn whole(name: impl Into<String>, pixels: Pixels) -> Self {
        let source = [pixels.width, pixels.height];
        Self {
            name: name.into(),
            source,
            part: Part {
                offset: [0, 0],
                size: source,
            },
            pixels,
            is_empty: false,
        }
    }

    /// The name of its sprite.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of the pixels that are kept.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.pixels.rgba.len() as u64
    }
}

/// The smallest part with all pixels that are not transparent.
fn visible(pixels: &Pixels) -> Option<Part> {
    let width = pixels.width.max(1) as usize;
    let (mut rows, mut columns): (Option<[u32; 2]>, Option<[u32; 2]>) = (None, None);
    for (y, row) in (0_u32..).zip(pixels.rgba.as_chunks::<4>().0.chunks_exact(width)) {
        let seen = |[_, _, _, alpha]: &[u8; 4]| *alpha != 0;
        let (Some(first), Some(last)) = (row.iter().position(seen), row.iter().rposition(seen))
        else {
            continue;
        };
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let (first, last) = (number(first), number(last));
        rows = Some([rows.map_or(y, |[top, _]| top), y]);
        columns = Some(columns.map_or([first, last], |[left, right]| {
            [left.min(first), right.max(last)]
        }));
    }
    let ([left, right], [top, bottom]) = (columns?, rows?);
    Some(Part {
        offset: [left, top],
        size: [right - left + 1, bottom - top + 1],
    })
}

fn cut(pixels: &Pixels, part: Part) -> Pixels {
    let ([x, y], [width, height]) = (part.offset, part.size);
    let stride = pixels.width as usize * 4;
    let (from, length) = (x as usize * 4, width as usize * 4);
    let rows = pixels.rgba.chunks_exact(stride.max(1));
    let rows = rows.skip(y as usize).take(height as usize);
    let mut rgba = Vec::with_capacity(length * height as usize);
    for row in rows {
        rgba.extend_from_slice(row.get(from..from + length).unwrap_or_default());
    }
    Pixels {
        width,
        height,
        rgba,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_borders_are_cut_off() {
        let mut pixels = Pixels {
            width: 5,
            height: 4,
            rgba: vec![0; 80],
        };
        let empty = Picture::trimmed("empty", pixels.clone());
        assert!(empty.is_empty);
        assert_eq!((empty.part.size, empty.pixels.rgba.len()), ([1, 1], 4));
        for (at, value) in [(6, 9), (13, 7)] {
            pixels.rgba[at * 4 + 3] = value;
        }
        let picture = Picture::trimmed("a", pixels.clone());
        let part = Part {
            offset: [1, 1],
            size: [3, 2],
        };
        assert_eq!((picture.source, picture.part), ([5, 4], part));
        let alpha = |pixels: &Pixels| -> Vec<u8> {
            pixels.rgba.iter().skip(3).step_by(4).copied().collect()
        };
        assert_eq!(alpha(&picture.pixels), [9, 0, 0, 0, 0, 7]);
        let whole = Picture::whole("a", pixels.clone());
        assert_eq!((whole.part.size, whole.pixels), ([5, 4], pixels));
    }
}
