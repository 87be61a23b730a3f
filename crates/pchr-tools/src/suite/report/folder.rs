//! Reports of a run, checks before the first file is written, and the folder of a report.
//!
//! The folder may hold the report of someone else, from an unpacked archive. Nothing outside it is read, written or removed, regardless
//! of that report and of links in the folder.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

use pchr::image::{Effort, Pixels, encode_png};

use super::text_and_junit::{FrameTimes, clear_junit, summary, write_junit};
use super::{FramePictures, SuiteReport, html};
use crate::files::Kind;
use crate::run::messages::Messages;
use crate::run::output::Inside;
use crate::run::{Disk, Failure, input, output};

/// Requested reports.
#[derive(Debug)]
pub(crate) struct ReportOutputs {
    /// Folder of `report.json`, `index.html` and pictures.
    pub(crate) report: Option<PathBuf>,
    /// JUnit report; `-` is stdout.
    pub(crate) junit: Option<PathBuf>,
    /// True to print `report.json` on stdout.
    pub(crate) json: bool,
}

impl ReportOutputs {
    /// Checks that at most one report goes to stdout.
    pub(crate) fn check_stdout(&self) -> Result<(), Failure> {
        if self.json && self.has_junit_on_stdout() {
            let text = "--json and --junit - both write to standard output";
            return Err(Failure::Usage(text.into()));
        }
        Ok(())
    }

    /// Returns true if a report goes to stdout.
    pub(crate) fn take_stdout(&self) -> bool {
        self.json || self.has_junit_on_stdout()
    }

    fn has_junit_on_stdout(&self) -> bool {
        self.junit.as_deref().is_some_and(input::is_stdin)
    }

    pub(crate) fn junit_file(&self) -> Option<&Path> {
        self.junit.as_deref().filter(|path| !input::is_stdin(path))
    }

    /// Removes the JUnit report of an earlier run, or empties it behind a link, so that its results are not mistaken for those of
    /// this one. Other files stay until they are replaced. Only after [`check`](Self::check): it is not an input.
    pub(crate) fn clear_junit(&self, disk: &Disk) -> Result<(), Failure> {
        let clear = |junit| clear_junit(disk, junit, self.report.as_deref());
        Ok(self.junit_file().map_or(Ok(()), clear)?)
    }

    /// Checks that the reports do not overwrite an input. `stems` are the names of frames, with those of their cases.
    pub(crate) fn check(
        &self,
        disk: &Disk,
        stems: impl IntoIterator<Item = String>,
    ) -> Result<(), Failure> {
        let junit = self.junit_file();
        if let Some(folder) = &self.report {
            let paths = paths(folder, stems);
            disk.check(paths.iter().map(PathBuf::as_path))?;
            junit.map_or(Ok(()), |junit| check_junit(folder, junit))?;
        }
        disk.check(junit)
    }

    /// Writes all requested reports, and the last line to stdout.
    ///
    /// # Errors
    /// [`Failure::Running`] if one of them cannot be written; the others are written.
    pub(crate) fn write(
        &self,
        disk: &Disk,
        report: &SuiteReport,
        times: &FrameTimes,
        quiet: bool,
    ) -> Result<(), Failure> {
        let folder = self.report.as_deref();
        let written = folder.map_or(Ok(()), |folder| write(disk, report, folder));
        if let Some(path) = &self.junit {
            write_junit(disk, report, times, path, folder)?;
        }
        if self.json {
            output::write_json(report)?;
        } else if report.has_run() && !quiet && !self.has_junit_on_stdout() {
            output::write_text(summary(report).as_bytes())?;
        }
        Ok(written?)
    }
}

/// The report for programs.
pub(crate) const JSON: &str = "report.json";

/// The report for people.
const PAGE: &str = "index.html";

/// Checks that a report may be written into a folder. Nothing is created or removed.
///
/// # Errors
/// [`Failure::Usage`] for a folder among the baselines; [`Failure::Running`] for one with a report of another program.
pub(crate) fn check(folder: &Path, baselines: &Path) -> Result<(), Failure> {
    if output::is_in(folder, baselines) {
        let text = format!("a report cannot be written among baselines: {}", folder.display());
        return Err(Failure::Usage(text));
    }
    earlier(folder)?;
    Ok(())
}

/// Checks that a JUnit report is not part of the report in a folder.
pub(crate) fn check_junit(folder: &Path, junit: &Path) -> Result<(), Failure> {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let own = |name: &&str| {
        let part = folder.join(name);
        whole(junit).starts_with(whole(&part)) || output::is_in(junit, &part)
    };
    let part = [PAGE, JSON, FOLDER].into_iter().find(own);
    part.map_or(Ok(()), |part| {
        let (junit, folder) = (junit.display(), folder.display());
        let text = format!(
            "--junit {junit}: the report in {folder} already has {part}; choose another name"
        );
        Err(Failure::Usage(text))
    })
}

/// Returns every file that a report may have. `stems` are the names of its frames with those of their cases.
pub(crate) fn paths(folder: &Path, stems: impl IntoIterator<Item = String>) -> Vec<PathBuf> {
    let of_frame = |stem: String| KINDS.map(|kind| path(&stem, kind));
    let mut paths: Vec<PathBuf> =
        stems.into_iter().flat_map(of_frame).map(|path| folder.join(path)).collect();
    paths.extend([JSON, PAGE].map(|name| folder.join(name)));
    paths
}

/// Returns the failures in the report of an earlier run of a suite; `None`, with a message, if there is no such report.
pub(crate) fn failed(
    folder: Option<&Path>,
    suite: &str,
    messages: &Messages,
) -> Option<BTreeSet<String>> {
    let folder = folder?;
    let text = Inside(folder).peek(JSON, Kind::Text).ok();
    let report = text.and_then(|text| serde_json::from_slice::<SuiteReport>(&text).ok());
    let report = report.filter(|report| report.suite == suite && report.errors.is_empty());
    if report.is_none() {
        messages.note(&format!(
            "no report of {suite} at {}: all cases run",
            folder.join(JSON).display()
        ));
    }
    Some(report?.failed().map(str::to_owned).collect())
}

/// Returns the text of the report of an earlier run; `None` if there is none. A link is not a report: the next report replaces it.
fn earlier(folder: &Path) -> io::Result<Option<Vec<u8>>> {
    let Ok(text) = Inside(folder).peek(JSON, Kind::Text) else { return Ok(None) };
    let is_ours = serde_json::from_slice::<Value>(&text).is_ok_and(|report| {
        ["suite", "summary", "cases"].iter().all(|key| report.get(key).is_some())
    });
    if !is_ours {
        let text = format!(
            "{} was written by another program; choose another folder for the report",
            folder.join(JSON).display()
        );
        return Err(io::Error::new(ErrorKind::AlreadyExists, text));
    }
    Ok(Some(text))
}

/// Removes an earlier report and its pictures, so that its results are not mistaken for those of this run.
///
/// # Errors
/// Reason why files cannot be removed; [`Failure::Overwrites`] if a picture is an input.
pub(crate) fn clear(disk: &Disk, folder: &Path) -> Result<(), Failure> {
    let Some(text) = earlier(folder)? else { return Ok(()) };
    // The pictures of a report of another version are unknown, so they are kept.
    let report = serde_json::from_slice::<SuiteReport>(&text).ok();
    let pictures = report.iter().flat_map(SuiteReport::picture_paths);
    let pictures: Vec<&str> = pictures.filter(|path| is_inside(path)).collect();
    let places: Vec<PathBuf> = pictures.iter().map(|path| folder.join(path)).collect();
    disk.check(places.iter().map(PathBuf::as_path))?;
    for path in pictures.into_iter().chain([PAGE, JSON]) {
        Inside(folder).remove(path)?;
    }
    Ok(())
}

/// Returns true if a path in a report is that of one of its pictures. Reports may come from elsewhere: only paths in the form that
/// this program writes are followed.
pub(crate) fn is_inside(path: &str) -> bool {
    let inside = path.strip_prefix(FOLDER).is_some_and(|rest| rest.starts_with('/'));
    inside && !path.contains('\\') && !path.split('/').any(|part| part == "..")
}

/// Writes `report.json` and `index.html` into a folder. The pictures already exist.
pub(crate) fn write(disk: &Disk, report: &SuiteReport, folder: &Path) -> io::Result<()> {
    let inside = Inside(folder);
    let mut page = inside.create(disk, PAGE)?;
    html::render(report, inside, html::BUDGET, &mut page)?;
    let page = page.complete()?;
    let mut json = inside.create(disk, JSON)?;
    serde_json::to_writer_pretty(&mut json, report)?;
    json.write_all(b"\n")?;
    let json = json.complete()?;
    page.take_place()?;
    json.take_place()
}

/// Folder of the pictures in the report's folder.
pub(crate) const FOLDER: &str = "pictures";

/// Kind of a picture in a report.
pub(crate) const KINDS: [&str; 3] = ["expected", "actual", "difference"];

/// Returns the path of a picture, relative to the report's folder.
pub(crate) fn path(stem: &str, kind: &str) -> String {
    format!("{FOLDER}/{stem}.{kind}.png")
}

/// Writes the pictures of a frame; `stem` is its name with that of its case. Returns their paths, relative to the report's folder.
pub(crate) fn write_pictures(
    disk: &Disk,
    report: &Path,
    stem: &str,
    expected: Option<&Pixels>,
    actual: &Pixels,
    difference: Option<&Pixels>,
) -> io::Result<FramePictures> {
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
    Ok(FramePictures {
        expected: expected.transpose()?,
        actual,
        difference: difference.transpose()?,
    })
}
