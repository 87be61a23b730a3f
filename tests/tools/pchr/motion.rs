//! Tests of 3D motions in `pchr`: inspecting, validating and converting agree on one motion, and keys at times.

use pchr_foreign::format::seanim;
use pchr_foreign::motion::{
    AnimationType, Channels, Key, Modifier, Motion, Note, Precision, TrackKeys,
};
use serde_json::{Value, json};

use crate::corpus;
use crate::desk::{Desk, json_of, said};
use crate::pchr::atlas::run;
use crate::pchr::schema::{Judges, changes};

/// Motion with bones of these names, modifiers, notes and a custom block.
pub(crate) fn motion(names: &[&str]) -> Motion {
    let channels = Channels { translation: true, rotation: true, scale: false };
    let mut motion = Motion::new(channels, Precision::Single);
    (motion.frame_count, motion.looped) = (25, true);
    motion.animation_type = AnimationType::Relative;
    for name in names {
        let key = |frame| Key { frame, value: [0.1, -0.0, f64::from(frame)] };
        let keys = TrackKeys {
            translation: &[key(0), key(12), key(24)],
            rotation: &[Key { frame: 3, value: [0.0, 0.0, 0.0, 1.0] }],
            ..TrackKeys::default()
        };
        motion.add_track(*name, 0, keys).unwrap();
    }
    motion.modifiers.push(Modifier {
        track: 1,
        animation_type: AnimationType::Absolute,
        offset: 0,
    });
    for (frame, name) in [(24, "end"), (6, "step")] {
        motion.notes.push(Note { frame, name: name.into(), offset: 0 });
    }
    motion.custom = Some(b"tool".to_vec());
    motion
}

/// Sound SEAnim file with two bones.
pub(crate) fn walk() -> Vec<u8> {
    seanim::write(&motion(&["hips", "arm L"])).unwrap()
}

/// The same file with reserved bytes, and with bytes after the end.
pub(crate) fn odd() -> Vec<u8> {
    let mut bytes = walk();
    bytes[14] = 7;
    bytes.extend([0; 3]);
    bytes
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put_bytes("walk.seanim", &walk());
    desk.put_bytes("odd.seanim", &odd());
    desk
}

#[test]
fn schema_and_reader_want_the_same_mirrors() {
    let text = run(&desk(), &["convert", "walk.seanim", "-o", "-", "--to", "seanim-json"]);
    let good: Value = serde_json::from_str(&text).unwrap();
    let cases = json!({
        "/version": [[1], [2]], "/headerSize": [[], [27]], "/animType": [[255], [256]], "/looped": [[], [1]],
        "/framerate": [["NaN"], ["nan"]], "/frameIndexBytes": [[], [3]], "/presence": [[], [null]], "/presence/more": [[], [true]],
        "/more": [[], [true]], "/_source": [[7], []], "/customHex": [[null], ["0"]],
        "/bones/0/more": [[], [true]], "/bones/0/flags": [[], [-1]], "/bones/1/rot": [[null], [true]],
        "/bones/0/loc/1": [
            [[12, 1, 2, 3], [12, 1, 2, "NaN(0x7f800001)"]],
            [[12, 1, 2, "NaN(0x7f8)"], [12, 1, 2], [12, 1, 2, 3, 4], [-1, 1, 2, 3]],
        ],
        "/notes/0": [[[24, "end"]], [[24]]], "/modifiers/0": [[], [[1, 2, 3]]],
    });
    let judges = Judges::new("seanim");
    for (case, valid, what) in changes(&good, &cases) {
        judges.agree(&case, valid, &what);
    }
    // The other keys still identify it as a mirror.
    for (name, optional) in [("animType", false), ("bones", false), ("headerSize", true)] {
        let mut case = good.clone();
        case.as_object_mut().unwrap().remove(name);
        judges.agree(&case, optional, name);
    }
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn files_of_the_corpus_have_their_mirror() {
    let (root, index) = corpus::indexed("seanim");
    let desk = Desk::new();
    let path = |case: &Value, key: &str| Some(root.join(case[key].as_str()?));
    let validator = crate::pchr::schema::validator("seanim");
    let mut mirrors = 0;
    for case in index["files"].as_array().unwrap() {
        let name = case["file"].as_str().unwrap();
        let (Some(file), Some(expected)) = (path(case, "file"), path(case, "expected")) else {
            continue;
        };
        let args = ["convert", file.to_str().unwrap(), "-q", "-o", "-", "--to", "seanim-json"];
        let text = run(&desk, &args);
        let mut mirror: Value = serde_json::from_str(&text).unwrap();
        assert!(validator.is_valid(&mirror), "{name}");
        let mut wanted = corpus::json(&expected);
        for of in [&mut mirror, &mut wanted] {
            // Programs may set it by the header or by the contents.
            of["presence"].as_object_mut().unwrap().remove("custom");
            of.as_object_mut().unwrap().remove("_source");
        }
        for (key, value) in wanted.as_object().unwrap() {
            assert_eq!(&mirror[key], value, "{name}: {key}");
        }
        mirrors += 1;
        // A mirror by another program converts to the same bytes as ours.
        desk.put_bytes("ours.json", text.as_bytes());
        desk.put_bytes("theirs.json", &std::fs::read(&expected).unwrap());
        for mirror in ["ours", "theirs"] {
            let (from, to) = (format!("{mirror}.json"), format!("{mirror}.seanim"));
            run(&desk, &["convert", "-q", &from, "-o", &to]);
        }
        let ours = desk.bytes("ours.seanim");
        assert!(ours == desk.bytes("theirs.seanim"), "{name}");
        let is_same = ours == std::fs::read(file).unwrap();
        let has_more = name == "good/header_extended.seanim";
        assert!(is_same || has_more || case["expect"] != "ok", "{name}");
    }
    assert!(mirrors >= 53, "{mirrors}");
}

#[test]
fn animations_of_a_character_become_motions_for_its_skeleton() {
    let desk = Desk::new();
    desk.put_bytes("fox.pchr", include_bytes!("../../../assets/sample.pchr"));
    run(&desk, &["convert", "fox.pchr", "-o", "out/{animation}.seanim"]);
    let names = ["bind", "idle", "jump", "walk", "wave"].map(|name| format!("{name}.seanim"));
    assert!(desk.files("out").keys().eq(&names));
    run(&desk, &["validate", "--strict", "out"]);
    let posed =
        run(&desk, &["pose", "out/idle.seanim", "--skeleton", "fox.pchr", "--space", "world"]);
    assert!(posed.contains("Frame 0"), "{posed}");
}

#[test]
fn keys_at_times_are_kept_or_listed_with_their_error() {
    let desk = Desk::new();
    desk.put_bytes("hand.gltf", crate::timed::TIMED.as_bytes());
    let steps = "channels with steps, each of which takes one frame";
    let between = "channels with keys between frames, sampled on each frame";
    for (args, listed, words) in [
        (&["-o", "again.glb"][..], None, ""), // glTF holds all of it
        (
            &["-a", "flip", "-o", "flip.seanim"],
            Some((steps, "bones[0].rotation", 90.0, 0.0)),
            "not carried over: 1 channel with steps, each of which takes one frame (bones[0].rotation; largest error 90 degrees)",
        ),
        (
            &["-a", "reach", "-o", "reach.anm.pxd"],
            Some((between, "bones[0].translation", 0.0, 0.6209)),
            "(bones[0].translation; largest error 0.621 units)",
        ),
    ] {
        let output = desk.run_pchr(&[&["convert", "hand.gltf", "--json"], args].concat());
        let mut losses = json_of(&output)["notCarriedOver"].take();
        for number in ["degrees", "units"] {
            if let Some(error) = losses.pointer_mut(&format!("/0/largestError/{number}")) {
                *error = ((error.as_f64().unwrap() * 1e4).round() / 1e4).into();
            }
        }
        let loss = |(what, first, degrees, units)| {
            json!({"what": what, "count": 1, "first": first,
                "largestError": {"degrees": degrees, "units": units, "scale": 0.0}})
        };
        assert_eq!(losses, Value::from_iter(listed.map(loss)));
        assert!(said(&output).contains(words), "{}", said(&output));
        assert_eq!(said(&output).is_empty(), words.is_empty());
    }
}
