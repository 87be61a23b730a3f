//! Tests of animations that become motions and come back.

use pchr::document::{AnimationId, BoneTransform, Document, FileSection};
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::format::seanim;
use pchr_foreign::plane::{self, ApplyOptions};

use crate::fixture::{Builder, at, puppet};
use crate::plane::{apply, told};
use crate::{corpus, fixture};

/// Converts an animation to a SEAnim file and back, and compares the numbers in the plane, bit for bit. Returns the number of transforms.
fn there_and_back(document: &Document, id: AnimationId) -> usize {
    let (motion, losses) = plane::motion_of(document, id).unwrap();
    assert_eq!(motion.custom, None);
    let (read, _) = seanim::read(seanim::write(&motion).unwrap()).unwrap();
    let mut again = read.clone();
    again.conventions = motion.conventions;
    assert!(again == motion); // a file does not store axes
    let applied = apply(document, &read, &ApplyOptions::default()).unwrap();
    assert_eq!(told(&applied), [""; 0]);
    let old = document.animation(id).unwrap();
    let animation = &applied.animation;
    assert_eq!(old.frame_count().max(1), animation.frame_count);
    assert_eq!(u8::from(old.looping()), animation.flags);
    let is_beyond = |it: &BoneTransform| it.rotation.abs() > 180.0;
    let lost = losses.iter().find(|loss| loss.what.contains("180"));
    assert_eq!(lost.is_some(), old.transforms().any(|it| is_beyond(&it)));
    for (old, new) in old.transforms().zip(&animation.transforms) {
        let plane = |it: &BoneTransform| [it.x, it.y, it.scale_x, it.scale_y].map(f32::to_bits);
        assert_eq!(plane(&old), plane(new));
        // A bone that turns as in the bind pose keeps the whole turns of that.
        if is_beyond(&old) || is_beyond(new) {
            let turned = f64::from(old.rotation) - f64::from(new.rotation);
            assert_eq!(turned % 360.0, 0.0);
        } else {
            assert_eq!(old.rotation.to_bits(), new.rotation.to_bits());
        }
    }
    animation.transforms.len()
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn all_animations_of_the_corpus_come_back() {
    let mut transforms = 0;
    for character in corpus::characters() {
        let document = corpus::read_document(&character.pchr);
        let ids = document.animation_ids();
        transforms += ids.map(|id| there_and_back(&document, id)).sum::<usize>();
    }
    assert!(transforms > 10_000);
}

/// Character with difficult numbers: zeros of both signs, tiny and huge numbers, many turns.
fn odd_numbers() -> Builder {
    let turned = |rotation: f32| BoneTransform { rotation, ..BoneTransform::default() };
    let signs = |zero: f32| fixture::transform_of((zero, 0.0, zero, zero, -1.0, 1, 0));
    let tiny = f32::from_bits(1);
    let frames = [
        [signs(-0.0), turned(540.0)],
        [signs(-0.0), turned(-180.0)],
        [signs(-0.0), turned(180.0)],
        [signs(-0.0), turned(tiny)],
        [signs(0.0), turned(-tiny)],
        [signs(0.0), turned(7e11)],
        [at(f32::MAX, f32::MIN), turned(-359.999_97)],
        [at(tiny, -tiny), turned(180.000_02)],
        [fixture::hidden(), turned(1e-20)],
    ];
    let back = BoneTransform { flags: 0xfe, z_order: i16::MIN, ..BoneTransform::default() };
    Builder::new()
        .bone("same", None)
        .bone("same", Some(0))
        .animation("odd", true, &frames)
        .animation("back", false, &[[back, back], [back, back]])
        .animation("none", true, &[[back; 2]; 0])
}

#[test]
fn odd_numbers_come_back_and_what_has_no_place_is_listed() {
    let mut builder = odd_numbers();
    builder.parts.animations[1].flags = 0xfe;
    let document = builder.document();
    for id in document.animation_ids() {
        there_and_back(&document, id);
    }
    let losses = |id| {
        let (_, losses) = plane::motion_of(&document, AnimationId(id)).unwrap();
        let losses = losses.iter();
        losses.map(|it| format!("{} {}: {}", it.count, it.what, it.first)).collect::<Vec<_>>()
    };
    let wanted = [
        "1 hidden bones: animations[0].frames[8][0]",
        "1 bones with rotations beyond ±180 degrees: animations[0].frames[0][1]",
    ];
    assert_eq!(losses(0), wanted);
    let wanted = [
        "1 animations with unknown flags: animations[1].flags",
        "2 hidden bones: animations[1].frames[0][0]",
        "2 bones with a draw order: animations[1].frames[0][0]",
        "2 bones with unknown flags: animations[1].frames[0][0]",
    ];
    assert_eq!(losses(1), wanted);
    assert!(plane::motion_of(&document, AnimationId(3)).is_none());
}

#[test]
fn numbers_that_are_not_finite_are_listed() {
    let odd = [f32::NEG_INFINITY, f32::NAN, f32::INFINITY]
        .map(|rotation| [BoneTransform { rotation, ..at(f32::NAN, 1.0) }]);
    let document = Builder::new().bone("a", None).animation("odd", false, &odd).document();
    let (motion, losses) = plane::motion_of(&document, AnimationId(0)).unwrap();
    let lost: Vec<_> = losses.iter().map(|it| (it.count, it.what)).collect();
    assert_eq!(lost, [(3, "transforms that are not finite")]);
    let applied = apply(&document, &motion, &ApplyOptions::default()).unwrap();
    assert_eq!(applied.animation.transforms, [at(0.0, 1.0); 3]);
}

#[test]
fn equal_runs_have_no_keys() {
    let frames = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0].map(|x| [at(x, 0.0)]);
    let document = Builder::new().bone("a", None).animation("a", false, &frames).document();
    let (motion, _) = plane::motion_of(&document, AnimationId(0)).unwrap();
    let track = &motion.tracks()[0];
    let frames: Vec<u32> = motion.translation(track).unwrap().iter().map(|key| key.frame).collect();
    assert_eq!(frames, [0, 3, 4, 6, 7]);
    assert_eq!((motion.rotation(track).unwrap().len(), motion.scale(track).unwrap().len()), (1, 1));
    assert_eq!((motion.frames(), motion.rate), (9, 10.0));
}

#[test]
fn all_but_the_new_animation_stays() {
    let document = puppet().document();
    let (motion, _) = plane::motion_of(&document, AnimationId(1)).unwrap();
    let bind = BindPose::new(&document, BindChoice::Auto);
    let applied = plane::apply(&document, &bind, &motion, "walk", &ApplyOptions::default());
    let applied = applied.unwrap();
    let added = plane::add(&document, &applied.animation).unwrap();
    assert_eq!(applied.animation.name, "walk 2");
    assert!(applied.report.renamed);
    let count = added.section_range(FileSection::Animations).start as usize;
    assert_eq!(added.bytes()[..count], document.bytes()[..count]);
    assert_eq!(added.bytes()[count..count + 2], [6, 0]);
    let rest = &document.bytes()[count + 2..];
    assert_eq!(added.bytes()[count + 2..][..rest.len()], *rest);
    assert_eq!(added.animations().len(), 6);
    let bind = |document| BindPose::new(document, BindChoice::Auto).source();
    assert_eq!(bind(&added), bind(&document));
}

#[test]
fn a_new_animation_is_never_the_bind_pose_by_name() {
    let document = Builder::new().bones(1).still("idle", true, 2).document();
    for (wanted, name) in
        [("Rest-Pose", "Rest-Pose 2"), ("idle", "idle 2"), ("Idle", "Idle"), ("", "")]
    {
        assert_eq!(plane::free_name(&document, wanted), name);
    }
    let more = Builder::new().bones(1).still("a", true, 1).still("a 2", true, 1);
    assert_eq!(plane::free_name(&more.document(), "a"), "a 3");
}
