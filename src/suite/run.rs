//! Draws the cases and holds them against their baselines: by the CPU renderer on all threads at once, whatever frames
//! the cases have; by an adapter one case after the other, while the next is made ready and the last is compared.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::cases::Case;
use super::file::Suite;
use super::job::Update;
use super::judge::{Judge, frame_name};
use super::report::{CaseReport, FrameReport, Status};
use super::source::Source;
use super::times::Times;
use crate::capture::{CaptureError, CaptureJob, CpuWorker, StageTimes, Taken};
use crate::raster::RasterModel;
use crate::run::Failure;
use crate::run::device::DrawnBy;
#[cfg(feature = "render")]
use crate::run::device::Opened;
use crate::run::prepare::Prepared;
use crate::view::plan::Target;

/// What holds for the whole run.
pub(super) struct Run<'a> {
    pub(super) suite: &'a Suite,
    pub(super) report: Option<&'a Path>,
    pub(super) update: Option<Update>,
    /// Threads that draw and compare; at least 1.
    pub(super) jobs: usize,
    /// Time of each frame, and of each case beside its frames.
    pub(super) times: &'a Times,
    /// Called when a frame was judged, from any thread.
    pub(super) on_frame: &'a (dyn Fn() + Sync),
    /// Called when a case was, with its index; from any thread, in any order.
    pub(super) on_case: &'a (dyn Fn(usize, Outcome) + Sync),
}

/// A case with its file.
pub(super) struct Work<'a> {
    /// Its index among all cases of the run.
    pub(super) index: usize,
    pub(super) case: &'a Case,
    pub(super) source: Arc<Source>,
}

/// What became of a case.
pub(super) struct Outcome {
    pub(super) report: CaseReport,
    /// Of what kind the error is, if the case has one.
    pub(super) code: u8,
    /// True if its limits were not applied, because all pictures were compared exactly.
    pub(super) is_exact: bool,
}

impl Outcome {
    /// A case of which nothing is known but what draws it.
    fn of(case: &Case, drawn_by: Option<DrawnBy>) -> Self {
        let report = CaseReport {
            name: case.name.clone(),
            file: case.file.clone(),
            drawn_by,
            ..CaseReport::default()
        };
        Self {
            report,
            code: 0,
            is_exact: false,
        }
    }

    /// Baselines that belong to no case.
    pub(super) fn of_no_case(folder: &str) -> Self {
        let report = CaseReport {
            name: folder.to_owned(),
            ..CaseReport::default()
        };
        Self {
            report,
            code: 0,
            is_exact: false,
        }
    }

    /// A case that could not be drawn.
    pub(super) fn failed(case: &Case, drawn_by: Option<DrawnBy>, failure: &Failure) -> Self {
        let mut outcome = Self::of(case, drawn_by);
        outcome.report.error = Some(failure.to_string());
        outcome.code = match failure.code() {
            code @ (2 | 4) => code,
            _ => 1, // whatever else it may be, it came up while running
        };
        outcome
    }

    /// A case that needs an adapter, with the names of its baselines.
    pub(super) fn skipped(case: &Case, names: &[String]) -> Self {
        let skipped = |path: &String| FrameReport {
            name: frame_name(Path::new(path)),
            animation: None,
            frame: None,
            status: Status::Skipped,
            message: "there is no graphics adapter".to_owned(),
            command: None,
            difference: None,
            pictures: None,
        };
        let mut outcome = Self::of(case, None);
        outcome.report.frames = names.iter().map(skipped).collect();
        outcome
    }
}

/// A case that is ready to be drawn.
struct Open<'a> {
    work: &'a Work<'a>,
    prepared: Prepared,
    judge: Judge<'a>,
    /// For the CPU renderer.
    model: Option<Arc<RasterModel>>,
    next: AtomicUsize,
    frames: Mutex<Vec<Option<FrameReport>>>,
    left: AtomicUsize,
    failed: Mutex<Option<CaptureError>>,
    /// What the adapter could not take as it is.
    warnings: Mutex<Vec<String>>,
}

impl<'a> Open<'a> {
    fn new(run: &Run<'a>, work: &'a Work<'a>, by: &DrawnBy) -> Result<Self, Failure> {
        let Work { case, source, .. } = work;
        let mut judge = Judge::new(run.suite, case, run.report, run.update, by.clone())?;
        let known = |path: &Path| judge.camera(path);
        let opened = source.opened()?;
        let prepared = Prepared::new(
            &run.suite.disk,
            &case.plan(),
            case.input,
            &opened.subject,
            &known,
        )?;
        let model = match by.renderer.as_str() {
            "cpu" => Some(source.model(&opened, case.view.mipmaps)?),
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

    fn job(&self, jobs: usize) -> CaptureJob<'_> {
        self.prepared.job(jobs)
    }

    /// Judges a picture. One that cannot be judged is an error of its own; the others go on.
    fn take(&self, run: &Run<'_>, taken: &mut Taken<'_>) {
        let index = taken.shot;
        let shot = self.prepared.plan.shots.get(index);
        if let Some((shot, path)) = shot.zip(paths(&self.prepared).get(index)) {
            let report = self.judge.judge(taken, shot, path, &*self.prepared.subject);
            if let Some(frame) = lock(&self.frames).get_mut(index) {
                *frame = Some(report);
            }
        }
        (run.on_frame)();
    }

    fn note_time(&self, run: &Run<'_>, index: usize, time: Duration) {
        let name = paths(&self.prepared)
            .get(index)
            .map(|path| frame_name(path));
        run.times
            .add(&self.work.case.name, &name.unwrap_or_default(), time);
    }

    /// Notes that the work of a shot is over, however it went; after the last of them the case is.
    fn over(&self, run: &Run<'_>, by: &DrawnBy, result: Result<(), CaptureError>) {
        if let Err(error) = result {
            lock(&self.failed).get_or_insert(error);
        }
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.end(run, by);
        }
    }

    fn end(&self, run: &Run<'_>, by: &DrawnBy) {
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

/// Runs cases with the CPU renderer.
pub(super) fn on_cpu(run: &Run<'_>, works: &[Work<'_>]) {
    let by = DrawnBy::cpu();
    let queue = Queue::new(works);
    let work = || {
        while let Some(open) = queue.next(run, &by) {
            let Some(model) = &open.model else { return };
            let job = open.job(1);
            let mut worker = CpuWorker::new(&job, 1);
            let times = StageTimes::default();
            let sink = |taken: &mut Taken<'_>| {
                open.take(run, taken);
                Ok(())
            };
            loop {
                let index = open.next.fetch_add(1, Ordering::Relaxed);
                let Some(shot) = open.prepared.plan.shots.get(index) else {
                    break;
                };
                let start = Instant::now();
                let result = worker.take(model, index, shot, &times, &sink);
                open.note_time(run, index, start.elapsed());
                open.over(run, &by, result);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..run.jobs {
            // With fewer threads than wanted it takes longer, and is done all the same.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}

/// Cases that are worked on, and those that wait.
struct Queue<'a> {
    works: &'a [Work<'a>],
    state: Mutex<State<'a>>,
    opened: Condvar,
}

#[derive(Default)]
struct State<'a> {
    /// Cases that have been taken up.
    begun: usize,
    /// Cases that are being made ready.
    opening: usize,
    /// Cases with frames to draw.
    open: Vec<Arc<Open<'a>>>,
}

impl<'a> Queue<'a> {
    fn new(works: &'a [Work<'a>]) -> Self {
        Self {
            works,
            state: Mutex::default(),
            opened: Condvar::new(),
        }
    }

    /// A case with frames to draw: one that is open already, else the next, which is made ready here. `None` when there
    /// is and will be nothing more to draw.
    fn next(&self, run: &Run<'a>, by: &DrawnBy) -> Option<Arc<Open<'a>>> {
        let mut state = lock(&self.state);
        loop {
            state
                .open
                .retain(|open| open.next.load(Ordering::Relaxed) < open.prepared.plan.shots.len());
            if let Some(open) = state.open.first() {
                return Some(open.clone());
            }
            if let Some(work) = self.works.get(state.begun) {
                state.begun += 1;
                state.opening += 1;
                drop(state);
                let opening = Opening(self);
                let opened = open(run, work, by).map(Arc::new);
                lock(&self.state).open.extend(opened);
                drop(opening);
                state = lock(&self.state);
            } else if state.opening > 0 {
                state = self
                    .opened
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            } else {
                return None;
            }
        }
    }
}

/// A case is being made ready, until this is dropped: a panic must not leave other threads waiting for it.
struct Opening<'q, 'a>(&'q Queue<'a>);

impl Drop for Opening<'_, '_> {
    fn drop(&mut self) {
        lock(&self.0.state).opening -= 1;
        self.0.opened.notify_all();
    }
}

/// Makes a case ready. One that cannot be, or has nothing to draw, is over at once.
fn open<'a>(run: &Run<'a>, work: &'a Work<'a>, by: &DrawnBy) -> Option<Open<'a>> {
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
fn close(run: &Run<'_>, work: &Work<'_>, by: &DrawnBy, failure: &Failure) {
    work.source.release();
    let outcome = Outcome::failed(work.case, Some(by.clone()), failure);
    (run.on_case)(work.index, outcome);
}

/// Runs cases with an adapter.
#[cfg(feature = "render")]
pub(super) fn on_gpu<'a>(run: &Run<'a>, works: &'a [Work<'a>], opened: &Opened) {
    use crate::capture::{Drawer, GpuDrawer};
    use crate::render::Gpu;

    let Opened::Gpu(gpu, watchdog) = opened else {
        return;
    };
    let by = &opened.drawn_by();
    let (ready, next) = std::sync::mpsc::sync_channel(1);
    let prepare = |work: &'a Work<'a>| {
        // First, so that a case that cannot be drawn keeps its record.
        match work.source.images() {
            Ok(images) => Some((open(run, work, by)?, images)),
            Err(failure) => {
                close(run, work, by, &failure);
                None
            }
        }
    };
    std::thread::scope(|scope| {
        let ahead = move || {
            let mut prepared = works.iter().filter_map(prepare);
            let _ = prepared.all(|prepared| ready.send(prepared).is_ok());
        };
        let started = std::thread::Builder::new().spawn_scoped(scope, ahead);
        // Without another thread each case is made ready when its turn comes.
        let here = if started.is_ok() { &[] } else { works };
        let mut drawer: Option<Drawer> = None;
        for (open, images) in next.into_iter().chain(here.iter().filter_map(prepare)) {
            let geometry = &*open.prepared.subject;
            let (samples, mipmaps) = (open.prepared.samples, open.prepared.picture.mipmaps);
            let size = open.prepared.picture.size;
            watchdog.expect(size);
            if let Some(Drawer::Gpu(drawer)) = &mut drawer {
                drawer.replace(samples, geometry, &images, mipmaps);
            }
            let drawer = drawer.get_or_insert_with(|| {
                let new = GpuDrawer::new(Gpu::clone(gpu), samples, geometry, &images, mipmaps);
                Drawer::Gpu(Box::new(new))
            });
            if let Drawer::Gpu(drawer) = &drawer {
                lock(&open.warnings).extend_from_slice(drawer.warnings());
            }
            // Frames overlap: each takes the time since the one before it was done.
            let last = Mutex::new(Instant::now());
            let sink = |taken: &mut Taken<'_>| {
                open.take(run, taken);
                watchdog.expect(size);
                let now = Instant::now();
                let before = std::mem::replace(&mut *lock(&last), now);
                open.note_time(run, taken.shot, now.saturating_duration_since(before));
                Ok(())
            };
            let shots = &open.prepared.plan.shots;
            let result = open
                .job(run.jobs)
                .run(drawer, shots, &StageTimes::default(), &sink);
            watchdog.rest(); // until the next case is ready
            *lock(&open.failed) = result.err();
            open.end(run, by);
        }
        watchdog.expect([1, 1]); // the drawer goes
    });
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
