//! Resident memory over a million small frames by each renderer: posed, sorted, drawn and read back, as a viewer that never ends does.
//!
//! Prints a table after about half an hour. The reference is the memory after the first hundredth of the frames, when buffers and caches
//! are full.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::cast_precision_loss,
    reason = "a bench prints its result and ends where a program would report"
)]

use std::time::Instant;

use pchr::character::Character;
use pchr::image::{Pixels, decode_all};
use pchr::playback::FrameAt;
use pchr::raster::{Raster, RasterModel, RasterOptions};
use pchr::render::{Gpu, GpuModel, GpuOptions, Instance, OffscreenTarget, Renderer, View};
use pchr::scene::{Camera2d, Frame, Picture, Samples, Subject, ViewOptions};

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let frames = if quick { 100 } else { 1_000_000 };
    let fox = pchr::format::read(include_bytes!("../assets/sample.pchr").to_vec());
    let fox = Character::from(fox.expect("the sample is valid"));
    let subject: &dyn Subject = &fox;
    let moments = subject.animation_ids().flat_map(|id| subject.moments(id));
    let moments: Vec<FrameAt> = moments.flatten().collect();
    let images = decode_all(&**fox.document(), &mut Default::default());
    let picture = Picture::new([32, 32], Camera2d { zoom: 0.06, ..Camera2d::default() });
    let (mut frame, mut pixels) = (Frame::default(), Pixels::transparent());
    let fill = |at: usize, frame: &mut Frame| {
        let at = moments.get(at % moments.len()).copied();
        frame.fill(&fox, at, &ViewOptions::default());
    };

    let model = RasterModel::new(&**fox.document(), images.clone());
    let mut raster = Raster::new(RasterOptions::default());
    measure("CPU renderer", frames, |at| {
        fill(at, &mut frame);
        let (list, pose) = (frame.list(), frame.pose());
        raster.draw(&model, list, pose, &picture, &mut pixels).expect("of one subject");
    });

    let options = GpuOptions::default().with_environment().expect("a known backend");
    let gpu = Gpu::headless(&options).expect("an adapter");
    let Gpu { device, queue, info, .. } = &gpu;
    let renderer =
        Renderer::new(device, &OffscreenTarget::options(Samples::One)).expect("a target");
    let layouts = renderer.layouts();
    let mut view = View::new(device, layouts);
    let mut model = GpuModel::new(device, queue, layouts, &**fox.document(), &images, true);
    let mut instance = Instance::new(device, layouts, &model);
    let mut target = OffscreenTarget::new(&gpu, picture.size, Samples::One, 1).expect("a target");
    measure(&info.name, frames, |at| {
        fill(at, &mut frame);
        view.set_picture(device, queue, &picture);
        instance
            .prepare(device, queue, &mut model, frame.list(), frame.pose())
            .expect("of one subject");
        let ticket = target.submit(&gpu, picture.clear, |pass| {
            renderer.draw(pass, &view, &model, &instance);
        });
        target.wait(&gpu, ticket.expect("submitted"), &mut pixels).expect("drawn");
    });
}

/// Draws frames, and prints the memory after a hundredth of them and at the end.
fn measure(name: &str, frames: usize, mut draw: impl FnMut(usize)) {
    let start = Instant::now();
    let mut first = 0;
    for at in 0..frames {
        draw(at);
        if at + 1 == frames / 100 {
            first = resident();
        }
    }
    let (end, seconds) = (resident(), start.elapsed().as_secs_f64());
    let more = 100.0 * (end as f64 / first as f64 - 1.0);
    println!(
        "{name}: {frames} frames in {seconds:.0} s, {first} kB resident at 1 %, then {end} kB ({more:+.2} %)"
    );
}

/// Returns the resident memory of this process in kB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a running process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).expect("its memory")
}
