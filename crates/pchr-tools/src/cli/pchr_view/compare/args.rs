//! Command line of `pchr-view compare`.

use std::path::PathBuf;

use clap::Args;

use pchr::compare::{MaxOutliers, Region, Tolerance};

use crate::run::input::size;

/// Arguments of `compare`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view compare old.png new.png
  pchr-view compare old.png new.png --max-outliers 0.1% --diff diff.png
  pchr-view compare old new --diff diff       # all PNG files in two folders
  pchr-view compare old new --tolerance 0     # only identical pixels pass
  pchr-view compare old.png new.png --ignore 0,0,64x16 --mask clock.png
  pchr-view compare old new --json | jq '.pairs[] | select(.verdict == \"differs\") | .name'
  pchr-view capture hero.pchr --renderer cpu -o - | pchr-view compare old.png -

The difference between two pixels is the largest difference in any of their four channels. Colours are multiplied by alpha first, since only the product is visible; the stored colour of a nearly transparent pixel is mostly rounding. Pixels whose stored bytes differ always count as differing by at least 1, so --tolerance 0 requires the same bytes. A pixel that differs by more than the tolerance is an outlier.

Printed for each pair that differs at all: its outliers, the largest difference with its position, channel and both pixels (RGBA), the number of pixels by size of difference, and the mean ꟻLIP error: how visible the difference is when the two alternate on a screen (0 invisible, 1 maximal; the larger of those over black and over white). -v also lists equal pairs; -q only those that fail.

The picture of --diff shows A in dim grey, differences within the tolerance in blue, and outliers from orange to nearly white (the lighter, the larger). Ignored pixels are hatched. Of two sizes, what only one picture has is striped.

PNG files that capture wrote say their camera and moment: if those of a pair differ, so may the pictures although the content is the same. To keep the camera, capture with --camera-of.

PNG files of every colour type are read; 16-bit channels are compared by their upper 8 bits. Files in folders are matched by their paths. --ignore and --mask apply to every pair.

Exit codes: 0 no picture differs beyond the tolerance, 1 a picture could not be read, 2 usage, 3 a picture differs or is in one folder only")]
pub(in crate::cli::pchr_view) struct CompareArgs {
    /// Expected: a PNG file, or a folder of PNG files; - reads a file from standard input
    #[arg(value_name = "A")]
    pub(super) expected: PathBuf,
    /// Actual: a PNG file or a folder, to compare with A
    #[arg(value_name = "B")]
    pub(super) actual: PathBuf,
    /// Largest difference at which pixels count as equal, 0 to 255
    #[arg(long, value_name = "N", default_value_t = Tolerance::default().channel)]
    pub(super) tolerance: u8,
    /// How many pixels of each picture may differ by more than --tolerance: a number, or a percentage like 0.1%
    #[arg(long, value_name = "N|P%", default_value_t)]
    pub(super) max_outliers: MaxOutliers,
    /// Ignore a rectangle of both pictures: pixels from the left and the top, then width and height (repeatable)
    #[arg(long, value_name = "X,Y,WxH")]
    pub(super) ignore: Vec<Region>,
    /// Ignore the painted pixels of a PNG of the same size: all that are neither black nor transparent
    #[arg(long, value_name = "FILE")]
    pub(super) mask: Option<PathBuf>,
    /// Write a picture of the differences; for folders, a folder with one picture for each pair that differs; - writes it to standard output
    #[arg(long, value_name = "OUT.png")]
    pub(super) diff: Option<PathBuf>,
    /// Read pictures of up to this size, like 512MiB or 3GiB [default: 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(super) max_size: Option<u64>,
    /// Print a JSON report of the results
    #[arg(long)]
    pub(super) json: bool,
}

impl CompareArgs {
    pub(super) fn allowed(&self) -> Tolerance {
        Tolerance {
            channel: self.tolerance,
            max_outliers: self.max_outliers,
        }
    }
}
