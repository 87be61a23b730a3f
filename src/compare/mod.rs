//! How two pictures differ: by how much, where, how visibly, and as a picture.
//!
//! Everything here takes pixels with straight alpha, as PNG files have them, of two pictures of the same size.
//!
//! # The difference of two pixels
//!
//! It is the largest difference of their four channels. Colours are multiplied by their alpha first, since only that is
//! seen over any background: the colour of a pixel that is nearly transparent is mostly rounding. Pixels whose stored
//! bytes are not the same differ by at least 1, though, so that a tolerance of 0 means the same bytes.

mod difference;
mod flip;
mod picture;
mod pixel;
mod tolerance;

pub use difference::{BUCKETS, Difference};
pub use flip::mean_flip;
pub use picture::difference_picture;
pub use pixel::Channel;
pub use tolerance::{MaxOutliers, MaxOutliersError, Tolerance};

use crate::image::Pixels;

/// Pictures of two sizes cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}x{} was expected, not {}x{}", .expected[0], .expected[1], .actual[0], .actual[1])]
pub struct SizesDiffer {
    /// Width and height that were expected.
    pub expected: [u32; 2],
    /// Width and height that there are.
    pub actual: [u32; 2],
}

impl SizesDiffer {
    /// The size that both have.
    fn check(expected: &Pixels, actual: &Pixels) -> Result<[u32; 2], Self> {
        let size = |pixels: &Pixels| [pixels.width, pixels.height];
        let (expected, actual) = (size(expected), size(actual));
        if expected == actual {
            Ok(expected)
        } else {
            Err(Self { expected, actual })
        }
    }
}

#[cfg(test)]
mod tests;
