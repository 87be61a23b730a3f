//! The folder of a report.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use super::html;
use super::model::Report;
use crate::cli::Failure;
use crate::cli::messages::Messages;
use crate::cli::output::{self, Whole};
use crate::cli::view::test::pictures;

/// What a program reads.
pub(in crate::cli::view::test) const JSON: &str = "report.json";

/// What a person reads.
const PAGE: &str = "index.html";

/// Makes the folder ready for another report, before anything can fail: what an earlier run said must not be taken for
/// what this one says. Only what the earlier report names is removed; so is the JUnit report.
///
/// # Errors
/// [`Failure::Usage`] for a folder among the baselines; [`Failure::Running`] if it cannot be written.
pub(in crate::cli::view::test) fn begin(
    folder: Option<&Path>,
    junit: Option<&Path>,
    baselines: &Path,
) -> Result<(), Failure> {
    if let Some(junit) = junit.filter(|path| path.is_file()) {
        std::fs::remove_file(junit).with_context(|| format!("cannot write {}", junit.display()))?;
    }
    let Some(folder) = folder else { return Ok(()) };
    output::make_folders([folder.join(JSON).as_path()])?;
    let whole = |path: &Path| std::fs::canonicalize(path).ok();
    let baselines = whole(baselines);
    if let Some((folder, baselines)) = whole(folder).zip(baselines)
        && folder.starts_with(&baselines)
    {
        let text = format!(
            "a report has no place among baselines: {}",
            folder.display()
        );
        return Err(Failure::Usage(text));
    }
    clear(folder)?;
    Ok(())
}

/// What failed in the report of an earlier run of a suite; `None`, after saying so, if there is no such report.
pub(in crate::cli::view::test) fn failed(
    folder: Option<&Path>,
    suite: &str,
    messages: &Messages,
) -> Option<BTreeSet<String>> {
    let path = folder?.join(JSON);
    let text = std::fs::read(&path).ok();
    let report = text.and_then(|text| serde_json::from_slice::<Report>(&text).ok());
    let report = report.filter(|report| report.suite == suite && report.errors.is_empty());
    if report.is_none() {
        messages.note(&format!(
            "there is no report of {suite} at {}: all cases run",
            path.display()
        ));
    }
    Some(report?.failed().map(str::to_owned).collect())
}

/// Removes an earlier report.
pub(super) fn clear(folder: &Path) -> io::Result<()> {
    let Ok(text) = std::fs::read(folder.join(JSON)) else {
        return Ok(());
    };
    let is_ours = serde_json::from_slice::<Value>(&text).is_ok_and(|report| {
        ["suite", "summary", "cases"]
            .iter()
            .all(|key| report.get(key).is_some())
    });
    if !is_ours {
        let text = format!("{} is of another program", folder.join(JSON).display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    let gone = |path: &Path| match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    // Of a report of another version it is not known what pictures it has: they stay.
    let report = serde_json::from_slice::<Report>(&text).ok();
    let pictures = report.iter().flat_map(Report::picture_paths);
    for path in pictures.filter(|path| is_inside(path)) {
        let path = folder.join(path);
        gone(&path)?;
        // Folders go with the last file in them.
        let parents = path
            .ancestors()
            .skip(1)
            .take_while(|parent| *parent != folder);
        for parent in parents {
            if std::fs::remove_dir(parent).is_err() {
                break;
            }
        }
    }
    gone(&folder.join(PAGE))?;
    gone(&folder.join(JSON))
}

/// Whether a path of a report leads to a picture of it. Reports come from elsewhere: only such paths as this program
/// writes are followed.
pub(super) fn is_inside(path: &str) -> bool {
    let inside = path
        .strip_prefix(pictures::FOLDER)
        .is_some_and(|rest| rest.starts_with('/'));
    inside && !path.contains('\\') && !path.split('/').any(|part| part == "..")
}

/// Writes `report.json` and `index.html` into a folder. The pictures are there already.
///
/// # Errors
/// What keeps them from being written.
pub(in crate::cli::view::test) fn write(report: &Report, folder: &Path) -> io::Result<()> {
    let page = folder.join(PAGE);
    output::make_folders([page.as_path()])?;
    let mut file = Whole::create(&page)?;
    html::render(report, folder, &mut file)?;
    file.complete()?.take_place()?;
    let mut file = Whole::create(&folder.join(JSON))?;
    serde_json::to_writer_pretty(&mut file, report)?;
    file.write_all(b"\n")?;
    file.complete()?.take_place()
}
