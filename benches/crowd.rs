//! Crowds: what a figure costs the processor, and frames on this adapter.
//!
//! Prints a table. References run in turn in the same run.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a bench prints its result and ends where a program would report; the numbers are small"
)]

#[path = "support/min_of_many.rs"]
mod min_of_many;

use std::hint::black_box;
use std::time::{Duration, Instant};

use min_of_many::min_of_many;
use pchr::character::Character;
use pchr::document::{Animation, AnimationId};
use pchr::glam::{Affine2, Vec2};
use pchr::image::{Pixels, decode_all};
use pchr::render::gpu_data::CrowdMember;
use pchr::render::{
    Crowd, CrowdRenderer, Gpu, GpuModel, GpuOptions, GpuTimer, OffscreenTarget, Renderer, View,
};
use pchr::scene::{Bake, Camera2d, Picture, Samples, Subject};

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let fox = pchr::format::read(include_bytes!("../assets/sample.pchr").to_vec());
    let fox = Character::from(fox.expect("the sample is valid"));
    let options = GpuOptions::default().with_environment().expect("a known backend");
    let gpu = Gpu::headless(&options).expect("an adapter");
    println!("{}", gpu.info.name);
    bake(&fox, if quick { 1 } else { 30 });
    figures(&gpu, &fox, if quick { 1 } else { 100 });
    let counts = [16, 100, 1_000, 10_000, 20_000, 50_000, 100_000];
    // Software takes seconds for a frame of ten thousand.
    let most = if quick {
        1
    } else if gpu.is_software() {
        4
    } else {
        counts.len()
    };
    counts.iter().take(most).for_each(|count| frames(&gpu, &fox, *count));
}

/// All frames of all clips.
fn bake(fox: &Character, turns: usize) {
    let bake = || Bake::new(black_box(fox), &[], Bake::MOST_BYTES).expect("it is small");
    let records = bake().matrices().len() as f64;
    let times = min_of_many(
        turns,
        Duration::from_millis(1),
        &mut [&mut || {
            black_box(bake());
        }],
    );
    for time in times {
        println!("bake: {records} records, {:.2} ns a record, with draw orders", time / records);
    }
}

/// Figures on a grid that fills the picture, each with its own clip and start.
fn members(count: u32, bake: &Bake, frame: u32) -> impl Iterator<Item = CrowdMember> {
    let palettes = u32::try_from(bake.count()).unwrap_or(1);
    let columns = (count as f32 * 25.0 / 16.0).sqrt().ceil();
    let step = 1875.0 / columns;
    (0..count).map(move |number| {
        let [x, y] = [number as f32 % columns, (number as f32 / columns).floor()];
        let place = Affine2::from_scale_angle_translation(
            Vec2::splat(0.004 * step),
            0.0,
            Vec2::new(step * x - 930.0, 500.0 - 0.8 * step * y),
        );
        CrowdMember::new(place, (number * 7 + frame) % palettes)
    })
}

/// The clip of a figure, its frame, and the number of its frames.
struct Playing {
    clip: AnimationId,
    frame: u16,
    count: u16,
}

/// Ten thousand figures: the next frame of each, and the draws; against writing the bytes alone.
fn figures(gpu: &Gpu, fox: &Character, turns: usize) {
    const COUNT: u32 = 10_000;
    let Gpu { device, queue, .. } = gpu;
    let renderer =
        Renderer::new(device, &OffscreenTarget::options(Samples::One)).expect("a target");
    let bake = Bake::new(fox, &[], Bake::MOST_BYTES).expect("it is small");
    let mut model = GpuModel::new(device, queue, renderer.layouts(), fox, &images(fox), false);
    let mut crowd = Crowd::new(device, queue, renderer.layouts(), &mut model, &bake).expect("fits");
    let mut given: Vec<_> = members(COUNT, &bake, 0).collect();
    let written = given.clone();
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: size_of_val(written.as_slice()) as u64,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let clips: Vec<_> = fox.document().animation_ids().zip(fox.document().animations()).collect();
    let play = |(number, (clip, animation)): (u16, &(AnimationId, Animation<'_>))| {
        let count = animation.frame_count().max(1);
        Playing { clip: *clip, frame: number % count, count }
    };
    let mut playing: Vec<_> = (0..).zip(clips.iter().cycle()).map(play).take(given.len()).collect();
    let flush = || {
        queue.submit([]);
        let _ = device.poll(wgpu::PollType::wait_indefinitely());
    };
    let times = min_of_many(
        turns,
        Duration::from_millis(1),
        &mut [
            &mut || {
                queue.write_buffer(&buffer, 0, bytemuck::cast_slice(black_box(&written)));
                flush();
            },
            &mut || {
                for (member, playing) in given.iter_mut().zip(&mut playing) {
                    playing.frame += 1;
                    if playing.frame == playing.count {
                        playing.frame = 0;
                    }
                    member.palette = bake.palette(playing.clip, playing.frame).unwrap_or_default();
                }
                crowd.prepare(device, queue, black_box(&given));
                flush();
            },
        ],
    );
    if let [write, whole] = times.as_slice() {
        let each = |time: f64| time / f64::from(COUNT);
        println!(
            "{COUNT} baked figures: writing {:.2} ns each, all {:.2}; {:.2} beyond writing",
            each(*write),
            each(*whole),
            each(whole - write)
        );
    }
}

fn images(fox: &Character) -> Vec<Pixels> {
    decode_all(&**fox.document(), &mut Default::default())
}

/// Frames of 1920 x 1080 pixels.
fn frames(gpu: &Gpu, fox: &Character, count: u32) {
    let Gpu { device, queue, .. } = gpu;
    let options = OffscreenTarget::options(Samples::One);
    let renderer = CrowdRenderer::new(device, &options).expect("a target");
    let layouts = pchr::render::Layouts::new(device);
    let bake = Bake::new(fox, &[], Bake::MOST_BYTES).expect("it is small");
    let mut model = GpuModel::new(device, queue, &layouts, fox, &images(fox), true);
    let mut crowd = Crowd::new(device, queue, &layouts, &mut model, &bake).expect("fits");
    let mut view = View::new(device, &layouts);
    let picture = Picture::new([1920, 1080], Camera2d::default());
    view.set_picture(device, queue, &picture);
    let mut target = OffscreenTarget::new(gpu, picture.size, Samples::One, 1).expect("a target");
    let mut timer = GpuTimer::new(gpu);
    let mut pixels = Pixels::transparent();
    // `min` ignores NaN, which is printed where there are no timestamps.
    let (mut whole, mut record, mut adapter) = (f64::NAN, f64::NAN, f64::NAN);
    let mut draws = 0;
    let started = Instant::now();
    for frame in 0..50 {
        let start = Instant::now();
        let members: Vec<_> = members(count, &bake, frame).collect();
        crowd.prepare(device, queue, &members);
        let ticket = target.submit_timed(gpu, picture.clear, timer.as_mut(), |pass| {
            draws = renderer.draw(pass, &view, &model, &crowd);
        });
        record = record.min(milliseconds(start.elapsed()));
        target.wait(gpu, ticket.expect("free"), &mut pixels).expect("the picture comes back");
        whole = whole.min(milliseconds(start.elapsed()));
        if let Some(time) = timer.as_mut().and_then(GpuTimer::take) {
            adapter = adapter.min(milliseconds(time));
        }
        if started.elapsed() > Duration::from_secs(10) {
            break;
        }
    }
    let bones = (fox as &dyn Subject).bone_count();
    println!(
        "{count:6} figures of {bones} bones at 1920x1080, ms: preparing and recording {record:.2}, adapter {adapter:.2}, with read-back {whole:.2}; {draws} draws"
    );
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
