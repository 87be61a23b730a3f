//! The difference of two pixels, as the module's documentation defines it, counts of pixels by difference, tolerances for comparing
//! pictures, and the figures of a difference: the same in `report.json` and in what `pchr-view compare --json` prints.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::{Ignored, Pair, SizesDiffer};
use crate::image::{Pixels, multiply_255};

/// Bounds of the groups of [`Difference::histogram`].
pub const BUCKETS: [RangeInclusive<u8>; 9] =
    [1..=1, 2..=2, 3..=4, 5..=8, 9..=16, 17..=32, 33..=64, 65..=128, 129..=255];

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
        visible_difference(self.expected, self.actual) == 0
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
        let [expected, actual] = self.pictures();
        let mut counting =
            Counting { counts: [0; 256], largest: 0, at: None, color_differs: false };
        if !self.is_equal() {
            counting.pictures(&expected.rgba, &actual.rgba);
        }
        let Counting { mut counts, largest, at, color_differs } = counting;
        let differing: u64 = counts.iter().sum();
        if let Some(equal) = counts.first_mut() {
            *equal = self.counted().saturating_sub(differing);
        }
        let [width, _] = self.size();
        let largest = at.and_then(|(index, expected, actual)| {
            Some(Largest {
                difference: largest.max(1),
                at: place(index, width)?,
                channel: channel(expected, actual),
                expected,
                actual,
            })
        });
        Difference {
            counts,
            ignored: self.ignored.map_or(0, Ignored::count),
            largest,
            alpha_only: at.is_some() && !color_differs,
        }
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
            Bucket { from, to, pixels: counts.take(bounds.len()).sum() }
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
        let mut visible = [0; BLOCK / 4];
        for (visible, (expected, actual)) in visible.iter_mut().zip(expected.iter().zip(actual)) {
            *visible = visible_difference(*expected, *actual);
        }
        let pixels = expected.iter().zip(actual).zip(visible);
        for (index, ((expected, actual), visible)) in (first..).zip(pixels) {
            if expected == actual {
                continue;
            }
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

/// A channel of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "lowercase")
)]
pub enum Channel {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Alpha.
    Alpha,
}

/// The name in lower case.
impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Alpha => "alpha",
        })
    }
}

/// Returns the difference of two pixels. It is 0 only if their bytes are equal.
#[inline(always)]
pub(super) fn difference(expected: [u8; 4], actual: [u8; 4]) -> u8 {
    visible_difference(expected, actual).max(u8::from(expected != actual))
}

/// Returns the visible difference of two pixels: 0 if only colours differ that alpha hides.
#[inline(always)]
pub(super) fn visible_difference(expected: [u8; 4], actual: [u8; 4]) -> u8 {
    let [r, g, b, a] = seen(expected, actual);
    r.max(g).max(b).max(a)
}

/// Returns the channel with the largest difference. Alpha goes before colour, which it changes too; then the first channel.
pub(super) fn channel(expected: [u8; 4], actual: [u8; 4]) -> Channel {
    let most = |[r, g, b, a]: [u8; 4]| {
        let others = [(r, Channel::Red), (g, Channel::Green), (b, Channel::Blue)];
        let first = (a, Channel::Alpha);
        others.into_iter().fold(first, |most, next| if next.0 > most.0 { next } else { most })
    };
    match most(seen(expected, actual)) {
        // Only colours that are not seen differ.
        (0, _) => {
            let [[r, g, b, a], [of_r, of_g, of_b, of_a]] = [expected, actual];
            let stored = [r.abs_diff(of_r), g.abs_diff(of_g), b.abs_diff(of_b), a.abs_diff(of_a)];
            most(stored).1
        }
        (_, channel) => channel,
    }
}

/// Returns the differences of the channels, with colours multiplied by alpha.
#[inline(always)]
fn seen(expected: [u8; 4], actual: [u8; 4]) -> [u8; 4] {
    let [[r, g, b, a], [of_r, of_g, of_b, of_a]] = [expected, actual];
    let color = |color: u8, of: u8| multiply_255(color, a).abs_diff(multiply_255(of, of_a));
    [color(r, of_r), color(g, of_g), color(b, of_b), a.abs_diff(of_a)]
}

/// Largest difference at which two pictures count as equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// A pixel whose difference is larger is an outlier.
    pub channel: u8,
    /// Maximum number of outliers allowed.
    pub max_outliers: MaxOutliers,
}

impl Tolerance {
    /// Returns the tolerance for two pictures of this many pixels by two correct renderers: the built-in one, and adapters with any
    /// backend. `tests/gpu/stability.rs` measures that they keep within it, and which mistakes do not.
    #[must_use]
    pub fn of_renderers(pixels: u64) -> Self {
        // Small pictures have many texels per pixel, so differences in sampling positions are more visible in them.
        let most = MaxOutliers::Percent(0.02).of(pixels).max(16);
        Self { channel: 4, max_outliers: MaxOutliers::Pixels(most) }
    }

    /// Returns true if pictures of one size with this many pixels are always within it, so that a comparison finds nothing.
    #[must_use]
    pub fn accepts_all(&self, pixels: u64) -> bool {
        self.channel == u8::MAX || self.max_outliers.of(pixels) >= pixels
    }
}

impl Default for Tolerance {
    /// Returns a tolerance of 2 for all pixels: two correct renderers can round differently.
    fn default() -> Self {
        Self { channel: 2, max_outliers: MaxOutliers::default() }
    }
}

/// Limit for the pixels that may differ by more than the tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MaxOutliers {
    /// A number of pixels.
    Pixels(u64),
    /// Percentage of a picture's pixels, 0 to 100.
    Percent(f64),
}

impl Default for MaxOutliers {
    fn default() -> Self {
        Self::Pixels(0)
    }
}

impl MaxOutliers {
    /// Returns the number of pixels in a picture of this many pixels, rounded down.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "pictures have less than 2^53 pixels; casts from floats saturate"
    )]
    pub fn of(self, pixels: u64) -> u64 {
        // The rounding of decimal fractions to binary ones must not cost a pixel.
        const ROUNDING: f64 = 1e-6;
        match self {
            Self::Pixels(count) => count,
            Self::Percent(percent) => (pixels as f64 * percent / 100.0 + ROUNDING).floor() as u64,
        }
    }
}

impl fmt::Display for MaxOutliers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pixels(count) => write!(f, "{count}"),
            Self::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

/// The text says no number of pixels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaxOutliersError {
    /// Neither a number nor a percentage.
    #[error(
        "invalid limit {0:?}: expected a number of pixels, like 12, or a percentage, like 0.1%"
    )]
    Form(String),
    /// Less than nothing, or more than all.
    #[error("invalid percentage {0:?}: expected 0% to 100%")]
    Range(String),
}

impl FromStr for MaxOutliers {
    type Err = MaxOutliersError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || MaxOutliersError::Form(text.to_owned());
        let Some(percent) = text.trim().strip_suffix('%') else {
            let count = text.trim().parse().map_err(|_| form())?;
            return Ok(Self::Pixels(count));
        };
        let percent: f64 = percent.trim().parse().map_err(|_| form())?;
        if (0.0..=100.0).contains(&percent) {
            Ok(Self::Percent(percent.abs())) // -0 is 0
        } else {
            Err(MaxOutliersError::Range(text.to_owned()))
        }
    }
}

/// Difference of two pictures of one size, by pixel.
#[cfg(feature = "schema")]
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Difference")]
pub struct DifferenceReport {
    /// Pixels that were compared.
    pub pixels: u64,
    /// Pixels that were ignored.
    pub ignored: u64,
    /// Pixels that are not the same.
    pub differing: u64,
    /// Difference, 0 to 255, up to which a pixel counts as equal.
    pub tolerance: u8,
    /// Pixels that differ by more than the tolerance.
    pub outliers: u64,
    /// Maximum number of outliers allowed in a picture of this size.
    pub allowed_outliers: u64,
    /// True if they differ, but nowhere in a stored colour.
    pub alpha_only: bool,
    /// The first pixel with the largest difference; null if there is none.
    pub largest: Option<Largest>,
    /// Mean FLIP error of the pixels that were compared, 0 to 1: how visible the difference is. Null for a frame of a suite
    /// that passed.
    pub mean_flip: Option<f64>,
    /// Pixels that differ, by the size of the difference.
    pub histogram: [Bucket; BUCKETS.len()],
}

#[cfg(feature = "schema")]
impl DifferenceReport {
    /// Figures of `difference` under `tolerance`; `mean_flip` is [`super::Pair::mean_flip`] of the same pictures.
    #[must_use]
    pub fn new(difference: &Difference, tolerance: &Tolerance, mean_flip: Option<f64>) -> Self {
        Self {
            pixels: difference.pixels(),
            ignored: difference.ignored(),
            differing: difference.differing(),
            tolerance: tolerance.channel,
            outliers: difference.outliers(tolerance.channel),
            allowed_outliers: tolerance.max_outliers.of(difference.pixels()),
            alpha_only: difference.alpha_only(),
            largest: difference.largest(),
            // Nine digits: the rest is rounding noise.
            mean_flip: mean_flip.map(|error| (error * 1e9).round() / 1e9),
            histogram: difference.histogram(),
        }
    }
}
