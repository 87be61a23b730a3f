//! Reports of a run, and checks before the first file is written.

use std::path::{Path, PathBuf};

use super::folder;
use super::junit::{self, FrameTimes};
use super::results::SuiteReport;
use super::text;
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
    ///
    /// # Errors
    /// [`Failure::Usage`] if two do.
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

    /// Returns the file of the JUnit report.
    pub(crate) fn junit_file(&self) -> Option<&Path> {
        self.junit.as_deref().filter(|path| !input::is_stdin(path))
    }

    /// Removes the JUnit report of an earlier run, or empties it behind a link, so that its results are not mistaken for those of
    /// this one. Other files stay until they are replaced. Only after [`check`](Self::check): it is not an input.
    ///
    /// # Errors
    /// [`Failure::Running`] if it cannot be removed.
    pub(crate) fn clear_junit(&self, disk: &Disk) -> Result<(), Failure> {
        let clear = |junit| junit::clear(disk, junit, self.report.as_deref());
        Ok(self.junit_file().map_or(Ok(()), clear)?)
    }

    /// Checks that the reports do not overwrite an input. `stems` are the names of frames, with those of their cases.
    ///
    /// # Errors
    /// Errors of [`check`].
    pub(crate) fn check(
        &self,
        disk: &Disk,
        stems: impl IntoIterator<Item = String>,
    ) -> Result<(), Failure> {
        let junit = self.junit_file();
        if let Some(folder) = &self.report {
            let paths = folder::paths(folder, stems);
            disk.check(paths.iter().map(PathBuf::as_path))?;
            junit.map_or(Ok(()), |junit| folder::check_junit(folder, junit))?;
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
        let written = folder.map_or(Ok(()), |folder| folder::write(disk, report, folder));
        if let Some(path) = &self.junit {
            junit::write(disk, report, times, path, folder)?;
        }
        if self.json {
            output::write_json(report)?;
        } else if report.has_run() && !quiet && !self.has_junit_on_stdout() {
            output::write_text(text::summary(report).as_bytes())?;
        }
        Ok(written?)
    }
}
