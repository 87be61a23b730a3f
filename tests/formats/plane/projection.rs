//! Tests of the projection to the plane, and of reports of what it loses.

use pchr::document::BoneTransform;
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::motion::{
    AnimationType, Bone, Conventions, NameMatch, ParentScale, Skeleton, Target, TrackKeys,
    Transform,
};
use pchr_foreign::plane::{self, ApplyOptions, RootMotionUse};

use crate::fixture::{Builder, at, puppet};
use crate::plane::{along, apply, key, motion, moving, of_bone, told};

const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

#[test]
fn the_skeleton_is_the_bind_pose() {
    let turned = BoneTransform { rotation: 450.0, scale_x: 2.0, scale_y: f32::NAN, ..at(3.0, 4.0) };
    let document = Builder::new()
        .bone("a", None)
        .bone("b\0", Some(0))
        .animation("first", false, &[[at(1.0, 1.0), at(1.0, 1.0)]])
        .animation("Bind Pose", false, &[[at(0.0, 5.0), turned]])
        .document();
    let skeleton = plane::skeleton(&document, &BindPose::new(&document, BindChoice::Auto));
    let [a, b] = skeleton.bones() else { panic!("{skeleton:?}") };
    assert_eq!(a.rest.translation, [0.0, 5.0, 0.0]);
    assert_eq!(a.rest.rotation, [0.0, 0.0, 0.0, 1.0]);
    assert_eq!((b.parent, b.name.text()), (Some(0), "b\u{2400}".into()));
    assert_eq!(b.rest.translation, [3.0, 4.0, 0.0]);
    assert_eq!(b.rest.scale, [2.0, 1.0, 1.0]);
    for (number, wanted) in b.rest.rotation.into_iter().zip([0.0, 0.0, HALF, HALF]) {
        assert!((number - wanted).abs() < 1e-15);
    }
    let skeleton = plane::skeleton(&document, &BindPose::new(&document, BindChoice::None));
    assert_eq!(skeleton.bones()[1].rest, Transform::IDENTITY);
}

#[test]
fn a_bone_is_projected_and_the_rest_is_told() {
    let document = puppet().document();
    // A quarter turn about Z, then 60 degrees about X.
    let [sin, cos] = [30_f64.to_radians().sin(), 30_f64.to_radians().cos()];
    let tilted = [HALF * sin, -HALF * sin, HALF * cos, HALF * cos];
    let keys = TrackKeys {
        translation: &[key(0, [3.0, 4.0, 12.5]), key(2, [5.0, 4.0, 1.0])],
        rotation: &[key(0, [0.0, 0.0, 0.0, 1.0]), key(2, tilted)],
        scale: &[key(0, [2.0, 0.5, 1.0]), key(1, [2.0, 0.5, 1.5])],
    };
    let mut motion = motion("x:RED", keys);
    motion.add_track("tag_weapon", 0, TrackKeys::default()).unwrap();
    motion.looped = true;
    let applied = apply(&document, &motion, &ApplyOptions::default()).unwrap();
    let wanted = [
        "PLANE-W110 motion-unmatched: tracks at byte 0 (0x0): only 1 of the 2 tracks moves a bone of the character, not \"tag_weapon\"",
        "PLANE-W104 track-unmatched: tracks[1] at byte 0 (0x0): the character has no bone named \"tag_weapon\"",
        "PLANE-W101 depth: tracks[0].translation at byte 0 (0x0): \"red\" at frame 0: z is 12.5; 1 bone leaves the plane",
        "PLANE-W102 tilt: tracks[0].rotation at byte 0 (0x0): \"red\" at frame 2: 60.000 degrees out of the plane; 1 bone tilts",
        "PLANE-W103 scale-depth: tracks[0].scale at byte 0 (0x0): \"red\" at frame 1: the scale along z is 1.5; 1 bone grows out of the plane",
    ];
    assert_eq!(told(&applied), wanted);
    let animation = &applied.animation;
    assert_eq!((animation.flags, animation.frame_count), (1, 3));
    let red = of_bone(&document, &applied, 1);
    let numbers = |it: &BoneTransform| [it.x, it.y, it.rotation, it.scale_x, it.scale_y];
    assert_eq!(numbers(&red[0]), [3.0, 4.0, 0.0, 2.0, 0.5]);
    assert_eq!(numbers(&red[1])[..2], [4.0, 4.0]);
    assert_eq!(numbers(&red[2]), [5.0, 4.0, 90.0, 2.0, 0.5]);
    // Other bones rest in the bind pose.
    assert_eq!(of_bone(&document, &applied, 2), [at(40.0, 0.0); 3]);
    let report = &applied.report;
    assert_eq!(report.tracks.len(), 2);
    assert_eq!(report.tracks[0].unwrap().1, NameMatch::WithoutNamespace);
    assert_eq!(report.still.len(), 2);
    assert_eq!(report.resampled, None);
    assert!(!report.moves_roots && !report.leaves_out_root);
}

#[test]
fn bones_keep_visibility_and_draw_order_of_the_bind_pose() {
    let back = BoneTransform { flags: 0, z_order: -7, rotation: 270.0, ..at(1.0, 2.0) };
    let document = Builder::new()
        .bone("a", None)
        .bone("b", None)
        .animation("bind", false, &[[back, back]])
        .document();
    let motion = motion("a", moving(&along(&[(0, 9.0)])));
    let applied = apply(&document, &motion, &ApplyOptions::default()).unwrap();
    // No key rotates it, so it keeps its angle.
    assert_eq!(applied.animation.transforms, [BoneTransform { x: 9.0, y: 0.0, ..back }, back]);
}

#[test]
fn motions_over_the_bind_pose_are_scaled_alone() {
    let document = puppet().document();
    for (kind, x) in [
        (AnimationType::Absolute, 30.0),
        (AnimationType::Relative, -10.0),
        (AnimationType::Additive, -10.0),
        (AnimationType::Delta, -10.0),
    ] {
        let mut motion = motion("red", moving(&along(&[(0, 3.0)])));
        motion.animation_type = kind;
        let options = ApplyOptions { scale: 10.0, ..ApplyOptions::default() };
        let applied = apply(&document, &motion, &options).unwrap();
        assert_eq!(of_bone(&document, &applied, 1), [at(x, 0.0)], "{kind:?}");
        assert_eq!(told(&applied), [""; 0]);
    }
}

#[test]
fn a_motion_in_metres_is_told_of() {
    let document = puppet().document();
    let motion = motion("red", moving(&along(&[(0, -0.4)])));
    let applied = apply(&document, &motion, &ApplyOptions::default()).unwrap();
    let wanted = "PLANE-W106 motion-scale: motion at byte 0 (0x0): bone offsets are 1.000e-2 times those of the bind pose; correct this with --motion-scale 100";
    assert_eq!(told(&applied), [wanted]);
    let options = ApplyOptions { scale: 100.0, ..ApplyOptions::default() };
    assert_eq!(told(&apply(&document, &motion, &options).unwrap()), [""; 0]);
}

#[test]
fn movement_of_the_whole_model_moves_the_roots() {
    let document = puppet().document();
    let up = [key(0, [0.0; 3]), key(1, [3.0, 7.0, 0.0])];
    let quarter = [key(1, [0.0, 0.0, HALF, HALF])];
    let root = TrackKeys { translation: &up, rotation: &quarter, ..TrackKeys::default() };
    // As PXD stores root motion, and as a delta motion stores it in its own first bone.
    let step = along(&[(0, 2.0)]);
    let mut beside = motion("root", moving(&step));
    beside.set_root_keys(root).unwrap();
    let mut delta = motion("tag_origin", root);
    delta.animation_type = AnimationType::Delta;
    delta.add_track("root", 0, moving(&step)).unwrap();
    for motion in [beside, delta] {
        let applied = apply(&document, &motion, &ApplyOptions::default()).unwrap();
        assert_eq!(told(&applied), [""; 0]);
        assert!(applied.report.moves_roots);
        let moved = of_bone(&document, &applied, 0);
        let [_, last] = moved[..] else { panic!("{moved:?}") };
        // 2 along X, turned by a quarter, is 2 along Y.
        assert!((last.x - 3.0).abs() < 1e-6 && (last.y - 9.0).abs() < 1e-6);
        assert!((last.rotation - 90.0).abs() < 1e-5);
        assert_eq!(of_bone(&document, &applied, 1), [at(-40.0, 0.0); 2]);
        let options = ApplyOptions { root: RootMotionUse::LeaveOut, ..ApplyOptions::default() };
        let applied = apply(&document, &motion, &options).unwrap();
        assert!(applied.report.leaves_out_root);
        assert_eq!(of_bone(&document, &applied, 0), [at(2.0, 0.0); 2]);
    }
}

#[test]
fn a_scale_that_now_reaches_children_is_told_of() {
    let document = puppet().document();
    let grown = [key(0, [1.0; 3]), key(1, [1.5, 1.0, 1.0])];
    let scale = |name| {
        let keys = TrackKeys { scale: &grown, ..TrackKeys::default() };
        let mut motion = motion(name, keys);
        motion.conventions.parent_scale = ParentScale::Separate;
        told(&apply(&document, &motion, &ApplyOptions::default()).unwrap())
    };
    let wanted = "PLANE-W107 parent-scale: tracks[0].scale at byte 0 (0x0): \"root\" at frame 1: the scale is 1.5; in the motion it does not move children, but in the character it does; 1 bone scales";
    assert_eq!(scale("root"), [wanted]);
    assert_eq!(scale("red"), [""; 0]);
}

#[test]
fn indices_find_bones_by_the_names_of_their_skeleton() {
    let document = puppet().document();
    let step = along(&[(0, 1.0)]);
    let mut motion = motion("none", TrackKeys::default());
    motion.add_track(Target::Bone(1), 0, moving(&step)).unwrap();
    let bone = |name: &str| Bone { name: name.into(), ..Bone::default() };
    let own = Skeleton::new(vec![bone("other"), bone("Green")], Conventions::PXD).unwrap();
    let options = ApplyOptions { names: Some(&own), ..ApplyOptions::default() };
    let applied = apply(&document, &motion, &options).unwrap();
    assert_eq!(of_bone(&document, &applied, 2), [at(1.0, 0.0)]);
    let how = applied.report.tracks[1].unwrap();
    assert_eq!((how.0.0, how.1), (2, NameMatch::IgnoringCase));
}

#[test]
fn a_character_without_frames_gets_a_bind_pose() {
    let document = Builder::new().bones(1).document();
    let motion = motion("bone 0", moving(&along(&[(0, 1.0)])));
    let applied = apply(&document, &motion, &ApplyOptions::default()).unwrap();
    let wanted = "PLANE-W109 bind-pose: animation at byte 0 (0x0): the character had no frames; frame 0 of the new animation becomes the bind pose";
    assert_eq!(told(&applied), [wanted]);
}
