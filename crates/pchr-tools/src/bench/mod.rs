//! `pchr-view bench`: measures how long files take, stage by stage, and compares that with an earlier report.
//!
//! ```text
//! files ─► BenchJob (the functions of captures, with a clock) ─► BenchReport ─► text, JSON
//!                 └─ Baseline::check ◄── earlier report ──► Baseline::slower ─┘
//! ```
//!
//! Each picture is drawn alone, after the one before is finished, so that a stage's time is its own. Nothing is encoded or written.

mod report;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use pchr::image::Pixels;
use pchr::playback::FrameSpec;
use pchr::raster::{LayerCounter, SubjectSizes};
use pchr::scene::{CrowdFrames, Frame, Subject};

use self::report::{
    Baseline, BenchReport, FORMAT, FileBench, MaxSlower, PictureTimes, RendererBench, Stages,
    render,
};
#[cfg(feature = "render")]
use crate::capture::GpuWorker;
use crate::capture::{CaptureJob, CpuWorker, Drawer, Output, Shot, StageTimes};
use crate::run::device::{Device, ReadyDevice};
use crate::run::input::{self, InputArgs};
use crate::run::messages::{Messages, progress};
use crate::run::prepare::{self, Prepared};
use crate::run::{Disk, Failure, output};
use crate::session::is_session;
use crate::view::plan::PlanJob;
use crate::view::{AdapterArgs, Playing, RendererArg, Settings, Shown};

/// Arguments of `bench`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view bench hero.pchr
  pchr-view bench hero.pchr -a walk -s 1024x1024 --renderer both
  pchr-view bench art/*.pchr --renderer cpu --json > art.json
  pchr-view bench hero.pchr --renderer cpu --baseline bench.json --max-slower 15%

Each picture is drawn alone, on one thread, after 16 that do not count; frames are drawn in turn. Stages that run once: read, decode (the images), upload (for the renderer). Stages of each picture: pose, order (the meshes, sorted), prepare (the count of the work, overlays, buffers of an adapter), draw (by the CPU renderer; with an adapter, recording and submitting), frame (all four), and gpu, the adapter's own time, if it has timestamps. Reading the picture back is not measured. p50, p95 and p99 are measured times, by nearest rank.

--baseline compares medians: of frame, and of each other stage of a picture whose median was 20 µs or more. Stages that run once are not judged. Take the baseline on the same machine, with nothing else running. It must have the same files, options, size, renderer and number of pictures.

Exit codes: 0 done, 1 failed while running, 2 usage, or a baseline that does not fit, 3 slower than the baseline, 4 invalid input file, 5 no usable graphics adapter")]
pub(crate) struct BenchArgs {
    /// Files to measure, or sessions; - reads a file from standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    input: InputArgs,
    /// Pictures that are measured, of each file by each renderer
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    frames: u32,
    #[command(flatten)]
    shown: Shown,
    /// Renderer
    #[arg(long, value_enum, default_value_t)]
    renderer: BenchRenderer,
    #[command(flatten)]
    adapter: AdapterArgs,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Fail if a stage is slower than in this report, an earlier output of --json
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Percentage by which a median may be above that of the baseline
    #[arg(long, value_name = "P%", default_value = "10%", requires = "baseline")]
    max_slower: MaxSlower,
}

/// Selected renderers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum BenchRenderer {
    /// The GPU when any adapter is found, hardware or software; else the CPU renderer
    #[default]
    Auto,
    /// A graphics adapter
    Gpu,
    /// The built-in renderer
    Cpu,
    /// A graphics adapter, and the built-in renderer
    Both,
}

impl BenchArgs {
    /// Returns true if it opens an adapter.
    #[cfg(all(feature = "render", target_os = "linux"))]
    pub(crate) fn may_open_adapter(&self) -> bool {
        self.renderer != BenchRenderer::Cpu
    }

    fn devices(&self, messages: &Messages) -> Result<Vec<ReadyDevice>, Failure> {
        let open = |renderer| {
            Device::start(renderer, &self.adapter)?.open(Some(self.shown.size()), messages)
        };
        match self.renderer {
            BenchRenderer::Auto => Ok(vec![open(RendererArg::Auto)?]),
            BenchRenderer::Gpu => Ok(vec![open(RendererArg::Gpu)?]),
            BenchRenderer::Cpu => Ok(vec![ReadyDevice::Cpu]),
            BenchRenderer::Both => Ok(vec![open(RendererArg::Gpu)?, ReadyDevice::Cpu]),
        }
    }
}

/// Measures the files, and compares them with the baseline.
pub(crate) fn run(args: &BenchArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    if args.shown.against.is_some() {
        return Err(Failure::Usage("--against: bench draws each file alone".into()));
    }
    let baseline = args.baseline.as_ref().map(|path| Baseline::read(disk, path)).transpose()?;
    if args.renderer == BenchRenderer::Cpu && args.adapter.asked() {
        messages.warning("--backend and --adapter have no effect: --renderer cpu uses no adapter");
    }
    let devices = args.devices(messages)?;
    if let Some(baseline) = &baseline {
        let files: Vec<_> = args.files.iter().map(|path| input::name(path)).collect();
        let renderers: Vec<_> = devices.iter().map(|device| device.drawn_by().name()).collect();
        baseline.check(&files, &renderers)?;
    }
    let report = BenchJob {
        args,
        pictures: args.frames as usize,
        devices: &devices,
        baseline: baseline.as_ref(),
        disk,
        messages,
    };
    let report = report.run()?;
    if args.json {
        output::write_json(&report)?;
    } else if !messages.quiet {
        output::write_text(render(&report).as_bytes())?;
    }
    let Some(baseline) = baseline else { return Ok(()) };
    let slower = baseline.slower(&report, args.max_slower);
    if slower.is_empty() {
        let name = &baseline.name;
        messages.note(&format!("no slower than {name} by more than {}", args.max_slower));
        return Ok(());
    }
    Err(Failure::Slower(slower))
}

pub(crate) fn schema() -> schemars::Schema {
    output::schema::<BenchReport>()
}

/// Pictures that are drawn first and do not count: memory grows, and drivers compile, with the first ones.
const WARM_UP: usize = 16;

/// Plans have a path for each picture; nothing is written to these.
const EACH: &str = "{animation}/{frame}.png";

/// Files to measure: reads, decodes and uploads each, and draws its pictures one by one, by the functions of captures.
struct BenchJob<'a> {
    args: &'a BenchArgs,
    /// Pictures that are measured, of each file by each renderer.
    pictures: usize,
    devices: &'a [ReadyDevice],
    /// Earlier report; files with other options are refused before they are drawn.
    baseline: Option<&'a Baseline>,
    disk: &'a Disk,
    messages: &'a Messages,
}

impl BenchJob<'_> {
    /// Measures the files one after the other.
    fn run(&self) -> Result<BenchReport, Failure> {
        let files = self.args.files.iter().map(|path| self.file(path)).collect::<Result<_, _>>()?;
        Ok(BenchReport {
            format: FORMAT,
            version: crate::version().to_owned(),
            peak_memory: peak_memory(),
            files,
        })
    }

    fn file(&self, path: &Path) -> Result<FileBench, Failure> {
        let name = input::name(path);
        let (options, prepared, images, once) = self.read(path, &name)?;
        if let Some(baseline) = self.baseline {
            baseline.check_file(&name, &options, prepared.size, self.pictures)?;
        }
        let subject = &*prepared.subject;
        let job = prepared.job(1);
        let shots = &prepared.plan.shots;
        let mut renderers = Vec::new();
        for device in self.devices {
            let times = self.times(device, &prepared, &images, once);
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

    /// Reads a file, or what a session names. Returns it with its options, and the times to read it and to decode its images.
    fn read(
        &self,
        path: &Path,
        name: &str,
    ) -> Result<(Settings, Prepared, Vec<Pixels>, [Duration; 2]), Failure> {
        let BenchArgs { shown, input: args, .. } = self.args;
        let (mut shown, mut file, mut args) = (shown.clone(), path.to_owned(), *args);
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
        Ok((options, prepared, images, [read, decode]))
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
        let mut draw: Box<DrawShot<'_>> = match &mut drawer {
            Drawer::Cpu(model) => {
                let mut worker = CpuWorker::new(&job, 1);
                Box::new(move |index, shot, times| {
                    worker.draw(model, index, shot, times)?;
                    Ok(None)
                })
            }
            #[cfg(feature = "render")]
            Drawer::Gpu(drawer) => {
                let mut worker = GpuWorker::new(&job, drawer)?;
                Box::new(move |index, shot, times| {
                    worker.draw(index, shot, times).map_err(Failure::from)
                })
            }
        };
        let progress = progress(self.pictures, self.messages);
        let warm_up = WARM_UP.min(self.pictures);
        let shots = prepared.plan.shots.iter().enumerate();
        let in_turn = shots.cycle().take(warm_up + self.pictures);
        let mut times = PictureTimes::default();
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
        Ok(times.sum_up([read, decode, upload]))
    }
}

/// Draws a shot, and returns the adapter's own time, if it is known.
type DrawShot<'a> = dyn FnMut(usize, &Shot, &StageTimes) -> Result<Option<Duration>, Failure> + 'a;

/// Returns the most draws of shots, and the highest overdraw; of a crowd, that of its first shot.
fn cost<'a>(job: &CaptureJob<'_>, shots: impl Iterator<Item = &'a Shot>) -> (usize, f64) {
    let (mut frame, mut counter) = (Frame::default(), LayerCounter::default());
    let mut crowd = CrowdFrames::default();
    let (mut draws, mut overdraw) = (0, 0.0_f64);
    for (number, shot) in shots.enumerate() {
        frame.fill_mixed(job.subject, shot.at, shot.mix, job.view);
        let of_figures = job.subject.crowd().map(|figures| {
            crowd.fill(figures, &frame);
            crowd.draw_count()
        });
        draws = draws.max(of_figures.unwrap_or_else(|| frame.list().run_count()));
        // The pictures of many figures look alike, and to count one can take a second.
        if number > 0 && of_figures.is_some() {
            continue;
        }
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
