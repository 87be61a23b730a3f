//! Draws the cases and compares them with their baselines. The CPU renderer uses all threads at once for frames of any case. An
//! adapter draws one case after the other, while the next is prepared and the last is compared; a file is uploaded once for all its
//! cases.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use pchr::finding::Severity;
use pchr::image::Pixels;
use pchr::raster::RasterModel;

use super::Update;
use super::judge::Judge;
use super::outcome::CaseOutcome;
use super::source::CaseSource;
use crate::capture::{CaptureError, CpuWorker, StageTimes, Taken};
use crate::open::Opened;
use crate::run::Failure;
use crate::run::device::DrawnBy;
use crate::run::prepare::{Prepared, cpu_model, replace_images};
use crate::suite::cases::Case;
use crate::suite::cases::file::Suite;
use crate::suite::report::text_and_junit::FrameTimes;
use crate::suite::report::{FrameResult, Status, frame_name};
use crate::text::words;
use crate::threads;

#[cfg(feature = "render")]
use crate::run::device::ReadyDevice;

/// Warnings about a file that are listed with each of its cases.
const MOST_WARNINGS: usize = 5;

/// Inputs of the whole run.
pub(crate) struct SuiteRun<'a> {
    pub(crate) suite: &'a Suite,
    pub(crate) report: Option<&'a Path>,
    pub(crate) update: Option<Update>,
    /// Threads that draw and compare; at least 1.
    pub(crate) jobs: usize,
    /// Time of each frame, and of each case without its frames.
    pub(crate) times: &'a FrameTimes,
    /// Called after each frame is judged, from any thread.
    pub(crate) on_frame: &'a (dyn Fn() + Sync),
    /// Called after each case is judged, with its index; from any thread, in any order.
    pub(crate) on_case: &'a (dyn Fn(usize, CaseOutcome) + Sync),
    /// Called with the name of each file that is uploaded to an adapter.
    #[cfg(feature = "render")]
    pub(crate) on_upload: &'a (dyn Fn(&str) + Sync),
}

/// A case with its file.
pub(crate) struct Work<'a> {
    /// Its index among all cases of the run.
    pub(crate) index: usize,
    pub(crate) case: &'a Case,
    pub(crate) source: Arc<CaseSource<'a>>,
}

#[cfg(feature = "render")]
impl Work<'_> {
    /// Returns true if another case draws the same file with the same images.
    fn shares_images(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.source, &other.source) && self.case.shown.image == other.case.shown.image
    }
}

/// A case that is ready to be drawn.
struct OpenCase<'a> {
    work: &'a Work<'a>,
    prepared: Prepared,
    judge: Judge<'a>,
    /// Model for the CPU renderer.
    model: Option<Arc<RasterModel>>,
    next: AtomicUsize,
    frames: Mutex<Vec<Option<FrameResult>>>,
    left: AtomicUsize,
    failed: Mutex<Option<CaptureError>>,
    /// Warnings about everything that the adapter could not take unchanged.
    warnings: Mutex<Vec<String>>,
}

impl<'a> OpenCase<'a> {
    fn new(run: &SuiteRun<'a>, work: &'a Work<'a>, by: &DrawnBy) -> Result<Self, Failure> {
        let Work { case, source, .. } = work;
        let mut judge = Judge::new(run.suite, case, run.report, run.update, by.clone())?;
        let known = |path: &Path| judge.camera(path);
        let opened = source.opened()?;
        let prepared =
            Prepared::new(&run.suite.disk, &case.plan(), case.input, &opened.subject, &known)?;
        let model = match by.renderer.as_str() {
            "cpu" if case.shown.image.is_empty() => {
                Some(source.model(&opened, prepared.picture.mipmaps)?)
            }
            "cpu" => {
                let images = images_of(run.suite, work)?;
                Some(Arc::new(cpu_model(&*opened.subject, images, prepared.picture.mipmaps)))
            }
            _ => None,
        };
        let count = prepared.plan.shots.len();
        judge.note_unrecorded(prepared.plan.paths());
        judge.notes.extend(prepared.notes(&case.shown));
        judge.notes.extend(remarks(&opened));
        judge.begin(prepared.plan.paths(), &prepared.plan.shots)?;
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

    /// Judges a picture. If it cannot be judged, it is an error of its own, and the others go on.
    fn take(&self, run: &SuiteRun<'_>, taken: &mut Taken<'_>) {
        let index = taken.shot;
        let shot = self.prepared.plan.shots.get(index);
        if let Some((shot, path)) = shot.zip(self.prepared.plan.paths().get(index)) {
            let report = self.judge.judge(taken, shot, path, &*self.prepared.subject);
            if let Some(frame) = self.frames.lock().get_mut(index) {
                *frame = Some(report);
            }
        }
        (run.on_frame)();
    }

    fn note_time(&self, run: &SuiteRun<'_>, index: usize, time: Duration) {
        let name = self.prepared.plan.paths().get(index).map(|path| frame_name(path));
        run.times.add(&self.work.case.name, &name.unwrap_or_default(), time);
    }

    fn end(&self, run: &SuiteRun<'_>, by: &DrawnBy) {
        let Work { index, case, source } = self.work;
        let judged: Vec<_> = self.frames.lock().drain(..).collect();
        let all = judged.len();
        let frames: Vec<FrameResult> = judged.into_iter().flatten().collect();
        let differs = frames.iter().any(|frame| frame.status == Status::Failed);
        let changed = differs.then(|| source.changed_since(&self.judge.folder)).flatten();
        source.release();
        let failed = self.failed.lock().take().map(Failure::from);
        let lost = || Failure::Running(anyhow::anyhow!("a picture was not drawn"));
        let failed = failed.or_else(|| (frames.len() < all).then(lost));
        let ended = self.judge.end(self.prepared.plan.paths(), &frames);
        let failed = failed.or_else(|| ended.err().map(Failure::from));
        let mut outcome = match failed {
            Some(failure) => CaseOutcome::failed(case, Some(by.clone()), &failure),
            None => CaseOutcome::of(case, Some(by.clone())),
        };
        outcome.report.notes = [&self.judge.notes[..], &self.warnings.lock()].concat();
        outcome.report.notes.extend(changed);
        outcome.report.baseline_versions = self.judge.versions();
        outcome.is_exact = self.judge.is_exact();
        outcome.report.frames = frames;
        (run.on_case)(*index, outcome);
    }
}

/// Returns the images of a case, premultiplied, with those that it replaces.
fn images_of(suite: &Suite, work: &Work<'_>) -> Result<Vec<Pixels>, Failure> {
    let Work { case, source, .. } = work;
    let opened = source.opened()?;
    let mut images = source.decoded(&opened)?;
    replace_images(&suite.disk, &case.shown, opened.images(), case.input, &mut images)?;
    Ok(images)
}

/// Returns the warnings about a file, as `capture` lists them; of many the first.
fn remarks(opened: &Opened) -> Vec<String> {
    let warnings = opened.subject.warnings();
    let listed = warnings.iter().take(MOST_WARNINGS);
    let mut notes: Vec<String> = listed.map(ToString::to_string).collect();
    let more = warnings.total(Severity::Warning).saturating_sub(notes.len() as u64);
    if more > 0 {
        let more = words::count(more, "more warning", "more warnings");
        notes.push(format!("{more} about the file; list them with `pchr-view capture -v`"));
    }
    notes
}

/// Prepares a case. If that fails, or there is nothing to draw, the case ends at once.
fn open<'a>(run: &SuiteRun<'a>, work: &'a Work<'a>, by: &DrawnBy) -> Option<OpenCase<'a>> {
    let start = Instant::now();
    let opened = OpenCase::new(run, work, by);
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

/// Ends a case that could not be prepared.
fn close(run: &SuiteRun<'_>, work: &Work<'_>, by: &DrawnBy, failure: &Failure) {
    work.source.release();
    let outcome = CaseOutcome::failed(work.case, Some(by.clone()), failure);
    (run.on_case)(work.index, outcome);
}

/// Returns cases in the order in which an adapter draws them: those that share an upload follow each other, and those that need
/// smaller copies of the images go first.
#[cfg(feature = "render")]
fn by_upload<'a>(works: &'a [Work<'a>]) -> Vec<&'a Work<'a>> {
    let first = |is: &dyn Fn(&Work<'_>) -> bool| works.iter().position(is);
    let mut ordered: Vec<_> = works.iter().collect();
    ordered.sort_by_cached_key(|work| {
        (
            first(&|other| Arc::ptr_eq(&other.source, &work.source)),
            first(&|other| other.shares_images(work)),
            work.case.shown.mipmaps != Some(true),
        )
    });
    ordered
}

/// Returns prepared cases with their images: the same `Arc` for cases in a row that share them.
#[cfg(feature = "render")]
fn with_images<'a>(
    run: &SuiteRun<'a>,
    works: Vec<&'a Work<'a>>,
    by: &DrawnBy,
) -> impl Iterator<Item = (OpenCase<'a>, Arc<Vec<Pixels>>)> {
    let mut last: Option<(&Work<'_>, Arc<Vec<Pixels>>)> = None;
    works.into_iter().filter_map(move |work| {
        let same = last.take().filter(|(before, _)| before.shares_images(work));
        let images = match same {
            Some((_, images)) => Ok(images),
            None => images_of(run.suite, work).map(Arc::new),
        };
        // First, so that a case that cannot be drawn keeps its record.
        match images {
            Ok(images) => {
                last = Some((work, images.clone()));
                Some((open(run, work, by)?, images))
            }
            Err(failure) => {
                close(run, work, by, &failure);
                None
            }
        }
    })
}

/// Runs cases with an adapter.
#[cfg(feature = "render")]
pub(crate) fn on_gpu<'a>(run: &SuiteRun<'a>, works: &'a [Work<'a>], opened: &ReadyDevice) {
    use crate::capture::{Drawer, GpuDrawer};
    use pchr::render::Gpu;

    let ReadyDevice::Gpu(gpu, watchdog) = opened else { return };
    let by = &opened.drawn_by();
    let works = by_upload(works);
    let (ready, next) = std::sync::mpsc::sync_channel(1);
    std::thread::scope(|scope| {
        let all = works.clone();
        let ahead = move || {
            let mut prepared = with_images(run, all, by);
            let _ = prepared.all(|prepared| ready.send(prepared).is_ok());
        };
        let started = std::thread::Builder::new().spawn_scoped(scope, ahead);
        // Without another thread each case is made ready when its turn comes.
        let here = if started.is_ok() { Vec::new() } else { works };
        let mut drawer: Option<Drawer> = None;
        // Images of the uploaded file, and true if it has smaller copies of them.
        let mut uploaded: Option<(Arc<Vec<Pixels>>, bool)> = None;
        for (open, images) in next.into_iter().chain(with_images(run, here, by)) {
            let geometry = &*open.prepared.subject;
            let (samples, mipmaps) = (open.prepared.samples, open.prepared.picture.mipmaps);
            let size = open.prepared.size;
            watchdog.expect(size);
            let is_there = uploaded
                .as_ref()
                .is_some_and(|(there, mipped)| Arc::ptr_eq(there, &images) && *mipped >= mipmaps);
            let ready = match &mut drawer {
                Some(Drawer::Gpu(drawer)) => drawer.set_samples(samples).map(|()| {
                    if !is_there {
                        drawer.replace(geometry, &images, mipmaps);
                    }
                }),
                _ => GpuDrawer::new(Gpu::clone(gpu), samples, geometry, &images, mipmaps)
                    .map(|new| drawer = Some(Drawer::Gpu(Box::new(new)))),
            };
            if ready.is_ok() && !is_there {
                (run.on_upload)(&open.work.case.file);
                uploaded = Some((images, mipmaps));
            }
            if let Some(Drawer::Gpu(drawer)) = &drawer {
                open.warnings.lock().extend_from_slice(drawer.warnings());
            }
            // Frames overlap: each takes the time since the one before it was done.
            let last = Mutex::new(Instant::now());
            let sink = |taken: &mut Taken<'_>| {
                open.take(run, taken);
                watchdog.expect(size);
                let now = Instant::now();
                let before = std::mem::replace(&mut *last.lock(), now);
                open.note_time(run, taken.shot, now.saturating_duration_since(before));
                Ok(())
            };
            let shots = &open.prepared.plan.shots;
            let result = match (ready, &mut drawer) {
                (Ok(()), Some(drawer)) => {
                    open.prepared.job(run.jobs).run(drawer, shots, &StageTimes::default(), &sink)
                }
                (ready, _) => ready.map_err(CaptureError::from),
            };
            watchdog.rest(); // until the next case is ready
            *open.failed.lock() = result.err();
            open.end(run, by);
        }
        watchdog.expect([1, 1]); // the drawer goes
    });
}

pub(crate) fn on_cpu(run: &SuiteRun<'_>, works: &[Work<'_>]) {
    let by = DrawnBy::cpu();
    let queue = CpuQueue { works, state: Mutex::default(), opened: Condvar::new() };
    let work = || {
        while let Some(open) = queue.next(run, &by) {
            let Some(model) = &open.model else { return };
            let job = open.prepared.job(1);
            let mut worker = CpuWorker::new(&job, 1);
            let times = StageTimes::default();
            let sink = |taken: &mut Taken<'_>| {
                open.take(run, taken);
                Ok(())
            };
            loop {
                let index = open.next.fetch_add(1, Ordering::Relaxed);
                let Some(shot) = open.prepared.plan.shots.get(index) else { break };
                let start = Instant::now();
                let result = worker.take(model, index, shot, &times, &sink);
                open.note_time(run, index, start.elapsed());
                if let Err(error) = result {
                    open.failed.lock().get_or_insert(error);
                }
                // The last shot ends the case.
                if open.left.fetch_sub(1, Ordering::AcqRel) == 1 {
                    open.end(run, &by);
                }
            }
        }
    };
    threads::together(run.jobs, work);
}

/// Cases in progress, and waiting ones.
struct CpuQueue<'a> {
    works: &'a [Work<'a>],
    state: Mutex<QueueState<'a>>,
    opened: Condvar,
}

#[derive(Default)]
struct QueueState<'a> {
    /// Number of cases already taken.
    begun: usize,
    /// Number of cases being prepared.
    opening: usize,
    /// Cases with frames to draw.
    open: Vec<Arc<OpenCase<'a>>>,
}

impl<'a> CpuQueue<'a> {
    /// Returns a case with frames to draw: an open one, else the next, which is prepared here. Returns `None` if there is nothing more to draw and
    /// never will be.
    fn next(&self, run: &SuiteRun<'a>, by: &DrawnBy) -> Option<Arc<OpenCase<'a>>> {
        let mut state = self.state.lock();
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
                let opened = open(run, work, by).map(Arc::new);
                state = self.state.lock();
                state.open.extend(opened);
                state.opening -= 1;
                self.opened.notify_all();
            } else if state.opening > 0 {
                self.opened.wait(&mut state);
            } else {
                return None;
            }
        }
    }
}
