//! PXD skeletons and animations have their verdict and their content, and are written back byte for byte.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    reason = "a failed expectation is a failed test"
)]

#[path = "support/acl.rs"]
mod acl;
#[path = "support/corpus.rs"]
mod corpus;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use pchr_view::finding::{Findings, Invalid, Severity};
use pchr_view::format::pxd::{self, PxdRule, Unwritable};
use pchr_view::motion::{
    AnimationType, Bone, Channels, Conventions, Key, Keys, Motion, ParentScale, Precision,
    RootMotion, Sampled, Skeleton, Track, TrackKeys, Transform, UpAxis,
};
use serde_json::Value;

type Read<T> = Result<(T, Findings), Invalid>;

/// Rules of files that are written otherwise.
const REWRITTEN: [PxdRule; 5] = [
    PxdRule::Layout,
    PxdRule::Sizes,
    PxdRule::OffsetTable,
    PxdRule::RootOffset,
    PxdRule::Additive,
];

fn split<T>(read: Read<T>) -> (Option<T>, Findings) {
    match read {
        Ok((value, found)) => {
            assert_eq!(found.total(Severity::Error), 0);
            (Some(value), found)
        }
        Err(Invalid(found)) => {
            assert!(found.first_error().is_some());
            (None, found)
        }
    }
}

fn animation(bytes: &[u8]) -> (Option<Motion>, Findings) {
    split(pxd::read_animation(bytes))
}

fn skeleton(bytes: &[u8]) -> (Option<Skeleton>, Findings) {
    split(pxd::read_skeleton(bytes))
}

fn said(found: &Findings) -> Vec<String> {
    found.iter().map(ToString::to_string).collect()
}

fn folder() -> PathBuf {
    corpus::root().join("pxd")
}

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name]
        .as_array()
        .unwrap_or_else(|| panic!("no {name}"))
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no {name}"))
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_fixture_has_its_content_and_is_written_back() {
    let folder = folder();
    let index = corpus::json(&folder.join("index.json"));
    let (mut faults, mut animations, mut values) = (String::new(), 0, 0);
    for fixture in list(&index, "fixtures") {
        let name = text(fixture, "name");
        let mut fault = |what: &str| writeln!(faults, "{name}: {what}").unwrap();
        check_skeleton(&folder, fixture, &mut fault);
        let file = bytes(&folder.join(text(fixture, "animation")));
        let (motion, found) = animation(&file);
        for finding in &found {
            fault(&finding.to_string());
        }
        let Some(motion) = motion else { continue };
        if !pxd::is_anm(&file) || pxd::is_skl(&file) || !pxd::is_bina(&file) {
            fault("not recognised");
        }
        if pxd::write_animation(&motion).as_deref() != Ok(&file) {
            fault("written otherwise");
        }
        check_motion(&motion, fixture, &mut fault);
        let expected = &fixture["expected"];
        let has_root = !expected["root"].is_null();
        if motion.root().is_some() != has_root {
            fault("root motion");
        }
        if let Some(sampled) = motion.sampled() {
            check_clip(
                sampled,
                &folder.join(text(&expected["main"], "json")),
                &mut fault,
            );
        } else {
            let main = corpus::json(&folder.join(text(&expected["main"], "json")));
            let tracks: Vec<&Track> = motion.tracks().iter().collect();
            values += check_keys(&motion, &tracks, &main, &mut fault);
        }
        if let Some(RootMotion::Sampled(sampled)) = motion.root() {
            check_clip(
                sampled,
                &folder.join(text(&expected["root"], "json")),
                &mut fault,
            );
        }
        if let Some(RootMotion::Keys(track)) = motion.root() {
            let root = corpus::json(&folder.join(text(&expected["root"], "json")));
            values += check_keys(&motion, &[track], &root, &mut fault);
        }
        animations += 1;
    }
    println!("{animations} animations, {values} keys compared");
    assert!(animations > 0 && values > 0);
    assert!(faults.is_empty(), "\n{faults}");
}

fn check_skeleton(folder: &Path, fixture: &Value, fault: &mut impl FnMut(&str)) {
    let file = bytes(&folder.join(text(fixture, "skeleton")));
    let (skeleton, found) = skeleton(&file);
    for finding in &found {
        fault(&finding.to_string());
    }
    let Some(skeleton) = skeleton else { return };
    let parents = skeleton.bones().iter().map(|bone| bone.parent);
    let expected = list(fixture, "parents").iter();
    if !parents.eq(expected.map(|it| u32::try_from(it.as_i64().unwrap()).ok())) {
        fault("parents");
    }
    let names = skeleton.bones().iter().map(|bone| bone.name.text());
    if !names.eq(list(fixture, "bones").iter().map(|it| it.as_str().unwrap())) {
        fault("names");
    }
    if skeleton.parents_first().len() != skeleton.bones().len() {
        fault("order");
    }
    if pxd::write_skeleton(&skeleton).as_deref() != Ok(&file) {
        fault("skeleton written otherwise");
    }
    if !pxd::is_skl(&file) || pxd::is_anm(&file) {
        fault("skeleton not recognised");
    }
}

fn check_motion(motion: &Motion, fixture: &Value, fault: &mut impl FnMut(&str)) {
    let number = |name: &str| fixture[name].as_f64().unwrap();
    let frames = fixture["frames"].as_u64().unwrap();
    if (u64::from(motion.frames()), u64::from(motion.frame_count)) != (frames, frames) {
        fault("frames");
    }
    let tracks = fixture["tracks"].as_u64().unwrap();
    let targets = motion.tracks().iter().map(|track| track.target.bone());
    if !targets.eq((0..tracks as u32).map(Some)) {
        fault("tracks");
    }
    if motion.rate != number("sample_rate") as f32 {
        fault(&format!("rate {}", motion.rate));
    }
    if (motion.duration_secs() - number("duration")).abs() > 1e-6 {
        fault(&format!("duration {}", motion.duration_secs()));
    }
    if motion.sampled().is_some() != fixture["compressed"].as_bool().unwrap() {
        fault("compression");
    }
    let is_additive = motion.animation_type == AnimationType::Additive;
    if u64::from(is_additive) != fixture["additive"].as_u64().unwrap() {
        fault("additive");
    }
}

/// Compares the first frame of a clip, so that it is the right one.
fn check_clip(sampled: &Sampled, expected: &Path, fault: &mut impl FnMut(&str)) {
    let mut pose = Vec::new();
    sampled.clip.sample_frame(0, &mut pose);
    let expected = corpus::json(expected);
    let tracks = list(&list(&expected, "samples")[0], "tracks");
    let same = tracks.iter().zip(&pose).all(|(track, pose)| {
        let numbers = pose
            .rotation
            .iter()
            .chain(&pose.translation)
            .chain(&pose.scale);
        { numbers.zip(track.as_array().unwrap()) }.all(|(a, b)| *a == b.as_f64().unwrap() as f32)
    });
    if !same || tracks.len() != pose.len() {
        fault("first frame of a clip");
    }
}

/// Compares keys with the expected samples of their frames; returns how many there are.
fn check_keys(
    motion: &Motion,
    tracks: &[&Track],
    expected: &Value,
    fault: &mut impl FnMut(&str),
) -> usize {
    fn compare<const N: usize>(
        keys: Option<Keys<'_, N>>,
        sample: impl Fn(u32, usize) -> f64,
        from: usize,
        fault: &mut impl FnMut(&str),
    ) -> usize {
        let keys = keys.expect("PXD stores all channels");
        for key in keys.iter() {
            for (lane, value) in key.value.into_iter().enumerate() {
                let expected = sample(key.frame, from + lane);
                if (value - expected).abs() > 2e-6 {
                    fault(&format!("frame {}: {value}, not {expected}", key.frame));
                }
            }
        }
        keys.len()
    }
    let samples = list(expected, "samples");
    let mut count = 0;
    for (index, track) in tracks.iter().enumerate() {
        let sample = |frame: u32, lane: usize| {
            samples[frame as usize]["tracks"][index][lane]
                .as_f64()
                .unwrap()
        };
        count += compare(motion.rotation(track), sample, 0, fault);
        count += compare(motion.translation(track), sample, 4, fault);
        count += compare(motion.scale(track), sample, 7, fault);
    }
    count
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_hostile_file_has_its_verdict() {
    let folder = folder();
    let index = corpus::json(&folder.join("index.json"));
    let (mut faults, mut files) = (String::new(), 0);
    for entry in list(&index, "hostile") {
        let (name, expect) = (text(entry, "file"), text(entry, "expect"));
        let file = bytes(&folder.join(name));
        let is_skeleton = name.ends_with(".skl.pxd");
        let (motion, is_read, found) = if is_skeleton {
            let (skeleton, found) = skeleton(&file);
            (None, skeleton.is_some(), found)
        } else {
            let (motion, found) = animation(&file);
            let is_read = motion.is_some();
            (motion, is_read, found)
        };
        let has_root = motion.as_ref().map(|motion| motion.root().is_some());
        let fits = match expect {
            "error" => !is_read,
            "error or warning" => !is_read || !found.is_empty(),
            "ok" => is_read,
            "ok with root" => has_root == Some(true),
            "ok without root" => has_root == Some(false),
            _ => panic!("{name}: unknown verdict {expect}"),
        };
        for finding in &found {
            println!("{name}: {finding}");
            assert!(finding.offset <= file.len() as u64, "{finding}");
        }
        if !fits {
            writeln!(faults, "{name}: expected {expect}: {:?}", said(&found)).unwrap();
        }
        if let Some(motion) = motion {
            let written = pxd::write_animation(&motion).unwrap();
            let (again, found_again) = animation(&written);
            assert_eq!(again.as_ref(), Some(&motion), "{name}");
            assert_eq!(found_again.count(PxdRule::Layout), 0, "{name}");
            let is_kept = REWRITTEN.iter().all(|rule| found.count(*rule) == 0);
            assert_eq!(written == file, is_kept, "{name}");
        }
        files += 1;
    }
    println!("{files} files");
    assert!(files > 0);
    assert!(faults.is_empty(), "\n{faults}");
}

/// A skeleton with two roots, whose parents come later.
fn small_skeleton() -> Skeleton {
    let bone = |name: &str, parent, x| Bone {
        name: name.into(),
        parent,
        rest: Transform {
            translation: [x, 0.5, -2.0],
            ..Transform::IDENTITY
        },
        offset: 0,
    };
    let bones = vec![
        bone("hand", Some(2), 1.0),
        bone("prop", None, 2.0),
        bone("arm", Some(3), 3.0),
        bone("Wurzel ü", None, 4.0),
    ];
    Skeleton::new(bones, Conventions::PXD).unwrap()
}

/// A motion of three tracks and root motion, some without keys.
fn small_motion() -> Motion {
    let vector = |frame, x| Key {
        frame,
        value: [x, 2.0, -0.5],
    };
    let turn = |frame, value| Key { frame, value };
    let all = Channels {
        translation: true,
        rotation: true,
        scale: true,
    };
    let mut motion = Motion::new(all, Precision::Single);
    motion.conventions = Conventions::PXD;
    motion.frame_count = 10;
    motion.rate = 29.97;
    let keys = TrackKeys {
        translation: &[vector(0, 1.0), vector(4, 2.0), vector(9, 3.0)],
        rotation: &[turn(0, [0.0, 0.0, 0.0, 1.0]), turn(9, [0.6, 0.0, 0.0, 0.8])],
        scale: &[],
    };
    motion.add_track(0, 0, keys).unwrap();
    motion.add_track(1, 0, TrackKeys::default()).unwrap();
    let keys = TrackKeys {
        scale: &[vector(3, 1.5)],
        ..TrackKeys::default()
    };
    motion.add_track(2, 0, keys).unwrap();
    let root = TrackKeys {
        translation: &[vector(0, 0.0), vector(9, 12.0)],
        ..TrackKeys::default()
    };
    motion.set_root_keys(root).unwrap();
    motion
}

/// A clip of 10 frames.
fn clip(tracks: usize) -> Vec<u8> {
    acl::busy(tracks, 10, |part, index, _| [9, 12, 6][part] + index as u8).chunk()
}

/// Bytes of a compressed animation: root motion begins so many bytes behind the place that alignment demands.
fn compressed(tracks: u32, skeletal: &[u8], root: Option<&[u8]>, gap: usize) -> Vec<u8> {
    let mut payload = b"NAXP".to_vec();
    let root_at = (0x40 + skeletal.len()).next_multiple_of(16) + gap;
    payload.extend(0x200_u32.to_le_bytes());
    payload.extend([0, 8, 0, 0, 0, 0, 0, 0]);
    payload.extend(0x18_u64.to_le_bytes());
    payload.extend(0.3_f32.to_le_bytes());
    payload.extend(10_u32.to_le_bytes());
    payload.extend(u64::from(tracks).to_le_bytes());
    payload.extend(0x40_u64.to_le_bytes());
    payload.extend(root.map_or(0, |_| root_at as u64).to_le_bytes());
    payload.extend([0; 8]);
    payload.extend(skeletal);
    if let Some(root) = root {
        payload.resize(root_at, 0);
        payload.extend(root);
    }
    payload.resize(payload.len().next_multiple_of(4), 0);
    let table = [0x44, 0x46, if root.is_some() { 0x42 } else { 0 }, 0];
    let mut file = b"BINA210L".to_vec();
    let size = payload.len() as u32;
    file.extend((size + 0x44).to_le_bytes());
    file.extend([1, 0, 0, 0]);
    file.extend(b"DATA");
    for number in [size + 0x34, size, 0, 4, 0x18] {
        file.extend(number.to_le_bytes());
    }
    file.resize(0x40, 0);
    file.extend(payload);
    file.extend(table);
    file
}

#[test]
fn a_skeleton_is_written_and_read() {
    let skeleton_of = small_skeleton();
    let bytes = pxd::write_skeleton(&skeleton_of).unwrap();
    let (again, found) = skeleton(&bytes);
    assert_eq!(said(&found), [""; 0]);
    let again = again.unwrap();
    assert_eq!(again, skeleton_of);
    assert_eq!(pxd::write_skeleton(&again).unwrap(), bytes);
    assert_eq!(again.parents_first(), [3, 2, 0, 1]);
    assert_eq!(
        (again.conventions.up, again.conventions.parent_scale),
        (UpAxis::Y, ParentScale::Separate)
    );
    assert_eq!(again.bones()[0].offset, 0x40 + 0xb0);
    assert!(pxd::is_skl(&bytes) && !pxd::is_anm(&bytes) && pxd::is_bina(&bytes));
}

#[test]
fn a_motion_is_written_and_read() {
    let motion = small_motion();
    let bytes = pxd::write_animation(&motion).unwrap();
    let (again, found) = animation(&bytes);
    assert_eq!(said(&found), [""; 0]);
    let again = again.unwrap();
    assert_eq!(again, motion);
    assert_eq!(pxd::write_animation(&again).unwrap(), bytes);
    assert_eq!((again.rate, again.frames()), (29.97, 10));
    assert!(again.root().is_some() && again.sampled().is_none());
    assert!(pxd::is_anm(&bytes) && !pxd::is_skl(&bytes));
    // The header begins at 0x40, records at 0x78, the first column behind that of root motion.
    assert_eq!(bytes[0x40..0x44], *b"NAXP");
    assert_eq!(bytes[0x78 + 8..][..8], 0x158_u64.to_le_bytes());
}

#[test]
fn clips_are_kept_as_they_are_with_the_gap_between_them() {
    let (skeletal, root) = (clip(3), clip(1));
    for (gap, rules) in [(0, &[][..]), (16, &[]), (48, &[]), (8, &["PXD-W101"])] {
        let bytes = compressed(3, &skeletal, Some(&root), gap);
        let (motion, found) = animation(&bytes);
        let motion = motion.unwrap();
        let ids: Vec<&str> = found.iter().map(|finding| finding.rule.id()).collect();
        assert_eq!(ids, rules, "gap {gap}: {found:?}");
        let written = pxd::write_animation(&motion).unwrap();
        assert_eq!(written == bytes, rules.is_empty());
        assert_eq!(animation(&written).0.unwrap(), motion);
        let sampled = motion.sampled().unwrap();
        assert_eq!((sampled.offset, sampled.clip.bytes()), (0x80, &*skeletal));
        let root_of = motion.root().unwrap().sampled().unwrap();
        assert_eq!(root_of.clip.bytes(), root);
        assert_eq!((motion.tracks().len(), motion.frames()), (3, 10));
    }
    let bytes = compressed(3, &skeletal, None, 0);
    let (motion, found) = animation(&bytes);
    assert_eq!(said(&found), [""; 0]);
    assert!(motion.unwrap().root().is_none());
    for end in 0..bytes.len() {
        assert!(animation(&bytes[..end]).0.is_none(), "{end}");
    }
}

#[test]
fn clips_are_held_against_the_header() {
    let (skeletal, root) = (clip(3), clip(2));
    let file = compressed(5, &skeletal, Some(&root), 0);
    let (motion, found) = animation(&with(&file, 0x5c, &[9]));
    let found = said(&found);
    let expected = [
        "PXD-W108 clip: animation.skeletal at byte 96 (0x60): 3 tracks, but the header has 5; those of the clip are played",
        "PXD-W108 clip: animation.skeletal at byte 92 (0x5c): 10 frames, but the header has 9; those of the clip are played",
        "PXD-W106 duration: animation.duration at byte 88 (0x58): 0.3, expected 0.26666668: 9 frames at 30 a second, as the clip has them",
        "PXD-W108 clip: animation.root at byte 112 (0x70): 2 tracks, but root motion has 1; the first is played",
        "PXD-W108 clip: animation.root at byte 92 (0x5c): 10 frames, but the header has 9; those of the clip are played",
        "PXD-W101 layout: file at byte 96 (0x60): 0x05, written as 0x03: unused bytes, gaps or the order of parts are not kept when the file is written again",
    ];
    assert_eq!(found, expected);
    let motion = motion.unwrap();
    assert_eq!((motion.tracks().len(), motion.frames()), (3, 10));
    let file = compressed(3, &skeletal, None, 0);
    let found = said(&animation(&with(&file, 0x80 + 8, &[0])).1);
    assert!(
        found[0].starts_with("ACL-E002 magic: animation.skeletal.tag at byte 136"),
        "{found:?}"
    );
    let found = said(&animation(&with(&file, 0x80 + 4, &[0; 4])).1);
    assert!(
        found[0].starts_with("ACL-W101 hash: animation.skeletal.hash at byte 132"),
        "{found:?}"
    );
}

#[test]
fn every_beginning_of_a_file_is_refused() {
    let file = pxd::write_animation(&small_motion()).unwrap();
    for end in 0..file.len() {
        let (motion, found) = animation(&file[..end]);
        assert!(motion.is_none(), "{end}");
        assert!(found.first_error().unwrap().offset <= end as u64);
    }
    let file = pxd::write_skeleton(&small_skeleton()).unwrap();
    for end in 0..file.len() {
        assert!(skeleton(&file[..end]).0.is_none(), "{end}");
    }
}

/// A file with other bytes at an offset.
fn with(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

#[test]
fn faults_of_a_container_are_found_where_they_are() {
    let file = pxd::write_animation(&small_motion()).unwrap();
    let size = file.len();
    let cases: &[(usize, &[u8], &str)] = &[
        (
            0,
            b"BINB",
            "PXD-E001 magic: bina.magic at byte 0 (0x0): \"BINB\", expected \"BINA\"",
        ),
        (
            4,
            b"200",
            "PXD-E002 version: bina.version at byte 4 (0x4): \"200\" has offsets of 32 bits; this program reads \"210\"",
        ),
        (
            7,
            b"B",
            "PXD-E003 byte-order: bina.byteOrder at byte 7 (0x7): \"B\", a big-endian container, expected \"L\" (little-endian)",
        ),
        (
            0x10,
            b"IMAG",
            "PXD-E012 block: bina.block at byte 16 (0x10): \"IMAG\", expected \"DATA\"",
        ),
        (
            0x1f,
            &[1],
            "PXD-E004 unexpected-end: bina.stringsSize at byte 28 (0x1c): 16777216 bytes from byte",
        ),
        (
            0x40,
            b"KSXP",
            "PXD-E001 magic: payload.magic at byte 64 (0x40): \"KSXP\", expected \"NAXP\" (an animation)",
        ),
        (
            0x44,
            &[1],
            "PXD-E002 version: payload.version at byte 68 (0x44): 0x201, this program reads version 0x200",
        ),
        (
            0x08,
            &[0],
            "PXD-W102 sizes: bina.fileSize at byte 8 (0x8): ",
        ),
        (
            0x0c,
            &[2],
            "PXD-W102 sizes: bina.blockCount at byte 12 (0xc): 2, but PXD has 1",
        ),
        (
            size - 1,
            &[0x41],
            "PXD-W103 offset-table: bina.offsetTable at byte",
        ),
    ];
    for (at, bytes, expected) in cases {
        let (motion, found) = animation(&with(&file, *at, bytes));
        let lines = said(&found);
        assert!(lines[0].starts_with(expected), "{lines:?}\n{expected}");
        assert_eq!(
            motion.is_some(),
            expected.starts_with("PXD-W"),
            "{expected}"
        );
        assert_eq!(lines.len(), 1, "{lines:?}");
    }
}

#[test]
fn faults_of_an_animation_are_found_where_they_are() {
    let file = pxd::write_animation(&small_motion()).unwrap();
    let cases: &[(usize, &[u8], &[&str])] = &[
        (
            0x48,
            &[7],
            &["PXD-W105 additive: animation.additive at byte 72"],
        ),
        (
            0x49,
            &[3],
            &["PXD-E011 compression: animation.compression at byte 73"],
        ),
        (
            0x50,
            &[0; 8],
            &["PXD-E005 offset: animation.fieldsOffset at byte 80 (0x50): no offset"],
        ),
        (
            0x50,
            &[0xff; 8],
            &["PXD-E005 offset: animation.fieldsOffset at byte 80"],
        ),
        (
            0x58,
            &f32::NAN.to_le_bytes(),
            &["PXD-W106 duration: animation.duration at byte 88 (0x58): NaN"],
        ),
        (
            0x5c,
            &[0],
            &[
                "PXD-W107 frame-count: animation.frameCount at byte 92",
                "PXD-W106",
            ],
        ),
        (
            0x60,
            &[0, 0, 1, 0],
            &["PXD-E007 limit: animation.trackCount at byte 96"],
        ),
        (
            0x60,
            &[0xff, 0xff],
            &["PXD-E004 unexpected-end: animation.skeletalOffset at byte 104"],
        ),
        (
            0x68,
            &[0; 8],
            &["PXD-E005 offset: animation.skeletalOffset at byte 104 (0x68): no offset"],
        ),
        (
            0x72,
            &[1],
            &["PXD-W104 root-offset: animation.rootOffset at byte 112"],
        ),
        (
            0x78,
            &[4],
            &[
                "PXD-W113 key-order: tracks[0].translation[3]",
                "PXD-W114",
                "PXD-W101",
            ],
        ),
        (
            0x78 + 7,
            &[0x10],
            &["PXD-E004 unexpected-end: tracks[0].translation.frames at byte 128"],
        ),
        (
            0x78 + 8,
            &[0; 8],
            &["PXD-E005 offset: tracks[0].translation.frames at byte 128"],
        ),
        (
            0x78 + 0x10 + 7,
            &[1],
            &["PXD-E005 offset: tracks[0].translation.values at byte 136"],
        ),
        (
            0x198,
            &[5],
            &["PXD-W113 key-order: tracks[0].translation[1] at byte 410 (0x19a)"],
        ),
        (
            0x198,
            &[4],
            &["PXD-W114 key-duplicate: tracks[0].translation[1] at byte 410"],
        ),
        (
            0x19c,
            &[10],
            &["PXD-W115 key-range: tracks[0].translation[2] at byte 412"],
        ),
        (
            0x1a0 + 3,
            &[0x7f, 0, 0, 0x80, 0x7f],
            &["PXD-W111 not-finite: tracks[0].translation[0] at byte 416"],
        ),
        (
            0x1a0 + 12,
            &[1],
            &["PXD-W101 layout: file at byte 428 (0x1ac): 0x01, written as 0x00"],
        ),
        (
            0x1e0 + 12,
            &2_f32.to_le_bytes(),
            &["PXD-W112 rotation-length: tracks[0].rotation[0] at byte 480"],
        ),
    ];
    for (at, bytes, expected) in cases {
        let changed = with(&file, *at, bytes);
        let (motion, found) = animation(&changed);
        let lines = said(&found);
        let is_same = lines
            .iter()
            .zip(*expected)
            .all(|(line, it)| line.starts_with(it));
        assert!(
            is_same && lines.len() == expected.len(),
            "{lines:#?}\n{expected:?}"
        );
        assert_eq!(
            motion.is_some(),
            expected[0].starts_with("PXD-W"),
            "{expected:?}"
        );
        if let Some(motion) = motion {
            let written = pxd::write_animation(&motion).unwrap();
            let (again, found) = animation(&written);
            assert_eq!(again.unwrap(), motion);
            assert_eq!(found.count(PxdRule::Layout), 0);
        }
    }
}

#[test]
fn faults_of_a_skeleton_are_found_where_they_are() {
    let file = pxd::write_skeleton(&small_skeleton()).unwrap();
    // Parents at 0xa8, names at 0xb0, transforms at 0xf0, strings at 0x1b0.
    let cases: &[(usize, &[u8], &[&str])] = &[
        (
            0x50,
            &[3],
            &["PXD-E006 counts: skeleton.names at byte 112 (0x70): 4 names, but 3 parents"],
        ),
        (
            0x57,
            &[0x10],
            &["PXD-E007 limit: skeleton.parents at byte 80"],
        ),
        (
            0x48,
            &[0; 8],
            &["PXD-E005 offset: skeleton.parents at byte 72"],
        ),
        (0x58, &[5], &["PXD-W101 layout: file at byte 88"]),
        (
            0xa8,
            &[99],
            &[
                "PXD-E008 parent-range: skeleton.parents[0] at byte 168 (0xa8): 99, but there are 4 bones",
            ],
        ),
        (
            0xa8,
            &[0xfe, 0xff],
            &["PXD-E008 parent-range: skeleton.parents[0] at byte 168 (0xa8): -2"],
        ),
        (
            0xae,
            &[0, 0],
            &[
                "PXD-E009 parent-circle: skeleton.parents[0] at byte 168 (0xa8): bone 0 is its own ancestor",
            ],
        ),
        (
            0xb0,
            &[0; 8],
            &["PXD-E005 offset: skeleton.names[0] at byte 176"],
        ),
        (
            0xb3,
            &[1],
            &["PXD-E005 offset: skeleton.names[0] at byte 176"],
        ),
        (
            0x1b0,
            &[0xe9],
            &["PXD-W109 name-utf8: skeleton.names[0] at byte 176"],
        ),
        (
            0x1b0,
            &[0],
            &[
                "PXD-W110 name-duplicate: skeleton.names[0] at byte 176 (0xb0): a bone without a name",
                "PXD-W101",
            ],
        ),
        (
            0x1b5,
            b"arm\0",
            &[
                "PXD-W110 name-duplicate: skeleton.names[2] at byte 208 (0xd0): \"arm\" is bone 1, too",
                "PXD-W101",
            ],
        ),
        (
            0xf0,
            &f32::INFINITY.to_le_bytes(),
            &["PXD-W111 not-finite: skeleton.transforms[0] at byte 240"],
        ),
        (0xf0 + 12, &[1], &["PXD-W101 layout: file at byte 252"]),
        (
            0xf0 + 28,
            &[0; 4],
            &["PXD-W112 rotation-length: skeleton.transforms[0] at byte 256"],
        ),
    ];
    for (at, bytes, expected) in cases {
        let (skeleton_of, found) = skeleton(&with(&file, *at, bytes));
        let lines = said(&found);
        let is_same = lines
            .iter()
            .zip(*expected)
            .all(|(line, it)| line.starts_with(it));
        assert!(
            is_same && lines.len() == expected.len(),
            "{lines:#?}\n{expected:?}"
        );
        assert_eq!(
            skeleton_of.is_some(),
            expected[0].starts_with("PXD-W"),
            "{expected:?}"
        );
        if let Some(skeleton_of) = skeleton_of {
            let written = pxd::write_skeleton(&skeleton_of).unwrap();
            let (again, found) = skeleton(&written);
            assert_eq!(again.unwrap(), skeleton_of);
            assert_eq!(found.count(PxdRule::Layout), 0);
        }
    }
    let end = file.len() - 8;
    let unterminated = with(&file, end - 4, b"xxxx");
    let lines = said(&skeleton(&unterminated).1);
    assert!(
        lines[0].starts_with("PXD-E010 name-end: skeleton.names[3]"),
        "{lines:?}"
    );
}

#[test]
fn longer_entries_of_the_offset_table_are_kept() {
    let file = pxd::write_skeleton(&small_skeleton()).unwrap();
    let table = [0x80, 2, 0x48, 0xc0, 0, 0, 8, 0x4a, 0x44, 0x44, 0x44, 0];
    let mut longer = with(&file[..file.len() - 8], 0x20, &12_u32.to_le_bytes());
    longer.extend(table);
    let size = longer.len() as u32;
    let longer = with(&longer, 8, &size.to_le_bytes());
    let longer = with(&longer, 0x14, &(size - 0x10).to_le_bytes());
    let (read, found) = skeleton(&longer);
    assert_eq!(said(&found), [""; 0]);
    let mut read = read.unwrap();
    assert_eq!(read, small_skeleton());
    assert_eq!(pxd::write_skeleton(&read).unwrap(), longer);
    let mut bones = read.bones().to_vec();
    bones.pop();
    bones[2].parent = None;
    let layout = read.pxd_layout;
    read = Skeleton::new(bones, Conventions::PXD).unwrap();
    read.pxd_layout = layout;
    assert_eq!(
        said(&skeleton(&pxd::write_skeleton(&read).unwrap()).1),
        [""; 0]
    );
}

#[test]
fn lists_that_overlap_take_no_more_memory_than_their_file() {
    let frames: Vec<Key<3>> = (0..20_000)
        .map(|frame| Key {
            frame,
            value: [1.0; 3],
        })
        .collect();
    let mut motion = small_motion();
    let keys = TrackKeys {
        translation: &frames,
        ..TrackKeys::default()
    };
    motion.add_track(3, 0, keys).unwrap();
    for bone in 4..1000 {
        motion.add_track(bone, 0, TrackKeys::default()).unwrap();
    }
    let mut file = pxd::write_animation(&motion).unwrap();
    let record = file[0x78 + 3 * 0x48..][..0x18].to_vec();
    for bone in 4..1000 {
        file = with(&file, 0x78 + bone * 0x48, &record);
    }
    let (motion, found) = animation(&file);
    assert!(motion.is_none());
    assert!(said(&found)[0].contains("they overlap"), "{found:?}");
}

#[test]
fn motions_that_pxd_cannot_hold_are_not_written() {
    let refused = |change: &dyn Fn(&mut Motion)| {
        let mut motion = small_motion();
        change(&mut motion);
        pxd::write_animation(&motion).unwrap_err()
    };
    let none = TrackKeys::default();
    assert_eq!(
        refused(&|it| it.add_track("arm", 0, none).unwrap()),
        Unwritable::Named(3)
    );
    assert_eq!(
        refused(&|it| it.add_track(1, 0, none).unwrap()),
        Unwritable::Twice(3)
    );
    assert_eq!(
        refused(&|it| it.animation_type = AnimationType::Relative),
        Unwritable::Type
    );
    let late = Key {
        frame: 0x1_0000,
        value: [0.0; 3],
    };
    let error = refused(&|it| {
        let keys = TrackKeys {
            translation: &[late],
            ..none
        };
        it.add_track(3, 0, keys).unwrap();
    });
    assert_eq!(
        error.to_string(),
        "tracks[3]: frame: 65536 does not fit, 65535 is the most"
    );
    let mut bones = small_skeleton().bones().to_vec();
    bones[1].name = "a\0b".into();
    let skeleton = Skeleton::new(bones, Conventions::PXD).unwrap();
    assert!(matches!(
        pxd::write_skeleton(&skeleton),
        Err(Unwritable::Nul { .. })
    ));
    // A bone without a track has no keys.
    let mut sparse = small_motion();
    sparse.add_track(5, 0, none).unwrap();
    let (again, _) = animation(&pxd::write_animation(&sparse).unwrap());
    assert_eq!(again.unwrap().tracks().len(), 6);
}
