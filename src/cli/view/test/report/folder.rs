//! The folder of a report.

use std::io::{self, Write as _};
use std::path::Path;

use super::html;
use super::model::Report;
use crate::cli::output::{self, Whole};

/// What a program reads.
pub(in crate::cli::view::test) const JSON: &str = "report.json";

/// What a person reads.
const PAGE: &str = "index.html";

/// Writes `report.json` and `index.html` into a folder. The pictures are there already.
///
/// # Errors
/// What keeps them from being written.
pub(in crate::cli::view::test) fn write(report: &Report, folder: &Path) -> io::Result<()> {
    let page = folder.join(PAGE);
    output::make_folders([page.as_path()])?;
    let mut file = Whole::create(&page)?;
    html::render(
        report,
        &mut |path| std::fs::read(folder.join(path)),
        &mut file,
    )?;
    file.complete()?.take_place()?;
    let mut file = Whole::create(&folder.join(JSON))?;
    serde_json::to_writer_pretty(&mut file, report)?;
    file.write_all(b"\n")?;
    file.complete()?.take_place()
}
