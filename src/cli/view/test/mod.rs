//! `pchr-view test`: a suite of captures, held against baselines.
//!
//! ```text
//! suite.toml ─suite─► entries ─cases─► cases ─planned─► what each will draw ─shard─► this run's cases
//!
//! this run's cases ─run─► pictures ─judge─► what became of them ─printer─► text
//!                   │                │                       └────report─► report.json, index.html, JUnit
//!                   └─ source: files └─► baselines, with --update
//! ```

mod args;
mod baseline;
mod cases;
mod command;
mod ignore;
mod init;
mod judge;
mod options;
mod pictures;
mod planned;
mod printer;
mod report;
mod run;
mod schema;
mod shard;
mod source;
mod suite;
mod text;

use std::path::Path;

pub(super) use args::{ReportArgs, TestArgs};
pub(in crate::cli) use baseline::schema as baseline_schema;
pub(in crate::cli) use report::schema as report_schema;
pub(in crate::cli) use schema::suite as suite_schema;

use args::{ReportCommand, SuiteRenderer};
use cases::Case;
use planned::Planned;
use printer::Printer;
use report::{CaseReport, FrameReport, Report, Shard, Status};
use run::{Outcome, Run, Work};
use suite::Suite;

use super::args::AdapterArgs;
use super::capture::progress;
use super::device::{Device, Opened};
use super::values::RendererArg;
use crate::cli::messages::Messages;
use crate::cli::{Failure, input, output, threads};

/// Runs `report`.
pub(super) fn report(args: &ReportArgs) -> Result<(), Failure> {
    match &args.command {
        ReportCommand::Merge(args) => report::merge::run(args),
    }
}

/// Runs `test`.
pub(super) fn run(args: &TestArgs, messages: &Messages) -> Result<(), Failure> {
    if let Some(folder) = &args.init {
        return init::run(folder);
    }
    let Some(path) = &args.suite else {
        return Err(Failure::Usage("a suite is missing".into())); // the command line has asked for it
    };
    if args.update.is_some() && !args.force && is_ci() {
        return Err(Failure::Usage(
            "baselines are not updated in CI (CI is set in the environment): nobody would look at them; --force does it"
                .into(),
        ));
    }
    let stdout_is_taken = args.json || args.junit.as_deref().is_some_and(input::is_stdin);
    if args.json && args.junit.as_deref().is_some_and(input::is_stdin) {
        let text = "--json and --junit - both write to stdout";
        return Err(Failure::Usage(text.into()));
    }
    // From here on, whatever happens, no report of an earlier run is taken for this one's.
    let folder = path.parent().unwrap_or(Path::new(""));
    report::begin(args.report.as_deref(), args.junit.as_deref(), folder)?;
    let suite = Suite::read(path)?;
    let all = cases::expand(&suite, args.renderer.map(SuiteRenderer::name))?;
    let planned = planned::look(&suite, &all)?;
    let shard = shard::chosen(args.shard, args.shard_total, messages)?;
    let wanted = filtered(&all, args.filter.as_deref())?;
    let plan = report::Plan::of(&all, &planned, &wanted, args.filter.as_deref());
    let kept = in_shard(&all, &planned, wanted, shard);
    let cases = || {
        kept.iter()
            .filter_map(|index| Some((*index, all.get(*index)?)))
    };
    if let Some(update) = args.update {
        planned::rehearse(&suite, &planned, &all, update)?;
    }
    let opened = device(args, &suite, cases().map(|(_, case)| case), messages)?;
    let report_folder = args.report.as_deref();
    let of_case = |index: usize| planned.get(index).map_or(&[][..], |planned| &planned.names);
    let frames = cases().map(|(index, _)| of_case(index).len()).sum();
    let bar = progress(frames, messages);
    let printer = Printer::new(kept.len(), !stdout_is_taken, &bar, messages);
    let slot_of = |index: usize| kept.binary_search(&index).unwrap_or_default();
    let on_case = |index: usize, outcome: Outcome| printer.put(slot_of(index), outcome);
    let run = Run {
        suite: &suite,
        report: report_folder,
        update: args.update,
        jobs: threads::count(args.jobs),
        on_frame: &|| bar.inc(1),
        on_case: &on_case,
    };
    let mut on_cpu = Vec::new();
    let mut on_gpu = Vec::new();
    for ((index, case), source) in cases().zip(source::of(cases().map(|(_, case)| case))) {
        if let Some(failure) = planned
            .get(index)
            .and_then(|planned| planned.failure.as_ref())
        {
            on_case(index, Outcome::failed(case, None, failure));
            continue;
        }
        let by_cpu = case.args.renderer == RendererArg::Cpu;
        let queue = if by_cpu { &mut on_cpu } else { &mut on_gpu };
        queue.push(Work {
            index,
            case,
            source,
        });
    }
    match &opened {
        #[cfg(feature = "render")]
        Some(drawing @ Opened::Gpu(gpu)) => run::on_gpu(&run, &on_gpu, gpu, &drawing.drawn_by()),
        _ => {
            for Work { index, case, .. } in on_gpu {
                on_case(index, skipped_case(case, of_case(index)));
            }
        }
    }
    run::on_cpu(&run, &on_cpu);
    bar.finish_and_clear();

    let kept_cases: Vec<&Case> = cases().map(|(_, case)| case).collect();
    let (reports, codes) = printer.into_cases(&kept_cases);
    let code = report::worst(codes);
    let report = Report::new(suite.name(), shard, Some(plan), code, reports);
    let written = report_folder.map_or(Ok(()), |folder| report::write(&report, folder));
    if let Some(path) = &args.junit {
        report::write_junit(&report, path)?;
    }
    if args.json {
        report::print(&report)?;
    } else if !stdout_is_taken && !messages.is_quiet() {
        output::write_stdout(text::summary(&report).as_bytes())?;
    }
    written?;
    finish(&report)
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
        ..
    } = report.summary;
    let of = |count: u64, one: &str, more: &str| match (count, frames) {
        (_, 1) => format!("the frame {one}"),
        (1, _) => format!("1 of {frames} frames {one}"),
        _ => format!("{count} of {frames} frames {more}"),
    };
    match report.exit_code {
        0 => Ok(()),
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

fn is_ci() -> bool {
    let ci = std::env::var("CI").unwrap_or_default();
    !matches!(
        ci.to_lowercase().as_str(),
        "" | "0" | "false" | "no" | "off"
    )
}

/// The indices of the cases with a text in their names, in order.
fn filtered(cases: &[Case], filter: Option<&str>) -> Result<Vec<usize>, Failure> {
    let wanted = |case: &Case| filter.is_none_or(|text| case.name.contains(text));
    let kept = (0..).zip(cases).filter(|(_, case)| wanted(case));
    let kept: Vec<usize> = kept.map(|(index, _)| index).collect();
    if let Some(text) = filter.filter(|_| kept.is_empty()) {
        let names = cases.iter().map(|case| format!("{:?}", case.name));
        let names: Vec<_> = names.take(40).collect();
        return Err(Failure::Usage(format!(
            "no case has {text:?} in its name; there are {}",
            names.join(", ")
        )));
    }
    Ok(kept)
}

/// Of these cases those that are in a part of the suite, in order.
fn in_shard(
    cases: &[Case],
    planned: &[Planned],
    mut kept: Vec<usize>,
    shard: Option<Shard>,
) -> Vec<usize> {
    if let Some(Shard { index, total }) = shard {
        let frames = |case: &usize| planned.get(*case).map_or(0, |plan| plan.names.len() as u64);
        let frames: Vec<u64> = kept.iter().map(frames).collect();
        let names = kept.iter().filter_map(|case| cases.get(*case));
        let names: Vec<&str> = names.map(|case| case.name.as_str()).collect();
        let mut parts = shard::split(&frames, &names, total).into_iter();
        kept.retain(|_| parts.next() == Some(index - 1));
    }
    kept
}

/// Opens the adapter, if a case needs one. `None` is what `--allow-skip` makes of one that is not there.
fn device<'a>(
    args: &TestArgs,
    suite: &Suite,
    mut cases: impl Iterator<Item = &'a Case>,
    messages: &Messages,
) -> Result<Option<Opened>, Failure> {
    if cases.all(|case| case.args.renderer == RendererArg::Cpu) {
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

/// Whether the backend has an adapter, but not of the name that was asked for: a misspelt name is no reason to skip.
fn is_another(wanted: &AdapterArgs, messages: &Messages) -> bool {
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
        name: judge::slashed(&Path::new(path).with_extension("")),
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
            error: None,
            frames: names.iter().map(skipped).collect(),
        },
        code: 0,
    }
}
