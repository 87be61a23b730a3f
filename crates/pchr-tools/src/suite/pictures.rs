//! Pictures of a report: expected, actual, and their difference.

use std::io;
use std::path::Path;

use pchr::image::{Effort, Pixels, encode_png};

use super::results::Pictures;
use crate::run::Disk;
use crate::run::inside::Inside;

/// Folder of the pictures in the report's folder.
pub(super) const FOLDER: &str = "pictures";

/// Kind of a picture in a report.
pub(super) const KINDS: [&str; 3] = ["expected", "actual", "difference"];

/// Returns the path of a picture, relative to the report's folder.
pub(super) fn path(stem: &str, kind: &str) -> String {
    format!("{FOLDER}/{stem}.{kind}.png")
}

/// Writes the pictures of a frame; `stem` is its name with that of its case. Returns their paths, relative to the report's folder.
///
/// # Errors
/// Errors of writing.
pub(super) fn write(
    disk: &Disk,
    report: &Path,
    stem: &str,
    expected: Option<&Pixels>,
    actual: &Pixels,
    difference: Option<&Pixels>,
) -> io::Result<Pictures> {
    let mut png = Vec::new();
    let mut save = |kind: &str, pixels: &Pixels| -> io::Result<String> {
        let path = path(stem, kind);
        png.clear();
        encode_png(pixels, Effort::Least, &mut png).map_err(io::Error::other)?;
        Inside(report).create(disk, &path)?.finish(&png)?;
        Ok(path)
    };
    let expected = expected.map(|pixels| save("expected", pixels));
    let actual = save("actual", actual)?;
    let difference = difference.map(|pixels| save("difference", pixels));
    Ok(Pictures {
        expected: expected.transpose()?,
        actual,
        difference: difference.transpose()?,
    })
}
