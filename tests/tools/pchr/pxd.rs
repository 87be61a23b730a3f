//! Tests of PXD in `pchr`: animations and skeletons are recognised by content, validated and inspected.

use pchr_foreign::acl::Clip;
use pchr_foreign::format::pxd;
use pchr_foreign::motion::{
    AnimationType, Bone, Channels, Conventions, Key, Motion, Precision, Sampled, Skeleton,
    TrackKeys, Transform,
};
use serde_json::Value;

use crate::desk::{Desk, said};
use crate::encoder as acl;
use crate::pchr::atlas::{corpus, put, refused, run};

fn skeleton() -> Skeleton {
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
        bone("root", None, 4.0),
    ];
    Skeleton::new(bones, Conventions::PXD).unwrap()
}

/// Motion with keys and root motion.
fn keyed() -> Motion {
    let vector = |frame, x| Key {
        frame,
        value: [x, 2.0, -0.5],
    };
    let all = Channels {
        translation: true,
        rotation: true,
        scale: true,
    };
    let mut motion = Motion::new(all, Precision::Single);
    motion.conventions = Conventions::PXD;
    (motion.frame_count, motion.rate) = (10, 30.0);
    let keys = TrackKeys {
        translation: &[vector(0, 1.0), vector(4, 2.0), vector(9, 3.0)],
        rotation: &[Key {
            frame: 3,
            value: [0.0, 0.0, 0.0, 1.0],
        }],
        ..TrackKeys::default()
    };
    motion.add_track(0, 0, keys).unwrap();
    motion.add_track(1, 0, TrackKeys::default()).unwrap();
    let root = TrackKeys {
        translation: &[vector(0, 0.0), vector(9, 12.0)],
        ..TrackKeys::default()
    };
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
    let rate = motion.sampled().unwrap().clip.sample_rate();
    (motion.rate, motion.frame_count) = (rate, 40);
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
        put(&desk, name, &bytes);
    }
    desk
}

/// Bytes of a file with some replaced at an offset.
fn with(desk: &Desk, file: &str, at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = desk.bytes(file);
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

#[test]
fn pxd_files_are_validated_by_content() {
    let desk = desk();
    put(&desk, "motion.dat", &desk.bytes("walk.anm.pxd"));
    put(&desk, "swapped.skl.pxd", &desk.bytes("walk.anm.pxd"));
    put(&desk, "puppet.anm.pxd", &desk.bytes("puppet.pchr"));
    put(
        &desk,
        "odd.anm.pxd",
        &with(&desk, "keys.anm.pxd", 0x48, &[7]),
    );
    put(&desk, "big.anm.pxd", &with(&desk, "keys.anm.pxd", 7, b"B"));
    put(
        &desk,
        "kind.skl.pxd",
        &with(&desk, "hero.skl.pxd", 0x40, b"????"),
    );
    put(
        &desk,
        "kind.dat",
        &with(&desk, "hero.skl.pxd", 0x40, b"????"),
    );
    put(
        &desk,
        "start.skl.pxd",
        &with(&desk, "hero.skl.pxd", 0, b"????"),
    );
    put(&desk, "short.anm.pxd", &desk.bytes("walk.anm.pxd")[..0x20]);
    put(&desk, "empty.anm.pxd", b"");
    let clip = with(&desk, "walk.anm.pxd", 0x40 + 0x40 + 8, &[0]);
    put(&desk, "clip.anm.pxd", &clip);
    for (file, code, wanted) in [
        ("keys.anm.pxd", 0, "keys.anm.pxd: valid"),
        ("walk.anm.pxd", 0, "walk.anm.pxd: valid"),
        ("hero.skl.pxd", 0, "hero.skl.pxd: valid"),
        ("motion.dat", 0, "motion.dat: valid"),
        ("swapped.skl.pxd", 0, "swapped.skl.pxd: valid"),
        ("puppet.anm.pxd", 0, "puppet.anm.pxd: valid"),
        ("odd.anm.pxd", 0, "warning PXD-W105 additive"),
        ("big.anm.pxd", 4, "error PXD-E003 byte-order"),
        ("kind.skl.pxd", 4, "\"KSXP\" (a skeleton)"),
        ("kind.dat", 4, "\"NAXP\" (an animation)"),
        ("start.skl.pxd", 4, "error PXD-E001 magic"),
        ("short.anm.pxd", 4, "error PXD-E004 unexpected-end"),
        ("empty.anm.pxd", 4, "error PXD-E001 magic"),
        ("clip.anm.pxd", 4, "error ACL-E002 magic"),
    ] {
        let output = desk.run_pchr(&["validate", file]);
        let told = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(code), "{file}: {told}");
        assert!(told.contains(wanted), "{file}: {told}");
    }
    let strict = ["validate", "--strict", "odd.anm.pxd"];
    assert_eq!(desk.run_pchr(&strict).status.code(), Some(4));
    run(&desk, &[&strict[..], &["--ignore", "PXD-W105"]].concat());
    run(&desk, &[&strict[..], &["--only", "ACL-W101"]].concat());
}

#[test]
fn folders_stand_for_the_pxd_files_in_them_in_every_report() {
    let desk = desk();
    put(&desk, "art/walk.anm.pxd", &desk.bytes("walk.anm.pxd"));
    let odd = with(&desk, "keys.anm.pxd", 0x48, &[7]);
    put(&desk, "art/deep/ODD.ANM.PXD", &odd);
    put(&desk, "art/bones.pxd", &desk.bytes("hero.skl.pxd"));
    put(&desk, "art/cut.skl.pxd", b"");
    // A file of another program.
    put(&desk, "art/declarations.pxd", b"cdef extern from *:\n");
    let args = ["validate", "art", "--junit", "junit.xml", "--json"];
    let output = desk.run_pchr(&args);
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    let files: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let told: Vec<_> = { files.as_array().unwrap().iter() }
        .map(|file| (text(&file["file"]), text(&file["verdict"])))
        .collect();
    let wanted = [
        ("art/bones.pxd", "valid"),
        ("art/cut.skl.pxd", "invalid"),
        ("art/deep/ODD.ANM.PXD", "warnings"),
        ("art/walk.anm.pxd", "valid"),
    ];
    assert_eq!(told, wanted.map(|(a, b)| (a.to_owned(), b.to_owned())));
    let junit = String::from_utf8(desk.bytes("junit.xml")).unwrap();
    assert!(junit.contains("PXD-E001"), "{junit}");
    let sarif = desk.run_pchr(&["validate", "art", "--sarif"]).stdout;
    let sarif: Value = serde_json::from_slice(&sarif).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let ids: Vec<_> = results.iter().map(|result| &result["ruleId"]).collect();
    assert_eq!(ids, ["PXD-E001", "PXD-W105"]);
    std::fs::create_dir(desk.path("empty")).unwrap();
    let told = refused(&desk, &["validate", "empty"], 1);
    assert!(told.contains(".anm.pxd, .skl.pxd"), "{told}");
}

/// Cases of the corpus: path, and acceptable verdicts.
fn cases() -> Vec<(String, &'static [&'static str])> {
    let root = corpus("pxd");
    let index: Value =
        serde_json::from_slice(&std::fs::read(root.join("index.json")).unwrap()).unwrap();
    let path = |name: &Value| root.join(name.as_str().unwrap()).display().to_string();
    let mut cases: Vec<(String, &[&str])> = Vec::new();
    for fixture in index["fixtures"].as_array().unwrap() {
        for kind in ["animation", "skeleton"] {
            cases.push((path(&fixture[kind]), &["valid"]));
        }
    }
    for hostile in index["hostile"].as_array().unwrap() {
        let verdicts: &[&str] = match hostile["expect"].as_str().unwrap() {
            "error" => &["invalid"],
            "error or warning" => &["invalid", "warnings"],
            _ => &["valid", "warnings"],
        };
        cases.push((path(&hostile["file"]), verdicts));
    }
    cases.sort();
    cases.dedup();
    cases
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn pxd_files_of_the_corpus_have_their_verdict() {
    let cases = cases();
    let files: Vec<&str> = cases.iter().map(|(file, _)| &**file).collect();
    let desk = Desk::new();
    let output = desk.run_pchr(&[&["validate", "--json"], &files[..]].concat());
    assert_eq!(output.status.code(), Some(4));
    let verdicts: Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdicts = verdicts.as_array().unwrap();
    assert_eq!(verdicts.len(), cases.len());
    for ((file, fits), verdict) in cases.iter().zip(verdicts) {
        let told = verdict["verdict"].as_str().unwrap();
        assert!(fits.contains(&told), "{file}: {verdict}");
        for finding in verdict["findings"].as_array().unwrap() {
            let id = finding["id"].as_str().unwrap();
            assert!(
                id.starts_with("PXD-") || id.starts_with("ACL-"),
                "{file}: {id}"
            );
        }
    }
    println!("{} verdicts", verdicts.len());
}

fn json(desk: &Desk, file: &str) -> Value {
    serde_json::from_str(&run(desk, &["inspect", "--json", file])).unwrap()
}

#[test]
fn a_compressed_animation_is_told_with_its_bit_rates() {
    let desk = desk();
    let told = run(&desk, &["inspect", "walk.anm.pxd"]);
    for wanted in [
        "  header      additive, compressed with ACL\n",
        "  contents    3 tracks, root motion\n",
        "rotation drop-w-variable, translation variable, no scale (1 instead)\n",
        "rotation 3 animated; translation 3 animated; scale 3 default\n",
        " that raw samples take\n",
        "\n  payload",
        "\n    skeletal clip",
        "\n    root clip",
        "\nSegments, skeletal\n",
        "  1  16..40 ",
        "\nTracks, skeletal (bits per number, over all segments)\n",
        "  2  animated 11..=12  animated 14..=15  default\n",
        "\nTracks, root (bits per number, over all segments)\n",
    ] {
        assert!(told.contains(wanted), "{wanted}\n{told}");
    }
    let report = json(&desk, "walk.anm.pxd");
    assert_eq!(report["format"], "pxd-animation");
    assert_eq!(report["container"]["version"], "210L");
    assert_eq!(report["skeleton"], Value::Null);
    let animation = &report["animation"];
    assert_eq!(animation["additive"], true);
    assert_eq!(animation["frames"], 40);
    assert_eq!(animation["keys"], Value::Null);
    let clips = animation["clips"].as_array().unwrap();
    assert_eq!(clips.len(), 2);
    assert_eq!(clips[0]["rawBytes"], 40 * 40 * 3);
    // The parts of a clip follow each other after the tag, and its segments are within the clip.
    let file = desk.bytes("walk.anm.pxd");
    for clip in clips {
        let number = |value: &Value| value.as_u64().unwrap();
        let (at, length) = (
            number(&clip["bytes"]["offset"]),
            number(&clip["bytes"]["length"]),
        );
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
    let bits = &clips[0]["tracks"][1]["rotation"]["bits"];
    assert_eq!((&bits["min"], &bits["max"]), (&10.into(), &11.into()));
    assert!(!run(&desk, &["inspect", "-q", "walk.anm.pxd"]).contains("Segments"));
}

#[test]
fn keys_and_bones_are_told() {
    let desk = desk();
    let told = run(&desk, &["inspect", "keys.anm.pxd"]);
    for wanted in [
        "keys.anm.pxd: PXD animation, ",
        "  header      replaces the rest pose, uncompressed\n",
        "  playing     10 frames, 0.30 s, 30 frames per second\n",
        "  keys        3 translation, 1 rotation, 0 scale\n",
        "  0  3: 0..=9     1: 3..=3  -      0x",
        "\nRoot motion (keys: frames)\n",
    ] {
        assert!(told.contains(wanted), "{wanted}\n{told}");
    }
    let keys = &json(&desk, "keys.anm.pxd")["animation"]["keys"];
    assert_eq!(keys["tracks"][0]["translation"]["lastFrame"], 9);
    assert_eq!(keys["tracks"][1]["firstFrame"], Value::Null);
    assert_eq!(keys["root"]["translation"]["keys"], 2);
    let told = run(&desk, &["inspect", "hero.skl.pxd"]);
    for wanted in [
        "hero.skl.pxd: PXD skeleton, ",
        "4 bones (2 roots, 3 levels); some parents come after their children\n",
        "  0  hand  2 arm   1 0.5 -2     0 0 0 1             1 1 1  0x",
        "  1  prop  -       2 0.5 -2 ",
    ] {
        assert!(told.contains(wanted), "{wanted}\n{told}");
    }
    let skeleton = &json(&desk, "hero.skl.pxd")["skeleton"];
    assert_eq!(skeleton["roots"], serde_json::json!([1, 3]));
    assert_eq!(skeleton["bones"][0]["parent"], 2);
    assert_eq!(skeleton["bones"][0]["level"], 3);
    assert_eq!(skeleton["bones"][0]["rest"]["translation"][2], -2.0);
}

#[test]
fn long_lists_of_bones_end_early() {
    let bone = |index: u32| Bone {
        name: (*format!("bone{index}")).into(),
        ..Bone::default()
    };
    let skeleton = Skeleton::new((0..50).map(bone).collect(), Conventions::PXD).unwrap();
    let desk = Desk::new();
    put(
        &desk,
        "long.skl.pxd",
        &pxd::write_skeleton(&skeleton).unwrap(),
    );
    let told = run(&desk, &["inspect", "long.skl.pxd"]);
    assert!(
        told.contains("  … 10 more; list them with --all\n"),
        "{told}"
    );
    assert!(!told.contains("bone40"), "{told}");
    assert!(run(&desk, &["inspect", "--all", "long.skl.pxd"]).contains("bone49"));
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn pxd_files_of_the_corpus_are_told_as_their_index_says() {
    let root = corpus("pxd");
    let index: Value =
        serde_json::from_slice(&std::fs::read(root.join("index.json")).unwrap()).unwrap();
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
        for (ours, theirs) in [
            ("frames", "frames"),
            ("tracks", "tracks"),
            ("compressed", "compressed"),
        ] {
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
        assert_eq!(
            !clip["formats"]["scale"].is_null(),
            acl["has_scale"],
            "{name}"
        );
        for storage in ["animated", "constant"] {
            let counts = ["rotation", "translation", "scale"].map(|part| &clip[part][storage]);
            assert_eq!(serde_json::json!(counts), acl[storage], "{name}: {storage}");
        }
        compressed += 1;
    }
    println!("{compressed} compressed animations told");
    assert!(compressed > 20);
}
