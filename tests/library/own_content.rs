//! Tests of content other than characters, with the program of `examples/own_content`: captures and suites take it as they
//! take characters.

use std::process::{Command, Output};

use pchr::bytes::Budget;
use pchr::image::decode_straight;
use serde_json::Value;
use tempfile::TempDir;

use crate::own;

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("three.quads"), "quads\n").unwrap();
    folder
}

fn run(folder: &TempDir, args: &[&str]) -> Output {
    let mut command = Command::new(own::example("own_content"));
    command.current_dir(folder).env_remove("CI").args(args);
    command.env("XDG_RUNTIME_DIR", std::env::temp_dir());
    command.output().unwrap()
}

/// Output of a run that must succeed.
fn printed(folder: &TempDir, args: &[&str]) -> String {
    let output = run(folder, args);
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &TempDir, args: &[&str]) -> String {
    let output = run(folder, args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Colours at world x -10, -5, 0, 6 and y 4, in pictures of 64x32 with one pixel per unit.
fn along(folder: &TempDir, name: &str) -> [[u8; 4]; 4] {
    let png = std::fs::read(folder.path().join(name)).unwrap();
    let picture = decode_straight(&png, &Budget::default()).unwrap();
    let pixels = picture.rgba.as_chunks().0;
    [-10_i32, -5, 0, 6].map(|x| pixels[11 * 64 + usize::try_from(x + 32).unwrap()])
}

const PLAIN: [&str; 10] =
    ["capture", "three.quads", "-s", "64x32", "--fit", "none", "--msaa", "1", "--renderer", "cpu"];

#[test]
fn it_is_captured_with_its_clips_meshes_and_order() {
    let folder = folder();
    let none = [0; 4];
    let capture = |args: &[&str]| printed(&folder, &[&PLAIN[..], args].concat());
    let said = capture(&["-a", "all", "-f", "all", "-o", "{animation}-{frame}.png", "--json"]);
    assert_eq!(along(&folder, "one by one-0.png"), [RED, RED, none, none]);
    assert_eq!(along(&folder, "one by one-1.png"), [none, GREEN, GREEN, none]);
    assert_eq!(along(&folder, "one by one-2.png"), [none, none, none, BLUE]);
    assert_eq!(along(&folder, "all-0.png"), [RED, GREEN, GREEN, BLUE]);
    assert_eq!(along(&folder, "all-1.png"), [RED, RED, GREEN, BLUE]);
    let every = [&PLAIN[..], &["-a", "all", "-o", "every-{animation}.png"]].concat();
    let note = String::from_utf8(run(&folder, &every).stderr).unwrap();
    let wanted = "note: three.quads: \"all\" selects every animation; -a #1 selects the one that is named \"all\"\n";
    assert_eq!(note, wanted);
    let one = [&PLAIN[..], &["-a", "#1", "-o", "one.png"]].concat();
    assert!(run(&folder, &one).stderr.is_empty());
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["captures"].as_array().unwrap().len(), 5);
    assert_eq!(said["captures"][3]["animation"], "all");
    assert_eq!(said["bindPose"], Value::Null, "it has no bind pose");

    capture(&["-a", "#1", "-f", "0", "--hide", "green", "--z-order", "red=9", "-o", "h.png"]);
    assert_eq!(along(&folder, "h.png"), [RED, RED, none, BLUE]);
    let refusal = refused(&folder, &[&PLAIN[..], &["--bind", "none", "-o", "x.png"]].concat());
    assert!(refusal.contains("has no bind pose"), "{refusal}");
    let refusal = refused(&folder, &[&PLAIN[..], &["-a", "al", "-o", "x.png"]].concat());
    assert!(refusal.contains("\"all\""), "{refusal}");
}

#[test]
fn suites_are_made_for_it_pass_and_show_what_changed() {
    let folder = folder();
    printed(&folder, &["test", "--init", "."]);
    let suite = std::fs::read_to_string(folder.path().join("suite.toml")).unwrap();
    assert!(suite.contains("three.quads"), "{suite}");
    let test = ["test", "suite.toml", "--renderer", "cpu"];
    let said = printed(&folder, &[&test[..2], &["--update"]].concat());
    printed(&folder, &[&test[..2], &["--report", "report"]].concat());
    let written = said.lines().filter_map(|line| line.trim().strip_prefix("wrote "));
    let pictures: Vec<_> = written.map(|name| folder.path().join(name)).collect();
    assert_eq!(pictures.len(), 5, "{said}");
    std::fs::copy(&pictures[0], &pictures[1]).unwrap();
    let output = run(&folder, &test[..2]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("1 failed"), "{said}");
}

#[test]
fn characters_are_opened_as_ever_and_what_is_neither_is_told() {
    let folder = folder();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample.pchr");
    printed(&folder, &["capture", sample, "-o", "sample.png"]);
    std::fs::copy(sample, folder.path().join("sample.quads")).unwrap();
    printed(&folder, &["capture", "sample.quads", "-o", "renamed.png"]);
    let invalid = |name: &str, content: &str| {
        std::fs::write(folder.path().join(name), content).unwrap();
        let output = run(&folder, &["capture", name, "-o", "x.png"]);
        assert_eq!(output.status.code(), Some(4), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let told = invalid("other.txt", "squares\n");
    assert!(told.contains("PCHR-E001"), "{told}");
    for (name, content) in [("other.quads", "squares\n"), ("EMPTY.QUADS", "")] {
        let told = invalid(name, content);
        let wanted = format!(
            "error: {name}: FILE-E001 content: file at byte 0 (0x0): damaged: a .quads file whose content is not recognised as Quads"
        );
        assert!(told.starts_with(&wanted), "{told}");
    }
    let conflict = "<<<<<<< ours\nquads\n=======\nsquares\n>>>>>>> theirs\n";
    let told = invalid("merged.quads", conflict);
    assert!(told.contains("line 1"), "{told}");
}
