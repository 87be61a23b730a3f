//! Tests of animations that become motions and come back.

use std::borrow::Cow;

use pchr::document::{Animation, AnimationId, BoneTransform, Document, FileSection};
use pchr::format::{self, Loss};
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::format::seanim;
use pchr_foreign::plane::{self, ApplyOptions, Extras};

use crate::fixture::{Builder, at, puppet};
use crate::plane::{apply, told};
use crate::{corpus, fixture};

/// Converts an animation to a SEAnim file and back.
fn there_and_back(document: &Document, id: AnimationId) -> (Document, plane::Applied) {
    let (motion, losses) = plane::motion_of(document, id, Extras::Keep).unwrap();
    let is_nul = |loss: &Loss| loss.what.contains("NUL");
    assert!(losses.iter().all(is_nul), "{losses:?}");
    let file = seanim::write(&motion).unwrap();
    let (read, warnings) = seanim::read(Cow::Owned(file)).unwrap();
    let odd: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    let mut again = read.clone();
    again.conventions = motion.conventions;
    assert!(again == motion, "{odd:?}"); // a file does not store axes
    let bind = BindPose::new(document, BindChoice::Auto);
    let name = document.animation(id).unwrap().name();
    let applied = plane::apply(document, &bind, &read, name, &ApplyOptions::default()).unwrap();
    (plane::add(document, &applied.animation).unwrap(), applied)
}

/// Compares the last animation of a document with an older one. Returns the numbers of all transforms and of unequal ones.
fn compare(document: &Document, id: AnimationId) -> (usize, usize) {
    let old = document.animation(id).unwrap();
    let new = document.animations().last().unwrap();
    assert_eq!(old.frame_count(), new.frame_count());
    assert_eq!(old.flags(), new.flags());
    let records = |it: Animation<'_>| -> Vec<_> {
        it.transforms()
            .map(|it| BoneTransform::to_record(&it))
            .collect()
    };
    let (old, new) = (records(old), records(new));
    let unequal = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    (old.len(), unequal)
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn all_animations_of_the_corpus_come_back() {
    let mut files: Vec<_> = corpus::characters().into_iter().map(|it| it.pchr).collect();
    let synthetic = std::fs::read_dir(corpus::root().join("synthetic")).unwrap();
    let synthetic = synthetic.map(|entry| entry.unwrap().path());
    // Legacy packed files need the feature `json`.
    files.extend(synthetic.filter(|path| {
        let name = path.to_string_lossy();
        name.ends_with(".pchr") && !name.contains(".legacy.")
    }));
    files.sort();
    let (mut animations, mut transforms, mut unequal) = (0, 0, 0);
    for file in files {
        let document = format::read(std::fs::read(&file).unwrap());
        let document = document.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for id in document.animation_ids() {
            let (added, applied) = there_and_back(&document, id);
            assert!(applied.report.uses_block, "{}", file.display());
            let found: Vec<String> = applied
                .report
                .findings
                .iter()
                .map(ToString::to_string)
                .collect();
            assert!(found.is_empty(), "{}: {found:?}", file.display());
            let (compared, differ) = compare(&added, id);
            animations += 1;
            transforms += compared;
            unequal += differ;
            if differ > 0 {
                println!(
                    "{} {}: {differ} of {compared} unequal",
                    file.display(),
                    id.0
                );
            }
        }
    }
    println!("{animations} animations, {transforms} transforms, {unequal} unequal");
    assert_eq!(unequal, 0);
    assert!(transforms > 10_000);
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn without_the_block_the_plane_comes_back() {
    let (mut transforms, mut numbers, mut beyond) = (0, 0, 0);
    for character in corpus::characters() {
        let document = format::read(std::fs::read(&character.pchr).unwrap()).unwrap();
        for id in document.animation_ids() {
            let (motion, losses) = plane::motion_of(&document, id, Extras::LeaveOut).unwrap();
            assert_eq!(motion.custom, None);
            let (motion, _) = seanim::read(seanim::write(&motion).unwrap()).unwrap();
            let applied = apply(&document, &motion, &ApplyOptions::default()).unwrap();
            assert_eq!(told(&applied), [""; 0], "{}", character.id);
            let old = || document.animation(id).unwrap().transforms();
            let is_beyond = |it: &BoneTransform| it.rotation.abs() > 180.0;
            let lost = losses.iter().find(|loss| loss.what.contains("180"));
            assert_eq!(lost.is_some(), old().any(|it| is_beyond(&it)));
            for (old, new) in old().zip(&applied.animation.transforms) {
                let plane =
                    |it: &BoneTransform| [it.x, it.y, it.scale_x, it.scale_y].map(f32::to_bits);
                numbers += usize::from(plane(&old) != plane(new));
                let turned = (f64::from(old.rotation) - f64::from(new.rotation)) % 360.0;
                let is_same = if is_beyond(&old) {
                    turned == 0.0
                } else {
                    old.rotation.to_bits() == new.rotation.to_bits()
                };
                numbers += usize::from(!is_same);
                beyond += usize::from(is_beyond(&old));
                transforms += 1;
            }
        }
    }
    println!("{transforms} transforms, {numbers} unequal; {beyond} turned beyond 180 degrees");
    assert_eq!(numbers, 0);
}

#[test]
fn all_animations_of_the_sample_come_back() {
    let document = format::read(include_bytes!("../../../assets/sample.pchr").as_slice()).unwrap();
    for id in document.animation_ids() {
        let (added, applied) = there_and_back(&document, id);
        assert_eq!(told(&applied), [""; 0]);
        let (compared, unequal) = compare(&added, id);
        assert!(compared > 0 && unequal == 0);
    }
}

/// Character with difficult numbers: zeros of both signs, tiny and huge numbers, many turns.
fn odd_numbers() -> Builder {
    let turned = |rotation: f32| BoneTransform {
        rotation,
        ..BoneTransform::default()
    };
    let signs = |zero: f32| BoneTransform {
        x: zero,
        rotation: zero,
        scale_x: zero,
        scale_y: -1.0,
        ..BoneTransform::default()
    };
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
    let back = BoneTransform {
        flags: 0xfe,
        z_order: i16::MIN,
        ..BoneTransform::default()
    };
    Builder::new()
        .bone("same", None)
        .bone("same", Some(0))
        .animation("odd", true, &frames)
        .animation("back", false, &[[back, back], [back, back]])
        .animation("none", true, &[[back; 2]; 0])
}

#[test]
fn odd_numbers_names_and_flags_come_back() {
    let mut builder = odd_numbers();
    builder.parts.animations[1].flags = 0xfe;
    let document = builder.document();
    for id in document.animation_ids() {
        let (added, applied) = there_and_back(&document, id);
        assert_eq!(told(&applied), [""; 0]);
        let frames = document.animation(id).unwrap().frame_count();
        assert_eq!(
            compare(&added, id),
            (usize::from(frames) * 2, 0),
            "{}",
            id.0
        );
    }
    let losses = |id, extras| {
        let (_, losses) = plane::motion_of(&document, AnimationId(id), extras).unwrap();
        let losses = losses.iter();
        losses
            .map(|it| format!("{} {}: {}", it.count, it.what, it.first))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        losses(0, Extras::LeaveOut),
        [
            "1 hidden bones: animations[0].frames[8][0]",
            "1 bones with rotations beyond ±180 degrees: animations[0].frames[0][1]",
        ]
    );
    assert_eq!(
        losses(1, Extras::LeaveOut),
        [
            "1 animations with unknown flags: animations[1].flags",
            "2 hidden bones: animations[1].frames[0][0]",
            "2 bones with a draw order: animations[1].frames[0][0]",
            "2 bones with unknown flags: animations[1].frames[0][0]",
        ]
    );
    assert!(plane::motion_of(&document, AnimationId(3), Extras::Keep).is_none());
}

#[test]
fn numbers_that_no_turn_can_say_are_listed() {
    let odd = [1e30, f32::NAN, f32::INFINITY].map(|rotation| {
        [BoneTransform {
            rotation,
            ..at(f32::NAN, 1.0)
        }]
    });
    let document = Builder::new()
        .bone("a", None)
        .animation("odd", false, &odd)
        .document();
    let (motion, losses) = plane::motion_of(&document, AnimationId(0), Extras::Keep).unwrap();
    let lost: Vec<_> = losses.iter().map(|it| (it.count, it.what)).collect();
    assert_eq!(
        lost,
        [
            (3, "transforms that are not finite"),
            (1, "transforms with too many turns to count"),
        ]
    );
    let applied = apply(&document, &motion, &ApplyOptions::default()).unwrap();
    assert_eq!(applied.animation.transforms, [at(0.0, 1.0); 3]);
}

#[test]
fn equal_runs_have_no_keys() {
    let xs = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0];
    let frames = xs.map(|x| [at(x, 0.0)]);
    let document = Builder::new()
        .bone("a", None)
        .animation("a", false, &frames)
        .document();
    let (motion, _) = plane::motion_of(&document, AnimationId(0), Extras::Keep).unwrap();
    let track = &motion.tracks()[0];
    let keys = motion.translation(track).unwrap();
    let frames: Vec<u32> = keys.iter().map(|key| key.frame).collect();
    assert_eq!(frames, [0, 3, 4, 6, 7]);
    assert_eq!(motion.rotation(track).unwrap().len(), 1);
    assert_eq!(motion.scale(track).unwrap().len(), 1);
    assert_eq!((motion.frames(), motion.rate), (9, 10.0));
}

#[test]
fn all_but_the_new_animation_stays() {
    let document = puppet().document();
    let (added, applied) = there_and_back(&document, AnimationId(1));
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
    for (wanted, name) in [
        ("Rest-Pose", "Rest-Pose 2"),
        ("idle", "idle 2"),
        ("Idle", "Idle"),
        ("", ""),
    ] {
        assert_eq!(plane::free_name(&document, wanted), name);
    }
    let more = Builder::new()
        .bones(1)
        .still("a", true, 1)
        .still("a 2", true, 1);
    assert_eq!(plane::free_name(&more.document(), "a"), "a 3");
}

#[test]
fn a_block_that_does_not_fit_is_told_and_left_out() {
    let document = puppet().document();
    let (own, _) = plane::motion_of(&document, AnimationId(2), Extras::Keep).unwrap();
    let block = own.custom.clone().unwrap();
    let changed = |custom: Vec<u8>| {
        let mut motion = own.clone();
        motion.custom = Some(custom);
        let applied = apply(&document, &motion, &ApplyOptions::default()).unwrap();
        (applied.report.uses_block, told(&applied).join("; "))
    };
    assert_eq!(changed(block.clone()), (true, String::new()));
    assert_eq!(
        changed(b"another program's".to_vec()),
        (false, String::new())
    );
    let cut = changed(block[..block.len() - 1].to_vec());
    assert!(
        !cut.0
            && cut
                .1
                .contains("PLANE-W108 block: custom at byte 0 (0x0): its data ends early"),
        "{cut:?}"
    );
    let longer = changed([&block[..], &[0]].concat());
    assert!(longer.1.contains("1 byte after the last run"), "{longer:?}");
    let mut frames = own.clone();
    frames.frame_count = 9;
    let applied = apply(&document, &frames, &ApplyOptions::default()).unwrap();
    let line = told(&applied).join("; ");
    assert!(
        line.contains(
            "3 frames, but the motion has 9; visibility and draw order come from the bind pose"
        ),
        "{line}"
    );
    // A character that lacks some of the bones cannot use the stored draw order; one with more bones can.
    let bones = |builder: Builder| builder.still("bind", false, 1).document();
    let other = bones(Builder::new().bone("root", None).bone("Red", None));
    let applied = apply(&other, &own, &ApplyOptions::default()).unwrap();
    let line = told(&applied).join("; ");
    assert!(
        line.contains("the character lacks 2 of the motion's 3 bones"),
        "{line}"
    );
    let more = ["more", "green", "red", "root"];
    let more = more
        .into_iter()
        .fold(Builder::new(), |it, name| it.bone(name, None));
    let applied = apply(&bones(more), &own, &ApplyOptions::default()).unwrap();
    assert!(applied.report.uses_block);
    // Left out on request.
    let options = ApplyOptions {
        extras: Extras::LeaveOut,
        ..ApplyOptions::default()
    };
    let applied = apply(&document, &own, &options).unwrap();
    assert!(!applied.report.uses_block);
    assert!(
        applied
            .animation
            .transforms
            .iter()
            .all(BoneTransform::visible)
    );
    let kept = apply(&document, &own, &ApplyOptions::default()).unwrap();
    assert!(!kept.animation.transforms.iter().all(BoneTransform::visible));
}
