//! Counts of pixels by difference.

use std::ops::RangeInclusive;

use super::pixel::{self, Channel};
use super::{Ignored, Pair, SizesDiffer, Tolerance};
use crate::image::Pixels;

/// Bounds of the groups of [`Difference::histogram`].
pub const BUCKETS: [RangeInclusive<u8>; 9] = [
    1..=1,
    2..=2,
    3..=4,
    5..=8,
    9..=16,
    17..=32,
    33..=64,
    65..=128,
    129..=255,
];

/// Pixels whose difference is within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Bucket {
    /// The smallest difference.
    pub from: u8,
    /// The largest difference, included.
    pub to: u8,
    /// Number of pixels.
    pub pixels: u64,
}

/// The first pixel, row by row, with the largest difference; one whose difference shows goes before one whose does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Largest {
    /// The difference, 1 to 255.
    pub difference: u8,
    /// Column from the left and row from the top, from 0.
    pub at: [u32; 2],
    /// The channel that has it.
    pub channel: Channel,
    /// The expected pixel: red, green, blue, alpha; as stored.
    pub expected: [u8; 4],
    /// The actual pixel.
    pub actual: [u8; 4],
}

impl Largest {
    /// Returns true if only colours differ that alpha hides: then no pixel of the pictures looks different.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        pixel::visible_difference(self.expected, self.actual) == 0
    }
}

/// Pixels processed at a time: most are equal, and so are most of their neighbours.
const BLOCK: usize = 16 * 4;

/// The difference of two pictures of one size, pixel by pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of pixels by difference; 0 is equal.
    counts: [u64; 256],
    /// Number of pixels that were not compared.
    ignored: u64,
    largest: Option<Largest>,
    alpha_only: bool,
}

impl Pair<'_> {
    /// Returns the histogram of the differences of compared pixels.
    #[must_use]
    pub fn difference(&self) -> Difference {
        Difference::of(self)
    }
}

impl Difference {
    /// Compares all pixels of two pictures with straight alpha.
    ///
    /// # Errors
    /// [`SizesDiffer`] if they are not of one size.
    pub fn measure(expected: &Pixels, actual: &Pixels) -> Result<Self, SizesDiffer> {
        Ok(Pair::new(expected, actual)?.difference())
    }

    /// Compares the pictures of a pair.
    pub(super) fn of(pair: &Pair<'_>) -> Self {
        let [expected, actual] = pair.pictures();
        let mut counting = Counting {
            counts: [0; 256],
            largest: 0,
            at: None,
            color_differs: false,
        };
        if !pair.is_equal() {
            counting.pictures(&expected.rgba, &actual.rgba);
        }
        let Counting {
            mut counts,
            largest,
            at,
            color_differs,
        } = counting;
        let differing: u64 = counts.iter().sum();
        if let Some(equal) = counts.first_mut() {
            *equal = pair.counted().saturating_sub(differing);
        }
        let [width, _] = pair.size();
        let largest = at.and_then(|(index, expected, actual)| {
            Some(Largest {
                difference: largest.max(1),
                at: place(index, width)?,
                channel: pixel::channel(expected, actual),
                expected,
                actual,
            })
        });
        Self {
            counts,
            ignored: pair.ignored().map_or(0, Ignored::count),
            largest,
            alpha_only: at.is_some() && !color_differs,
        }
    }

    /// Returns the number of pixels that were compared.
    #[must_use]
    pub fn pixels(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the number of pixels that were not compared.
    #[must_use]
    pub fn ignored(&self) -> u64 {
        self.ignored
    }

    /// Returns the number of pixels that are not equal.
    #[must_use]
    pub fn differing(&self) -> u64 {
        self.outliers(0)
    }

    /// Returns the number of pixels that differ by more than `tolerance`.
    #[must_use]
    pub fn outliers(&self, tolerance: u8) -> u64 {
        self.counts.iter().skip(usize::from(tolerance) + 1).sum()
    }

    /// Returns the first pixel with the largest difference; `None` if the pictures are equal.
    #[must_use]
    pub fn largest(&self) -> Option<Largest> {
        self.largest
    }

    /// Returns true if the pictures differ, but no stored colour does.
    #[must_use]
    pub fn alpha_only(&self) -> bool {
        self.alpha_only
    }

    /// Returns true if the number of pixels that exceed `tolerance` is within its limit.
    #[must_use]
    pub fn is_within(&self, tolerance: &Tolerance) -> bool {
        self.outliers(tolerance.channel) <= tolerance.max_outliers.of(self.pixels())
    }

    /// Returns the number of pixels in each group of differences: [`BUCKETS`].
    #[must_use]
    pub fn histogram(&self) -> [Bucket; BUCKETS.len()] {
        BUCKETS.map(|bounds| {
            let (from, to) = bounds.clone().into_inner();
            let counts = self.counts.iter().skip(usize::from(from));
            Bucket {
                from,
                to,
                pixels: counts.take(bounds.len()).sum(),
            }
        })
    }
}

/// Returns the column and row of a pixel.
fn place(index: usize, width: u32) -> Option<[u32; 2]> {
    let width = usize::try_from(width).ok()?;
    let (x, y) = (index.checked_rem(width)?, index.checked_div(width)?);
    Some([u32::try_from(x).ok()?, u32::try_from(y).ok()?])
}

/// Counts so far. Equal pixels are not counted.
struct Counting {
    counts: [u64; 256],
    /// The largest visible difference.
    largest: u8,
    /// The first pixel with the largest difference, expected and actual.
    at: Option<(usize, [u8; 4], [u8; 4])>,
    color_differs: bool,
}

impl Counting {
    fn pictures(&mut self, expected: &[u8], actual: &[u8]) {
        let (expected, expected_rest) = expected.as_chunks::<BLOCK>();
        let (actual, actual_rest) = actual.as_chunks::<BLOCK>();
        let mut first = 0;
        for (expected, actual) in expected.iter().zip(actual) {
            if expected != actual {
                self.run(first, expected, actual);
            }
            first += BLOCK / 4;
        }
        self.run(first, expected_rest, actual_rest);
    }

    /// Counts consecutive pixels; the index of the first one is `first`.
    #[inline(always)]
    fn run(&mut self, first: usize, expected: &[u8], actual: &[u8]) {
        let (expected, actual) = (expected.as_chunks::<4>().0, actual.as_chunks::<4>().0);
        for (index, (expected, actual)) in (first..).zip(expected.iter().zip(actual)) {
            if expected == actual {
                continue;
            }
            let visible = pixel::visible_difference(*expected, *actual);
            if let Some(count) = self.counts.get_mut(usize::from(visible.max(1))) {
                *count += 1;
            }
            if visible > self.largest || self.at.is_none() {
                self.largest = visible;
                self.at = Some((index, *expected, *actual));
            }
            self.color_differs |= expected.first_chunk::<3>() != actual.first_chunk::<3>();
        }
    }
}
