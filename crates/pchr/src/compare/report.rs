//! Figures of a difference: the same in `report.json` and in what `pchr-view compare --json` prints.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BUCKETS, Bucket, Difference, Largest, Tolerance};

/// Difference of two pictures of one size, by pixel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
            mean_flip: mean_flip.map(rounded),
            histogram: difference.histogram(),
        }
    }
}

/// Rounds to nine digits: the rest is rounding noise.
fn rounded(error: f64) -> f64 {
    (error * 1e9).round() / 1e9
}
