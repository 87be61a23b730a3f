//! Time for frames of a character of the usual size with the CPU renderer on one thread.
#![allow(missing_docs, reason = "made by criterion's macro")]

#[path = "support/character.rs"]
mod character;

use std::hint::black_box;

use character::Character;
use criterion::{Criterion, criterion_group, criterion_main};
use pchr::bytes::Budget;
use pchr::document::{AnimationId, Document};
use pchr::image::{DEFAULT_BUDGET, Pixels, decode};
use pchr::pose::{BindChoice, BindPose, FrameAt, Pose, PoseJob};
use pchr::raster::{Raster, RasterModel, RasterOptions, Simd};
use pchr::scene::{Camera2d, Filter, Frame, Picture, Samples, ViewOptions};

fn poses(document: &Document) -> Vec<Pose> {
    let bind = BindPose::new(document, BindChoice::Auto);
    let pose = |frame| {
        let mut pose = Pose::default();
        PoseJob {
            document,
            bind: &bind,
            at: Some(FrameAt::exact(AnimationId(1), frame)),
            mix: None,
        }
        .run(&mut pose);
        pose
    };
    (0..100).map(pose).collect()
}

fn frames(c: &mut Criterion) {
    let document = Character::default().document();
    let budget = Budget::new(DEFAULT_BUDGET);
    let images = document.image_ids().filter_map(|id| decode(&document, id, &budget).ok());
    let model = RasterModel::new(&document, images.collect());
    let poses = poses(&document);
    let character = pchr::character::Character::new(document, BindChoice::Auto);
    let first = poses.first().and_then(Pose::at);
    let frame = Frame::new(&character, first, &ViewOptions::default());
    let mut group = c.benchmark_group("raster");
    for (size, zoom) in [([512, 512], 1.0), ([1920, 1080], 2.1)] {
        let picture = Picture {
            size,
            camera: Camera2d { zoom, ..Camera2d::default() },
            filter: Filter::Linear,
            mipmaps: false,
            clear: [0; 4],
        };
        for samples in [Samples::One, Samples::Four] {
            for simd in [Simd::Auto, Simd::Portable] {
                let mut raster = Raster::new(RasterOptions { samples, threads: 1, simd });
                let mut out = Pixels::transparent();
                let [width, height] = size;
                let name = format!("{width}x{height} {} samples {simd:?}", samples.count());
                let mut poses = poses.iter().cycle();
                group.bench_function(name, |b| {
                    b.iter(|| {
                        if let Some(pose) = poses.next() {
                            let drawn = raster.draw(
                                &model,
                                frame.list(),
                                black_box(pose),
                                &picture,
                                &mut out,
                            );
                            debug_assert_eq!(drawn, Ok(()));
                        }
                    });
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, frames);
criterion_main!(benches);
