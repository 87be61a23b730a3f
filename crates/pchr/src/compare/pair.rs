//! Two pictures to compare.

use std::borrow::Cow;

use super::{Ignored, SizesDiffer};
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
        Ok(Self {
            expected,
            actual: Cow::Borrowed(actual),
            ignored: None,
        })
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
        Ok(Self {
            expected,
            actual: Cow::Owned(actual),
            ignored: Some(ignored),
        })
    }

    /// Returns the width and height.
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

    /// Returns true if a pixel is not compared.
    pub(super) fn ignores(&self, at: [u32; 2]) -> bool {
        self.ignored.is_some_and(|ignored| ignored.contains(at))
    }
}

fn size(pixels: &Pixels) -> [u32; 2] {
    [pixels.width, pixels.height]
}
