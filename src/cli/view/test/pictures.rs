//! The pictures of a report: what was expected, what was drawn, and where they differ.

use std::io;
use std::path::Path;

use super::report::Pictures;
use crate::capture::{CaptureError, Taken};
use crate::cli::output;
use crate::compare::difference_picture;
use crate::image::{Effort, Pixels, encode_png};

/// The folder of the pictures within the report's.
pub(super) const FOLDER: &str = "pictures";

/// Writes the pictures of a frame, whose name with its case's is `stem`; gives their paths from the report's folder.
///
/// # Errors
/// What keeps files from being written.
pub(super) fn write(
    report: &Path,
    stem: &str,
    expected: Option<&Pixels>,
    taken: &mut Taken<'_>,
    tolerance: u8,
) -> Result<Pictures, CaptureError> {
    let save = |kind: &str, pixels: &Pixels| -> io::Result<String> {
        let path = format!("{FOLDER}/{stem}.{kind}.png");
        let file = report.join(&path);
        let mut png = Vec::new();
        encode_png(pixels, Effort::Least, &mut png).map_err(io::Error::other)?;
        output::make_folders([file.as_path()])?;
        output::write_whole(&file, &png)?;
        Ok(path)
    };
    let difference = expected.and_then(|expected| {
        difference_picture(expected, taken.pixels, tolerance).ok() // of another size there is none
    });
    Ok(Pictures {
        expected: expected
            .map(|pixels| save("expected", pixels))
            .transpose()?,
        actual: save("actual", taken.pixels)?,
        difference: difference
            .map(|pixels| save("difference", &pixels))
            .transpose()?,
    })
}
