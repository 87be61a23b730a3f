//! A run of a suite: from its arguments to the exit code.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::draw::{self, SuiteRun, Work};
use super::outcome::{CaseOutcome, print};
use super::source::{self, Planned};
use super::unused_baselines::{self, Unused};
use super::{SuiteItem, SuiteRenderer, TestArgs, Update, selection};
use crate::run::device::{Device, ReadyDevice};
use crate::run::disk::Role;
use crate::run::messages::{Messages, progress};
use crate::run::{Disk, Failure};
use crate::suite::baseline::RECORD;
use crate::suite::cases::file::{self, CompareLimits, Suite};
use crate::suite::cases::{Case, expand};
use crate::suite::report::folder;
use crate::suite::report::folder::ReportOutputs;
use crate::suite::report::text_and_junit::{FrameTimes, finish};
use crate::suite::report::{Shard, SuitePlan, SuiteReport, worst};
use crate::text::{slashed, words};
use crate::threads::{self, InOrder};
use crate::view::{AdapterArgs, Background, RendererArg};

/// Runs the suite of the arguments.
pub(crate) fn run(args: &TestArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let path = args.suite.as_path();
    let outputs = &args.outputs();
    check_ci(args)?;
    outputs.check_stdout()?;
    let shard = selection::chosen_shard(args.shard, args.shard_total, messages)?;
    let suite = Suite::read(disk, path);
    if let Err(failure) = &suite
        && !matches!(failure, Failure::Suite(_))
    {
        return suite.map(drop); // there is no suite
    }
    let folder = outputs.report.as_deref();
    let failed =
        if args.last_failed { folder::failed(folder, &file::name(path), messages) } else { None };
    let baselines = match &suite {
        Ok(suite) => suite.baselines(),
        Err(_) => path.with_file_name(file::BASELINES),
    };
    if let Some(folder) = folder {
        folder::check(folder, &baselines)?;
    }
    outputs.check(disk, [])?;
    let lock = args.changes_baselines().then(|| lock(path, messages));
    let times = FrameTimes::default();
    let performed = suite.and_then(|suite| {
        let job = TestJob { args, outputs, suite: &suite, times: &times, messages };
        job.run(shard, failed.as_ref())
    });
    drop(lock);
    if let Err(Failure::Overwrites(_)) = &performed {
        return performed.map(drop); // nothing was written, and nothing will be
    }
    if let (Err(_), Some(folder)) = (&performed, folder) {
        folder::clear(disk, folder)?;
    }
    outputs.clear_junit(disk)?;
    let refused = |failure: &Failure| SuiteReport::of_failure(file::name(path), failure);
    let report = performed.as_ref().map_or_else(refused, SuiteReport::clone);
    outputs.write(disk, &report, &times, messages.quiet)?;
    performed.and_then(|report| finish(&report))
}

fn check_ci(args: &TestArgs) -> Result<(), Failure> {
    let ci = std::env::var("CI").unwrap_or_default().to_lowercase();
    let is_ci = !matches!(ci.as_str(), "" | "0" | "false" | "no" | "off");
    let changes = [(args.update.is_some(), "updated"), (args.prune, "removed")];
    if let Some((_, done)) = changes.iter().find(|(wanted, _)| *wanted)
        && !args.force
        && is_ci
    {
        return Err(Failure::Usage(format!(
            "baselines are not {done} in CI (CI is set in the environment), where nobody would review them; allow it with --force"
        )));
    }
    Ok(())
}

/// The run of a suite: draws and judges its cases.
struct TestJob<'a> {
    args: &'a TestArgs,
    outputs: &'a ReportOutputs,
    suite: &'a Suite,
    times: &'a FrameTimes,
    messages: &'a Messages,
}

impl TestJob<'_> {
    /// Runs the selected cases of a part of the suite. `failed` are the names for `--last-failed`.
    ///
    /// # Errors
    /// [`Failure::Suite`], [`Failure::Usage`] and [`Failure::NoAdapter`] if nothing could be run.
    fn run(
        &self,
        shard: Option<Shard>,
        failed: Option<&BTreeSet<String>>,
    ) -> Result<SuiteReport, Failure> {
        let Self { args, outputs, suite, messages, .. } = *self;
        let cases = expand(suite, args.renderer.map(SuiteRenderer::name), messages)?;
        let planned = source::look(suite, &cases);
        self.check_outputs(&cases, &planned)?;
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
        selection::keep(&mut items, args, failed, messages)?;
        let plan = SuitePlan::of(&items, args.filter.as_deref());
        if let Some(shard) = shard {
            selection::keep_part(&mut items, shard);
        }
        let wanted = items.iter().filter_map(|item| item.case);
        let opened = self.open_adapter(wanted)?;
        // From here on there will be a result, so the report of an earlier run must not be mistaken for it.
        if let Some(folder) = &outputs.report {
            folder::clear(&suite.disk, folder)?;
        }
        outputs.clear_junit(&suite.disk)?;
        if args.changes_baselines() {
            let left = unused_baselines::sweep(suite, &cases);
            if left > 0 {
                let files = words::count(left as u64, "temporary file", "temporary files");
                messages.note(&format!("removed {files} left by killed runs"));
            }
        }
        let outcomes = self.draw(&items, opened)?;
        let codes = outcomes.iter().flat_map(CaseOutcome::codes);
        let code = worst(codes.chain(errors.iter().map(Failure::code)));
        let reports = outcomes.into_iter().map(|outcome| outcome.report).collect();
        Ok(SuiteReport {
            errors: errors.iter().map(Failure::to_string).collect(),
            ..SuiteReport::new(suite.name(), shard, Some(plan), code, reports)
        })
    }

    /// Checks that nothing that the run reads would be overwritten by its report, by its JUnit report, or by an update.
    fn check_outputs(&self, cases: &[Case], planned: &[Planned]) -> Result<(), Failure> {
        let suite = self.suite;
        let disk = &suite.disk;
        let pictures = || {
            let each = cases.iter().zip(planned);
            each.flat_map(|(case, its)| its.names.iter().map(move |name| (&case.name, name)))
        };
        let root = suite.baselines();
        let place = |(case, name): (&String, &String)| root.join(case).join(name);
        let mut baselines: Vec<PathBuf> = pictures().map(place).collect();
        let record = |case: &Case| root.join(&case.name).join(RECORD);
        baselines.extend(cases.iter().map(record));
        for case in cases {
            if let Some(Background::Picture(path)) = &case.shown.background {
                disk.note(path, Role::Input);
            }
        }
        for path in &baselines {
            disk.note(path, Role::Baseline);
        }
        if self.args.update.is_some() {
            disk.check_as(baselines.iter().map(PathBuf::as_path), Role::Input)?;
        }
        let stem = |(case, name): (&String, &String)| {
            let name = Path::new(name).with_extension("");
            format!("{case}/{}", slashed(&name))
        };
        self.outputs.check(disk, pictures().map(stem))
    }

    /// Opens the adapter, if a case needs one. Returns `None` if it is missing and `--allow-skip` is given.
    fn open_adapter<'a>(
        &self,
        mut cases: impl Iterator<Item = &'a Case>,
    ) -> Result<Option<ReadyDevice>, Failure> {
        let (asked, messages) = (&self.args.adapter, self.messages);
        if cases.all(|case| case.by.renderer == RendererArg::Cpu) {
            if asked.asked() {
                messages.warning(
                    "--backend and --adapter have no effect: the CPU renderer uses no adapter",
                );
            }
            return Ok(Some(ReadyDevice::Cpu));
        }
        let mut wanted = asked.clone();
        let said = |key: &str| self.suite.defaults.options.text(key).map(str::to_owned);
        wanted.backend = wanted.backend.or_else(|| said("backend"));
        wanted.adapter = wanted.adapter.or_else(|| said("adapter"));
        match Device::start(RendererArg::Gpu, &wanted)
            .and_then(|device| device.open(None, messages))
        {
            Err(Failure::NoAdapter(why))
                if self.args.allow_skip && !is_another(&wanted, messages) =>
            {
                messages.warning(&format!("{why}; cases that need one are skipped"));
                Ok(None)
            }
            opened => opened.map(Some),
        }
    }

    /// Draws and judges cases, and prints each outcome as soon as those before it are printed. Returns the outcomes.
    fn draw(
        &self,
        items: &[SuiteItem<'_>],
        opened: Option<ReadyDevice>,
    ) -> Result<Vec<CaseOutcome>, Failure> {
        let Self { args, outputs, suite, times, messages } = *self;
        let bar = progress(items.iter().map(SuiteItem::frames).sum(), messages);
        let done = InOrder::new(Vec::new());
        let prune = args.prune || args.update == Some(Update::All);
        let on_case = |slot: usize, mut outcome: CaseOutcome| {
            let is_error = outcome.report.error.is_some();
            let unused =
                items.get(slot).map(|item| unused_baselines::results(suite, item, prune, is_error));
            outcome.report.frames.extend(unused.into_iter().flatten());
            let Ok(()) = done.put(slot, outcome, |done, outcome| {
                if !outputs.take_stdout() {
                    print(&outcome.report, &bar, messages);
                }
                done.push(outcome);
                Ok::<_, Infallible>(())
            });
        };
        // Each thread may have a file of its own.
        let largest = items.iter().map(|item| item.image_bytes).max();
        let most_files = (IMAGES_AT_ONCE / largest.unwrap_or(0).max(1)).max(1);
        let run = SuiteRun {
            suite,
            report: outputs.report.as_deref(),
            update: args.update,
            jobs: threads::count(args.jobs).min(usize::try_from(most_files).unwrap_or(usize::MAX)),
            times,
            on_frame: &|| bar.inc(1),
            on_case: &on_case,
            #[cfg(feature = "render")]
            on_upload: &|file| bar.suspend(|| messages.detail(&format!("uploaded {file}"))),
        };
        let mut on_cpu = Vec::new();
        let mut on_gpu = Vec::new();
        let drawn = items.iter().filter_map(SuiteItem::drawn);
        let mut sources = source::of(&suite.disk, drawn).into_iter();
        for (index, item) in items.iter().enumerate() {
            match (item.case, item.failure) {
                (None, _) => on_case(index, CaseOutcome::of_no_case(item.name)),
                (Some(case), Some(failure)) => {
                    on_case(index, CaseOutcome::failed(case, None, failure))
                }
                (Some(case), None) => {
                    let Some(source) = sources.next() else {
                        continue; // there is one for each
                    };
                    let by_cpu = case.by.renderer == RendererArg::Cpu;
                    let queue = if by_cpu { &mut on_cpu } else { &mut on_gpu };
                    queue.push(Work { index, case, source });
                }
            }
        }
        match &opened {
            #[cfg(feature = "render")]
            Some(drawing @ ReadyDevice::Gpu(..)) => draw::on_gpu(&run, &on_gpu, drawing),
            _ => {
                for Work { index, case, .. } in on_gpu {
                    let names = items.get(index).map_or(&[][..], |item| item.names);
                    on_case(index, CaseOutcome::skipped(case, names));
                }
            }
        }
        #[cfg(feature = "render")]
        drop(opened); // the adapter goes while it is still watched
        draw::on_cpu(&run, &on_cpu);
        bar.finish_and_clear();
        let outcomes = done.into_state();
        if outcomes.len() < items.len() {
            return Err(Failure::Running(anyhow::anyhow!("a case did not finish")));
        }
        let exact = items.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_exact);
        let exact: Vec<_> = exact.filter_map(|(item, _)| item.case).collect();
        warn_of_limits(suite, items, &exact, messages);
        Ok(outcomes)
    }
}

/// Approximate bytes of the images of files that are drawn at the same time.
const IMAGES_AT_ONCE: u64 = 4 << 30;

/// Warns of limits that accept every picture, and of limits that were not applied: once for the suite's and once for those of each
/// case. `exact` are the cases whose pictures were compared exactly.
fn warn_of_limits(suite: &Suite, items: &[SuiteItem<'_>], exact: &[&Case], messages: &Messages) {
    const WHY: &str =
        "not applied: pictures of the CPU renderer must be equal (to apply it, set exact = false)";
    let mut own: Vec<_> = exact.iter().filter(|case| case.tolerates).collect();
    own.sort_by_key(|case| case.line);
    for case in own {
        let text = format!("the tolerance of {:?} is {WHY}", case.name);
        messages.warning(&suite.place(case.line, &text));
    }
    let is_exact = |case: &&Case| exact.iter().any(|exact| exact.name == case.name);
    let drawn = items.iter().filter_map(SuiteItem::drawn);
    let loose: Vec<_> = drawn.filter(|case| !is_exact(case)).collect();
    let pixels = |case: &Case| case.shown.size().map(u64::from).iter().product();
    let accepts_all = |case: &&&Case| case.limits.accept_all(pixels(case));
    for case in loose.iter().filter(accepts_all) {
        let text = format!("the tolerance of {:?} accepts every picture", case.name);
        messages.warning(&suite.place(case.line, &text));
    }
    let largest = loose.iter().map(|case| pixels(case)).max();
    let accepts_all =
        |limits: &CompareLimits| largest.is_some_and(|pixels| limits.accept_all(pixels));
    for (name, _) in (suite.adapters.iter()).filter(|(_, limits)| accepts_all(limits)) {
        let suite = suite.name();
        messages.warning(&format!(
            "{suite}: the tolerance of [adapter.{name:?}] accepts every picture"
        ));
    }
    let drawn = items.iter().filter_map(SuiteItem::drawn).filter(|case| !case.tolerates).count();
    let compared = exact.iter().filter(|case| !case.tolerates).count();
    if suite.defaults.limits.tolerates() && drawn > 0 && drawn == compared {
        messages.warning(&format!("{}: the tolerance of [defaults] is {WHY}", suite.name()));
    }
}

/// Returns true if the backend belongs to another system, or its adapters have other names. A typing mistake is an error, and skips nothing.
fn is_another(wanted: &AdapterArgs, messages: &Messages) -> bool {
    #[cfg(feature = "render")]
    if let Ok(options) = wanted.gpu_options()
        && options.backend.is_some_and(|backend| !pchr::render::is_built(backend))
    {
        return true;
    }
    let of_any_name = AdapterArgs { adapter: None, ..wanted.clone() };
    wanted.adapter.is_some()
        && Device::start(RendererArg::Gpu, &of_any_name)
            .and_then(|device| device.open(None, messages))
            .is_ok()
}

/// Waits until no other run changes the baselines of a suite. The lock is released when the result is dropped, or the program is
/// killed. On systems without locks it does not wait.
fn lock(suite: &Path, messages: &Messages) -> Option<File> {
    let file = open_lock(suite)?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        messages.note(&format!(
            "waiting for another run that changes the baselines of {}",
            suite.display()
        ));
        file.lock().ok()?;
    }
    Some(file)
}

/// Opens the suite itself: others can still read it, and nothing is left behind.
#[cfg(unix)]
fn open_lock(suite: &Path) -> Option<File> {
    // A pipe would be waited for.
    suite.is_file().then(|| File::open(suite).ok()).flatten()
}

/// Opens a file that represents the suite, in the user's own temporary folder: here a locked file cannot be read by others. It is
/// never removed, because others may wait for it.
#[cfg(not(unix))]
fn open_lock(suite: &Path) -> Option<File> {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};

    let mut name = DefaultHasher::new();
    std::fs::canonicalize(suite).ok()?.hash(&mut name);
    let path = std::env::temp_dir().join(format!("pchr-view-{:016x}.lock", name.finish()));
    File::options().write(true).create(true).truncate(false).open(path).ok()
}
