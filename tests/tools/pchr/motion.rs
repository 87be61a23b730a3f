//! Tests of 3D motions in `pchr`: inspecting, validating and converting agree on one motion.

use pchr_foreign::format::seanim;
use pchr_foreign::motion::{
    AnimationType, Channels, Key, Modifier, Motion, Note, Precision, TrackKeys,
};
use serde_json::Value;

use crate::corpus;
use crate::desk::{Desk, said};
use crate::pchr::atlas::run;

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
    let desk = desk();
    let validator = crate::pchr::schema::validator("seanim");
    let text = run(&desk, &["convert", "walk.seanim", "-o", "-", "--to", "seanim-json"]);
    let good: Value = serde_json::from_str(&text).unwrap();
    let key = "/bones/0/loc/1";
    for (path, value, valid) in [
        ("/version", 1.into(), true),
        ("/version", 2.into(), false),
        ("/headerSize", 27.into(), false),
        ("/animType", 255.into(), true),
        ("/animType", 256.into(), false),
        ("/looped", 1.into(), false),
        ("/framerate", "NaN".into(), true),
        ("/framerate", "nan".into(), false),
        ("/frameIndexBytes", 3.into(), false),
        ("/presence", Value::Null, false),
        ("/presence/more", true.into(), false),
        ("/more", true.into(), false),
        ("/_source", 7.into(), true),
        ("/customHex", Value::Null, true),
        ("/customHex", "0".into(), false),
        ("/bones/0/more", true.into(), false),
        ("/bones/0/flags", (-1).into(), false),
        ("/bones/1/rot", Value::Null, true),
        ("/bones/1/rot", true.into(), false),
        (key, serde_json::json!([12, 1, 2, 3]), true),
        (key, serde_json::json!([12, 1, 2, "NaN(0x7f800001)"]), true),
        (key, serde_json::json!([12, 1, 2, "NaN(0x7f8)"]), false),
        (key, serde_json::json!([12, 1, 2]), false),
        (key, serde_json::json!([12, 1, 2, 3, 4]), false),
        (key, serde_json::json!([-1, 1, 2, 3]), false),
        ("/notes/0", serde_json::json!([24, "end"]), true),
        ("/notes/0", serde_json::json!([24]), false),
        ("/modifiers/0", serde_json::json!([1, 2, 3]), false),
    ] {
        let mut case = good.clone();
        let (place, last) = path.rsplit_once('/').unwrap();
        match case.pointer_mut(place).unwrap() {
            Value::Array(list) => list[last.parse::<usize>().unwrap()] = value.clone(),
            place => place[last] = value.clone(),
        }
        let objections = crate::pchr::schema::objections(&validator, &case);
        assert_eq!(objections.is_empty(), valid, "{path} {value}: {objections:?}");
        desk.put_bytes("case.json", case.to_string().as_bytes());
        let output = desk.run_pchr(&["inspect", "case.json"]);
        let code = if valid { 0 } else { 4 };
        assert_eq!(output.status.code(), Some(code), "{path} {value}: {}", said(&output));
    }
    for (name, optional) in [("animType", false), ("bones", false), ("headerSize", true)] {
        let mut case = good.clone();
        case.as_object_mut().unwrap().remove(name);
        assert_eq!(validator.is_valid(&case), optional, "{name}");
        desk.put_bytes("case.json", case.to_string().as_bytes());
        let output = desk.run_pchr(&["inspect", "case.json"]);
        // The other keys still identify it as a mirror.
        assert_eq!(output.status.success(), optional, "{name}");
    }
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn files_of_the_corpus_have_their_verdict_and_their_mirror() {
    let (root, index) = corpus::indexed("seanim");
    let cases = index["files"].as_array().unwrap();
    assert!(cases.len() >= 84);
    let desk = Desk::new();
    let path = |case: &Value, key: &str| Some(root.join(case[key].as_str()?));
    let files: Vec<_> = cases.iter().map(|case| path(case, "file").unwrap()).collect();
    let args: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    let output = desk.run_pchr(&[&["validate", "--json"], &args[..]].concat());
    assert_eq!(output.status.code(), Some(4));
    let verdicts: Value = serde_json::from_slice(&output.stdout).unwrap();
    let validator = crate::pchr::schema::validator("seanim");
    let (mut mirrors, mut same) = (0, 0);
    for ((case, file), verdict) in cases.iter().zip(&files).zip(verdicts.as_array().unwrap()) {
        let name = case["file"].as_str().unwrap();
        let verdict = verdict["verdict"].as_str().unwrap();
        let fits = match case["expect"].as_str().unwrap() {
            "ok" => verdict == "valid",
            "ok_warn" => verdict == "warnings",
            "error" => verdict == "invalid",
            _ => verdict != "valid",
        };
        assert!(fits, "{name}: {verdict}");
        let Some(expected) = path(case, "expected") else {
            continue;
        };
        let text = run(
            &desk,
            &["convert", file.to_str().unwrap(), "-q", "-o", "-", "--to", "seanim-json"],
        );
        let mut mirror: Value = serde_json::from_str(&text).unwrap();
        assert!(validator.is_valid(&mirror), "{name}");
        let bytes = std::fs::read(&expected).unwrap();
        let mut wanted: Value = serde_json::from_slice(&bytes).unwrap();
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
        desk.put_bytes("theirs.json", &bytes);
        for mirror in ["ours", "theirs"] {
            let (from, to) = (format!("{mirror}.json"), format!("{mirror}.seanim"));
            run(&desk, &["convert", "-q", &from, "-o", &to]);
        }
        let ours = desk.bytes("ours.seanim");
        assert!(ours == desk.bytes("theirs.seanim"), "{name}");
        let is_same = ours == std::fs::read(file).unwrap();
        let has_more = name == "good/header_extended.seanim";
        assert!(is_same || has_more || case["expect"] != "ok", "{name}");
        same += i32::from(is_same);
    }
    println!("{} verdicts, {mirrors} mirrors, {same} files come back byte for byte", cases.len());
    assert!(mirrors >= 53);
}
