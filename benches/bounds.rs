//! Time to find the bounds of an animation: with the sweep in use, and by moving every vertex of every frame.
#![allow(
    missing_docs,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    reason = "made by criterion's macro; a bench ends where a program would report"
)]

#[allow(unreachable_pub, reason = "shared")]
#[path = "support/character.rs"]
mod character;
#[path = "../tests/support/fixture.rs"]
mod fixture;

use std::hint::black_box;

use character::Character;
use criterion::{Criterion, criterion_group, criterion_main};
use fixture::{Builder, WHITE, vertex};
use pchr::document::{BoneTransform, Document};
use pchr::pose::BindChoice;
use pchr::scene::{PlainSweep, Subject, Sweep as _, ViewOptions};

/// One bone that grows and turns, so that most frames extend the bounds: the worst case for a small file.
fn growing(side: u16, frames: u16) -> Document {
    let transform = |frame: u16| BoneTransform {
        rotation: f32::from(frame) / 7.0,
        scale_x: 1.0 + f32::from(frame) / 1000.0,
        scale_y: 1.0 + f32::from(frame) / 1000.0,
        flags: 1,
        ..BoneTransform::default()
    };
    let vertex = |i: u16| vertex(0, [f32::from(i % side), f32::from(i / side)]);
    let vertices: Vec<_> = (0..side * side).map(vertex).collect();
    let frames: Vec<_> = (0..frames).map(|frame| [transform(frame)]).collect();
    Builder::new()
        .image(1, &[WHITE])
        .bones(1)
        .mesh("", 0, vertices, [])
        .animation("", false, &frames)
        .document()
}

fn bounds(c: &mut Criterion) {
    let character = Character { frames: 600, ..Character::default() };
    let documents =
        [("character, 600 frames", character.document()), ("growing, 0.7 MB", growing(90, 15_000))];
    let mut group = c.benchmark_group("bounds");
    group.sample_size(10);
    for (name, document) in &documents {
        let character = pchr::character::Character::new(document.clone(), BindChoice::Auto);
        let view = ViewOptions::default();
        let longest = document
            .animation_ids()
            .zip(document.animations())
            .max_by_key(|(_, animation)| animation.frame_count())
            .map(|(id, _)| id)
            .expect("there is an animation");
        let frames = || (&character as &dyn Subject).moments(longest);
        let swept = || character.sweep(&view).over(&mut frames());
        let plain = || PlainSweep::new(&character, &view).over(&mut frames());
        assert_eq!(swept(), plain());
        group.bench_function(format!("{name}/swept"), |b| {
            b.iter(|| black_box(swept()));
        });
        group.bench_function(format!("{name}/plain"), |b| {
            b.iter(|| black_box(plain()));
        });
    }
    group.finish();
}

criterion_group!(benches, bounds);
criterion_main!(benches);
