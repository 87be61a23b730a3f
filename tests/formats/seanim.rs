//! Tests of SEAnim files: verdicts, and writing back byte for byte.

use crate::corpus;
use std::collections::BTreeSet;

use pchr::finding::{Findings, Invalid, Severity};
use pchr_foreign::format::seanim;
use pchr_foreign::motion::{
    AnimationType, Channels, Key, Modifier, Motion, Note, Precision, TrackKeys,
};

fn read(bytes: &[u8]) -> (Option<Motion>, Findings) {
    match seanim::read(bytes.to_vec()) {
        Ok((motion, found)) => {
            assert_eq!(found.total(Severity::Error), 0);
            (Some(motion), found)
        }
        Err(Invalid(found)) => (None, found),
    }
}

fn found(bytes: &[u8]) -> Vec<String> {
    read(bytes).1.iter().map(ToString::to_string).collect()
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_file_has_its_verdict() {
    for case in corpus::cases("seanim", 84) {
        let (motion, found) = read(&case.bytes);
        let verdict = match (&motion, found.total(Severity::Warning)) {
            (None, _) => "error",
            (Some(_), 0) => "ok",
            (Some(_), _) => "ok_warn",
        };
        let fits = match case.expect.as_str() {
            "error_or_warn" => verdict != "ok",
            expect => verdict == expect,
        };
        assert!(found.iter().all(|it| it.offset <= case.bytes.len() as u64), "{found:?}");
        assert!(fits, "{}: {verdict}, expected {}: {found:?}", case.file, case.expect);
    }
}

/// Files that are repaired when written.
const REPAIRED: [&str; 5] = [
    "edge/wild_bones_without_keys.seanim",
    "edge/wild_custom_bit_no_block.seanim",
    "edge/wild_modifier_count_0.seanim",
    "edge/trunc_after_notes.seanim",
    "bad/modifier_index_oob.seanim",
];

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn files_are_written_back_byte_for_byte() {
    let mut other = BTreeSet::new();
    for case in corpus::cases("seanim", 84) {
        let Some(motion) = read(&case.bytes).0 else { continue };
        let bytes = seanim::write(&motion).expect(&case.file);
        if bytes != case.bytes {
            assert_eq!(read(&bytes).0.expect(&case.file), motion, "{}", case.file);
            other.insert(case.file);
        }
    }
    assert_eq!(other, BTreeSet::from(REPAIRED.map(str::to_owned)));
}

/// Key with three numbers.
const fn key(frame: u32, x: f64) -> Key<3> {
    Key { frame, value: [x, 2.0, -0.5] }
}

/// Motion of two bones with translations and rotations, a modifier and notes.
fn motion(frame_count: u32) -> Motion {
    let channels = Channels { translation: true, rotation: true, scale: false };
    let mut motion = Motion::new(channels, Precision::Single);
    motion.frame_count = frame_count;
    for name in ["root", "arm"] {
        let places = [key(0, 1.0), key(frame_count - 1, 3.0)];
        let turns = [Key { frame: 0, value: [0.0, 0.0, 0.0, 1.0] }];
        let keys = TrackKeys { translation: &places, rotation: &turns, ..TrackKeys::default() };
        motion.add_track(name, 0, keys).unwrap();
    }
    let animation_type = AnimationType::Relative;
    motion.modifiers.push(Modifier { track: 1, animation_type, offset: 0 });
    for frame in [1, 3] {
        motion.notes.push(Note { frame, name: "step".into(), offset: 0 });
    }
    motion
}

#[test]
fn a_motion_is_written_and_read() {
    for frames in [5, 0xff, 0x100, 0xffff, 0x1_0000] {
        let written = motion(frames);
        let bytes = seanim::write(&written).unwrap();
        let (again, found) = read(&bytes);
        assert_eq!((again.as_ref(), found.is_empty()), (Some(&written), true));
        assert_eq!(seanim::write(&again.unwrap()).unwrap(), bytes);
    }
    assert_eq!(motion(5).duration_secs(), 4.0 / 30.0);
}

#[test]
fn every_beginning_of_a_file_is_refused() {
    let bytes = seanim::write(&motion(5)).unwrap();
    for end in 0..bytes.len() {
        let (motion, found) = read(&bytes[..end]);
        assert!(motion.is_none(), "{end}: {found:?}");
        let first = found.first_error().unwrap();
        assert!(first.offset <= end as u64, "{first}");
    }
    let wanted = "SEANIM-E003 unexpected-end: bones[0].rot at byte 75 (0x4b): 1 key takes 17 bytes, but 4 are left";
    assert_eq!(found(&bytes[..80])[0], wanted);
}

/// Motion whose frame indices have one byte although the number of frames needs two.
fn narrow() -> Vec<u8> {
    let mut motion = motion(5);
    motion.frame_count = 256;
    motion.layout.frame_width = Some(pchr_foreign::motion::IndexWidth::U8);
    seanim::write(&motion).unwrap()
}

#[test]
fn faults_of_known_writers_are_repaired() {
    let sound = motion(5);
    let bytes = seanim::write(&sound).unwrap();
    let repaired = |bytes: &[u8], rule: &str, motion: &Motion| {
        let (again, found) = read(bytes);
        assert_eq!(again.as_ref(), Some(motion), "{found:?}");
        let rules: Vec<_> = found.iter().map(|finding| finding.rule.id()).collect();
        assert_eq!(rules, [rule]);
        let written = seanim::write(&again.unwrap()).unwrap();
        assert!(rule == "SEANIM-W115" || read(&written).1.is_empty());
    };
    let with = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        bytes
    };
    // The modifier count is 0.
    repaired(&with(28, 0), "SEANIM-W111", &sound);
    // The bit for notes is not set.
    repaired(&with(12, 3), "SEANIM-W113", &sound);
    // A custom block is announced but missing.
    repaired(&with(12, 0xc3), "SEANIM-W114", &sound);
    // Frame indices are too narrow for the number of frames.
    let mut long = sound.clone();
    long.frame_count = 256;
    repaired(&narrow(), "SEANIM-W115", &long);
    assert_eq!(seanim::write(&read(&narrow()).0.unwrap()).unwrap(), narrow());
    // The bones have no keys, and their bit is not set.
    let mut bare = Motion::new(Channels::default(), Precision::Single);
    bare.frame_count = 4;
    for name in ["a", "b"] {
        bare.add_track(name, 0, TrackKeys::default()).unwrap();
    }
    bare.notes.push(sound.notes[1].clone());
    let mut bytes = seanim::write(&bare).unwrap();
    bytes[12] = 0x40;
    bytes.drain(41..42); // the count of each bone
    bytes.drain(42..43);
    repaired(&bytes, "SEANIM-W112", &bare);
}

#[test]
fn modifiers_beyond_a_byte_are_counted() {
    let mut motion =
        Motion::new(Channels { translation: true, ..Channels::default() }, Precision::Double);
    for index in 0..300 {
        let keys = TrackKeys { translation: &[key(0, 0.1)], ..TrackKeys::default() };
        motion.add_track(&*format!("bone {index}"), 0, keys).unwrap();
    }
    let modifier = |track| Modifier { track, animation_type: AnimationType::Additive, offset: 0 };
    motion.modifiers = (0..255).map(modifier).collect();
    let sound = seanim::write(&motion).unwrap();
    assert_eq!(read(&sound), (Some(motion.clone()), Findings::default()));
    motion.modifiers = (0..270).map(modifier).collect();
    let wanted = "boneAnimModifierCount: 270 does not fit, expected at most 255";
    assert_eq!(seanim::write(&motion).unwrap_err().to_string(), wanted);
    let records = sound.len() - 300 * (1 + 1 + 1 + 24);
    let more = (255_u16..270).flat_map(|bone| [bone as u8, (bone >> 8) as u8, 1]);
    let mut wrapped = sound;
    wrapped.splice(records..records, more);
    wrapped[28] = 14;
    assert_eq!(read(&wrapped).0, Some(motion));
    assert!(found(&wrapped)[0].contains("14, but the file has 270"));
}

#[test]
fn odd_keys_and_names_are_found_where_they_are() {
    let channels = Channels { translation: true, rotation: true, scale: false };
    let mut motion = Motion::new(channels, Precision::Single);
    motion.frame_count = 5;
    motion.rate = 0.0;
    let places = [key(9, 1.0), key(0, f64::NAN), key(0, 7.0)];
    let turns = [Key { frame: 0, value: [0.0, 0.0, 0.0, 2.0] }];
    let keys = TrackKeys { translation: &places, rotation: &turns, ..TrackKeys::default() };
    motion.add_track(&b"caf\xe9"[..], 7, keys).unwrap();
    motion.add_track(&b"caf\xe9"[..], 1, TrackKeys::default()).unwrap();
    for (frame, name) in [(1, "a"), (3, "a"), (2, "b")] {
        motion.notes.push(Note { frame, name: name.into(), offset: 0 });
    }
    let bytes = seanim::write(&motion).unwrap();
    let found = found(&bytes);
    let places: Vec<&str> = found.iter().map(|it| it.split_once(" (").unwrap().0).collect();
    let wanted = [
        "SEANIM-W102 frame-rate: framerate at byte 16",
        "SEANIM-W117 name-utf8: bones[0].name at byte 39",
        "SEANIM-W117 name-utf8: bones[1].name at byte 44",
        "SEANIM-W118 name-duplicate: bones[1].name at byte 41",
        "SEANIM-W119 bone-flags: bones[0].flags at byte 36",
        "SEANIM-W122 key-range: bones[0].loc[0] at byte 48",
        "SEANIM-W120 key-order: bones[0].loc[1] at byte 61",
        "SEANIM-W121 key-duplicate: bones[0].loc[2] at byte 74",
        "SEANIM-W123 not-finite: bones[0].loc[1] at byte 61",
        "SEANIM-W124 rotation-length: bones[0].rot[0] at byte 88",
        "SEANIM-W126 note-order: notes[2] at byte 114",
    ];
    assert_eq!(places, wanted);
    let motion = read(&bytes).0.unwrap();
    assert_eq!((motion.frames(), motion.frames_per_second()), (10, 30.0));
    let sorted = motion.translation(&motion.tracks()[0]).unwrap().sorted();
    assert_eq!(sorted, [key(0, 7.0), key(9, 1.0)]);
    let frames = motion.notes_by_frame().into_iter().map(|note| note.frame);
    assert_eq!(frames.collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(seanim::write(&motion).unwrap(), bytes);
}

#[test]
fn counts_are_held_against_the_bytes_that_are_there() {
    let mut bytes = seanim::write(&motion(0x1_0000)).unwrap();
    bytes[24..28].copy_from_slice(&999_999_u32.to_le_bytes());
    assert!(found(&bytes)[0].starts_with("SEANIM-E003 unexpected-end: boneCount at byte 24"));
    bytes[24..28].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(found(&bytes)[0].starts_with("SEANIM-E005 limit: boneCount at byte 24"));
}

#[test]
fn a_name_with_an_end_in_it_is_not_written() {
    let mut motion = motion(5);
    motion.notes[0].name = "a\0b".into();
    assert!(matches!(seanim::write(&motion), Err(seanim::SeanimUnwritable::Nul { .. })));
}
