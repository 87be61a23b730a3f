//! Tolerances for comparing pictures.

use std::fmt;
use std::str::FromStr;

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
        Self {
            channel: 4,
            max_outliers: MaxOutliers::Pixels(most),
        }
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
        Self {
            channel: 2,
            max_outliers: MaxOutliers::default(),
        }
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
    pub fn of(self, pixels: u64) -> u64 {
        match self {
            Self::Pixels(count) => count,
            Self::Percent(percent) => share(percent, pixels),
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "pictures have less than 2^53 pixels; casts from floats saturate"
)]
fn share(percent: f64, pixels: u64) -> u64 {
    // The rounding of decimal fractions to binary ones must not cost a pixel.
    const ROUNDING: f64 = 1e-6;
    (pixels as f64 * percent / 100.0 + ROUNDING).floor() as u64
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
