//! Tests of absurd numbers and sizes: they are refused or reported, and do no harm.

use pchr::document::{AnimationId, BoneTransform};
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::motion::{AnimationType, Key, Motion, Target, TrackKeys};
use pchr_foreign::plane::{self, ApplyOptions, Refused};
use proptest::prelude::*;

use crate::fixture::{Builder, puppet};
use crate::plane::{along, apply, key, motion, moving, told};

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let document = puppet().document();
    let refused = |name: &str, last: u32, rate: f32, scale: f64| {
        let mut motion = motion(name, moving(&along(&[(last, 1.0)])));
        motion.rate = rate;
        let options = ApplyOptions { scale, ..ApplyOptions::default() };
        apply(&document, &motion, &options).unwrap_err().to_string()
    };
    let wanted = "the motion takes 65536 frames at 10 frames per second, expected at most 65535";
    assert_eq!(refused("red", 65_535, 10.0, 1.0), wanted);
    assert!(refused("red", u32::MAX - 1, 1e-30, 1.0).contains("at most 65535"));
    for scale in [0.0, -1.0, 1e300, f64::NAN, f64::INFINITY] {
        assert!(refused("red", 0, 10.0, scale).contains("expected a number from 1e-9"));
    }
    let wanted = "no track matches a bone of the character (1 track; the first is \"blue\")";
    assert_eq!(refused("blue", 0, 10.0, 1.0), wanted);
    let mut unnamed = Motion::default();
    unnamed.add_track(Target::Bone(0), 0, TrackKeys::default()).unwrap();
    let error = apply(&document, &unnamed, &ApplyOptions::default()).unwrap_err();
    assert_eq!(error, Refused::Unnamed);
    let many = Builder::new().bones(300).document();
    let long = motion("bone 0", moving(&along(&[(65_534, 1.0)])));
    let wanted =
        "65535 frames of 300 bones are too many, expected at most 16777216 transforms in all";
    assert_eq!(apply(&many, &long, &ApplyOptions::default()).unwrap_err().to_string(), wanted);
}

#[test]
fn numbers_that_are_none_are_told_and_neutral() {
    let document = puppet().document();
    let keys = TrackKeys {
        translation: &[key(0, [f64::NAN, 1.0, 0.0]), key(1, [1e300, 1.0, f64::INFINITY])],
        rotation: &[key(0, [0.0; 4]), key(1, [f64::NAN; 4])],
        scale: &[key(0, [0.0; 3]), key(1, [f64::NEG_INFINITY, 2.0, 1.0])],
    };
    let applied = apply(&document, &motion("root", keys), &ApplyOptions::default()).unwrap();
    let root = |frame: usize| applied.animation.transforms[frame * 3];
    let numbers = |it: BoneTransform| [it.x, it.y, it.rotation, it.scale_x, it.scale_y];
    assert_eq!(numbers(root(0)), [0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(numbers(root(1)), [0.0, 1.0, 0.0, 1.0, 2.0]);
    let odd = "PLANE-W105 not-finite: tracks[0].transform at byte 0 (0x0): \"root\" at frame 0: not finite, or beyond 32 bits; written as 0 (a scale as 1); 2 transforms";
    assert!(told(&applied).iter().any(|it| it == odd), "{:?}", told(&applied));
}

/// Any number, often an odd one.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        any::<f32>().prop_map(f64::from),
        prop_oneof![Just(0.0), Just(f64::NAN), Just(f64::INFINITY), Just(1e-310), Just(f64::MAX)],
        -2.0..2.0,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_motion_does_harm(
        places in prop::collection::vec((0_u32..40, prop::array::uniform3(number())), 0..5),
        turns in prop::collection::vec((0_u32..40, prop::array::uniform4(number())), 0..5),
        scales in prop::collection::vec((0_u32..40, prop::array::uniform3(number())), 0..5),
        root in prop::collection::vec((0_u32..40, prop::array::uniform4(number())), 0..3),
        rate in prop_oneof![any::<f32>(), 5.0_f32..60.0],
        scale in prop_oneof![number(), Just(1.0), 1e-9..1e9],
        kind in 0_u8..5,
        custom in prop::option::of(prop::collection::vec(any::<u8>(), 0..60)),
    ) {
        fn keys<const N: usize>(keys: &[(u32, [f64; N])]) -> Vec<Key<N>> {
            keys.iter().map(|(frame, value)| key(*frame, *value)).collect()
        }
        let (places, turns, scales) = (keys(&places), keys(&turns), keys(&scales));
        let tracks = TrackKeys { translation: &places, rotation: &turns, scale: &scales };
        let mut motion = motion("root", tracks);
        motion.add_track("Green", 0, tracks).unwrap();
        motion.rate = rate;
        motion.animation_type = AnimationType::from_code(kind);
        let root = keys(&root);
        motion.set_root_keys(TrackKeys { rotation: &root, translation: &places, ..tracks }).unwrap();
        motion.custom = custom;
        let document = puppet().document();
        let options = ApplyOptions { scale, ..ApplyOptions::default() };
        if let Ok(applied) = apply(&document, &motion, &options) {
            let added = plane::add(&document, &applied.animation).unwrap();
            let odd = added.warnings().iter().filter(|it| it.rule.name().contains("finite"));
            prop_assert_eq!(odd.count(), 0);
            let (again, _) = plane::motion_of(&added, AnimationId(5)).unwrap();
            let bind = BindPose::new(&added, BindChoice::Auto);
            let options = ApplyOptions::default();
            let twice = plane::apply(&added, &bind, &again, "twice", &options).unwrap();
            // Whole turns have no place in a motion.
            for (twice, once) in twice.animation.transforms.iter().zip(&applied.animation.transforms) {
                let turned = (twice.rotation - once.rotation).rem_euclid(360.0);
                prop_assert!(turned.min(360.0 - turned) < 1e-3, "{twice:?} {once:?}");
                prop_assert_eq!(*twice, BoneTransform { rotation: twice.rotation, ..*once });
            }
        }
    }
}
