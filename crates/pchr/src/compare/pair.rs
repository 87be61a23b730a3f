//! Two pictures to compare, and their pixels that are not compared.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::SizesDiffer;
use crate::image::Pixels;

/// Two pictures of one size with straight alpha, and their ignored pixels.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    expected: &'a Pixels,
    /// The actual picture, with ignored pixels copied from `expected`.
    actual: Cow<'a, Pixels>,
    ignored: Option<&'a Ignored>,
}

impl<'a> Pair<'a> {
    /// Creates a pair; all of its pixels are compared.
    ///
    /// # Errors
    /// [`SizesDiffer`] if they do not have the same size.
    pub fn new(expected: &'a Pixels, actual: &'a Pixels) -> Result<Self, SizesDiffer> {
        SizesDiffer::check(size(expected), size(actual))?;
        Ok(Self { expected, actual: Cow::Borrowed(actual), ignored: None })
    }

    /// Creates a pair with ignored pixels.
    ///
    /// # Errors
    /// [`SizesDiffer`] if they do not have the same size, or `ignored` was made for another.
    pub fn ignoring(
        expected: &'a Pixels,
        actual: &'a Pixels,
        ignored: &'a Ignored,
    ) -> Result<Self, SizesDiffer> {
        SizesDiffer::check(size(expected), size(actual))?;
        SizesDiffer::check(size(expected), ignored.size())?;
        let mut actual = actual.clone();
        let texels = actual.rgba.as_chunks_mut::<4>().0.iter_mut();
        let texels = texels.zip(expected.rgba.as_chunks::<4>().0);
        for ((actual, expected), ignored) in texels.zip(ignored.pixels()) {
            if ignored {
                *actual = *expected;
            }
        }
        Ok(Self { expected, actual: Cow::Owned(actual), ignored: Some(ignored) })
    }

    pub(super) fn size(&self) -> [u32; 2] {
        size(self.expected)
    }

    /// Returns the expected and the actual picture.
    pub(super) fn pictures(&self) -> [&Pixels; 2] {
        [self.expected, &self.actual]
    }

    /// Returns the number of compared pixels.
    pub(super) fn counted(&self) -> u64 {
        let [width, height] = self.size();
        let ignored = self.ignored.map_or(0, Ignored::count);
        (u64::from(width) * u64::from(height)).saturating_sub(ignored)
    }

    pub(super) fn ignored(&self) -> Option<&Ignored> {
        self.ignored
    }

    pub(super) fn is_equal(&self) -> bool {
        self.expected.rgba == self.actual.rgba
    }

    pub(super) fn ignores(&self, at: [u32; 2]) -> bool {
        self.ignored.is_some_and(|ignored| ignored.contains(at))
    }
}

fn size(pixels: &Pixels) -> [u32; 2] {
    [pixels.width, pixels.height]
}

/// A rectangle of a picture in pixels, from the upper left corner, Y down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Region {
    /// First column.
    pub x: u32,
    /// First row.
    pub y: u32,
    /// Columns, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { x, y, width, height } = self;
        write!(f, "{x},{y},{width}x{height}")
    }
}

/// The text is not a rectangle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid rectangle {0:?}: expected X,Y,WxH in pixels from the top left corner, like 0,240,64x16"
)]
pub struct RegionError(String);

impl FromStr for Region {
    type Err = RegionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let region = || {
            let (x, rest) = text.split_once(',')?;
            let (y, size) = rest.split_once(',')?;
            let (width, height) = size.split_once(['x', 'X', '×'])?;
            let number = |text: &str| text.trim().parse::<u32>().ok();
            let positive = |text: &str| number(text).filter(|number| *number > 0);
            Some(Self {
                x: number(x)?,
                y: number(y)?,
                width: positive(width)?,
                height: positive(height)?,
            })
        };
        region().ok_or_else(|| RegionError(text.to_owned()))
    }
}

/// The pixels cannot be ignored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IgnoreError {
    /// A rectangle does not lie in the picture.
    #[error("{region} lies partly outside the picture, which is {}x{}", .size[0], .size[1])]
    Outside {
        /// The rectangle.
        region: Region,
        /// Width and height of the picture.
        size: [u32; 2],
    },
    /// A mask has another size than the picture.
    #[error("the mask is {}x{}, the picture {}x{}", .mask[0], .mask[1], .size[0], .size[1])]
    MaskSize {
        /// Width and height of the mask.
        mask: [u32; 2],
        /// Width and height of the picture.
        size: [u32; 2],
    },
    /// No pixel would be compared.
    #[error("every pixel would be ignored, so nothing would be compared")]
    Everything,
}

/// Pixels of a picture that are not compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    size: [u32; 2],
    /// Flags of the pixels, row by row.
    pixels: Vec<bool>,
    count: u64,
}

impl Ignored {
    /// Returns the pixels of a picture of `size` that lie in one of `regions`, or are painted in `mask`: neither transparent nor
    /// black. Returns `None` if there are none.
    ///
    /// # Errors
    /// [`IgnoreError`] if they do not fit the picture, or cover all of it.
    pub fn new(
        size: [u32; 2],
        regions: &[Region],
        mask: Option<&Pixels>,
    ) -> Result<Option<Self>, IgnoreError> {
        let [width, height] = size.map(|side| side as usize);
        let mut pixels = vec![false; width.saturating_mul(height)];
        for region in regions {
            let fits = |from: u32, length: u32, side: u32| {
                from.checked_add(length).is_some_and(|end| end <= side)
            };
            if !fits(region.x, region.width, size[0]) || !fits(region.y, region.height, size[1]) {
                return Err(IgnoreError::Outside { region: *region, size });
            }
            let rows = pixels.chunks_exact_mut(width.max(1));
            for row in rows.skip(region.y as usize).take(region.height as usize) {
                let columns = row.iter_mut().skip(region.x as usize);
                columns.take(region.width as usize).for_each(|pixel| *pixel = true);
            }
        }
        if let Some(mask) = mask {
            let of = [mask.width, mask.height];
            if of != size {
                return Err(IgnoreError::MaskSize { mask: of, size });
            }
            for (pixel, [r, g, b, a]) in pixels.iter_mut().zip(mask.rgba.as_chunks::<4>().0) {
                *pixel |= *a > 0 && (*r > 0 || *g > 0 || *b > 0);
            }
        }
        let count = pixels.iter().filter(|pixel| **pixel).count() as u64;
        if count > 0 && count == pixels.len() as u64 {
            return Err(IgnoreError::Everything);
        }
        Ok((count > 0).then_some(Self { size, pixels, count }))
    }

    /// Returns the number of pixels, at least 1.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the width and height of the picture.
    pub(super) fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns true for each ignored pixel, row by row.
    pub(super) fn pixels(&self) -> impl Iterator<Item = bool> {
        self.pixels.iter().copied()
    }

    pub(super) fn contains(&self, [x, y]: [u32; 2]) -> bool {
        let [width, _] = self.size;
        let at = (y as usize).saturating_mul(width as usize).saturating_add(x as usize);
        x < width && self.pixels.get(at).copied().unwrap_or_default()
    }
}
