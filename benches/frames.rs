//! Time for frames and captures in both renderers, against a bare wgpu program on the same adapter (`support/bare_wgpu.rs`).
//!
//! "frame" draws and reads back; "capture" also encodes PNG files in memory.
#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "made by criterion's macro; a bench ends where a program would report"
)]

#[path = "support/bare_wgpu.rs"]
mod bare_wgpu;
#[allow(unreachable_pub, reason = "shared")]
#[path = "support/character.rs"]
mod character;
#[path = "support/subjects.rs"]
mod subjects;

use std::hint::black_box;
use std::time::Duration;

use bare_wgpu::Bare;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pchr::character::Character;
use pchr::document::Document;
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_all};
use pchr::pose::{BindChoice, FrameAt, Pose};
use pchr::raster::{Raster, RasterModel, RasterOptions, Simd};
use pchr::render::{Gpu, GpuModel, GpuOptions, Instance, OffscreenTarget, Renderer, View};
use pchr::scene::{Camera2d, Filter, Frame, Picture, Samples, Subject as _, ViewOptions};
use pchr_tools::capture::{CaptureJob, Drawer, GpuDrawer, Shot, StageTimes, Taken};
use subjects::{Subject, longest, poses, subjects};

/// A document and everything needed to draw it.
struct Drawn {
    name: &'static str,
    document: Document,
    images: Vec<Pixels>,
    poses: Vec<Pose>,
    frame: Frame,
    picture: Picture,
}

impl Drawn {
    fn new(subject: &Subject) -> Option<Self> {
        let document = subject.document();
        let images = decode_all(&document, &mut Findings::default());
        let poses = poses(&document);
        let character = Character::new(document.clone(), BindChoice::Auto);
        let at = poses.first()?.at();
        let frame = Frame::new(&character, at, &ViewOptions::default());
        let picture = picture(&document);
        Some(Self { name: subject.name, document, images, poses, frame, picture })
    }
}

/// Picture of 512 x 512 pixels that fits all frames.
fn picture(document: &Document) -> Picture {
    let character = Character::new(document.clone(), BindChoice::Auto);
    let view = ViewOptions::default();
    let bounds = character.sweep(&view).over(&mut moments(document).into_iter());
    Picture {
        size: [512, 512],
        camera: Camera2d::fit(bounds, [512, 512], false),
        filter: Filter::Linear,
        mipmaps: false,
        clear: [0; 4],
    }
}

/// Up to 100 frames of the longest animation.
fn moments(document: &Document) -> Vec<Option<FrameAt>> {
    let animation = longest(document);
    let count = document.animation(animation).map_or(0, |animation| animation.frame_count());
    (0..count.min(100)).map(|frame| Some(FrameAt::exact(animation, frame))).collect()
}

fn gpu() -> Option<Gpu> {
    let options = GpuOptions { backend: Some(pchr::wgpu::Backend::Vulkan), adapter: None };
    Gpu::headless(&options).ok()
}

fn frames(c: &mut Criterion) {
    let mut group = c.benchmark_group("frame");
    for drawn in subjects().iter().filter_map(Drawn::new) {
        let Drawn { name, document, images, poses, frame, picture } = drawn;
        let list = frame.list();
        let bare = bare_wgpu::Scene::new(&document, &images, &poses, list, &picture);
        if let (Some(bare), Some(gpu)) = (Bare::new(bare), gpu()) {
            let mut frames = (0..poses.len()).cycle();
            let mut rgba = Vec::new();
            group.bench_function(format!("{name}/bare wgpu (reference)"), |b| {
                b.iter(|| {
                    bare.draw(frames.next().unwrap_or(0), &mut rgba);
                    black_box(&rgba);
                });
            });
            let Gpu { device, queue, .. } = &gpu;
            let options = OffscreenTarget::options(Samples::One);
            let renderer = Renderer::new(device, &options).expect("a target");
            let layouts = renderer.layouts();
            let mut view = View::new(device, layouts);
            let mut model = GpuModel::new(device, queue, layouts, &document, &images, false);
            let mut instance = Instance::new(device, layouts, &model);
            let mut target =
                OffscreenTarget::new(&gpu, picture.size, Samples::One, 1).expect("a target");
            let mut pixels = Pixels::transparent();
            let mut next = poses.iter().cycle();
            group.bench_function(format!("{name}/gpu"), |b| {
                b.iter(|| {
                    let pose = next.next().expect("a pose");
                    view.set_picture(device, queue, &picture);
                    instance
                        .prepare(device, queue, &mut model, list, black_box(pose))
                        .expect("of one subject");
                    let draw = |pass: &mut wgpu::RenderPass<'_>| {
                        renderer.draw(pass, &view, &model, &instance);
                    };
                    let ticket = target.submit(&gpu, picture.clear, draw).expect("submitted");
                    target.wait(&gpu, ticket, &mut pixels).expect("drawn");
                    black_box(&pixels);
                });
            });
        } else {
            eprintln!("no Vulkan driver: only the CPU renderer is measured");
        }
        let model = RasterModel::new(&document, images);
        let mut raster =
            Raster::new(RasterOptions { samples: Samples::One, threads: 1, simd: Simd::Auto });
        let mut pixels = Pixels::transparent();
        let mut next = poses.iter().cycle();
        group.bench_function(format!("{name}/cpu"), |b| {
            b.iter(|| {
                let pose = next.next().expect("a pose");
                raster
                    .draw(&model, list, black_box(pose), &picture, &mut pixels)
                    .expect("of one subject");
                black_box(&pixels);
            });
        });
    }
}

/// Whole captures on two threads. The bare program draws all frames in the draw order of the first.
fn captures(c: &mut Criterion) {
    let mut group = c.benchmark_group("capture");
    for drawn in subjects().iter().filter_map(Drawn::new) {
        let Drawn { name, document, images, poses, frame, picture } = drawn;
        let character = Character::new(document.clone(), BindChoice::Auto);
        let view = ViewOptions::default();
        let plain = CaptureJob::plain(&character, &view, picture, Samples::One);
        let job = CaptureJob { jobs: 2, ..plain };
        let camera = picture.camera;
        let shots =
            moments(&document).into_iter().map(|at| Shot { at, mix: None, camera: camera.into() });
        let shots: Vec<Shot> = shots.collect();
        group.throughput(Throughput::Elements(shots.len() as u64));
        let run = |drawer: &mut Drawer| {
            let sink = |taken: &mut Taken<'_>| {
                black_box(taken.png()?);
                Ok(())
            };
            job.run(drawer, &shots, &StageTimes::default(), &sink).expect("captured");
        };
        let bare = bare_wgpu::Scene::new(&document, &images, &poses, frame.list(), &picture);
        if let (Some(bare), Some(gpu)) = (Bare::new(bare), gpu()) {
            let (mut rgba, mut png) = (Vec::new(), Vec::new());
            group.bench_function(format!("{name}/bare wgpu (reference)"), |b| {
                b.iter(|| {
                    for frame in 0..poses.len() {
                        bare.draw(frame, &mut rgba);
                        bare.encode(&mut rgba, &mut png);
                        black_box(&png);
                    }
                });
            });
            let drawer = GpuDrawer::new(gpu, Samples::One, &document, &images, false);
            let mut drawer = Drawer::Gpu(Box::new(drawer.expect("a target")));
            group.bench_function(format!("{name}/gpu"), |b| b.iter(|| run(&mut drawer)));
        }
        let mut drawer = Drawer::Cpu(RasterModel::new(&document, images));
        group.bench_function(format!("{name}/cpu"), |b| b.iter(|| run(&mut drawer)));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = frames, captures
}
criterion_main!(benches);
