//! Goals of motions as ratios, each against a reference in the same run, taken in turn with it.
#![allow(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a bench prints its result, and ends where it cannot measure; the numbers are small"
)]

#[path = "../tests/support/acl.rs"]
mod encoder;
#[path = "support/min_of_many.rs"]
mod min_of_many;

use std::hint::black_box;
use std::time::Duration;

use encoder::Source;
use glam::{Quat, Vec3};
use min_of_many::min_of_many;
use pchr_view::acl::{Clip, Transform};

const BONES: usize = 80;
const FRAMES: u32 = 300;

/// Bits of a part (0 to 2) of an animated track in a segment.
type Bits = fn(usize, usize, usize) -> u8;
/// The time that comes next.
type Next<'a> = &'a dyn Fn(&mut u32) -> f32;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let turns = if quick { 1 } else { 300 };
    println!("poses of {BONES} bones from ACL, against linear keys in 32-bit floats");
    let usual: Bits = |part, track, segment| [9, 12, 11, 14, 10, 13][(part + track + segment) % 6];
    let clips: [(&str, bool, Bits); 4] = [
        ("a fifth moved", false, usual),
        ("all moved", true, usual),
        (
            "all moved, a sixth at rest",
            true,
            |part, track, segment| [9, 12, 11, 14, 10, 0][(part + track + segment) % 6],
        ),
        (
            "all moved, a sixth in floats",
            true,
            |part, track, segment| [9, 12, 11, 14, 10, 32][(part + track + segment) % 6],
        ),
    ];
    for (name, all_moved, bits) in clips {
        let mut encoder = encoder::busy(BONES, FRAMES, bits);
        for (index, track) in encoder.tracks.iter_mut().enumerate() {
            // Bones turn, few are moved: so are clips of games, and those of the corpus.
            if let (false, Source::Animated(values)) =
                (all_moved || index % 5 == 0, &track.translation)
            {
                track.translation = Source::Constant(values[0]);
            }
        }
        let (clip, _) = Clip::read(&encoder.chunk(), 0).expect("a sound clip");
        poses(name, &clip, turns);
    }
}

fn poses(name: &str, clip: &Clip, turns: usize) {
    let keys: Vec<Vec<Transform>> = (0..FRAMES)
        .map(|frame| {
            let mut pose = Vec::new();
            clip.sample_frame(frame, &mut pose);
            pose
        })
        .collect();
    let rest = Transform {
        rotation: [0.0; 4],
        translation: [0.0; 3],
        scale: [0.0; 3],
    };
    let steps = FRAMES * 2; // at 60 frames a second
    let played = |step: &mut u32| {
        *step = (*step + 1) % steps;
        *step as f32 / 60.0
    };
    let jumped = |step: &mut u32| {
        *step = (*step + 377) % steps;
        *step as f32 / 60.0
    };
    let next: [(&str, Next<'_>); 2] = [("played", &played), ("jumped", &jumped)];
    for (order, next) in next {
        let (mut linear, mut ours) = (vec![rest; BONES], Vec::new());
        let (mut a, mut b) = (0, 0);
        let times = min_of_many(
            turns,
            Duration::from_micros(200),
            &mut [
                &mut || {
                    sample(&keys, black_box(next(&mut a)), &mut linear);
                    black_box(&linear);
                },
                &mut || {
                    clip.sample(black_box(next(&mut b)), &mut ours);
                    black_box(&ours);
                },
            ],
        );
        if let [linear, ours] = times.as_slice() {
            println!(
                "  {name:28} {order}: linear keys {:5.2} µs a pose, ACL {:5.2}, {:.2} times as long; {} bytes of {}",
                linear / 1e3,
                ours / 1e3,
                ours / linear,
                clip.bytes().len(),
                clip.raw_size()
            );
        }
    }
}

/// Linear keys, as they are sampled first.
fn sample(keys: &[Vec<Transform>], seconds: f32, out: &mut [Transform]) {
    let place = (seconds * 30.0).clamp(0.0, (keys.len() - 1) as f32);
    let before = place.floor();
    let weight = place - before;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a frame"
    )]
    let before = before as usize;
    let after = (before + 1).min(keys.len() - 1);
    for ((a, b), out) in keys[before].iter().zip(&keys[after]).zip(out) {
        let rotation = Quat::from_array(a.rotation).lerp(Quat::from_array(b.rotation), weight);
        let blend = |a: [f32; 3], b| {
            Vec3::from_array(a)
                .lerp(Vec3::from_array(b), weight)
                .to_array()
        };
        out.rotation = rotation.to_array();
        out.translation = blend(a.translation, b.translation);
        out.scale = blend(a.scale, b.scale);
    }
}
