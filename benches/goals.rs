//! Goals for reading and posing, as ratios to references that run in turn in the same run.
//!
//! Prints a table; `PCHR_CORPUS` adds files of the corpus.
#![allow(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a bench prints its result; the numbers are small"
)]

#[allow(unreachable_pub, reason = "shared")]
#[path = "support/character.rs"]
mod character;
#[path = "support/min_of_many.rs"]
mod min_of_many;
#[path = "support/naive.rs"]
mod naive;
#[path = "support/subjects.rs"]
mod subjects;

use std::hint::black_box;
use std::time::Duration;

use character::Character;
use min_of_many::min_of_many;
use naive::Naive;
use pchr::format;
use pchr::pose::{BindChoice, BindPose, FrameAt, Palettes, Pose, PoseJob};
use subjects::{Subject, longest, skeleton, subjects};

/// More bytes than the allocator ever keeps, so this memory comes from the system and goes back to it.
const FRESH: usize = 64 << 20;

fn main() {
    // `cargo bench` and `cargo test --benches` pass arguments that have no meaning here.
    let quick = std::env::args().any(|argument| argument == "--test");
    let turns = if quick { 1 } else { 300 };
    println!("posing: raw records to skinning matrices, against a loop over glam's Affine2");
    for subject in [skeleton(64), skeleton(1024)].iter().chain(&subjects()) {
        pose(subject, turns);
    }
    println!("posing many moments: raw records to skinning matrices, against a copy of those");
    for subject in [skeleton(64)].iter().chain(&subjects()) {
        pose_many(subject, turns / 10 + 1);
    }
    println!("reading: checked, against copies of the same bytes");
    let without_image = |name, character: Character| {
        let mut parts = character.parts();
        for image in &mut parts.images {
            (image.width, image.height) = (1, 1);
            image.data.truncate(4);
        }
        let bytes = format::pchr::write(&parts).unwrap_or_default();
        Subject { name, bytes: bytes.leak() }
    };
    let usual = Character { frames: 480, ..Character::default() };
    let large =
        Character { meshes: 100, side: 45, bones: 256, frames: 2400, ..Character::default() };
    let bare =
        [without_image("64 bones, no image", usual), without_image("256 bones, no image", large)];
    for subject in bare.iter().chain(&subjects()) {
        read(subject, turns / 3 + 1);
    }
}

fn pose(subject: &Subject, turns: usize) {
    let document = subject.document();
    let bind = BindPose::new(&document, BindChoice::Auto);
    let animation = longest(&document);
    let count = document.animation(animation).map_or(0, |animation| animation.frame_count());
    if count == 0 {
        return;
    }
    let mut naive = Naive::new(&document, animation);
    let (mut exact, mut blended) = (Pose::default(), Pose::default());
    let run = |at, pose: &mut Pose| {
        let at = Some(black_box(at));
        PoseJob { document: &document, bind: &bind, at, mix: None }.run(pose);
        black_box(&pose);
    };
    let (mut a, mut b, mut c) = (0, 0, 0);
    let next = |frame: &mut u16| {
        *frame = (*frame + 1) % count;
        *frame
    };
    let times = min_of_many(
        turns,
        Duration::from_micros(100),
        &mut [
            &mut || {
                black_box(naive.pose(usize::from(next(&mut a))));
            },
            &mut || run(FrameAt::exact(animation, next(&mut b)), &mut exact),
            &mut || {
                let frame = next(&mut c);
                let at = FrameAt {
                    next: (frame + 1) % count,
                    blend: 0.3,
                    ..FrameAt::exact(animation, frame)
                };
                run(at, &mut blended);
            },
        ],
    );
    let bones = document.bones().len() as f64;
    if let [naive, exact, blended] = times.as_slice() {
        println!(
            "  {:20} {bones:5} bones: glam {:6.2} ns a bone, ours {:6.2}, {:.2} times as fast; blended {:6.2}",
            subject.name,
            naive / bones,
            exact / bones,
            naive / exact,
            blended / bones
        );
    }
}

/// The moments of a crowd of 10,000 figures of 64 bones, or as many matrices of other skeletons.
fn pose_many(subject: &Subject, turns: usize) {
    let document = subject.document();
    let bind = BindPose::new(&document, BindChoice::Auto);
    let animation = longest(&document);
    let count = document.animation(animation).map_or(0, |animation| animation.frame_count());
    let bones = document.bones().len();
    if count == 0 || bones == 0 {
        return;
    }
    let figures = 640_000 / bones;
    let moments: Vec<_> =
        (0..count).cycle().take(figures).map(|frame| FrameAt::exact(animation, frame)).collect();
    let halfway = |at: &FrameAt| FrameAt { next: (at.frame + 1) % count, blend: 0.5, ..*at };
    let between: Vec<_> = moments.iter().map(halfway).collect();
    let (mut exact, mut blended) = (Palettes::default(), Palettes::default());
    let (mut by_matrices, mut locals, mut local) = (Palettes::default(), Vec::new(), Vec::new());
    for at in moments.iter().copied().map(Some) {
        PoseJob { document: &document, bind: &bind, at, mix: None }.locals(&mut local);
        locals.append(&mut local);
    }
    exact.fill(&document, &bind, &moments);
    let (from, mut to) = (exact.matrices().to_vec(), exact.matrices().to_vec());
    let times = min_of_many(
        turns,
        Duration::from_millis(1),
        &mut [
            &mut || {
                to.copy_from_slice(black_box(&from));
                black_box(&to);
            },
            &mut || {
                exact.fill(&document, &bind, black_box(&moments));
                black_box(&exact);
            },
            &mut || {
                blended.fill(&document, &bind, black_box(&between));
                black_box(&blended);
            },
            &mut || {
                by_matrices.fill_local_matrices(&bind, black_box(&locals));
                black_box(&by_matrices);
            },
        ],
    );
    let records = (figures * bones) as f64;
    if let [copy, exact, blended, by_matrices] = times.as_slice() {
        println!(
            "  {:20} {figures:5} figures of {bones:4} bones: copy {:5.2} ns a bone, posed {:5.2}, {:.2} times the copy; blended {:5.2}; by local matrices {:5.2}",
            subject.name,
            copy / records,
            exact / records,
            exact / copy,
            blended / records,
            by_matrices / records
        );
    }
}

fn read(subject: &Subject, turns: usize) {
    let bytes = subject.bytes;
    let mut there = vec![1; bytes.len()];
    let times = min_of_many(
        turns,
        Duration::from_millis(1),
        &mut [
            &mut || {
                there.copy_from_slice(black_box(bytes));
                black_box(&there);
            },
            &mut || {
                let mut fresh = Vec::with_capacity(FRESH.max(bytes.len()));
                fresh.extend_from_slice(black_box(bytes));
                black_box(&fresh);
            },
            &mut || {
                black_box(format::read(black_box(bytes)).is_ok());
            },
        ],
    );
    if let [there, fresh, read] = times.as_slice() {
        let rate = |time: f64| bytes.len() as f64 / time;
        println!(
            "  {:20} {:9} bytes: copy {:5.1} GB/s, into fresh memory {:5.1}, read {:6.1}; {:.2} times the copy, {:.2} times the fresh one",
            subject.name,
            bytes.len(),
            rate(*there),
            rate(*fresh),
            rate(*read),
            there / read,
            fresh / read
        );
    }
}
