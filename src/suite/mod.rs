//! `pchr-view test`: a suite of captures, held against baselines.
//!
//! ```text
//! suite.toml ─suite─► entries ─cases─► cases ─planned─► pictures of each ─selection─► items of this run
//!                                                         └─unused─► baselines that are left over ─┘
//!
//! items of this run ─run─► pictures ─judge─► results ─printer─► text
//!                   │                │               └──report─► report.json, index.html, JUnit
//!                   └─ source: files └─► baselines, with --update
//! ```
//!
//! A case that cannot be drawn is an error of its own, and all others run. Only a suite that cannot be understood ends the
//! run at once, with a report that says so.

mod args;
mod baseline;
mod cases;
mod command;
mod file;
mod first_frames;
mod fnv;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzz;
mod ignore;
mod init;
mod judge;
mod lock;
mod options;
mod outputs;
mod pictures;
mod planned;
mod printer;
mod record_file;
mod report;
mod run;
mod schema;
mod selection;
mod shard;
mod source;
mod text;
mod times;
mod unused;
mod written;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

pub(crate) use args::{ReportArgs, TestArgs};
pub(crate) use baseline::schema as baseline_schema;
pub(crate) use report::schema as report_schema;
pub(crate) use schema::suite as suite_schema;

use args::{ReportCommand, SuiteRenderer, Update};
use cases::Case;
use file::Suite;
use printer::Printer;
use report::{CaseReport, FrameReport, Report, Shard, Status};
use run::{Outcome, Run, Work};
use selection::Item;
use times::Times;
use unused::Unused;

use crate::run::device::{Device, Opened};
use crate::run::messages::Messages;
use crate::run::progress::progress;
use crate::run::{Disk, Failure, input, output, threads};
use crate::text::words;
use crate::view::{AdapterArgs, RendererArg};

/// Runs `report`.
pub(crate) fn report(args: &ReportArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    match &args.command {
        ReportCommand::Merge(args) => report::merge::run(args, messages, disk),
    }
}

/// Runs `test`.
pub(crate) fn run(args: &TestArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let path = args.suite.as_path();
    if let Some(which) = args.init {
        return init::run(path, which, messages, disk);
    }
    let changes = [(args.update.is_some(), "updated"), (args.prune, "removed")];
    if let Some((_, done)) = changes.iter().find(|(wanted, _)| *wanted)
        && !args.force
        && is_ci()
    {
        return Err(Failure::Usage(format!(
            "baselines are not {done} in CI (CI is set in the environment): nobody would look at them; --force does it"
        )));
    }
    if args.json && args.junit.as_deref().is_some_and(input::is_stdin) {
        let text = "--json and --junit - both write to stdout";
        return Err(Failure::Usage(text.into()));
    }
    let shard = shard::chosen(args.shard, args.shard_total, messages)?;
    let suite = Suite::read(disk, path);
    if let Err(failure) = &suite
        && !matches!(failure, Failure::Suite(_))
    {
        return suite.map(drop); // there is no suite
    }
    let failed = if args.last_failed {
        report::failed(args.report.as_deref(), &file::name(path), messages)
    } else {
        None
    };
    let baselines = match &suite {
        Ok(suite) => suite.baselines(),
        Err(_) => path.with_file_name(baseline::FOLDER),
    };
    if let Some(folder) = &args.report {
        report::check(folder, &baselines)?;
    }
    outputs::check_reports(args, disk, [])?;
    let changes = args.update.is_some() || args.prune;
    let lock = changes.then(|| lock::take(path, messages));
    let times = Times::default();
    let asked = Asked {
        shard,
        failed: failed.as_ref(),
    };
    let performed = suite.and_then(|suite| perform(args, &suite, asked, &times, messages));
    drop(lock);
    if let Err(Failure::Overwrites(_)) = &performed {
        return performed.map(drop); // nothing was written, and nothing will be
    }
    if let (Err(_), Some(folder)) = (&performed, &args.report) {
        report::clear(disk, folder)?;
    }
    let refused = |failure: &Failure| Report::of_failure(file::name(path), failure);
    let report = performed.as_ref().map_or_else(refused, Report::clone);
    tell(
        disk,
        &report,
        &times,
        args.report.as_deref(),
        args.junit.as_deref(),
        args.json,
        messages.is_quiet(),
    )?;
    performed.and_then(|report| finish(&report))
}

/// The part of a suite that is run.
struct Asked<'a> {
    shard: Option<Shard>,
    /// Names of cases, with `--last-failed`.
    failed: Option<&'a BTreeSet<String>>,
}

/// Runs the cases of a suite that the command line asks for.
///
/// # Errors
/// [`Failure::Suite`], [`Failure::Usage`] and [`Failure::NoAdapter`] if nothing could be run.
fn perform(
    args: &TestArgs,
    suite: &Suite,
    Asked { shard, failed }: Asked<'_>,
    times: &Times,
    messages: &Messages,
) -> Result<Report, Failure> {
    let cases = cases::expand(suite, args.renderer.map(SuiteRenderer::name), messages)?;
    let planned = planned::look(suite, &cases);
    outputs::check(args, suite, &cases, &planned)?;
    let unused = Unused::find(suite, &cases, &planned);
    let mut items = selection::items(&cases, &planned, &unused);
    if let Some(text) = args.filter.as_deref() {
        selection::filter(&mut items, text)?;
    }
    if !args.case.is_empty() {
        selection::keep_named(&mut items, &args.case)?;
    }
    if let Some(failed) = failed {
        selection::keep_failed(&mut items, failed, messages);
    }
    let plan = report::Plan::of(&items, args.filter.as_deref());
    if let Some(shard) = shard {
        selection::keep_part(&mut items, shard);
    }
    let opened = device(
        args,
        suite,
        items.iter().filter_map(|item| item.case),
        messages,
    )?;
    // From here on there is a result, and no report of an earlier run is taken for it.
    if let Some(folder) = &args.report {
        report::clear(&suite.disk, folder)?;
    }
    if args.update.is_some() || args.prune {
        let left = unused::sweep(suite, &cases);
        if left > 0 {
            let files = words::count(left as u64, "temporary file", "temporary files");
            messages.note(&format!("removed {files} of runs that were killed"));
        }
    }
    let bar = progress(items.iter().map(Item::frames).sum(), messages);
    let stdout_is_taken = args.json || args.junit.as_deref().is_some_and(input::is_stdin);
    let printer = Printer::new(items.len(), !stdout_is_taken, &bar, messages);
    let prune = args.prune || args.update == Some(Update::All);
    let exact = Mutex::new(Vec::new());
    let on_case = |slot: usize, mut outcome: Outcome| {
        let is_error = outcome.report.error.is_some();
        let unused = items
            .get(slot)
            .map(|item| unused::results(suite, item, prune, is_error));
        outcome.report.frames.extend(unused.into_iter().flatten());
        if outcome.is_exact {
            exact
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(slot);
        }
        printer.put(slot, outcome);
    };
    let run = Run {
        suite,
        report: args.report.as_deref(),
        update: args.update,
        jobs: threads::count(args.jobs).min(files_at_once(&items)),
        times,
        on_frame: &|| bar.inc(1),
        on_case: &on_case,
    };
    let mut on_cpu = Vec::new();
    let mut on_gpu = Vec::new();
    let sources = source::of(&suite.disk, items.iter().filter_map(Item::drawn));
    let mut sources = sources.into_iter();
    for (index, item) in items.iter().enumerate() {
        match (item.case, item.failure) {
            (None, _) => on_case(index, Outcome::of_no_case(item.name)),
            (Some(case), Some(failure)) => on_case(index, Outcome::failed(case, None, failure)),
            (Some(case), None) => {
                let Some(source) = sources.next() else {
                    continue; // there is one for each
                };
                let by_cpu = case.view.renderer == RendererArg::Cpu;
                let queue = if by_cpu { &mut on_cpu } else { &mut on_gpu };
                queue.push(Work {
                    index,
                    case,
                    source,
                });
            }
        }
    }
    match &opened {
        #[cfg(feature = "render")]
        Some(drawing @ Opened::Gpu(..)) => run::on_gpu(&run, &on_gpu, drawing),
        _ => {
            for Work { index, case, .. } in on_gpu {
                let names = items.get(index).map_or(&[][..], |item| item.names);
                on_case(index, skipped_case(case, names));
            }
        }
    }
    #[cfg(feature = "render")]
    drop(opened); // the adapter goes while it is still watched
    run::on_cpu(&run, &on_cpu);
    bar.finish_and_clear();
    let exact = exact.into_inner().unwrap_or_else(PoisonError::into_inner);
    let exact = exact.into_iter().filter_map(|slot| items.get(slot)?.case);
    warn_of_limits(suite, &items, &exact.collect::<Vec<_>>(), messages);
    let (reports, codes) = printer.into_cases(&items);
    let code = report::worst(codes);
    Ok(Report::new(suite.name(), shard, Some(plan), code, reports))
}

/// Bytes that the images of files that are drawn at the same time take, about.
const IMAGES_AT_ONCE: u64 = 4 << 30;

/// Files that may be drawn at the same time, at least 1: each thread may have one of its own.
fn files_at_once(items: &[Item<'_>]) -> usize {
    let largest = items.iter().map(|item| item.image_bytes).max();
    let most = IMAGES_AT_ONCE / largest.unwrap_or(0).max(1);
    usize::try_from(most).unwrap_or(usize::MAX).max(1)
}

/// Says of limits that they were not applied, once for the suite's and once for those of each case. `exact` are the cases
/// whose pictures were compared exactly.
fn warn_of_limits(suite: &Suite, items: &[Item<'_>], exact: &[&Case], messages: &Messages) {
    const WHY: &str =
        "not applied, pictures of the CPU renderer have to be equal (exact = false applies it)";
    let mut own: Vec<_> = exact.iter().filter(|case| case.tolerates).collect();
    own.sort_by_key(|case| case.line);
    for case in own {
        let text = format!("the tolerance of {:?} is {WHY}", case.name);
        messages.warning(&suite.place(case.line, &text));
    }
    let of_suite = |case: &Case| !case.tolerates;
    let drawn = items
        .iter()
        .filter_map(Item::drawn)
        .filter(|case| of_suite(case))
        .count();
    let compared = exact.iter().filter(|case| of_suite(case)).count();
    if suite.defaults.limits.tolerates() && drawn > 0 && drawn == compared {
        messages.warning(&format!(
            "{}: the tolerance of [defaults] is {WHY}",
            suite.name()
        ));
    }
}

/// Writes a report to wherever it is asked for, and its last line to stdout.
///
/// # Errors
/// [`Failure::Running`] if one of them cannot be written; the others are.
fn tell(
    disk: &Disk,
    report: &Report,
    times: &Times,
    folder: Option<&Path>,
    junit: Option<&Path>,
    json: bool,
    quiet: bool,
) -> Result<(), Failure> {
    let written = folder.map_or(Ok(()), |folder| report::write(disk, report, folder));
    if let Some(path) = junit {
        report::write_junit(disk, report, times, path, folder)?;
    }
    let has_run = report.has_run();
    if json {
        report::print(report)?;
    } else if has_run && !quiet && !junit.is_some_and(input::is_stdin) {
        output::write_stdout(text::summary(report).as_bytes())?;
    }
    Ok(written?)
}

/// Ends as the report says.
///
/// # Errors
/// What is wrong, in the order in which it matters.
fn finish(report: &Report) -> Result<(), Failure> {
    let report::Summary {
        frames,
        failed,
        missing,
        errors,
        unused,
        ..
    } = report.summary;
    let is_refused = errors + unused == 0 && !matches!(report.exit_code, 3 | 6);
    if !report.errors.is_empty() && (is_refused || !report.has_run()) {
        return Err(refusal(report));
    }
    let of = |count: u64, one: &str, more: &str| match (count, frames) {
        (_, 1) => format!("the frame {one}"),
        (1, _) => format!("1 of {frames} frames {one}"),
        _ => format!("{count} of {frames} frames {more}"),
    };
    match report.exit_code {
        0 => Ok(()),
        2 if errors > 0 => {
            let words = "could not be drawn: the suite asks for what is not there";
            Err(Failure::Usage(of(errors, words, words)))
        }
        2 => Err(Failure::Usage(match unused {
            1 => "1 baseline is unused; --prune removes it".to_owned(),
            unused => format!("{unused} baselines are unused; --prune removes them"),
        })),
        3 => Err(Failure::Differ(of(
            failed,
            "differs from its baseline",
            "differ from their baselines",
        ))),
        4 => {
            let words = "could not be drawn: a file is invalid";
            Err(Failure::Rejected(of(errors, words, words)))
        }
        6 => Err(Failure::BaselineMissing(of(
            missing,
            "has no baseline; --update makes it",
            "have no baseline; --update makes them",
        ))),
        _ => {
            let words = "could not be drawn or compared";
            let text = of(errors, words, words);
            Err(Failure::Running(anyhow::Error::msg(text)))
        }
    }
}

/// Reason why nothing was run.
fn refusal(report: &Report) -> Failure {
    let text = report.errors.join("\n");
    match report.exit_code {
        2 => Failure::Suite(report.errors.clone()),
        4 => Failure::Rejected(text),
        5 => Failure::NoAdapter(text),
        _ => Failure::Running(anyhow::Error::msg(text)),
    }
}

fn is_ci() -> bool {
    let ci = std::env::var("CI").unwrap_or_default();
    !matches!(
        ci.to_lowercase().as_str(),
        "" | "0" | "false" | "no" | "off"
    )
}

/// Opens the adapter, if a case needs one. `None` is what `--allow-skip` makes of one that is not there.
fn device<'a>(
    args: &TestArgs,
    suite: &Suite,
    mut cases: impl Iterator<Item = &'a Case>,
    messages: &Messages,
) -> Result<Option<Opened>, Failure> {
    if cases.all(|case| case.view.renderer == RendererArg::Cpu) {
        if args.adapter.asked() {
            messages.warning(
                "the CPU renderer uses no adapter: --backend and --adapter change nothing",
            );
        }
        return Ok(Some(Opened::Cpu));
    }
    let mut wanted = args.adapter.clone();
    let said = |key: &str| suite.defaults.options.text(key).map(str::to_owned);
    wanted.backend = wanted.backend.or_else(|| said("backend"));
    wanted.adapter = wanted.adapter.or_else(|| said("adapter"));
    match Device::start(RendererArg::Gpu, &wanted).and_then(|device| device.open(None, messages)) {
        Err(Failure::NoAdapter(why)) if args.allow_skip && !is_another(&wanted, messages) => {
            messages.warning(&format!("{why}; what needs one is skipped"));
            Ok(None)
        }
        opened => opened.map(Some),
    }
}

/// Returns whether the backend is one of another system, or has adapters of other names: a mistake is no reason to skip.
fn is_another(wanted: &AdapterArgs, messages: &Messages) -> bool {
    #[cfg(feature = "render")]
    if let Ok(options) = wanted.gpu_options()
        && options.backend.is_some_and(|backend| !backend.is_built())
    {
        return true;
    }
    let of_any_name = AdapterArgs {
        adapter: None,
        ..wanted.clone()
    };
    wanted.adapter.is_some()
        && Device::start(RendererArg::Gpu, &of_any_name)
            .and_then(|device| device.open(None, messages))
            .is_ok()
}

fn skipped_case(case: &Case, names: &[String]) -> Outcome {
    let skipped = |path: &String| FrameReport {
        name: judge::frame_name(Path::new(path)),
        animation: None,
        frame: None,
        status: Status::Skipped,
        message: "there is no graphics adapter".to_owned(),
        command: None,
        difference: None,
        pictures: None,
    };
    Outcome {
        report: CaseReport {
            name: case.name.clone(),
            file: case.file.clone(),
            drawn_by: None,
            notes: Vec::new(),
            baseline_versions: Vec::new(),
            error: None,
            frames: names.iter().map(skipped).collect(),
        },
        code: 0,
        is_exact: false,
    }
}
