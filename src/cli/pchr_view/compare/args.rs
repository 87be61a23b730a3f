//! What can be typed behind `pchr-view compare`.

use std::path::PathBuf;

use clap::Args;

use crate::compare::{MaxOutliers, Region, Tolerance};
use crate::run::input::size;

/// What a comparison is asked for.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view compare old.png new.png
  pchr-view compare old.png new.png --max-outliers 0.1% --diff diff.png
  pchr-view compare old new --diff diff       # all PNG files in two folders
  pchr-view compare old new --tolerance 0     # only the same pixels pass
  pchr-view compare old.png new.png --ignore 0,0,64x16 --mask clock.png
  pchr-view compare old new --json | jq '.pairs[] | select(.verdict == \"differs\") | .name'
  pchr-view capture hero.pchr --renderer cpu -o - | pchr-view compare old.png -

The difference of two pixels is the largest of their four channels. Colours are multiplied by alpha first: only that is seen, over any \
background, and the stored colour of a pixel that is nearly transparent is mostly rounding. Pixels that are not stored alike differ by at \
least 1, so --tolerance 0 asks for the same bytes. A pixel that differs by more than the tolerance is an outlier.

For each pair that differs at all: its outliers, the largest difference with its place, channel and both pixels (RGBA), pixels by size of \
difference, and the mean of the ꟻLIP error, which says how visible it is when the two take turns on a screen (0 not at all, 1 as much as \
can be; the larger of those over black and over white). -v lists pairs that are the same, too; -q only those that fail.

The picture of --diff shows A in dim grey, differences within the tolerance in blue, and outliers from orange to nearly white: lighter is \
larger. Ignored pixels are hatched.

PNG files of every colour type are read; of 16 bits a channel the upper 8 are compared. Files in folders are matched by their paths \
within them. --ignore and --mask hold for every pair.

Exit codes: 0 nothing differs beyond the tolerance, 1 a picture could not be read, 2 usage, 3 pictures differ beyond it or have no partner")]
pub(in crate::cli::pchr_view) struct CompareArgs {
    /// What is expected: a PNG file, or a folder of them; - reads one from stdin
    #[arg(value_name = "A")]
    pub(super) expected: PathBuf,
    /// What is held against it: the same
    #[arg(value_name = "B")]
    pub(super) actual: PathBuf,
    /// Difference up to which a pixel is as good as equal, 0 to 255
    #[arg(long, value_name = "N", default_value_t = Tolerance::default().channel)]
    pub(super) tolerance: u8,
    /// Pixels that may differ by more in each picture: a number, or a share like 0.1%
    #[arg(long, value_name = "N|P%", default_value_t)]
    pub(super) max_outliers: MaxOutliers,
    /// Leave out a rectangle of both pictures: pixels from the left and the top, then width and height (repeatable)
    #[arg(long, value_name = "X,Y,WxH")]
    pub(super) ignore: Vec<Region>,
    /// Leave out what is painted in a PNG of the same size: every pixel that is neither black nor transparent
    #[arg(long, value_name = "FILE")]
    pub(super) mask: Option<PathBuf>,
    /// Write a picture of the differences; for folders a folder of them, for pairs that differ at all. - writes it to stdout
    #[arg(long, value_name = "OUT.png")]
    pub(super) diff: Option<PathBuf>,
    /// Read pictures of up to this size, like 512MiB or 3GiB [default: 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(super) max_size: Option<u64>,
    /// Say on stdout, as JSON, what was found
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
