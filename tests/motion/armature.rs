//! Tests of 3D motions as a subject: poses, times, curves and notes.

use crate::rig;
use std::sync::Arc;

use pchr::document::{AnimationId, BoneId};
use pchr::finding::Findings;
use pchr::playback::FrameAt;
use pchr::scene::{CurveKind, MarkKind, OrbitCamera, Spatial, SpatialPose, Subject, measure};
use pchr_foreign::armature::{Armature, ArmatureMotion, ArmatureParts};
use pchr_foreign::format::{pxd, seanim};
use pchr_foreign::motion::{
    AdditiveRotation, Binding, Bone, Conventions, Key, Moment, Motion, Poser, Precision, Skeleton,
    Target, TrackKeys, Transform, UpAxis,
};

const CLIP: AnimationId = AnimationId(0);

fn shown(motion: Motion) -> ArmatureMotion {
    ArmatureMotion { name: "walk".into(), motion: Arc::new(motion), own: None, looping: Some(true) }
}

fn armature(skeleton: Option<Skeleton>, motion: impl Into<Option<Motion>>) -> Armature {
    let motion: Option<Motion> = motion.into();
    let (skeleton, motions) = (skeleton.map(Arc::new), motion.map(shown).into_iter().collect());
    let warnings = Findings::default();
    Armature::new(ArmatureParts { skeleton, motions, format: "test", bytes: 0, warnings })
}

fn posed(armature: &Armature, at: Option<FrameAt>, in_place: bool) -> SpatialPose {
    let mut pose = SpatialPose::default();
    Spatial::pose(armature, at, in_place, &mut pose);
    pose
}

fn between(frame: u16, next: u16, blend: f32) -> Option<FrameAt> {
    Some(FrameAt { animation: CLIP, frame, next, blend })
}

#[test]
fn bones_are_where_the_poser_has_them_also_between_frames() {
    let (skeleton, motion) = (rig::biped(), rig::walk());
    let armature = armature(Some(skeleton.clone()), motion.clone());
    let binding = Binding::new(&motion, &skeleton);
    let mut poser = Poser::new(&motion, &skeleton, &binding, AdditiveRotation::default());
    for (at, moment) in [
        (between(7, 7, 0.0), Moment::Frame(7)),
        (between(7, 8, 0.25), Moment::Seconds(7.25 / 30.0)),
    ] {
        poser.pose(moment);
        let pose = posed(&armature, at, false);
        let worlds = &pose.worlds;
        assert_eq!(worlds.len(), skeleton.bones().len());
        for (id, index) in (0..).map(BoneId).zip(skeleton.parents_first()) {
            let wanted = poser.world_matrices().nth(*index as usize).unwrap();
            assert!(worlds[id.index()].abs_diff_eq(wanted, 1e-6), "{id:?} {at:?}");
            let bone = armature.bone(id).unwrap();
            assert!(bone.parent().is_none_or(|parent| parent < id));
        }
    }
    // Without a moment, the bones are at rest.
    assert_eq!(posed(&armature, None, false).worlds[0].translation.y, 0.95);
}

#[test]
fn a_loop_goes_from_its_last_frame_to_its_first() {
    let mut motion = rig::walk();
    motion.frame_count = 20; // although keys reach to 24
    let armature = armature(Some(rig::biped()), motion);
    let z = |at| posed(&armature, at, false).worlds[0].translation.z;
    let (last, first) = (z(between(24, 24, 0.0)), z(between(0, 0, 0.0)));
    let half = z(between(24, 0, 0.5));
    assert!((half - f64::midpoint(last, first)).abs() < 1e-9, "{half}");
}

#[test]
fn movement_of_the_whole_model_is_applied_or_left_out() {
    let (motion, _) = pxd::read_animation(&rig::numbered_file()).unwrap();
    let (skeleton, _) = pxd::read_skeleton(&rig::biped_file()).unwrap();
    let armature = armature(Some(skeleton), motion);
    let at = between(10, 10, 0.0);
    let (moved, still) = (posed(&armature, at, false), posed(&armature, at, true));
    let z = |pose: &SpatialPose| pose.worlds[0].translation.z;
    assert!((z(&moved) - 0.5).abs() < 1e-6 && z(&still).abs() < 1e-6);
    assert!(armature.has_root_motion(CLIP));
    // Root motion is reported in both cases.
    assert_eq!(moved.root, still.root);
}

#[test]
fn curves_have_the_values_of_each_frame_and_the_frames_of_the_keys() {
    let armature = armature(Some(rig::biped()), rig::walk());
    let thigh = (0..16).map(BoneId).find(|id| armature.bone(*id).unwrap().name() == "thigh_l");
    let curves = armature.curves(thigh.unwrap(), CLIP);
    let turn = curves.iter().find(|it| it.kind == CurveKind::Rotation && it.name == "x").unwrap();
    assert_eq!(turn.keys.as_deref(), Some(&[0, 6, 12, 18, 24][..]));
    assert_eq!(turn.values.len(), 25);
    assert!((turn.values[6] - 35.0).abs() < 1e-3 && (turn.values[3] - 17.5).abs() < 1e-3);
    let place = curves.iter().find(|it| it.kind == CurveKind::Translation).unwrap();
    assert_eq!(place.keys.as_deref(), Some(&[][..]));
    let marks = armature.marks(CLIP);
    let notes: Vec<_> = marks.iter().map(|it| (it.frame, it.kind, it.text.as_str())).collect();
    let note = MarkKind::Note;
    assert_eq!(notes, [(6, note, "step_left"), (18, note, "step_right")]);
}

#[test]
fn without_a_skeleton_tracks_are_bones_and_those_with_places_are_shown() {
    let (motion, _) = seanim::read(rig::walk_file()).unwrap();
    let armature = armature(None, motion);
    assert!(!armature.has_skeleton());
    let has_place = |id| armature.has_place(BoneId(id));
    assert_eq!([0, 1, 2, 3, 4].map(has_place), [true, false, false, false, false]);
    let has_curve =
        |id| armature.curves(BoneId(id), CLIP).iter().any(|it| it.kind == CurveKind::Translation);
    assert_eq!([0, 1].map(has_curve), [true, false]);
    // A file that does not say has Z up; a PXD skeleton has Y up.
    assert_eq!(Spatial::up(&armature), UpAxis::Z);
    assert_eq!(Spatial::up(&self::armature(Some(rig::biped()), rig::walk())), UpAxis::Y);
}

#[test]
fn more_than_ids_can_count_is_told_and_the_rest_is_shown() {
    let mut motion = rig::walk();
    motion.frame_count = 70_000;
    let bones = vec![Bone::default(); 40_000];
    let skeleton = Skeleton::new(bones, Conventions::PXD).unwrap();
    let armature = armature(Some(skeleton), motion);
    let clip = armature.animation(CLIP).unwrap();
    assert_eq!((clip.timeline.frame_count, armature.bone_count()), (65_535, 32_767));
    let warnings: Vec<_> = armature.warnings().iter().map(|it| it.message.clone()).collect();
    let has = |text: &str| warnings.iter().any(|it| it.contains(text));
    assert!(has("70000 frames") && has("40000 bones"), "{warnings:?}");
    assert!(has("the skeleton has no bone named \"thigh_l\""), "{warnings:?}");
}

#[test]
fn unsorted_keys_are_sorted_for_curves_and_poses() {
    let mut motion = Motion::new(rig::walk().channels(), Precision::Single);
    let place = |frame, x| Key { frame, value: [x, 0.0, 0.0] };
    let keys = TrackKeys {
        translation: &[place(10, 1.0), place(0, 0.0), place(10, 2.0)],
        ..TrackKeys::default()
    };
    motion.add_track(Target::Name("hips".into()), 0, keys).unwrap();
    let armature = armature(Some(rig::biped()), motion);
    let x = posed(&armature, between(5, 5, 0.0), false).worlds[0].translation.x;
    assert!((x - 1.0).abs() < 1e-6, "{x}");
    assert_eq!(armature.curves(BoneId(0), CLIP)[0].keys.as_deref(), Some(&[0, 10][..]));
}

#[test]
fn places_beyond_those_that_are_shown_well_are_told() {
    let warned = |size: f64| {
        let bone = |parent, x| {
            let rest = Transform { translation: [x, 0.0, 0.0], ..Transform::IDENTITY };
            Bone { name: "bone".into(), parent, rest, offset: 0 }
        };
        let bones = vec![bone(None, 0.0), bone(Some(0), size)];
        let skeleton = Skeleton::new(bones, Conventions::PXD).unwrap();
        let armature = armature(Some(skeleton), None::<Motion>);
        armature.warnings().iter().map(|it| it.message.clone()).collect::<Vec<_>>().join("; ")
    };
    for size in [0.0, 1e-5, 1.0, 9e9] {
        assert_eq!(warned(size), "", "{size}");
    }
    for (size, text) in [
        (1e30, "bones reach 1e30 units from the origin"),
        (-1e38, "bones reach 1e38 units"),
        (1e-30, "all bones lie within 1e-30 units"),
        (f64::INFINITY, "is not finite"),
        (f64::NAN, "is not finite"),
    ] {
        assert!(warned(size).contains(text), "{size}: {}", warned(size));
    }
    // The same if only one frame of a motion reaches that far.
    let mut motion = rig::walk();
    let key = |frame, y| Key { frame, value: [0.0, y, 0.0] };
    let keys = [key(6, 0.0), key(7, 1e20), key(8, 0.0)];
    let keys = TrackKeys { translation: &keys, ..TrackKeys::default() };
    motion.add_track(Target::Name("head".into()), 0, keys).unwrap();
    let armature = armature(Some(rig::biped()), motion);
    let mut found = armature.warnings().iter().map(|it| it.message.as_str());
    assert!(found.any(|it| it.contains("1e20 units")));
}

/// A pose that lasts one frame of many thousands still counts for the fit.
#[test]
fn a_long_motion_is_measured_frame_by_frame() {
    let mut motion = rig::walk();
    let key = |frame, x| Key { frame, value: [x, 0.0, 0.0] };
    let keys =
        [key(0, 0.0), key(20_000, 0.0), key(20_001, 60.0), key(20_002, 0.0), key(60_000, 0.0)];
    let keys = TrackKeys { translation: &keys, ..TrackKeys::default() };
    motion.add_track(Target::Name("head".into()), 0, keys).unwrap();
    let subject: &dyn Subject = &armature(Some(rig::biped()), motion);
    let frames = subject.frame_count(CLIP);
    assert!(frames > 60_000, "{frames}");
    let camera = OrbitCamera::default();
    let moments: Vec<_> = (0..frames).map(|frame| between(frame, frame, 0.0)).collect();
    let (found, exact) = measure(subject, &camera, false, moments.into_iter());
    let [least, most] = found.whole().unwrap();
    assert!(exact && (most - least).max_element() > 50.0, "{least} {most}");
}
