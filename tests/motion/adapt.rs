//! Tests of converted motions: poses stay the same from one format to another.

use crate::corpus;
use crate::poses::{ALL, HALF, key};
use pchr::format::Losses;
use pchr_foreign::format::adapt::{Unadaptable, to_pxd, to_pxd_skeleton, to_seanim};
use pchr_foreign::format::{pxd, seanim};
use pchr_foreign::motion::{
    AdditiveRotation, AnimationType, Binding, Bone, Conventions, Dialect, Modifier, Moment, Motion,
    Note, Poser, Precision, Skeleton, Target, TrackKeys, Transform,
};

/// Skeleton with hips, an arm that is turned and scaled at rest, and a tail.
fn skeleton() -> Skeleton {
    let bone = |name: &str, parent, rest| Bone { name: name.into(), parent, rest, offset: 0 };
    let (translation, rotation) = ([1.0, 0.5, 0.0], [HALF, 0.0, 0.0, HALF]);
    let turned = Transform { translation, rotation, scale: [2.0, 2.0, 4.0] };
    let placed = Transform { translation: [0.0, 1.0, -0.25], ..Transform::IDENTITY };
    let bones = vec![
        bone("Hips", None, placed),
        bone("Arm", Some(0), turned),
        bone("Tail", Some(0), placed),
    ];
    Skeleton::new(bones, Conventions::PXD).unwrap()
}

/// Motion with keys of all kinds on the hips, and rotations only on the arm.
fn motion(kind: AnimationType, names: bool) -> Motion {
    let mut motion = Motion::new(ALL, Precision::Single);
    motion.animation_type = kind;
    (motion.frame_count, motion.rate) = (13, 24.0);
    let target = |name: &str, bone: u32| if names { Target::from(name) } else { bone.into() };
    let hips = TrackKeys {
        translation: &[key(0, [0.5, 0.0, 0.0]), key(12, [0.5, 2.0, -1.0])],
        rotation: &[key(3, [0.0, 0.0, 0.0, 1.0]), key(5, [0.0, HALF, 0.0, HALF])],
        scale: &[key(0, [1.0, 1.0, 1.0]), key(12, [0.5, 1.0, 3.0])],
    };
    motion.add_track(target("Hips", 0), 0, hips).unwrap();
    let arm = TrackKeys {
        rotation: &[key(0, [0.0, 0.0, 1.0, 0.0]), key(2, [0.0, 0.0, HALF, HALF])],
        ..TrackKeys::default()
    };
    motion.add_track(target("Arm", 1), 0, arm).unwrap();
    motion
}

fn difference(a: &Transform, b: &Transform) -> f64 {
    let flip = { a.rotation.iter().zip(b.rotation) }.map(|(a, b)| a * b);
    let sign = if flip.sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    let mut b = *b;
    b.rotation = b.rotation.map(|number| number * sign);
    a.numbers()
        .zip(b.numbers())
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, |worst, off| if off.is_nan() { f64::INFINITY } else { off.max(worst) })
}

/// Largest difference of local transforms and root motion, at frames and between them.
fn worst(a: &Motion, b: &Motion, skeleton: &Skeleton, steps: u32) -> f64 {
    let bindings = [a, b].map(|motion| Binding::new(motion, skeleton));
    let mut posers = [
        Poser::new(a, skeleton, &bindings[0], AdditiveRotation::default()),
        Poser::new(b, skeleton, &bindings[1], AdditiveRotation::default()),
    ];
    assert_eq!(a.frames(), b.frames());
    assert_eq!(a.frames_per_second().to_bits(), b.frames_per_second().to_bits());
    let mut worst = 0.0_f64;
    for step in 0..a.frames() * steps {
        let moment = match steps {
            1 => Moment::Frame(step),
            _ => Moment::Seconds(step as f32 / steps as f32 / a.frames_per_second()),
        };
        posers.iter_mut().for_each(|poser| poser.pose(moment));
        let [first, second] = &mut posers;
        for (one, other) in first.locals().iter().zip(second.locals()) {
            worst = worst.max(difference(one, other));
        }
        match (first.root(moment), second.root(moment)) {
            (Some(one), Some(other)) => worst = worst.max(difference(&one, &other)),
            (one, other) => assert_eq!(one, other),
        }
    }
    worst
}

/// Writes a motion as SEAnim and reads it again.
fn through_seanim(motion: &Motion, skeleton: &Skeleton) -> (Motion, Losses) {
    let (named, losses) = to_seanim(motion, Some(skeleton)).unwrap();
    let (motion, found) = seanim::read(seanim::write_canonical(&named).unwrap().0).unwrap();
    assert_eq!(found.iter().count(), 0, "{found:?}");
    (motion, losses)
}

/// Writes a motion as PXD and reads it again.
fn through_pxd(motion: &Motion, skeleton: &Skeleton) -> (Motion, Losses) {
    let (numbered, losses) = to_pxd(motion, skeleton, AdditiveRotation::default()).unwrap();
    let (motion, found) = pxd::read_animation(&pxd::write_animation(&numbered).unwrap()).unwrap();
    assert_eq!(found.iter().count(), 0, "{found:?}");
    (motion, losses)
}

fn listed(losses: &Losses) -> Vec<(&str, u64)> {
    losses.iter().map(|loss| (loss.what, loss.count)).collect()
}

#[test]
fn every_type_has_the_same_poses_in_pxd_and_back_again() {
    let skeleton = skeleton();
    for kind in [
        AnimationType::Absolute,
        AnimationType::Relative,
        AnimationType::Additive,
        AnimationType::Delta,
    ] {
        let motion = motion(kind, true);
        let (numbered, losses) = through_pxd(&motion, &skeleton);
        assert!(losses.is_empty(), "{kind:?}: {losses:?}");
        assert_eq!(numbered.dialect, Dialect::Pxd);
        let is_additive = kind == AnimationType::Additive;
        assert_eq!(numbered.animation_type == AnimationType::Additive, is_additive);
        // Every channel gets a key, and sparse keys keep their frames.
        let frames = numbered.rotation(&numbered.tracks()[0]).unwrap().iter().map(|key| key.frame);
        assert_eq!(frames.collect::<Vec<_>>(), [3, 5]);
        assert_eq!(numbered.tracks().len(), 3);
        assert_eq!(numbered.translation(&numbered.tracks()[2]).unwrap().len(), 1);
        let off = worst(&motion, &numbered, &skeleton, 1);
        assert!(off < 1e-6, "{kind:?}: {off}");
        let (again, losses) = through_seanim(&numbered, &skeleton);
        assert!({ listed(&losses) }.iter().all(|(what, _)| what.starts_with("scales")));
        let off = worst(&motion, &again, &skeleton, 1);
        assert!(off < 1e-6, "{kind:?}: {off}");
    }
}

#[test]
fn root_motion_is_a_delta_track_and_comes_back() {
    let skeleton = skeleton();
    let mut numbered = motion(AnimationType::Absolute, false);
    numbered.dialect = Dialect::Pxd;
    let root = TrackKeys {
        translation: &[key(0, [0.0; 3]), key(12, [0.0, 0.0, 6.0])],
        ..TrackKeys::default()
    };
    numbered.set_root_keys(root).unwrap();
    let (named, _) = through_seanim(&numbered, &skeleton);
    assert_eq!(named.tracks()[0].target.text(), "root_motion");
    let modifier = named.modifiers[0];
    assert_eq!((modifier.track, modifier.animation_type), (0, AnimationType::Delta));
    assert_eq!(named.animation_type, AnimationType::Absolute);
    let off = worst(&numbered, &named, &skeleton, 1);
    assert!(off < 1e-6, "{off}");
    let (again, losses) = through_pxd(&named, &skeleton);
    assert!(losses.is_empty(), "{losses:?}");
    assert!(again.root().is_some());
    let off = worst(&numbered, &again, &skeleton, 1);
    assert!(off < 1e-6, "{off}");
}

#[test]
fn what_pxd_cannot_say_is_listed() {
    let skeleton = skeleton();
    let mut motion = Motion::new(ALL, Precision::Double);
    motion.looped = true;
    motion.rate = 24.0;
    motion.custom = Some(vec![1, 2, 3]);
    motion.notes.push(Note { frame: 0, name: "step".into(), offset: 0 });
    let keys = TrackKeys { translation: &[key(0, [0.1, 0.0, 0.0])], ..TrackKeys::default() };
    motion.add_track("hips", 1, keys).unwrap();
    motion.add_track("Wing", 0, keys).unwrap();
    let (_, losses) = through_pxd(&motion, &skeleton);
    let expected = [
        ("tracks without a bone in the skeleton", 1),
        ("notes", 1),
        ("bytes of the custom block", 3),
        ("loop flags", 1),
        ("frame rates of one-frame motions", 1),
        ("flags of bones", 1),
        ("tracks with more digits than 32-bit floats hold", 2),
    ];
    assert_eq!(listed(&losses), expected);
    let mut motion = self::motion(AnimationType::Absolute, true);
    let turn = TrackKeys {
        rotation: &[key(0, [0.0, 0.0, 0.0, 1.0]), key(12, [1.0, 0.0, 0.0, 0.0])],
        ..TrackKeys::default()
    };
    motion.add_track("Tail", 0, turn).unwrap();
    let animation_type = AnimationType::Additive;
    motion.modifiers.push(Modifier { track: 2, animation_type, offset: 0 });
    let (numbered, losses) = through_pxd(&motion, &skeleton);
    let wanted = [
        ("rotations at even speed between keys", 1),
        ("additive bones (applied on top of the rest pose)", 1),
    ];
    assert_eq!(listed(&losses), wanted);
    let (_, losses) = through_seanim(&numbered, &skeleton);
    assert!(listed(&losses).contains(&("rotations at uneven speed between keys", 1)));
}

#[test]
fn scales_that_move_children_are_worked_into_their_places() {
    let mut inherited = skeleton();
    inherited.conventions = Conventions::GLTF;
    let chain = inherited.bones().to_vec().into_iter().enumerate().map(|(index, mut bone)| {
        bone.parent = index.checked_sub(1).map(|parent| parent as u32);
        bone.rest.scale = [2.0; 3];
        bone
    });
    let inherited = Skeleton::new(chain.collect(), Conventions::GLTF).unwrap();
    let (separate, losses) = to_pxd_skeleton(&inherited);
    assert!(losses.is_empty());
    let mut motion = Motion::new(ALL, Precision::Single);
    motion.frame_count = 13;
    let growing =
        TrackKeys { scale: &[key(0, [1.0; 3]), key(12, [3.0; 3])], ..TrackKeys::default() };
    motion.add_track("Arm", 0, growing).unwrap();
    let (numbered, losses) = through_pxd(&motion, &inherited);
    assert_eq!(listed(&losses), [("sparse keys below animated scales", 1)]);
    let worlds = |motion: &Motion, skeleton: &Skeleton, frame| -> Vec<Transform> {
        let binding = Binding::new(motion, skeleton);
        let mut poser = Poser::new(motion, skeleton, &binding, AdditiveRotation::default());
        poser.pose(Moment::Frame(frame));
        poser.worlds().collect()
    };
    for frame in 0..13 {
        let expected = worlds(&motion, &inherited, frame);
        let worlds = worlds(&numbered, &separate, frame);
        for (bone, (world, expected)) in worlds.iter().zip(&expected).enumerate() {
            let off = difference(world, expected);
            assert!(off < 1e-5, "frame {frame}, bone {bone}: {off}");
        }
    }
}

#[test]
fn numbers_become_names_by_a_skeleton_only() {
    let error = to_seanim(&motion(AnimationType::Absolute, false), None).unwrap_err();
    assert_eq!(error, Unadaptable::Skeleton);
    let named = motion(AnimationType::Absolute, true);
    let (same, losses) = to_seanim(&named, None).unwrap();
    assert!(matches!(same, std::borrow::Cow::Borrowed(_)) && losses.is_empty());
    let late = TrackKeys { translation: &[key(70_000, [0.0; 3])], ..TrackKeys::default() };
    let mut long = Motion::new(ALL, Precision::Single);
    long.add_track("Hips", 0, late).unwrap();
    let (long, _) = to_pxd(&long, &skeleton(), AdditiveRotation::default()).unwrap();
    let error = pxd::write_animation(&long).unwrap_err().to_string();
    assert!(error.contains("70000") && error.contains("tracks[0]"), "{error}");
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn clips_of_the_corpus_keep_their_poses_as_seanim() {
    let (folder, index) = corpus::indexed("pxd");
    let mut files = 0;
    for fixture in index["fixtures"].as_array().unwrap() {
        let file = |kind: &str| Some(std::fs::read(folder.join(fixture[kind].as_str()?)).unwrap());
        let (Some(animation), Some(skeleton)) = (file("animation"), file("skeleton")) else {
            continue;
        };
        let motion = pxd::read_animation(&animation).unwrap().0;
        let skeleton = pxd::read_skeleton(&skeleton).unwrap().0;
        let (named, losses) = through_seanim(&motion, &skeleton);
        let off = worst(&motion, &named, &skeleton, 1);
        let name = &fixture["name"];
        let uneven = "rotations at uneven speed between keys";
        let is_uneven = listed(&losses).iter().any(|(what, _)| *what == uneven);
        assert!(off < if is_uneven { 0.03 } else { 1e-6 }, "{name}: {off}");
        // Between keys, SEAnim rotates at another speed.
        let between = worst(&motion, &named, &skeleton, 4);
        assert!(between < 0.03, "{name}: {between}");
        files += 1;
    }
    assert!(files > 20);
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn motions_of_the_corpus_keep_their_poses_as_pxd() {
    let folder = corpus::root().join("seanim/good");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|it| it != "seanim") {
            continue;
        }
        let Ok((motion, _)) = seanim::read(std::fs::read(&path).unwrap()) else { continue };
        let bones = motion.tracks().iter().enumerate().map(|(index, track)| {
            let (translation, rotation) = ([index as f64, -0.5, 0.25], [HALF, 0.0, 0.0, HALF]);
            let rest = Transform { translation, rotation, scale: [1.0; 3] };
            let parent = index.checked_sub(1).map(|parent| parent as u32);
            Bone { name: track.target.name().unwrap().clone(), parent, rest, offset: 0 }
        });
        let skeleton = Skeleton::new(bones.collect(), Conventions::PXD).unwrap();
        let (numbered, _) = to_pxd(&motion, &skeleton, AdditiveRotation::default()).unwrap();
        let Ok(bytes) = pxd::write_animation(&numbered) else { continue };
        let numbered = pxd::read_animation(&bytes).unwrap().0;
        if motion.frames() > 1 {
            // The difference comes from even rotation between keys, and from sums of large numbers in 32 bits.
            let off = worst(&motion, &numbered, &skeleton, 1);
            assert!(off < 2e-3, "{}: {off}", path.display());
            files += 1;
        }
    }
    assert!(files > 20);
}
