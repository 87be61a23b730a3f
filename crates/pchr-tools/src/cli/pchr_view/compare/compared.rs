//! Comparison of a pair.

use std::path::Path;

use anyhow::Context as _;
use parking_lot::Mutex;

use pchr::bytes::{Budget, has_room_for};
use pchr::compare::{self, Difference, Ignored, Tolerance, picture_of_sizes};
use pchr::image::{
    DEFAULT_BUDGET, Effort, Pixels, decode_straight, encode_png, png_size, png_text,
};

use super::args::CompareArgs;
use super::pairs::Pair;
use crate::run::{Disk, Failure, input, output};
use crate::view::CameraReport;
use crate::view::picture_view::{self, PictureView};

/// Two pictures that could be read.
#[derive(Debug)]
pub(super) struct Compared {
    /// Width and height of both.
    pub(super) sizes: [[u32; 2]; 2],
    /// Camera and moment of each, where the file says them.
    pub(super) views: [Option<PictureView>; 2],
    /// Of pictures of one size.
    pub(super) difference: Option<Measured>,
}

/// Difference of two pictures of the same size.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) difference: Difference,
    pub(super) mean_flip: f64,
    /// True if the difference picture was written.
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

/// Options for every pair.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    args: &'a CompareArgs,
    disk: &'a Disk,
    /// Mask: painted pixels are not compared.
    mask: Option<Pixels>,
    of_folders: bool,
    /// Held while large pictures are compared.
    large: Mutex<()>,
}

impl<'a> Wanted<'a> {
    /// Reads the mask, if there is one.
    pub(super) fn new(
        args: &'a CompareArgs,
        of_folders: bool,
        disk: &'a Disk,
    ) -> Result<Self, Failure> {
        let read = |path| decode(path, &input::picture(disk, path, args.max_size)?);
        let mask = args.mask.as_deref().map(read).transpose()?;
        Ok(Self {
            args,
            disk,
            mask,
            of_folders,
            large: Mutex::default(),
        })
    }

    /// Reads and compares both pictures, and writes the picture of their difference.
    pub(super) fn compare(&self, pair: &Pair) -> Result<Compared, Failure> {
        if self.of_folders {
            // Reading a pipe that is called like a picture would never end.
            is_file(&pair.expected)?;
            is_file(&pair.actual)?;
        }
        let read = |path| input::picture(self.disk, path, self.args.max_size);
        let files = [read(&pair.expected)?, read(&pair.actual)?];
        let views = files.each_ref().map(|png| {
            let text = png_text(png, picture_view::KEYWORD)?;
            PictureView::read(&text)
        });
        let _alone = files
            .iter()
            .any(|png| is_large(png))
            .then(|| self.large.lock());
        self.check_room(pair, &files)?;
        let [expected, actual] = &files;
        let (expected, actual) = rayon::join(
            || decode(&pair.expected, expected),
            || decode(&pair.actual, actual),
        );
        let (expected, actual) = (expected?, actual?);
        drop(files);
        let sizes = [&expected, &actual].map(|pixels| [pixels.width, pixels.height]);
        let [size, other] = sizes;
        if size != other {
            if let Some(path) = &pair.diff {
                let drawn = picture_of_sizes(&expected, &actual, self.args.tolerance);
                let drawn = drawn.with_context(|| {
                    format!(
                        "{}: the picture of the differences does not fit in memory",
                        pair.name
                    )
                })?;
                self.write(path, &drawn)?;
            }
            return Ok(Compared {
                sizes,
                views,
                difference: None,
            });
        }
        let ignored = Ignored::new(size, &self.args.ignore, self.mask.as_ref());
        let ignored = ignored.map_err(|error| Failure::Usage(format!("{}: {error}", pair.name)))?;
        let both = match &ignored {
            Some(ignored) => compare::Pair::ignoring(&expected, &actual, ignored),
            None => compare::Pair::new(&expected, &actual),
        };
        let both = both.map_err(anyhow::Error::from)?;
        let difference = both.difference();
        // Of folders, only what differs is written; a file that was asked for is always written.
        let shown = pair.diff.as_ref();
        let shown = shown.filter(|_| !self.of_folders || difference.differing() > 0);
        if let Some(path) = shown {
            self.write(path, &both.picture(self.args.tolerance))?;
        }
        let difference = Some(Measured {
            mean_flip: both.mean_flip(),
            difference,
            shown: shown.is_some(),
        });
        Ok(Compared {
            sizes,
            views,
            difference,
        })
    }

    /// Writes a picture of differences.
    fn write(&self, path: &Path, drawn: &Pixels) -> Result<(), Failure> {
        let mut png = Vec::new();
        encode_png(drawn, Effort::Least, &mut png).map_err(anyhow::Error::from)?;
        if input::is_stdin(path) {
            return Ok(output::write_stdout(&png)?);
        }
        output::make_folders([path])?;
        Ok(self.disk.write_picture(path, &png)?)
    }

    /// Checks that two pictures fit in memory, with a copy for each of: work, ignored pixels, and the picture of their difference.
    fn check_room(&self, pair: &Pair, files: &[Vec<u8>; 2]) -> Result<(), Failure> {
        let sizes = files
            .each_ref()
            .map(|png| png_size(png).unwrap_or_default()); // decoding says what is wrong
        let [expected, actual] = sizes.map(|[width, height]| {
            let pixels = u64::from(width).saturating_mul(height.into());
            pixels.saturating_mul(4)
        });
        if expected.max(actual) > DEFAULT_BUDGET {
            return Ok(()); // decoding refuses it
        }
        let is_masked = self.mask.is_some() || !self.args.ignore.is_empty();
        let copies = [true, is_masked, pair.diff.is_some()];
        let copies = copies.into_iter().filter(|is_made| *is_made);
        let parts = copies.map(|_| expected.max(actual));
        if has_room_for([expected, actual].into_iter().chain(parts)) {
            return Ok(());
        }
        let [[a, b], [c, d]] = sizes;
        let text =
            format!("not enough memory to compare pictures of {a} x {b} and {c} x {d} pixels");
        Err(Failure::Running(anyhow::anyhow!("{}: {text}", pair.name)))
    }
}

impl Compared {
    /// Both views, if both are known.
    fn views(&self) -> Option<[&PictureView; 2]> {
        match &self.views {
            [Some(expected), Some(actual)] => Some([expected, actual]),
            _ => None,
        }
    }

    /// Both cameras, if they differ.
    pub(super) fn cameras(&self) -> Option<[&CameraReport; 2]> {
        let cameras = self.views()?.map(|view| &view.camera);
        let [expected, actual] = cameras;
        (expected != actual).then_some(cameras)
    }

    /// Both views, if their moments differ.
    pub(super) fn moments(&self) -> Option<[&PictureView; 2]> {
        let views = self.views()?;
        let [expected, actual] = views;
        (!expected.same_moment(actual)).then_some(views)
    }

    pub(super) fn verdict(&self, tolerance: &Tolerance) -> Verdict {
        match &self.difference {
            Some(Measured { difference, .. }) if difference.differing() == 0 => Verdict::Same,
            Some(Measured { difference, .. }) if difference.is_within(tolerance) => Verdict::Within,
            _ => Verdict::Differs,
        }
    }
}

fn is_file(path: &Path) -> Result<(), Failure> {
    match std::fs::metadata(path) {
        Ok(there) if !there.is_file() => {
            let why = "is not a regular file";
            Err(input::unreadable(&path.display().to_string(), &why))
        }
        _ => Ok(()), // reading says what is wrong
    }
}

fn decode(path: &Path, png: &[u8]) -> Result<Pixels, Failure> {
    let pixels = decode_straight(png, &Budget::new(DEFAULT_BUDGET));
    pixels.map_err(|error| input::unreadable(&input::name(path), &error))
}

/// Returns true if a picture takes so much memory that only one such pair should be compared at a time.
fn is_large(png: &[u8]) -> bool {
    /// 4096 x 4096, which are 64 MiB.
    const LARGE: u64 = 1 << 24;
    png_size(png).is_ok_and(|[width, height]| u64::from(width) * u64::from(height) > LARGE)
}
