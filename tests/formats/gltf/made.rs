//! Tests with skeletons and motions made here.

use pchr_foreign::format::gltf::{Container, GltfUnwritable, looks_like_gltf};
use pchr_foreign::motion::{
    AnimationType, Bone, Channels, Conventions, Dialect, Key, Motion, Name, Note, Precision,
    Skeleton, Target, TrackKeys, Transform,
};
use serde_json::{Value, json};

use super::{assert_same, bone, json_of, read, try_write, turn, write};

const ALL: Channels = Channels { translation: true, rotation: true, scale: true };

/// Skeleton with two roots, a child before its parent, and names of all kinds.
pub(super) fn skeleton() -> Skeleton {
    let mut bones = vec![
        bone("hand", Some(2), [0.1, 0.5, -2.0]),
        bone("prop", None, [2.0, -0.0, 1e-30]),
        bone("arm", Some(4), [3.0, 0.0, 0.0]),
        bone("", Some(1), [0.0; 3]),
        bone("Wurzel \u{202e}\"ü\"\n", None, [0.0, 1.0, 0.0]),
        bone("hand", Some(2), [1.0 / 3.0, 0.0, 0.0]),
    ];
    bones.push(Bone { name: Name::from(&b"caf\xe9"[..]), parent: Some(0), ..Bone::default() });
    bones[2].rest.rotation = turn(1, 30.0);
    Skeleton::new(bones, Conventions::GLTF).unwrap()
}

pub(super) fn vector(frame: u32, x: f64) -> Key<3> {
    Key { frame, value: [x, 2.0, -0.5] }
}

/// Keys of translations alone.
fn moves(translation: &[Key<3>]) -> TrackKeys<'_> {
    TrackKeys { translation, ..TrackKeys::default() }
}

/// Motion with tracks for some bones, notes and root motion.
pub(super) fn motion() -> Motion {
    let mut motion = Motion::new(ALL, Precision::Single);
    motion.rate = 23.976;
    motion.frame_count = 40;
    motion.looped = true;
    let turns = [0, 7, 8, 31].map(|frame| Key { frame, value: turn(2, f64::from(frame) * 5.0) });
    let places = [vector(0, 1.0), vector(4, -0.0), vector(9, 3.0)];
    let keys = TrackKeys { translation: &places, rotation: &turns, scale: &[] };
    motion.add_track("arm", 0, keys).unwrap();
    let keys = TrackKeys { scale: &[vector(3, 1.5)], ..TrackKeys::default() };
    motion.add_track(3, 0, keys).unwrap();
    motion.add_track(Name::from(&b"caf\xe9"[..]), 0, keys).unwrap();
    motion.add_track(5, 0, TrackKeys { rotation: &turns, ..keys }).unwrap();
    for (frame, name) in [(9, &b"step"[..]), (3, b""), (9, b"\xff\x00"), (50, b"late")] {
        motion.notes.push(Note { frame, name: Name::from(name), offset: 0 });
    }
    motion.set_root_keys(moves(&[vector(0, 0.0), vector(39, 12.0)])).unwrap();
    motion
}

/// Motions at the limits of what can be written.
pub(super) fn odd_motions() -> Vec<(&'static str, Motion)> {
    let empty = |frames| {
        let mut motion = Motion::new(ALL, Precision::Single);
        motion.frame_count = frames;
        motion
    };
    let of = |frames, rate, bone: &str, keys: TrackKeys<'_>| {
        let mut motion = empty(frames);
        motion.rate = rate;
        motion.add_track(bone, 0, keys).unwrap();
        motion
    };
    let late = [vector(16_000_000, 1.0), vector(16_000_001, 2.0)];
    let unsorted = [vector(5, 1.0), vector(2, 9.0), vector(5, 3.0)];
    let turns = [(0, [0.0, 0.0, 0.0, 1.0]), (5, [0.0, 0.0, 0.0, -1.0]), (9, [1.0, -0.0, 0.0, 0.0])];
    let turns = turns.map(|(frame, value)| Key { frame, value });
    let turned = TrackKeys { rotation: &turns, ..TrackKeys::default() };
    let (mut still, mut root) = (empty(10), empty(10));
    still.set_root_keys(TrackKeys::default()).unwrap();
    let (place, turn) = ([vector(2, 1.0)], [Key { frame: 2, value: turn(0, 90.0) }]);
    root.set_root_keys(TrackKeys { translation: &place, rotation: &turn, scale: &place }).unwrap();
    root.rate = 0.001;
    vec![
        ("empty", empty(1)),
        ("", empty(0)),
        ("long", empty(1000)),
        ("one key", of(1, 30.0, "hand", moves(&[vector(0, 1.0)]))),
        ("late", of(3, 1.0, "arm", moves(&late))),
        ("root without keys", still),
        ("root with all", root),
        ("unsorted", of(10, 1e6, "prop", moves(&unsorted))),
        ("opposite", of(10, 30.0, "prop", turned)),
    ]
}

#[test]
fn a_skeleton_comes_back() {
    let skeleton = skeleton();
    for container in [Container::Binary, Container::Text] {
        let (file, losses) = try_write(&skeleton, &[], container).unwrap();
        assert!(losses.is_empty() && looks_like_gltf(&file));
        let back = read(&file);
        assert_eq!(back.skeleton, skeleton);
        assert_eq!((back.container, back.nodes, back.skins), (container, 8, 1));
        assert!(back.clips.is_empty() && back.losses.is_empty());
        let kinds: Vec<&str> = back.warnings.iter().map(|it| it.rule.id()).collect();
        assert_eq!(kinds, ["GLTF-W107"; 2], "a bone without a name, and one with another's");
    }
    assert!(read(&write(&Skeleton::default(), &[]).0).skeleton.bones().is_empty());
}

#[test]
fn a_motion_comes_back() {
    let (skeleton, motion) = (skeleton(), motion());
    let (file, losses) = write(&skeleton, &[("walk", &motion), ("", &motion)]);
    assert_eq!(losses, [""; 0]);
    let back = read(&file);
    assert_eq!(back.clips.len(), 2);
    assert_eq!([&back.clips[0].name, &back.clips[1].name], ["walk", ""]);
    for clip in [0, 1] {
        assert_same("walk", &skeleton, &motion, &back, clip);
    }
    assert!(back.losses.is_empty());
    let targets: Vec<Target> =
        { back.clips[0].motion.tracks().iter() }.map(|track| track.target.clone()).collect();
    let cafe = Name::from(&b"caf\xe9"[..]);
    assert_eq!(targets, ["arm".into(), Target::Bone(3), Target::Bone(5), cafe.into()]);
    let again =
        write(&back.skeleton, &[("walk", &back.clips[0].motion), ("", &back.clips[1].motion)]);
    assert_eq!(again.0, file, "writing again gives the same bytes");
}

#[test]
fn odd_motions_come_back() {
    let skeleton = skeleton();
    let motions = odd_motions();
    let clips: Vec<(&str, &Motion)> = motions.iter().map(|(name, it)| (*name, it)).collect();
    let (file, losses) = write(&skeleton, &clips);
    assert_eq!(losses, [""; 0]);
    let back = read(&file);
    for (index, (name, motion)) in clips.iter().enumerate() {
        assert_eq!(back.clips[index].name, *name);
        assert_same(name, &skeleton, motion, &back, index);
    }
    let animations = &json_of(&file)["animations"];
    for animation in animations.as_array().unwrap() {
        assert!(!animation["channels"].as_array().unwrap().is_empty());
    }
    let wanted = json!({"pchr": {"rate": 30.0, "frameCount": 1, "loop": false}});
    assert_eq!(animations[0]["extras"], wanted);
}

#[test]
fn extras_have_their_documented_shape() {
    let (file, _) = write(&skeleton(), &[("walk", &motion())]);
    let json = json_of(&file);
    let extras = json!({"pchr": {
        "rate": 23.976, "frameCount": 40, "loop": true, "root": ["translation"],
        "notes": [
            {"frame": 9, "name": "step"}, {"frame": 3, "name": ""}, {"frame": 9, "nameHex": "ff00"},
            {"frame": 50, "name": "late"},
        ],
    }});
    assert_eq!(json["animations"][0]["extras"], extras);
    assert_eq!(json["nodes"][7]["name"], "root motion");
    assert_eq!(json["nodes"][7]["extras"], json!({"pchr": {"above": true}}));
    assert_eq!(json["nodes"][6]["extras"], json!({"pchr": {"nameHex": "636166e9"}}));
    assert_eq!(json["nodes"][6]["name"], "caf\u{fffd}");
    assert_eq!(json["nodes"][3]["name"], Value::Null);
    assert_eq!(json["skins"][0]["joints"], json!([0, 1, 2, 3, 4, 5, 6]));
}

#[test]
fn equal_columns_are_stored_once() {
    let mut motion = Motion::new(ALL, Precision::Single);
    motion.frame_count = 10;
    let keys = [vector(0, 1.0), vector(9, 2.0)];
    for name in ["hand", "prop", "arm"] {
        let keys = TrackKeys { translation: &keys, scale: &keys, ..TrackKeys::default() };
        motion.add_track(name, 0, keys).unwrap();
    }
    let (file, _) = write(&skeleton(), &[("a", &motion), ("b", &motion)]);
    let json = json_of(&file);
    assert_eq!(json["accessors"].as_array().unwrap().len(), 3, "binds, times, values");
    assert_eq!(json["accessors"][1]["min"], json!([0.0]));
    assert_eq!(json["accessors"][1]["max"], json!([f64::from(0.3_f32)]));
    for animation in json["animations"].as_array().unwrap() {
        assert_eq!(animation["samplers"].as_array().unwrap().len(), 1);
        assert_eq!(animation["channels"].as_array().unwrap().len(), 6);
    }
    assert_eq!(file.len() % 4, 0);
}

#[test]
fn other_content_is_listed() {
    let mut motion = Motion::new(ALL, Precision::Double);
    motion.rate = f32::NAN;
    motion.custom = Some(vec![1]);
    motion.animation_type = AnimationType::Relative;
    motion.dialect = Dialect::Pxd;
    motion.frame_count = 10;
    let keys = TrackKeys {
        translation: &[vector(0, 0.1)],
        rotation: &[
            Key { frame: 0, value: [0.0, 0.0, 0.0, 2.0] },
            Key { frame: 4, value: [0.0; 4] },
            Key { frame: 5, value: turn(0, 30.0) },
            Key { frame: 9, value: turn(0, 120.0) },
        ],
        scale: &[],
    };
    motion.add_track("arm", 1, keys).unwrap();
    let (file, losses) = write(&skeleton(), &[("x", &motion)]);
    let wanted = [
        "1 numbers of double precision, rounded to single (animations[0].bones[2].translation)",
        "2 rotation lengths other than 1 (animations[0].bones[2].rotation)",
        "1 rotations at uneven speed between keys (animations[0].bones[2].rotation)",
        "1 frame rates that are not above 0 (animations[0].rate)",
        "1 custom blocks (animations[0].custom)",
        "1 types of motions (applied on top of the rest pose) (animations[0].type)",
        "1 flags of bones (animations[0].tracks[0])",
    ];
    assert_eq!(losses, wanted);
    let back = read(&file);
    let track = back.clips[0].motion.tracks()[0].timed().unwrap();
    let rotation = track.rotation.as_ref().unwrap();
    assert_eq!(rotation.values()[..2], [[0.0, 0.0, 0.0, 1.0]; 2]);
}

#[test]
fn what_cannot_be_written_is_refused() {
    let skeleton = skeleton();
    let one = |keys: TrackKeys<'_>| {
        let mut motion = Motion::new(ALL, Precision::Double);
        motion.add_track("arm", 0, keys).unwrap();
        try_write(&skeleton, &[("x", &motion)], Container::Binary).unwrap_err().to_string()
    };
    let at = |place: &str| format!("animations[0].bones[2].{place}: not a finite number");
    for value in [f64::NAN, f64::INFINITY, 1e39] {
        let said = one(moves(&[vector(0, 1.0), vector(7, value)]));
        assert_eq!(said, at("translation: bone \"arm\" at frame 7"));
    }
    let rotation = &[Key { frame: 3, value: [0.0, f64::NAN, 0.0, 1.0] }];
    let said = one(TrackKeys { rotation, ..TrackKeys::default() });
    assert_eq!(said, at("rotation: bone \"arm\" at frame 3"));
    let said = one(moves(&[vector(100_000_000, 1.0), vector(100_000_001, 2.0)]));
    let late = "frame 100000000 at 30 per second is too late for a time in single precision";
    assert_eq!(said, format!("animations[0]: {late}"));
    let one = |scale| {
        let rest = Transform { scale, ..Transform::IDENTITY };
        let bones = vec![Bone { rest, ..bone("x", None, [0.0; 3]) }];
        Skeleton::new(bones, Conventions::GLTF).unwrap()
    };
    let error = try_write(&one([1.0, f64::NAN, 1.0]), &[], Container::Binary).unwrap_err();
    assert_eq!(error.to_string(), "bones[0]: bone \"x\" at rest: not a finite number");
    let keys = super::keys(&skeleton, &motion());
    let clip = super::GltfClip { name: "", motion: &motion(), keys: &keys, frames: None };
    let error = super::gltf::write(&one([1.0; 3]), &[clip], Container::Text).unwrap_err();
    assert!(matches!(error, GltfUnwritable::Bones { found: 7, expected: 1, .. }));
}

#[test]
fn root_motion_is_known_by_the_name_of_its_node_where_extras_were_dropped() {
    let motion = motion();
    let (text, _) = try_write(&skeleton(), &[("walk", &motion)], Container::Text).unwrap();
    let mut text: Value = serde_json::from_slice(&text).unwrap();
    for list in ["nodes", "animations"] {
        for item in text[list].as_array_mut().unwrap() {
            item.as_object_mut().unwrap().remove("extras");
        }
    }
    let nodes = text["nodes"].as_array_mut().unwrap();
    let above = { nodes.iter_mut() }.find(|node| node["name"] == "root motion");
    above.unwrap()["translation"] = json!([0.0, 2.0, -0.5]);
    let back = read(text.to_string().as_bytes());
    let clip = &back.clips[0].motion;
    let root = clip.root().unwrap().keys().unwrap();
    let translation = root.timed().unwrap().translation.as_ref().unwrap();
    assert_eq!(translation.values().last(), Some(&[12.0, 2.0, -0.5]));
    assert_eq!(back.skeleton.bones().len(), skeleton().bones().len());
}
