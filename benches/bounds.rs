//! The bounds of an animation: the sweep that is used, and moving every vertex of every frame.
#![allow(
    missing_docs,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    reason = "made by criterion's macro; a bench ends where a program would report"
)]

#[allow(unreachable_pub, reason = "shared")]
#[path = "support/character.rs"]
mod character;

use std::hint::black_box;

use character::Character;
use criterion::{Criterion, criterion_group, criterion_main};
use pchr_view::document::{
    AnimationParts, BoneParts, BoneTransform, Document, DocumentParts, ImageParts, MeshParts,
    Vertex,
};
use pchr_view::format;
use pchr_view::pose::{BindChoice, BindPose, FrameAt, Pose, PoseJob, skin_mesh};
use pchr_view::scene::{BoundsJob, Scene, ViewOptions, distinct_frames};

/// As large as the union: `[left, bottom, right, top]`.
fn plain(job: &BoundsJob<'_>, frames: impl Iterator<Item = Option<FrameAt>>) -> [f32; 4] {
    let BoundsJob {
        document,
        bind,
        view,
    } = *job;
    let (mut pose, mut scene, mut points) = (Pose::default(), Scene::new(document), Vec::new());
    let mut union = [
        f32::INFINITY,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NEG_INFINITY,
    ];
    for at in frames {
        PoseJob { document, bind, at }.run(&mut pose);
        for draw in scene.build(document, &pose, view).draws() {
            let mesh = document.mesh(draw.mesh).expect("a draw's mesh is there");
            points.clear();
            skin_mesh(&mesh, pose.world_from_bind(), true, &mut points);
            for [x, y] in points.iter().filter(|p| p.iter().all(|n| n.is_finite())) {
                let [left, bottom, right, top] = union;
                union = [left.min(*x), bottom.min(*y), right.max(*x), top.max(*y)];
            }
        }
    }
    union
}

/// One bone that grows and turns, so that most frames extend the bounds: the worst that a small file can ask for.
fn growing(side: u16, frames: u16) -> Document {
    let vertex = |i: u16| Vertex {
        position: [f32::from(i % side), f32::from(i / side)],
        bone_weights: [1.0, 0.0, 0.0, 0.0],
        ..Vertex::default()
    };
    let transform = |frame: u16| BoneTransform {
        rotation: f32::from(frame) / 7.0,
        scale_x: 1.0 + f32::from(frame) / 1000.0,
        scale_y: 1.0 + f32::from(frame) / 1000.0,
        flags: 1,
        ..BoneTransform::default()
    };
    let mesh = MeshParts {
        vertices: (0..side * side).map(vertex).collect(),
        ..MeshParts::default()
    };
    let parts = DocumentParts {
        fps: 24,
        images: vec![ImageParts::default()],
        bones: vec![BoneParts::default()],
        meshes: vec![mesh],
        animations: vec![AnimationParts {
            frame_count: frames,
            transforms: (0..frames).map(transform).collect(),
            ..AnimationParts::default()
        }],
        ..DocumentParts::default()
    };
    let bytes = format::pchr::write(&parts).expect("it can be written");
    format::read(bytes).expect("it is valid")
}

fn bounds(c: &mut Criterion) {
    let character = Character {
        frames: 600,
        ..Character::default()
    };
    let documents = [
        ("character, 600 frames", character.document()),
        ("growing, 0.7 MB", growing(90, 15_000)),
    ];
    let mut group = c.benchmark_group("bounds");
    group.sample_size(10);
    for (name, document) in &documents {
        let (bind, view) = (
            BindPose::new(document, BindChoice::Auto),
            ViewOptions::default(),
        );
        let job = BoundsJob {
            document,
            bind: &bind,
            view: &view,
        };
        let longest = document
            .animation_ids()
            .zip(document.animations())
            .max_by_key(|(_, animation)| animation.frame_count())
            .map(|(id, _)| id)
            .expect("there is an animation");
        let frames = || distinct_frames(document, longest);
        let swept = job.run(frames()).expect("something is drawn");
        let [left, bottom, right, top] = plain(&job, frames());
        assert_eq!((swept.min, swept.max), ([left, bottom], [right, top]));
        group.bench_function(format!("{name}/swept"), |b| {
            b.iter(|| black_box(job.run(frames())));
        });
        group.bench_function(format!("{name}/plain"), |b| {
            b.iter(|| black_box(plain(&job, frames())));
        });
    }
    group.finish();
}

criterion_group!(benches, bounds);
criterion_main!(benches);
