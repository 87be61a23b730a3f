//! Two pictures that are compared.

use std::borrow::Cow;

use super::{Difference, Ignored, SizesDiffer, flip, picture};
use crate::image::Pixels;

/// Two pictures of one size with straight alpha, and the pixels of them that are not compared.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    expected: &'a Pixels,
    /// Ignored pixels are those of `expected`.
    actual: Cow<'a, Pixels>,
    ignored: Option<&'a Ignored>,
}

impl<'a> Pair<'a> {
    /// Two pictures; all of their pixels are compared.
    ///
    /// # Errors
    /// [`SizesDiffer`] if they are not of one size.
    pub fn new(expected: &'a Pixels, actual: &'a Pixels) -> Result<Self, SizesDiffer> {
        SizesDiffer::check(size(expected), size(actual))?;
        Ok(Self {
            expected,
            actual: Cow::Borrowed(actual),
            ignored: None,
        })
    }

    /// Two pictures without some of their pixels.
    ///
    /// # Errors
    /// [`SizesDiffer`] if they are not of one size, or `ignored` was made for another.
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

    /// Histogram of the differences of compared pixels.
    #[must_use]
    pub fn difference(&self) -> Difference {
        Difference::of(self)
    }

    /// The mean ꟻLIP error of the pixels that are compared, 0 (equal) to 1: how visible the difference is.
    ///
    /// ꟻLIP knows no alpha: both pictures are laid over black and over white, and the larger mean counts. The observer
    /// sits at 67 pixels per degree: 70 cm from a 32" screen of 3840 pixels. It is the same on every machine.
    ///
    /// Only what is within 10 pixels of a difference is looked at, in squares of 64 pixels, so memory does not grow with
    /// the pictures.
    #[must_use]
    pub fn mean_flip(&self) -> f64 {
        flip::mean(self)
    }

    /// Picture of the differences, opaque.
    ///
    /// Behind, in dim grey, the expected picture; over it each pixel that differs, however little: blue up to `tolerance`,
    /// else from orange to nearly white by the size of the difference, in the steps of [`super::BUCKETS`]. Ignored pixels
    /// are hatched.
    #[must_use]
    pub fn picture(&self, tolerance: u8) -> Pixels {
        picture::draw(self, tolerance)
    }

    /// Width and height.
    pub(super) fn size(&self) -> [u32; 2] {
        size(self.expected)
    }

    /// The expected and the actual picture.
    pub(super) fn pictures(&self) -> [&Pixels; 2] {
        [self.expected, &self.actual]
    }

    /// Number of pixels that are compared.
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

    /// Returns whether a pixel is not compared.
    pub(super) fn ignores(&self, at: [u32; 2]) -> bool {
        self.ignored.is_some_and(|ignored| ignored.contains(at))
    }
}

fn size(pixels: &Pixels) -> [u32; 2] {
    [pixels.width, pixels.height]
}
