//! A look at all that a run will read and write, before the first file is written.

use std::path::{Path, PathBuf};

use super::args::TestArgs;
use super::baseline;
use super::cases::Case;
use super::file::Suite;
use super::planned::Planned;
use super::report;
use crate::run::disk::Role;
use crate::run::{Disk, Failure, input};
use crate::view::Background;

/// Makes sure that nothing that the run reads would be overwritten by its report, by its JUnit report, or by an update.
///
/// # Errors
/// [`Failure::Overwrites`] that names the output and the input.
pub(super) fn check(
    args: &TestArgs,
    suite: &Suite,
    cases: &[Case],
    planned: &[Planned],
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
        if let Background::Picture(path) = &case.view.background {
            disk.note(path, Role::Input);
        }
    }
    for path in &baselines {
        disk.note(path, Role::Baseline);
    }
    if args.update.is_some() {
        disk.check_update(baselines.iter().map(PathBuf::as_path))?;
    }
    let stem = |(case, name): (String, String)| {
        let name = Path::new(&name).with_extension("");
        format!("{case}/{}", crate::text::slashed(&name))
    };
    check_reports(args, disk, pictures().map(stem))
}

/// The same for the reports alone; `stems` are the names of frames, with those of their cases.
///
/// # Errors
/// Those of [`check`].
pub(super) fn check_reports(
    args: &TestArgs,
    disk: &Disk,
    stems: impl IntoIterator<Item = String>,
) -> Result<(), Failure> {
    let junit = args.junit.as_deref().filter(|path| !input::is_stdin(path));
    if let Some(folder) = &args.report {
        let paths = report::paths(folder, stems);
        disk.check(paths.iter().map(PathBuf::as_path))?;
        junit.map_or(Ok(()), |junit| report::check_junit(folder, junit))?;
    }
    disk.check(junit)
}
