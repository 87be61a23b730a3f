//! Tests with clips that ACL compressed, and with the poses that ACL decoded from them.

use pchr::finding::{Findings, Severity};
use pchr_foreign::acl::{Clip, Storage, Transform};
use serde_json::Value;

use crate::corpus;

fn index() -> Value {
    corpus::indexed("pxd").1
}

fn bytes(name: &str) -> Vec<u8> {
    let path = corpus::root().join("pxd").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Offsets of the chunks within a compressed `.anm.pxd` file: of the skeleton, and of root motion.
fn chunks(file: &[u8]) -> [Option<usize>; 2] {
    let offset = |at: usize| {
        let word = file.get(at..at + 8)?.first_chunk()?;
        let offset = usize::try_from(u64::from_le_bytes(*word)).ok()?;
        (offset > 0 && offset < file.len()).then_some(0x40 + offset)
    };
    [offset(0x68), offset(0x70)]
}

/// Expected poses, by time.
type Expected = Vec<(f32, Vec<[f32; 10]>)>;

fn in_json(value: &Value) -> Expected {
    let float = |value: &Value| value.as_f64().unwrap() as f32;
    let track = |track: &Value| std::array::from_fn(|i| float(&track[i]));
    let samples = value["samples"].as_array().unwrap().iter();
    let pose = |pose: &Value| pose.as_array().unwrap().iter().map(track).collect();
    samples.map(|sample| (float(&sample["time"]), pose(&sample["tracks"]))).collect()
}

fn in_dump(dump: &[u8]) -> Expected {
    let mut words = dump.as_chunks::<4>().0.iter().copied();
    let count = u32::from_le_bytes(words.next().unwrap());
    let tracks = u32::from_le_bytes(words.next().unwrap());
    let mut next = || f32::from_le_bytes(words.next().unwrap());
    let mut sample = || {
        let time = next();
        (time, (0..tracks).map(|_| std::array::from_fn(|_| next())).collect())
    };
    let expected = (0..count).map(|_| sample()).collect();
    assert!(words.next().is_none());
    expected
}

/// A clip and its expected poses.
struct Case {
    name: String,
    chunk: Vec<u8>,
    expected: Expected,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let index = index();
    for fixture in index["fixtures"].as_array().unwrap() {
        if fixture["compressed"] != true {
            continue;
        }
        let file = bytes(fixture["animation"].as_str().unwrap());
        for (part, offset) in ["main", "root"].into_iter().zip(chunks(&file)) {
            let expected = &fixture["expected"][part];
            let of_text: fn(&[u8]) -> Expected =
                |text| in_json(&serde_json::from_slice(text).unwrap());
            let read = [("json", of_text), ("f32", in_dump), ("dump", in_dump)];
            let name = fixture["name"].as_str().unwrap();
            let kinds = read.iter().filter(|(kind, _)| expected[kind].is_string());
            assert_eq!(offset.is_some(), kinds.clone().count() > 0, "{name} {part}");
            for (kind, read) in kinds {
                let path = expected[kind].as_str().unwrap();
                let name = format!("{name}, {part}, {kind}");
                let chunk = file[offset.unwrap()..].to_vec();
                cases.push(Case { name, chunk, expected: read(&bytes(path)) });
            }
        }
    }
    for name in index["random"].as_array().unwrap() {
        let name = name.as_str().unwrap();
        let expected = in_dump(&bytes(&format!("{name}.f32")));
        let chunk = bytes(&format!("{name}.acl"));
        cases.push(Case { name: name.to_owned(), chunk, expected });
    }
    cases
}

fn flat(pose: &Transform) -> [f32; 10] {
    let [qx, qy, qz, qw] = pose.rotation;
    let ([tx, ty, tz], [sx, sy, sz]) = (pose.translation, pose.scale);
    [qx, qy, qz, qw, tx, ty, tz, sx, sy, sz]
}

/// Compressed chunks of the corpus, for tests that change them.
pub(crate) fn all_chunks() -> Vec<(String, Vec<u8>)> {
    let mut cases = cases();
    cases.dedup_by(|a, b| a.chunk == b.chunk);
    let chunk = |case: Case| {
        let size = u32::from_le_bytes(*case.chunk.first_chunk().unwrap());
        (case.name, case.chunk[..size as usize].to_vec())
    };
    cases.into_iter().map(chunk).collect()
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_pose_is_that_of_acl_bit_for_bit() {
    let mut tracks = 0_u64;
    let mut out = Vec::new();
    for case in cases() {
        let name = &case.name;
        let (clip, found) =
            Clip::read(&case.chunk, 0).unwrap_or_else(|invalid| panic!("{name}: {invalid}"));
        assert!(found.is_empty(), "{name}: {found:?}");
        for (time, expected) in &case.expected {
            clip.sample(*time, &mut out);
            assert_eq!(out.len(), expected.len(), "{name}");
            for (track, (ours, expected)) in out.iter().map(flat).zip(expected).enumerate() {
                tracks += 1;
                let is_same = ours.map(f32::to_bits) == expected.map(f32::to_bits);
                assert!(is_same, "{name}: track {track} at {time}\n  {ours:?}\n  {expected:?}");
            }
        }
    }
    assert!(tracks > 20_000);
}

/// Frames by number equal frames by time wherever the time is exact.
#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn frames_by_number_are_those_by_time() {
    let mut exact = 0;
    let (mut by_number, mut by_time) = (Vec::new(), Vec::new());
    for (name, chunk) in all_chunks() {
        let (clip, _) = Clip::read(&chunk, 0).unwrap();
        for frame in 0..clip.sample_count() {
            let time = frame as f32 / clip.sample_rate();
            clip.sample_frame(frame, &mut by_number);
            if time.min(clip.duration()) * clip.sample_rate() != frame as f32 {
                continue;
            }
            clip.sample(time, &mut by_time);
            for (a, b) in by_number.iter().map(flat).zip(by_time.iter().map(flat)) {
                exact += 1;
                assert_eq!(a.map(f32::to_bits), b.map(f32::to_bits), "{name} {frame}");
            }
        }
    }
    assert!(exact > 5_000, "{exact}");
}

/// The facts are stated in the index.
#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn facts_are_those_of_the_index() {
    use pchr_foreign::acl::Part;
    let mut seen = 0;
    for fixture in index()["fixtures"].as_array().unwrap() {
        let name = fixture["name"].as_str().unwrap();
        let acl = &fixture["acl"];
        if acl.is_null() {
            continue;
        }
        seen += 1;
        let file = bytes(fixture["animation"].as_str().unwrap());
        let (clip, _) = Clip::read(&file[chunks(&file)[0].unwrap()..], 0).unwrap();
        assert_eq!(u64::from(clip.track_count()), fixture["tracks"], "{name}");
        assert_eq!(u64::from(clip.sample_count()), fixture["frames"], "{name}");
        assert_eq!(f64::from(clip.sample_rate()), fixture["sample_rate"], "{name}");
        assert_eq!(f64::from(clip.duration()), fixture["duration"], "{name}");
        assert_eq!(f64::from(clip.default_scale()), acl["default_scale"], "{name}");
        assert_eq!(clip.formats().scale.is_some(), acl["has_scale"], "{name}");
        let starts: Vec<u32> = clip.segments().iter().map(|it| it.start).collect();
        assert_eq!(serde_json::json!(starts), fixture["segments"], "{name}");
        for (storage, key) in [(Storage::Animated, "animated"), (Storage::Constant, "constant")] {
            let counts = Part::ALL.map(|part| clip.count(part, storage));
            assert_eq!(serde_json::json!(counts), acl[key], "{name}");
        }
        let sizes = clip.sizes();
        let before = sizes.headers + sizes.segments + sizes.types + sizes.constants;
        let behind = sizes.clip_ranges + sizes.formats + sizes.segment_ranges + sizes.samples;
        let rest = sizes.chunk - before - behind;
        let has_metadata = clip.metadata().track_name(0).is_some();
        let most = if has_metadata { u64::MAX } else { 24 + 4 * starts.len() as u64 };
        assert!((15..most).contains(&rest), "{name}: {sizes:?}");
        for (segment, place) in clip.segments().iter().enumerate() {
            let bits = |part: Part| -> u32 {
                let tracks = (0..clip.track_count())
                    .filter_map(|track| clip.bit_count(part, track, segment));
                let per_bit = match (part, clip.formats().rotation) {
                    (Part::Rotation, pchr_foreign::acl::RotationFormat::Full) => 4,
                    _ => 3,
                };
                tracks.map(|bits| u32::from(bits) * per_bit).sum()
            };
            let sums = Part::ALL.map(bits);
            assert_eq!(sums[0], place.rotation_bits, "{name}");
            assert_eq!(sums[1], place.translation_bits, "{name}");
            assert_eq!(sums.iter().sum::<u32>(), place.pose_bits, "{name}");
        }
        if acl["misc"].as_u64().unwrap() >> 31 == 1 {
            let metadata = clip.metadata();
            assert_eq!(metadata.name().as_deref(), Some(name));
            for track in 0..clip.track_count() {
                assert_eq!(metadata.track_name(track).unwrap(), format!("Bone_{track}"));
                let parent = fixture["parents"][usize::from(track)].as_i64().unwrap();
                assert_eq!(metadata.parent(track), Some(u16::try_from(parent).ok()));
                assert!(metadata.precision(track).is_some_and(|it| it > 0.0));
            }
        } else {
            assert!(clip.metadata().name().is_none() && clip.metadata().parent(0).is_none());
        }
    }
    assert!(seen >= 20);
}

/// Verdict and findings of a chunk.
fn verdict(bytes: &[u8], base: u64) -> (&'static str, Findings) {
    match Clip::read(bytes, base) {
        Ok((_, found)) if found.total(Severity::Warning) == 0 => ("ok", found),
        Ok((_, found)) => ("warning", found),
        Err(invalid) => ("error", invalid.0),
    }
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn damaged_chunks_have_their_verdict() {
    for case in index()["hostile"].as_array().unwrap() {
        let name = case["file"].as_str().unwrap();
        if !name.starts_with("bad_acl") && name != "bad_chunk_size.anm.pxd" {
            continue;
        }
        let file = bytes(name);
        let offset = chunks(&file)[0].unwrap();
        let (verdict, found) = verdict(&file[offset..], offset as u64);
        let expected = case["expect"].as_str().unwrap();
        let place = found.iter().next().unwrap().offset;
        let is_near = (offset as u64..file.len() as u64).contains(&place);
        assert!(expected.contains(verdict) && is_near, "{name}: expected {expected}: {found:?}");
    }
}
