//! Tests with the PXD files of the corpus.

use std::fmt::Write as _;
use std::path::Path;

use pchr_foreign::format::pxd::{self, PxdKind};
use pchr_foreign::motion::{AnimationType, Keys, Motion, RootMotion, Sampled, Track};
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
        if PxdKind::of(&file) != Some(PxdKind::Animation) || !pxd::is_bina(&file) {
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
            check_clip(sampled, &folder.join(text(&expected["main"], "json")), &mut fault);
        } else {
            let main = corpus::json(&folder.join(text(&expected["main"], "json")));
            let tracks: Vec<&Track> = motion.tracks().iter().collect();
            values += check_keys(&motion, &tracks, &main, &mut fault);
        }
        if let Some(RootMotion::Sampled(sampled)) = motion.root() {
            check_clip(sampled, &folder.join(text(&expected["root"], "json")), &mut fault);
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
    if PxdKind::of(&file) != Some(PxdKind::Skeleton) {
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
    if !motion.tracks().iter().map(|track| track.target.bone()).eq((0..tracks as u32).map(Some)) {
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

/// Checks by its first frame that a clip is the right one.
fn check_clip(sampled: &Sampled, expected: &Path, fault: &mut impl FnMut(&str)) {
    let mut pose = Vec::new();
    sampled.clip.sample_frame(0, &mut pose);
    let expected = corpus::json(expected);
    let tracks = list(&list(&expected, "samples")[0], "tracks");
    let same = tracks.iter().zip(&pose).all(|(track, pose)| {
        let numbers = pose.rotation.iter().chain(&pose.translation).chain(&pose.scale);
        { numbers.zip(track.as_array().unwrap()) }.all(|(a, b)| *a == b.as_f64().unwrap() as f32)
    });
    if !same || tracks.len() != pose.len() {
        fault("first frame of a clip");
    }
}

/// Compares keys with the expected samples of their frames, and returns the number of keys.
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
            samples[frame as usize]["tracks"][index][lane].as_f64().unwrap()
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
    let (folder, index) = corpus::indexed("pxd");
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
            assert_eq!(found_again.count(pxd::PxdRule::Layout), 0, "{name}");
            let is_kept = REWRITTEN.iter().all(|rule| found.count(*rule) == 0);
            assert_eq!(written == file, is_kept, "{name}");
        }
        files += 1;
    }
    println!("{files} files");
    assert!(files > 0);
    assert!(faults.is_empty(), "\n{faults}");
}
