//! What is found out about a pair.

use std::path::Path;

use anyhow::anyhow;

use super::pairs::Pair;
use crate::bytes::Budget;
use crate::cli::{Failure, input, output};
use crate::compare::{Difference, Tolerance, difference_picture, mean_flip};
use crate::image::{DEFAULT_BUDGET, Effort, Pixels, decode_straight, encode_png};

/// Two pictures that could be read.
#[derive(Debug)]
pub(super) struct Compared {
    /// Width and height of both.
    pub(super) sizes: [[u32; 2]; 2],
    /// Of pictures of one size.
    pub(super) difference: Option<Measured>,
}

/// How two pictures of one size differ.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) difference: Difference,
    pub(super) mean_flip: f64,
    /// What the first pixel with the largest difference is in both; straight alpha.
    pub(super) largest: Option<[[u8; 4]; 2]>,
    /// Whether the picture of the difference was written.
    pub(super) shown: bool,
}

/// In one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The same pixels.
    Same,
    /// They differ, but by no more than is tolerated.
    Within,
    /// They differ by more, or are of two sizes.
    Differs,
}

impl Verdict {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Within => "within",
            Self::Differs => "differs",
        }
    }
}

impl Compared {
    /// Reads and compares both pictures, and writes that of their difference.
    pub(super) fn new(pair: &Pair, tolerance: u8, of_folders: bool) -> Result<Self, Failure> {
        let (expected, actual) = rayon::join(|| read(&pair.expected), || read(&pair.actual));
        let (expected, actual) = (expected?, actual?);
        let sizes = [&expected, &actual].map(|pixels| [pixels.width, pixels.height]);
        let Ok(difference) = Difference::measure(&expected, &actual) else {
            return Ok(Self {
                sizes,
                difference: None,
            });
        };
        let mean_flip = mean_flip(&expected, &actual).map_err(anyhow::Error::from)?;
        let largest = difference.largest_at().and_then(|at| {
            let [expected, actual] = [&expected, &actual].map(|pixels| pixel(pixels, at));
            Some([expected?, actual?])
        });
        // What is the same in a folder is passed over; a file that was asked for is written.
        let shown = pair.diff.as_ref();
        let shown = shown.filter(|_| !of_folders || difference.differing() > 0);
        if let Some(path) = shown {
            let picture = difference_picture(&expected, &actual, tolerance);
            let picture = picture.map_err(anyhow::Error::from)?;
            let mut png = Vec::new();
            encode_png(&picture, Effort::Some, &mut png).map_err(anyhow::Error::from)?;
            if input::is_stdin(path) {
                output::write_stdout(&png)?;
            } else {
                output::make_folders([path.as_path()])?;
                output::write_whole(path, &png)?;
            }
        }
        let difference = Some(Measured {
            difference,
            mean_flip,
            largest,
            shown: shown.is_some(),
        });
        Ok(Self { sizes, difference })
    }

    pub(super) fn verdict(&self, tolerance: &Tolerance) -> Verdict {
        match &self.difference {
            Some(Measured { difference, .. }) if difference.differing() == 0 => Verdict::Same,
            Some(Measured { difference, .. }) if difference.is_within(tolerance) => Verdict::Within,
            _ => Verdict::Differs,
        }
    }
}

fn read(path: &Path) -> Result<Pixels, Failure> {
    let png = input::bytes(path)?;
    let pixels = decode_straight(&png, &Budget::new(DEFAULT_BUDGET));
    // The error's source says what it says itself.
    Ok(pixels.map_err(|error| anyhow!("cannot read {}: {error}", input::name(path)))?)
}

fn pixel(pixels: &Pixels, [x, y]: [u32; 2]) -> Option<[u8; 4]> {
    let row = pixels.rgba.as_chunks().0;
    let row = row.chunks_exact(pixels.width as usize).nth(y as usize)?;
    row.get(x as usize).copied()
}
