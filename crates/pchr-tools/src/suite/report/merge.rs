//! `report merge`: one report of the parts of a suite.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::folder::{self, ReportOutputs, is_inside};
use super::text_and_junit::{FrameTimes, finish};
use super::{CaseReport, Shard, SuiteReport, worst};
use crate::files::Kind;
use crate::run::disk::Role;
use crate::run::messages::Messages;
use crate::run::output::Inside;
use crate::run::{Disk, Failure};
use crate::text::slashed;
use crate::text::words::few;

/// Maximum number of missing parts that are named one by one.
const LISTED: usize = 20;

/// Commands for reports.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view report merge part-1 part-2 -o report")]
pub(crate) struct ReportArgs {
    #[command(subcommand)]
    command: ReportCommand,
}

#[derive(Debug, Subcommand)]
enum ReportCommand {
    /// Merges the reports of a suite's parts; the exit code is that of the whole suite
    Merge(MergeArgs),
}

/// Arguments of `report merge`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view report merge part-1 part-2 -o report
  pchr-view report merge part-1 part-2 -o report --junit report/junit.xml")]
struct MergeArgs {
    /// The folders that `test --shard I/N --report DIR` wrote: all parts of one suite
    #[arg(value_name = "DIR", required = true)]
    parts: Vec<PathBuf>,
    /// Folder of the report
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Also write a JUnit report; - writes it to standard output
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print a JSON report of the results
    #[arg(long)]
    json: bool,
}

type SuitePart = (PathBuf, SuiteReport);

pub(crate) fn run(args: ReportArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let ReportCommand::Merge(args) = args.command;
    let (folders, output) = (&args.parts, args.output.as_path());
    let outputs =
        &ReportOutputs { report: Some(args.output.clone()), junit: args.junit, json: args.json };
    outputs.check_stdout()?;
    let read = folders.iter().map(|folder| read(disk, folder));
    let parts: Vec<SuitePart> = read.collect::<Result<_, _>>()?;
    make_a_whole(&parts)?;
    let same = |folder: &PathBuf| {
        let there = std::fs::canonicalize(folder).ok();
        there.is_some() && there == std::fs::canonicalize(output).ok()
    };
    if folders.iter().any(same) {
        return Err(Failure::Usage(format!(
            "{} is one of the parts: its pictures would be lost",
            output.display()
        )));
    }
    // No file of a part may be overwritten.
    let mut paths = folder::paths(output, []);
    for (folder, part) in &parts {
        for path in part.picture_paths().filter(|path| is_inside(path)) {
            disk.note(&folder.join(path), Role::Input);
            paths.push(output.join(path));
        }
    }
    let junit = outputs.junit_file();
    disk.check(paths.iter().map(PathBuf::as_path).chain(junit))?;
    junit.map_or(Ok(()), |junit| folder::check_junit(output, junit))?;
    folder::clear(disk, output)?;
    outputs.clear_junit(disk)?;
    let report = merge(disk, parts, output)?;
    if report.has_run() {
        report.errors.iter().for_each(|error| messages.warning(error));
    }
    outputs.write(disk, &report, &FrameTimes::default(), false)?;
    finish(&report)
}

/// Returns the report of the whole, with the errors of parts that could not run. Its pictures are copied into a folder.
fn merge(disk: &Disk, parts: Vec<SuitePart>, output: &Path) -> Result<SuiteReport, Failure> {
    let Some((_, first)) = parts.iter().find(|(_, part)| part.has_run()) else {
        let mut none = parts.into_iter().map(|(_, part)| part);
        let nothing = || Failure::Usage("nothing to merge".into());
        return none.next().ok_or_else(nothing);
    };
    let (suite, version, plan) = (first.suite.clone(), first.version.clone(), first.plan.clone());
    let code = worst(parts.iter().flat_map(|(_, part)| codes(part)));

    let mut cases = Vec::new();
    let mut errors = Vec::new();
    for (folder, part) in parts {
        copy_pictures(disk, &part, &folder, output)?;
        cases.extend(part.cases);
        let named = |error| format!("{}: {error}", slashed(&folder));
        errors.extend(part.errors.into_iter().map(named));
    }
    Ok(SuiteReport { version, errors, ..SuiteReport::new(suite, None, plan, code, cases) })
}

/// Returns the exit codes of a part: the one that it states, and those of its contents.
fn codes(part: &SuiteReport) -> impl Iterator<Item = u8> {
    let of_cases =
        part.cases.iter().map(|case| u8::from(case.error.is_some() && part.exit_code == 0));
    let frames = part.cases.iter().flat_map(|case| &case.frames);
    frames.map(|frame| frame.status.code()).chain(of_cases).chain([part.exit_code])
}

fn read(disk: &Disk, folder: &Path) -> Result<SuitePart, Failure> {
    let path = folder.join(folder::JSON);
    let text = Inside(folder).read(disk, folder::JSON, Kind::Text);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    let report = serde_json::from_slice(&text);
    let report = report.map_err(|error| {
        let path = path.display();
        Failure::Rejected(format!("{path} is not a report of this version: {error}"))
    })?;
    Ok((folder.to_owned(), report))
}

/// Checks that these are all parts of one suite, made by one program, each once. A part that could not run does not state its
/// index.
fn make_a_whole(parts: &[SuitePart]) -> Result<(), Failure> {
    let usage = |text: String| Err(Failure::Usage(text));
    let mut seen = BTreeSet::new();
    let mut names = BTreeSet::new();
    let mut total = 0;
    let first = parts.iter().find(|(_, part)| part.has_run());
    let mut without_a_place = 0;
    for (folder, part) in parts {
        let folder = folder.display();
        if let Some((other, first)) = first
            && (first.suite != part.suite || first.version != part.version)
        {
            return usage(format!(
                "{} holds a report of {}, made by pchr-view {}, but {folder} holds one of {}, made by pchr-view {}; merge reports of one suite and version",
                other.display(),
                first.suite,
                first.version,
                part.suite,
                part.version
            ));
        }
        if !part.has_run() {
            without_a_place += 1;
            continue;
        }
        if let Some((other, first)) = first
            && first.plan != part.plan
        {
            return usage(format!(
                "{} and {folder} are parts of different runs: their suites, filters or files differ",
                other.display()
            ));
        }
        let Shard { index, total: of } = part.shard.unwrap_or(Shard { index: 1, total: 1 });
        if total != 0 && total != of {
            return usage(format!("{folder} is one of {of} parts, but the others are of {total}"));
        }
        total = of;
        if !(1..=of).contains(&index) {
            return usage(format!("{folder} says that it is part {index} of {of}"));
        }
        if !seen.insert(index) {
            return usage(format!(
                "part {index} of {of} is given twice, the second time in {folder}"
            ));
        }
        for case in &part.cases {
            if !names.insert(&case.name) {
                return usage(format!(
                    "the case {:?} of {folder} is also in another part",
                    case.name
                ));
            }
        }
    }
    let plan = first.and_then(|(_, first)| first.plan.as_ref());
    if let Some(plan) = plan.filter(|_| seen.len() as u64 == u64::from(total)) {
        let (found, planned) = (names.len(), plan.cases);
        if planned != found as u64 {
            return usage(format!("the parts have {found} cases, but the suite has {planned}"));
        }
        frames_are_all_there(parts, plan.frames)?;
    }
    let missing = (total as usize).saturating_sub(seen.len());
    if missing <= without_a_place {
        return Ok(());
    }
    let absent = (1..=total).filter(|index| !seen.contains(index));
    let named = few(absent, LISTED, missing);
    usage(format!("of the {total} parts, reports are missing for: {named}"))
}

/// Checks that the cases have as many frames as were planned. A case that failed while it was drawn may lack some, but it says so.
fn frames_are_all_there(parts: &[SuitePart], planned: u64) -> Result<(), Failure> {
    let cases = || parts.iter().flat_map(|(_, part)| &part.cases);
    let frames: u64 = cases().map(CaseReport::drawn).sum();
    let has_failed = cases().any(|case| case.error.is_some());
    if frames == planned {
        return Ok(());
    }
    let is_empty =
        |case: &&CaseReport| !case.file.is_empty() && case.error.is_none() && case.drawn() == 0;
    let said = match cases().find(is_empty) {
        Some(case) => format!("; the case {:?} has none", case.name),
        None if has_failed && frames < planned => return Ok(()),
        None => String::new(),
    };
    Err(Failure::Usage(format!(
        "the parts have {frames} frames, but the suite has {planned}{said}"
    )))
}

fn copy_pictures(disk: &Disk, part: &SuiteReport, from: &Path, to: &Path) -> Result<(), Failure> {
    for path in part.picture_paths() {
        if !is_inside(path) {
            let text = format!("{} names a picture outside its folder: {path:?}", from.display());
            return Err(Failure::Rejected(text));
        }
        let png = Inside(from).read(disk, path, Kind::Picture);
        let png = png.with_context(|| format!("cannot read {}", from.join(path).display()))?;
        Inside(to).create(disk, path)?.finish(&png)?;
    }
    Ok(())
}

/// Entry point for fuzzing: parses texts as reports, and makes a whole and a page of them.
#[cfg(fuzzing)]
pub fn fuzz(texts: &[&[u8]]) {
    use super::html;

    let read = |text: &&[u8]| Some((PathBuf::from("part"), serde_json::from_slice(text).ok()?));
    let Some(parts) = texts.iter().map(read).collect::<Option<Vec<SuitePart>>>() else { return };
    let _ = make_a_whole(&parts);
    let code = worst(parts.iter().flat_map(|(_, part)| codes(part)));
    let cases = parts.into_iter().flat_map(|(_, part)| part.cases).collect();
    let mut report = SuiteReport::new("suite.toml".to_owned(), None, None, code, cases);
    let paths = report.picture_paths().filter(|path| is_inside(path));
    for path in paths {
        let mut parts = Path::new(path).components();
        let normal =
            |part: std::path::Component<'_>| matches!(part, std::path::Component::Normal(_));
        assert!(parts.all(normal), "{path:?} stays inside");
    }
    let text = serde_json::to_vec(&report).unwrap_or_default();
    assert_eq!(serde_json::from_slice::<SuiteReport>(&text).ok().as_ref(), Some(&report));
    // No file is opened.
    let frames = report.cases.iter_mut().flat_map(|case| &mut case.frames);
    frames.for_each(|frame| frame.pictures = None);
    let mut page = Vec::new();
    let rendered = html::render(&report, Inside(Path::new("nowhere")), html::BUDGET, &mut page);
    assert!(rendered.is_ok() && !page.is_empty());
    let _ = super::text_and_junit::summary(&report);
}
