//! Differences of two pictures: their size, place and visibility, and a picture of them. [`Pair`] is the entry point.
//!
//! Needs the feature `compare`.
//!
//! Pixels have straight alpha here, as in PNG files. The pictures of a pair have one size; [`Ignored`] pixels are not compared.
//!
//! # The difference of two pixels
//!
//! It is the largest difference of their four channels. Colours are multiplied by their alpha first, since only the product is
//! visible over any background: the colour of a nearly transparent pixel is mostly rounding. Pixels whose stored bytes are not
//! equal differ by at least 1, so that a tolerance of 0 means equal bytes.

mod difference;
mod flip;
mod pair;
mod picture;

#[cfg(feature = "schema")]
pub use difference::DifferenceReport;
pub use difference::{
    BUCKETS, Bucket, Channel, Difference, Largest, MaxOutliers, MaxOutliersError, Tolerance,
};
pub use pair::{IgnoreError, Ignored, Pair, Region, RegionError};
pub use picture::picture_of_sizes;

/// Pictures of two sizes cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}x{}, found {}x{}", .expected[0], .expected[1], .actual[0], .actual[1])]
pub struct SizesDiffer {
    /// Expected width and height.
    pub expected: [u32; 2],
    /// Actual width and height.
    pub actual: [u32; 2],
}

impl SizesDiffer {
    fn check(expected: [u32; 2], actual: [u32; 2]) -> Result<(), Self> {
        if expected == actual { Ok(()) } else { Err(Self { expected, actual }) }
    }
}

#[cfg(test)]
mod tests;
