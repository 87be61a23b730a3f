//! Time for reading, posing and ordering, each against a reference.
#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "made by criterion's macro; a bench ends where a program would report"
)]

#[allow(unreachable_pub, reason = "shared")]
#[path = "support/character.rs"]
mod character;
#[path = "support/naive.rs"]
mod naive;
#[path = "support/subjects.rs"]
mod subjects;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use naive::Naive;
use pchr::character::{Character, owners};
use pchr::document::{AnimationId, BoneId, Document, MeshId};
use pchr::format;
use pchr::pose::{BindChoice, BindPose, FrameAt, Pose, PoseJob};
use pchr::scene::{Frame, Subject, ViewOptions};
use pchr_tools::stage::{Layout, Member, Stage};
use subjects::{longest, poses, skeleton, subjects};

fn read(c: &mut Criterion) {
    let mut group = c.benchmark_group("read");
    for subject in subjects() {
        let bytes = subject.bytes;
        let mut there = vec![1; bytes.len()];
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(format!("{}/copy (reference)", subject.name), |b| {
            b.iter(|| {
                there.copy_from_slice(black_box(bytes));
                black_box(&there);
            });
        });
        group.bench_function(format!("{}/read", subject.name), |b| {
            b.iter(|| black_box(format::read(black_box(bytes)).is_ok()));
        });
    }
}

fn pose(c: &mut Criterion) {
    let mut group = c.benchmark_group("pose");
    for subject in [skeleton(64), skeleton(1024)].into_iter().chain(subjects()) {
        let document = subject.document();
        let bind = BindPose::new(&document, BindChoice::Auto);
        let animation = longest(&document);
        let count = document.animation(animation).map_or(0, |animation| animation.frame_count());
        if count == 0 {
            continue;
        }
        let mut naive = Naive::new(&document, animation);
        group.throughput(Throughput::Elements(document.bones().len() as u64));
        let mut frames = (0..count).cycle();
        group.bench_function(format!("{}/glam (reference)", subject.name), |b| {
            b.iter(|| {
                let frame = frames.next().unwrap_or(0);
                black_box(naive.pose(frame.into()));
            });
        });
        let mut pose = Pose::default();
        let mut frames = (0..count).cycle();
        let mut run = |blend| {
            let frame = frames.next().unwrap_or(0);
            let at =
                FrameAt { next: (frame + 1) % count, blend, ..FrameAt::exact(animation, frame) };
            PoseJob { document: &document, bind: &bind, at: Some(black_box(at)), mix: None }
                .run(&mut pose);
            black_box(&pose);
        };
        group.bench_function(format!("{}/pose", subject.name), |b| b.iter(|| run(0.0)));
        group.bench_function(format!("{}/blended pose", subject.name), |b| {
            b.iter(|| run(0.3));
        });
    }
}

/// Draw order in its simplest form: collect the visible meshes and sort them in every frame.
fn sorted(
    document: &Document,
    owners: &[Option<BoneId>],
    pose: &Pose,
    out: &mut Vec<(i16, MeshId)>,
) {
    let frame = pose.at().and_then(|at| document.animation(at.animation)?.frame(at.frame));
    out.clear();
    for (mesh, owner) in document.mesh_ids().zip(owners) {
        let transform = owner.and_then(|owner| frame?.transform(owner));
        if transform.is_none_or(|transform| transform.visible()) {
            out.push((transform.map_or(0, |transform| transform.z_order), mesh));
        }
    }
    out.sort_by_key(|(z_order, _)| *z_order);
}

fn draw_list(c: &mut Criterion) {
    let mut group = c.benchmark_group("pose and draw list");
    for subject in subjects() {
        let document = subject.document();
        let owners = owners(&document);
        let character = Character::new(document.clone(), BindChoice::Auto);
        let moments: Vec<_> = poses(&document).iter().map(Pose::at).collect();
        let mut next = moments.iter().cycle();
        let (mut pose, mut out) = (Pose::default(), Vec::new());
        group.throughput(Throughput::Elements(document.meshes().len() as u64));
        group.bench_function(format!("{}/stable sort (reference)", subject.name), |b| {
            b.iter(|| {
                if let Some(at) = next.next() {
                    character.pose(black_box(*at), &mut pose);
                    sorted(&document, &owners, &pose, &mut out);
                    black_box(&out);
                }
            });
        });
        let (mut frame, view) = (Frame::default(), ViewOptions::default());
        group.bench_function(format!("{}/frame", subject.name), |b| {
            b.iter(|| {
                if let Some(at) = next.next() {
                    frame.fill(&character, black_box(*at), &view);
                    black_box(&frame);
                }
            });
        });
    }
}

/// A frame of 30 characters together, against the frames of each alone.
fn stage(c: &mut Criterion) {
    const COUNT: u8 = 30;
    let mut group = c.benchmark_group("stage of 30");
    let chosen = ["sample", "generated", "you_xin_suit1"];
    for subject in subjects().iter().filter(|subject| chosen.contains(&subject.name)) {
        let document = subject.document();
        let name = document.animation(longest(&document)).map(|it| it.name().to_owned());
        let character = Arc::new(Character::new(document.clone(), BindChoice::Auto));
        let member = |index| Member {
            animation: name.clone(),
            at: [f32::from(index) * 100.0, 0.0],
            start: f64::from(index) * 0.1,
            turn: f32::from(index),
            ..Member::new("a.pchr".into())
        };
        let layout = Layout { members: (0..COUNT).map(member).collect() };
        let subjects = { layout.members.iter() }.map(|_| Arc::clone(&character) as _).collect();
        let stage = Stage::new(&layout, subjects).expect("characters");
        let moments: Vec<_> = (&stage as &dyn Subject).moments(AnimationId(0)).collect();
        let view = ViewOptions::default();
        let mut frames = vec![Frame::default(); COUNT.into()];
        let own: Vec<_> = poses(&document).iter().map(Pose::at).collect();
        let mut next = own.iter().cycle();
        group.bench_function(format!("{}/each alone (reference)", subject.name), |b| {
            b.iter(|| {
                for frame in &mut frames {
                    frame.fill(&*character, next.next().copied().flatten(), &view);
                }
                black_box(&frames);
            });
        });
        let (mut frame, mut next) = (Frame::default(), moments.iter().cycle());
        group.bench_function(format!("{}/stage", subject.name), |b| {
            b.iter(|| {
                frame.fill(&stage, next.next().copied().flatten(), &view);
                black_box(&frame);
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    targets = read, pose, draw_list, stage
}
criterion_main!(benches);
