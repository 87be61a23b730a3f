//! Tests of suites and adapters: baselines of another class, tolerances for them, and machines without an adapter.
#![cfg(feature = "render")]

use std::process::Output;

use quick_junit::TestCaseStatus;
use serde_json::Value;

use crate::desk::{Desk, said, succeeded};
use crate::suite::stage::{
    SMALL, THREE, blessed, case, desk, ended, json, program, test, told, with_status,
};

fn without_adapter(desk: &Desk, args: &[&str]) -> Output {
    let mut program = program(desk, &[&["test", "suite.toml"], args].concat());
    program
        .env("VK_ICD_FILENAMES", "/nonexistent")
        .env("VK_DRIVER_FILES", "/nonexistent")
        .env("WGPU_BACKEND", "vulkan");
    program.output().unwrap()
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "drivers cannot be hidden there")]
fn without_an_adapter_the_gpu_cannot_be_tested_unless_that_may_be_skipped() {
    let suite = format!("{THREE}renderer = \"cpu\"\n")
        .replace("[defaults]\n", "[defaults]\nrenderer = \"gpu\"\n");
    let desk = blessed(THREE);
    desk.put_bytes("suite.toml", suite.as_bytes());
    let before = desk.files("baselines");
    let output = without_adapter(&desk, &["--report", "report", "--junit", "junit.xml"]);
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    assert!(said(&output).starts_with("error: "), "{}", said(&output));
    let report = json(&desk, "report/report.json");
    assert_eq!(report["exitCode"], 5);
    let error = report["errors"][0].as_str().unwrap();
    assert!(said(&output).contains(error), "{error}");
    assert!(String::from_utf8(desk.bytes("junit.xml")).unwrap().contains("errors=\"1\""));
    assert!(before == desk.files("baselines"), "no baseline is touched");

    let output =
        without_adapter(&desk, &["--allow-skip", "--report", "report", "--junit", "junit.xml"]);
    succeeded(&output);
    let (warned, told) = (said(&output), told(&output));
    assert!(warned.starts_with("warning: "), "{warned}");
    assert!(warned.ends_with("; cases that need one are skipped\n"), "{warned}");
    assert!(told.contains("skipped  walk (4 frames): 4 skipped\n"), "{told}");
    assert!(told.ends_with("3 cases, 9 frames: 2 passed, 7 skipped\n"), "{told}");
    let report = json(&desk, "report/report.json");
    assert_eq!(with_status(&report, "skipped").len(), 7);
    // The CPU renderer needs none.
    assert_eq!(with_status(&report, "passed"), ["jump/0000", "jump/0001"]);
    let frame = &case(&report, "walk")["frames"][0];
    assert_eq!([&frame["name"], &frame["message"]], ["0000", "no graphics adapter"]);
    let junit = crate::junit::parse(&desk.bytes("junit.xml"));
    let frames = junit.test_suites.iter().flat_map(|suite| &suite.test_cases);
    let skipped = frames.filter(|case| matches!(case.status, TestCaseStatus::Skipped { .. }));
    assert_eq!((junit.tests, junit.failures, junit.errors, skipped.count()), (9, 0, 0, 7));

    // Frames that are drawn are still judged, and skipped frames get no baselines.
    desk.nudge("baselines/jump/0001.png");
    assert_eq!(without_adapter(&desk, &["--allow-skip"]).status.code(), Some(3));
    desk.remove("baselines");
    succeeded(&without_adapter(&desk, &["--allow-skip", "--update"]));
    let baselines = desk.files("baselines");
    let wanted = ["jump/0000.png", "jump/0001.png", "jump/baseline.json"];
    assert!(baselines.keys().eq(&wanted), "{:?}", baselines.keys());
    // A suite that needs no adapter does not look for one.
    desk.put_bytes("suite.toml", THREE.as_bytes());
    ended(&without_adapter(&desk, &["--update"]), 0, "");
    assert_eq!(without_adapter(&desk, &["--renderer", "gpu"]).status.code(), Some(5));
    ended(&without_adapter(&desk, &["--renderer", "cpu"]), 0, "");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "drivers cannot be hidden there")]
fn a_backend_without_a_driver_may_be_skipped_and_a_name_that_is_wrong_may_not() {
    let desk = blessed(THREE);
    let hidden = |args: &[&str]| {
        let always = ["test", "suite.toml", "--renderer", "gpu", "--allow-skip"];
        let mut program = program(&desk, &[&always[..], args].concat());
        program.env("VK_ICD_FILENAMES", "/nonexistent").env("VK_DRIVER_FILES", "/nonexistent");
        program.output().unwrap()
    };
    // Only Vulkan is asked for, since other backends may have a driver.
    let output = hidden(&["--backend", "vulkan"]);
    succeeded(&output);
    assert!(told(&output).ends_with("9 skipped\n"), "{}", told(&output));
    succeeded(&hidden(&["--backend", "vulkan", "--adapter", "any"]));
}

/// Changes the alpha of a sixth of a baseline's pixels by up to 9.
fn repaint(desk: &Desk) {
    let name = "baselines/x/0000.png";
    let mut picture = desk.picture(name);
    for [.., alpha] in &mut picture.pixels[..256] {
        *alpha = alpha.checked_add(9).unwrap_or(246);
    }
    crate::suite::stage::paint(desk, name, &picture);
}

fn adapter(report: &Value, name: &str) -> String {
    case(report, name)["drawnBy"]["adapter"].as_str().unwrap().to_owned()
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn an_adapter_is_held_against_the_cpu_renderers_baselines_as_another_class() {
    let desk = blessed(THREE);
    let output = test(&desk, &["--renderer", "gpu", "--report", "report"]);
    succeeded(&output);
    let report = json(&desk, "report/report.json");
    assert_eq!(with_status(&report, "passed").len(), 9);
    let note = case(&report, "walk")["notes"][0].as_str().unwrap();
    let name = adapter(&report, "walk");
    let start = "baselines were drawn by the CPU renderer, these pictures by ";
    let is_told = note.starts_with(start) && note.contains(&name);
    assert!(is_told && note.ends_with(", another class of adapter"), "{note}");
    assert!(told(&output).contains(note));
    // The same with the renderers swapped.
    desk.remove("baselines");
    succeeded(&test(&desk, &["--renderer", "gpu", "--update"]));
    let maker = &json(&desk, "baselines/walk/baseline.json")["madeBy"][0];
    assert_eq!([&maker["renderer"], &maker["adapter"]], ["gpu", &name]);
    let output = test(&desk, &["--renderer", "gpu"]);
    succeeded(&output);
    assert!(!told(&output).contains("note"), "{}", told(&output));
    let output = test(&desk, &[]);
    succeeded(&output);
    let told = told(&output);
    let wanted = "these pictures by the CPU renderer, another class of adapter";
    assert!(told.contains(wanted), "{told}");
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn limits_for_an_adapter_hold_for_pairs_with_it_and_for_no_others() {
    let plain =
        format!("{SMALL}renderer = \"gpu\"\n[[case]]\nname = \"x\"\nfile = \"puppet.pchr\"\n");
    let desk = desk(&plain);
    ended(&test(&desk, &["--renderer", "cpu", "--update"]), 0, "");
    let report: Value = serde_json::from_slice(&test(&desk, &["--json"]).stdout).unwrap();
    let word = adapter(&report, "x").split(' ').next().unwrap().to_uppercase();
    // The difference is larger than the default limits for adapters.
    repaint(&desk);
    let code = |more: &str| {
        desk.put_bytes("suite.toml", format!("{plain}{more}").as_bytes());
        test(&desk, &[]).status.code()
    };
    let wide = format!("[adapter.\"{word}\"]\ntolerance = 200\n");
    assert_eq!(code(""), Some(3));
    assert_eq!(code(&wide), Some(0));
    assert_eq!(code("[adapter.\"nothing of the kind\"]\ntolerance = 200\n"), Some(3));
    assert_eq!(code(&format!("[adapter.\"{word}\"]\nmax_outliers = 300\n")), Some(0));
    // Limits for the other renderer of the pair.
    assert_eq!(code("[adapter.cpu]\ntolerance = 200\n"), Some(0));
    // Pictures of the CPU renderer are still compared exactly.
    desk.put_bytes("suite.toml", format!("{plain}{wide}").as_bytes());
    assert_eq!(test(&desk, &["--renderer", "cpu"]).status.code(), Some(3));
    // With renderers of one class, the case's own limits apply.
    desk.remove("baselines");
    succeeded(&test(&desk, &["--update"]));
    repaint(&desk);
    assert_eq!(test(&desk, &[]).status.code(), Some(3));
    assert_eq!(code("tolerance = 20\n"), Some(0));
    assert_eq!(code("max_outliers = \"20%\"\n"), Some(0));
    assert_eq!(code("tolerance = 5\n"), Some(3));
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn an_adapter_whose_name_is_spelled_wrong_is_no_reason_to_skip() {
    let desk = blessed(THREE);
    let args = ["--renderer", "gpu", "--allow-skip", "--adapter", "no such adapter"];
    let output = test(&desk, &args);
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_file_is_uploaded_once_however_many_cases_use_it() {
    let mut suite = SMALL.to_owned();
    for (name, file, more) in [
        ("a", "puppet.pchr", ""),
        ("b", "other.pchr", ""),
        ("c", "puppet.pchr", "mipmaps = true\n"),
        ("d", "other.pchr", "msaa = 4\n"),
        ("e", "puppet.pchr", "animation = \"walk\"\nframe = \"all\"\n"),
        ("f", "puppet.pchr", "bind = \"none\"\n"),
    ] {
        suite.push_str(&format!("[[case]]\nname = \"{name}\"\nfile = \"{file}\"\n{more}"));
    }
    let desk = desk(&suite);
    desk.put_bytes("other.pchr", &desk.bytes("puppet.pchr"));
    ended(&test(&desk, &["--update"]), 0, "");
    let output = test(&desk, &["--renderer", "gpu", "-v"]);
    succeeded(&output);
    let said = said(&output);
    let uploaded: Vec<_> = said.lines().filter(|line| line.starts_with("uploaded ")).collect();
    assert_eq!(uploaded, ["uploaded puppet.pchr", "uploaded other.pchr"]);
}
