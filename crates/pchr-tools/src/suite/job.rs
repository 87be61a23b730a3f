//! A run of a suite.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use clap::ValueEnum;

use super::baseline::{self, Update};
use super::cases::{self, Case};
use super::ending::finish;
use super::file::{self, Limits, Suite};
use super::item::Item;
use super::outcome::Outcome;
use super::outputs::Outputs;
use super::planned::Planned;
use super::printer::Printer;
use super::report;
use super::results::{self, CaseReport, Report, Shard};
use super::run::{self, Run, Work};
use super::selection::{self, Selection};
use super::times::Times;
use super::unused::{self, Unused};
use super::{adapter, lock, planned, shard, source};
use crate::run::device::ReadyDevice;
use crate::run::messages::Messages;
use crate::run::progress::progress;
use crate::run::{Disk, Failure, threads};
use crate::text::words;
use crate::view::{AdapterArgs, RendererArg};

/// A run of a suite: draws and judges its cases, and writes reports.
#[derive(Debug)]
pub(crate) struct TestJob {
    /// The suite's file.
    pub(crate) suite: PathBuf,
    /// Baselines to write.
    pub(crate) update: Option<Update>,
    /// True to remove unused baselines.
    pub(crate) prune: bool,
    /// True to allow changes of baselines in CI.
    pub(crate) force: bool,
    pub(crate) selection: Selection,
    pub(crate) outputs: Outputs,
    /// Renderer that overrides the suite's.
    pub(crate) renderer: Option<SuiteRenderer>,
    /// Graphics adapter that draws.
    pub(crate) adapter: AdapterArgs,
    /// True to skip cases that need an adapter if there is none.
    pub(crate) allow_skip: bool,
    /// Threads that draw and compare; `None` uses all cores.
    pub(crate) jobs: Option<u16>,
}

/// Renderer of a suite. There is no automatic choice: a baseline belongs to one renderer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SuiteRenderer {
    /// The built-in renderer, whose pixels are the same on every machine.
    Cpu,
    /// A graphics adapter.
    Gpu,
}

impl SuiteRenderer {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

/// The part of a suite that is run.
struct Asked<'a> {
    shard: Option<Shard>,
    /// Names of failed cases, with `--last-failed`.
    failed: Option<&'a BTreeSet<String>>,
}

impl TestJob {
    /// Runs the suite.
    ///
    /// # Errors
    /// [`Failure`] for an invalid suite, and for every result except pictures that match their baselines.
    pub(crate) fn run(&self, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
        let path = self.suite.as_path();
        self.check_ci()?;
        self.outputs.check_stdout()?;
        let shard = shard::chosen(self.selection.shard, self.selection.shard_total, messages)?;
        let suite = Suite::read(disk, path);
        if let Err(failure) = &suite
            && !matches!(failure, Failure::Suite(_))
        {
            return suite.map(drop); // there is no suite
        }
        let folder = self.outputs.report.as_deref();
        let failed = if self.selection.last_failed {
            report::failed(folder, &file::name(path), messages)
        } else {
            None
        };
        let baselines = match &suite {
            Ok(suite) => suite.baselines(),
            Err(_) => path.with_file_name(baseline::FOLDER),
        };
        if let Some(folder) = folder {
            report::check(folder, &baselines)?;
        }
        self.outputs.check(disk, [])?;
        let lock = self.changes().then(|| lock::take(path, messages));
        let times = Times::default();
        let asked = Asked {
            shard,
            failed: failed.as_ref(),
        };
        let performed = suite.and_then(|suite| self.perform(&suite, asked, &times, messages));
        drop(lock);
        if let Err(Failure::Overwrites(_)) = &performed {
            return performed.map(drop); // nothing was written, and nothing will be
        }
        if let (Err(_), Some(folder)) = (&performed, folder) {
            report::clear(disk, folder)?;
        }
        self.outputs.clear_junit(disk)?;
        let refused = |failure: &Failure| Report::of_failure(file::name(path), failure);
        let report = performed.as_ref().map_or_else(refused, Report::clone);
        self.outputs
            .write(disk, &report, &times, messages.is_quiet())?;
        performed.and_then(|report| finish(&report))
    }

    /// Returns true if baselines may be written or removed.
    fn changes(&self) -> bool {
        self.update.is_some() || self.prune
    }

    fn check_ci(&self) -> Result<(), Failure> {
        let changes = [(self.update.is_some(), "updated"), (self.prune, "removed")];
        if let Some((_, done)) = changes.iter().find(|(wanted, _)| *wanted)
            && !self.force
            && is_ci()
        {
            return Err(Failure::Usage(format!(
                "baselines are not {done} in CI (CI is set in the environment), where nobody would review them; allow it with --force"
            )));
        }
        Ok(())
    }

    /// Runs the selected cases.
    ///
    /// # Errors
    /// [`Failure::Suite`], [`Failure::Usage`] and [`Failure::NoAdapter`] if nothing could be run.
    fn perform(
        &self,
        suite: &Suite,
        Asked { shard, failed }: Asked<'_>,
        times: &Times,
        messages: &Messages,
    ) -> Result<Report, Failure> {
        let cases = cases::expand(suite, self.renderer.map(SuiteRenderer::name), messages)?;
        let planned = planned::look(suite, &cases);
        let updates = self.update.is_some();
        self.outputs.check_suite(suite, &cases, &planned, updates)?;
        let mut errors = Vec::new();
        // The baselines of files that could not be read are not unused.
        let unused = if planned.iter().any(Planned::is_unread) {
            messages.note(
                "unused baselines are not looked for, because a folder or file could not be read",
            );
            Unused::default()
        } else {
            Unused::find(suite, &cases, &planned).unwrap_or_else(|failure| {
                messages.note(&format!("unused baselines are not looked for: {failure}"));
                errors.push(failure);
                Unused::default()
            })
        };
        let mut items = selection::items(&cases, &planned, &unused);
        self.selection.keep(&mut items, failed, messages)?;
        let plan = results::Plan::of(&items, self.selection.filter.as_deref());
        if let Some(shard) = shard {
            selection::keep_part(&mut items, shard);
        }
        let wanted = items.iter().filter_map(|item| item.case);
        let opened = adapter::open((&self.adapter, self.allow_skip), suite, wanted, messages)?;
        // From here on there will be a result, so the report of an earlier run must not be mistaken for it.
        if let Some(folder) = &self.outputs.report {
            report::clear(&suite.disk, folder)?;
        }
        self.outputs.clear_junit(&suite.disk)?;
        if self.changes() {
            let left = unused::sweep(suite, &cases);
            if left > 0 {
                let files = words::count(left as u64, "temporary file", "temporary files");
                messages.note(&format!("removed {files} left by killed runs"));
            }
        }
        let (reports, codes) = self.draw(suite, &items, opened, times, messages);
        let code = results::worst(codes.into_iter().chain(errors.iter().map(Failure::code)));
        Ok(Report {
            errors: errors.iter().map(Failure::to_string).collect(),
            ..Report::new(suite.name(), shard, Some(plan), code, reports)
        })
    }

    /// Draws and judges cases. Returns their outcomes, and the resulting exit codes.
    fn draw(
        &self,
        suite: &Suite,
        items: &[Item<'_>],
        opened: Option<ReadyDevice>,
        times: &Times,
        messages: &Messages,
    ) -> (Vec<CaseReport>, Vec<u8>) {
        let bar = progress(items.iter().map(Item::frames).sum(), messages);
        let printer = Printer::new(items.len(), !self.outputs.take_stdout(), &bar, messages);
        let prune = self.prune || self.update == Some(Update::All);
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
            report: self.outputs.report.as_deref(),
            update: self.update,
            jobs: threads::count(self.jobs).min(files_at_once(items)),
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
                    let by_cpu = case.by.renderer == RendererArg::Cpu;
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
            Some(drawing @ ReadyDevice::Gpu(..)) => run::on_gpu(&run, &on_gpu, drawing),
            _ => {
                for Work { index, case, .. } in on_gpu {
                    let names = items.get(index).map_or(&[][..], |item| item.names);
                    on_case(index, Outcome::skipped(case, names));
                }
            }
        }
        #[cfg(feature = "render")]
        drop(opened); // the adapter goes while it is still watched
        run::on_cpu(&run, &on_cpu);
        bar.finish_and_clear();
        let exact = exact.into_inner().unwrap_or_else(PoisonError::into_inner);
        let exact = exact.into_iter().filter_map(|slot| items.get(slot)?.case);
        warn_of_limits(suite, items, &exact.collect::<Vec<_>>(), messages);
        printer.into_cases(items)
    }
}

/// Approximate bytes of the images of files that are drawn at the same time.
const IMAGES_AT_ONCE: u64 = 4 << 30;

/// Returns the number of files that may be drawn at the same time, at least 1: each thread may have its own.
fn files_at_once(items: &[Item<'_>]) -> usize {
    let largest = items.iter().map(|item| item.image_bytes).max();
    let most = IMAGES_AT_ONCE / largest.unwrap_or(0).max(1);
    usize::try_from(most).unwrap_or(usize::MAX).max(1)
}

/// Warns of limits that accept every picture, and of limits that were not applied: once for the suite's and once for those of each
/// case. `exact` are the cases whose pictures were compared exactly.
fn warn_of_limits(suite: &Suite, items: &[Item<'_>], exact: &[&Case], messages: &Messages) {
    const WHY: &str =
        "not applied: pictures of the CPU renderer must be equal (to apply it, set exact = false)";
    let mut own: Vec<_> = exact.iter().filter(|case| case.tolerates).collect();
    own.sort_by_key(|case| case.line);
    for case in own {
        let text = format!("the tolerance of {:?} is {WHY}", case.name);
        messages.warning(&suite.place(case.line, &text));
    }
    let is_exact = |case: &&Case| exact.iter().any(|exact| exact.name == case.name);
    let drawn = items.iter().filter_map(Item::drawn);
    let loose: Vec<_> = drawn.filter(|case| !is_exact(case)).collect();
    let pixels = |case: &Case| case.shown.size().map(u64::from).iter().product();
    let accepts_all = |case: &&&Case| case.limits.accept_all(pixels(case));
    for case in loose.iter().filter(accepts_all) {
        let text = format!("the tolerance of {:?} accepts every picture", case.name);
        messages.warning(&suite.place(case.line, &text));
    }
    let largest = loose.iter().map(|case| pixels(case)).max();
    let accepts_all = |limits: &Limits| largest.is_some_and(|pixels| limits.accept_all(pixels));
    for (name, _) in (suite.adapters.iter()).filter(|(_, limits)| accepts_all(limits)) {
        let suite = suite.name();
        messages.warning(&format!(
            "{suite}: the tolerance of [adapter.{name:?}] accepts every picture"
        ));
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

fn is_ci() -> bool {
    let ci = std::env::var("CI").unwrap_or_default();
    !matches!(
        ci.to_lowercase().as_str(),
        "" | "0" | "false" | "no" | "off"
    )
}
