//! Tests of poses of 3D skeletons: they match what users of the formats expect.

use crate::corpus;
use pchr_foreign::format::{pxd, seanim};
use pchr_foreign::motion::{
    AdditiveRotation, AnimationType, Binding, Bone, Channels, Conventions, Dialect, Key, Modifier,
    Moment, Motion, NameMatch, ParentScale, Poser, Precision, Skeleton, TrackKeys, Transform,
};
use serde_json::Value;

pub(crate) const ALL: Channels = Channels { translation: true, rotation: true, scale: true };

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let numbers = value.as_array().unwrap().iter();
    let numbers: Vec<f64> = numbers.map(|number| number.as_f64().unwrap()).collect();
    numbers.try_into().unwrap()
}

/// Largest difference between corresponding numbers.
fn distance<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}

/// Largest difference of two rotations; both signs of a quaternion are the same rotation.
fn turn_distance(a: [f64; 4], b: [f64; 4]) -> f64 {
    distance(a, b).min(distance(a, b.map(|number| -number)))
}

fn bone(name: &str, parent: Option<u32>, translation: [f64; 3]) -> Bone {
    let rest = Transform { translation, ..Transform::IDENTITY };
    Bone { name: name.into(), parent, rest, offset: 0 }
}

pub(crate) fn key<const N: usize>(frame: u32, value: [f64; N]) -> Key<N> {
    Key { frame, value }
}

pub(crate) const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
const QUARTER_TURN: [f64; 4] = [0.0, 0.0, HALF, HALF];

/// Arm of three bones, each 10 long; the middle one is scaled at rest.
fn arm(parent_scale: ParentScale) -> Skeleton {
    let mut bones = vec![
        bone("hand", Some(2), [10.0, 0.0, 0.0]),
        bone("upper", None, [0.0, 5.0, 0.0]),
        bone("fore", Some(1), [10.0, 0.0, 0.0]),
    ];
    bones[2].rest.scale = [2.0, 1.0, 1.0];
    let conventions = Conventions { parent_scale, ..Conventions::default() };
    Skeleton::new(bones, conventions).unwrap()
}

fn posed(motion: &Motion, skeleton: &Skeleton, moment: Moment) -> (Vec<Transform>, Vec<Transform>) {
    let binding = Binding::new(motion, skeleton);
    let mut poser = Poser::new(motion, skeleton, &binding, AdditiveRotation::default());
    poser.pose(moment);
    (poser.locals().to_vec(), poser.worlds().collect())
}

#[test]
fn scales_of_parents_act_as_the_source_says() {
    let still = Motion::new(ALL, Precision::Single);
    let worlds = |scale| posed(&still, &arm(scale), Moment::Frame(0)).1;
    let inherited = worlds(ParentScale::Inherited);
    assert_eq!(inherited[2].translation, [10.0, 5.0, 0.0]);
    assert_eq!(inherited[0].translation, [30.0, 5.0, 0.0]);
    assert_eq!(inherited[0].scale, [2.0, 1.0, 1.0]);
    let separate = worlds(ParentScale::Separate);
    assert_eq!(separate[0].translation, [20.0, 5.0, 0.0]);
    assert_eq!(separate[0].scale, [2.0, 1.0, 1.0]);
}

#[test]
fn each_type_lays_its_values_over_rest() {
    let mut skeleton = arm(ParentScale::Inherited);
    let mut bones = skeleton.bones().to_vec();
    bones[1].rest.rotation = QUARTER_TURN;
    skeleton = Skeleton::new(bones, skeleton.conventions).unwrap();
    let local = |kind, dialect, additive| {
        let mut motion = Motion::new(ALL, Precision::Double);
        motion.animation_type = kind;
        motion.dialect = dialect;
        let keys = TrackKeys {
            translation: &[key(0, [1.0, 2.0, 3.0])],
            rotation: &[key(0, QUARTER_TURN)],
            scale: &[key(0, [0.5, 1.0, 2.0])],
        };
        motion.add_track("upper", 0, keys).unwrap();
        let mut poser = Poser::new(&motion, &skeleton, &Binding::new(&motion, &skeleton), additive);
        poser.pose(Moment::Frame(0));
        poser.locals()[1]
    };
    let half_turn = [0.0, 0.0, 1.0, 0.0];
    let (own, moved) = ([1.0, 2.0, 3.0], [1.0, 7.0, 3.0]);
    use AdditiveRotation::{Absolute, OnRest};
    for (kind, dialect, additive, translation, rotation, scale) in [
        (AnimationType::Absolute, Dialect::Seanim, OnRest, own, QUARTER_TURN, [0.5, 1.0, 2.0]),
        (AnimationType::Relative, Dialect::Seanim, OnRest, moved, QUARTER_TURN, [0.5, 1.0, 2.0]),
        (AnimationType::Delta, Dialect::Seanim, OnRest, moved, QUARTER_TURN, [0.5, 1.0, 2.0]),
        (AnimationType::Unknown(9), Dialect::Seanim, OnRest, own, QUARTER_TURN, [0.5, 1.0, 2.0]),
        (AnimationType::Additive, Dialect::Seanim, OnRest, moved, half_turn, [0.5, 1.0, 2.0]),
        (AnimationType::Additive, Dialect::Seanim, Absolute, moved, QUARTER_TURN, [0.5, 1.0, 2.0]),
        (AnimationType::Absolute, Dialect::Pxd, OnRest, own, QUARTER_TURN, [0.5, 1.0, 2.0]),
        (AnimationType::Additive, Dialect::Pxd, OnRest, moved, half_turn, [1.5, 2.0, 3.0]),
    ] {
        let posed = local(kind, dialect, additive);
        assert_eq!(posed.translation, translation, "{kind:?} {dialect:?}");
        assert!(turn_distance(posed.rotation, rotation) < 1e-15, "{kind:?} {dialect:?} {posed:?}");
        assert_eq!(posed.scale, scale, "{kind:?} {dialect:?}");
    }
}

#[test]
fn modifiers_reach_the_bone_itself_and_its_descendants() {
    let skeleton = arm(ParentScale::Inherited);
    let mut motion = Motion::new(ALL, Precision::Single);
    for name in ["upper", "fore", "hand"] {
        let keys = TrackKeys { translation: &[key(0, [1.0, 0.0, 0.0])], ..TrackKeys::default() };
        motion.add_track(name, 0, keys).unwrap();
    }
    let local = |motion: &Motion| {
        let local = posed(motion, &skeleton, Moment::Frame(0)).0;
        [1, 2, 0].map(|bone: usize| local[bone].translation[0])
    };
    let modifier = |track, animation_type| Modifier { track, animation_type, offset: 0 };
    assert_eq!(local(&motion), [1.0, 1.0, 1.0]);
    motion.modifiers = vec![modifier(1, AnimationType::Relative)];
    assert_eq!(local(&motion), [1.0, 11.0, 11.0]);
    motion.modifiers.push(modifier(2, AnimationType::Absolute));
    assert_eq!(local(&motion), [1.0, 11.0, 1.0]);
}

#[test]
fn keys_are_sorted_held_at_the_ends_and_blended_between() {
    let skeleton = arm(ParentScale::Inherited);
    let mut motion = Motion::new(ALL, Precision::Single);
    motion.rate = 10.0;
    let keys = TrackKeys {
        translation: &[key(8, [8.0, 0.0, 0.0]), key(4, [3.0, 0.0, 0.0]), key(4, [4.0, 0.0, 0.0])],
        rotation: &[key(4, [0.0, 0.0, 0.0, 1.0]), key(6, [0.0, 0.0, -1.0, 0.0])],
        scale: &[],
    };
    motion.add_track("upper", 0, keys).unwrap();
    let at = |moment| posed(&motion, &skeleton, moment).0[1];
    for (moment, x) in [
        (Moment::Frame(0), 4.0),
        (Moment::Seconds(-3.0), 4.0),
        (Moment::Frame(4), 4.0),
        (Moment::Seconds(0.5), 5.0),
        (Moment::Frame(8), 8.0),
        (Moment::Frame(900), 8.0),
        (Moment::Seconds(f32::INFINITY), 8.0),
    ] {
        assert_eq!(at(moment).translation, [x, 0.0, 0.0], "{moment:?}");
    }
    let turn = at(Moment::Frame(5)).rotation;
    assert!(turn_distance(turn, [0.0, 0.0, -HALF, HALF]) < 1e-15, "{turn:?}");
    assert_eq!(at(Moment::Frame(5)).scale, [1.0; 3]);
}

#[test]
fn tracks_find_their_bones_by_the_closest_name() {
    let bones = ["Hips", "hips", "rig:Spine", "Head", "Ünder"];
    let bones = bones.map(|name| bone(name, None, [0.0; 3])).to_vec();
    let skeleton = Skeleton::new(bones, Conventions::default()).unwrap();
    let bound = |names: &[&str]| {
        let mut motion = Motion::new(ALL, Precision::Single);
        for name in names {
            motion.add_track(*name, 0, TrackKeys::default()).unwrap();
        }
        let binding = Binding::new(&motion, &skeleton);
        let bones = (0..names.len()).map(|track| binding.bone(track));
        (bones.collect::<Vec<_>>(), binding.unmatched(&motion).collect::<Vec<_>>())
    };
    let (exact, case) = (NameMatch::Exact, NameMatch::IgnoringCase);
    let namespace = NameMatch::WithoutNamespace;
    let (bones, unmatched) = bound(&["hips", "HIPS", "spine", "hero:HEAD", "ünder", "tail", ""]);
    let found: Vec<_> = bones.into_iter().flatten().collect();
    assert_eq!(found, [(1, exact), (0, case), (2, namespace), (3, namespace), (4, case)]);
    assert_eq!(unmatched, [5, 6]);
    // The closest match gets the bone, and among equal matches the last one.
    assert_eq!(bound(&["Head", "head", "x:head"]).0, [Some((3, exact)), None, None]);
    assert_eq!(bound(&["head", "HEAD"]).0, [None, Some((3, case))]);
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn walks_of_every_kind_give_the_poses_of_the_corpus() {
    let corpus = corpus::root().join("seanim");
    let json = |name: &str| corpus::json(&corpus.join(name));
    let rig = json("semantics/rig.json");
    let bones = rig["bones"].as_array().unwrap().iter().map(|bone| Bone {
        name: bone["name"].as_str().unwrap().into(),
        parent: u32::try_from(bone["parent"].as_i64().unwrap()).ok(),
        rest: Transform {
            translation: numbers(&bone["t"]),
            rotation: numbers(&bone["q"]),
            ..Transform::IDENTITY
        },
        offset: 0,
    });
    let skeleton = Skeleton::new(bones.collect(), Conventions::default()).unwrap();
    let poses = json("semantics/walk_poses.json");
    let mut count = 0;
    for file in std::fs::read_dir(corpus.join("good")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("walk_") || !name.ends_with(".seanim") {
            continue;
        }
        let motion = seanim::read(std::fs::read(&path).unwrap()).unwrap().0;
        let binding = Binding::new(&motion, &skeleton);
        let mut poser = Poser::new(&motion, &skeleton, &binding, AdditiveRotation::default());
        for (frame, expected) in poses.as_object().unwrap() {
            let frame: f32 = frame.parse().unwrap();
            poser.pose(Moment::Seconds(frame / motion.frames_per_second()));
            let worlds: Vec<Transform> = poser.worlds().collect();
            for ((bone, local), world) in skeleton.bones().iter().zip(poser.locals()).zip(&worlds) {
                let expected = &expected[&*bone.name.text()];
                let place = distance(local.translation, numbers(&expected["local_t"]))
                    .max(distance(world.translation, numbers(&expected["world_t"])));
                let turn = turn_distance(local.rotation, numbers(&expected["local_q"]))
                    .max(turn_distance(world.rotation, numbers(&expected["world_q"])));
                count += 1;
                let is_near = place <= 1e-3 && turn <= 1e-4;
                assert!(is_near, "{name} {frame} {}: {place} {turn}", bone.name.text());
            }
        }
    }
    assert!(count > 0);
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn worlds_of_pxd_clips_are_those_of_the_corpus() {
    let corpus = corpus::root().join("pxd");
    let mut count = 0;
    let file = |name: &str| std::fs::read(corpus.join(name)).unwrap();
    let index: Value = serde_json::from_slice(&file("index.json")).unwrap();
    for clip in index["fixtures"].as_array().unwrap() {
        let [name, animation, skeleton] =
            ["name", "animation", "skeleton"].map(|key| clip[key].as_str().unwrap_or_default());
        let worlds = format!("{name}.world.json");
        if !corpus.join(&worlds).is_file() {
            continue;
        }
        let motion = pxd::read_animation(&file(animation)).unwrap().0;
        let skeleton = pxd::read_skeleton(&file(skeleton)).unwrap().0;
        let binding = Binding::new(&motion, &skeleton);
        let mut poser = Poser::new(&motion, &skeleton, &binding, AdditiveRotation::default());
        let expected: Value = serde_json::from_slice(&file(&worlds)).unwrap();
        for sample in expected["samples"].as_array().unwrap() {
            let seconds = sample["time"].as_f64().unwrap() as f32;
            poser.pose(Moment::Seconds(seconds));
            let tracks = sample["tracks"].as_array().unwrap();
            assert_eq!(tracks.len(), skeleton.bones().len());
            for (index, (world, track)) in poser.worlds().zip(tracks).enumerate() {
                let [qx, qy, qz, qw, tx, ty, tz, sx, sy, sz] = numbers(track);
                let off = turn_distance(world.rotation, [qx, qy, qz, qw])
                    .max(distance(world.translation, [tx, ty, tz]))
                    .max(distance(world.scale, [sx, sy, sz]));
                count += 1;
                assert!(off <= 1e-5, "{name} {seconds} {index}: {off}");
            }
        }
    }
    assert!(count > 0);
}

#[test]
fn skinning_maps_the_bind_pose_to_the_pose() {
    let skeleton = arm(ParentScale::Inherited);
    let mut motion = Motion::new(ALL, Precision::Single);
    let keys = TrackKeys { rotation: &[key(0, QUARTER_TURN)], ..TrackKeys::default() };
    motion.add_track("upper", 0, keys).unwrap();
    let binding = Binding::new(&motion, &skeleton);
    let mut poser = Poser::new(&motion, &skeleton, &binding, AdditiveRotation::default());
    poser.pose(Moment::Frame(0));
    let (hand, parts) = poser.skinning().next().unwrap();
    // The tip of the hand in the bind pose is turned about the shoulder.
    let tip = hand.transform_point3([30.0, 5.0, 0.0].into());
    assert!(distance(tip.into(), [0.0, 35.0, 0.0]) < 1e-9, "{tip}");
    assert!(distance(parts.scale, [1.0; 3]) < 1e-9);
    assert_eq!(poser.world_matrices().len(), 3);
}
