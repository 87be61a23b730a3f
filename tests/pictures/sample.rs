//! Tests of the built-in sample: it equals the output of its generator and shows the features of the format.

#[allow(dead_code, reason = "its main is not called")]
#[path = "../../examples/build_character.rs"]
mod flag;

use crate::puppet;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

use pchr::document::{AnimationParts, BoneTransform, DocumentParts};

fn sample() -> &'static DocumentParts {
    static SAMPLE: OnceLock<DocumentParts> = OnceLock::new();
    SAMPLE.get_or_init(puppet::build)
}

/// Frames of a clip, with one transform per bone.
fn frames(clip: &AnimationParts) -> impl Iterator<Item = &[BoneTransform]> {
    clip.transforms.chunks_exact(sample().bones.len())
}

fn clip(name: &str) -> &'static AnimationParts {
    sample().animations.iter().find(|clip| clip.name == name).unwrap()
}

fn bone(name: &str) -> usize {
    sample().bones.iter().position(|bone| bone.name == name).unwrap()
}

#[test]
fn the_committed_file_is_what_the_generator_makes_small_and_without_a_warning() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample.pchr");
    let made = pchr::format::pchr::write(sample()).unwrap();
    let how = "run `cargo run --release --no-default-features --example make_sample`";
    assert!(std::fs::read(path).unwrap() == made, "{how}");
    assert!(made.len() < 600_000, "{} bytes", made.len());
    let document = pchr::format::read(made).unwrap();
    assert!(document.warnings().is_empty(), "{:?}", document.warnings());
}

#[test]
fn it_has_bones_clips_and_shared_vertices_whose_weights_sum_to_one() {
    let names: Vec<&str> = sample().animations.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["bind", "idle", "walk", "jump", "wave"]);
    assert!(sample().bones.len() >= 20);
    let weights = sample().meshes.iter().flat_map(|it| &it.vertices).map(|it| it.bone_weights);
    assert!(weights.clone().all(|of| (of.iter().sum::<f32>() - 1.0).abs() < 1e-6));
    assert!(weights.map(|of| of.iter().filter(|it| **it > 0.0).count()).max() >= Some(2));
}

#[test]
fn limbs_change_their_draw_order() {
    for name in ["walk", "jump", "wave"] {
        let arm = bone("arm_far");
        let orders: BTreeSet<i16> = frames(clip(name)).map(|frame| frame[arm].z_order).collect();
        assert!(orders.len() >= 2, "{name}: {orders:?}");
    }
}

#[test]
fn one_pair_of_eyes_is_visible_at_a_time_and_it_blinks() {
    let eyes = ["eyes_open", "eyes_half", "eyes_closed", "eyes_happy"].map(bone);
    for clip in &sample().animations {
        for frame in frames(clip) {
            let open = eyes.iter().filter(|&&eye| frame[eye].flags & 1 == 1).count();
            assert_eq!(open, 1, "{}", clip.name);
        }
    }
    for name in ["idle", "walk", "jump", "wave"] {
        let states: BTreeSet<u8> = frames(clip(name)).map(|frame| frame[eyes[2]].flags).collect();
        assert_eq!(states.len(), 2, "{name} has no blink");
    }
}

#[test]
fn looping_clips_have_no_jolt_where_they_start_again() {
    let step = |a: &[BoneTransform], b: &[BoneTransform]| {
        let step = |(a, b): (&BoneTransform, &BoneTransform)| {
            (a.rotation - b.rotation).abs() + (a.x - b.x).abs() + (a.y - b.y).abs()
        };
        a.iter().zip(b).map(step).fold(0.0, f32::max)
    };
    for name in ["idle", "walk", "wave"] {
        let frames: Vec<_> = frames(clip(name)).collect();
        assert_eq!(clip(name).flags, 1);
        let within = frames.windows(2).map(|pair| step(pair[0], pair[1])).fold(0.0, f32::max);
        let seam = step(frames[frames.len() - 1], frames[0]);
        assert!(seam <= within * 1.05, "{name}: {seam} at the seam, {within} elsewhere");
    }
}

#[test]
fn the_example_builds_a_sound_character_that_moves() {
    let document = pchr::format::pchr::build(&flag::flag()).unwrap();
    assert!(document.warnings().is_empty(), "{:?}", document.warnings());
    let wave = document.animations().last().unwrap();
    let rotations = |frame| -> Vec<f32> {
        let frame = wave.frame(frame).unwrap().records();
        frame.iter().map(|r| BoneTransform::from_record(r).rotation).collect()
    };
    assert!((1..wave.frame_count()).all(|frame| rotations(frame) != rotations(0)));
}
