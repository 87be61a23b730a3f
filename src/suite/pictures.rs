//! The pictures of a report: what was expected, what was drawn, and where they differ.

use std::io;
use std::path::Path;

use super::results::Pictures;
use crate::image::{Effort, Pixels, encode_png};
use crate::run::Disk;
use crate::run::inside::Inside;

/// The folder of the pictures within the report's.
pub(super) const FOLDER: &str = "pictures";

/// Kind of a picture in a report.
pub(super) const KINDS: [&str; 3] = ["expected", "actual", "difference"];

/// The path of a picture from the report's folder.
pub(super) fn path(stem: &str, kind: &str) -> String {
    format!("{FOLDER}/{stem}.{kind}.png")
}

/// Writes the pictures of a frame, whose name with its case's is `stem`; gives their paths from the report's folder.
///
/// # Errors
/// What keeps files from being written.
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
