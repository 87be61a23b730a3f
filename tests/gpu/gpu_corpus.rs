//! Tests of the GPU renderer with the corpus: its skinning and its pictures are compared with the CPU renderer's, whose pictures
//! `tests/pictures/raster.rs` compares with those of another renderer.
//!
//! `WGPU_BACKEND` and `WGPU_ADAPTER_NAME` choose the adapter.
#![cfg(feature = "render")]
#![allow(
    clippy::print_stdout,
    reason = "a failed expectation is a failed test, and its figures are printed"
)]

use crate::corpus::{self, Difference, GREY, Loaded};
use crate::fixture::picture;
use crate::support::{Stage, gpu, taken};
use pchr::character::Character;
use pchr::image::Pixels;
use pchr::pose::{BindChoice, FrameAt, transform_point};
use pchr::render::{Gpu, OffscreenTarget, gpu_data, shaders};
use pchr::scene::{Camera2d, Samples, Subject as _, ViewOptions};

/// Shader that draws every coordinate of a vertex as one pixel, in the order of the vertex buffer: X in the upper half, and Y in the
/// lower one. It is stored as bits, since not every adapter can draw floats.
const POINTS: &str = "
struct Point { @builtin(position) clip: vec4f, @location(0) @interpolate(flat) bits: u32 }  // without a mirror.

@vertex
fn vs_points(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) axis: u32,
    @location(0) bind: vec2f,
    @location(2) bone_ids: vec4u,
    @location(3) bone_weights: vec4f,
) -> Point {
    let pixel = vec2f(f32(vertex % 256u), f32(vertex / 256u + 256u * axis)) + 0.5;
    let clip = vec4f(pixel / vec2f(128.0, -256.0) + vec2f(-1.0, 1.0), 0.0, 1.0);
    let screen = common_screen(common_world(bind, bone_ids, bone_weights));
    return Point(clip, bitcast<u32>(select(screen.x, screen.y, axis == 1u)));
}

@fragment
fn fs_points(in: Point) -> @location(0) vec4f {
    let bytes = vec4u(in.bits, in.bits >> 8u, in.bits >> 16u, in.bits >> 24u) & vec4u(255u);
    return vec4f(bytes) / 255.0;
}
";

struct Points<'a> {
    gpu: &'a Gpu,
    pipeline: wgpu::RenderPipeline,
    target: OffscreenTarget,
}

impl<'a> Points<'a> {
    /// Number of vertices in a picture.
    const MOST: usize = 256 * 256;

    fn new(stage: &Stage<'a>) -> Self {
        let device = &stage.gpu.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("Points::module"),
            source: wgpu::ShaderSource::Wgsl(shaders::with_common(POINTS).into()),
        });
        let layouts = stage.renderer.layouts();
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("Points::layout"),
            bind_group_layouts: &[Some(&layouts.frame), Some(&layouts.model)],
            immediate_size: 0,
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("Points::pipeline"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_points"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[Some(gpu_data::VERTEX_LAYOUT)],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::PointList,
                ..Default::default()
            },
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs_points"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(OffscreenTarget::FORMAT.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let target = OffscreenTarget::new(stage.gpu, [256, 512], Samples::One, 1).unwrap();
        Self { gpu: stage.gpu, pipeline, target }
    }

    /// Screen positions of all vertices that the stage has prepared.
    fn read(&mut self, stage: &Stage<'_>, count: usize) -> Vec<[f32; 2]> {
        let mut points = Vec::with_capacity(count);
        for first in (0..count).step_by(Self::MOST) {
            let some = first..count.min(first + Self::MOST);
            let pixels = taken(self.gpu, &mut self.target, [255; 4], |pass| {
                pass.set_pipeline(&self.pipeline);
                pass.set_bind_group(0, stage.camera.group().unwrap(), &[]);
                pass.set_bind_group(1, stage.instance.group(), &[]);
                let vertices = stage.model.vertices().unwrap();
                let byte = |vertex: usize| (vertex * 40) as u64;
                pass.set_vertex_buffer(0, vertices.slice(byte(some.start)..byte(some.end)));
                pass.draw(0..some.len() as u32, 0..2);
            });
            let (x, y) = pixels.rgba.as_chunks::<4>().0.split_at(Self::MOST);
            let both = x.iter().zip(y).map(|(x, y)| [x, y].map(|bits| f32::from_le_bytes(*bits)));
            points.extend(both.take(some.len()));
        }
        let drawn = points.as_flattened().iter().all(|it| it.is_finite());
        assert!(drawn, "a vertex was not drawn");
        points
    }
}

/// Largest distance in pixels, along one axis, between the positions of a vertex on the GPU and on the CPU.
fn deviation(
    points: &mut Points<'_>,
    stage: &mut Stage<'_>,
    at: Option<FrameAt>,
    camera: Camera2d,
) -> f32 {
    let mut picture = picture([512, 512]);
    picture.camera = camera;
    stage.pose(at);
    stage.prepare(&picture);
    let mut cpu = Vec::new();
    for mesh in stage.character.document().meshes() {
        stage.frame.pose().place(&mesh, &mut cpu);
    }
    if cpu.is_empty() {
        return 0.0;
    }
    let map = camera.screen_from_world(picture.size);
    let gpu = points.read(stage, cpu.len());
    let off = cpu.iter().zip(gpu).map(|(cpu, gpu)| {
        let [x, y] = transform_point(&map, *cpu);
        (x - gpu[0]).abs().max((y - gpu[1]).abs())
    });
    off.fold(0.0, |worst, off| {
        assert!(off.is_finite());
        f32::max(worst, off)
    })
}

#[test]
#[cfg_attr(any(skip_gpu_tests, not(pchr_corpus)), ignore = "needs PCHR_TEST_GPU=1 and PCHR_CORPUS")]
fn the_shader_puts_vertices_where_the_cpu_does() {
    let gpu = gpu();
    // Reference frames.
    let mut seen = Vec::new();
    for character in corpus::characters() {
        let frames = corpus::oracle(&character).into_iter();
        let frames: Vec<_> = frames.map(|frame| (Some(frame.at()), frame.camera)).collect();
        seen.push((character.pchr, frames));
    }
    // Some frames of each animation of synthetic files.
    for entry in std::fs::read_dir(corpus::root().join("synthetic")).unwrap() {
        let file = entry.unwrap().path();
        let name = file.to_string_lossy().into_owned();
        if !(name.ends_with(".pchr") || name.ends_with(".pchr.gz")) || name.contains(".legacy.") {
            continue;
        }
        let document = corpus::read_document(&file);
        let mut frames = vec![None];
        for (id, animation) in document.animation_ids().zip(document.animations()) {
            let step = usize::from(animation.frame_count() / 8).max(1);
            let some = (0..animation.frame_count()).step_by(step);
            frames.extend(some.map(|frame| Some(FrameAt::exact(id, frame))));
        }
        let character = Character::new(document, BindChoice::Auto);
        let view = ViewOptions::default();
        let bounds = character.sweep(&view).over(&mut frames.iter().copied());
        let camera = Camera2d::fit(bounds, [512, 512], false);
        seen.push((file, frames.into_iter().map(|at| (at, camera)).collect()));
    }
    assert!(seen.len() >= corpus::characters().len() + 10, "{}", seen.len());
    let mut worst: f32 = 0.0;
    for (file, frames) in seen {
        let document = corpus::read_document(&file);
        let mut stage = Stage::new(&gpu, &document, [1, 1], Samples::One, false);
        let mut points = Points::new(&stage);
        let off = frames.into_iter();
        let off = off.map(|(at, camera)| deviation(&mut points, &mut stage, at, camera));
        let off = off.fold(0.0, f32::max);
        println!("{}: {off} px", file.file_name().unwrap().display());
        worst = worst.max(off);
    }
    println!("{}: worst deviation {worst} px", gpu.describe());
    assert!(worst < 0.03, "{worst}");
    gpu.check().unwrap();
}

#[test]
#[cfg_attr(any(skip_gpu_tests, not(pchr_corpus)), ignore = "needs PCHR_TEST_GPU=1 and PCHR_CORPUS")]
fn both_renderers_draw_the_same_with_one_sample_and_with_four() {
    [Samples::One, Samples::Four].into_iter().for_each(agree);
}

/// Draws every reference frame with both renderers. Overall at most one pixel in a thousand may differ by more than 1 of
/// 255, and in one picture at most one in five hundred. At most one in ten thousand may differ by more than 8.
fn agree(samples: Samples) {
    use pchr::raster::{Raster, RasterModel, RasterOptions};

    let gpu = gpu();
    let mut raster = Raster::new(RasterOptions { samples, ..RasterOptions::default() });
    let mut failures = Vec::new();
    let mut all = Difference::default();
    for character in corpus::characters() {
        let loaded = Loaded::read(&character.pchr);
        let model = RasterModel::new(&loaded.character, loaded.images.clone());
        let mut stage = Stage::new(&gpu, loaded.character.document(), [512, 512], samples, false);
        for frame in corpus::oracle(&character) {
            for clear in [GREY, [0; 4]] {
                let picture = frame.picture(clear);
                let got = stage.draw(Some(frame.at()), &picture);
                let mut wanted = Pixels::transparent();
                let (list, pose) = (stage.frame.list(), stage.frame.pose());
                raster.draw(&model, list, pose, &picture, &mut wanted).unwrap();
                let off = corpus::compare(&got, &wanted);
                if off.over_1 * 500 > off.pixels || off.over_8 * 10_000 > off.pixels {
                    failures.push((character.id.clone(), frame.frame, off));
                }
                all.over_1 += off.over_1;
                all.pixels += off.pixels;
                all.worst = all.worst.max(off.worst);
            }
        }
    }
    println!("{}, {samples:?}: {} of {}, {}", gpu.describe(), all.over_1, all.pixels, all.worst);
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(all.over_1 * 1000 <= all.pixels, "{all:?}");
    gpu.check().unwrap();
}
