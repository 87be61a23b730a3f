//! Cases that are being drawn.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::{Run, Work, lock};
use crate::capture::{CaptureError, CaptureJob, Taken};
use crate::raster::RasterModel;
use crate::run::Failure;
use crate::run::device::DrawnBy;
use crate::run::prepare::Prepared;
use crate::suite::judge::{Judge, frame_name};
use crate::suite::outcome::Outcome;
use crate::suite::report::FrameReport;
use crate::view::plan::Target;

/// A case that is ready to be drawn.
pub(super) struct Open<'a> {
    work: &'a Work<'a>,
    pub(super) prepared: Prepared,
    judge: Judge<'a>,
    /// For the CPU renderer.
    pub(super) model: Option<Arc<RasterModel>>,
    pub(super) next: AtomicUsize,
    frames: Mutex<Vec<Option<FrameReport>>>,
    left: AtomicUsize,
    pub(super) failed: Mutex<Option<CaptureError>>,
    /// What the adapter could not take as it is.
    pub(super) warnings: Mutex<Vec<String>>,
}

impl<'a> Open<'a> {
    fn new(run: &Run<'a>, work: &'a Work<'a>, by: &DrawnBy) -> Result<Self, Failure> {
        let Work { case, source, .. } = work;
        let mut judge = Judge::new(run.suite, case, run.report, run.update, by.clone())?;
        let known = |path: &Path| judge.camera(path);
        let (input, character) = source.input()?;
        let prepared = Prepared::new(
            &run.suite.disk,
            &case.plan(),
            case.input,
            &character,
            &known,
        )?;
        let model = match by.renderer.as_str() {
            "cpu" => Some(source.model(&input, case.view.mipmaps)?),
            _ => None,
        };
        let count = prepared.plan.shots.len();
        judge.note_unrecorded(paths(&prepared));
        judge.begin(paths(&prepared), &prepared.plan.shots)?;
        Ok(Self {
            work,
            judge,
            model,
            next: AtomicUsize::new(0),
            frames: Mutex::new((0..count).map(|_| None).collect()),
            left: AtomicUsize::new(count),
            failed: Mutex::new(None),
            warnings: Mutex::default(),
            prepared,
        })
    }

    pub(super) fn job(&self, jobs: usize) -> CaptureJob<'_> {
        self.prepared.job(jobs)
    }

    /// Judges a picture. One that cannot be judged is an error of its own; the others go on.
    pub(super) fn take(&self, run: &Run<'_>, taken: &mut Taken<'_>) {
        let index = taken.shot;
        let shot = self.prepared.plan.shots.get(index);
        if let Some((shot, path)) = shot.zip(paths(&self.prepared).get(index)) {
            let report = self
                .judge
                .judge(taken, shot, path, &self.prepared.character);
            if let Some(frame) = lock(&self.frames).get_mut(index) {
                *frame = Some(report);
            }
        }
        (run.on_frame)();
    }

    pub(super) fn note_time(&self, run: &Run<'_>, index: usize, time: Duration) {
        let name = paths(&self.prepared)
            .get(index)
            .map(|path| frame_name(path));
        run.times
            .add(&self.work.case.name, &name.unwrap_or_default(), time);
    }

    /// Notes that the work of a shot is over, however it went; after the last of them the case is.
    pub(super) fn over(&self, run: &Run<'_>, by: &DrawnBy, result: Result<(), CaptureError>) {
        if let Err(error) = result {
            lock(&self.failed).get_or_insert(error);
        }
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.end(run, by);
        }
    }

    pub(super) fn end(&self, run: &Run<'_>, by: &DrawnBy) {
        let Work {
            index,
            case,
            source,
        } = self.work;
        source.release();
        let judged: Vec<_> = lock(&self.frames).drain(..).collect();
        let all = judged.len();
        let frames: Vec<FrameReport> = judged.into_iter().flatten().collect();
        let failed = lock(&self.failed).take().map(Failure::from);
        let lost = || Failure::Running(anyhow::anyhow!("a picture was not drawn"));
        let failed = failed.or_else(|| (frames.len() < all).then(lost));
        let ended = self.judge.end(paths(&self.prepared), &frames);
        let failed = failed.or_else(|| ended.err().map(Failure::from));
        let mut outcome = match failed {
            Some(failure) => Outcome::failed(case, Some(by.clone()), &failure),
            None => Outcome::of(case, Some(by.clone())),
        };
        outcome.report.notes = [&self.judge.notes[..], &lock(&self.warnings)].concat();
        outcome.report.baseline_versions = self.judge.versions();
        outcome.is_exact = self.judge.is_exact();
        outcome.report.frames = frames;
        (run.on_case)(*index, outcome);
    }
}

/// The paths of a case's pictures, from the folder of its baselines.
fn paths(prepared: &Prepared) -> &[PathBuf] {
    match &prepared.plan.target {
        Target::Files(paths) => paths,
        Target::Stdout => &[],
    }
}

/// Makes a case ready. One that cannot be, or has nothing to draw, is over at once.
pub(super) fn open<'a>(run: &Run<'a>, work: &'a Work<'a>, by: &DrawnBy) -> Option<Open<'a>> {
    let start = Instant::now();
    let opened = Open::new(run, work, by);
    run.times.add(&work.case.name, "", start.elapsed());
    match opened {
        Ok(open) if open.prepared.plan.shots.is_empty() => {
            open.end(run, by);
            None
        }
        Ok(open) => Some(open),
        Err(failure) => {
            close(run, work, by, &failure);
            None
        }
    }
}

/// Ends a case that could not be made ready.
pub(super) fn close(run: &Run<'_>, work: &Work<'_>, by: &DrawnBy, failure: &Failure) {
    work.source.release();
    let outcome = Outcome::failed(work.case, Some(by.clone()), failure);
    (run.on_case)(work.index, outcome);
}
