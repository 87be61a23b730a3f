//! Reports of a run, and checks of everything that it reads and writes before the first file is written.

use std::path::{Path, PathBuf};

use super::baseline;
use super::cases::Case;
use super::file::Suite;
use super::planned::Planned;
use super::report::{self};
use super::results::Report;
use super::text;
use super::times::Times;
use crate::run::disk::Role;
use crate::run::{Disk, Failure, input, output};
use crate::view::Background;

/// Requested reports.
#[derive(Debug)]
pub(crate) struct Outputs {
    /// Folder of `report.json`, `index.html` and pictures.
    pub(crate) report: Option<PathBuf>,
    /// JUnit report; `-` is stdout.
    pub(crate) junit: Option<PathBuf>,
    /// True to print `report.json` on stdout.
    pub(crate) json: bool,
}

impl Outputs {
    /// Checks that at most one report goes to stdout.
    ///
    /// # Errors
    /// [`Failure::Usage`] if two do.
    pub(super) fn check_stdout(&self) -> Result<(), Failure> {
        if self.json && self.has_junit_on_stdout() {
            let text = "--json and --junit - both write to standard output";
            return Err(Failure::Usage(text.into()));
        }
        Ok(())
    }

    /// Returns true if a report goes to stdout.
    pub(super) fn take_stdout(&self) -> bool {
        self.json || self.has_junit_on_stdout()
    }

    fn has_junit_on_stdout(&self) -> bool {
        self.junit.as_deref().is_some_and(input::is_stdin)
    }

    /// Returns the file of the JUnit report.
    pub(super) fn junit_file(&self) -> Option<&Path> {
        self.junit.as_deref().filter(|path| !input::is_stdin(path))
    }

    /// Removes the JUnit report of an earlier run, or empties it behind a link, so that its results are not mistaken for those of
    /// this one. Other files stay until they are replaced. Only after [`check`](Self::check): it is not an input.
    ///
    /// # Errors
    /// [`Failure::Running`] if it cannot be removed.
    pub(super) fn clear_junit(&self, disk: &Disk) -> Result<(), Failure> {
        let clear = |junit| report::clear_junit(disk, junit, self.report.as_deref());
        Ok(self.junit_file().map_or(Ok(()), clear)?)
    }

    /// Checks that the reports do not overwrite an input. `stems` are the names of frames, with those of their cases.
    ///
    /// # Errors
    /// Errors of [`check`].
    pub(super) fn check(
        &self,
        disk: &Disk,
        stems: impl IntoIterator<Item = String>,
    ) -> Result<(), Failure> {
        let junit = self.junit_file();
        if let Some(folder) = &self.report {
            let paths = report::paths(folder, stems);
            disk.check(paths.iter().map(PathBuf::as_path))?;
            junit.map_or(Ok(()), |junit| report::check_junit(folder, junit))?;
        }
        disk.check(junit)
    }

    /// Writes all requested reports, and the last line to stdout.
    ///
    /// # Errors
    /// [`Failure::Running`] if one of them cannot be written; the others are written.
    pub(super) fn write(
        &self,
        disk: &Disk,
        report: &Report,
        times: &Times,
        quiet: bool,
    ) -> Result<(), Failure> {
        let folder = self.report.as_deref();
        let written = folder.map_or(Ok(()), |folder| report::write(disk, report, folder));
        if let Some(path) = &self.junit {
            report::write_junit(disk, report, times, path, folder)?;
        }
        if self.json {
            report::print(report)?;
        } else if report.has_run() && !quiet && !self.has_junit_on_stdout() {
            output::write_text(text::summary(report).as_bytes())?;
        }
        Ok(written?)
    }

    /// Checks that nothing that the run reads would be overwritten by its report, by its JUnit report, or by an update.
    ///
    /// # Errors
    /// [`Failure::Overwrites`] with the output and the input.
    pub(super) fn check_suite(
        &self,
        suite: &Suite,
        cases: &[Case],
        planned: &[Planned],
        updates: bool,
    ) -> Result<(), Failure> {
        let disk = &suite.disk;
        let pictures = || {
            let of_case = |(case, planned): (&Case, &Planned)| {
                let names = planned.names.iter();
                let name = |name: &String| (case.name.clone(), name.clone());
                names.map(name).collect::<Vec<_>>()
            };
            cases.iter().zip(planned).flat_map(of_case)
        };
        let root = suite.baselines();
        let place = |(case, name): (String, String)| root.join(case).join(name);
        let mut baselines: Vec<PathBuf> = pictures().map(place).collect();
        let record = |case: &Case| root.join(&case.name).join(baseline::RECORD);
        baselines.extend(cases.iter().map(record));
        for case in cases {
            if let Some(Background::Picture(path)) = &case.shown.background {
                disk.note(path, Role::Input);
            }
        }
        for path in &baselines {
            disk.note(path, Role::Baseline);
        }
        if updates {
            disk.check_update(baselines.iter().map(PathBuf::as_path))?;
        }
        let stem = |(case, name): (String, String)| {
            let name = Path::new(&name).with_extension("");
            format!("{case}/{}", crate::text::slashed(&name))
        };
        self.check(disk, pictures().map(stem))
    }
}
