//! Tests of PXD in `pchr`: animations and skeletons are recognised by content, validated and inspected.

use pchr_foreign::acl::Clip;
use pchr_foreign::format::pxd;
use pchr_foreign::motion::{
    AnimationType, Channels, Conventions, Key, Motion, Precision, Sampled, Skeleton, TrackKeys,
};
use serde_json::Value;

use crate::corpus;
use crate::desk::Desk;
use crate::encoder as acl;
use crate::pchr::atlas::run;
use crate::rig;

fn skeleton() -> Skeleton {
    rig::skeleton(&[
        ("hand", Some(2), [1.0, 0.5, -2.0]),
        ("prop", None, [2.0, 0.5, -2.0]),
        ("arm", Some(3), [3.0, 0.5, -2.0]),
        ("root", None, [4.0, 0.5, -2.0]),
    ])
}

fn keyed() -> Motion {
    let vector = |frame, x| Key { frame, value: [x, 2.0, -0.5] };
    let all = Channels { translation: true, rotation: true, scale: true };
    let mut motion = Motion::new(all, Precision::Single);
    motion.conventions = Conventions::PXD;
    (motion.frame_count, motion.rate) = (10, 30.0);
    let keys = TrackKeys {
        translation: &[vector(0, 1.0), vector(4, 2.0), vector(9, 3.0)],
        rotation: &[Key { frame: 3, value: [0.0, 0.0, 0.0, 1.0] }],
        ..TrackKeys::default()
    };
    motion.add_track(0, 0, keys).unwrap();
    motion.add_track(1, 0, TrackKeys::default()).unwrap();
    let root =
        TrackKeys { translation: &[vector(0, 0.0), vector(9, 12.0)], ..TrackKeys::default() };
    motion.set_root_keys(root).unwrap();
    motion
}

/// Motion in compressed clips: one with three tracks and two segments, and one for the root.
fn compressed() -> Motion {
    let sampled = |tracks, starts: &[u32]| {
        let mut encoder = acl::busy(tracks, 40, |part, index, segment| {
            [9, 12, 6][part] + (index + segment) as u8
        });
        encoder.starts = starts.to_vec();
        let (clip, found) = Clip::read(&encoder.chunk(), 0).unwrap();
        assert_eq!(found.iter().count(), 0);
        Sampled { clip, offset: 0 }
    };
    let mut motion = Motion::default();
    motion.conventions = Conventions::PXD;
    motion.animation_type = AnimationType::Additive;
    motion.set_sampled(sampled(3, &[0, 16]));
    motion.set_sampled_root(sampled(1, &[0]));
    (motion.rate, motion.frame_count) = (motion.sampled().unwrap().clip.sample_rate(), 40);
    motion
}

/// Sound files of each kind.
pub(crate) fn files() -> [(&'static str, Vec<u8>); 3] {
    [
        ("keys.anm.pxd", pxd::write_animation(&keyed()).unwrap()),
        ("walk.anm.pxd", pxd::write_animation(&compressed()).unwrap()),
        ("hero.skl.pxd", pxd::write_skeleton(&skeleton()).unwrap()),
    ]
}

fn desk() -> Desk {
    let desk = Desk::new();
    for (name, bytes) in files() {
        desk.put_bytes(name, &bytes);
    }
    desk
}

fn json(desk: &Desk, file: &str) -> Value {
    serde_json::from_str(&run(desk, &["inspect", "--json", file])).unwrap()
}

#[test]
fn parts_of_a_clip_are_where_it_is_said_that_they_are() {
    let desk = desk();
    let report = json(&desk, "walk.anm.pxd");
    let clips = report["animation"]["clips"].as_array().unwrap();
    assert_eq!(clips.len(), 2);
    let file = desk.bytes("walk.anm.pxd");
    for clip in clips {
        let number = |value: &Value| value.as_u64().unwrap();
        let (at, length) = (number(&clip["bytes"]["offset"]), number(&clip["bytes"]["length"]));
        assert_eq!(file[at as usize + 8..][..4], 0xac11_ac11_u32.to_le_bytes());
        assert_eq!(file[at as usize..][..4], (length as u32).to_le_bytes());
        for segment in clip["segments"].as_array().unwrap() {
            let poses = &segment["poses"];
            let bits = number(&segment["poseBits"]) * number(&segment["samples"]);
            assert!(number(&poses["length"]) >= bits.div_ceil(8));
            let end = number(&poses["offset"]) + number(&poses["length"]);
            assert!(number(&poses["offset"]) > at && end <= at + length);
        }
    }
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn pxd_files_of_the_corpus_are_told_as_their_index_says() {
    let (root, index) = corpus::indexed("pxd");
    let desk = Desk::new();
    let validator = crate::pchr::schema::validator("inspect-pxd");
    let mut compressed = 0;
    for fixture in index["fixtures"].as_array().unwrap() {
        let name = fixture["name"].as_str().unwrap();
        let told = |kind: &str| {
            let file = root.join(fixture[kind].as_str().unwrap());
            let report = json(&desk, file.to_str().unwrap());
            let objections = crate::pchr::schema::objections(&validator, &report);
            assert!(objections.is_empty(), "{name}: {objections:?}");
            run(&desk, &["inspect", file.to_str().unwrap()]);
            report
        };
        let (report, bones) = (told("animation"), told("skeleton"));
        let bones = bones["skeleton"]["bones"].as_array().unwrap();
        let names: Vec<_> = bones.iter().map(|bone| bone["name"].clone()).collect();
        assert_eq!(Value::Array(names), fixture["bones"], "{name}");
        let animation = &report["animation"];
        for (ours, theirs) in
            [("frames", "frames"), ("tracks", "tracks"), ("compressed", "compressed")]
        {
            assert_eq!(animation[ours], fixture[theirs], "{name}: {ours}");
        }
        let has_root = !fixture["expected"]["root"].is_null();
        assert_eq!(animation["rootMotion"], has_root, "{name}");
        if fixture["acl"].is_null() {
            continue;
        }
        let clip = &animation["clips"][0];
        let segments = clip["segments"].as_array().unwrap();
        let starts: Vec<_> = segments.iter().map(|it| it["start"].clone()).collect();
        assert_eq!(Value::Array(starts), fixture["segments"], "{name}");
        let acl = &fixture["acl"];
        assert_eq!(clip["defaultScale"], acl["default_scale"], "{name}");
        assert_eq!(!clip["formats"]["scale"].is_null(), acl["has_scale"], "{name}");
        for storage in ["animated", "constant"] {
            let counts = ["rotation", "translation", "scale"].map(|part| &clip[part][storage]);
            assert_eq!(serde_json::json!(counts), acl[storage], "{name}: {storage}");
        }
        compressed += 1;
    }
    println!("{compressed} compressed animations told");
    assert!(compressed > 20);
}
