//! Goals for motions, as ratios to references that run in turn in the same run, and the time to list a folder.
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

use std::borrow::Cow;
use std::hint::black_box;
use std::time::Duration;

use encoder::Source;
use glam::{Quat, Vec3};
use min_of_many::min_of_many;
use pchr_foreign::acl::{Clip, Transform};
use pchr_foreign::format::{adapt, pxd, seanim};
use pchr_foreign::motion::{
    AdditiveRotation, Binding, Bone, Channels, Conventions, Dialect, Key, Moment, Motion, Poser,
    Precision, Sampled, Skeleton, TrackKeys,
};

const BONES: usize = 80;
const FRAMES: u32 = 300;

/// Bits per component, given the part (0 to 2), index among its animated tracks, and segment.
type Bits = fn(usize, usize, usize) -> u8;
/// Function for the next time.
type Next<'a> = &'a dyn Fn(&mut u32) -> f32;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let turns = if quick { 1 } else { 300 };
    println!("poses of {BONES} bones from ACL, against linear keys in 32-bit floats");
    let usual: Bits = |part, track, segment| [9, 12, 11, 14, 10, 13][(part + track + segment) % 6];
    let clips: [(&str, bool, Bits); 4] = [
        ("a fifth moved", false, usual),
        ("all moved", true, usual),
        ("all moved, a sixth at rest", true, |part, track, segment| {
            [9, 12, 11, 14, 10, 0][(part + track + segment) % 6]
        }),
        ("all moved, a sixth in floats", true, |part, track, segment| {
            [9, 12, 11, 14, 10, 32][(part + track + segment) % 6]
        }),
    ];
    for (name, all_moved, bits) in clips {
        let mut encoder = encoder::busy(BONES, FRAMES, bits);
        for (index, track) in encoder.tracks.iter_mut().enumerate() {
            // All bones turn and few are moved, as in clips of games and of the corpus.
            if let (false, Source::Animated(values)) =
                (all_moved || index % 5 == 0, &track.translation)
            {
                track.translation = Source::Constant(values[0]);
            }
        }
        let (clip, _) = Clip::read(&encoder.chunk(), 0).expect("a sound clip");
        poses(name, &clip, turns);
        skeletons(turns, &clip);
    }
    reading(if quick { 1 } else { 60 });
    listing();
}

/// SEAnim file in which every bone has a key for all channels on every frame.
fn seanim_file(bones: usize, frames: u32, precision: Precision) -> Vec<u8> {
    let channels = Channels { translation: true, rotation: true, scale: true };
    let mut motion = Motion::new(channels, precision);
    motion.frame_count = frames;
    for bone in 0..bones {
        let vector = |frame| Key { frame, value: [f64::from(frame) * 0.25, bone as f64, 1.0] };
        let rotation = |frame| Key { frame, value: [0.0, 0.0, 0.6, 0.8] };
        let (vectors, rotations): (Vec<_>, Vec<_>) =
            (0..frames).map(|frame| (vector(frame), rotation(frame))).unzip();
        let keys = TrackKeys { translation: &vectors, rotation: &rotations, scale: &vectors };
        let name = format!("bone_{bone}");
        motion.add_track(name.as_str(), 0, keys).expect("stored channels");
    }
    seanim::write(&motion).expect("a small motion")
}

/// Measures reading SEAnim against copying its bytes.
fn reading(turns: usize) {
    println!("reading SEAnim, against copying its bytes");
    for (name, frames, precision) in [
        ("frames in a byte", 250, Precision::Single),
        ("frames in two bytes", 3_000, Precision::Single),
        ("double precision", 1_500, Precision::Double),
    ] {
        let file = seanim_file(BONES, frames, precision);
        let times = min_of_many(
            turns,
            Duration::from_millis(1),
            &mut [
                &mut || {
                    black_box(black_box(&file).clone());
                },
                &mut || {
                    let read = seanim::read(Cow::Owned(black_box(&file).clone()));
                    black_box(read.expect("a sound file"));
                },
            ],
        );
        if let [copied, read] = times.as_slice() {
            println!(
                "  {name:28} {} bytes: copied in {:.0} µs, copied and read in {:.0}, {:.2} times as long",
                file.len(),
                copied / 1e3,
                read / 1e3,
                read / copied
            );
        }
    }
}

/// Measures opening and reading 500 files for their lengths.
fn listing() {
    const FILES: usize = 500;
    let folder = tempfile::tempdir().expect("a folder");
    let clip = encoder::busy(BONES, FRAMES, |part, track, segment| {
        [9, 12, 11, 14, 10, 13][(part + track + segment) % 6]
    });
    let (clip, _) = Clip::read(&clip.chunk(), 0).expect("a sound clip");
    let mut motion = Motion::default();
    motion.conventions = Conventions::PXD;
    (motion.rate, motion.frame_count) = (clip.sample_rate(), FRAMES);
    motion.set_sampled(Sampled { clip, offset: 0 });
    let compressed = pxd::write_animation(&motion).expect("a small motion");
    let keyed = seanim_file(BONES, FRAMES, Precision::Single);
    let files: Vec<_> = (0..FILES)
        .map(|index| {
            let (ending, bytes) = match index % 2 {
                0 => ("seanim", &keyed),
                _ => ("anm.pxd", &compressed),
            };
            let path = folder.path().join(format!("{index:03}.{ending}"));
            std::fs::write(&path, bytes).expect("room for the files");
            path
        })
        .collect();
    let start = std::time::Instant::now();
    let mut seconds = 0.0;
    for path in &files {
        let bytes = std::fs::read(path).expect("the file");
        let motion = match pxd::PxdKind::of(&bytes).is_some() {
            true => pxd::read_animation(&bytes).expect("a sound file").0,
            false => seanim::read(bytes).expect("a sound file").0,
        };
        seconds += motion.duration_secs();
    }
    println!(
        "{FILES} motions of {BONES} bones and {FRAMES} frames, {} and {} bytes: {seconds:.0} s of motion listed in {:.0} ms",
        keyed.len(),
        compressed.len(),
        start.elapsed().as_secs_f64() * 1e3
    );
}

/// Measures whole poses of a skeleton, from a clip and from keys with the same values, both as stored in files.
fn skeletons(turns: usize, clip: &Clip) {
    let bones = (0_u32..).take(BONES).map(|bone| Bone {
        name: format!("bone_{bone}").as_str().into(),
        parent: bone.checked_sub(1).map(|parent| parent / 2),
        ..Bone::default()
    });
    let skeleton = Skeleton::new(bones.collect(), Conventions::PXD).expect("a tree");
    let mut sampled = Motion::default();
    sampled.dialect = Dialect::Pxd;
    (sampled.rate, sampled.frame_count) = (clip.sample_rate(), FRAMES);
    sampled.set_sampled(Sampled { clip: clip.clone(), offset: 0 });
    let binding = Binding::new(&sampled, &skeleton);
    let (keyed, _) = adapt::to_seanim(&sampled, Some(&skeleton)).expect("few frames");
    let (keyed, _) =
        adapt::to_pxd(&keyed, &skeleton, AdditiveRotation::OnRest).expect("few frames");
    let file = pxd::write_animation(&keyed).expect("a small motion");
    let keyed = pxd::read_animation(&file).expect("a sound file").0;
    let poser = |motion| Poser::new(motion, &skeleton, &binding, AdditiveRotation::OnRest);
    let (mut linear, mut ours) = (poser(&keyed), poser(&sampled));
    let (mut a, mut b) = (0, 0);
    let next = |step: &mut u32| {
        *step = (*step + 377) % (FRAMES * 2);
        Moment::Seconds(*step as f32 / 60.0)
    };
    let times = min_of_many(
        turns,
        Duration::from_micros(400),
        &mut [
            &mut || {
                linear.pose(next(&mut a));
                black_box(linear.locals());
            },
            &mut || {
                ours.pose(next(&mut b));
                black_box(ours.locals());
            },
        ],
    );
    if let [linear, ours] = times.as_slice() {
        println!(
            "  whole poses, local and world: keys of {} bytes {:.2} µs, ACL of {} {:.2}, {:.2} times as long",
            file.len(),
            linear / 1e3,
            clip.bytes().len(),
            ours / 1e3,
            ours / linear
        );
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
    let rest = Transform { rotation: [0.0; 4], translation: [0.0; 3], scale: [0.0; 3] };
    let steps = FRAMES * 2; // at 60 frames per second
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

/// Samples linear keys by the obvious method.
fn sample(keys: &[Vec<Transform>], seconds: f32, out: &mut [Transform]) {
    let place = (seconds * 30.0).clamp(0.0, (keys.len() - 1) as f32);
    let before = place.floor();
    let weight = place - before;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a frame")]
    let before = before as usize;
    let after = (before + 1).min(keys.len() - 1);
    for ((a, b), out) in keys[before].iter().zip(&keys[after]).zip(out) {
        let rotation = Quat::from_array(a.rotation).lerp(Quat::from_array(b.rotation), weight);
        let blend =
            |a: [f32; 3], b| Vec3::from_array(a).lerp(Vec3::from_array(b), weight).to_array();
        out.rotation = rotation.to_array();
        out.translation = blend(a.translation, b.translation);
        out.scale = blend(a.scale, b.scale);
    }
}
