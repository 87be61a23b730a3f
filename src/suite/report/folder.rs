//! The folder of a report.
//!
//! It may hold the report of someone else, in an archive that was unpacked: nothing outside of it is read, written or
//! removed, whatever that report and links in the folder say.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::html;
use crate::files::Kind;
use crate::run::inside::Inside;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};
use crate::suite::pictures;
use crate::suite::results::Report;

/// The report for programs.
pub(in crate::suite) const JSON: &str = "report.json";

/// The report for people.
const PAGE: &str = "index.html";

/// Checks that a report may be written into a folder. Nothing is made, and nothing is removed.
///
/// # Errors
/// [`Failure::Usage`] for a folder among the baselines; [`Failure::Running`] for one with a report of another program.
pub(in crate::suite) fn check(folder: &Path, baselines: &Path) -> Result<(), Failure> {
    if output::is_in(folder, baselines) {
        let text = format!(
            "a report has no place among baselines: {}",
            folder.display()
        );
        return Err(Failure::Usage(text));
    }
    earlier(folder)?;
    Ok(())
}

/// Checks that a JUnit report is no part of the report in a folder.
///
/// # Errors
/// [`Failure::Usage`] if it is.
pub(in crate::suite) fn check_junit(folder: &Path, junit: &Path) -> Result<(), Failure> {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let own = |name: &&str| {
        let part = folder.join(name);
        whole(junit).starts_with(whole(&part)) || output::is_in(junit, &part)
    };
    let part = [PAGE, JSON, pictures::FOLDER].into_iter().find(own);
    part.map_or(Ok(()), |part| {
        let (junit, folder) = (junit.display(), folder.display());
        let text = format!(
            "--junit {junit}: the report in {folder} has {part} itself; choose another name"
        );
        Err(Failure::Usage(text))
    })
}

/// Every file that a report may have, if `stems` are the names of its frames with those of their cases.
pub(in crate::suite) fn paths(
    folder: &Path,
    stems: impl IntoIterator<Item = String>,
) -> Vec<PathBuf> {
    let of_frame = |stem: String| pictures::KINDS.map(|kind| pictures::path(&stem, kind));
    let mut paths: Vec<PathBuf> = stems
        .into_iter()
        .flat_map(of_frame)
        .map(|path| folder.join(path))
        .collect();
    paths.extend([JSON, PAGE].map(|name| folder.join(name)));
    paths
}

/// Failures in the report of an earlier run of a suite; `None`, after saying so, if there is no such report.
pub(in crate::suite) fn failed(
    folder: Option<&Path>,
    suite: &str,
    messages: &Messages,
) -> Option<BTreeSet<String>> {
    let folder = folder?;
    let text = Inside(folder).peek(JSON, Kind::Text).ok();
    let report = text.and_then(|text| serde_json::from_slice::<Report>(&text).ok());
    let report = report.filter(|report| report.suite == suite && report.errors.is_empty());
    if report.is_none() {
        messages.note(&format!(
            "there is no report of {suite} at {}: all cases run",
            folder.join(JSON).display()
        ));
    }
    Some(report?.failed().map(str::to_owned).collect())
}

/// The text of the report of an earlier run; `None` if there is none. Whatever a link leads to is no report: the link goes
/// when the next is written.
fn earlier(folder: &Path) -> io::Result<Option<Vec<u8>>> {
    let Ok(text) = Inside(folder).peek(JSON, Kind::Text) else {
        return Ok(None);
    };
    let is_ours = serde_json::from_slice::<Value>(&text).is_ok_and(|report| {
        ["suite", "summary", "cases"]
            .iter()
            .all(|key| report.get(key).is_some())
    });
    if !is_ours {
        let text = format!("{} is of another program", folder.join(JSON).display());
        return Err(io::Error::new(ErrorKind::AlreadyExists, text));
    }
    Ok(Some(text))
}

/// Removes an earlier report, with the pictures that it names: what an earlier run said must not be taken for what this one
/// says.
///
/// # Errors
/// Reason why files cannot be removed; [`Failure::Overwrites`] if a picture is an input.
pub(in crate::suite) fn clear(disk: &Disk, folder: &Path) -> Result<(), Failure> {
    let Some(text) = earlier(folder)? else {
        return Ok(());
    };
    // Of a report of another version it is not known what pictures it has: they stay.
    let report = serde_json::from_slice::<Report>(&text).ok();
    let pictures = report.iter().flat_map(Report::picture_paths);
    let pictures: Vec<&str> = pictures.filter(|path| is_inside(path)).collect();
    let places: Vec<PathBuf> = pictures.iter().map(|path| folder.join(path)).collect();
    disk.check(places.iter().map(PathBuf::as_path))?;
    for path in pictures.into_iter().chain([PAGE, JSON]) {
        Inside(folder).remove(path)?;
    }
    Ok(())
}

/// Whether a path of a report leads to a picture of it. Reports come from elsewhere: only such paths as this program
/// writes are followed.
pub(in crate::suite) fn is_inside(path: &str) -> bool {
    let inside = path
        .strip_prefix(pictures::FOLDER)
        .is_some_and(|rest| rest.starts_with('/'));
    inside && !path.contains('\\') && !path.split('/').any(|part| part == "..")
}

/// Writes `report.json` and `index.html` into a folder. The pictures are there already.
///
/// # Errors
/// What keeps them from being written.
pub(in crate::suite) fn write(disk: &Disk, report: &Report, folder: &Path) -> io::Result<()> {
    let inside = Inside(folder);
    let mut page = inside.create(disk, PAGE)?;
    html::render(report, inside, &mut page)?;
    let page = page.complete()?;
    let mut json = inside.create(disk, JSON)?;
    serde_json::to_writer_pretty(&mut json, report)?;
    json.write_all(b"\n")?;
    let json = json.complete()?;
    page.take_place()?;
    json.take_place()
}
