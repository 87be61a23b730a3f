//! Tests with clips that ACL compressed, and with the poses that ACL decoded from them.

use pchr_foreign::acl::{Clip, Transform};
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
            let expected = fixture["expected"][part]["json"].as_str();
            let name = format!("{}, {part}", fixture["name"]);
            assert_eq!(offset.is_some(), expected.is_some(), "{name}");
            if let (Some(offset), Some(expected)) = (offset, expected) {
                let expected = in_json(&serde_json::from_slice(&bytes(expected)).unwrap());
                cases.push(Case { name, chunk: file[offset..].to_vec(), expected });
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
pub(crate) fn all_chunks() -> Vec<Vec<u8>> {
    let chunk = |mut case: Case| {
        let size = u32::from_le_bytes(*case.chunk.first_chunk().unwrap());
        case.chunk.truncate(size as usize);
        case.chunk
    };
    cases().into_iter().map(chunk).collect()
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_pose_is_that_of_acl_bit_for_bit_by_time_and_by_number() {
    let (mut tracks, mut exact) = (0, 0);
    let mut out = Vec::new();
    for case in cases() {
        let name = &case.name;
        let (clip, found) =
            Clip::read(&case.chunk, 0).unwrap_or_else(|invalid| panic!("{name}: {invalid}"));
        assert!(found.is_empty(), "{name}: {found:?}");
        for (time, expected) in &case.expected {
            // A frame whose time is exact is the same by its number. Times may lie beyond the ends.
            let within = time.clamp(0.0, clip.duration());
            let frame = within * clip.sample_rate();
            let is_exact = frame.fract() == 0.0 && frame / clip.sample_rate() == within;
            for by_number in [false, true].into_iter().take(1 + usize::from(is_exact)) {
                match by_number {
                    false => clip.sample(*time, &mut out),
                    true => clip.sample_frame(frame as u32, &mut out),
                }
                exact += usize::from(by_number);
                assert_eq!(out.len(), expected.len(), "{name}");
                for (track, (ours, expected)) in out.iter().map(flat).zip(expected).enumerate() {
                    tracks += 1;
                    let is_same = ours.map(f32::to_bits) == expected.map(f32::to_bits);
                    assert!(is_same, "{name}: track {track} at {time}\n  {ours:?}\n  {expected:?}");
                }
            }
        }
    }
    assert!(tracks > 40_000 && exact > 2_000, "{tracks} {exact}");
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn sizes_fill_a_clip_and_metadata_is_that_of_the_index() {
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
        let (sizes, metadata) = (clip.sizes(), clip.metadata());
        let before = sizes.headers + sizes.segments + sizes.types + sizes.constants;
        let behind = sizes.clip_ranges + sizes.formats + sizes.segment_ranges + sizes.samples;
        let rest = sizes.chunk - before - behind;
        let has_metadata = metadata.track_name(0).is_some();
        let most = if has_metadata { u64::MAX } else { 24 + 4 * clip.segments().len() as u64 };
        assert!((15..most).contains(&rest), "{name}: {sizes:?}");
        if acl["misc"].as_u64().unwrap() >> 31 == 1 {
            assert_eq!(metadata.name().as_deref(), Some(name));
            for track in 0..clip.track_count() {
                assert_eq!(metadata.track_name(track).unwrap(), format!("Bone_{track}"));
                let parent = fixture["parents"][usize::from(track)].as_i64().unwrap();
                assert_eq!(metadata.parent(track), Some(u16::try_from(parent).ok()));
                assert!(metadata.precision(track).is_some_and(|it| it > 0.0));
            }
        } else {
            assert!(metadata.name().is_none() && metadata.parent(0).is_none());
        }
    }
    assert!(seen >= 20);
}
