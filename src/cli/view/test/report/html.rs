//! `index.html`.

use std::io::{self, Write};

use super::model::Report;

/// Writes the page of a report. `picture` reads a PNG by its path in the report.
pub(super) fn render(
    report: &Report,
    _picture: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    page: &mut impl Write,
) -> io::Result<()> {
    writeln!(page, "<!doctype html><title>{:?}</title>", report.summary)
}
