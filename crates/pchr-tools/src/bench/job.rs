//! Measures files: reads, decodes and uploads each, and draws its pictures one by one, by the functions of captures.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pchr::image::Pixels;
use pchr::playback::FrameSpec;
use pchr::raster::{LayerCounter, SubjectSizes};
use pchr::scene::{CrowdFrames, Frame, Subject};

use super::baseline::Baseline;
use super::report::{BenchReport, FORMAT, FileBench, PictureTimes, RendererBench, Stages};
#[cfg(feature = "render")]
use crate::capture::GpuWorker;
use crate::capture::{CaptureJob, CpuWorker, Drawer, Output, Shot, StageTimes};
use crate::run::device::ReadyDevice;
use crate::run::input::{self, InputArgs};
use crate::run::messages::{Messages, progress};
use crate::run::prepare::{self, Prepared};
use crate::run::{Disk, Failure};
use crate::session::is_session;
use crate::view::plan::PlanJob;
use crate::view::{Playing, Settings, Shown};

/// Pictures that are drawn first and do not count: memory grows, and drivers compile, with the first ones.
const WARM_UP: usize = 16;

/// Plans have a path for each picture; nothing is written to these.
const EACH: &str = "{animation}/{frame}.png";

/// Files to measure.
pub(crate) struct BenchJob<'a> {
    pub(crate) files: &'a [PathBuf],
    /// What their pictures show; without a moment, all frames.
    pub(crate) shown: &'a Shown,
    pub(crate) input: InputArgs,
    /// Pictures that are measured, of each file by each renderer.
    pub(crate) pictures: usize,
    pub(crate) devices: &'a [ReadyDevice],
    /// Earlier report; files with other options are refused before they are drawn.
    pub(crate) baseline: Option<&'a Baseline>,
    pub(crate) disk: &'a Disk,
    pub(crate) messages: &'a Messages,
}

/// A file that was read, and its times so far.
struct ReadFile {
    options: Settings,
    prepared: Prepared,
    images: Vec<Pixels>,
    read: Duration,
    decode: Duration,
}

impl BenchJob<'_> {
    /// Measures the files one after the other.
    pub(crate) fn run(&self) -> Result<BenchReport, Failure> {
        let files = self.files.iter().map(|path| self.file(path));
        let files = files.collect::<Result<_, _>>()?;
        Ok(BenchReport {
            format: FORMAT,
            version: crate::version().to_owned(),
            peak_memory: peak_memory(),
            files,
        })
    }

    fn file(&self, path: &Path) -> Result<FileBench, Failure> {
        let name = input::name(path);
        let ReadFile { options, prepared, images, read, decode } = self.read(path, &name)?;
        if let Some(baseline) = self.baseline {
            baseline.check_file(&name, &options, prepared.size)?;
        }
        let subject = &*prepared.subject;
        let job = prepared.job(1);
        let shots = &prepared.plan.shots;
        let mut renderers = Vec::new();
        for device in self.devices {
            let times = self.times(device, &prepared, &images, [read, decode]);
            renderers.push(RendererBench {
                drawn_by: device.drawn_by(),
                stages: times.map_err(|failure| failure.in_file(&name))?,
            });
        }
        let sizes = SubjectSizes::of(subject);
        let [width, height] = prepared.size;
        let (draws, overdraw) = cost(&job, shots.iter().take(self.pictures));
        Ok(FileBench {
            file: name,
            options,
            animations: animations(subject, shots),
            width,
            height,
            pictures: shots.len(),
            vertices: sizes.vertices,
            bones: sizes.bones,
            texture_bytes: sizes.texture_bytes(),
            mesh_bytes: sizes.mesh_bytes(),
            draws,
            overdraw,
            renderers,
        })
    }

    /// Reads a file, or what a session names.
    fn read(&self, path: &Path, name: &str) -> Result<ReadFile, Failure> {
        let (mut shown, mut file, mut args) = (self.shown.clone(), path.to_owned(), self.input);
        if is_session(path) {
            let session = input::session(self.disk, path, &shown, &Playing::default())?;
            args.allow_outside |= session.reads_outside();
            (shown, file) = (session.shown, session.file);
        }
        let options = shown.settings();
        if shown.frame.is_none() && shown.time.is_none() {
            shown.frame = Some(FrameSpec::All);
        }
        let start = Instant::now();
        let opened = input::open(self.disk, &file, name, args, &shown.companions())?;
        let read = start.elapsed();
        let (mut images, findings) = prepare::decode(&opened, name)?;
        let asked = |failure: Failure| failure.in_file(name);
        prepare::replace_images(self.disk, &shown, opened.images(), args, &mut images)
            .map_err(asked)?;
        let decode = start.elapsed().saturating_sub(read);
        self.messages.warnings(name, &findings);
        let outputs = [EACH.parse::<Output>().map_err(Failure::Usage)?];
        let plan = PlanJob::new(&shown, &outputs);
        let prepared =
            Prepared::new(self.disk, &plan, args, &opened.subject, &|_| None).map_err(asked)?;
        Ok(ReadFile { options, prepared, images, read, decode })
    }

    /// Draws the pictures of a file with a device.
    fn times(
        &self,
        device: &ReadyDevice,
        prepared: &Prepared,
        images: &[Pixels],
        [read, decode]: [Duration; 2],
    ) -> Result<Stages, Failure> {
        let (subject, job) = (&*prepared.subject, prepared.job(1));
        device.expect(prepared.size);
        let mut drawer = device.drawer(subject, images.to_vec(), prepared, self.messages)?;
        let start = Instant::now();
        match &mut drawer {
            Drawer::Cpu(model) => {
                *model = prepare::cpu_model(subject, images.to_vec(), prepared.picture.mipmaps);
            }
            #[cfg(feature = "render")]
            Drawer::Gpu(drawer) => {
                drawer.set_samples(job.samples).map_err(anyhow::Error::from)?;
                drawer.replace(subject, images, prepared.picture.mipmaps);
            }
        }
        let upload = start.elapsed();
        let mut times = PictureTimes::default();
        self.draw(device, &job, &prepared.plan.shots, &mut drawer, &mut times)?;
        Ok(times.sum_up([read, decode, upload]))
    }

    fn draw(
        &self,
        device: &ReadyDevice,
        job: &CaptureJob<'_>,
        shots: &[Shot],
        drawer: &mut Drawer,
        times: &mut PictureTimes,
    ) -> Result<(), Failure> {
        let mut draw: Box<DrawShot<'_>> = match drawer {
            Drawer::Cpu(model) => {
                let mut worker = CpuWorker::new(job, 1);
                Box::new(move |index, shot, times| {
                    worker.draw(model, index, shot, times)?;
                    Ok(None)
                })
            }
            #[cfg(feature = "render")]
            Drawer::Gpu(drawer) => {
                let mut worker = GpuWorker::new(job, drawer)?;
                Box::new(move |index, shot, times| {
                    worker.draw(index, shot, times).map_err(Failure::from)
                })
            }
        };
        let progress = progress(self.pictures, self.messages);
        let warm_up = WARM_UP.min(self.pictures);
        let in_turn = shots.iter().enumerate().cycle().take(warm_up + self.pictures);
        for (number, (index, shot)) in in_turn.enumerate() {
            device.expect(job.picture.size);
            let of_picture = StageTimes::default();
            let gpu = draw(index, shot, &of_picture)?;
            if number >= warm_up {
                times.add(&of_picture, gpu);
                progress.inc(1);
            }
        }
        device.rest();
        progress.finish_and_clear();
        Ok(())
    }
}

/// Draws a shot, and returns the adapter's own time, if it is known.
type DrawShot<'a> = dyn FnMut(usize, &Shot, &StageTimes) -> Result<Option<Duration>, Failure> + 'a;

/// Returns the most draws of shots, and the highest overdraw.
fn cost<'a>(job: &CaptureJob<'_>, shots: impl Iterator<Item = &'a Shot>) -> (usize, f64) {
    let (mut frame, mut counter) = (Frame::default(), LayerCounter::default());
    let mut crowd = CrowdFrames::default();
    let (mut draws, mut overdraw) = (0, 0.0_f64);
    for shot in shots {
        frame.fill_mixed(job.subject, shot.at, shot.mix, job.view);
        let of_figures = job.subject.crowd().map(|figures| {
            crowd.fill(figures, &frame);
            crowd.draw_count()
        });
        draws = draws.max(of_figures.unwrap_or_else(|| frame.list().run_count()));
        // Work is within the limit, or the picture could not have been drawn.
        if let Ok(layers) = counter.count(job.subject, &frame, &job.picture_of(shot), 1) {
            overdraw = overdraw.max(layers.overdraw());
        }
    }
    (draws, overdraw)
}

/// Returns the names of the animations of shots, in order.
fn animations(subject: &dyn Subject, shots: &[Shot]) -> Vec<String> {
    let mut ids: Vec<_> = shots.iter().filter_map(|shot| Some(shot.at?.animation)).collect();
    ids.dedup();
    ids.into_iter().map(|id| subject.animation_name(id).to_owned()).collect()
}

/// Returns the most memory that the process has used, in bytes; `None` if the system does not say.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}
