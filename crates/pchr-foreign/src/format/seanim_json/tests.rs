//! Motions as mirrors, and back.

use pchr::finding::Invalid;

use super::{looks_like_a_mirror, read, write};
use crate::format::{MotionFile, seanim};
use crate::motion::{Channels, Key, Motion, Note, Precision, TrackKeys};

fn motion(precision: Precision) -> Motion {
    let channels = Channels { translation: true, rotation: true, scale: false };
    let mut motion = Motion::new(channels, precision);
    motion.frame_count = 10;
    let key = |frame, value| Key { frame, value };
    let keys = TrackKeys {
        translation: &[key(0, [0.1, -0.0, f64::NAN]), key(9, [1e-40, 3.0, 4.0])],
        rotation: &[Key { frame: 3, value: [0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY] }],
        ..TrackKeys::default()
    };
    motion.add_track("arm \"L\"", 1, keys).unwrap();
    let bytes: &[u8] = b"caf\xe9";
    motion.add_track(bytes, 0, TrackKeys::default()).unwrap();
    motion.notes.push(Note { frame: 4, name: "step".into(), offset: 0 });
    motion.custom = Some(vec![0, 0xff, 0x10]);
    motion
}

fn said(motion: &Motion) -> (String, Vec<(&'static str, u64, String)>) {
    let mut text = Vec::new();
    let losses = write(motion, &mut text).unwrap();
    let losses = losses.iter().map(|l| (l.what, l.count, l.first.clone()));
    (String::from_utf8(text).unwrap(), losses.collect())
}

fn refused(text: &str) -> String {
    let Invalid(found) = read(text.as_bytes()).unwrap_err();
    found.first_error().unwrap().to_string()
}

#[test]
fn a_motion_comes_back_bit_for_bit() {
    for precision in [Precision::Single, Precision::Double] {
        let written = motion(precision);
        let (text, losses) = said(&written);
        assert_eq!(losses, []);
        let MotionFile { motion, losses, .. } = read(text.as_bytes()).unwrap();
        assert_eq!(motion, written);
        assert!(losses.is_empty());
        assert_eq!(seanim::write(&motion).unwrap(), seanim::write(&written).unwrap());
        assert_eq!(said(&motion).0, text);
    }
}

#[test]
fn what_means_nothing_is_counted() {
    let mut motion = motion(Precision::Single);
    motion.layout.header_extra = vec![1; 8];
    motion.layout.reserved = [0, 7, 0, 1, 0];
    motion.layout.reserved_bits = [0x80, 0, 6];
    motion.layout.trailing = vec![0; 3];
    let (text, losses) = said(&motion);
    let first = |path: &str| path.to_owned();
    let behind = "header bytes after the known fields";
    assert_eq!(
        losses,
        [
            ("reserved header bytes", 2, first("reserved1")),
            ("reserved bits of flags", 3, first("animFlags")),
            (behind, 8, first("headerSize")),
            ("bytes after the last block", 3, first("file")),
        ]
    );
    let mirror = read(text.as_bytes()).unwrap();
    let losses: Vec<_> = mirror.losses.iter().map(|l| (l.what, l.count)).collect();
    assert_eq!(losses, [(behind, 8), ("bytes after the last block", 3)]);
    let (bytes, losses) = seanim::write_canonical(&motion).unwrap();
    assert_eq!(bytes, seanim::write(&mirror.motion).unwrap());
    assert_eq!(losses.iter().count(), 4);
}

#[test]
fn names_that_look_alike_are_told() {
    let mut motion = motion(Precision::Single);
    let bytes: &[u8] = b"caf\xe8";
    motion.notes.push(Note { frame: 0, name: bytes.into(), offset: 0 });
    let losses = said(&motion).1;
    let what = "exact bytes of names that read the same as another name";
    assert_eq!(losses, [(what, 1, "notes[1]".to_owned())]);
}

#[test]
fn findings_have_the_lines_of_the_text() {
    let (text, _) = said(&motion(Precision::Single));
    let mirror = read(text.as_bytes()).unwrap();
    let found: Vec<String> = mirror.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 3, "{found:?}");
    let at = text.find("[0,0.1").unwrap();
    assert!(
        found.iter().any(|text| text.starts_with(&format!(
            "SEANIM-W123 not-finite: bones[0].loc[0] at line 7, column 8 (byte {at}): [0.1"
        ))),
        "{found:?}"
    );
    assert!(found.iter().any(|text| text.contains("bones[1].name")));
}

#[test]
fn each_wrong_value_is_named() {
    let (text, _) = said(&motion(Precision::Single));
    for (from, to, wanted) in [
        ("\"version\":1", "\"version\":2", "json-value: version at"),
        ("\"headerSize\":28", "\"headerSize\":26", "headerSize at"),
        ("\"flags\":1", "\"flags\":256", "bones[0].flags at"),
        ("[3,0.0,0.0", "[3,0.0", "bones[0].rot[0] at"),
        ("[3,0.0,0.0", "[3,0.0,1e39", "bones[0].rot[0] at"),
        ("[3,0.0,0.0", "[300,0.0,0.0", "bones[0].rot[0] at"),
        ("\"-Infinity\"", "\"-Inf\"", "bones[0].rot[0][4] at"),
        ("\"rot\":true", "\"rot\":false", "bones[0].rot at"),
        ("\"flags\":1", "\"flags\":1,\"color\":1", "bones[0].color at"),
        ("00ff10", "00ff1", "customHex at"),
        ("\"customHex\"", "\"custom\"", "json-value: custom at"),
        ("636166e9", "63610066", "bones[1].name at"),
        ("\"frameIndexBytes\":1", "\"frameIndexBytes\":3", "frameIndexBytes at"),
        ("[4,\"step\"]", "[400,\"step\"]", "notes[0] at"),
        ("\"looped\":false,", "", "missing field `looped`"),
        ("\"looped\":false", "\"looped\":fals", "json-syntax: document at"),
    ] {
        assert!(text.contains(from), "{from}");
        let said = refused(&text.replacen(from, to, 1));
        assert!(said.contains(wanted), "{to}: {said}");
    }
    assert!(refused(&text[..text.len() / 2]).contains("json-syntax"));
}

#[test]
fn a_mirror_has_keys_that_no_other_json_has() {
    for (text, wanted) in [
        (r#"{"version":1,"headerSize":28,"animType":0"#, true),
        ("\u{feff} {\"bones\":[],\"framerate\":30}", true),
        (r#"{"notes":[],"bones":oops,"animType":0}"#, false),
        (r#"{"version":1,"fps":24,"frameCount":1}"#, false),
        (r#"{"bones":[{"frameCount":1}],"fps":24}"#, false),
        (r#"{"frames":{},"frameCount":1}"#, false),
        (r#"[{"animType":0}]"#, false),
        ("{}", false),
        ("SEAnim", false),
        ("", false),
    ] {
        assert_eq!(looks_like_a_mirror(text.as_bytes()), wanted, "{text}");
    }
}
