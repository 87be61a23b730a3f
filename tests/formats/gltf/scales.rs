//! Tests of PXD's scales, which do not move children.

use pchr_foreign::motion::{
    Channels, Conventions, Key, Motion, ParentScale, ParentScaleChange, Precision, Skeleton,
    TrackKeys,
};

use super::{bone, distance, read, turn, write};

/// Chain of four bones, the second of which has this scale at rest.
fn chain(scale: [f64; 3]) -> Skeleton {
    let bones = [[0.0, 1.0, 0.0], [0.0, 0.5, 0.1], [0.0, 0.75, 0.0], [0.1, 0.25, 0.0]];
    let parents =
        ["hips", "spine", "head", "hat"].into_iter().zip([None, Some(0), Some(1), Some(2)]);
    let bones = parents.zip(bones).map(|((name, parent), place)| bone(name, parent, place));
    let mut bones: Vec<_> = bones.collect();
    bones[1].rest.scale = scale;
    bones[1].rest.rotation = turn(0, 20.0);
    bones[2].rest.rotation = turn(2, -35.0);
    Skeleton::new(bones, Conventions::PXD).unwrap()
}

/// Motion with rotations, translations, and these scales of the second bone.
fn motion(scales: &[Key<3>]) -> Motion {
    let all = Channels { translation: true, rotation: true, scale: true };
    let mut motion = Motion::new(all, Precision::Single);
    motion.conventions = Conventions::PXD;
    motion.frame_count = 25;
    let turns = [0, 12, 24].map(|frame| Key { frame, value: turn(1, f64::from(frame) * 2.0) });
    let keys = TrackKeys { rotation: &turns, ..TrackKeys::default() };
    motion.add_track("hips", 0, keys).unwrap();
    motion.add_track("spine", 0, TrackKeys { scale: scales, ..keys }).unwrap();
    let moves = [0, 24].map(|frame| Key { frame, value: [0.0, f64::from(frame) / 32.0, 0.5] });
    let keys = TrackKeys { translation: &moves, rotation: &turns, scale: &[] };
    motion.add_track("head", 0, keys).unwrap();
    motion
}

/// Losses, number of translation keys of the head, and largest distances at frames and between them.
fn through(rest: [f64; 3], scales: &[Key<3>]) -> (Vec<String>, usize, (f64, f64), (f64, f64)) {
    let (skeleton, motion) = (chain(rest), motion(scales));
    let (file, losses) = write(&skeleton, &[("x", &motion)]);
    let back = read(&file);
    let clip = &back.clips[0].motion;
    let head = clip.tracks().iter().find(|it| it.target.text() == "head").unwrap();
    let count = head.timed().unwrap().translation.as_ref().unwrap().times().len();
    let (a, b) = ((&skeleton, &motion), (&back.skeleton, clip));
    (losses, count, distance(a, b, 1.0), distance(a, b, 0.25))
}

fn scale(frame: u32, value: [f64; 3]) -> Key<3> {
    Key { frame, value }
}

const NEAR: f64 = 1e-6;

#[test]
fn uniform_scales_that_stand_still_keep_sparse_keys() {
    let still = [scale(0, [2.0; 3]), scale(9, [2.0; 3])];
    for (rest, scales) in
        [([1.0; 3], &[][..]), ([0.25; 3], &[]), ([1.0; 3], &still), ([3.0; 3], &still)]
    {
        let (losses, keys, at_frames, between) = through(rest, scales);
        assert_eq!(losses, [""; 0]);
        assert_eq!(keys, 2);
        assert!(at_frames.0 < NEAR && at_frames.1 < NEAR, "{at_frames:?}");
        assert!(between.0 < NEAR && between.1 < NEAR, "{between:?}");
    }
}

#[test]
fn below_scales_that_move_translations_are_sampled() {
    let moving = [scale(0, [1.0; 3]), scale(10, [3.0; 3]), scale(24, [0.5; 3])];
    let (losses, keys, at_frames, _) = through([1.0; 3], &moving);
    let wanted = "2 translations below animated scales, sampled on each frame (animations[0].bones[2].translation)";
    assert_eq!(losses, [wanted]);
    assert_eq!(keys, 25);
    assert!(at_frames.0 < NEAR && at_frames.1 < NEAR, "{at_frames:?}");
}

#[test]
fn below_scales_that_differ_by_axis_bones_stay_in_place_and_are_listed() {
    for (rest, scales) in [([1.0; 3], &[scale(0, [1.0, 2.0, 1.0])][..]), ([1.0, 1.0, 0.5], &[])] {
        let (losses, _, at_frames, _) = through(rest, scales);
        let sheared =
            "2 bones below scales that differ by axis or are 0: glTF shears them (bones[2])";
        assert!(losses.iter().any(|loss| loss == sheared), "{losses:?}");
        assert!(at_frames.0 < NEAR, "{at_frames:?}");
    }
    let (losses, ..) = through([1.0; 3], &[scale(0, [0.0; 3])]);
    assert!(losses[0].starts_with("2 bones below scales"), "{losses:?}");
}

#[test]
fn there_and_back_is_the_same() {
    for rest in [[1.0; 3], [0.5; 3], [1.0, 2.0, 0.25]] {
        let skeleton = chain(rest);
        let motion = motion(&[]);
        let keys = super::keys(&skeleton, &motion);
        let there = ParentScaleChange::new(&skeleton, ParentScale::Inherited);
        let inherited = there.keys(&motion, &keys).unwrap();
        let back = ParentScaleChange::new(there.skeleton(), ParentScale::Separate);
        let again = back.keys(&motion, &inherited.keys).unwrap();
        for (a, b) in skeleton.bones().iter().zip(back.skeleton().bones()) {
            for (a, b) in a.rest.numbers().zip(b.rest.numbers()) {
                assert!((a - b).abs() < 1e-12);
            }
        }
        assert_eq!(back.skeleton().conventions, Conventions::PXD);
        let is_uniform = rest[0] == rest[1];
        for (a, b) in keys.bones.iter().zip(&again.keys.bones) {
            assert!(!is_uniform || super::is_same(a, b));
        }
    }
}
