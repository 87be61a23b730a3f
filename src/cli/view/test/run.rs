//! Draws the cases and holds them against their baselines: by the CPU renderer on all threads at once, whatever frames
//! the cases have; by an adapter one case after the other, while the next is made ready and the last is compared.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::args::Update;
use super::cases::Case;
use super::judge::{Judge, slashed};
use super::report::{CaseReport, FrameReport, Status};
use super::source::Source;
use super::suite::Suite;
use crate::capture::{CaptureError, CaptureJob, CpuWorker, StageTimes, Taken};
use crate::cli::Failure;
use crate::cli::view::plan::Target;
use crate::cli::view::prepare::Prepared;
use crate::cli::view::report::DrawnBy;
use crate::raster::RasterModel;

/// What holds for the whole run.
pub(super) struct Run<'a> {
    pub(super) suite: &'a Suite,
    pub(super) report: Option<&'a Path>,
    pub(super) update: Option<Update>,
    /// Threads that draw and compare; at least 1.
    pub(super) jobs: usize,
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
}

impl Outcome {
    /// A case that could not be drawn.
    pub(super) fn failed(case: &Case, drawn_by: Option<DrawnBy>, failure: &Failure) -> Self {
        // As the suite writes it: reports say the same on every machine.
        let file = case.args.file.display().to_string();
        Self {
            report: CaseReport {
                name: case.name.clone(),
                file: case.file.clone(),
                drawn_by,
                notes: Vec::new(),
                error: Some(failure.to_string().replace(&file, &case.file)),
                frames: Vec::new(),
            },
            code: failure.code(),
        }
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
        let judge = Judge::new(run.suite, case, run.report, run.update, by.clone())?;
        let known = |path: &Path| judge.camera(path);
        let prepared = Prepared::new(&case.args, source.document(), &known)?;
        let model = match by.renderer.as_str() {
            "cpu" => Some(source.model(case.args.mipmaps)?),
            _ => None,
        };
        let count = prepared.plan.shots.len();
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
        self.prepared.job(self.work.source.document(), jobs)
    }

    /// Judges a picture and, with the last one, ends the case.
    fn take(&self, run: &Run<'_>, taken: &mut Taken<'_>) -> Result<(), CaptureError> {
        let shot = self.prepared.plan.shots.get(taken.shot);
        let path = paths(&self.prepared).get(taken.shot);
        if let Some((shot, path)) = shot.zip(path) {
            let report = self
                .judge
                .judge(taken, shot, path, self.work.source.document())?;
            if let Some(frame) = lock(&self.frames).get_mut(taken.shot) {
                *frame = Some(report);
            }
        }
        (run.on_frame)();
        Ok(())
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
        let frames: Vec<FrameReport> = lock(&self.frames).drain(..).flatten().collect();
        let changed = frames.iter().any(|frame| frame.status == Status::Updated);
        let failed = lock(&self.failed).take().map(Failure::from);
        let ended = match failed {
            Some(failure) => Err(failure),
            None => self
                .judge
                .end(paths(&self.prepared), changed)
                .map_err(Failure::from),
        };
        let outcome = match ended {
            Err(failure) => Outcome::failed(case, Some(by.clone()), &failure),
            Ok(()) => Outcome {
                report: CaseReport {
                    name: case.name.clone(),
                    file: case.file.clone(),
                    drawn_by: Some(by.clone()),
                    notes: [&self.judge.notes[..], &lock(&self.warnings)].concat(),
                    error: None,
                    frames,
                },
                code: 0,
            },
        };
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

/// The baselines of a case, with `/` between folders, from its folder.
pub(super) fn names(target: &Target) -> Vec<String> {
    match target {
        Target::Files(paths) => paths.iter().map(|path| slashed(path)).collect(),
        Target::Stdout => Vec::new(),
    }
}

/// Runs cases with the CPU renderer.
pub(super) fn on_cpu(run: &Run<'_>, works: &[Work<'_>]) {
    let by = DrawnBy::cpu();
    let queue = Queue::new(works);
    let work = || {
        while let Some(open) = queue.next(run, &by) {
            let Some(model) = &open.model else { continue };
            let job = open.job(1);
            let mut worker = CpuWorker::new(&job, 1);
            let times = StageTimes::default();
            let sink = |taken: &mut Taken<'_>| open.take(run, taken);
            loop {
                let index = open.next.fetch_add(1, Ordering::Relaxed);
                let Some(shot) = open.prepared.plan.shots.get(index) else {
                    break;
                };
                open.over(run, &by, worker.take(model, index, shot, &times, &sink));
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
                let opened = open(run, work, by);
                state = lock(&self.state);
                state.opening -= 1;
                state.open.extend(opened.map(Arc::new));
                self.opened.notify_all();
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

/// Makes a case ready. One that cannot be, or has nothing to draw, is over at once.
fn open<'a>(run: &Run<'a>, work: &'a Work<'a>, by: &DrawnBy) -> Option<Open<'a>> {
    match Open::new(run, work, by) {
        Ok(open) if open.prepared.plan.shots.is_empty() => {
            open.end(run, by);
            None
        }
        Ok(open) => Some(open),
        Err(failure) => {
            work.source.release();
            (run.on_case)(
                work.index,
                Outcome::failed(work.case, Some(by.clone()), &failure),
            );
            None
        }
    }
}

/// Runs cases with an adapter.
#[cfg(feature = "render")]
pub(super) fn on_gpu(run: &Run<'_>, works: &[Work<'_>], gpu: &crate::render::Gpu, by: &DrawnBy) {
    use crate::capture::{Drawer, GpuDrawer};

    let (ready, next) = std::sync::mpsc::sync_channel(1);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for work in works {
                let Some(open) = open(run, work, by) else {
                    continue;
                };
                let images = work.source.images();
                if ready.send((open, images)).is_err() {
                    return;
                }
            }
        });
        let mut drawer: Option<Drawer> = None;
        for (open, images) in next {
            let count = open.prepared.plan.shots.len();
            let images = match images {
                Ok(images) => images,
                Err(failure) => {
                    let case = open.work.case;
                    (run.on_case)(
                        open.work.index,
                        Outcome::failed(case, Some(by.clone()), &failure),
                    );
                    continue;
                }
            };
            let document = open.work.source.document();
            let (samples, mipmaps) = (open.prepared.samples, open.prepared.picture.mipmaps);
            match &mut drawer {
                Some(Drawer::Gpu(drawer)) => drawer.replace(samples, document, &images, mipmaps),
                _ => {
                    let new = GpuDrawer::new(gpu.clone(), samples, document, &images, mipmaps);
                    drawer = Some(Drawer::Gpu(Box::new(new)));
                }
            }
            let Some(drawer) = &mut drawer else { continue };
            if let Drawer::Gpu(drawer) = &drawer {
                lock(&open.warnings).extend_from_slice(drawer.warnings());
            }
            let sink = |taken: &mut Taken<'_>| open.take(run, taken);
            let shots = &open.prepared.plan.shots;
            let result = open
                .job(run.jobs)
                .run(drawer, shots, &StageTimes::default(), &sink);
            open.left.store(1, Ordering::Release);
            debug_assert!(
                count > 0,
                "a case without frames is over before it is drawn"
            );
            open.over(run, by, result);
        }
    });
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
