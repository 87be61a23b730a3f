//! Tests with Khronos' validator: it has no errors or warnings about the output.
//!
//! `PCHR_TEST_GLTF_VALIDATOR` names the folder of the package `gltf-validator`; `script/test` fetches it if npm is installed.
#![cfg_attr(
    not(pchr_gltf_validator),
    allow(dead_code, unused_imports, reason = "there is no validator")
)]

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use pchr::character::Character;
use pchr_foreign::format::gltf::Container;
use pchr_foreign::motion::{
    Bone, Channels, Conventions, Key, Motion, Precision, Skeleton, TrackKeys, Transform, Unit,
    UpAxis,
};
use serde_json::Value;

use crate::fixture::{Builder, puppet};

use super::{bone, characters, files, json_of, made, try_write, turn};

/// Findings of the validator about files.
fn reports(written: &[(String, Vec<u8>)]) -> Vec<Value> {
    let package = env::var_os("PCHR_TEST_GLTF_VALIDATOR").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/gltf/validate.js");
    let mut command = Command::new("node");
    command.arg(script).arg(package);
    for (index, (name, bytes)) in written.iter().enumerate() {
        let path = folder.path().join(format!("{index}.{name}"));
        fs::write(&path, bytes).unwrap();
        command.arg(path);
    }
    let output = command.output().expect("node runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let reports: Vec<Value> =
        { lines.lines() }.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.len(), written.len());
    reports
}

fn assert_sound(written: &[(String, Vec<u8>)]) {
    for (report, (name, _)) in reports(written).into_iter().zip(written) {
        let found = (&report["errors"], &report["warnings"]);
        assert_eq!(found, (&0.into(), &0.into()), "{name}: {}", report["messages"]);
    }
}

fn both(name: &str, skeleton: &Skeleton, motions: &[(&str, &Motion)]) -> Vec<(String, Vec<u8>)> {
    let write = |(container, ending): (Container, &str)| {
        let (file, _) = try_write(skeleton, motions, container).unwrap();
        (format!("{}.{ending}", name.replace('/', "-")), file)
    };
    [(Container::Binary, "glb"), (Container::Text, "gltf")].map(write).to_vec()
}

#[test]
#[cfg_attr(not(pchr_gltf_validator), ignore = "needs gltf-validator: PCHR_TEST_GLTF_VALIDATOR=DIR")]
fn made_files_are_sound() {
    let skeleton = made::skeleton();
    let motions = made::odd_motions();
    let walk = made::motion();
    let mut clips: Vec<(&str, &Motion)> = motions.iter().map(|(name, it)| (*name, it)).collect();
    let mut written = both("none", &Skeleton::default(), &[]);
    written.extend(both("skeleton", &skeleton, &[]));
    written.extend(both("still", &Skeleton::default(), &clips[..1]));
    clips.push(("walk", &walk));
    written.extend(both("odd", &skeleton, &clips));
    let (extreme, motion) = extreme();
    written.extend(both("extreme", &extreme, &[("x", &motion)]));
    assert_sound(&written);
}

fn both_of_character(name: &str, character: &Character) -> [(String, Vec<u8>); 2] {
    [(Container::Binary, "glb"), (Container::Text, "gltf")].map(|(container, ending)| {
        (format!("{name}.{ending}"), characters::write(character, container).0)
    })
}

#[test]
#[cfg_attr(not(pchr_gltf_validator), ignore = "needs gltf-validator: PCHR_TEST_GLTF_VALIDATOR=DIR")]
fn made_characters_are_sound() {
    let empty = Builder::new().document();
    let (puppet, odd) = (puppet().document(), characters::odd());
    let made = [("empty", empty), ("puppet", puppet), ("odd", odd)];
    let written = made.map(|(name, it)| both_of_character(name, &Character::from(it)));
    assert_sound(written.as_flattened());
}

#[test]
#[cfg_attr(
    not(all(pchr_gltf_validator, pchr_corpus)),
    ignore = "needs gltf-validator and the corpus: PCHR_TEST_GLTF_VALIDATOR=DIR PCHR_CORPUS=DIR"
)]
fn characters_of_the_corpus_are_sound() {
    let characters = characters::of_corpus();
    let written = characters.iter().flat_map(|(name, it)| both_of_character(name, it));
    assert_sound(&written.collect::<Vec<_>>());
}

/// Skeleton and motion with the largest and smallest numbers, rotations that are not normalised, other axes, and a long chain.
fn extreme() -> (Skeleton, Motion) {
    let rest = |translation, rotation, scale| Bone {
        rest: Transform { translation, rotation, scale },
        ..bone("x", Some(0), [0.0; 3])
    };
    let mut bones = vec![
        bone("\u{0}", None, [f64::from(f32::MAX), 1e-45, -0.0]),
        rest([0.0; 3], [1e-200, 0.0, 0.0, 1e-200], [0.0; 3]),
        rest([1.0; 3], [0.0; 4], [1.0, -2.0, 1e30]),
        rest([1.0; 3], [2.0, 2.0, 2.0, 2.0], [1e-30; 3]),
    ];
    for index in 3..200 {
        bones.push(bone(&format!("{index}"), Some(index), [0.0, 0.1, 0.0]));
    }
    let conventions = Conventions { up: UpAxis::Z, unit: Unit::Centimetres, ..Conventions::GLTF };
    let all = Channels { translation: true, rotation: true, scale: true };
    let mut motion = Motion::new(all, Precision::Double);
    let keys = TrackKeys {
        translation: &[Key { frame: 0, value: [f64::from(f32::MAX), -1e-300, 1e-45] }],
        rotation: &[
            Key { frame: 1, value: [0.0; 4] },
            Key { frame: 2, value: [3.0, 0.0, 0.0, 4.0] },
            Key { frame: 9, value: turn(1, 170.0).map(|it| it * 1e-170) },
            Key { frame: 10, value: turn(1, 170.0).map(|it| it * 1e-310) },
        ],
        scale: &[Key { frame: 0, value: [0.0; 3] }, Key { frame: 4, value: [-1.0, 2.0, 3.0] }],
    };
    motion.add_track(1, 0, keys).unwrap();
    motion.add_track(4, 0, keys).unwrap();
    motion.set_root_keys(keys).unwrap();
    (Skeleton::new(bones, conventions).unwrap(), motion)
}

#[test]
#[cfg_attr(
    not(all(pchr_gltf_validator, pchr_corpus)),
    ignore = "needs gltf-validator and the corpus: PCHR_TEST_GLTF_VALIDATOR=DIR PCHR_CORPUS=DIR"
)]
fn files_of_the_corpus_are_sound() {
    let mut written = Vec::new();
    for files::Pair { name, skeleton, motion } in
        files::of_pxd().into_iter().chain(files::of_seanim())
    {
        if files::is_finite(&super::keys(&skeleton, &motion)) {
            written.extend(both(&name, &skeleton, &[(&name, &motion)]));
        }
    }
    assert!(written.len() >= 120, "{}", written.len());
    assert_sound(&written);
}

#[test]
#[cfg_attr(not(pchr_gltf_validator), ignore = "needs gltf-validator: PCHR_TEST_GLTF_VALIDATOR=DIR")]
fn the_validator_finds_faults() {
    let (file, _) = super::write(&made::skeleton(), &[("walk", &made::motion())]);
    let mut json = json_of(&file);
    json["accessors"][1]["max"] = serde_json::json!([9.0]);
    json["nodes"][2]["rotation"] = serde_json::json!([0.0, 0.0, 0.0, 1.1]);
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let wrong = super::binary(&json, &file[28 + length..]);
    let report = reports(&[("wrong.glb".into(), wrong)]).remove(0);
    assert_eq!(report["errors"], 2, "{report}");
}
