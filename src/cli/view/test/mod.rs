//! `pchr-view test`: a suite of captures, held against baselines.
//!
//! ```text
//! suite.toml ─suite─► entries ─cases─► cases ─shard─► this run's ─run─► pictures ─judge─► report ─► text, JSON, HTML, JUnit
//!                      options │         │ source                          │
//!                     (capture's own)    └► the files, each read once      └► baselines, with --update
//! ```

mod args;
mod baseline;
mod cases;
mod command;
mod init;
mod judge;
mod options;
mod pictures;
mod report;
mod run;
mod schema;
mod shard;
mod source;
mod suite;
mod text;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub(super) use args::{ReportArgs, TestArgs};
pub(in crate::cli) use baseline::schema as baseline_schema;
pub(in crate::cli) use report::schema as report_schema;
pub(in crate::cli) use schema::suite as suite_schema;

use args::{ReportCommand, SuiteRenderer};
use cases::Case;
use report::{CaseReport, FrameReport, Report, Shard, Status};
use run::{Outcome, Run, Work};
use source::Source;
use suite::{Problems, Suite};

use super::capture::{jobs, progress};
use super::device::{Device, Opened};
use super::plan::Plan;
use super::prepare::Parts;
use super::values::RendererArg;
use crate::cli::messages::Messages;
use crate::cli::{Failure, output};
use crate::document::Document;

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
    let suite = Suite::read(path)?;
    let all = cases::expand(&suite, args.renderer.map(SuiteRenderer::name))?;
    let chosen: Vec<&Case> = all.iter().collect();
    let sources = source::read(&chosen);
    let planned = planned(&suite, &all, &sources)?;
    if args.update.is_some() {
        none_failed_to_load(&sources)?;
    }

    let shard = shard::chosen(args.shard, args.shard_total, messages)?;
    let kept = selected(&all, &planned, args.filter.as_deref(), shard)?;
    let is_kept = |index: &usize| kept.binary_search(index).is_ok(); // it is sorted
    let skipped: Vec<&Arc<Source>> = sources
        .iter()
        .enumerate()
        .filter(|(index, _)| !is_kept(index))
        .filter_map(|(_, source)| source.as_ref().ok())
        .collect();
    skipped.into_iter().for_each(|source| source.release());

    let opened = device(
        args,
        &suite,
        kept.iter().filter_map(|index| all.get(*index)),
        messages,
    )?;
    let report_folder = args.report.as_deref();
    if let Some(folder) = report_folder {
        pictures::clear(folder)?;
    }
    let frames: usize = kept
        .iter()
        .filter_map(|index| planned.get(*index))
        .map(Vec::len)
        .sum();
    let bar = progress(frames, messages);
    let printer = Printer::new(
        kept.len(),
        !args.json && !messages.is_quiet(),
        &bar,
        messages,
    );
    let slot_of = |index: usize| kept.binary_search(&index).unwrap_or_default();
    let on_case = |index: usize, outcome: Outcome| printer.put(slot_of(index), outcome);
    let run = Run {
        suite: &suite,
        report: report_folder,
        update: args.update,
        jobs: jobs(args.jobs),
        on_frame: &|| bar.inc(1),
        on_case: &on_case,
    };
    let mut on_cpu = Vec::new();
    let mut on_gpu = Vec::new();
    for index in kept.iter().copied() {
        let (Some(case), Some(source)) = (all.get(index), sources.get(index)) else {
            continue;
        };
        match source {
            Ok(source) => {
                let source = source.clone();
                let queue = if case.args.renderer == RendererArg::Cpu {
                    &mut on_cpu
                } else {
                    &mut on_gpu
                };
                queue.push(Work {
                    index,
                    case,
                    source,
                });
            }
            Err(failure) => on_case(index, Outcome::failed(case, None, failure)),
        }
    }
    match &opened {
        #[cfg(feature = "render")]
        Some(drawing @ Opened::Gpu(gpu)) => run::on_gpu(&run, &on_gpu, gpu, &drawing.drawn_by()),
        _ => {
            for Work { index, case, .. } in on_gpu {
                let names = planned.get(index).map(Vec::as_slice).unwrap_or_default();
                on_case(index, skipped_case(case, names));
            }
        }
    }
    run::on_cpu(&run, &on_cpu);
    bar.finish_and_clear();

    let (cases, codes) = printer.into_cases();
    let code = report::worst(codes);
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned();
    let report = Report::new(name, shard, code, cases);
    if let Some(folder) = report_folder {
        report::write(&report, folder)?;
    }
    if let Some(path) = &args.junit {
        report::write_junit(&report, path)?;
    }
    if args.json {
        report::print(&report)?;
    } else {
        output::write_stdout(text::summary(&report).as_bytes())?;
    }
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
    !matches!(ci.as_str(), "" | "0" | "false" | "FALSE" | "False")
}

/// The baselines of each case, by their paths from its folder; none for a file that cannot be read.
///
/// # Errors
/// [`Failure::Suite`] for what a file does not have, and for baselines that no case uses.
fn planned(
    suite: &Suite,
    cases: &[Case],
    sources: &[Result<Arc<Source>, Arc<Failure>>],
) -> Result<Vec<Vec<String>>, Failure> {
    let mut problems = Problems::new(&suite.path);
    let mut planned = Vec::with_capacity(cases.len());
    let mut used = BTreeSet::new();
    let mut unread = Vec::new();
    for (case, source) in cases.iter().zip(sources) {
        let names = match source {
            Ok(source) => names(case, source.document()).unwrap_or_else(|failure| {
                problems.add(case.line, format!("{}: {failure}", case.name));
                Vec::new()
            }),
            Err(_) => {
                unread.push(format!("baselines/{}/", case.name));
                Vec::new()
            }
        };
        used.insert(baseline::record_path(&case.name));
        used.extend(names.iter().map(|name| format!("{}/{name}", case.name)));
        planned.push(names);
    }
    for path in baseline::unused(&suite.folder, &used)? {
        // Which ones a file that cannot be read would have used is not known.
        if !unread
            .iter()
            .any(|folder| path.starts_with(folder.as_str()))
        {
            problems.add(
                0,
                format!("no case uses {path}; remove it, or the case that is missing is"),
            );
        }
    }
    problems.into_result()?;
    Ok(planned)
}

fn names(case: &Case, document: &Document) -> Result<Vec<String>, Failure> {
    let parts = Parts::new(&case.args, document)?;
    let target = Plan::target(&case.args, document, &parts.bind)?;
    Ok(run::names(&target))
}

/// An update that cannot see all files would leave the baselines half old, half new.
fn none_failed_to_load(sources: &[Result<Arc<Source>, Arc<Failure>>]) -> Result<(), Failure> {
    for source in sources {
        let failure = match source {
            Ok(source) => source.images().err().map(Arc::new),
            Err(failure) => Some(failure.clone()),
        };
        if let Some(failure) = failure {
            let text = format!("{failure}; no baseline was updated");
            return Err(match failure.code() {
                4 => Failure::Rejected(text),
                _ => Failure::Running(anyhow::Error::msg(text)),
            });
        }
    }
    Ok(())
}

/// The indices of the cases that this run has, in order.
fn selected(
    cases: &[Case],
    planned: &[Vec<String>],
    filter: Option<&str>,
    shard: Option<Shard>,
) -> Result<Vec<usize>, Failure> {
    let wanted = |case: &Case| filter.is_none_or(|text| case.name.contains(text));
    let mut kept: Vec<usize> = (0..)
        .zip(cases)
        .filter(|(_, case)| wanted(case))
        .map(|(index, _)| index)
        .collect();
    if let Some(text) = filter.filter(|_| kept.is_empty()) {
        let names: Vec<_> = cases
            .iter()
            .map(|case| format!("{:?}", case.name))
            .take(40)
            .collect();
        return Err(Failure::Usage(format!(
            "no case has {text:?} in its name; there are {}",
            names.join(", ")
        )));
    }
    if let Some(Shard { index, total }) = shard {
        let frames = |case: &usize| planned.get(*case).map_or(0, |names| names.len() as u64);
        let frames: Vec<u64> = kept.iter().map(frames).collect();
        let names: Vec<&str> = kept
            .iter()
            .filter_map(|case| cases.get(*case))
            .map(|case| case.name.as_str())
            .collect();
        let mut parts = shard::split(&frames, &names, total).into_iter();
        kept.retain(|_| parts.next() == Some(index - 1));
    }
    Ok(kept)
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
    match Device::start(RendererArg::Gpu, &wanted).and_then(|device| device.open(messages)) {
        Err(Failure::NoAdapter(why)) if args.allow_skip => {
            messages.warning(&format!("{why}; what needs one is skipped"));
            Ok(None)
        }
        opened => opened.map(Some),
    }
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

/// Collects what became of the cases, and tells of them in their order as soon as that is possible.
struct Printer<'a> {
    state: Mutex<Printed>,
    prints: bool,
    bar: &'a indicatif::ProgressBar,
    messages: &'a Messages,
}

struct Printed {
    done: Vec<Option<Outcome>>,
    /// Cases that have been told of.
    told: usize,
}

impl<'a> Printer<'a> {
    fn new(
        cases: usize,
        prints: bool,
        bar: &'a indicatif::ProgressBar,
        messages: &'a Messages,
    ) -> Self {
        let done = (0..cases).map(|_| None).collect();
        Self {
            state: Mutex::new(Printed { done, told: 0 }),
            prints,
            bar,
            messages,
        }
    }

    fn put(&self, slot: usize, outcome: Outcome) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(done) = state.done.get_mut(slot) {
            *done = Some(outcome);
        }
        while let Some(Some(Outcome { report, .. })) = state.done.get(state.told) {
            // On a terminal the bar says how far it is: only what is to be looked at stays.
            let told = self.bar.is_hidden() || !text::is_fine(report) || self.messages.is_verbose();
            if self.prints && told {
                let text = text::case(report, self.messages.is_verbose());
                // A reader that has gone is no failure of the suite's.
                self.bar
                    .suspend(|| drop(output::write_stdout(text.as_bytes())));
            }
            state.told += 1;
        }
    }

    fn into_cases(self) -> (Vec<CaseReport>, Vec<u8>) {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let outcomes = state.done.into_iter().flatten();
        let code = |outcome: &Outcome| {
            let of_frames = outcome
                .report
                .frames
                .iter()
                .map(|frame| match frame.status {
                    Status::Passed | Status::Updated | Status::Skipped => 0,
                    Status::Failed => 3,
                    Status::Missing => 6,
                    Status::Error => 1,
                });
            report::worst(of_frames.chain([outcome.code]))
        };
        outcomes
            .map(|outcome| {
                let code = code(&outcome);
                (outcome.report, code)
            })
            .unzip()
    }
}
