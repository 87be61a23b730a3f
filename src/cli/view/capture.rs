//! `pchr-view capture`: frames to PNG files.

mod plan;

use std::io;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use indicatif::ProgressBar;

use self::plan::{Plan, Target};
use super::args::CaptureArgs;
use super::report::{BindReport, CaptureReport, DrawnBy, PictureReport, milliseconds, print};
use super::select;
use super::values::{Background, FilterArg, Output, RendererArg};
use crate::capture::{Backdrop, CaptureJob, Drawer, StageTimes};
use crate::cli::messages::Messages;
use crate::cli::{Failure, input, output};
use crate::document::{AnimationId, Document, Findings, Severity};
use crate::image::{Pixels, cover, decode_all, premultiply};
use crate::pose::{BindPose, BindSource};
use crate::scene::{Camera2d, Filter, Picture, Samples};

/// Takes the pictures that `args` ask for.
pub(super) fn run(args: &CaptureArgs, messages: &Messages) -> Result<(), Failure> {
    let start = Instant::now();
    if args.json && args.output == Output::Stdout {
        return Err(Failure::Usage(
            "--json and -o - both write to stdout".into(),
        ));
    }
    let device = Device::start(args)?;
    let input = input::read(&args.file, args.input)?;
    let (file, document) = (input.name.clone(), &input.document);
    let read = start.elapsed();

    let mut findings = document.warnings().clone();
    let mut of_images = Findings::default();
    let images = decode_all(document, &mut of_images);
    findings.extend(input.in_file(of_images));
    if findings.total(Severity::Error) > 0 {
        return Err(Failure::Invalid { file, findings });
    }
    let decoded = start.elapsed();

    let asked = |failure: Failure| failure.in_file(&file);
    let choice = select::bind(document, args.bind.as_deref()).map_err(asked)?;
    let bind = BindPose::new(document, choice);
    let wishes = select::Wishes {
        hide: &args.hide,
        only: &args.only,
        show: &args.show,
        z_order: &args.z_order,
    };
    let view = select::meshes(document, wishes).map_err(asked)?;
    let overlay = select::overlay(document, &args.overlay, args.overlay_scale).map_err(asked)?;
    let plan = Plan::new(args, document, &bind, &view).map_err(asked)?;
    let picture = picture(args);
    let backdrop = backdrop(args)?;
    let samples = if args.msaa == "1" {
        Samples::One
    } else {
        Samples::Four
    };
    let planned = start.elapsed();

    let (mut drawer, drawn_by) = device.drawer(args, document, images, samples, messages)?;
    let opened = start.elapsed();

    if let Target::Files(paths) = &plan.target {
        output::make_folders(paths.iter().map(PathBuf::as_path))?;
    }
    // What is odd is said once nothing but drawing is left to fail: the first line of a failure is its error.
    messages.warnings(&file, &findings);
    say_bind(&file, document, &bind, messages);
    if args.renderer == RendererArg::Cpu && args.adapter.asked() {
        messages.warning("--renderer cpu uses no adapter: --backend and --adapter change nothing");
    }
    let job = CaptureJob {
        document,
        bind: &bind,
        view: &view,
        picture,
        samples,
        overlay,
        backdrop,
        jobs: jobs(args),
    };
    let times = StageTimes::default();
    let progress = progress(plan.shots.len(), messages);
    let sink = |shot: usize, png: &[u8]| -> io::Result<()> {
        match &plan.target {
            Target::Stdout => output::write_stdout(png)?,
            Target::Files(paths) => {
                if let Some(path) = paths.get(shot) {
                    output::write_whole(path, png)?;
                }
            }
        }
        progress.inc(1);
        Ok(())
    };
    job.run(&mut drawer, &plan.shots, &times, &sink)?;
    progress.finish_and_clear();

    let total = start.elapsed();
    let Target::Files(paths) = &plan.target else {
        return Ok(());
    };
    for path in paths {
        messages.detail(&format!("wrote {}", path.display()));
    }
    if args.json {
        let mut times: Vec<_> = times.stages().to_vec();
        let marks = [
            ("read", read),
            ("decode", decoded - read),
            ("plan", planned - decoded),
            ("device", opened - planned),
        ];
        times.splice(0..0, marks);
        times.push(("total", total));
        print(&CaptureReport {
            version: env!("PCHR_VERSION"),
            file: &file,
            drawn_by,
            bind_pose: bind_report(document, &bind),
            warnings: findings.iter().map(ToString::to_string).collect(),
            captures: pictures(document, &plan, paths, &picture),
            milliseconds: times
                .into_iter()
                .map(|(name, time)| (name.to_owned(), milliseconds(time)))
                .collect(),
        })?;
    }
    Ok(())
}

fn picture(args: &CaptureArgs) -> Picture {
    let mut clear = match args.background {
        Background::Transparent | Background::Checker { .. } | Background::Picture(_) => [0; 4],
        Background::Color(color) => color,
    };
    premultiply(&mut clear);
    let filter = match args.filter {
        FilterArg::Linear => Filter::Linear,
        FilterArg::Nearest => Filter::Nearest,
    };
    Picture {
        size: args.resolution.0,
        camera: Camera2d::default(),
        filter,
        mipmaps: args.mipmaps,
        clear,
    }
}

/// What is laid under the finished pictures.
fn backdrop(args: &CaptureArgs) -> Result<Backdrop, Failure> {
    Ok(match &args.background {
        Background::Transparent | Background::Color(_) => Backdrop::None,
        Background::Checker { even, odd, size } => Backdrop::Checker {
            even: *even,
            odd: *odd,
            size: *size,
        },
        Background::Picture(path) => {
            let picture = input::read_picture(path)?;
            Backdrop::Picture(Arc::new(cover(&picture, args.resolution.0)))
        }
    })
}

fn jobs(args: &CaptureArgs) -> usize {
    args.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, NonZero::get),
        usize::from,
    )
}

/// A bar on a terminal, when there is more than one picture.
fn progress(pictures: usize, messages: &Messages) -> ProgressBar {
    if pictures > 1 && messages.shows_progress() {
        ProgressBar::new(pictures as u64) // draws to stderr, and only if that is a terminal
    } else {
        ProgressBar::hidden()
    }
}

/// Whether nothing but an adapter will do.
fn needs_adapter(args: &CaptureArgs) -> bool {
    match args.renderer {
        RendererArg::Gpu => true,
        RendererArg::Auto => args.adapter.asked(),
        RendererArg::Cpu => false,
    }
}

/// A device that is opened while the file is read.
struct Device {
    #[cfg(feature = "render")]
    opening: Option<std::thread::JoinHandle<Result<crate::render::Gpu, crate::render::GpuError>>>,
}

#[cfg(feature = "render")]
impl Device {
    fn start(args: &CaptureArgs) -> Result<Self, Failure> {
        if args.renderer == RendererArg::Cpu {
            return Ok(Self { opening: None });
        }
        let options = args.adapter.gpu_options()?;
        let opening =
            std::thread::Builder::new().spawn(move || crate::render::Gpu::headless(&options));
        Ok(Self {
            opening: Some(opening.map_err(anyhow::Error::from)?),
        })
    }

    /// Waits for the device, and puts the document on it or, without one, makes it ready for the CPU.
    fn drawer(
        mut self,
        args: &CaptureArgs,
        document: &Document,
        images: Vec<Pixels>,
        samples: Samples,
        messages: &Messages,
    ) -> Result<(Drawer, DrawnBy), Failure> {
        let Some(opening) = self.opening.take() else {
            return Ok(cpu_drawer(args, document, images));
        };
        let opened = opening
            .join()
            .map_err(|_| anyhow::anyhow!("opening the graphics device failed"))?;
        match opened {
            Ok(gpu) => {
                let drawn_by = DrawnBy {
                    renderer: "gpu",
                    adapter: Some(gpu.info.name.clone()),
                    backend: Some(gpu.info.backend.to_string()),
                    driver: Some(
                        format!("{} {}", gpu.info.driver, gpu.info.driver_info)
                            .trim()
                            .to_owned(),
                    ),
                    software: gpu.is_software(),
                };
                if gpu.is_software() {
                    messages.note(&format!(
                        "no hardware graphics adapter; drawing with {}",
                        gpu.describe()
                    ));
                } else {
                    messages.detail(&format!("drawing with {}", gpu.describe()));
                }
                let drawer =
                    crate::capture::GpuDrawer::new(gpu, samples, document, &images, args.mipmaps);
                drawer
                    .warnings()
                    .iter()
                    .for_each(|warning| messages.warning(warning));
                Ok((Drawer::Gpu(Box::new(drawer)), drawn_by))
            }
            Err(error) if needs_adapter(args) => Err(Failure::NoAdapter(format!(
                "{error} (--renderer cpu needs none)"
            ))),
            Err(error) => {
                messages.note("no usable graphics adapter; drawing with the built-in CPU renderer");
                messages.detail(&error.to_string());
                Ok(cpu_drawer(args, document, images))
            }
        }
    }
}

/// A driver that is still being opened when the program ends can take the exit code with it.
#[cfg(feature = "render")]
impl Drop for Device {
    fn drop(&mut self) {
        if let Some(opening) = self.opening.take() {
            let _ = opening.join(); // whatever came of it: something else has failed already
        }
    }
}

#[cfg(not(feature = "render"))]
impl Device {
    fn start(args: &CaptureArgs) -> Result<Self, Failure> {
        if needs_adapter(args) {
            return Err(Failure::NoAdapter(
                "this program was built without the GPU renderer (feature `render`)".into(),
            ));
        }
        Ok(Self {})
    }

    fn drawer(
        self,
        args: &CaptureArgs,
        document: &Document,
        images: Vec<Pixels>,
        _samples: Samples,
        messages: &Messages,
    ) -> Result<(Drawer, DrawnBy), Failure> {
        if args.renderer == RendererArg::Auto {
            messages.note("built without the GPU renderer; drawing with the built-in CPU renderer");
        }
        Ok(cpu_drawer(args, document, images))
    }
}

fn cpu_drawer(args: &CaptureArgs, document: &Document, images: Vec<Pixels>) -> (Drawer, DrawnBy) {
    let mut model = crate::raster::RasterModel::new(document, images);
    if args.mipmaps {
        model.build_mips();
    }
    (
        Drawer::Cpu(model),
        DrawnBy {
            renderer: "cpu",
            ..DrawnBy::default()
        },
    )
}

/// The user should know when the bind pose is a guess, or leaves bones behind.
fn say_bind(file: &str, document: &Document, bind: &BindPose, messages: &Messages) {
    let name = |id: AnimationId| {
        document
            .animation(id)
            .map_or("", |animation| animation.name())
    };
    match bind.source() {
        BindSource::FirstFrame(id) => messages.note(&format!(
            "{file}: no animation is named like a bind pose; frame 0 of {:?} is taken for it (--bind chooses)",
            name(id)
        )),
        BindSource::Absent => messages.note(&format!("{file}: no animation has a frame; vertices are drawn as stored")),
        BindSource::Named(_) | BindSource::Chosen(..) | BindSource::Disabled => {}
    }
    if !bind.degenerate().is_empty() {
        let mut findings = Findings::default();
        bind.report(document, &mut findings);
        messages.warnings(file, &findings);
    }
}

fn bind_report<'a>(document: &'a Document, bind: &BindPose) -> BindReport<'a> {
    let source = match bind.source() {
        BindSource::Named(_) => "named",
        BindSource::FirstFrame(_) => "first frame",
        BindSource::Chosen(..) => "chosen",
        BindSource::Disabled => "none",
        BindSource::Absent => "absent",
    };
    let at = bind.frame();
    let animation = at
        .and_then(|at| document.animation(at.animation))
        .map(|animation| animation.name());
    BindReport {
        source,
        animation,
        frame: at.map(|at| at.frame),
    }
}

fn pictures<'a>(
    document: &'a Document,
    plan: &Plan,
    paths: &[PathBuf],
    picture: &Picture,
) -> Vec<PictureReport<'a>> {
    let [width, height] = picture.size;
    let fps = crate::pose::playback_fps(document);
    let describe = |(shot, path): (&crate::capture::Shot, &PathBuf)| {
        let at = shot.at;
        let animation = at.and_then(|at| document.animation(at.animation));
        PictureReport {
            path: path.display().to_string(),
            animation: animation.map(|animation| animation.name()),
            animation_index: at.map(|at| at.animation.0),
            frame: at.map(|at| at.frame),
            time: at.map_or(0.0, |at| (f64::from(at.frame) + f64::from(at.blend)) / fps),
            width,
            height,
            camera: shot.camera.into(),
        }
    };
    plan.shots.iter().zip(paths).map(describe).collect()
}
