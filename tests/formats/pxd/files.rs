//! Tests with the PXD files of the corpus.

use std::path::Path;

use pchr_foreign::format::pxd;
use pchr_foreign::motion::{AnimationType, Motion, RootMotion, Sampled, Track};
use serde_json::Value;

use super::{REWRITTEN, animation, said, skeleton};
use crate::corpus;

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("no {name}"))
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no {name}"))
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_fixture_has_its_content_and_is_written_back() {
    let (folder, index) = corpus::indexed("pxd");
    let (mut animations, mut values) = (0, 0);
    for fixture in list(&index, "fixtures") {
        let name = text(fixture, "name");
        check_skeleton(name, &bytes(&folder.join(text(fixture, "skeleton"))), fixture);
        let file = bytes(&folder.join(text(fixture, "animation")));
        let (motion, found) = animation(&file);
        assert_eq!(said(&found), [""; 0], "{name}");
        let motion = motion.unwrap();
        assert!(pxd::write_animation(&motion).unwrap() == file, "{name}: written otherwise");
        check_motion(name, &motion, fixture);
        let expected =
            |part: &str| corpus::json(&folder.join(text(&fixture["expected"][part], "json")));
        if let Some(sampled) = motion.sampled() {
            check_clip(name, sampled, &expected("main"));
        } else {
            let tracks: Vec<&Track> = motion.tracks().iter().collect();
            values += check_keys(name, &motion, &tracks, &expected("main"));
        }
        if let Some(RootMotion::Sampled(sampled)) = motion.root() {
            check_clip(name, sampled, &expected("root"));
        }
        if let Some(RootMotion::Keys(track)) = motion.root() {
            values += check_keys(name, &motion, &[track], &expected("root"));
        }
        animations += 1;
    }
    assert!(animations > 0 && values > 0);
}

fn check_skeleton(name: &str, file: &[u8], fixture: &Value) {
    let (skeleton, found) = skeleton(file);
    assert_eq!(said(&found), [""; 0], "{name}");
    let skeleton = skeleton.unwrap();
    let parents = skeleton.bones().iter().map(|bone| bone.parent);
    let expected = list(fixture, "parents").iter();
    let expected = expected.map(|it| u32::try_from(it.as_i64().unwrap()).ok());
    assert!(parents.eq(expected), "{name}: parents");
    assert_eq!(skeleton.parents_first().len(), skeleton.bones().len(), "{name}: order");
    assert!(pxd::write_skeleton(&skeleton).unwrap() == file, "{name}: skeleton written otherwise");
}

fn check_motion(name: &str, motion: &Motion, fixture: &Value) {
    let number = |name: &str| fixture[name].as_f64().unwrap();
    assert_eq!(motion.frames(), motion.frame_count, "{name}: frames");
    let bones = motion.tracks().iter().map(|track| track.target.bone());
    assert!(bones.eq((0..motion.tracks().len() as u32).map(Some)), "{name}: tracks");
    assert_eq!(motion.rate, number("sample_rate") as f32, "{name}: rate");
    assert!((motion.duration_secs() - number("duration")).abs() <= 1e-6, "{name}: duration");
    let is_additive = motion.animation_type == AnimationType::Additive;
    assert_eq!(u64::from(is_additive), fixture["additive"].as_u64().unwrap(), "{name}: additive");
}

/// Checks by its first frame that a clip is the right one.
fn check_clip(name: &str, sampled: &Sampled, expected: &Value) {
    let mut pose = Vec::new();
    sampled.clip.sample_frame(0, &mut pose);
    let tracks = list(&list(expected, "samples")[0], "tracks");
    let same = tracks.iter().zip(&pose).all(|(track, pose)| {
        let numbers = pose.rotation.iter().chain(&pose.translation).chain(&pose.scale);
        { numbers.zip(track.as_array().unwrap()) }.all(|(a, b)| *a == b.as_f64().unwrap() as f32)
    });
    assert!(same && tracks.len() == pose.len(), "{name}: first frame of a clip");
}

/// Compares keys with the expected samples of their frames, and returns the number of keys.
fn check_keys(name: &str, motion: &Motion, tracks: &[&Track], expected: &Value) -> usize {
    let samples = list(expected, "samples");
    let mut count = 0;
    for (index, track) in tracks.iter().enumerate() {
        let near = |frame: u32, lane: usize, value: f64| {
            let expected = samples[frame as usize]["tracks"][index][lane].as_f64().unwrap();
            assert!(
                (value - expected).abs() <= 2e-6,
                "{name}: frame {frame}: {value}, not {expected}"
            );
        };
        let rotations = motion.rotation(track).expect("PXD stores all channels");
        for key in rotations.iter() {
            (0..).zip(key.value).for_each(|(lane, value)| near(key.frame, lane, value));
        }
        let (translations, scales) = (motion.translation(track), motion.scale(track));
        for (from, keys) in [(4, translations), (7, scales)] {
            let keys = keys.expect("PXD stores all channels");
            for key in keys.iter() {
                (from..).zip(key.value).for_each(|(lane, value)| near(key.frame, lane, value));
            }
            count += keys.len();
        }
        count += rotations.len();
    }
    count
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_hostile_file_has_its_verdict() {
    let (folder, index) = corpus::indexed("pxd");
    for entry in list(&index, "hostile") {
        let (name, expect) = (text(entry, "file"), text(entry, "expect"));
        let file = bytes(&folder.join(name));
        let (motion, is_read, found) = if name.ends_with(".skl.pxd") {
            let (skeleton, found) = skeleton(&file);
            (None, skeleton.is_some(), found)
        } else {
            let (motion, found) = animation(&file);
            (motion.clone(), motion.is_some(), found)
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
        assert!(found.iter().all(|it| it.offset <= file.len() as u64), "{found:?}");
        assert!(fits, "{name}: expected {expect}: {:?}", said(&found));
        if let Some(motion) = motion {
            let written = pxd::write_animation(&motion).unwrap();
            let (again, found_again) = animation(&written);
            assert_eq!(again.as_ref(), Some(&motion), "{name}");
            assert_eq!(found_again.count(pxd::PxdRule::Layout), 0, "{name}");
            let is_kept = REWRITTEN.iter().all(|rule| found.count(*rule) == 0);
            assert_eq!(written == file, is_kept, "{name}");
        }
    }
    assert!(!list(&index, "hostile").is_empty());
}
